// SPDX-License-Identifier: BSD-3-Clause
/// Grains that sleep: who does, who wakes, and that it is the same however the scene is run.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double r = 2e-3, g = 9.81, h = 2e-5;
constexpr double weight = 4.0 / 3 * pi * r * r * r * 2500 * g;

ContactLaws soft() {
  ContactLaws laws;
  laws.normal = Linear{2e3, 0.6};
  laws.tangential = CundallStrack{5e2, 0.4, 0.1};
  laws.rolling = RollingSpring{1e-4, 0.05, 1e-6};
  return laws;
}

/// Grains that fall into a box, and one that comes later.
template <int D>
Scene<D, double> bed(const std::string& integrator, double late = 0.25) {
  auto scene = empty_scene<D>(soft(), integrator);
  const int side = D == 2 ? 6 : 3;
  std::uint32_t id = 0;
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b)
      for (int c = 0; c < (D == 2 ? 1 : side); ++c) {
        Random random(3, 1, id++);
        Vec<D, double> x{};
        x[0] = (a + 0.5 + 0.1 * random.uniform(-1.0, 1.0)) * 2.2 * r;
        x[1] = (b + 0.5) * 2.2 * r;
        if constexpr (D == 3) x[2] = (c + 0.5) * 2.2 * r;
        add_grain<D>(scene, x, {}, r * random.uniform(0.8, 1.0));
      }
  if (late > 0) {
    Vec<D, double> x{};
    for (int k = 0; k < D - 1; ++k) x[k] = side * 1.1 * r;
    x[D - 1] = late;
    add_grain<D>(scene, x, {}, r);
  }
  for (int k = 0; k < D; ++k) {
    Vec<D, double> n{}, far{};
    n[k] = 1;
    add_plane<D>(scene, {}, n);
    if (k == D - 1) continue;
    n[k] = -1;
    far[k] = side * 2.2 * r;
    add_plane<D>(scene, far, n);
  }
  scene.world.domain.gravity[D - 1] = -g;
  scene.world.sleep.below = 1e-4;
  scene.world.sleep.after = 4e-3;
  return scene;
}

/// A bed that has come to rest and may sleep from then on stays where it is. (While it settles, a sleeper may decide
/// which way its neighbours fall.)
TEST(Sleep, ABedSleepsWhereItHasComeToRest) {
  for (const char* integrator : {"velocity-verlet", "damped-verlet", "leapfrog", "staggered-verlet"}) {
    auto wakeful = bed<2>(integrator, 0), sleepy = wakeful;
    wakeful.world.sleep = {};
    Simulation<2, double> b(wakeful, h, 0.0);
    b.start();
    for (int k = 0; k < 40000; ++k) b.step();
    ASSERT_LT(b.engine().unrest(), 1e-4) << integrator;
    Simulation<2, double> a(sleepy, h, 0.0);
    a.load(b.save());
    const double before = a.energies().mechanical() + a.energies().dissipated();
    for (int k = 0; k < 5000; ++k) {
      a.step();
      b.step();
    }
    const auto n = sleepy.world.grains.size();
    EXPECT_EQ(a.engine().sleepers(), n) << integrator;
    EXPECT_EQ(a.kinetic(), 0.0) << integrator;
    EXPECT_EQ(a.engine().contacts(), b.engine().contacts()) << integrator;
    // What was left to each grain, at most 1e-4 m g r, is in the books or was left out of them by rounding.
    EXPECT_NEAR(a.energies().mechanical() + a.energies().dissipated(), before, 1e-5 * static_cast<double>(n) * weight * r) << integrator;
    // It moves a spring by sqrt(2e-4 m g r/k) = 2e-4 r at most.
    for (std::uint32_t id = 0; id < n; ++id)
      EXPECT_LT(norm(sleepy.world.state.x[place(sleepy, id)] - wakeful.world.state.x[place(wakeful, id)]), 2e-4 * r) << integrator;
  }
}

