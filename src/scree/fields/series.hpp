// SPDX-License-Identifier: BSD-3-Clause
/// Tables of fields from frames that come one after the other: one average of all, averages over so many frames each, or
/// averages with a kernel psi of width T in time about every so many-th frame,
///
///     <sums>(t) = Σ_k psi(t_k - t) sums_k/Σ_k psi(t_k - t)
///
/// psi being the fields' own kernel, in one dimension. Where frames end it is cut; the weights are those of what is there.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "scree/fields/average.hpp"

namespace scree::fields {

struct SeriesRules {
  std::size_t each = 0;   // frames per table; 0: one average of all, and with `smooth` a table for every frame
  double smooth = 0;      // s: width of the kernel in time; 0: none
  bool variances = true;
};

class TableSeries {
 public:
  /// Refers to `grainer`. InputError if the rules are of no use.
  TableSeries(const CoarseGrainer& grainer, const SeriesRules& rules);

  void add(const Frame& frame);
  /// All tables so far; the last ones may lack frames that are still to come.
  std::vector<FieldTable> tables() const;

  /// All that the next `add` depends on, by name, and back: for checkpoints.
  std::map<std::string, std::vector<double>> save() const;
  void load(const std::map<std::string, std::vector<double>>& state);

 private:
  /// Sums of a frame that a table to come may want.
  struct Kept {
    double time;
    FrameSums sums;
  };
  FieldTable smoothed(double centre) const;

  const CoarseGrainer* grainer_;
  SeriesRules rules_;
  Kernel weight_;
  Averager average_;               // without a kernel in time
  std::deque<Kept> kept_;          // with one
  std::deque<double> centres_;     // s: tables that are not done
  std::size_t seen_ = 0;           // frames
  std::vector<FieldTable> tables_; // done
};

}  // namespace scree::fields
