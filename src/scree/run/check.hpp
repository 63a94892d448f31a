// SPDX-License-Identifier: BSD-3-Clause
/// What a scene amounts to before it is run: counts, masses, contact times, steps, restitution,
/// cost and memory.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scree/run/scene.hpp"

namespace scree {

/// Everything `scree check --json` prints. `error`: of the speed after a collision over that before it,
/// for which the advisor is asked.
inline constexpr double usual_error = 1e-3;
nlohmann::json check_scene(AnyScene& scene, double error = usual_error);

}  // namespace scree
