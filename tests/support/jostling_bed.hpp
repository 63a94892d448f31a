// SPDX-License-Identifier: BSD-3-Clause
/// A bed in which much happens within some hundred steps, for tests that run it in several ways.
#pragma once

#include <array>

#include "tests/support/scenes.hpp"

namespace scree::test {

/// Other settings for as long as it lives.
template <class Settings>
class With {
 public:
  With(Settings& settings, const Settings& now) : settings_(settings), before_(settings) { settings_ = now; }
  ~With() { settings_ = before_; }
  With(const With&) = delete;
  With& operator=(const With&) = delete;

 private:
  Settings& settings_;
  Settings before_;
};

inline constexpr double jostling_radius = 1e-3, jostling_spacing = 1.965e-3;  // m

/// Grains jump at each other and slide.
inline ContactLaws jostling_laws() {
  ContactLaws laws;
  laws.normal = HertzTsuji{2e7, 0.2};
  laws.tangential = CundallStrack{2e3, 0.3, 0.01};
  return laws;
}

/// A lattice of grains that jostle, some touching from the start, in a box that is periodic or not along each axis, on a floor where it
/// is not. `wild`: how fast, m/s; `least`: radii from so much of the largest on.
template <int D>
Scene<D, double> jostling_bed(const std::array<int, D>& sides, const std::array<bool, D>& periodic, const ContactLaws& laws, double wild, double least) {
  auto scene = empty_scene<D>(laws, "velocity-verlet");
  std::uint32_t id = 0;
  std::array<int, 3> at{};
  const int depth = D == 3 ? sides[2 % D] : 1;
  for (at[0] = 0; at[0] < sides[0]; ++at[0])
    for (at[1] = 0; at[1] < sides[1]; ++at[1])
      for (at[2] = 0; at[2] < depth; ++at[2]) {
        Random random(5, 1, id++);
        Vec<D, double> x, v;
        for (int k = 0; k < D; ++k) {
          x[k] = (at[static_cast<std::size_t>(k)] + 0.5) * jostling_spacing;
          v[k] = random.uniform(-wild, wild);
        }
        add_grain<D>(scene, x, v, jostling_radius * random.uniform(least, 1.0));
      }
  Vec<D, double> up{};
  up[D - 1] = 1;
  if (!periodic[D - 1]) add_plane<D>(scene, {}, up);
  scene.world.domain.gravity[D - 1] = periodic[D - 1] ? 0 : -9.81;
  scene.world.domain.gravity[0] = 1;
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    scene.world.domain.periodic[axis] = periodic[axis];
    scene.world.domain.hi[k] = sides[axis] * jostling_spacing;
  }
  scene.run.skin = 2e-4;
  return scene;
}

}  // namespace scree::test
