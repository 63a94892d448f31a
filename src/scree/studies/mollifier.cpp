// SPDX-License-Identifier: BSD-3-Clause
/// The mollified square root and its quadratures: figures 4.1-4.4 of the thesis.
///
/// What the thesis integrates anew at every force call is here one universal function
/// (core/mollified_root.hpp). The study draws it, draws what few-node quadratures make of it over
/// the whole interval and over the support alone, and measures how their errors fall with the
/// nodes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/mollified_root_quadrature.hpp"
#include "scree/core/names.hpp"
#include "scree/studies/fit_window.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// How often a rule calls the integrand: shared ends counted once.
int nodes_of(const NewtonCotes& rule, int panels) {
  int inner = 0;
  for (int k = 1; k + 1 < rule.size; ++k) inner += rule.weight[static_cast<std::size_t>(k)] != 0;
  return rule.weight[0] != 0 ? panels * (inner + 1) + 1 : panels * inner;
}

/// The panels with which a rule calls the integrand about that often.
int panels_for(const NewtonCotes& rule, int nodes) {
  int panels = 1;
  while (nodes_of(rule, panels + 1) <= nodes) ++panels;
  return panels;
}

/// M(s) by a quadrature that is none of the thesis': the root at the end of the support is removed
/// by y = end - u², after which the integrand is smooth and flat at y = 0, and from s = 2 on at
/// both ends, where the trapezoidal rule converges faster than any power. Checks the table.
double smooth_quadrature(double s) {
  const double end = std::min(s, 2.0);
  const auto bump = [](double y) { return y > 0 && y < 2 ? std::exp(-1 / (y * (2 - y))) : 0; };
  const int n = 4000;
  double sum = 0;
  if (s >= 2) {
    for (int k = 1; k < n; ++k) {
      const double y = end * k / n;
      sum += bump(y) * std::sqrt(s - y);
    }
    return sum * end / n / mollifier_normalisation<double>();
  }
  // The integrand is even in u: integrate over [-sqrt(end), sqrt(end)] and halve.
  const double u_end = std::sqrt(end);
  for (int k = -n + 1; k < n; ++k) {
    const double u = u_end * k / n;
    sum += bump(end - u * u) * u * u;
  }
  return sum * u_end / n / mollifier_normalisation<double>();
}

