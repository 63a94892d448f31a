// SPDX-License-Identifier: BSD-3-Clause
/// One scene, many ways to run it, one hash.
#include <gtest/gtest.h>

#include "scree/integrators/registry.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

/// A cloud that falls on a plane between walls (2D) or in a periodic box (3D), with friction, rolling
/// springs and a moving wall: everything that carries memory.
template <int D>
Scene<D, double> cloud(const std::string& integrator) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 20};
  laws.tangential = CundallStrack{2e3, 0.4, 0.01};
  laws.rolling = RollingSpring{1e-4, 0.05, 1e-8};
  auto scene = empty_scene<D>(laws, integrator);
  const double r = 2e-3;
  const int side = D == 2 ? 14 : 6;
  std::uint32_t id = 0;
  const auto put = [&](Vec<D, double> x) {
    Random random(7, 1, id++);
    for (int k = 0; k < D; ++k) x[k] += random.uniform(-1e-4, 1e-4);
    Vec<D, double> v{};  // inwards, so that many touch soon
    for (int k = 0; k < D; ++k) v[k] = random.uniform(-0.1, 0.1) + 100 * (side * 1.1 * r - x[k]);
    add_grain<D>(scene, x, v, r * random.uniform(0.8, 1.0));
  };
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b)
      for (int c = 0; c < (D == 2 ? 1 : side); ++c) {
        Vec<D, double> x{};
        x[0] = (a + 0.5) * 2.2 * r;
        x[1] = (b + 0.5) * 2.2 * r;
        if constexpr (D == 3) x[2] = (c + 0.5) * 2.2 * r;
        put(x);
      }
  const double width = side * 2.2 * r;
  Vec<D, double> up{};
  up[D - 1] = 1;
  add_plane<D>(scene, {}, up);
  scene.world.domain.gravity[D - 1] = -9.81;
  if constexpr (D == 2) {
    add_plane<2>(scene, {0, 0}, {1, 0});
    add_plane<2>(scene, {width, 0}, {-1, 0});
    Move<2> push;
    push.velocity = {-0.2, 0};
    push.until = 0.01;
    scene.world.walls.back().motion.push_back(push);
  } else {
    scene.world.domain.periodic = {true, true, false};
    scene.world.domain.hi = {width, width, 1};
  }
  return scene;
}

template <int D>
std::uint64_t hash_of(const std::string& integrator, const Way& way, std::int64_t steps) {
  return test::hash_of([&] { return cloud<D>(integrator); }, way, steps, 1e-5, 31);
}

template <int D>
void expect_one_hash(const std::string& integrator, std::int64_t steps) {
  const std::uint64_t hash = hash_of<D>(integrator, {}, steps);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash_of<D>(integrator, {threads}, steps), hash) << threads << " threads";
  for (const char* name : {"brute", "corner-hash", "hierarchy"}) EXPECT_EQ(hash_of<D>(integrator, {2, name}, steps), hash) << name;
  for (const double skin : {1e-5, 1e-4, 2e-3}) EXPECT_EQ(hash_of<D>(integrator, {1, "cells", skin}, steps), hash) << skin;
  for (const std::int64_t split : {1, 97}) {
    EXPECT_EQ(hash_of<D>(integrator, {2, "cells", 0, split}, steps), hash) << "split every " << split;
  }
  for (const int threads : {1, 3}) EXPECT_EQ(hash_of<D>(integrator, {threads, "cells", 1e-4, 0, 1000}, steps), hash) << "nobody looks";
}

TEST(Determinism, OneHashInThePlaneHoweverItIsRun) { expect_one_hash<2>("damped-verlet", 400); }

TEST(Determinism, OneHashInPeriodicSpaceHoweverItIsRun) { expect_one_hash<3>("velocity-verlet", 400); }

TEST(Determinism, OneHashForEveryIntegrator) {
  for (const Method& method : methods()) {
    const std::string name(method.name);
    if (method.of_bonds) continue;  // without friction: tests/integrators/kk_theta_test.cpp
    const std::int64_t steps = method.force_calls > 2 ? 150 : 250;  // enough for contacts, springs and rebuilds
    const std::uint64_t hash = hash_of<2>(name, {}, steps);
    EXPECT_EQ(hash_of<2>(name, {3, "corner-hash"}, steps), hash) << name;
    EXPECT_EQ(hash_of<2>(name, {2, "brute", 1e-3, 97}, steps), hash) << name;
    EXPECT_EQ(hash_of<3>(name, {2, "cells", 1e-4, 60, 11}, 150), hash_of<3>(name, {}, 150)) << name;
  }
}

TEST(Determinism, AStepThatNobodyLooksAtRunsIntoTheNext) {
  auto a = cloud<3>("velocity-verlet"), b = cloud<3>("velocity-verlet");
  Simulation<3, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
  one.start();
  two.start();
  one.step();
  two.step(false);
  EXPECT_NE(a.world.state.x[0], b.world.state.x[0]);  // it is on its way
  one.step();
  two.step();
  EXPECT_EQ(one.hash(), two.hash());
}

TEST(Determinism, RoundGrainsDoNotNoticeOrientations) {
  for (const char* name : {"velocity-verlet", "damped-verlet", "symplectic-euler"}) {
    auto a = cloud<3>(name), b = cloud<3>(name);
    b.world.state.turns = false;
    const auto q = b.world.state.q;
    Simulation<3, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
    one.start();
    two.start();
    for (int k = 0; k < 200; ++k) {
      one.step();
      two.step();
    }
    EXPECT_GT(two.engine().contacts(), 30U) << name;
    EXPECT_EQ(a.world.state.x, b.world.state.x) << name;
    EXPECT_EQ(a.world.state.v, b.world.state.v) << name;
    EXPECT_EQ(a.world.state.w, b.world.state.w) << name;
    EXPECT_EQ(b.world.state.q, q) << name;
    EXPECT_NE(a.world.state.q, q) << name;
  }
}

TEST(Determinism, TheHashSeesASingleBit) {
  auto a = cloud<2>("damped-verlet"), b = cloud<2>("damped-verlet");
  b.world.state.w[5][0] = 0x1p-1074;
  Simulation<2, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
  one.start();
  two.start();
  EXPECT_NE(one.hash(), two.hash());
}

}  // namespace
}  // namespace scree
