// SPDX-License-Identifier: BSD-3-Clause
/// What must not change, and what must add up.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

ContactLaws frictional() {
  ContactLaws laws;
  laws.normal = HertzLinear{1e7, 0.5};
  laws.tangential = CundallStrack{2e4, 0.5, 0};
  return laws;
}

/// A closed cluster in space: grains thrown at each other, nothing else.
Scene<3, double> cluster(const ContactLaws& laws, const std::string& integrator = "damped-verlet") {
  auto scene = empty_scene<3>(laws, integrator);
  for (std::uint32_t i = 0; i < 27; ++i) {
    Random random(3, 1, i);
    const Vec<3, double> at{(i % 3) * 0.0205, (i / 3 % 3) * 0.0205, (i / 9) * 0.0205};
    add_grain<3>(scene, at, (at - Vec<3, double>{0.02, 0.02, 0.02}) * -20.0, 0.01 * random.uniform(0.9, 1.0));
    scene.world.state.w.back() = {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
  }
  return scene;
}

TEST(Momentum, AngularMomentumOfAClosedClusterIsKeptToRoundOff) {
  // Levers and forces are those of one instant, so the torques cancel, and a leapfrog kick at x_n between
  // two drifts along v keeps x × v as well.
  {
    const double dt = 4e-6;
    auto scene = cluster(frictional());
    Simulation<3, double> sim(scene, dt, 0.0);
    sim.start();
    const auto total = [&] {
      Vec<3, double> l{};
      for (std::size_t i = 0; i < scene.world.grains.size(); ++i)
        l += cross(scene.world.state.x[i], scene.world.state.v[i]) * scene.world.grains.m[i] +
             scene.world.state.w[i] * scene.world.grains.inertia[i];
      return l;
    };
    const Vec<3, double> before = total();
    while (sim.time() < 0.008) sim.step();
    EXPECT_LT(norm(total() - before), 2000 * 4 * 1.2e-16 * norm(before) * 27);
  }
}

TEST(Momentum, OfAClosedClusterIsKeptToRoundOffPerStep) {
  auto scene = cluster(frictional());
  Simulation<3, double> sim(scene, 2e-6, 0.0);
  sim.start();
  const auto total = [&] {
    Vec<3, double> p{};
    double scale = 0;
    for (std::size_t i = 0; i < scene.world.grains.size(); ++i) {
      p += scene.world.state.v[i] * scene.world.grains.m[i];
      scale += norm(scene.world.state.v[i]) * scene.world.grains.m[i];
    }
    return std::pair{p, scale};
  };
  const auto [before, scale] = total();
  const int steps = 4000;
  for (int k = 0; k < steps; ++k) sim.step();
  const auto [after, later_scale] = total();
  EXPECT_LT(later_scale, 0.8 * scale);  // they did collide
  // each step rounds every velocity a few times, half a unit in the last place of m v each
  EXPECT_LT(norm(after - before), steps * 4 * 1.2e-16 * scale);
}

TEST(Ledger, BalancesADissipativeClusterAndTheErrorFallsWithTheStep) {
  for (const char* name : {"damped-verlet", "velocity-verlet", "rk4"}) {
    std::vector<double> errors;  // the largest on the way: at the end it may cross zero
    for (const double dt : {4e-6, 1e-6}) {
      auto scene = cluster(frictional(), name);
      Simulation<3, double> sim(scene, dt, 0.0);
      sim.start();
      const double initial = sim.initial_energy;
      double worst = 0;
      while (sim.time() < 0.01) {
        sim.step();
        if (sim.steps() % 25 == 0) worst = std::max(worst, std::abs(sim.energies().balance_error()));
      }
      const Energies e = sim.energies();
      EXPECT_GT(e.normal, 0.01 * initial) << name;
      EXPECT_GT(e.tangential, 0.001 * initial) << name;
      errors.push_back(worst / initial);
    }
    EXPECT_LT(errors[0], 1e-3) << name;
    EXPECT_LT(errors[1], 0.6 * errors[0]) << name;
  }
}

TEST(Ledger, BooksTheWorkOfAMovingWall) {
  ContactLaws laws;
  laws.normal = Linear{1e6, 1};
  auto scene = empty_scene<2>(laws);
  add_grain<2>(scene, {0.0, 0.0101}, {0, 0}, 0.01, 0.01);
  add_plane<2>(scene, {0, 0}, {0, 1});
  Move<2> lift;
  lift.velocity = {0, 1};
  scene.world.walls[0].motion.push_back(lift);
  Simulation<2, double> sim(scene, 1e-7, 0.0);
  sim.start();
  for (int k = 0; k < 20000; ++k) sim.step();
  const Energies e = sim.energies();
  EXPECT_GT(e.kinetic, 0.01);  // hit by a wall at 1 m/s
  EXPECT_GT(e.work, e.kinetic);
  EXPECT_LT(std::abs(e.balance_error()), 1e-4 * e.work);
}

TEST(Ledger, BooksPrescribedForcesDragAndHeldGrains) {
  ContactLaws laws;
  laws.normal = Linear{1e6, 1};
  laws.tangential = CundallStrack{1e5, 0.5, 0};
  auto scene = empty_scene<2>(laws);
  add_grain<2>(scene, {0.0, 0.0199}, {0, 0}, 0.01, 0.01);
  add_grain<2>(scene, {0.0, 0.0}, {0, 0}, 0.01, 0.01, true);
  scene.world.groups.push_back({});
  scene.world.grains.group[1] = 1;
  Move<2> turn;  // the held grain spins under the free one
  turn.kind = MoveKind::rotate;
  turn.rate = 50;
  scene.world.groups[1].motion.push_back(turn);
  Push<2> push;
  push.force = {0.1, -0.5};
  push.force_amplitude = {0.05, 0};
  push.frequency = 200;
  scene.world.groups[0].pushes.push_back(push);
  scene.world.groups[0].drag = 1.0;
  Simulation<2, double> sim(scene, 1e-7, 0.0);
  sim.start();
  for (int k = 0; k < 50000; ++k) sim.step();
  const Energies e = sim.energies();
  EXPECT_GT(e.drag, 0);
  EXPECT_GT(e.tangential, 0);
  EXPECT_NE(e.work, 0);
  EXPECT_LT(std::abs(e.balance_error()), 1e-3 * (e.dissipated() + std::abs(e.work)));
}

TEST(Rest, AStackOfTenKeepsItsPlaceAndItsSpringsForAMillionSteps) {
  // Four, three, two, one: the lowest row would spread if friction did not hold it.
  ContactLaws laws;
  laws.normal = HertzLinear{1e6, 4};
  laws.tangential = CundallStrack{1e4, 1.0, 2};
  auto scene = empty_scene<2>(laws, "velocity-verlet");
  scene.world.domain.gravity = {0, -9.81};
  const double r = 0.01, m = 0.01;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k)
      add_grain<2>(scene, {(2 * k + row) * r, r + row * std::sqrt(3.0) * r}, {0, 0}, r, m);
  add_plane<2>(scene, {0, 0}, {0, 1});
  Simulation<2, double> sim(scene, 5e-6, 0.0);
  sim.start();
  for (int n = 0; n < 300000; ++n) sim.step();  // the weight arrives and the waves die out
  const auto springs = sim.engine().springs();
  const auto x = scene.world.state.x;
  ASSERT_GE(springs.size(), 16U);  // 12 between the rows, 4 on the plane
  double longest = 0;
  for (const auto& s : springs) longest = std::max(longest, std::abs(s.zeta[0]));
  EXPECT_GT(longest, 1e-7);  // friction is at work
  for (int n = 0; n < 1000000; ++n) sim.step();
  const auto later = sim.engine().springs();
  ASSERT_EQ(later.size(), springs.size());
  for (std::size_t p = 0; p < springs.size(); ++p)
    EXPECT_NEAR(later[p].zeta[0], springs[p].zeta[0], 1e-9 * longest) << p;
  for (std::size_t i = 0; i < 10; ++i) EXPECT_LT(norm(scene.world.state.x[i] - x[i]), 1e-9 * r) << i;
  EXPECT_LT(sim.kinetic(), 1e-25);
}

TEST(Rest, AGrainOnAPlaneStaysWhereItsWeightPutsIt) {
  ContactLaws laws;
  laws.normal = Hertz{1e6};
  auto scene = empty_scene<3>(laws);
  scene.world.domain.gravity = {0, 0, -9.81};
  const double xi = std::pow(0.01 * 9.81 / 1e6, 2.0 / 3.0);
  add_grain<3>(scene, {0, 0, 0.01 - xi}, {0, 0, 0}, 0.01, 0.01);
  add_plane<3>(scene, {0, 0, 0}, {0, 0, 1});
  run(scene, 5e-6, 1000000);
  EXPECT_NEAR(scene.world.state.x[0][2], 0.01 - xi, 1e-9 * xi + 1e-15);
}

}  // namespace
}  // namespace scree
