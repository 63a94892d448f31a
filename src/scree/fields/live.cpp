// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/live.hpp"

#include "scree/analysis/deposit.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/derivatives.hpp"
#include "scree/fields/field_output.hpp"

namespace scree::fields {

LiveFields::LiveFields(const LiveSettings& settings, const RunInfo& info, const Frame& first)
    : settings_(settings), grain_radius_(mean_free_radius(first)) {
  if (settings_.plateau) {
    plateau_ = find_plateau(first, info, settings_.plan);
    if (!plateau_->found) throw RunError("fields " + in_quotes(settings_.name) + ": " + no_plateau(*plateau_) + "; expected a width");
    settings_.plan.width = plateau_->from;
  }
  resolved_ = resolve(settings_.plan, info, first);
  check_derivatives(resolved_.grid, settings_.derivatives);
  check_formats(resolved_.grid, settings_.formats);
  if (plateau_) resolved_.notes.push_back("width " + brief(plateau_->from) + " m: the smallest on the plateau of the mean volume density");
  grainer_ = std::make_unique<CoarseGrainer>(resolved_.grid, resolved_.settings, resolved_.around);
  series_ = std::make_unique<TableSeries>(*grainer_, SeriesRules{settings_.each, settings_.smooth, settings_.variances});
}

RunFields LiveFields::result(const std::string& run) const {
  RunFields f = described(*grainer_, run, grain_radius_);
  f.notes = resolved_.notes;
  f.tables = series_->tables();
  if (f.tables.empty()) return f;
  note_gaps(f, *grainer_);
  if (settings_.derivatives > 0) add_derivatives(f, settings_.derivatives);
  return f;
}

}  // namespace scree::fields