/// A ball of steel that is in touch for some 60 µs, far shorter than the time between two looks: whom it hits wakes.
TEST(Sleep, ASwiftBlowIsFelt) {
  auto scene = empty_scene<2>({}, "velocity-verlet");
  scene.table.laws[0].normal = Linear{2e5, 0};
  const double step = 1e-6;
  add_grain<2>(scene, {0, r - weight / 2e5}, {}, r);
  add_grain<2>(scene, {-2.5 * r, r}, {1, 0}, r);  // touches after half a millisecond
  scene.world.state.x[1][1] = r - weight / 2e5;
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -g};
  scene.world.sleep = {1e-4, 8e-4};
  Simulation<2, double> sim(scene, step, 0.0);
  sim.start();
  while (static_cast<double>(sim.time()) < 1e-3 - 2 * step) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 1U);
  while (static_cast<double>(sim.time()) < 1.5e-3) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 0U);
  // It waits for the end of the step in which it is touched; then momentum is that of two equal masses.
  EXPECT_NEAR(scene.world.state.v[place(scene, 0)][0], 1, 1e-2);
  EXPECT_NEAR(scene.world.state.v[place(scene, 1)][0], 0, 1e-2);
}

/// Of two that sleep one upon the other the lower one is knocked away: the upper one comes down.
TEST(Sleep, WhoseSupportIsKnockedAwayFalls) {
  auto scene = empty_scene<2>({}, "velocity-verlet");
  scene.table.laws[0].normal = Linear{2e5, 0.05};
  add_grain<2>(scene, {0, r}, {}, r);
  add_grain<2>(scene, {0, 3 * r}, {}, r);
  add_grain<2>(scene, {-0.1, 0.9 * r}, {5, 0}, 0.9 * r);  // there after 20 ms
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -g};
  scene.world.sleep = {1e-3, 8e-3};
  Simulation<2, double> sim(scene, 2e-6, 0.0);
  sim.start();
  while (static_cast<double>(sim.time()) < 0.018) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 2U);
  while (static_cast<double>(sim.time()) < 0.025) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 0U);
  double lowest = 1;  // the blow may lift it first, and it bounces
  while (static_cast<double>(sim.time()) < 0.2) {
    sim.step();
    lowest = std::min(lowest, scene.world.state.x[place(scene, 1)][1]);
  }
  EXPECT_LT(lowest, 2.2 * r);
}

/// What slept behind a gate during preparation is awake when the run begins.
TEST(Sleep, ARunBeginsAwake) {
  auto scene = bed<2>("velocity-verlet", 0);
  Checkpoint settled;
  {
    Simulation<2, double> before(scene, h, -0.4);
    before.start();
    for (int k = 0; k < 20000; ++k) before.step();
    EXPECT_EQ(before.engine().sleepers(), scene.world.grains.size());
    settled = before.save();
  }
  Simulation<2, double> run(scene, h, 0.0);
  run.load(settled);
  EXPECT_EQ(run.engine().sleepers(), scene.world.grains.size());
  run.start();
  EXPECT_EQ(run.engine().sleepers(), 0U);
}

/// Nothing about sleep may depend on what is listed, on threads or on when a run was interrupted: with friction and
/// rolling springs, a bed that falls asleep and a grain that wakes it.
TEST(Sleep, OneHashHoweverItIsRun) {
  {  // it does fall asleep and is woken
    auto scene = bed<2>("velocity-verlet");
    Simulation<2, double> sim(scene, h, 0.0);
    sim.start();
    std::size_t most = 0, least = scene.world.grains.size();
    for (int k = 0; k < 12000; ++k) {
      sim.step();
      most = std::max(most, sim.engine().sleepers());
      if (static_cast<double>(sim.time()) > 0.215) least = std::min(least, sim.engine().sleepers());  // it falls for 0.22 s
    }
    EXPECT_GT(most, scene.world.grains.size() / 2);
    EXPECT_LT(least, most);
  }
  const auto plane = [](const char* integrator) { return [integrator] { return bed<2>(integrator); }; };
  const std::uint64_t verlet = hash_of(plane("velocity-verlet"), {}, 12000, h);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(plane("velocity-verlet"), way, 12000, h), verlet) << way;
  EXPECT_EQ(hash_of(plane("velocity-verlet"), another_way, 12000, h), verlet);
  EXPECT_EQ(hash_of(plane("leapfrog"), another_way, 12000, h), hash_of(plane("leapfrog"), {}, 12000, h));
  const std::uint64_t space = hash_of([] { return bed<3>("damped-verlet"); }, {}, 12000, h);
  EXPECT_EQ(hash_of([] { return bed<3>("damped-verlet"); }, another_way, 12000, h), space);
}

