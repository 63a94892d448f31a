// SPDX-License-Identifier: BSD-3-Clause
/// Outlines of grains at rest in a world, in doubles: for checks before a run. (The engine places its own, once per
/// evaluation.)
#pragma once

#include <vector>

#include "scree/grains/world.hpp"
#include "scree/shapes/share.hpp"

namespace scree {

/// Corners about the grain's centre; none of a round one.
template <class T>
std::vector<Vec<2, double>> placed_outline(const World<2, T>& world, std::size_t i) {
  const ShapeIndex shape = world.grains.shape[i];
  if (shape == 0) return {};
  const auto& corners = world.shapes[shape - 1].corners;
  std::vector<Vec<2, double>> out(corners.size());
  turn_outline(corners.data(), static_cast<int>(corners.size()), static_cast<double>(world.grains.r[i]),
               convert<double>(world.state.q[i]), out.data());
  return out;
}

/// How deep two grains at a distance d are in each other: shared area over the length of its chord.
template <class T>
double depth_of_outlines(const World<2, T>& world, std::size_t i, std::size_t j, const Vec<2, double>& d) {
  const auto a = placed_outline(world, i), b = placed_outline(world, j);
  const auto shape = [&](std::size_t k, const auto& corners) {
    return PlacedShape<double>{corners.data(), static_cast<int>(corners.size()), static_cast<double>(world.grains.r[k])};
  };
  const SharedArea<double> shared = share(shape(i, a), shape(j, b), d);
  if (!shared) return 0;
  const double chord = norm(shared.gradient);
  return shared.area / (chord > 0 ? chord : sqrt(shared.area));
}

}  // namespace scree
