// SPDX-License-Identifier: BSD-3-Clause
/// Reading a scene from memory, and the limits a hostile file runs into. The common door is
/// read_scene() in scene.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/run/scene.hpp"

namespace scree {

struct ReadLimits {
  std::int64_t grains = 50'000'000;
};

/// `name` stands for the file in messages; relative CSV files start from its folder.
AnyScene read_scene_text(std::string text, const std::string& name,
                         const std::vector<std::string>& overrides = {},
                         const ReadLimits& limits = {});

}  // namespace scree