TEST(Sleep, AGrainThatFallsOnABedWakesItsNeighbourhoodAndAllSleepAgain) {
  auto scene = bed<2>("velocity-verlet", 0.8);  // falls for some 0.4 s
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  const auto n = scene.world.grains.size();
  while (static_cast<double>(sim.time()) < 0.39) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), n - 1);
  std::size_t least = n;
  while (static_cast<double>(sim.time()) < 1.0) {
    sim.step();
    least = std::min(least, sim.engine().sleepers());
  }
  EXPECT_LT(least, n - 1);
  EXPECT_EQ(sim.engine().sleepers(), n);
}

/// A grain that touches nothing does not sleep, however slow it is: it falls by g t²/2, to rounding.
TEST(Sleep, NobodySleepsInTheAir) {
  auto scene = empty_scene<2>(soft(), "velocity-verlet");
  add_grain<2>(scene, {0, 1}, {}, r);
  scene.world.domain.gravity = {0, -g};
  scene.world.sleep.below = 1e3;
  scene.world.sleep.after = 1e-3;
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  for (int k = 0; k < 1000; ++k) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 0U);
  EXPECT_NEAR(scene.world.state.x[0][1], 1 - g * 0.02 * 0.02 / 2, 1e-12);
}

/// The floor goes at t0: the sleeper falls from there, later by at most half a step's kick, g h/2.
TEST(Sleep, WhatLosesItsFloorFalls) {
  auto scene = empty_scene<2>(soft(), "velocity-verlet");
  add_grain<2>(scene, {0, r - weight / 2e3}, {}, r);
  add_plane<2>(scene, {0, 0}, {0, 1});
  const double gone = 0.01, fall = 0.02;
  scene.world.walls[0].until = gone;
  scene.world.domain.gravity = {0, -g};
  scene.world.sleep = {1e-4, 4e-3};
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  while (static_cast<double>(sim.time()) < gone - 2 * h) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 1U);
  while (static_cast<double>(sim.time()) < gone + fall - h / 2) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 0U);
  EXPECT_NEAR(scene.world.state.x[0][1], r - weight / 2e3 - g * fall * fall / 2, 2 * g * h * fall);
}

TEST(Sleep, NobodySleepsOnWhatMoves) {
  auto scene = empty_scene<2>(soft(), "velocity-verlet");
  add_grain<2>(scene, {0, r}, {}, r);
  add_plane<2>(scene, {0, 0}, {0, 1});
  Move<2> lift;
  lift.velocity = {0, 1e-6};
  scene.world.walls[0].motion.push_back(lift);
  scene.world.domain.gravity = {0, -g};
  scene.world.sleep = {1e-2, 4e-3};
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  for (int k = 0; k < 5000; ++k) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 0U);
}

/// Who is carried by a grain that an outlet takes away notices it.
TEST(Sleep, WhatLosesItsNeighbourWakes) {
  auto scene = empty_scene<2>(soft(), "velocity-verlet");
  add_grain<2>(scene, {0, 0.99 * r}, {}, r);
  add_grain<2>(scene, {0, 2.97 * r}, {}, r);
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -g};
  scene.world.sleep = {1e-4, 4e-3};
  Outlet<2> outlet;
  outlet.name = "out";
  outlet.region.half_space = true;
  outlet.region.point = {0, 1.5 * r};
  outlet.region.normal = {0, 1};
  outlet.from = 0.3;
  scene.world.outlets.push_back(outlet);
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  while (static_cast<double>(sim.time()) < 0.299) sim.step();
  EXPECT_EQ(sim.engine().sleepers(), 2U);
  while (static_cast<double>(sim.time()) < 0.302) sim.step();
  ASSERT_EQ(scene.world.grains.size(), 1U);
  EXPECT_EQ(sim.engine().sleepers(), 0U);
  EXPECT_LT(scene.world.state.v[0][1], 0);
}

}  // namespace
}  // namespace scree
