// SPDX-License-Identifier: BSD-3-Clause
/// When several steps go through a bed at once (ahead.cpp). Results do not depend on it; tests lower the numbers to see it in
/// small scenes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace scree {

inline struct AheadSettings {
  double from = 36000;      // grains: fewer are held by the caches, and are stored as the search likes
  double cache = 32e6;      // bytes that grains under way may take; a bed that takes two thirds of it goes step by step
  std::int64_t most = 8;    // steps
} ahead_settings;

/// Grains stored in slabs along one axis, each in columns along a second.
struct Slabs {
  struct Axis {
    int k = 0;
    bool ring = false;   // along a period
    std::int64_t count = 1;
    double lo = 0, width = 1;
    bool moves = false;  // grains wander along it
  };
  std::array<Axis, 2> axis;
  std::vector<std::uint32_t> begin;    // of column c of slab s, at s · axis[1].count + c; then the end
  std::vector<std::uint8_t> outside;   // of columns: has some grain to be brought back into the periods?
  std::int64_t strips = 1;             // into which columns are dealt
  std::int64_t most = 1;               // steps at once, with this list
  bool linked = true;                  // pairs lead to the same slab or the next
  int age = 0;                         // lists since then
  bool sparse = false;                 // so few pairs that it does not pay
  double least_radius = 0;             // m
  double bytes = 0;                    // of the fullest slab, within a strip
};

/// Of several steps at once, so many at most go through the bed together where threads share the cache: what is foreseen and checked must not
/// depend on how many threads there are, so these may take the steps in several passes. A step touches some two thirds of what belongs to a grain.
inline std::int64_t steps_in_pass(const Slabs& slabs, std::int64_t steps, int threads) {
  if (threads == 1) return steps;
  const auto fit = static_cast<std::int64_t>(ahead_settings.cache * 1.5 / (2 * slabs.bytes * threads)) - 1;
  const std::int64_t most = std::max<std::int64_t>(fit, 4), passes = (steps + most - 1) / most;
  return (steps + passes - 1) / passes;
}

/// How far grains come in a step: the longest way, and of two with respect to each other.
template <class T>
struct StepWays {
  T longest{}, apart{};
  static StepWays unknown() { return {T(std::numeric_limits<double>::infinity()), T(std::numeric_limits<double>::infinity())}; }
  bool known() const { return longest < T(std::numeric_limits<double>::infinity()); }
};

}  // namespace scree
