// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/live.hpp"

#include "scree/analysis/deposit.hpp"
#include "scree/core/errors.hpp"
#include "scree/fields/derivatives.hpp"

namespace scree::fields {

LiveFields::LiveFields(const LiveSettings& settings, const RunInfo& info, const Frame& first)
    : settings_(settings), resolved_(resolve(settings.plan, info, first)),
      grainer_(std::make_unique<CoarseGrainer>(resolved_.grid, resolved_.settings, resolved_.around)),
      average_(*grainer_, settings.variances && settings.each != 1), grain_radius_(mean_free_radius(first)) {
  check_derivatives(resolved_.grid, settings.derivatives);
}

void LiveFields::add(const Frame& frame) {
  average_.add(frame);
  if (settings_.each == 0 || static_cast<std::size_t>(average_.frames()) < settings_.each) return;
  tables_.push_back(average_.result());
  average_.clear();
}

RunFields LiveFields::result(const std::string& run) const {
  RunFields f = described(*grainer_, run, grain_radius_);
  f.notes = resolved_.notes;
  f.tables = tables_;
  if (average_.frames() > 0) f.tables.push_back(average_.result());
  if (f.tables.empty()) return f;
  note_gaps(f, *grainer_);
  if (settings_.derivatives > 0) add_derivatives(f, settings_.derivatives);
  return f;
}

std::map<std::string, std::vector<double>> LiveFields::save() const {
  auto state = average_.save();
  std::vector<double>& done = state["tables"];
  for (const FieldTable& t : tables_) {
    done.insert(done.end(), {t.from, t.to, static_cast<double>(t.frames), t.has_contacts ? 1.0 : 0.0, static_cast<double>(t.empty),
                             t.variances.empty() ? 0.0 : 1.0});
    for (const auto* list : {&t.fields, &t.variances})
      for (const Field& one : *list) done.insert(done.end(), one.values.begin(), one.values.end());
  }
  return state;
}

void LiveFields::load(const std::map<std::string, std::vector<double>>& state) {
  average_.load(state);
  tables_.clear();
  const auto at = state.find("tables");
  if (at == state.end()) throw RunError("the checkpoint has other fields than the scene");
  const std::vector<double>& done = at->second;
  const std::vector<Field> empty =
      fields_of(*grainer_, std::vector<double>(grainer_->grid().size() * grainer_->layout().size, 0.0), true);
  std::size_t k = 0;
  const auto next = [&] {
    if (k >= done.size()) throw RunError("the checkpoint has other fields than the scene");
    return done[k++];
  };
  while (k < done.size()) {
    FieldTable t;
    t.from = next();
    t.to = next();
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
}

}  // namespace scree::fields
