// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/chain_front_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/fronts.hpp"

namespace scree {
namespace {

constexpr double radius = 5;  // of the beads; overlaps are about 1
constexpr std::size_t half_way = 6;  // chains that are looked at are shorter by factors 2^(1/6)

/// The force in one contact while the front passes it: y(t), which is the front's form at n - c t for fixed n, as finely
/// as the steps are.
struct Passage {
  std::size_t contact = 0;  // between beads contact and contact + 1
  std::vector<double> t, y;

  void add(const Frame& f, double delta, double a) {
    const auto dim = static_cast<std::size_t>(f.dim);
    const double d = 2 * radius - (f.x[(contact + 1) * dim] - f.x[contact * dim]);
    t.push_back(f.time);
    y.push_back(d > 0 ? std::pow(d / delta, a) : 0);
  }
  /// When y = 1/e; NAN if it has not come.
  double arrival() const {
    for (std::size_t k = 0; k + 1 < y.size(); ++k)
      if (y[k] < std::exp(-1.0) && y[k + 1] >= std::exp(-1.0)) {
        if (!(y[k] > 0)) return t[k + 1];
        const double a = -std::log(y[k]), b = -std::log(y[k + 1]);  // nearly straight, which y is not
        return t[k] + (t[k + 1] - t[k]) * (a - 1) / (a - b);
      }
    return NAN;
  }
  double highest() const { return *std::max_element(y.begin(), y.end()); }
  /// Largest |y - Y(rate (at - t))|.
  template <class Y>
  double differs(double rate, const Y& theory, double at) const {
    double worst = 0;
    const std::size_t every = std::max<std::size_t>(y.size() / 4000, 1);
    for (std::size_t k = 0; k < y.size(); k += every) worst = std::max(worst, std::abs(y[k] - theory(rate * (at - t[k]))));
    return std::isfinite(at) ? worst : NAN;
  }
  /// Where Y has to stand for the least of it, and how much that is. It is convex near its minimum: golden section.
  struct Match {
    double at = NAN, worst = NAN;
  };
  template <class Y>
  Match match(double rate, const Y& theory) const {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double a = arrival() - 1 / rate, b = arrival() + 1 / rate;
    if (!std::isfinite(a)) return {};
    double c = b - golden * (b - a), d = a + golden * (b - a), fc = differs(rate, theory, c), fd = differs(rate, theory, d);
    while (b - a > 1e-4 / rate) {
      if (fc < fd) {
        b = d, d = c, fd = fc, c = b - golden * (b - a);
        fc = differs(rate, theory, c);
      } else {
        a = c, c = d, fc = fd, d = a + golden * (b - a);
        fd = differs(rate, theory, d);
      }
    }
    return fc < fd ? Match{c, fc} : Match{d, fd};
  }
};

double piston_speed(const AnyScene& scene) {
  const double speed = std::visit(
      [](const auto& one) {
        const auto& walls = one.world.walls;
        return walls.empty() || walls[0].motion.empty() ? 0 : walls[0].motion[0].velocity[0];
      },
      scene);
  if (!(speed > 0)) throw InputError("study chain --case front: expected a first wall that moves along x at a positive speed");
  return speed;
}

/// Steps of a scheme, in beads that the front goes on: some twenty over a front's width, for waves of a bead's length
/// small enough for third order (hω < √6); where the dashpot is evaluated, below its own rate 4aγ too; as printed not
/// below γ.
double step_for(const Front& f, const ChainScheme& scheme, double width, double c) {
  const double step = f.burgers ? std::clamp(0.05 * width, 0.1, 0.5) : std::clamp(0.12 * width, 0.05, 0.15);
  if (scheme.as_printed()) return std::max(step, f.gamma * c);
  return scheme.is_theta() ? step : std::min(step, 0.4 / (4 * f.a * f.gamma * c + 2 * std::sqrt(f.a)));
}

}  // namespace

Front Front::of_burgers(double a, double gamma) {
  Front f;
  f.a = a;
  f.gamma = gamma;
  return f;
}

Front Front::of_kdv(double a, double mu) {
  Front f;
  f.burgers = false;
  f.a = a;
  f.mu = mu;
  return f;
}

/// Beads that a front has to pass until it has its form: what differs from it is carried into it, over a few widths of
/// the equation's own length, at the equation's own speed ((y ln y)' - 1 is of order 1).
/// What is left of the start where damping is strong: front_transient.hpp.
double beads_for(const Front& f, Patience patience) {
  const double part = 1 - 1 / f.a;
  // t such that τ = γ/2 ε² t, or √3 ε³ t, is large enough
  const double t = f.burgers ? (patience == Patience::quick ? 10 : 30) * f.gamma / (part * part)
                             : (patience == Patience::quick ? 8 : patience == Patience::sweep ? 16 : 24) / (std::sqrt(3.0) * std::pow(part, 1.5));
  return std::clamp(t, 100.0, f.burgers ? 13500.0 : 6000.0);
}

void run_front(Front& f, const StudySettings& s, const std::string& base) {
  const double part = 1 - 1 / f.a;
  const double speed = piston_speed(read_scene_text(base, "study chain", s.overrides));
  const double delta = std::pow(speed, 2 / (f.a + 1)), c = std::pow(delta, (f.a - 1) / 2);
  if (!f.burgers) f.gamma = f.mu * std::sqrt(part) / (2 * std::sqrt(3.0) * c);
  f.scale = f.burgers ? part / (f.gamma * c) : 2 * std::sqrt(3 * part);
  const double width = f.burgers ? f.gamma * c / part : 1 / (2 * std::sqrt(3 * part));  // of the front, in beads
  const ChainScheme scheme(f.scheme);
  std::vector<std::string> changes = scheme.changes();
  for (const std::string& one : {fmt::format("run.dt={}", step_for(f, scheme, width, c) / c), fmt::format("contact.normal.a={}", f.a),
                                 fmt::format("contact.normal.A={}", f.gamma),
                                 fmt::format("grains.0.count={}", static_cast<std::int64_t>(f.beads * 1.02) + 40),
                                 fmt::format("run.time={}", f.beads / c)})
    changes.push_back(one);
  changes.insert(changes.end(), s.overrides.begin(), s.overrides.end());
  const AnyScene scene = read_scene_text(base, "study chain", changes);
  std::optional<LogKdvBurgersFront> kdv;
  if (!f.burgers) kdv.emplace(f.mu, 200);
  const auto theory = [&](double x) { return f.burgers ? log_burgers_front(x) : (*kdv)(x); };

  const RunSettings& run = header(scene).run;
  const double dt = f.step = run.dt;
  f.steps = static_cast<std::int64_t>(std::llround(run.time / dt));
  // A contact at seven tenths of the way of this chain, and at those of shorter ones: each is watched for as long as a
  // chain of its length would run, so that one run tells what all of them would have found. The shortest must still
  // see the whole front pass.
  const double ahead = (f.burgers ? 3 : 6) / f.scale + 3;
  struct Watched {
    double beads;  // of the chain it stands for
    Passage passage;
  };
  std::vector<Watched> course;
  for (std::size_t k = 4 * half_way + 1; k-- > 0;) {
    const double beads = f.beads * std::exp2(-static_cast<double>(k) / half_way);
    if (k > 0 && 0.3 * beads < ahead + 6 / f.scale) continue;
    const auto contact = static_cast<std::size_t>(0.7 * beads + ahead);
    course.push_back({beads, {std::max(contact, course.empty() ? 0 : course.back().passage.contact + 1), {}, {}}});
  }
  // for the speed of the front: a contact that it passes a little earlier
  Watched nearer{f.beads, {static_cast<std::size_t>(0.7 * f.beads + ahead / 2), {}, {}}};
  const std::size_t last = std::visit([](const auto& one) { return one.world.grains.size(); }, scene);
  if (course.back().passage.contact + 1 >= last) throw InputError("study chain --case front: expected a longer chain");
  const Observer watch{1, [&](const Frame& frame) {
                         const auto look = [&](Watched& one) {
                           if (frame.time > 0.68 * one.beads / c && frame.time <= one.beads / c * (1 + 1e-9)) one.passage.add(frame, delta, f.a);
                         };
                         for (Watched& one : course) look(one);
                         look(nearer);
                         return true;
                       },
                       false, static_cast<std::int64_t>(0.68 * course.front().beads / c / dt)};
  const Outcome end = run_experiment(scene, dt, f.steps, watch);
  f.fault = end.fault;
  f.seconds = end.wall_s;
  const bool has_half = course.size() > half_way;
  const Passage &late = course.back().passage, &early = has_half ? course[course.size() - 1 - half_way].passage : nearer.passage;
  if (f.fault.empty() && !(std::isfinite(early.arrival()) && std::isfinite(late.arrival())))
    f.fault = fmt::format("a = {}, gamma = {}: the front has not passed bead {} in {} s; expected a longer run.time", brief(f.a),
                          brief(f.gamma), late.contact, brief(run.time));
  if (!f.fault.empty()) return;
  double at = NAN;
  for (const Watched& one : course) {
    const Passage& p = one.passage;
    const Passage::Match match = p.match(f.scale * c, theory);
    f.course.push_back({static_cast<double>(p.contact), match.worst, p.differs(f.scale * c, theory, p.arrival())});
    at = match.at;
  }
  f.sup_before = has_half ? f.course[f.course.size() - 1 - half_way].sup : NAN;
  f.sup = f.course.back().sup;
  f.sup_at_level = f.course.back().sup_at_level;
  f.highest = late.highest();
  f.speed = static_cast<double>(late.contact - early.contact) / (late.arrival() - early.arrival()) / c;
  for (std::size_t k = late.y.size(); k-- > 0;) {
    f.place.push_back(f.scale * c * (at - late.t[k]));
    f.t.push_back(late.t[k]);
    f.y.push_back(late.y[k]);
    f.theory.push_back(theory(f.place.back()));
  }
}

}  // namespace scree
