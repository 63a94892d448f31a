// SPDX-License-Identifier: BSD-3-Clause
/// The border of a sheared periodic box (Lees and Edwards, J. Phys. C 5, 1921, 1972). The image one period L_y up
/// moves along x with the speed γ' L_y and is ahead by γ' L_y t, of which whole periods along x are taken off. A
/// grain that leaves at the top comes back at the bottom behind by as much, and slower.
#pragma once

#include "scree/grains/world.hpp"

namespace scree {

template <int D, class T>
struct Tilt {
  bool on = false;
  T way{};    // γ' L_y t: how far the image above has gone
  T ahead{};  // the same without whole periods, in [-L_x/2, L_x/2)
  T speed{};  // of the image above, 0 before the shear begins

  Tilt() = default;
  Tilt(const Domain<D>& domain, const T& t) : on(domain.shear.rate != 0) {
    if (!on || t < T(domain.shear.from)) return;
    using std::floor;
    const T length = T(domain.hi[0]) - T(domain.lo[0]);
    speed = T(domain.shear.rate) * (T(domain.hi[1]) - T(domain.lo[1]));
    way = speed * (t - T(domain.shear.from));
    ahead = way - length * floor(way / length + T(0.5));
  }

  /// How far along x the image of a neighbour is from itself, if the neighbour is at `d` along y.
  T shift(const T& dy, const T& period) const {
    const T half = period * T(0.5);
    return dy < -half ? ahead : (dy > half ? -ahead : T(0));
  }
  /// How much faster it is.
  T boost(const T& dy, const T& period) const {
    const T half = period * T(0.5);
    return dy < -half ? speed : (dy > half ? -speed : T(0));
  }
};

}  // namespace scree
