// SPDX-License-Identifier: BSD-3-Clause
/// Fronts in a chain hit by a piston, against the fronts of the logarithmic equations (fronts.hpp).
///
/// Behind the front beads move with the piston, V, and press on each other by δ. Each bead that the front reaches
/// takes up m V and δ of the way, so c V = δ^a and c δ = V: δ = V^{2/(a+1)}, c = δ^{(a-1)/2}.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/studies/chain.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/fronts.hpp"
#include "scree/studies/many.hpp"

namespace scree {
namespace {

constexpr double radius = 5;  // of the beads; overlaps are about 1

/// One chain and what it is held against.
struct Front {
  bool burgers = true;
  double a = 1.5, gamma = 1, mu = 0;  // mu: of the KdV-Burgers equation, from which its gamma follows
  double beads = 0;                   // that the front shall have passed
  // found
  double scale = 0;  // of (n - ct) in the variable of the equation
  double sup = 0, sup_before = 0;  // largest |y - Y|, Y placed at its best, at three quarters of the way and at half of it
  double sup_at_level = 0;         // the same with Y placed where y = 1/e
  double highest = 0;              // max y
  double speed = 0;                // of the front, over c
  std::vector<double> place, y, theory;
  std::int64_t steps = 0;
  std::string fault;
};

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
  /// The least that the place of the front can make it. It is convex near its minimum: golden section.
  template <class Y>
  double differs_at_best(double rate, const Y& theory) const {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double a = arrival() - 1 / rate, b = arrival() + 1 / rate;
    if (!std::isfinite(a)) return NAN;
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
    return std::min(fc, fd);
  }
};

/// Beads that a front has to pass until it has its form: what differs from it is carried into it, over a few widths of
/// the equation's own length, at the equation's own speed ((y ln y)' - 1 is of order 1).
/// What is left of the start falls about as 1/t where damping is strong.
double beads_for(const Front& f, bool quick, bool sweep = false) {
  const double part = 1 - 1 / f.a;
  // t such that τ = γ/2 ε² t, or √3 ε³ t, is large enough
  const double t = f.burgers ? (quick ? 4 : 30) * f.gamma / (part * part)
                             : (quick ? 8 : sweep ? 16 : 24) / (std::sqrt(3.0) * std::pow(part, 1.5));
  return std::clamp(t, 100.0, 6000.0);
}

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

void run_front(Front& f, const StudySettings& s, const std::string& base) {
  const double part = 1 - 1 / f.a;
  const double speed = piston_speed(read_scene_text(base, "study chain", s.overrides));
  const double delta = std::pow(speed, 2 / (f.a + 1)), c = std::pow(delta, (f.a - 1) / 2);
  if (!f.burgers) f.gamma = f.mu * std::sqrt(part) / (2 * std::sqrt(3.0) * c);
  f.scale = f.burgers ? part / (f.gamma * c) : 2 * std::sqrt(3 * part);
  const double width = f.burgers ? f.gamma * c / part : 1 / (2 * std::sqrt(3 * part));  // of the front, in beads
  const double step = f.burgers ? std::clamp(0.05 * width, 0.1, 0.5) : std::clamp(0.12 * width, 0.05, 0.15);
  std::vector<std::string> changes{fmt::format("run.dt={}", step / c), fmt::format("contact.normal.a={}", f.a),
                                   fmt::format("contact.normal.A={}", f.gamma),
                                   fmt::format("grains.0.count={}", static_cast<std::int64_t>(f.beads * 1.02) + 40),
                                   fmt::format("run.time={}", f.beads / c)};
  changes.insert(changes.end(), s.overrides.begin(), s.overrides.end());
  const AnyScene scene = read_scene_text(base, "study chain", changes);
  std::optional<LogKdvBurgersFront> kdv;
  if (!f.burgers) kdv.emplace(f.mu, 200);
  const auto theory = [&](double x) { return f.burgers ? log_burgers_front(x) : (*kdv)(x); };

  const RunSettings& run = header(scene).run;
  const double dt = run.dt;
  f.steps = static_cast<std::int64_t>(std::llround(run.time / dt));
  // Two contacts: one that the front passes on half of its way, one at three quarters.
  const double ahead = (f.burgers ? 3 : 6) / f.scale + 3;
  Passage early, late;
  early.contact = static_cast<std::size_t>(0.45 * f.beads + ahead);
  late.contact = std::max(static_cast<std::size_t>(0.7 * f.beads + ahead), early.contact + 1);
  const std::size_t last = std::visit([](const auto& one) { return one.world.grains.size(); }, scene);
  if (late.contact + 1 >= last) throw InputError("study chain --case front: expected a longer chain");
  const double half = 0.72 * f.beads / c;
  const Observer watch{1, [&](const Frame& frame) {
                         if (frame.time < half) early.add(frame, delta, f.a);
                         if (frame.time > 0.68 * f.beads / c) late.add(frame, delta, f.a);
                         return true;
                       },
                       false, static_cast<std::int64_t>(0.43 * f.beads / c / dt)};
  const Outcome end = run_experiment(scene, dt, f.steps, watch);
  f.fault = end.fault;
  if (f.fault.empty() && !(std::isfinite(early.arrival()) && std::isfinite(late.arrival())))
    f.fault = fmt::format("a = {}, gamma = {}: the front has not passed bead {} in {} s; expected a longer run.time", brief(f.a),
                          brief(f.gamma), late.contact, brief(run.time));
  if (!f.fault.empty()) return;
  f.sup_before = early.differs_at_best(f.scale * c, theory);
  f.sup = late.differs_at_best(f.scale * c, theory);
  f.sup_at_level = late.differs(f.scale * c, theory, late.arrival());
  f.highest = late.highest();
  const double at = late.arrival();
  f.speed = static_cast<double>(late.contact - early.contact) / (at - early.arrival()) / c;
  for (std::size_t k = late.y.size(); k-- > 0;) {
    f.place.push_back(f.scale * c * (at - late.t[k]));
    f.y.push_back(late.y[k]);
    f.theory.push_back(theory(f.place.back()));
  }
}

}  // namespace

