// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/run_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "scree/analysis/deposit.hpp"
#include "scree/core/errors.hpp"
#include "scree/fields/derivatives.hpp"

namespace scree::fields {

RunFields described(const CoarseGrainer& grainer, const std::string& run, double grain_radius) {
  RunFields f;
  f.run = run;
  f.kernel = name_of(grainer.settings().kernel);
  f.boundary = name_of(grainer.settings().border);
  f.domain = grainer.settings().domain.text(grainer.grid().dim);
  f.width = grainer.kernel().width();
  f.reach = grainer.kernel().reach();
  f.grain_radius = grain_radius;
  f.grid = grainer.grid();
  return f;
}

namespace {

/// A series may end in a table of one frame, whose variances nobody knows; its columns are those of the others.
void fill_variances(std::vector<FieldTable>& tables) {
  if (std::all_of(tables.begin(), tables.end(), [](const FieldTable& t) { return t.variances.empty(); })) return;
  for (FieldTable& t : tables) {
    if (!t.variances.empty()) continue;
    t.variances = t.fields;
    for (Field& one : t.variances) std::fill(one.values.begin(), one.values.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace

void note_gaps(RunFields& f, const CoarseGrainer& grainer) {
  fill_variances(f.tables);
  std::size_t empty = 0;
  bool contacts = true;
  for (const FieldTable& t : f.tables) {
    empty = std::max(empty, t.empty);
    contacts = contacts && t.has_contacts;
  }
  if (!contacts)
    f.notes.push_back("warning: the frames have no contacts (output.contacts = true records them): stress, fabric, coordination, "
                      "pressure, mu and inertial number are masked (nan)");
  if (grainer.outside() > 0)
    f.notes.push_back(fmt::format("warning: {} of {} points are outside the domain and masked (nan)", grainer.outside(), f.grid.size()));
  if (empty > 0)
    f.notes.push_back(fmt::format("warning: {} of {} points have no grain within reach: velocities and what is divided by density are masked "
                                  "(nan) there", empty, f.grid.size()));
  if (!grainer.kernel().smooth())
    f.notes.push_back("warning: heaviside has no gradient: shear rate and inertial number are masked (nan)");
}

void add_derivatives(RunFields& f, int order) {
  f.derivatives.assign(f.tables.size(), {});
  for (std::size_t t = 0; t < f.tables.size(); ++t)
    for (std::size_t k = 0; k < f.grid.ticks.size(); ++k) {
      if (f.grid.ticks[k].size() == 1) continue;
      for (const Field& one : f.tables[t].fields) f.derivatives[t].push_back(derivative(f.grid, one, k, order));
    }
  if (f.tables.size() < static_cast<std::size_t>(order) + 1) return;
  for (const Field& one : f.tables[0].fields) {
    const std::vector<Field> rates = time_derivative(f.tables, one.name, order);
    for (std::size_t t = 0; t < f.tables.size(); ++t) f.derivatives[t].push_back(rates[t]);
  }
}

RunFields fields_of_run(const RunReader& run, const std::vector<std::size_t>& frames, const Plan& plan,
                        const RunFieldsOptions& options) {
  if (frames.empty()) throw InputError(run.path().string() + " has no frames");
  Frame frame = run.frame(frames.front());
  const Resolved r = resolve(plan, run.info(), frame);
  check_derivatives(r.grid, options.derivatives);
  const CoarseGrainer grainer(r.grid, r.settings, r.around);
  RunFields f = described(grainer, run.path().string(), mean_free_radius(frame));
  f.notes = r.notes;
  TableSeries series(grainer, {options.each, options.smooth, options.variances && frames.size() > 1});
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (k > 0) frame = run.frame(frames[k]);
    series.add(frame);
    if (options.progress) options.progress(k + 1, frames.size());
  }
  f.tables = series.tables();
  note_gaps(f, grainer);
  if (options.derivatives > 0) add_derivatives(f, options.derivatives);
  return f;
}

}  // namespace scree::fields