class Mollifier final : public Study {
 public:
  std::string_view name() const override { return "mollifier"; }
  std::string_view summary() const override {
    return "the mollified square root, and the errors of quadratures for it";
  }
  std::string_view example() const override {
    return "scree study mollifier --eps 1e-6,5e-6 --nodes 13";
  }
  std::vector<StudyOption> options() const override {
    return {{"eps", "5e-6,1e-6,5e-7,1e-7",
             "Half-widths of the bump in m (the first also for the rules)"},
            {"nodes", "13", "Nodes of the rules whose curves are drawn"},
            {"most", "1024", "Nodes up to which the errors are followed"}};
  }
  std::string scene(const StudySettings&) const override {
    return "";  // the mollified root is a function: no grain moves
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;
};

StudyResult Mollifier::run(const StudySettings& s, const StudyProgress& progress) const {
  if (!s.overrides.empty()) throw InputError("--set: the study mollifier has no scene to change");
  const auto widths = s.numbers("eps");
  for (const double eps : widths)
    if (!(eps > 0)) throw InputError("--eps: expected numbers > 0 in m, found " + brief(eps));
  if (widths.empty()) throw InputError("--eps: expected at least one number > 0 in m");
  const auto nodes = static_cast<int>(s.integer("nodes"));
  const auto most =
      static_cast<int>(std::min<std::int64_t>(s.integer("most"), s.quick ? 256 : 65536));
  if (nodes < 5 || most < 2 * nodes)
    throw InputError("--nodes: expected at least 5, and at most half of --most");
  const double widest = *std::max_element(widths.begin(), widths.end());
  StudyResult result;

  // Figure 4.1: the bump.
  const auto bump = [](double z) {
    return std::abs(z) < 1 ? std::exp(1 / (z * z - 1)) / mollifier_normalisation<double>() : 0;
  };
  Series curve{"", {}, {}, Series::Style::line};
  for (int k = -150; k <= 150; ++k) {
    curve.x.push_back(k / 100.0);
    curve.y.push_back(bump(k / 100.0));
  }
  Panel bump_panel{"", "x", "φ(x)", false, false, {curve}, {}, {}, {}};
  result.figures.push_back({"bump", "The standard mollifier", {bump_panel}});

  // Figure 4.2: the root, its mollifications, and the same shifted so that they vanish at 0.
  StudyTable roots{"roots", {"eps", "x", "root", "mollified", "shifted"}, {}};
  const auto sampled = [&](bool shifted, double from, double to, double eps) {
    Series one{eps > 0 ? fmt::format("ε = {} μm", brief(1e6 * eps)) : "√x",
               {},
               {},
               eps > 0 ? Series::Style::line : Series::Style::dashed,
               eps > 0 ? Series::next_colour : Series::grey};
    for (int k = 0; k <= 400; ++k) {
      const double x = from + (to - from) * k / 400;
      const double y =
          eps > 0 ? mollified_root(shifted ? x : x + eps, eps) : std::sqrt(std::max(x, 0.0));
      one.x.push_back(1e6 * x);
      one.y.push_back(1e3 * y);
    }
    return one;
  };
  Figure root_figure{"root", "The square root and its mollifications", {}};
  for (const bool shifted : {false, true}) {
    Panel panel{shifted ? "(b) shifted by ε" : "(a) as they are",
                "x (μm)",
                shifted ? "_{ε}√x (10^{-3} m^{1/2})" : "φ_ε * √x (10^{-3} m^{1/2})",
                false,
                false,
                {},
                {},
                {},
                {}};
    Panel inset = panel;
    inset.title.clear();
    inset.x_label.clear();
    inset.y_label.clear();
    inset.inset = true;
    for (std::size_t k = 0; k <= widths.size(); ++k) {
      const double eps = k < widths.size() ? widths[k] : 0;
      panel.series.push_back(
          sampled(shifted, shifted ? 0 : -2 * widest, shifted ? 60 * widest : 20 * widest, eps));
      inset.series.push_back(sampled(shifted, shifted ? 0 : -1.2 * widest,
                                     shifted ? 3.6 * widest : 1.2 * widest, eps));
      inset.series.back().title.clear();
    }
    root_figure.panels.push_back(panel);
    root_figure.panels.push_back(inset);
  }
  result.figures.push_back(root_figure);
  for (const double eps : widths)
    for (int k = 0; k <= 100; ++k) {
      const double x = 10 * eps * k / 100;
      roots.rows.push_back(
          {eps, x, std::sqrt(x), mollified_root(x + eps, eps), mollified_root(x, eps)});
    }
  result.tables.push_back(std::move(roots));

  // Figure 4.3: few-node rules on the whole interval and on the support.
  const double eps = widths[0];
  Figure rules_figure{
      "rules", fmt::format("Rules of about {} nodes, ε = {} μm", nodes, brief(1e6 * eps)), {}};
  StudyTable rule_curves{"rules", {"domain", "rule", "nodes", "x", "value", "exact"}, {}};
  for (const QuadratureDomain domain : {QuadratureDomain::interval, QuadratureDomain::support}) {
    const bool whole = domain == QuadratureDomain::interval;
    Panel panel{whole ? "(a) over [-ε, ε]" : "(b) over the support",
                "x (μm)",
                "_{ε}√x (10^{-3} m^{1/2})",
                false,
                false,
                {},
                {},
                {},
                {}};
    panel.x_range = {0, 4e6 * eps};
    Series exact{"exact", {}, {}, Series::Style::dashed, Series::grey};
    std::vector<double> places;
    for (int k = 0; k <= 400; ++k) {
      places.push_back(4 * eps * k / 400);
      exact.x.push_back(1e6 * places.back());
      exact.y.push_back(1e3 * mollified_root(places.back(), eps));
    }
    for (const NewtonCotes& rule : newton_cotes_rules) {
      if (rule.name == "midpoint") continue;  // the thesis' reference, with 1000 panels
      const int panels = panels_for(rule, nodes);
      Series one{std::string(rule.name), exact.x, {}, Series::Style::line};
      for (const double x : places) {
        const double value = mollified_root_quadrature(rule, panels, domain, x, eps);
        one.y.push_back(1e3 * value);
        rule_curves.rows.push_back({std::string(whole ? "interval" : "support"),
                                    std::string(rule.name), std::int64_t{nodes_of(rule, panels)}, x,
                                    value, mollified_root(x, eps)});
      }
      panel.series.push_back(one);
    }
    panel.series.push_back(exact);
    rules_figure.panels.push_back(panel);
  }
  result.figures.push_back(rules_figure);
  result.tables.push_back(std::move(rule_curves));

  // Figure 4.4: the integrand, and where a rule looks at it.
  Figure integrand{"integrand", "The integrand and its samples, x = 0.7 ε", {}};
  for (const QuadratureDomain domain : {QuadratureDomain::interval, QuadratureDomain::support}) {
    const bool whole = domain == QuadratureDomain::interval;
    Panel panel{whole ? "(a) over [-ε, ε]" : "(b) over the support [-ε, -0.3 ε]",
                "z/ε",
                "arbitrary units",
                false,
                false,
                {},
                {},
                {},
                {}};
    Series factor{"φ_ε(z)", {}, {}, Series::Style::dashed},
        root{"(x - ε - z)^{1/2}", {}, {}, Series::Style::dashed},
        product{"their product, 3 times", {}, {}, Series::Style::line},
        samples{"samples", {}, {}, Series::Style::points};
    const double end = 0.7 - 1;
    const auto at = [&](double z) { return bump(z) * std::sqrt(std::max(end - z, 0.0)); };
    for (int k = -100; k <= 100; ++k) {
      const double z = k / 100.0;
      factor.x.push_back(z), factor.y.push_back(bump(z));
      root.x.push_back(z), root.y.push_back(std::sqrt(std::max(end - z, 0.0)));
      product.x.push_back(z), product.y.push_back(3 * at(z));
    }
    for (int k = 0; k < nodes; ++k) {
      const double z = -1 + ((whole ? 1 : end) + 1) * k / (nodes - 1);
      samples.x.push_back(z), samples.y.push_back(3 * at(z));
    }
    panel.series = {factor, root, product, samples};
    integrand.panels.push_back(panel);
  }
  result.figures.push_back(integrand);

  // Errors against nodes, in units of sqrt(ε), the largest over 0 < x <= 4 ε.
  std::vector<double> places;
  for (int k = 1; k <= 400; ++k) places.push_back(4 * (k - 0.5 + 0.1234567) / 400);
  std::vector<double> truth;
  for (const double x : places) truth.push_back(mollified_root(x, 1.0));
  StudyTable errors{"errors", {"rule", "domain", "nodes", "error", "error_from_2eps"}, {}};
  auto json_errors = nlohmann::ordered_json::array(), json_orders = json_errors;
  Figure error_figure{"errors", "Largest error on 0 < x ≤ 4ε", {}};
  Panel smooth_panel{
      "on 2ε ≤ x ≤ 4ε", "evaluations of the integrand", "error/√ε", true, true, {}, {}, {}, {}};
  double worst_interval = 0, worst_support = 0;  // orders: the least and the best
  double least_order = 100, best_order = 0;
  for (const QuadratureDomain domain : {QuadratureDomain::interval, QuadratureDomain::support}) {
    const bool whole = domain == QuadratureDomain::interval;
    Panel panel{whole ? "over [-ε, ε]" : "over the support",
                "evaluations of the integrand",
                "error/√ε",
                true,
                true,
                {},
                {},
                {},
                {}};
    for (const NewtonCotes& rule : newton_cotes_rules) {
      Series one{whole ? std::string(rule.name) : "", {}, {}, Series::Style::line_points},
          smooth = one;
      smooth.title.clear();
      for (int n = 8; n <= most; n *= 2) {
        progress(0.5 * (whole ? 0 : 1) + 0.5 * std::log2(n / 4.0) / std::log2(most / 2.0),
                 std::string(rule.name));
        const int panels = panels_for(rule, n);
        double error = 0, beyond = 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
          const double off =
              std::abs(mollified_root_quadrature(rule, panels, domain, places[k], 1.0) - truth[k]);
          error = std::max(error, off);
          if (places[k] >= 2) beyond = std::max(beyond, off);
        }
        one.x.push_back(nodes_of(rule, panels));
        one.y.push_back(error);
        smooth.x.push_back(nodes_of(rule, panels));
        smooth.y.push_back(std::max(beyond, 1e-17));
        errors.rows.push_back({std::string(rule.name), std::string(whole ? "interval" : "support"),
                               std::int64_t{nodes_of(rule, panels)}, error, beyond});
        json_errors.push_back({{"rule", rule.name},
                               {"domain", whole ? "interval" : "support"},
                               {"nodes", nodes_of(rule, panels)},
                               {"error", error}});
      }
      // few nodes are not yet on the line: the last three octaves, and two points at least
      std::size_t from = 0;
      while (from + 2 < one.x.size() && one.x[from] < most / 8.0) ++from;
      const double order =
          -fit_power({one.x.begin() + static_cast<std::ptrdiff_t>(from), one.x.end()},
                     {one.y.begin() + static_cast<std::ptrdiff_t>(from), one.y.end()})
               .exponent;
      json_orders.push_back(
          {{"rule", rule.name}, {"domain", whole ? "interval" : "support"}, {"order", order}});
      if (!whole) {
        least_order = std::min(least_order, order);
        best_order = std::max(best_order, order);
        smooth_panel.series.push_back(smooth);
      }
      panel.series.push_back(one);
    }
    error_figure.panels.push_back(panel);
  }
  error_figure.panels.push_back(smooth_panel);
  result.figures.push_back(error_figure);
  result.tables.push_back(std::move(errors));

