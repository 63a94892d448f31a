// SPDX-License-Identifier: BSD-3-Clause
/// Averages of fields over frames, with their variances.
///
/// Sums are averaged, and fields are made of the averages: V = <p>/<rho>, so that the balances hold for averages as they do
/// for a frame. The kinetic stress is that of all fluctuations about this V, in a frame and from frame to frame: with the
/// weights rho_k, Σ rho_k (V_k - V)(x)(V_k - V) is added, updated frame by frame (West, Commun. ACM 22, 532 (1979)), so that
/// nothing is lost in differences. Variances are those of the fields of single frames.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scree/fields/field_set.hpp"

namespace scree::fields {

/// Fields of one average.
struct FieldTable {
  double from = 0, to = 0;        // s: of the first and the last frame
  std::int64_t frames = 0;
  bool has_contacts = false;      // in all frames
  std::vector<Field> fields;
  std::vector<Field> variances;   // of the same names; empty with fewer than two frames
  std::size_t empty = 0;          // points without any grain
  double time() const { return 0.5 * (from + to); }
};

class Averager {
 public:
  /// Refers to `grainer`.
  explicit Averager(const CoarseGrainer& grainer, bool variances = true);

  void add(const Frame& frame);
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
  double from_ = 0, to_ = 0;
  bool has_contacts_ = true;
  std::vector<double> sums_;
  std::vector<double> velocity_, weight_, spread_;  // per point: V so far, its weight, Σ rho (V_k - V)(V_k - V)
  std::vector<double> count_, mean_, square_;       // of every value of every field, one field after the other
};

}  // namespace scree::fields
