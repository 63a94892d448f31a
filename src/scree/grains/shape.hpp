// SPDX-License-Identifier: BSD-3-Clause
/// The outline of an angular grain, without its size: corners counter-clockwise about the centre of mass, the
/// farthest of them at distance 1. Grains of one shape and of many sizes share it, their radius being the scale.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/core/vec.hpp"

namespace scree {

struct GrainShape {
  std::vector<Vec<2, double>> corners;
  double area = 0;           // in squares of the radius
  double second_moment = 0;  // ∫ r² dA about the centre, in fourth powers of it
  double inner = 0;          // radius of the largest circle about the centre, in radii
};

/// A grain of shape 0 is round; one of shape k has the k-th outline of its world, counted from 1.
using ShapeIndex = std::uint32_t;

}  // namespace scree