  // The thesis' own reference, the midpoint rule with 1000 panels, and the table against a third
  // way.
  double table_error = 0;
  for (int k = 0; k <= 400; ++k) {
    const double x = 0.05 * std::pow(800.0, k / 400.0);
    const double there = smooth_quadrature(x);
    table_error = std::max(table_error, std::abs(mollified_root(x, 1.0) / there - 1));
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    worst_interval = std::max(
        worst_interval,
        std::abs(mollified_root_quadrature(midpoint_rule, 1000, QuadratureDomain::interval, places[k], 1.0) -
                 truth[k]));
    worst_support = std::max(
        worst_support,
        std::abs(mollified_root_quadrature(midpoint_rule, 1000, QuadratureDomain::support, places[k], 1.0) -
                 truth[k]));
  }
  result.json["errors"] = json_errors;
  result.json["orders"] = json_orders;
  result.json["midpoint1000"] = {{"interval", worst_interval}, {"support", worst_support}};
  result.json["table_error"] = table_error;

  const double at_zero = mollified_root(1.0, 1.0), next_to_zero = mollified_root(0.05, 1.0);
  result.findings.push_back({"003, figure 4.2 (a)", "the mollified root is not zero at x = 0",
                             fmt::format("it is {:.4f} √ε there", at_zero),
                             at_zero > 0 ? Finding::Verdict::holds : Finding::Verdict::differs,
                             ""});
  result.findings.push_back(
      {"003, figure 4.2 (b)", "shifted by ε, all curves go through (0, 0)",
       fmt::format("exactly; at x = 0.05 ε it is {:.1e} √ε, with all derivatives vanishing at 0",
                   next_to_zero),
       mollified_root(0.0, 1.0) == 0 ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  const auto zero_until = [&](QuadratureDomain domain) {  // where the rule leaves zero, in ε
    double last = 0;
    for (int k = 1; k <= 2000; ++k)
      if (mollified_root_quadrature(trapezoid_rule, nodes - 1, domain, k / 1000.0, 1.0) == 0)
        last = k / 1000.0;
    return last;
  };
  const double delay = zero_until(QuadratureDomain::interval), none = zero_until(QuadratureDomain::support);
  result.findings.push_back(
      {"003, figure 4.3",
       "over the whole interval the rules stay zero for a while and kink; over the support they do "
       "not",
       fmt::format("trapezoid with {} nodes: zero until x = {:.3f} ε over the interval, {:.3f} ε "
                   "over the support",
                   nodes, delay, none),
       delay > 10 * none ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  result.findings.push_back(
      {"003, figure 4.3", "the midpoint rule with 1000 panels serves as the reference",
       fmt::format("its error is {:.1e} √ε over the interval, {:.1e} over the support; our table "
                   "agrees with a smooth "
                   "quadrature to {:.0e} relative",
                   worst_interval, worst_support, table_error),
       worst_interval < 1e-4 ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  result.findings.push_back(
      {"beyond 003, section 4.2.3", "integrating over the support mends the inaccuracy",
       fmt::format("it removes the delay but not the slow convergence: orders {:.2f} to {:.2f} in "
                   "the number of nodes, whatever the rule",
                   least_order, best_order),
       Finding::Verdict::beyond,
       "the root at the end of the support is not smooth: error falls as n^(-3/2) until x ≥ 2ε, "
       "where the bump, flat at both ends, makes "
       "the plain trapezoidal rule converge faster than any power"});

  result.text = fmt::format("{:>12} {:>10} {:>8} {:>12}\n", "rule", "domain", "nodes", "error/√ε");
  for (const auto& one : json_errors)
    if (one["nodes"].get<int>() > most / 2)
      result.text += fmt::format("{:>12} {:>10} {:>8} {:12.3e}\n", one["rule"].get<std::string>(),
                                 one["domain"].get<std::string>(), one["nodes"].get<int>(),
                                 one["error"].get<double>());
  result.text += fmt::format("table against a smooth quadrature: {:.1e} relative\n", table_error);
  return result;
}

}  // namespace

const Study& mollifier_study() {
  static const Mollifier study;
  return study;
}

}  // namespace scree
