// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Four digits, trailing zeros kept, so that 10.00 and 9.999 are seen to be equally precise.
std::string four_digits(double x) {
  std::string text = fmt::format("{:#.4g}", std::abs(x));
  if (text.back() == '.') text.pop_back();
  return x == 0 ? "0" : text;
}

template <class Write> std::string sum_of(const FoundEquation& e, Write&& write) {
  if (e.terms.empty()) return "0";
  std::string text;
  for (const FoundTerm& t : e.terms) {
    text += text.empty() ? (t.coefficient < 0 ? "-" : "") : (t.coefficient < 0 ? " - " : " + ");
    text += write(t);
  }
  return text;
}

}  // namespace

std::string equation_text(const FoundEquation& e) {
  return e.lhs + " = " + sum_of(e, [](const FoundTerm& t) { return four_digits(t.coefficient) + (t.term == "1" ? "" : " " + t.term); });
}

std::string equation_latex(const FoundEquation& e) {
  return e.latex_lhs + " &= " + sum_of(e, [](const FoundTerm& t) {
           std::string number = four_digits(t.coefficient);
           if (const auto at = number.find('e'); at != std::string::npos)
             number = number.substr(0, at) + fmt::format(" \\times 10^{{{}}}", std::stoi(number.substr(at + 1)));
           return number + (t.term == "1" ? "" : "\\," + t.latex);
         });
}

nlohmann::ordered_json discovery_json(const Discovery& d) {
  auto equations = nlohmann::ordered_json::array();
  for (const FoundEquation& e : d.equations) {
    auto terms = nlohmann::ordered_json::array();
    for (const FoundTerm& t : e.terms) terms.push_back({{"term", t.term}, {"coefficient", t.coefficient}, {"stderr", t.stderr_}, {"inclusion", t.inclusion}});
    nlohmann::ordered_json one{{"lhs", e.lhs}, {"terms", terms}, {"score", e.score}, {"residual", e.residual}, {"selected_by", e.selected_by},
                               {"text", equation_text(e)}, {"latex", equation_latex(e)}};
    if (!e.solved.empty()) one["solved"] = e.solved;
    auto path = nlohmann::ordered_json::array();
    for (const Candidate& c : e.path) path.push_back({{"terms", c.support.size()}, {"held_out", c.held_out}, {"stderr", c.held_out_stderr}, {"residual", c.residual}});
    one["path"] = path;
    equations.push_back(one);
  }
  return {{"equations", equations}, {"score", d.score()}, {"residual", d.residual()},
          {"selected_by", d.equations.empty() ? "" : d.equations.front().selected_by}, {"rows", d.rows}, {"library", d.library}, {"notes", d.notes}};
}

std::string discovery_text(const Discovery& d) {
  std::string text;
  for (const FoundEquation& e : d.equations) {
    text += equation_text(e) + "\n";
    if (!e.solved.empty()) text += "  " + e.solved + "\n";
    for (const FoundTerm& t : e.terms)
      text += fmt::format("  {:>12.6g} ± {:<10.2g} {:<14}{}\n", t.coefficient, t.stderr_, t.term,
                          e.inclusion.empty() ? "" : fmt::format(" in {:.0f} % of the bags", 100 * t.inclusion));
    text += fmt::format("  residual {:.3g}, held-out score {:.6f}, by {}\n", e.residual, e.score, e.selected_by);
  }
  text += fmt::format("{} rows, {} candidate terms\n", d.rows, d.library.size());
  for (const std::string& note : d.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace scree
