// SPDX-License-Identifier: BSD-3-Clause
/// study cost: what an error costs. Every integrator of the registry on one collision (table 3.1),
/// its error at the end against the number of force evaluations and against processor time. Methods
/// with a fixed step are run with many steps, adaptive ones with many tolerances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/studies/convergence.hpp"
#include "scree/studies/pair_scene.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// Does the method choose its own steps?
template <class M> bool adaptive(const M& method) {
  if constexpr (requires { method.adaptive; })
    return method.adaptive;
  else
    return false;
}

struct CostPoint {
  double h = 0, tolerance = 0;  // one of them is 0
  double force_calls = 0, seconds = 0, error = 0;
};
struct Curve {
  std::string integrator;
  bool adaptive = false;
  std::vector<CostPoint> points;  // dearest last
  std::vector<std::string> faults;
  OrderFit fit;  // of fixed steps
};

/// Processor time of a run; short ones are repeated, and the least counts: the rest is the noise of
/// the machine.
double seconds_of(const Variant& variant, double h, std::int64_t steps, const Outcome& first) {
  double least = first.wall_s, spent = first.wall_s;
  for (int k = 0; k < 30 && spent < 0.01; ++k) {
    const double again = variant.run(h, steps).wall_s;
    least = std::min(least, again);
    spent += again;
  }
  return least;
}

PairScene base_scene(const StudySettings& s, const std::string& integrator) {
  PairScene scene = head_on_scene(parameter_set("table-3.1"), chosen_law(s), chosen_eps(s), chosen_attraction(s));
  scene.integrator = integrator;
  scene.real = chosen_real(s);
  scene.dt = scene.time / 4096;
  return scene;
}

/// Force calls for a wanted error by interpolation between the neighbouring points of the curve, on
/// logarithms; 0 if the curve does not reach it. From the dear end, so that an error that is small
/// by chance (a change of its sign) does not count.
double calls_for(const Curve& c, double error) {
  double calls = 0;
  for (std::size_t k = c.points.size(); k-- > 0;) {
    const CostPoint& p = c.points[k];
    if (p.error > error) {
      if (calls == 0) return 0;
      const CostPoint& q = c.points[k + 1];
      const double part = std::log(p.error / error) / std::log(p.error / q.error);
      return p.force_calls * std::pow(q.force_calls / p.force_calls, part);
    }
    calls = p.force_calls;
  }
  return calls;
}

