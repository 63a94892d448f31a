// SPDX-License-Identifier: BSD-3-Clause
/// How long a list of pairs is good: as long as no two grains that are not listed can have come to touch, and in a flow not much
/// shorter than that.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

ContactLaws soft_laws() {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 20};
  laws.tangential = CundallStrack{2e3, 0.4, 0.01};
  return laws;
}

constexpr double r = 1e-3, gap = 1.12;

/// Grains on a lattice in a box periodic along x (and along y in space), in a shear flow of so many layers that move at
/// `speed` and at most `wild` m/s to and fro. Without gravity; `walls` bound the last axis, where the upper one moves with the flow.
template <int D>
Scene<D, double> flow(double speed, double shear, double wild, bool walls) {
  auto scene = empty_scene<D>(soft_laws(), "velocity-verlet");
  const int side = D == 2 ? 20 : 9, layers = D == 2 ? 20 : 9;
  std::uint32_t id = 0;
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < (D == 2 ? 1 : side); ++b)
      for (int c = 0; c < layers; ++c) {
        Random random(11, 1, id++);
        Vec<D, double> x, v;
        x[0] = (a + 0.5) * 2 * r * gap;
        if constexpr (D == 3) x[1] = (b + 0.5) * 2 * r * gap;
        x[D - 1] = (c + 0.5) * 2 * r * gap;
        for (int k = 0; k < D; ++k) v[k] = random.uniform(-wild, wild);
        v[0] += speed + shear * c;
        add_grain<D>(scene, x, v, r * random.uniform(0.8, 1.0));
      }
  const double width = side * 2 * r * gap, height = layers * 2 * r * gap;
  scene.world.domain.periodic[0] = true;
  scene.world.domain.hi[0] = width;
  if constexpr (D == 3) {
    scene.world.domain.periodic[1] = true;
    scene.world.domain.hi[1] = width;
  }
  if (walls) {
    Vec<D, double> up{}, top{}, down{};
    up[D - 1] = 1;
    down[D - 1] = -1;
    top[D - 1] = height;
    add_plane<D>(scene, {}, up);
    add_plane<D>(scene, top, down);
    Move<D> press;
    press.velocity[0] = speed;
    press.velocity[D - 1] = -0.1;
    press.until = 0.01;
    scene.world.walls.back().motion.push_back(press);
  }
  return scene;
}

/// Rebuilds in so many steps, with so long a skin.
template <int D>
std::int64_t rebuilds(Scene<D, double> scene, double skin, int steps, double dt) {
  scene.run.skin = skin;
  Simulation<D, double> sim(scene, dt, 0.0);
  sim.start();
  const std::int64_t before = sim.engine().rebuilds;
  for (int k = 0; k < steps; ++k) sim.step(k + 1 == steps);
  return sim.engine().rebuilds - before;
}

TEST(Stale, GrainsThatAllMoveAlikeKeepTheirList) {
  // half a skin is passed every ten steps
  EXPECT_EQ(rebuilds(flow<2>(1.0, 0, 0, false), 2e-4, 1000, 1e-5), 0);
  EXPECT_EQ(rebuilds(flow<3>(1.0, 0, 0, false), 2e-4, 1000, 1e-5), 0);
}

TEST(Stale, InAShearFlowOnlyNeighboursCount) {
  // Layers slip past each other at 0.05 m/s, the fastest of 20 moves at 1.95 m/s: half a skin of 0.4 mm lasts 10 steps of
  // 1e-5 s at that speed. A bin has some 16 grains, so 4 layers, 12 with those beside it, which slip at 0.55 m/s: 73 steps, of
  // which 0.85 are used.
  auto scene = flow<2>(1.0, 0.05, 0, false);
  const std::int64_t often = rebuilds(scene, 4e-4, 800, 1e-5);
  EXPECT_GE(often, 1);  // two layers slip by the skin
  EXPECT_LE(often, 16);
}

