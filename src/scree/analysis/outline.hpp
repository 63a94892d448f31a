// SPDX-License-Identifier: BSD-3-Clause
/// The outline of a grain of a frame, for those who draw it.
#pragma once

#include <cmath>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/core/vec.hpp"

namespace scree {

inline bool is_angular(const Frame& f, std::size_t i) { return !f.shape.empty() && f.shape[i] > 0; }

/// Corners of grain i, counter-clockwise; of a round one a regular polygon of `round` corners. `shapes` as in RunInfo.
inline std::vector<Vec<2, double>> outline_of(const Frame& f, std::size_t i, const std::vector<std::vector<Vec<2, double>>>& shapes,
                                              int round = 32) {
  std::vector<Vec<2, double>> corners;
  if (is_angular(f, i)) {
    corners = shapes.at(static_cast<std::size_t>(f.shape[i] - 1));
  } else {
    for (int k = 0; k < round; ++k) corners.push_back({std::cos(6.283185307179586 * k / round), std::sin(6.283185307179586 * k / round)});
  }
  const Vec<1, double> turn{f.q.empty() ? 0.0 : f.q[i]};
  for (auto& corner : corners) corner = Vec<2, double>{f.x[2 * i], f.x[2 * i + 1]} + rotate(turn, corner) * f.radius[i];
  return corners;
}

}  // namespace scree
