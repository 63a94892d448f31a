// SPDX-License-Identifier: BSD-3-Clause
/// What tells whether two codes did the same work: numbers of a bed's final state, computed here from the
/// dumps that every code leaves, so that all are measured by one ruler.
#pragma once

#include "scree/bench/beds.hpp"

namespace scree {

struct BedStatistics {
  double coordination = 0;  // mean number of grains that a grain which may move touches; walls do not count. A mean over all looks
  double kinetic = 0;       // J, of translation
  double height = 0;        // m, centre of mass of the grains that may move; 0 in the gas
  double runout = 0;        // m, W3: 99 % of the grains lie to the left of it (single ones fly ahead)
};

BedStatistics statistics_of(const BedInfo& bed, const LammpsDump& state);

/// Of a run that is looked at several times: at its end, and later.
class RunStatistics {
 public:
  RunStatistics(const BedInfo& bed, const LammpsDump& end) : bed_(bed), at_end_(statistics_of(bed, end)), sum_(at_end_.coordination) {}
  void look(const LammpsDump& state);
  BedStatistics result() const;

 private:
  const BedInfo& bed_;
  BedStatistics at_end_;
  double sum_;
  int looks_ = 1;
};

}  // namespace scree
