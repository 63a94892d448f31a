// SPDX-License-Identifier: BSD-3-Clause
/// Fields of a run: its frames, a plan, and out come tables of fields. The one call for the command line, studies and
/// discovery:
///
///     Plan plan;
///     plan.coordinates = "r";  plan.counts = {48};  plan.width = 0.0074;  plan.boundary = "wall";
///     const RunFields f = fields_of_run(run, chosen_frames(run, parse_frames("-600:")), plan);
///     const Field* v = find_field(f.tables[0].fields, "velocity");   // components r, t; v->values[2 * ring + 1]
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scree/fields/plan.hpp"
#include "scree/fields/series.hpp"
#include "scree/io/run_file.hpp"

namespace scree::fields {

/// Everything that a fields file holds.
struct RunFields {
  std::string run;                 // where the frames came from
  std::string kernel, boundary, domain;
  double width = 0, reach = 0;     // m
  double grain_radius = 0;         // m, mean of the free grains: a scale for people
  Grid grid;
  std::vector<FieldTable> tables;  // one, or a series in time
  std::vector<std::vector<Field>> derivatives;  // per table; empty unless asked for
  std::vector<std::string> notes;  // what was chosen, and what could not be said
};

struct RunFieldsOptions {
  std::size_t each = 0;     // frames per table; 0: one average of all
  double smooth = 0;        // s: width of a kernel in time, see series.hpp
  bool variances = true;
  int derivatives = 0;      // order of finite differences of all fields; 0: none
  std::function<void(std::size_t, std::size_t)> progress;  // frames done, frames in all
};

RunFields fields_of_run(const RunReader& run, const std::vector<std::size_t>& frames, const Plan& plan,
                        const RunFieldsOptions& options = {});

/// The head of what tables of this grainer go into.
RunFields described(const CoarseGrainer& grainer, const std::string& run, double grain_radius);
/// What the tables cannot say and why, added to the notes.
void note_gaps(RunFields& fields, const CoarseGrainer& grainer);
/// Derivatives of all fields along all coordinates, and in time where there is a series long enough.
void add_derivatives(RunFields& fields, int order);

}  // namespace scree::fields
