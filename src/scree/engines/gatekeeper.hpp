// SPDX-License-Identifier: BSD-3-Clause
/// Who comes in and who goes out at an instant: a function of the grains and walls that are there, of the time and
/// of the step. The engine (exchange.cpp) does what is decided here.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/neighbours/search.hpp"
#include "scree/shapes/wall.hpp"

namespace scree {

/// A grain that has found its place.
template <int D, class T>
struct Arrival {
  std::size_t inlet;
  Vec<D, T> x;
  T r;
  ShapeIndex shape = 0;
  double turn = 0;  // rad
};

/// For every grain 1 + the outlet that takes it, or 0.
template <int D, class T>
std::vector<std::uint16_t> departures(const World<D, T>& world, const Column<std::uint8_t>& present, const T& t,
                                      const T& h);

/// Those who come in, in the order of their ids. `there`: who counts as an obstacle.
template <int D, class T>
std::vector<Arrival<D, T>> arrivals(const World<D, T>& world, const std::vector<std::uint8_t>& there,
                                    const std::vector<WallPose<D, T>>& walls, const Periods<D, T>& periods, const T& t,
                                    const T& h, std::int64_t step);

}  // namespace scree
