// SPDX-License-Identifier: BSD-3-Clause
/// Fields while a run goes on: frames are added as they come, and the averages travel with the checkpoints. The same
/// code as afterwards on the same frames, so the same numbers, bit for bit.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

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
  int derivatives = 0;
  bool variances = true;
};

class LiveFields {
 public:
  /// `first` is the run's first frame, which fills in what the plan leaves out. InputError names what is wrong.
  LiveFields(const LiveSettings& settings, const RunInfo& info, const Frame& first);

  const LiveSettings& settings() const { return settings_; }
  bool wants(double t) const { return t >= settings_.from && t <= settings_.until; }
  void add(const Frame& frame);
  /// All tables so far; the last one may be of fewer frames. None: `tables` is empty.
  RunFields result(const std::string& run) const;

  std::map<std::string, std::vector<double>> save() const;
  void load(const std::map<std::string, std::vector<double>>& state);

 private:
  LiveSettings settings_;
  Resolved resolved_;
  std::unique_ptr<CoarseGrainer> grainer_;
  Averager average_;
  double grain_radius_;
  std::vector<FieldTable> tables_;  // done
};

}  // namespace scree::fields
