// SPDX-License-Identifier: BSD-3-Clause
/// What tells whether two codes did the same work: numbers of a bed's final state, computed here from the
/// dumps that every code leaves, so that all are measured by one ruler.
#pragma once

#include "scree/bench/beds.hpp"

namespace scree {

struct BedStatistics {
  double coordination = 0;  // mean number of grains that a grain which may move touches; walls do not count
  double kinetic = 0;       // J, of translation
  double height = 0;        // m, centre of mass of the grains that may move; 0 in the gas
  double runout = 0;        // m, W3: 99 % of the grains lie to the left of it (single ones fly ahead)
};

BedStatistics statistics_of(const BedInfo& bed, const LammpsDump& state);

}  // namespace scree
