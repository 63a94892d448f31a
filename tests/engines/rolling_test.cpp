// SPDX-License-Identifier: BSD-3-Clause
/// Rolling resistance through the whole engine, in plane and space.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

/// A sphere on a plane under a gravity that is tilted towards x.
template <int D>
Scene<D, double> on_a_slope(const AnyRolling& rolling, double slope, double speed) {
  ContactLaws laws;
  laws.normal = HertzLinear{1e7, 2};
  laws.tangential = CundallStrack{1e4, 0.8, 0.2};
  laws.rolling = rolling;
  auto scene = empty_scene<D>(laws);
  const double r = 0.01, m = 0.01, weight = 9.81 / std::sqrt(1 + slope * slope);
  Vec<D, double> x{}, v{}, up{};
  x[D - 1] = r - std::pow(m * weight / 1e7, 2.0 / 3.0);
  v[0] = speed;
  up[D - 1] = 1;
  add_grain<D>(scene, x, v, r, m);
  // rolling from the start: no sliding at the contact
  if constexpr (D == 2) scene.world.state.w[0] = {-speed / r};
  else scene.world.state.w[0] = {0, speed / r, 0};
  add_plane<D>(scene, {}, up);
  scene.world.domain.gravity[0] = weight * slope;
  scene.world.domain.gravity[D - 1] = -weight;
  return scene;
}

template <int D>
void expect_hold_and_roll() {
  // The slope's torque m g r sin(a) is held up to mu_r r m g cos(a): the slope is tan(a) = mu_r.
  const RollingSpring law{.k_r = 1, .mu_r = 0.1, .g_r = 1e-3};  // stiff: it yields after 1e-4 rad
  auto held = on_a_slope<D>(law, 0.095, 0), rolls = on_a_slope<D>(law, 0.105, 0);
  run(held, 5e-6, 100000);
  run(rolls, 5e-6, 100000);
  EXPECT_LT(std::abs(held.world.state.v[0][0]), 1e-4) << D;
  EXPECT_LT(held.world.state.x[0][0], 1e-3) << D;
  // what is left of gravity, (5/7) g (sin a - mu_r cos a), for half a second
  const double a = std::atan(0.105);
  EXPECT_NEAR(rolls.world.state.v[0][0], 0.5 * 5.0 / 7 * 9.81 * (std::sin(a) - 0.1 * std::cos(a)), 1.5e-3) << D;
}

TEST(RollingSpringLaw, HoldsASphereUpToTheSlopeMuRAndLetsItRollBeyond) {
  expect_hold_and_roll<2>();
  expect_hold_and_roll<3>();
}

template <int D>
void expect_constant_braking() {
  auto scene = on_a_slope<D>(RollingConstant{.mu_r = 0.05, .g_r = 1e-2}, 0, 0.5);
  run(scene, 5e-6, 100000);
  // v falls by (5/7) mu_r g t while it rolls
  EXPECT_NEAR(scene.world.state.v[0][0], 0.5 - 5.0 / 7 * 0.05 * 9.81 * 0.5, 2e-3) << D;
}

TEST(RollingConstantLaw, BrakesARollingSphereBySeventhsOfMuRG) {
  expect_constant_braking<2>();
  expect_constant_braking<3>();
}

TEST(RollingSpringLaw, BooksWhatItDissipates) {
  auto scene = on_a_slope<3>(RollingSpring{.k_r = 1e-2, .mu_r = 0.1, .g_r = 1e-5}, 0.105, 0);
  Simulation<3, double> sim(scene, 5e-6, 0.0);
  sim.start();
  for (int k = 0; k < 60000; ++k) sim.step();
  const Energies e = sim.energies();
  EXPECT_GT(e.rolling, 0);
  EXPECT_LT(std::abs(e.balance_error()), 1e-3 * e.rolling);
}

}  // namespace
}  // namespace scree
