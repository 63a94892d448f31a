// SPDX-License-Identifier: BSD-3-Clause
/// Fronts in a chain hit by a piston, against the fronts of the logarithmic equations (fronts.hpp): how close they are,
/// from which damping on they oscillate, and what other schemes make of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/studies/chain.hpp"
#include "scree/studies/chain_crossover.hpp"
#include "scree/studies/chain_front_run.hpp"
#include "scree/studies/front_transient.hpp"
#include "scree/studies/fronts.hpp"
#include "scree/studies/many.hpp"

namespace scree {
namespace {

/// The direct integration: order 5/2 on plain Kuwabara-Kono contacts.
constexpr const char* direct_scheme = "kk-shifted-rk4";

/// Largest difference of two passages of the same contact; of `a` between its steps by cubic interpolation.
double distance(const Front& a, const Front& b) {
  double worst = 0;
  for (std::size_t k = 0; k < b.t.size(); ++k) {
    // times fall
    const auto next = std::lower_bound(a.t.begin(), a.t.end(), b.t[k], [](double x, double t) { return x > t; });
    const auto at = next - a.t.begin();
    if (at < 2 || at + 2 > static_cast<std::ptrdiff_t>(a.t.size())) continue;
    const auto i = static_cast<std::size_t>(at) - 2;
    double y = 0;
    for (std::size_t p = i; p < i + 4; ++p) {
      double w = a.y[p];
      for (std::size_t q = i; q < i + 4; ++q)
        if (q != p) w *= (b.t[k] - a.t[q]) / (a.t[p] - a.t[q]);
      y += w;
    }
    worst = std::max(worst, std::abs(y - b.y[k]));
  }
  return worst;
}

nlohmann::ordered_json json_of(const Front& f) {
  nlohmann::ordered_json one{{"equation", f.equation()}, {"a", f.a}, {"gamma", f.gamma}};
  if (!f.burgers) one["mu"] = f.mu;
  one["scheme"] = f.scheme;
  one["h"] = f.step;
  one["beads"] = f.beads;
  one["speed"] = f.speed;
  one["highest"] = f.highest;
  one["sup"] = f.sup;
  one["sup_before"] = f.sup_before;
  one["sup_at_level"] = f.sup_at_level;
  if (!f.course.empty()) {
    auto course = nlohmann::ordered_json::array();
    for (const Front::Reached& r : f.course) course.push_back({{"bead", r.bead}, {"sup", r.sup}, {"sup_at_level", r.sup_at_level}});
    one["course"] = course;
  }
  return one;
}

/// The sup norm against the bead that the front has reached: what is left of the start, and the limit of long chains.
void tell_transients(const std::vector<Front>& fronts, const StudySettings& s, StudyResult& result) {
  const double level = s.number("level");
  StudyTable table{"transient", {"equation", "a", "gamma", "mu", "bead", "tau", "sup", "sup_at_level", "limit"}, {}};
  auto list = nlohmann::ordered_json::array();
  Panel burgers{"log-Burgers", "bead", "sup |y - Y|", true, true, {}, {}, {}, {}}, left{"what is left of the start", "τ", "sup |y - Y| - its limit", false, true, {}, {}, {}, {}},
      kdv{"log-KdV-Burgers", "bead", "sup |y - Y|", true, true, {}, {}, {}, {}};
  Series law{"0.12 τ^{-3/2} e^{-τ/4}", {}, {}, Series::Style::dashed, Series::grey};
  for (double tau = 1; tau <= 12; tau += 0.1) law.x.push_back(tau), law.y.push_back(0.12 * std::pow(tau, -1.5) * std::exp(-tau / 4));
  for (const Front& f : fronts) {
    const Transient t = f.burgers ? fit_transient(f) : Transient{NAN, NAN, NAN};
    Series one{f.burgers ? fmt::format("a = {}", brief(f.a)) : fmt::format("a = {}, μ = {}", brief(f.a), brief(f.mu)), {}, {}, Series::Style::line_points};
    Series rest = one;
    for (const Front::Reached& r : f.course) {
      const double tau = f.burgers ? transient_time(f, r.bead) : NAN;
      table.rows.push_back({f.equation(), f.a, f.gamma, f.mu, r.bead, tau, r.sup, r.sup_at_level, t.limit});
      one.x.push_back(r.bead), one.y.push_back(r.sup);
      if (tau <= 12 && r.sup - t.limit > 2 * t.within) rest.x.push_back(tau), rest.y.push_back(r.sup - t.limit);
    }
    (f.burgers ? burgers : kdv).series.push_back(one);
    if (!f.burgers) continue;
    if (!rest.x.empty()) left.series.push_back(rest);
    const auto bead = bead_of(f, level);
    nlohmann::ordered_json j{{"a", f.a}, {"gamma", f.gamma}, {"bead", f.course.back().bead}, {"tau", transient_time(f, f.course.back().bead)},
                             {"sup", f.sup}, {"limit", t.limit}, {"amplitude", t.amplitude}, {"within", t.within}, {"level", level}};
    j["bead_of_level"] = bead ? nlohmann::ordered_json(*bead) : nlohmann::ordered_json();
    list.push_back(j);
    const std::string limit = std::isfinite(t.limit) ? fmt::format(", {:.4f} in the limit (fit of tau^-3/2 e^(-tau/4), within {:.0e})", t.limit, t.within) : "";
    result.text += fmt::format("  log-Burgers, a = {}: sup norm {:.4f} at bead {:.0f} (tau = {:.1f}){}{}\n", brief(f.a), f.sup, f.course.back().bead,
                               transient_time(f, f.course.back().bead), limit,
                               bead ? fmt::format("; {} at bead {:.0f} (tau = {:.1f})", brief(level), *bead, transient_time(f, *bead)) : "");
  }
  left.series.push_back(law);
  result.json["transient"] = list;
  result.tables.push_back(table);
  result.figures.push_back({"transient", "The sup norm against the bead that the front has reached", {burgers, left}});
  if (!kdv.series.empty()) result.figures.back().panels.push_back(kdv);
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
  if (!(s.number("within") >= 1e-4)) throw InputError("--within: expected a number of at least 1e-4");
  for (const std::string& one : s.overrides)
    if (one.starts_with("contact.normal"))
      throw InputError("study chain --case front: --set " + one + ": expected --exponents, --gamma or --mu, which say what the contacts are");
    else if (one.starts_with("run.integrator") || one.starts_with("run.variant"))
      throw InputError("study chain --case front: --set " + one + ": expected --schemes, the first of which is the one that is judged");
  std::vector<std::string> schemes = s.list("schemes");
  if (schemes.empty())
    schemes = s.quick ? std::vector<std::string>{"kk-theta:third", direct_scheme, "kk-theta"}
                      : std::vector<std::string>{"kk-theta:third", direct_scheme, "kk-theta", "kk-theta:split", "kk-theta:energy",
                                                 "kk-shifted", "damped-verlet", "velocity-verlet"};
  for (const ChainScheme& one : chain_schemes(schemes))
    if (one.mollified()) throw InputError("--schemes: " + in_quotes(one.name) + ": fronts have contacts of any exponent, which are not mollified");
  const Patience patience = s.quick ? Patience::quick : Patience::full;
  const auto fronts_at = [&](double a) {
    std::vector<Front> all{Front::of_burgers(a, s.number("gamma"))};
    for (const double mu : s.numbers("mu")) {
      if (!(mu > 0 && mu <= LogKdvBurgersFront::largest_mu))
        throw InputError("--mu: expected numbers above 0 and at most " + brief(LogKdvBurgersFront::largest_mu));
      all.push_back(Front::of_kdv(a, mu));
    }
    for (Front& f : all) {
      f.scheme = schemes.front();
      f.beads = beads_for(f, patience);
    }
    return all;
  };
  std::vector<Front> fronts;
  for (const double a : exponents)
    for (const Front& f : fronts_at(a)) fronts.push_back(f);
  // The other schemes, at some exponents, each after the front it is compared with.
  std::vector<Front> others;
  const std::vector<double> compared = s.given("compare") ? s.numbers("compare") : s.quick ? std::vector<double>{1.5} : s.numbers("compare");
  if (schemes.size() > 1)
    for (const Front& f : fronts)
      if (std::find(compared.begin(), compared.end(), f.a) != compared.end())
        for (const std::string& scheme : schemes) {
          others.push_back(f);
          others.back().scheme = scheme;
        }
  // The overshoot against μ, for the picture; and where it ends, by bisection.
  const std::vector<double> sweep = s.quick ? std::vector<double>{0.8, 1.2, 1.6, 2.4} : std::vector<double>{0.4, 0.8, 1.0, 1.2, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.4};
  std::vector<Front> sweeps;
  std::vector<Crossover> crossovers;
  for (const double a : exponents) {
    for (const double mu : sweep) {
      Front f = Front::of_kdv(a, mu);
      f.scheme = schemes.front();
      f.beads = beads_for(f, s.quick ? Patience::quick : Patience::sweep);
      sweeps.push_back(f);
    }
    Crossover one;
    one.a = a;
    crossovers.push_back(one);
  }
  std::vector<Task> tasks;
  for (auto* all : {&fronts, &others, &sweeps})
    for (Front& f : *all)
      tasks.push_back({fmt::format("a = {}, {} = {}, {}", brief(f.a), f.burgers ? "gamma" : "mu", brief(f.burgers ? f.gamma : f.mu), f.scheme),
                       f.beads * f.beads, [&] { run_front(f, s, base); }});
  for (Crossover& c : crossovers)
    tasks.push_back({fmt::format("crossover, a = {}", brief(c.a)), 8 * std::pow(beads_for(Front::of_kdv(c.a, 1), patience), 2), [&] {
                       find_crossover(c, s.quick ? std::max(s.number("within"), 0.05) : s.number("within"), s, base, schemes.front());
                     }});
  do_all(tasks, progress);
  for (const auto* all : {&fronts, &sweeps})
    for (const Front& f : *all)
      if (!f.fault.empty()) throw RunError("study chain: " + f.fault);
  for (const Crossover& c : crossovers)
    if (!c.fault.empty()) throw RunError("study chain: " + c.fault);

  StudyResult result;
  result.json = {{"study", "chain"}, {"case", "front"}, {"scheme", schemes.front()}};
  auto list = nlohmann::ordered_json::array();
  StudyTable table{"fronts", {"equation", "a", "gamma", "mu", "beads", "steps", "speed", "highest", "sup", "sup_before", "sup_at_level"}, {}},
      profiles{"profiles", {"equation", "a", "gamma", "mu", "place", "y", "theory"}, {}};
  result.text = fmt::format("sup |y - Y| with Y shifted to where that is least, one rule for all; {}\n", schemes.front());
  result.text += fmt::format("{:>12} {:>6} {:>8} {:>6} {:>7} {:>9} {:>9} {:>10} {:>10} {:>12}\n", "equation", "a", "gamma", "mu", "beads",
                             "speed/c", "max y", "sup norm", "halfway", "placed at 1/e");
  for (const Front& f : fronts) {
    nlohmann::ordered_json one = json_of(f);
    if (f.burgers) one["limit"] = fit_transient(f).limit;
    list.push_back(one);
    table.rows.push_back({f.equation(), f.a, f.gamma, f.mu, f.beads, f.steps, f.speed, f.highest, f.sup, f.sup_before, f.sup_at_level});
    const double from = f.burgers ? -12 : -40;
    for (std::size_t n = 0; n < f.y.size(); ++n)
      if (f.place[n] > from && f.place[n] < 8) profiles.rows.push_back({f.equation(), f.a, f.gamma, f.mu, f.place[n], f.y[n], f.theory[n]});
    result.text += fmt::format("{:>12} {:>6} {:>8.4f} {:>6} {:>7.0f} {:>9.5f} {:>9.4f} {:>10.4f} {:>10} {:>12.4f}\n",
                               f.burgers ? "Burgers" : "KdV-Burgers", brief(f.a), f.gamma, f.burgers ? "" : brief(f.mu), f.beads,
                               f.speed, f.highest, f.sup, std::isfinite(f.sup_before) ? fmt::format("{:.4f}", f.sup_before) : "-", f.sup_at_level);
  }
  result.json["fronts"] = list;
  tell_transients(fronts, s, result);

  // what other schemes make of the same chains
  StudyTable by_scheme{"schemes", {"equation", "a", "gamma", "mu", "scheme", "h", "highest", "sup", "from_direct", "seconds"}, {}};
  auto by_scheme_json = nlohmann::ordered_json::array();
  if (!others.empty())
    result.text += fmt::format("{:>12} {:>6} {:>6}  {:<18} {:>8} {:>9} {:>10} {:>12} {:>8}\n", "equation", "a", "mu", "scheme", "h", "max y",
                               "sup norm", "from direct", "s");
  for (const Front& f : others) {
    nlohmann::ordered_json one = json_of(f);
    if (!f.fault.empty()) {
      one["fault"] = f.fault;
      result.text += fmt::format("{:>12} {:>6} {:>6}  {:<18} {}\n", f.burgers ? "Burgers" : "KdV-Burgers", brief(f.a), f.burgers ? "" : brief(f.mu),
                                 f.scheme, f.fault);
      by_scheme_json.push_back(one);
      continue;
    }
    const auto direct = std::find_if(others.begin(), others.end(), [&](const Front& g) {
      return g.scheme == direct_scheme && g.burgers == f.burgers && g.a == f.a && g.mu == f.mu && g.fault.empty();
    });
    const double away = direct == others.end() ? NAN : distance(*direct, f);
    if (std::isfinite(away)) one["from_direct"] = away;
    by_scheme_json.push_back(one);
    by_scheme.rows.push_back({f.equation(), f.a, f.gamma, f.mu, f.scheme, f.step, f.highest, f.sup, away, f.seconds});
    result.text += fmt::format("{:>12} {:>6} {:>6}  {:<18} {:>8.4f} {:>9.4f} {:>10.4f} {:>12.1e} {:>8.2f}\n",
                               f.burgers ? "Burgers" : "KdV-Burgers", brief(f.a), f.burgers ? "" : brief(f.mu), f.scheme, f.step, f.highest,
                               f.sup, away, f.seconds);
  }
  result.json["schemes"] = by_scheme_json;

  // μ from which on y stays below 1 + seen_overshoot, in the chain and in the equation
  StudyTable overs{"overshoot", {"a", "mu", "gamma", "overshoot", "equation"}, {}},
      ends{"crossover", {"a", "mu", "within", "equation", "linear"}, {}};
  auto crossover_json = nlohmann::ordered_json::array();
  Panel over{"", "μ", "max y - 1", false, true, {}, {}, {}, {}};
  Series line{"log-KdV-Burgers", {}, {}, Series::Style::line, Series::grey};
  for (double mu = sweep.front(); mu <= sweep.back() + 1e-9; mu += 0.05) {
    const double high = LogKdvBurgersFront(mu, 100).highest() - 1;
    if (high > 1e-6) line.x.push_back(mu), line.y.push_back(high);
  }
  over.series.push_back(line);
  for (const Crossover& c : crossovers) {
    Series series{fmt::format("a = {}", brief(c.a)), {}, {}, Series::Style::line_points};
    for (const Front& f : sweeps) {
      if (f.a != c.a) continue;
      const double high = f.highest - 1;
      overs.rows.push_back({f.a, f.mu, f.gamma, high, LogKdvBurgersFront(f.mu, 100).highest() - 1});
      if (high > 1e-6) series.x.push_back(f.mu), series.y.push_back(high);
    }
    over.series.push_back(series);
    crossover_json.push_back({{"a", c.a}, {"mu", c.mu}, {"within", c.within}, {"level", seen_overshoot}, {"equation", c.equation},
                              {"linear", c.linear}, {"linear_equation", 2.0}});
    ends.rows.push_back({c.a, c.mu, c.within, c.equation, c.linear});
    result.text += fmt::format("  crossover at a = {}: y exceeds 1 by less than {} from mu = {:.3f} +- {:.3f} on (the equation: {:.3f}); "
                               "its tail does not oscillate above {:.3f} (the equation: 2)\n",
                               brief(c.a), brief(seen_overshoot), c.mu, c.within, c.equation, c.linear);
  }
  result.json["crossover"] = crossover_json;
  result.tables.insert(result.tables.begin(), {table, profiles, by_scheme, overs, ends});

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
  auto closeness = nlohmann::ordered_json::array();
  const auto judge = [&](const std::string& who, const Series& one) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t k = 0; k < one.y.size(); ++k) points.emplace_back(one.x[k], one.y[k]);
    std::sort(points.begin(), points.end());
    bool here = true;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) here = here && points[k].second < points[k + 1].second;
    falls = falls && here;
    if (points.size() < 2) return;
    const double power = std::log(points.back().second / points.front().second) / std::log(points.back().first / points.front().first);
    told += fmt::format("{}{} {:.4f} to {:.4f}", told.empty() ? "" : "; ", who, points.front().second, points.back().second);
    closeness.push_back({{"regime", who}, {"falls", here}, {"power", power}});
    result.text += fmt::format("  {}: sup norm {} with a - 1, about as (a - 1)^{:.2f}\n", who, here ? "falls" : "does not fall", power);
  };
  judge("log-Burgers", norm_series("log-Burgers", true, 0));
  for (const double mu : s.numbers("mu"))
    judge(fmt::format("mu = {}", brief(mu)), norm_series(fmt::format("log-KdV-Burgers, μ = {}", brief(mu)), false, mu));
  result.json["closeness"] = closeness;
  result.figures.insert(result.figures.begin(), {shapes, {"closeness", "How close the chain's fronts are", {norms, over}}});
  if (exponents.size() > 1)
    result.findings.push_back({"002, section 3", "numerical solutions converge towards the analytical profiles when a is close to 1",
                               fmt::format("sup norm at a = {} to {}: {}", brief(*std::min_element(exponents.begin(), exponents.end())),
                                           brief(*std::max_element(exponents.begin(), exponents.end())), told),
                               falls ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  return result;
}

}  // namespace scree
