// SPDX-License-Identifier: BSD-3-Clause
/// Random sequential insertion, for the builders that place grains at random.
#pragma once

#include <algorithm>
#include <numeric>

#include "scree/core/names.hpp"
#include "scree/scenes/build.hpp"
#include "scree/scenes/overlap_grid.hpp"

namespace scree::insertion {

inline constexpr double pi = 3.141592653589793238462643383279;
inline constexpr std::int64_t most_tries = 100'000;

template <int D> double volume(double r) { return D == 2 ? pi * r * r : 4 * pi / 3 * r * r * r; }

/// Random sequential insertion of `count` grains; place(random, r) draws a place. Returns how many
/// found room: all, or fewer.
template <int D, class Place> std::int64_t insert(const Site<D>& site, std::int64_t count,
                                                  std::int64_t tries, OverlapGrid<D>& grid,
                                                  Sketch<D>& sketch, Place place) {
  const std::size_t first = sketch.size(), n = std::size_t(count);
  for (std::size_t k = 0; k < n; ++k) sketch.add({}, site.radius(first + k, k));
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return sketch.r[first + a] > sketch.r[first + b]; });
  std::int64_t placed = 0;
  for (const auto k : order) {
    const double r = sketch.r[first + k];
    Random random = site.random(Draw::place, first + k);
    bool found = false;
    for (std::int64_t t = 0; t < tries && !found; ++t) {
      const Vec<D, double> x = place(random, r);
      if (grid.overlaps(x, r)) continue;
      grid.add(x, r, static_cast<std::uint32_t>(first + k));
      sketch.x[first + k] = x;
      found = true;
    }
    if (!found) return placed;
    ++placed;
  }
  return placed;
}

inline void check_tries(std::int64_t tries) {
  if (tries > most_tries)
    throw BuildError("tries", "expected at most " + std::to_string(most_tries));
}

[[noreturn]] inline void saturated(std::int64_t placed, std::int64_t count, double filled,
                                   std::int64_t tries) {
  throw BuildError(
      "count",
      "room for only " + std::to_string(placed) + " of " + std::to_string(count) +
          " grains, which fill " + brief(filled) + " of the region (" + std::to_string(tries) +
          " tries for the next one failed); expected fewer or smaller grains, or a larger region");
}

}  // namespace scree::insertion
