// SPDX-License-Identifier: BSD-3-Clause
/// When has a flow become steady? Of a series y_1 … y_n taken at equal intervals, the beginning is left out for which
/// the rest has the smallest standard error as if its values were independent,
///
///     d = argmin_d  Σ_{k > d} (y_k - mean)²/(n - d)²,
///
/// the marginal standard error rule on means of five (MSER-5; White, Simulation 69, 323 (1997)). A start that still
/// drifts widens the sum by more than its length is worth. If the best d lies in the second half of the series, the
/// series has not become steady; nor has it if the two halves of the rest differ by more than three of their standard
/// errors, which are those of means over batches, since neighbours in time are not independent.
#pragma once

#include <cstddef>
#include <vector>

namespace scree {

struct Steady {
  bool steady = false;
  std::size_t from = 0;   // first value of the steady part
  double mean = 0, stderr_ = 0;
};

/// Needs at least 40 values; fewer are not steady.
Steady find_steady(const std::vector<double>& series);

}  // namespace scree
