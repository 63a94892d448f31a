// SPDX-License-Identifier: BSD-3-Clause
/// A book of collisions: what the energy of a system of equal spheres should lose to them, as
/// Hofmann (seed 004, equations 12 and 13) expects it. A collision that begins with the normal
/// velocity v takes ½ m* v² (1 - e²), with the restitution e of its law when attraction is allowed.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/run/scene.hpp"

namespace scree {

class CollisionBook {
 public:
  /// Spheres of one size and one law, and plane walls.
  explicit CollisionBook(const Scene<3, double>& scene);

  /// Energy that the collisions which began since the last look should take. What touches at the
  /// first look is no collision.
  double lost(const Frame& frame);

  std::int64_t collisions = 0;

 private:
  std::vector<Wall<3>> walls_;
  std::vector<bool> touches_;  // pairs i * n + j, then grains and walls
  ContactLaws laws_;
  double mass_ = 0, radius_ = 0;
};

}  // namespace scree
