// SPDX-License-Identifier: BSD-3-Clause
/// A bead that hits a row of others, free or on strings: velocities against time, and the error at the end against the
/// cost, for the scheme that makes its own dissipation and for those that evaluate the dashpot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/laws/bond.hpp"
#include "scree/run/advisor.hpp"
#include "scree/run/step_advice.hpp"
#include "scree/studies/chain.hpp"
#include "scree/studies/chain_scheme.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/many.hpp"

namespace scree {
namespace {

/// What the study needs of a scene: one law for all beads, with its k, γ and exponent.
struct Beads {
  std::size_t count = 0;
  double gamma = 0, k = 1, a = 1.5, g = 0;
  double time = 0, contact_time = 0, speed = 0, mass = 1, radius = 1;
  ContactLaws laws;
};

Beads beads_of(const AnyScene& scene) {
  return std::visit(
      [&](const auto& one) {
        Beads b;
        b.count = one.world.grains.size();
        b.laws = one.table.laws[0];
        const double m = b.mass = double(one.world.grains.m[0]), r = b.radius = double(one.world.grains.r[0]);
        b.gamma = viscous_time(b.laws, r / 2, m / 2).value_or(0);
        const Dual<double> f = elastic_force(b.laws, 1e-3 * r, r / 2, m / 2);
        b.a = f.slope * 1e-3 * r / f.value;
        b.k = f.value / std::pow(1e-3 * r, b.a);
        b.g = b.a * b.gamma * b.k;
        b.time = one.run.time;
        const StepAdvice advice = advise_step(one);
        b.contact_time = advice.contact_time;
        b.speed = advice.speed;
        return b;
      },
      scene);
}

std::vector<std::string> with(std::vector<std::string> overrides, const std::vector<std::string>& more) {
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

/// One run of a scheme.
struct Run {
  std::string scheme;
  double h = 0, gamma = 0;
  Outcome end;
  std::vector<double> v;        // along the chain
  std::vector<double> t, energy;
  std::vector<std::vector<double>> history;  // velocities at the times t
  double error = NAN, growth = 0;  // largest rise of the energy from one step to the next
  std::string fault;
};

/// Along the chain's x axis.
std::vector<double> along(const std::vector<dd>& of, std::size_t beads) {
  std::vector<double> v;
  const std::size_t dim = of.size() / beads;
  for (std::size_t k = 0; k < beads; ++k) v.push_back(static_cast<double>(of[k * dim]));
  return v;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

/// What is looked at besides the end: how the energy changes in every step, and velocities and energies at some 600 times.
enum class Look { not_at_all, at_energy, at_all };

/// Runs a scene in about steps of h.
void run_one(Run& run, const AnyScene& scene, double h, Look look) {
  const Beads beads = beads_of(scene);
  const auto steps = std::max<std::int64_t>(std::llround(beads.time / h), 1);
  run.h = beads.time / static_cast<double>(steps);
  const std::int64_t every = std::max<std::int64_t>(steps / 600, 1);
  double before = INFINITY;
  Observer watch{look == Look::not_at_all ? 0 : 1, [&](const Frame& f) {
                   const double e = f.energies.mechanical();
                   run.growth = std::max(run.growth, e - before);
                   before = e;
                   if (look == Look::at_energy || f.step % every != 0) return true;
                   run.t.push_back(f.time);
                   run.energy.push_back(e);
                   std::vector<double> v;
                   for (std::size_t i = 0; i < f.size(); ++i) v.push_back(f.v[i * static_cast<std::size_t>(f.dim)]);
                   run.history.push_back(v);
                   return true;
                 }};
  run.end = run_experiment(scene, run.h, steps, watch);
  run.fault = run.end.fault;
  run.v = along(run.end.v, beads.count);
}

/// The direct integration: kk-shifted-rk4 (order 5/2 on contacts) with steps of 1/4096 of a contact.
struct Exact {
  std::vector<double> v;
  double accuracy = 0;
};
Exact exact_end(const std::string& text, const std::vector<std::string>& overrides, bool quick) {
  const auto scene = read_scene_text(text, "study chain", with(overrides, {"run.integrator=kk-shifted-rk4"}));
  const Beads b = beads_of(scene);
  Run coarse, fine;
  const double h = b.contact_time / (quick ? 1024 : 4096);
  run_one(coarse, scene, 2 * h, Look::not_at_all);
  run_one(fine, scene, h, Look::not_at_all);
  for (const Run* one : {&coarse, &fine})
    if (!one->fault.empty()) throw RunError("study chain: the direct integration failed: " + one->fault);
  return {fine.v, distance(coarse.v, fine.v) / (std::pow(2.0, 2.5) - 1)};
}

}  // namespace

std::string impact_scene(const StudySettings&, bool cradle) {
  return fmt::format(R"([scene]
name = "{name}"
dim = 2

[material.bead]

[[grains]]
build = "chain"
material = "bead"
count = {count}
radius = 5.0                    # m; only differences of places matter
mass = 1.0                      # kg
strikers = 1
speed = 1.0                     # m/s
attachment = {tether}

[contact]
# k (xi^a + A d/dt xi^a)
normal = {{ law = "power", a = 1.5, k = 1.0, A = 0.05, attraction = true }}

[run]
integrator = "kk-theta"
dt = 0.1                        # s
time = {time}
)",
                     fmt::arg("name", cradle ? "Newton's cradle" : "bead alignment"), fmt::arg("count", cradle ? 5 : 10),
                     fmt::arg("tether", cradle ? "0.01              # N/m: a swing lasts 20 pi s" : "0.0"),
                     fmt::arg("time", cradle ? "130.0                    # s" : "40.0                     # s"));
}

StudyResult study_impact(const StudySettings& s, const StudyProgress& progress, bool cradle) {
  const std::string text = impact_scene(s, cradle);
  const AnyScene scene = read_scene_text(text, "study chain", s.overrides);
  const Beads beads = beads_of(scene);
  const RunSettings& own = header(scene).run;
  const double own_step = own.dt > 0 ? own.dt : std::visit([](const auto& one) { return step_of(one); }, scene);

  std::vector<std::string> names = s.list("schemes");
  const bool hertzian = std::abs(beads.a - 1.5) < 1e-9;
  if (names.empty()) {
    names = {"kk-theta", "kk-theta:printed", "kk-theta:split", "kk-theta:third", "kk-theta:energy", "kk-shifted", "damped-verlet"};
    if (hertzian && beads.gamma > 0) names.push_back("damped-verlet:mollified");
    if (!s.quick) names.insert(names.end(), {"velocity-verlet", "rk4", "gauss4"});
  }
  const std::vector<ChainScheme> schemes = chain_schemes(names);
  std::vector<double> steps = s.numbers("steps");
  for (const double h : steps)
    if (!(h > 0)) throw InputError("--steps: expected numbers above 0");
  if (steps.empty())
    for (const double part : s.quick ? std::vector<double>{4, 2, 1} : std::vector<double>{8, 4, 2, 1, 0.5, 0.25, 0.125})
      steps.push_back(part * (beads.gamma > 0 ? beads.gamma : beads.contact_time / 50));

  Exact exact;
  Run mine, direct;
  std::vector<Run> runs;
  std::vector<Task> tasks;
  tasks.push_back({"the direct integration", 50, [&] { exact = exact_end(text, s.overrides, s.quick); }});
  tasks.push_back({"the scene", 3, [&] { run_one(mine, scene, own_step, Look::at_all); }});
  tasks.push_back({"velocities against time", 10, [&] {
                     run_one(direct, read_scene_text(text, "study chain", with(s.overrides, {"run.integrator=kk-shifted"})),
                             beads.contact_time / 400, Look::at_all);
                   }});
  for (const ChainScheme& scheme : schemes)
    for (const double h : steps) {
      if (scheme.mollified() && !(hertzian && beads.g > 0))
        throw InputError("--schemes: a mollified dashpot is there for a = 3/2 with damping only");
      Run one;
      one.scheme = scheme.name;
      one.h = h;
      one.gamma = beads.gamma;
      runs.push_back(one);
    }
  const auto changes_for = [&](const std::string& name, double h) {
    const ChainScheme scheme(name);
    std::vector<std::string> more = scheme.changes();
    more.push_back(fmt::format("run.dt={}", shortest(h)));
    if (scheme.is_theta()) {
      more.push_back("run.theta_above_one=true");  // beyond h = γ the error only saturates, which is worth seeing
    } else if (scheme.mollified()) {
      const double eps = eps_for_step(beads.laws, beads.radius, beads.mass, beads.speed, h);
      more.push_back(fmt::format("contact.normal={{ law = \"kk-mollified\", k = {}, g = {}, eps = {}, attraction = true }}",
                                 shortest(beads.k), shortest(beads.g), shortest(eps)));
    }
    return with(s.overrides, more);
  };
  for (Run& one : runs)
    tasks.push_back({one.scheme, 1 / one.h, [&] {
                       try {
                         run_one(one, read_scene_text(text, "study chain", changes_for(one.scheme, one.h)), one.h, Look::at_energy);
                       } catch (const InputError& error) {  // a step too large for this scheme
                         one.fault = error.what();
                       }
                     }});
  // along h = c γ
  struct Along {
    std::string scheme;
    double c;
    std::vector<Run> runs;
    double order = NAN;
  };
  std::vector<Along> rays;
  const bool has_gamma = beads.gamma > 0 && std::none_of(s.overrides.begin(), s.overrides.end(), [](const std::string& o) {
                           return o.starts_with("contact.normal=") || o.starts_with("contact.normal.g=");
                         });
  if (has_gamma && !cradle)
    for (const auto& [name, c] : {std::pair{"kk-theta", 1.0}, {"kk-theta", 2.0}, {"kk-theta:split", 2.0}, {"kk-theta:third", 2.0}, {"kk-theta:energy", 2.0}, {"kk-theta", 8.0}}) {
      Along ray{name, c, {}};
      for (int k = 0; k < (s.quick ? 3 : 5); ++k) {
        Run one;
        one.scheme = name;
        one.gamma = beads.gamma * std::ldexp(1.0, 1 - k);
        one.h = c * one.gamma;
        ray.runs.push_back(one);
      }
      rays.push_back(ray);
    }
  for (Along& ray : rays)
    for (std::size_t k = 0; k < ray.runs.size(); ++k)
      tasks.push_back({"along h = c gamma", 40, [&s, &text, &ray, k, &changes_for] {
                         Run& one = ray.runs[k];
                         const std::string gamma = "contact.normal.A=" + shortest(one.gamma);
                         run_one(one, read_scene_text(text, "study chain", with(changes_for(one.scheme, one.h), {gamma})), one.h, Look::not_at_all);
                         one.error = distance(one.v, exact_end(text, with(s.overrides, {gamma}), true).v);
                       }});
  do_all(tasks, progress);

  for (const Run* one : {&mine, &direct})
    if (!one->fault.empty()) throw RunError("study chain: " + one->fault);
  StudyResult result;
  auto& j = result.json;
  j = {{"study", "chain"},
       {"case", cradle ? "cradle" : "alignment"},
       {"scheme", own.integrator},
       {"h", mine.h},
       {"velocities", mine.v},
       {"energy", mine.end.energies.mechanical()},
       {"error", distance(mine.v, exact.v)},
       {"energy_growth", std::max(mine.growth, 0.0)},
       {"iterations_per_step", static_cast<double>(mine.end.iterations) / static_cast<double>(mine.end.steps)},
       {"gamma", beads.gamma},
       {"a", beads.a},
       {"reference", {{"scheme", "kk-shifted-rk4"}, {"velocities", exact.v}, {"accuracy", exact.accuracy}}}};
  StudyTable table{"errors", {"scheme", "h", "gamma", "error", "force_calls", "iterations", "seconds", "energy", "energy_growth", "guarded", "taken"}, {}},
      history{"velocities", {"t", "energy"}, {}}, ends{"final", {"bead", "exact", own.integrator}, {}};
  for (std::size_t k = 0; k < beads.count; ++k) {
    history.columns.push_back(fmt::format("v{}", k + 1));
    ends.rows.push_back({static_cast<std::int64_t>(k + 1), exact.v[k], mine.v[k]});
  }
  for (std::size_t i = 0; i < direct.t.size(); ++i) {
    std::vector<StudyTable::Cell> row{direct.t[i], direct.energy[i]};
    for (const double v : direct.history[i]) row.push_back(v);
    history.rows.push_back(row);
  }
  auto list = nlohmann::ordered_json::array();
  result.text = fmt::format("{} beads, a = {}, gamma = {} s, t = {} s; direct integration to {:.1g}\n", beads.count, brief(beads.a),
                            brief(beads.gamma), brief(beads.time), exact.accuracy);
  result.text += fmt::format("  final velocities, exact:   ");
  const auto ten = [](const std::vector<double>& v) {
    std::string line;
    for (std::size_t k = 0; k < std::min<std::size_t>(v.size(), 10); ++k) line += fmt::format("{:9.5f}", v[k]);
    return line + "\n";
  };
  result.text += ten(exact.v) + fmt::format("  {:<26} ", own.integrator + ", h = " + brief(mine.h) + ":") + ten(mine.v);
  result.text += fmt::format("  {:<26}{:>10} {:>10} {:>10} {:>8} {:>9} {:>12} {:>8}\n", "scheme", "h", "error", "calls", "it/step", "energy", "most gained", "guarded");
  Panel by_step{"", "h", "largest error of a velocity", true, true, {}, {}, {}, {}}, by_cost = by_step;
  by_cost.x_label = "force calls";
  for (const ChainScheme& scheme : schemes) {
    Series steps_of{scheme.name, {}, {}, Series::Style::line_points}, calls_of = steps_of;
    for (Run& one : runs) {
      if (one.scheme != scheme.name) continue;
      nlohmann::ordered_json row{{"scheme", one.scheme}, {"h", one.h}};
      if (!one.fault.empty()) {
        row["fault"] = one.fault;
        list.push_back(row);
        continue;
      }
      one.error = distance(one.v, exact.v);
      const double per_step = static_cast<double>(one.end.iterations) / static_cast<double>(one.end.steps);
      row["error"] = one.error;
      row["force_calls"] = one.end.force_calls;
      if (one.end.iterations > 0) row["iterations_per_step"] = per_step;
      row["energy"] = one.end.energies.mechanical();
      row["energy_growth"] = std::max(one.growth, 0.0);
      if (one.scheme.starts_with("kk-theta")) row["guard"] = {{"steps", one.end.guarded}, {"redone", one.end.redone}, {"taken", one.end.taken}};
      list.push_back(row);
      table.rows.push_back({one.scheme, one.h, one.gamma, one.error, one.end.force_calls, one.end.iterations, one.end.wall_s,
                            one.end.energies.mechanical(), std::max(one.growth, 0.0), one.end.guarded, one.end.taken});
      steps_of.x.push_back(one.h);
      steps_of.y.push_back(one.error);
      calls_of.x.push_back(static_cast<double>(one.end.force_calls));
      calls_of.y.push_back(one.error);
      result.text += fmt::format("  {:<26}{:>10} {:>10.3e} {:>10} {:>8} {:>9.5f} {:>12.1e} {:>8}\n", one.scheme, brief(one.h), one.error, one.end.force_calls,
                                 one.end.iterations > 0 ? fmt::format("{:.2f}", per_step) : "", one.end.energies.mechanical(), std::max(one.growth, 0.0),
                                 one.end.guarded > 0 ? fmt::format("{}", one.end.guarded) : "");
    }
    by_step.series.push_back(steps_of);
    by_cost.series.push_back(calls_of);
  }
  j["runs"] = list;
  auto orders = nlohmann::ordered_json::array();
  Panel ray_panel{"along h = c γ", "h", "largest error of a velocity", true, true, {}, {}, {}, {}};
  for (Along& ray : rays) {
    std::vector<double> h, e;
    for (const Run& one : ray.runs) {
      if (!one.fault.empty()) continue;
      h.push_back(one.h);
      e.push_back(one.error);
      table.rows.push_back({ray.scheme + " along h = c gamma", one.h, one.gamma, one.error, one.end.force_calls, one.end.iterations,
                            one.end.wall_s, one.end.energies.mechanical(), std::string(), one.end.guarded, one.end.taken});
    }
    // Local orders approach that of the limit as h: the last two, extrapolated.
    const std::size_t n = e.size();
    if (n >= 3) ray.order = 2 * std::log2(e[n - 2] / e[n - 1]) - std::log2(e[n - 3] / e[n - 2]);
    ray_panel.series.push_back({fmt::format("{}, h = {} γ", ray.scheme, brief(ray.c)), h, e, Series::Style::line_points});
    orders.push_back({{"scheme", ray.scheme}, {"h_over_gamma", ray.c}, {"order", ray.order}, {"h", h}, {"error", e}});
    result.text += fmt::format("  order along h = {} gamma, {}: {:.2f}\n", brief(ray.c), ray.scheme, ray.order);
  }
  if (!rays.empty()) j["orders"] = orders;
  result.tables = {table, history, ends};

  Panel speeds{"", "t", "velocity", false, false, {}, {}, {}, {}}, energies{"", "t", "energy", false, false, {}, {}, {}, {}};
  for (std::size_t k = 0; k < beads.count && k < 12; ++k) {
    Series one{fmt::format("{}", k + 1), direct.t, {}, Series::Style::line};
    for (const auto& v : direct.history) one.y.push_back(v[k]);
    speeds.series.push_back(one);
  }
  energies.series.push_back({"kk-shifted, fine", direct.t, direct.energy, Series::Style::line});
  energies.series.push_back({fmt::format("{}, h = {}", own.integrator, brief(mine.h)), mine.t, mine.energy, Series::Style::dashed});
  const std::string title = cradle ? "Newton's cradle" : "Impact on an alignment of beads";
  result.figures = {{cradle ? "cradle" : "alignment", title, {speeds, energies}}, {"errors", title + ": error against step and cost", {by_step, by_cost}}};
  if (!rays.empty()) result.figures.back().panels.push_back(ray_panel);

  // the step in which the scheme as printed gains most, and the same step with the guard
  const auto worst_gain = std::max_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    const auto gain = [](const Run& one) { return one.scheme == "kk-theta:printed" && one.fault.empty() ? one.growth : -1; };
    return gain(a) < gain(b);
  });
  if (worst_gain != runs.end() && worst_gain->scheme == "kk-theta:printed" && worst_gain->fault.empty())
    for (const Run& one : runs)
      if (one.scheme == "kk-theta" && one.h == worst_gain->h && one.fault.empty())
        result.findings.push_back({"beyond 002, section 2", "does the energy grow, and can it be kept from growing?",
                                   fmt::format("at h = {} as printed by up to {:.1e} J in a step, with the guard by {:.0e}, in {} steps of {}; largest errors {:.3e} and {:.3e}",
                                               brief(one.h), std::max(worst_gain->growth, 0.0), std::max(one.growth, 0.0), one.end.guarded, one.end.steps,
                                               worst_gain->error, one.error),
                                   Finding::Verdict::beyond, ""});
  if (!rays.empty() && s.overrides.empty() && !s.quick) {
    result.findings.push_back({"002, section 2", "the modified equation of the scheme is the KK chain up to O(h²)",
                               fmt::format("order {:.2f} along h = gamma, {:.2f} along h = 2 gamma", rays[0].order, rays[1].order),
                               std::abs(rays[0].order - 2) < 0.15 && std::abs(rays[1].order - 2) < 0.15 ? Finding::Verdict::holds
                                                                                                                   : Finding::Verdict::differs,
                               ""});
    result.findings.push_back({"002, abstract", "schemes that match numerical and KK dissipation at different consistency orders",
                               fmt::format("order {:.2f} along h = 2 gamma with the term of F'' removed (of order 3 where forces are smooth; touch leaves at least 5/2 of it)",
                                           rays[3].order),
                               Finding::Verdict::holds, ""});
  }
  return result;
}

}  // namespace scree
