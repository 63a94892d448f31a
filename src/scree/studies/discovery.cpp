// SPDX-License-Identifier: BSD-3-Clause
/// How much noise discovery bears: how often exactly the terms of a known equation are found, against the noise on the data, in the
/// strong form (smoothed derivatives), the weak form, and ensembles of both.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/discovery/discover.hpp"
#include "scree/discovery/examples.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

const std::vector<std::string> system_names{"lorenz", "burgers", "kdv", "kuramoto-sivashinsky"};
const std::vector<std::string> form_names{"strong", "strong-ensemble", "weak", "weak-ensemble"};

class DiscoveryNoise final : public Study {
 public:
  std::string_view name() const override { return "discovery"; }
  std::string_view summary() const override { return "how often sparse identification finds a known equation, against noise"; }
  std::string_view example() const override { return "scree study discovery --systems lorenz,burgers --noise 0.01,0.1 --draws 10"; }
  std::vector<StudyOption> options() const override {
    return {{"systems", join_all(system_names), "Of lorenz, burgers, kdv, kuramoto-sivashinsky"},
            {"forms", join_all(form_names), "Of strong, strong-ensemble, weak, weak-ensemble"},
            {"noise", "0.001,0.01,0.05,0.1,0.2", "Of the standard deviation of the data"},
            {"draws", "20", "Of the noise, each level; one number, or one per system"},
            {"select", "cv", "How the number of terms is chosen: cv, loss, bic or aic"},
            {"bags", "50", "Of an ensemble"},
            {"data", "", "Only write the data of these systems as SYSTEM.csv, with the first --noise if given"}};
  }
  std::string scene(const StudySettings&) const override { return {}; }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::string join_all(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& one : names) text += (text.empty() ? "" : ",") + one;
    return text;
  }
};

/// Fields in rows of a table, coordinates first.
StudyTable table_of(const std::string& name, const Dataset& data) {
  StudyTable table{name, data.names.coordinates, {}};
  table.columns.insert(table.columns.end(), data.names.fields.begin(), data.names.fields.end());
  for (const Sample& s : data.samples)
    for (std::size_t i = 0; i < s.points(); ++i) {
      table.rows.emplace_back();
      for (std::size_t a = 0; a < s.axes.size(); ++a) table.rows.back().emplace_back(s.axes[a].at[i / s.stride(a) % s.axes[a].size()]);
      for (const auto& field : s.fields) table.rows.back().emplace_back(field[i]);
    }
  return table;
}

/// The interval of a rate that 68 % of the draws would give (Wilson 1927): k of n, z = 1.
std::pair<double, double> rate_interval(double k, double n) {
  const double p = k / n, centre = (p + 0.5 / n) / (1 + 1 / n), half = std::sqrt(p * (1 - p) / n + 0.25 / (n * n)) / (1 + 1 / n);
  return {std::max(centre - half, 0.0), std::min(centre + half, 1.0)};
}

/// One draw: whether the terms are right, and the largest error of a coefficient if they are.
struct Trial {
  bool exact = false;
  double error = 0;
};

Trial attempt(const Example& clean, const std::string& form, double noise, std::uint64_t seed, std::size_t bags, const std::string& select) {
  Dataset data = clean.data;
  add_noise(data, noise, seed);
  DiscoverySettings s;
  s.degree = clean.degree;
  s.derivatives = clean.derivatives;
  s.weak = form.starts_with("weak");
  s.selection.by = select;
  if (!s.weak) s.time_method = s.space_method = "sg";
  if (form.ends_with("ensemble")) s.ensemble = {.bags = bags, .seed = seed};
  const Discovery found = discover(data, s);
  Trial t{true, 0};
  for (std::size_t e = 0; e < clean.truth.size(); ++e) {
    t.exact &= found.equations[e].terms.size() == clean.truth[e].terms.size();
    for (const auto& [term, value] : clean.truth[e].terms) {
      const auto& terms = found.equations[e].terms;
      const auto at = std::find_if(terms.begin(), terms.end(), [&, &term = term](const FoundTerm& one) { return one.term == term; });
      if (at == terms.end()) t.exact = false;
      else t.error = std::max(t.error, std::abs(at->coefficient / value - 1));
    }
  }
  return t;
}

