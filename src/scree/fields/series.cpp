// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/series.hpp"

#include "scree/core/errors.hpp"

namespace scree::fields {
namespace {

/// Only of tables of one frame nobody asks for the variance.
bool want_variances(const SeriesRules& rules) { return rules.variances && (rules.each != 1 || rules.smooth > 0); }

[[noreturn]] void differ() { throw RunError("the checkpoint has other fields than the scene"); }

}  // namespace

TableSeries::TableSeries(const CoarseGrainer& grainer, const SeriesRules& rules)
    : grainer_(&grainer), rules_(rules), weight_(grainer.settings().kernel, 1, rules.smooth > 0 ? rules.smooth : 1), average_(grainer, want_variances(rules)) {
  if (!(rules.smooth >= 0 && std::isfinite(rules.smooth))) throw InputError("fields: smooth: expected the width of a kernel in time, in s");
}

void TableSeries::add(const Frame& frame) {
  if (rules_.smooth <= 0) {
    average_.add(frame);
    if (rules_.each == 0 || static_cast<std::size_t>(average_.frames()) < rules_.each) return;
    tables_.push_back(average_.result());
    average_.clear();
    return;
  }
  kept_.push_back({frame.time, (*grainer_)(frame)});
  if (seen_++ % std::max<std::size_t>(rules_.each, 1) == 0) centres_.push_back(frame.time);
  // later frames have no weight in what is a reach behind
  const double behind = frame.time - weight_.reach();
  while (!centres_.empty() && centres_.front() <= behind) {
    tables_.push_back(smoothed(centres_.front()));
    centres_.pop_front();
  }
  // the next centre is one of those that wait, or this frame or later
  const double needed = (centres_.empty() ? frame.time : centres_.front()) - weight_.reach();
  while (kept_.front().time < needed) kept_.pop_front();
}

FieldTable TableSeries::smoothed(double centre) const {
  Averager average(*grainer_, rules_.variances);
  for (const Kept& one : kept_) {
    const double away = one.time - centre, weight = weight_.value(away * away) / weight_.peak();
    if (weight > 0) average.add(one.sums, one.time, weight);
  }
  FieldTable table = average.result();
  table.centre = centre;
  return table;
}

std::vector<FieldTable> TableSeries::tables() const {
  std::vector<FieldTable> all = tables_;
  if (rules_.smooth <= 0 && average_.frames() > 0) all.push_back(average_.result());
  for (const double centre : centres_) all.push_back(smoothed(centre));
  return all;
}

std::map<std::string, std::vector<double>> TableSeries::save() const {
  auto state = average_.save();
  std::vector<double>& done = state["tables"];
  for (const FieldTable& t : tables_) {
    done.insert(done.end(), {t.from, t.to, t.centre, static_cast<double>(t.frames), t.has_contacts ? 1.0 : 0.0, static_cast<double>(t.empty),
                             t.variances.empty() ? 0.0 : 1.0});
    for (const auto* list : {&t.fields, &t.variances})
      for (const Field& one : *list) done.insert(done.end(), one.values.begin(), one.values.end());
  }
  state["centres"] = {static_cast<double>(seen_)};
  state["centres"].insert(state["centres"].end(), centres_.begin(), centres_.end());
  std::vector<double>& kept = state["kept"];
  for (const Kept& one : kept_) {
    kept.insert(kept.end(), {one.time, one.sums.has_contacts ? 1.0 : 0.0});
    kept.insert(kept.end(), one.sums.values.begin(), one.sums.values.end());
  }
  return state;
}

void TableSeries::load(const std::map<std::string, std::vector<double>>& state) {
  average_.load(state);
  tables_.clear();
  kept_.clear();
  centres_.clear();
  for (const char* name : {"tables", "centres", "kept"})
    if (!state.contains(name)) differ();
  const std::size_t size = grainer_->grid().size() * grainer_->layout().size;
  const std::vector<Field> empty = fields_of(*grainer_, std::vector<double>(size, 0.0), true);
  const std::vector<double>& done = state.at("tables");
  std::size_t k = 0;
  const auto next = [&] {
    if (k >= done.size()) differ();
    return done[k++];
  };
  while (k < done.size()) {
    FieldTable t;
    t.from = next();
    t.to = next();
    t.centre = next();
    t.frames = static_cast<std::int64_t>(next());
    t.has_contacts = next() != 0;
    t.empty = static_cast<std::size_t>(next());
    const bool variances = next() != 0;
    t.fields = empty;
    if (variances) t.variances = empty;
    for (auto* list : {&t.fields, &t.variances})
      for (Field& one : *list)
        for (double& value : one.values) value = next();
    tables_.push_back(std::move(t));
  }
  const std::vector<double>&centres = state.at("centres"), &kept = state.at("kept");
  if (centres.empty() || kept.size() % (size + 2) != 0) differ();
  seen_ = static_cast<std::size_t>(centres[0]);
  centres_.assign(centres.begin() + 1, centres.end());
  for (auto at = kept.begin(); at != kept.end(); at += static_cast<std::ptrdiff_t>(size + 2))
    kept_.push_back({at[0], {{at + 2, at + 2 + static_cast<std::ptrdiff_t>(size)}, at[1] != 0}});
}

}  // namespace scree::fields
