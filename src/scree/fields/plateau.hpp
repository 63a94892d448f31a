// SPDX-License-Identifier: BSD-3-Clause
/// Choosing w: the volume density, averaged over points on a ring or in a box, against the width. For small w it
/// depends on which grains the points happen to hit; then it comes to a plateau. The plateau begins at the smallest w from
/// which on all values up to the largest stay within `tolerance` of their mean (seed 003, figure 7.3; the tolerance is
/// ours).
#pragma once

#include <string>
#include <vector>

#include "scree/fields/plan.hpp"

namespace scree::fields {

struct PlateauRules {
  std::size_t points = 64;       // on the ring; in a box about as many
  std::size_t widths = 40;       // in equal ratios
  double smallest = 0.2;         // mean radii
  double largest = 0;            // m; 0: where the kernel would reach the border of what the grains cover
  double tolerance = 0.01;       // of the mean
  std::size_t least = 5;         // values that make a plateau
};

struct Plateau {
  std::vector<double> width, mean, spread;  // m; volume density over the points and its standard deviation
  bool found = false;
  double from = 0;                          // m: the smallest w of the plateau
  double level = 0;                         // mean volume density there
};

/// Of a frame. The plan's kernel, boundary, domain and selection count; coordinates r and r-theta take a ring in the
/// middle of the gap, others points in the middle of the box.
Plateau find_plateau(const Frame& frame, const RunInfo& info, const Plan& plan, const PlateauRules& rules = {});

/// Why there is no width, for people.
std::string no_plateau(const Plateau& plateau);

}  // namespace scree::fields