std::string front_scene(const StudySettings&) {
  return fmt::format(R"([scene]
name = "piston front"
dim = 2

[material.bead]

[[grains]]
build = "chain"
material = "bead"
count = 300
start = [{0}, 0.0]              # m
radius = {0}
mass = 1.0                      # kg
speed = 0.0

[[walls]]
name = "piston"
kind = "plane"
point = [0.0, 0.0]
normal = [1.0, 0.0]
motion = [{{ move = "translate", velocity = [1.0, 0.0] }}]

[contact]
normal = {{ law = "power", a = 1.1, k = 1.0, A = 1.0, attraction = true }}

[run]
integrator = "kk-theta"
variant = "third"
dt = 0.1                        # s
time = 250.0                    # s
max_overlap = 1.0
)",
                     "5.0");
}

StudyResult study_front(const StudySettings& s, const StudyProgress& progress) {
  const std::string base = front_scene(s);
  const std::vector<double> exponents = s.quick && !s.given("exponents") ? std::vector<double>{1.25, 1.5} : s.numbers("exponents");
  for (const double a : exponents)
    if (!(a > 1 && a <= 4)) throw InputError("--exponents: expected numbers above 1 and at most 4");
  if (!(s.number("gamma") > 0)) throw InputError("--gamma: expected a number above 0");
  for (const std::string& one : s.overrides)
    if (one.starts_with("contact.normal"))
      throw InputError("study chain --case front: --set " + one + ": expected --exponents, --gamma or --mu, which say what the contacts are");
  std::vector<Front> fronts;
  for (const double a : exponents) {
    Front burgers;
    burgers.a = a;
    burgers.gamma = s.number("gamma");
    burgers.beads = beads_for(burgers, s.quick);
    fronts.push_back(burgers);
    for (const double mu : s.numbers("mu")) {
      if (!(mu > 0 && mu <= LogKdvBurgersFront::largest_mu))
        throw InputError("--mu: expected numbers above 0 and at most " + brief(LogKdvBurgersFront::largest_mu));
      Front kdv;
      kdv.burgers = false;
      kdv.a = a;
      kdv.mu = mu;
      kdv.beads = beads_for(kdv, s.quick);
      fronts.push_back(kdv);
    }
  }
  std::vector<Task> tasks;
  for (Front& f : fronts)
    tasks.push_back({fmt::format("a = {}, {} = {}", brief(f.a), f.burgers ? "gamma" : "mu", brief(f.burgers ? f.gamma : f.mu)),
                     f.beads * f.beads, [&] { run_front(f, s, base); }});
  // The crossover: does y exceed 1, and from which μ on?
  const std::vector<double> sweep = s.quick ? std::vector<double>{0.8, 1.2, 1.6, 2.4} : std::vector<double>{0.4, 0.8, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2.0, 2.4};
  std::vector<Front> sweeps;
  for (const double a : exponents)
    for (const double mu : sweep) {
      Front f;
      f.burgers = false;
      f.a = a;
      f.mu = mu;
      f.beads = beads_for(f, s.quick, true);
      sweeps.push_back(f);
    }
  for (Front& f : sweeps)
    tasks.push_back({fmt::format("crossover, a = {}, mu = {}", brief(f.a), brief(f.mu)), f.beads * f.beads,
                     [&] { run_front(f, s, base); }});
  do_all(tasks, progress);
  for (const auto* all : {&fronts, &sweeps})
    for (const Front& f : *all)
      if (!f.fault.empty()) throw RunError("study chain: " + f.fault);

  StudyResult result;
  result.json = {{"study", "chain"}, {"case", "front"}};
  auto list = nlohmann::ordered_json::array();
  StudyTable table{"fronts", {"equation", "a", "gamma", "mu", "beads", "steps", "speed", "highest", "sup", "sup_before", "sup_at_level"}, {}},
      profiles{"profiles", {"equation", "a", "gamma", "mu", "place", "y", "theory"}, {}};
  result.text = fmt::format("{:>12} {:>6} {:>8} {:>6} {:>7} {:>9} {:>9} {:>10} {:>10} {:>12}\n", "equation", "a", "gamma", "mu", "beads",
                            "speed/c", "max y", "sup norm", "halfway", "placed at 1/e");
  for (const Front& f : fronts) {
    const std::string equation = f.burgers ? "log-Burgers" : "log-KdV-Burgers";
    nlohmann::ordered_json one{{"equation", equation}, {"a", f.a}, {"gamma", f.gamma}};
    if (!f.burgers) one["mu"] = f.mu;
    one["beads"] = f.beads;
    one["speed"] = f.speed;
    one["highest"] = f.highest;
    one["sup"] = f.sup;
    one["sup_before"] = f.sup_before;
    one["sup_at_level"] = f.sup_at_level;
    list.push_back(one);
    table.rows.push_back({equation, f.a, f.gamma, f.mu, f.beads, f.steps, f.speed, f.highest, f.sup, f.sup_before, f.sup_at_level});
    const double from = f.burgers ? -12 : -40;
    for (std::size_t n = 0; n < f.y.size(); ++n)
      if (f.place[n] > from && f.place[n] < 8) profiles.rows.push_back({equation, f.a, f.gamma, f.mu, f.place[n], f.y[n], f.theory[n]});
    result.text += fmt::format("{:>12} {:>6} {:>8.4f} {:>6} {:>7.0f} {:>9.5f} {:>9.4f} {:>10.4f} {:>10.4f} {:>12.4f}\n",
                               f.burgers ? "Burgers" : "KdV-Burgers", brief(f.a), f.gamma, f.burgers ? "" : brief(f.mu), f.beads,
                               f.speed, f.highest, f.sup, f.sup_before, f.sup_at_level);
  }
  result.json["fronts"] = list;

  // μ from which on y stays below 1 + 1e-3, in the chain and in the equation
  constexpr double seen = 1e-3;
  const auto crossing = [&](const std::vector<std::pair<double, double>>& points) -> double {
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const auto [m0, h0] = points[k];
      const auto [m1, h1] = points[k + 1];
      if (!(h0 > seen && h1 <= seen)) continue;
      // on logarithms; an overshoot that has vanished says only that it is between the two
      return h1 > 0.01 * seen ? m0 + (m1 - m0) * std::log(h0 / seen) / std::log(h0 / h1) : 0.5 * (m0 + m1);
    }
    return NAN;
  };
  StudyTable overs{"crossover", {"a", "mu", "gamma", "overshoot", "equation"}, {}};
  auto crossovers = nlohmann::ordered_json::array();
  Panel over{"", "μ", "max y - 1", false, true, {}, {}, {}, {}};
  std::vector<std::pair<double, double>> ideal;
  Series line{"log-KdV-Burgers", {}, {}, Series::Style::line, Series::grey};
  for (double mu = sweep.front(); mu <= sweep.back() + 1e-9; mu += 0.1) {
    const double high = LogKdvBurgersFront(mu, 100).highest() - 1;
    ideal.emplace_back(mu, high);
    if (high > 1e-6) line.x.push_back(mu), line.y.push_back(high);
  }
  over.series.push_back(line);
  const double ideal_crossing = crossing(ideal);
  for (const double a : exponents) {
    std::vector<std::pair<double, double>> points;
    Series series{fmt::format("a = {}", brief(a)), {}, {}, Series::Style::line_points};
    for (const Front& f : sweeps) {
      if (f.a != a) continue;
      const double high = f.highest - 1;
      points.emplace_back(f.mu, high);
      overs.rows.push_back({a, f.mu, f.gamma, high, LogKdvBurgersFront(f.mu, 100).highest() - 1});
      if (high > 1e-6) series.x.push_back(f.mu), series.y.push_back(high);
    }
    over.series.push_back(series);
    const double at = crossing(points);
    crossovers.push_back({{"a", a}, {"mu", std::isfinite(at) ? nlohmann::ordered_json(at) : nlohmann::ordered_json()}, {"equation", ideal_crossing}});
    result.text += fmt::format("  crossover at a = {}: y exceeds 1 by less than {} from mu = {:.2f} on (the equation: {:.2f})\n", brief(a),
                               brief(seen), at, ideal_crossing);
  }
  result.json["crossover"] = crossovers;
  result.tables = {table, profiles, overs};

  // pictures
  const auto panel = [&](bool burgers, double mu, double from, double to) {
    Panel p{burgers ? fmt::format("log-Burgers, γ = {}", brief(s.number("gamma"))) : fmt::format("log-KdV-Burgers, μ = {}", brief(mu)),
            burgers ? "ξ" : "s", "y", false, false, {}, {}, {}, {}};
    Series closed{burgers ? "exp(-exp ξ)" : "equation", {}, {}, Series::Style::dashed, Series::grey};
    std::optional<LogKdvBurgersFront> kdv;
    if (!burgers) kdv.emplace(mu, 60);
    for (double x = from; x <= to; x += (to - from) / 400) {
      closed.x.push_back(x);
      closed.y.push_back(burgers ? log_burgers_front(x) : (*kdv)(x));
    }
    for (const Front& f : fronts) {
      if (f.burgers != burgers || (!burgers && f.mu != mu)) continue;
      Series one{fmt::format("a = {}", brief(f.a)), {}, {}, Series::Style::line};
      for (std::size_t n = 0; n < f.y.size(); ++n)
        if (f.place[n] > from && f.place[n] < to) one.x.push_back(f.place[n]), one.y.push_back(f.y[n]);
      p.series.push_back(one);
    }
    p.series.push_back(closed);
    p.x_range = {from, to};
    return p;
  };
  Figure shapes{"fronts", "Fronts driven by a piston, and the closed forms for a → 1", {panel(true, 0, -5, 2.5)}};
  for (const double mu : s.numbers("mu")) shapes.panels.push_back(panel(false, mu, -16, 5));
  Panel norms{"", "a - 1", "sup |y - Y|", true, true, {}, {}, {}, {}};
  const auto norm_series = [&](const std::string& title, bool burgers, double mu) {
    Series one{title, {}, {}, Series::Style::line_points};
    for (const Front& f : fronts)
      if (f.burgers == burgers && (burgers || f.mu == mu)) one.x.push_back(f.a - 1), one.y.push_back(f.sup);
    norms.series.push_back(one);
    return one;
  };
  bool falls = true;
  std::string told;
  const auto judge = [&](const std::string& who, const Series& one) {
    for (std::size_t k = 0; k + 1 < one.y.size(); ++k) falls = falls && one.y[k] < one.y[k + 1];
    if (one.y.size() < 2) return;
    told += fmt::format("{}{} {:.4f} to {:.4f}", told.empty() ? "" : "; ", who, one.y.front(), one.y.back());
  };
  judge("log-Burgers", norm_series("log-Burgers", true, 0));
  for (const double mu : s.numbers("mu"))
    judge(fmt::format("mu = {}", brief(mu)), norm_series(fmt::format("log-KdV-Burgers, μ = {}", brief(mu)), false, mu));
  result.figures = {shapes, {"closeness", "How close the chain's fronts are", {norms, over}}};
  if (exponents.size() > 1)
    result.findings.push_back({"002, section 3", "numerical solutions converge towards the analytical profiles when a is close to 1",
                               fmt::format("sup norm at a = {} to {}: {}", brief(exponents.front()), brief(exponents.back()), told),
                               falls ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  return result;
}

}  // namespace scree
