// SPDX-License-Identifier: BSD-3-Clause
/// What a scene amounts to before it is run: counts, masses, contact times, steps, restitution,
/// cost and memory.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scree/run/scene.hpp"

namespace scree {

/// Everything `scree check --json` prints.
nlohmann::json check_scene(AnyScene& scene);

}  // namespace scree
