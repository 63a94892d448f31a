// SPDX-License-Identifier: BSD-3-Clause
/// What the studies of the Taylor-Couette cell share: its scene, and how fast the inner wall of a frame turns.
#pragma once

#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

/// scenes/taylor-couette.toml with changes ("a.b=value"); small: of 300 discs, for a quick look.
std::string couette_scene(bool small, const std::vector<std::string>& changes);

/// The held grains within r of the middle, the inner wall: mean tangential speed (m/s) and rate (rad/s), without sign. 0 if none are there.
struct WallMotion {
  double speed = 0, rate = 0;
};
WallMotion inner_wall(const Frame& frame, double r);

}  // namespace scree
