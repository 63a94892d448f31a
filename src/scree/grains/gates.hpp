// SPDX-License-Identifier: BSD-3-Clause
/// Where grains come in and go out while a run goes on. Who comes when is a function of the scene, the time and
/// the grains that are there: neither threads nor lists have a say.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "scree/core/vec.hpp"
#include "scree/grains/motion.hpp"

namespace scree {

/// A box, or the half-space behind a plane.
template <int D>
struct Region {
  bool half_space = false;
  Vec<D, double> lo{}, hi{};         // of a box
  Vec<D, double> point{}, normal{};  // of a plane: the unit normal points away from the region

  template <class T>
  bool has(const Vec<D, T>& x) const {
    if (half_space) return dot(x - convert<T>(point), convert<T>(normal)) < T(0);
    for (int k = 0; k < D; ++k)
      if (x[k] < T(lo[k]) || x[k] > T(hi[k])) return false;
    return true;
  }
};

/// Grains that come in: the k-th (k = 0, 1, …) at `from` + k/`rate`, at a random place of a box where it touches
/// nobody. One that finds no room waits, and those behind it wait too: leaving it out would favour the small.
template <int D>
struct Inlet {
  std::string name;
  Region<D> region;
  double rate = 0;                        // grains per s
  double from = 0, until = forever;       // s
  std::int64_t count = 0;                 // at most; 0: no limit
  double r_min = 0, r_max = 0;            // m, uniform
  std::uint32_t shape_first = 0, shape_count = 0;  // of the world's shapes, one drawn for each; 0: round
  double turn_min = 0, turn_max = 0;      // rad, of angular grains, uniform
  std::uint16_t material = 0, group = 0;
  bool rotates = true;
  Vec<D, double> velocity{};              // m/s
  Vec<spin_size<D>, double> spin{};       // rad/s
  std::int64_t tries = 100;               // for one grain in one step
  double every = 0;                       // s: only at multiples of it; 0: as soon as due
  std::uint64_t seed = 1;

  /// Grains due by a time.
  std::int64_t due(double t) const {
    if (t < from) return 0;
    const double latest = t < until ? t : until, n = (latest - from) * rate;
    std::int64_t k = n < 1e15 ? static_cast<std::int64_t>(n) + 1 : static_cast<std::int64_t>(1e15);
    if (!(t < until) && static_cast<double>(k - 1) >= n) --k;  // what would come at `until` does not
    return count > 0 && k > count ? count : k;
  }
};

/// Free grains whose centre is in the region are taken out.
template <int D>
struct Outlet {
  std::string name;
  Region<D> region;
  double from = 0, until = forever;  // s
  double every = 0;                  // s: only at multiples of it; 0: after every step
};

/// What has passed a gate so far.
template <class T>
struct Tally {
  std::int64_t count = 0;
  T mass{};
};

/// Whether a multiple of `every` since `from` lies in (t - h, t]; always if it is 0.
inline bool falls_due(double t, double h, double from, double every) {
  if (!(every > 0)) return true;
  return std::floor((t - from) / every + 1e-9) > std::floor((t - h - from) / every + 1e-9);
}

}  // namespace scree
