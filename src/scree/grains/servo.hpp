// SPDX-License-Identifier: BSD-3-Clause
/// A servo: a plane wall, or the held grains of a group as one rigid body, pressed along a direction n by an
/// imposed force F against the grains, which push back with N (the sum of their forces along -n):
///
///     M u' = F - N - c u,   displacement along n: s' = u
///
/// With M = 0 it is the overdamped servo of da Cruz, Emam, Prochnow, Roux and Chevoir, Phys. Rev. E 72, 021309
/// (2005), u = (F - N)/c. Within a step u is constant; after it u takes the value
///
///     u_{n+1} = (M u_n + h (F - N_{n+1})) / (M + h c),  at most `max_speed`,
///
/// implicit in the damping, so that any c is stable by itself. Other directions are the motion's, if there is one.
#pragma once

#include "scree/core/vec.hpp"
#include "scree/grains/motion.hpp"

namespace scree {

template <int D>
struct Servo {
  bool on = false;
  Vec<D, double> direction{};  // unit: where it presses
  double force = 0;            // N, imposed
  double mass = 0;             // kg
  double damping = 0;          // kg/s; mass or damping is positive
  double max_speed = forever;  // m/s
  double from = -forever, until = forever;  // s; outside it stands still
};

/// Where a servo is.
template <class T>
struct Servoed {
  T s{}, u{};       // m, m/s
  T pushed_back{};  // N, by the grains, in the last step
};

}  // namespace scree
