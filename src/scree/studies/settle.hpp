// SPDX-License-Identifier: BSD-3-Clause
/// A rested start for many runs: the grains of a scene with [prepare] after they have come to rest,
/// in plain numbers, so that runs with other laws, schemes and number types can begin from the same
/// state.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/io/checkpoint.hpp"
#include "scree/run/scene.hpp"

namespace scree {

/// In id order, component after component.
struct Settled {
  std::vector<double> x, v, q, w;
  struct Spring {
    std::uint32_t id1, id2;
    std::array<double, 3> zeta, roll;
  };
  std::vector<Spring> springs;
  std::vector<double> servos;  // displacement, speed and force of each; empty if there is none
};

/// The state in a checkpoint of a run in double, of `dim` dimensions.
Settled settled_from(const Checkpoint& checkpoint, int dim);

/// Moves a copy of the scene from t < 0 until it rests or its [prepare] time is over, as `run`
/// does, and with the same cache: the answer depends on the scene alone. The scene is one in
/// double. Throws RunError on a fault.
Settled settle(const AnyScene& scene);

}  // namespace scree
