// SPDX-License-Identifier: BSD-3-Clause
/// Averages of fields over frames, with their variances.
///
/// Sums are averaged, and fields are made of the averages: V = <p>/<rho>, so that the balances hold for averages as they do
/// for a frame. The kinetic stress is that of all fluctuations about this V, in a frame and from frame to frame: with the
/// weights rho_k, Σ rho_k (V_k - V)(x)(V_k - V) is added, updated frame by frame (West, Commun. ACM 22, 532 (1979)), so that
/// nothing is lost in differences. Variances are those of the fields of single frames. Frames may have weights w_k (a kernel
/// in time, series.hpp); a variance is then Σ w (f - <f>)²/(Σ w - Σ w²/Σ w), which for equal ones is the usual 1/(n - 1).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "scree/fields/field_set.hpp"

namespace scree::fields {

/// Fields of one average.
struct FieldTable {
  double from = 0, to = 0;        // s: of the first and the last frame
  double centre = std::numeric_limits<double>::quiet_NaN();  // s: that a kernel in time is about; without one there is none
  std::int64_t frames = 0;
  bool has_contacts = false;      // in all frames
  std::vector<Field> fields;
  std::vector<Field> variances;   // of the same names; empty with fewer than two frames
  std::size_t empty = 0;          // points without any grain
  double time() const { return std::isnan(centre) ? 0.5 * (from + to) : centre; }
};

class Averager {
 public:
  /// Refers to `grainer`.
  explicit Averager(const CoarseGrainer& grainer, bool variances = true);

  void add(const Frame& frame) { add((*grainer_)(frame), frame.time); }
  /// Sums of a frame that were made before, with a weight > 0.
  void add(const FrameSums& sums, double time, double weight = 1);
  std::int64_t frames() const { return frames_; }
  FieldTable result() const;
  void clear();

  /// All that the next `add` depends on, by name, and back: for checkpoints.
  std::map<std::string, std::vector<double>> save() const;
  void load(const std::map<std::string, std::vector<double>>& state);

 private:
  const CoarseGrainer* grainer_;
  bool variances_;
  std::int64_t frames_ = 0;
  double from_ = 0, to_ = 0, total_ = 0;  // total: of the weights
  bool has_contacts_ = true;
  std::vector<double> sums_;
  std::vector<double> velocity_, weight_, spread_;  // per point: V so far, its weight, Σ rho (V_k - V)(V_k - V)
  // of every value of every field, one field after the other: weights and their squares, mean, squares about it
  std::vector<double> count_, count2_, mean_, square_;
};

}  // namespace scree::fields
