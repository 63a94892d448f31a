// SPDX-License-Identifier: BSD-3-Clause
/// The arithmetic that every integrator does on every grain, on plain arrays of doubles: compiled for
/// several instruction sets, of which the machine's best is chosen when the program starts (SCREE_SIMD as
/// for the contact kernels). Each number is rounded as in the loop one would write, so no bit changes.
#pragma once

#include <cstddef>

#include "scree/core/vec.hpp"

namespace scree {

struct Moves {
  /// y += h x
  void (*add)(double* y, const double* x, double h, std::size_t n);
  /// q becomes the unit quaternion along q + h q', q' = ½ (0, w) q.
  void (*turn)(Vec<4, double>* q, const Vec<3, double>* w, double h, std::size_t n);
};

const Moves& moves();

}  // namespace scree