TEST(Stale, AGasIsWatchedAsBefore) {
  // nobody moves like its neighbours, so the list is good for half a skin of the fastest, not longer by more than a half
  const double skin = 4e-4, wild = 0.5;
  const auto scene = flow<3>(0, 0, wild, false);
  double fastest = 0;
  for (const auto& v : scene.world.state.v) fastest = std::max(fastest, norm(v));
  const double due = 400 * 1e-5 * fastest / (skin / 2);
  EXPECT_GE(static_cast<double>(rebuilds(scene, skin, 400, 1e-5)), std::floor(due / 1.5));
  EXPECT_LE(static_cast<double>(rebuilds(scene, skin, 400, 1e-5)), 1.3 * due + 1);
}

/// No contact may be missed: the bits are those of a search that looks at all pairs in every step.
template <int D>
void expect_the_bits_of_brute_force(double speed, double shear, double wild, bool walls) {
  const auto make = [&] { return flow<D>(speed, shear, wild, walls); };
  const std::uint64_t hash = test::hash_of(make, {1, "brute", 1e-12}, 400, 1e-5, 15);  // so thin a skin lasts no step
  for (const double skin : {2e-5, 1e-4, 4e-4})
    for (const int threads : {1, 3})
      for (const std::int64_t look : {1, 1000})
        EXPECT_EQ(test::hash_of(make, {threads, "cells", skin, 0, look}, 400, 1e-5, 15), hash) << skin << ", " << threads << ", " << look;
}

TEST(Stale, AFlowMissesNoContact) {
  expect_the_bits_of_brute_force<2>(1.0, 0.1, 0.3, false);
  expect_the_bits_of_brute_force<3>(1.0, 0.1, 0.3, false);
}
TEST(Stale, AFlowBetweenWallsMissesNoContact) {
  expect_the_bits_of_brute_force<2>(1.0, 0.1, 0.3, true);
  expect_the_bits_of_brute_force<3>(1.0, 0.1, 0.3, true);
}

TEST(Stale, AGrainThatComesBackMeetsTheFloor) {
  // thrown up from a little more than a skin above the floor, it turns after one and a half and falls
  const auto make = [] {
    auto scene = empty_scene<3>(soft_laws(), "velocity-verlet");
    const double skin = 1e-3, rise = 1.6 * skin, height = 1.05 * skin;
    add_grain<3>(scene, {0, 0, r + height}, {0, 0, std::sqrt(2 * 9.81 * rise)}, r);
    add_plane<3>(scene, {0, 0, 0}, {0, 0, 1});
    scene.world.domain.gravity[2] = -9.81;
    return scene;
  };
  const std::uint64_t hash = test::hash_of(make, {1, "brute", 1e-12}, 8000, 1e-5, 0);
  for (const double skin : {1e-4, 5e-4, 1e-3, 2e-3})
    for (const std::int64_t look : {1, 10000}) EXPECT_EQ(test::hash_of(make, {1, "cells", skin, 0, look}, 8000, 1e-5, 0), hash) << skin;
}

TEST(Stale, AFlightAlongAPlaneThatRocksMeetsIt) {
  // six grains fly side by side, without moving with respect to each other, along a plane that turns towards them about its edge
  const auto make = [] {
    auto scene = empty_scene<2>(soft_laws(), "velocity-verlet");
    for (int k = 0; k < 6; ++k) add_grain<2>(scene, {0.01 + 0.003 * k, 0.004}, {3.0, 0}, r);
    add_plane<2>(scene, {0, 0}, {0, 1});
    Move<2> turn;
    turn.kind = MoveKind::rotate;
    turn.rate = 1.2;
    scene.world.walls.back().motion.push_back(turn);
    return scene;
  };
  const std::uint64_t hash = test::hash_of(make, {1, "brute", 1e-12}, 3000, 1e-5, 1);
  for (const double skin : {1e-4, 1e-3}) EXPECT_EQ(test::hash_of(make, {1, "cells", skin}, 3000, 1e-5, 1), hash) << skin;
}

}  // namespace
}  // namespace scree
