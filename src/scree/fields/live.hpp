// SPDX-License-Identifier: BSD-3-Clause
/// Fields while a run goes on: frames are added as they come, and the averages travel with the checkpoints. The same
/// code as afterwards on the same frames, so the same numbers, bit for bit.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/fields/plateau.hpp"
#include "scree/fields/run_fields.hpp"

namespace scree::fields {

/// A [[fields]] block of a scene.
struct LiveSettings {
  std::string name = "fields";       // of the file: NAME.h5 in the run's folder
  Plan plan;
  double every = 0;                  // s; 0: by steps
  std::int64_t steps = 0;            // both 0: with every snapshot
  double from = -std::numeric_limits<double>::infinity(), until = std::numeric_limits<double>::infinity();  // s
  std::size_t each = 0;              // frames per table; 0: one average
  double smooth = 0;                 // s: width of a kernel in time (series.hpp); 0: none
  int derivatives = 0;
  bool variances = true;
  bool plateau = false;              // the width is the smallest on the plateau of the first frame (plateau.hpp)
  std::vector<std::string> formats{"h5"};  // of field_output.hpp
};

class LiveFields {
 public:
  /// `first` is the run's first frame, which fills in what the plan leaves out. InputError names what is wrong.
  LiveFields(const LiveSettings& settings, const RunInfo& info, const Frame& first);

  const LiveSettings& settings() const { return settings_; }
  bool wants(double t) const { return t >= settings_.from && t <= settings_.until; }
  void add(const Frame& frame) { series_->add(frame); }
  /// All tables so far; the last ones may be of fewer frames. None: `tables` is empty.
  RunFields result(const std::string& run) const;
  /// Of the first frame, if the width was chosen by it.
  const std::optional<Plateau>& plateau() const { return plateau_; }

  std::map<std::string, std::vector<double>> save() const { return series_->save(); }
  void load(const std::map<std::string, std::vector<double>>& state) { series_->load(state); }

 private:
  LiveSettings settings_;
  std::optional<Plateau> plateau_;
  Resolved resolved_;
  std::unique_ptr<CoarseGrainer> grainer_;
  std::unique_ptr<TableSeries> series_;
  double grain_radius_;
};

}  // namespace scree::fields