class Cost final : public Study {
 public:
  std::string_view name() const override { return "cost"; }
  std::string_view summary() const override { return "Error against force calls and time, all integrators on one collision"; }
  std::string_view example() const override { return "scree study cost --law kk"; }
  std::vector<StudyOption> options() const override {
    return {law_option(),
            eps_option(),
            real_option(),
            attraction_option(),
            {"integrator", "all", "Integrators, separated by commas, or all"},
            {"of", "x", "Error of positions x or velocities v"}};
  }
  std::string scene(const StudySettings& s) const override { return base_scene(s, "damped-verlet").text(); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static Curve fixed_steps(const StudySettings& s, const std::string& integrator, Quantity of,
                           const std::function<void(double)>& tell);
  static Curve tolerances(const StudySettings& s, const std::string& integrator, Quantity of,
                          const std::function<void(double)>& tell);
};

Curve Cost::fixed_steps(const StudySettings& s, const std::string& integrator, Quantity of,
                        const std::function<void(double)>& tell) {
  Curve curve;
  curve.integrator = integrator;
  const AnyScene scene = read_scene_text(base_scene(s, integrator).text(), "study cost", s.overrides);
  const double time = dyadic_time(header(scene).run.time);
  const Problem problem = scene_problem({scene}, time);
  std::vector<double> steps;  // about three an octave are enough to see
  for (const double h : dyadic_steps(time, 13, s.quick ? 20 : 25, 4))
    if (steps.empty() || h < 0.8 * steps.back()) steps.push_back(h);
  const Convergence c = converge(problem, steps, of, tell);
  curve.faults = c.faults;
  curve.fit = c.fit;
  for (const ConvergencePoint& p : c.points)
    curve.points.push_back({p.h, 0, static_cast<double>(p.outcome.force_calls),
                            seconds_of(problem.variants[0], p.h, p.steps, p.outcome), p.error});
  return curve;
}

Curve Cost::tolerances(const StudySettings& s, const std::string& integrator, Quantity of,
                       const std::function<void(double)>& tell) {
  Curve curve;
  curve.integrator = integrator;
  curve.adaptive = true;
  // Ever smaller tolerances, until a run is as dear as the finest fixed step or fails at h_min.
  const double dearest = s.quick ? 1e5 : 2e6;
  const int most = chosen_real(s) == "double" ? 32 : 48;  // 1e-16 m: below it lies round-off
  for (int k = 1; k <= most; ++k) {
    tell(static_cast<double>(k) / most);
    const double tolerance = std::pow(10.0, -0.5 * k);
    PairScene text = base_scene(s, integrator);
    text.run = fmt::format("tolerance = {}\nh_min = {}\nh_max = {}\n", shortest(tolerance),
                           shortest(std::ldexp(text.time, s.quick ? -16 : -24)), shortest(text.time / 8));
    const AnyScene scene = read_scene_text(text.text(), "study cost", s.overrides);
    const double time = dyadic_time(header(scene).run.time);
    const Problem problem = scene_problem({scene}, time);
    const Variant& variant = problem.variants[0];
    if (!variant.exact) throw RunError("study cost: adaptive methods need an exact reference, and this scene has none");
    const std::int64_t steps = 8;
    const double h = time / static_cast<double>(steps);
    const Outcome o = variant.run(h, steps);
    if (!o.fault.empty()) {
      curve.faults.push_back(fmt::format("tolerance {:.3g}: {}", tolerance, o.fault));
      if (curve.points.empty()) continue;  // too coarse to survive
      break;
    }
    curve.points.push_back({0, tolerance, static_cast<double>(o.force_calls), seconds_of(variant, h, steps, o),
                            distance(coordinates(o, of), coordinates(*variant.exact, of), problem.free)});
    if (static_cast<double>(o.force_calls) > dearest) break;
  }
  return curve;
}

StudyResult Cost::run(const StudySettings& s, const StudyProgress& progress) const {
  const Quantity of = s.one_of("of", "x or v", {"x", "v"}) == "x" ? Quantity::x : Quantity::v;
  std::vector<std::string> names = s.list("integrator");
  if (names == std::vector<std::string>{"all"}) names = general_integrator_names();
  const auto known = integrator_names();
  for (const std::string& one : names)
    if (std::find(known.begin(), known.end(), one) == known.end())
      throw InputError("--integrator: expected integrators (" + join(known) + "), found " + in_quotes(one) + did_you_mean(one, known));
  std::vector<Curve> curves;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto tell = [&](double part) {
      progress((static_cast<double>(k) + part) / static_cast<double>(names.size()), names[k]);
    };
    curves.push_back(adaptive(*find_method(names[k])) ? tolerances(s, names[k], of, tell) : fixed_steps(s, names[k], of, tell));
  }