StudyResult DiscoveryNoise::run(const StudySettings& s, const StudyProgress& progress) const {
  const auto known = [&](const char* option, const std::vector<std::string>& names) {
    const std::vector<std::string> asked = s.list(option);
    for (const std::string& one : asked)
      if (std::find(names.begin(), names.end(), one) == names.end())
        throw InputError(fmt::format("--{}: expected some of {}, found {}{}", option, join(names), in_quotes(one), did_you_mean(one, names)));
    return asked;
  };
  const std::vector<std::string> systems = s.quick && !s.given("systems") ? std::vector<std::string>{"lorenz"} : known("systems", system_names);
  const std::vector<std::string> forms = known("forms", form_names);
  std::vector<double> noise = s.numbers("noise");
  if (s.quick && !s.given("noise")) noise = {0.01, 0.1};
  for (const double level : noise)
    if (!(level >= 0 && level <= 2)) throw InputError("--noise: expected numbers from 0 to 2, found " + brief(level));
  const std::int64_t bags = s.integer("bags");
  std::vector<double> wanted = s.quick && !s.given("draws") ? std::vector<double>{3} : s.numbers("draws");
  if (wanted.size() == 1) wanted.resize(systems.size(), wanted[0]);
  if (wanted.size() != systems.size()) throw InputError(fmt::format("--draws: expected one number, or one for each of {} systems, found {}", systems.size(), wanted.size()));
  std::vector<std::size_t> draws;
  for (const double one : wanted) {
    if (!(one >= 1 && one <= 10000 && one == std::floor(one))) throw InputError("--draws: expected integers from 1 to 10000, found " + brief(one));
    draws.push_back(static_cast<std::size_t>(one));
  }
  if (bags < 2 || bags > 10000) throw InputError("--bags: expected an integer from 2 to 10000");
  const std::string select = s.one_of("select", "a criterion", criterion_names());
  if (s.given("data")) {
    StudyResult result;
    result.json = {{"study", "discovery"}};
    for (const std::string& one : known("data", system_names)) {
      Example example = make_example(one);
      if (s.given("noise")) add_noise(example.data, noise.front(), 1);
      result.tables.push_back(table_of(one, example.data));
      result.text += fmt::format("{}: {} rows of {}\n", one, example.data.points(), join(result.tables.back().columns));
    }
    return result;
  }
  std::vector<Example> examples;
  for (const std::string& one : systems) examples.push_back(make_example(one));
  std::size_t all = 0;
  for (const std::size_t n : draws) all += n * forms.size() * noise.size();
  std::vector<Trial> trials(all);
  std::vector<Task> tasks;
  std::size_t at = 0;
  for (std::size_t k = 0; k < systems.size(); ++k)
    for (const std::string& form : forms)
      for (const double level : noise)
        for (std::size_t d = 0; d < draws[k]; ++d, ++at)
          tasks.push_back({fmt::format("{}, {}, noise {}", systems[k], form, brief(level)), static_cast<double>(examples[k].data.points()),
                           [&, k, form, level, d, at] { trials[at] = attempt(examples[k], form, level, d + 1, static_cast<std::size_t>(bags), select); }});
  do_all(tasks, progress);

  StudyResult result;
  StudyTable table{"discovery", {"system", "form", "noise", "draws", "exact", "exact_lo", "exact_hi", "coefficient_error"}, {}};
  auto rows = nlohmann::ordered_json::array();
  Figure figure{"discovery", "Exactly the right terms, against noise", {}};
  result.text = fmt::format("{:<22}{:<18}", "system", "form");
  for (const double level : noise) result.text += fmt::format("{:>9}", fmt::format("{:g} %", 100 * level));
  result.text += "\n";
  at = 0;
  for (std::size_t k = 0; k < systems.size(); ++k) {
    const std::string& system = systems[k];
    const auto n = static_cast<double>(draws[k]);
    Panel panel{system, "noise", "part of draws", true, false, {}, {}, {}, std::pair{-0.05, 1.05}};
    for (const std::string& form : forms) {
      Series line{form, {}, {}, Series::Style::line_points};
      result.text += fmt::format("{:<22}{:<18}", system, form);
      for (const double level : noise) {
        double exact = 0, error = 0;
        for (std::size_t d = 0; d < draws[k]; ++d, ++at)
          if (trials[at].exact) exact += 1, error += trials[at].error;
        error = exact > 0 ? error / exact : 0;
        const auto [lo, hi] = rate_interval(exact, n);
        exact /= n;
        table.rows.push_back({system, form, level, static_cast<std::int64_t>(draws[k]), exact, lo, hi, error});
        rows.push_back({{"system", system}, {"form", form}, {"noise", level}, {"draws", draws[k]}, {"exact", exact}, {"exact_interval", {lo, hi}}, {"coefficient_error", error}});
        line.x.push_back(level);
        line.y.push_back(exact);
        result.text += fmt::format("{:>9}", fmt::format("{:.0f} %", 100 * exact));
      }
      result.text += "\n";
      panel.series.push_back(line);
    }
    figure.panels.push_back(panel);
  }
  result.json = {{"study", "discovery"}, {"rows", rows}};
  result.tables = {table};
  result.figures = {figure};
  return result;
}

}  // namespace

const Study& discovery_study() {
  static const DiscoveryNoise study;
  return study;
}

}  // namespace scree