  StudyResult out;
  nlohmann::ordered_json& j = out.json;
  j["study"] = "cost";
  j["law"] = chosen_law(s);
  j["real"] = chosen_real(s);
  j["of"] = s.text("of");
  j["curves"] = nlohmann::ordered_json::array();
  StudyTable table{"cost", {"integrator", "h", "tolerance", "force_calls", "seconds", "error"}, {}};
  Panel calls, time;
  calls.title = "error against force calls, " + chosen_law(s);
  calls.x_label = "force calls";
  time.title = "error against processor time, " + chosen_law(s);
  time.x_label = "processor time (s)";
  for (Panel* p : {&calls, &time}) {
    p->y_label = of == Quantity::x ? "error of the position (m)" : "error of the velocity (m/s)";
    p->log_x = p->log_y = true;
  }
  double reach = 1e300, start = 0;
  for (const Curve& c : curves) {
    nlohmann::ordered_json one{{"integrator", c.integrator}, {"adaptive", c.adaptive}};
    if (!c.adaptive) {
      one["order"] = c.fit.order;
      one["stderr"] = c.fit.stderr_;
    }
    one["points"] = nlohmann::ordered_json::array();
    Series by_calls{"", {}, {}, Series::Style::line_points, Series::next_colour}, by_time{c.integrator, {}, {}, Series::Style::line_points, Series::next_colour};
    for (const CostPoint& p : c.points) {
      nlohmann::ordered_json point;
      if (p.tolerance > 0) point["tolerance"] = p.tolerance;
      else point["h"] = p.h;
      point["force_calls"] = p.force_calls;
      point["seconds"] = p.seconds;
      point["error"] = p.error;
      one["points"].push_back(point);
      table.rows.push_back({c.integrator, p.h, p.tolerance, p.force_calls, p.seconds, p.error});
      if (!(p.error > 0)) continue;
      by_calls.x.push_back(p.force_calls);
      by_time.x.push_back(p.seconds);
      by_calls.y.push_back(p.error);
      by_time.y.push_back(p.error);
      reach = std::min(reach, p.error);
      start = std::max(start, p.error);
    }
    one["faults"] = c.faults;
    j["curves"].push_back(one);
    calls.series.push_back(std::move(by_calls));
    time.series.push_back(std::move(by_time));
  }
  out.tables.push_back(std::move(table));
  out.figures.push_back({"cost", "", {std::move(calls), std::move(time)}});

  // the cheapest for every power of ten that somebody reaches
  j["cheapest"] = nlohmann::ordered_json::array();
  out.text = fmt::format("force calls for an error of {} on table 3.1, {} ({}); * the cheapest, - not reached\n  {:<18}", s.text("of"),
                         chosen_law(s), chosen_real(s), "");
  std::vector<double> errors;
  for (int k = static_cast<int>(std::floor(std::log10(start))); k >= std::log10(reach); --k)
    if (k % 2 == 0 && k <= -4) errors.push_back(std::pow(10.0, k));
  std::vector<std::size_t> best;
  for (const double e : errors) {
    out.text += fmt::format("{:>11.0e}", e);
    std::size_t winner = 0;
    double least = 0;
    for (std::size_t k = 0; k < curves.size(); ++k)
      if (const double n = calls_for(curves[k], e); n > 0 && (least == 0 || n < least)) least = n, winner = k;
    best.push_back(winner);
    if (least > 0) j["cheapest"].push_back({{"error", e}, {"integrator", curves[winner].integrator}, {"force_calls", least}});
  }
  out.text += "\n";
  if (!j["cheapest"].empty()) {
    std::string who;
    for (const auto& one : j["cheapest"])
      who += fmt::format("{}{} with {:.3g} calls for {:.0e}", who.empty() ? "" : ", ", one["integrator"].get<std::string>(),
                         one["force_calls"].get<double>(), one["error"].get<double>());
    out.findings.push_back({"beyond the seeds", "which scheme reaches an error cheapest on one collision with " + chosen_law(s), who,
                            Finding::Verdict::beyond, ""});
  }
  for (std::size_t k = 0; k < curves.size(); ++k) {
    out.text += fmt::format("  {:<18}", curves[k].integrator);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const double n = calls_for(curves[k], errors[i]);
      out.text += n > 0 ? fmt::format("{:>10.3g}{}", n, best[i] == k ? "*" : " ") : fmt::format("{:>10} ", "-");
    }
    out.text += "\n";
  }
  return out;
}

}  // namespace

const Study& cost_study() {
  static const Cost study;
  return study;
}

}  // namespace scree
