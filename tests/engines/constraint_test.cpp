// SPDX-License-Identifier: BSD-3-Clause
/// Friction as a constraint, in the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scree/integrators/registry.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

std::vector<std::string> one_kick_methods() {
  std::vector<std::string> names;
  for (const Method& m : methods())
    if (m.one_kick) names.emplace_back(m.name);
  return names;
}

ContactLaws laws_with(double mu, double tolerance = 1e-12, double dashpot = 20) {
  ContactLaws laws;
  laws.normal = Linear{1e5, dashpot};
  laws.tangential = ConstraintFriction{.mu = mu, .tolerance = tolerance};
  return laws;
}

constexpr double g = 9.81, r = 0.01;

/// A sphere on a plane that is inclined by turning gravity, pressed in as deep as its weight wants.
Scene<2, double> on_incline(double mu, double angle, const std::string& integrator) {
  auto scene = empty_scene<2>(laws_with(mu), integrator);
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {g * std::sin(angle), -g * std::cos(angle)};
  const double m = 4.0 / 3 * pi * r * r * r * 2500;
  add_grain<2>(scene, {0, r - m * g * std::cos(angle) / 1e5}, {}, r);
  return scene;
}

TEST(ConstraintFriction, ASphereRollsDownWithoutSlippingAsLongAsItCan) {
  // Rolling asks for friction of 2/7 of the pull down the plane: tan θ <= 7/2 mu.
  const double mu = 0.2, angle = std::atan(3.5 * mu * 0.99), h = 1e-5, time = 0.05;
  for (const std::string& name : one_kick_methods()) {
    auto scene = on_incline(mu, angle, name);
    Simulation<2, double> sim(scene, h, 0.0);
    sim.start();
    const auto steps = static_cast<int>(std::lround(time / h));
    for (int k = 0; k < steps; ++k) sim.step();
    const double v = scene.world.state.v[0][0], w = scene.world.state.w[0][0], speed = 5.0 / 7 * g * std::sin(angle) * time;
    // the contact is a hundred nanometres nearer than the radius, and the friction lags a step behind
    EXPECT_NEAR(v, speed, 1e-4 * speed) << name;
    EXPECT_NEAR(v + w * scene.world.state.x[0][1], 0, name == "velocity-verlet" || name == "leapfrog" || name == "staggered-verlet" ? 2 * h * g : 1e-12) << name;
  }
}

TEST(ConstraintFriction, ASphereSlidesWhereTheSlopeIsTooSteepToRoll) {
  const double mu = 0.2, angle = std::atan(3.5 * mu * 1.2), h = 1e-5, time = 0.05;
  for (const std::string& name : one_kick_methods()) {
    auto scene = on_incline(mu, angle, name);
    run(scene, h, std::lround(time / h));
    const double v = g * (std::sin(angle) - mu * std::cos(angle)) * time;
    const double w = -2.5 * mu * g * std::cos(angle) * time / r;
    EXPECT_NEAR(scene.world.state.v[0][0], v, 1e-3 * v) << name;
    EXPECT_NEAR(scene.world.state.w[0][0], w, -1e-3 * w) << name;
  }
}

/// Two grains on a plane and one in the gap between them, almost touching. The lower ones are pushed apart and held by
/// friction: statics asks for tan 15° = 0.268 where they meet the upper one.
Scene<2, double> three(double mu, double tolerance, const std::string& integrator = "symplectic-euler") {
  auto scene = empty_scene<2>(laws_with(mu, tolerance), integrator);
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -g};
  add_grain<2>(scene, {-r, r}, {}, r);
  add_grain<2>(scene, {r, r}, {}, r);
  add_grain<2>(scene, {0, r * (1 + std::sqrt(3.0)) + 1e-9}, {}, r);
  return scene;
}

double kinetic(const Scene<2, double>& scene) {
  double e = 0;
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i)
    e += (scene.world.grains.m[i] * norm2(scene.world.state.v[i]) +
          scene.world.grains.inertia[i] * norm2(scene.world.state.w[i])) / 2;
  return e;
}

TEST(ConstraintFriction, ThreeGrainsComeToRestToRoundOffAndStayWhereTheyAre) {
  auto scene = three(0.6, 1e-13);
  const double h = 2e-5, m = scene.world.grains.m[0];
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  while (sim.time() < 0.1) sim.step();
  const auto x = scene.world.state.x;
  const std::size_t top = place(scene, 2);
  while (sim.time() < 0.4) sim.step();
  EXPECT_FALSE(sim.engine().fault());
  EXPECT_EQ(sim.engine().friction_effort.unfinished, 0);
  // what moves a coordinate by less than its last bit in a step does not move it
  const double last_bit = 2.2e-16 * x[top][1], slowest = last_bit / h;
  EXPECT_LT(kinetic(scene), 3 * m * slowest * slowest);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(norm(scene.world.state.x[i] - x[i]), 1e3 * last_bit);
}

TEST(ConstraintFriction, ThreeGrainsStandIfStaticsLetsThem) {
  const double least = std::tan(pi / 12);
  for (const double mu : {0.95 * least, 1.05 * least}) {
    auto scene = three(mu, 1e-12);
    run(scene, 2e-5, 20000);
    const double top = scene.world.state.x[place(scene, 2)][1];
    if (mu < least) {
      EXPECT_LT(top, 1.01 * r) << "it lies between them";
    } else {
      EXPECT_GT(top, r * (1 + std::sqrt(3.0)) - 1e-5);
    }
  }
}

TEST(ConstraintFriction, LedgerBalances) {
  // The ledger books what a kick of the whole step takes. Where velocities are reported half a kick later (velocity-verlet,
  // leapfrog), half the work of the first and of the last friction is booked too early: first order, and it does not add up.
  for (const char* integrator : {"symplectic-euler", "velocity-verlet", "leapfrog"}) {
    double before = 0;
    for (const double h : {4e-5, 1e-5}) {
      auto scene = on_incline(0.2, std::atan(0.9), integrator);
      scene.world.state.w[0][0] = 30;
      Simulation<2, double> sim(scene, h, 0.0);
      sim.start();
      const double start = kinetic(scene);
      double worst = 0;
      while (sim.time() < 0.05) {
        sim.step();
        worst = std::max(worst, std::abs(sim.energies().balance_error()));
      }
      const double lost = sim.energies().tangential;
      EXPECT_GT(lost, 0.2 * start) << integrator;
      EXPECT_LT(worst, 0.02 * lost) << integrator;
      if (before > 0) {
        EXPECT_NEAR(std::log(before / worst) / std::log(4.0), 1, 0.2) << integrator;
      }
      before = worst;
    }
  }
}

/// A cloud falling between walls, one of which moves in.
Scene<2, double> cloud(const std::string& integrator) {
  auto scene = empty_scene<2>(laws_with(0.5, 1e-8, 1), integrator);
  const double size = 2e-3, pitch = 2.2 * size;
  const int side = 9;
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b) {
      Random random(7, 1, static_cast<std::uint32_t>(a * side + b));
      const Vec<2, double> x{(a + 0.5) * pitch + random.uniform(-1e-4, 1e-4), (b + 0.5) * pitch + random.uniform(-1e-4, 1e-4)};
      add_grain<2>(scene, x, (Vec<2, double>{side * pitch / 2, side * pitch / 2} - x) * 80.0, size * random.uniform(0.8, 1.0));
    }
  add_plane<2>(scene, {0, 0}, {0, 1});
  add_plane<2>(scene, {0, 0}, {1, 0});
  add_plane<2>(scene, {side * pitch, 0}, {-1, 0});
  Move<2> push;
  push.velocity = {-0.2, 0};
  push.until = 0.01;
  scene.world.walls.back().motion.push_back(push);
  scene.world.domain.gravity = {0, -g};
  return scene;
}

TEST(ConstraintFriction, OneHashHoweverItIsRun) {
  const auto make = [] { return cloud("symplectic-euler"); };
  const std::uint64_t hash = hash_of(make, {}, 250, 1e-5, 40);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(make, way, 250, 1e-5, 40), hash) << way;
  EXPECT_EQ(hash_of(make, another_way, 250, 1e-5, 40), hash);
  for (const std::string& name : one_kick_methods()) {
    const auto other = [&] { return cloud(name); };
    EXPECT_EQ(hash_of(other, another_way, 220, 1e-5, 20), hash_of(other, {}, 220, 1e-5, 20)) << name;
  }
}

TEST(ConstraintFriction, DoubleDoublesRollToo) {
  auto scene = empty_scene<2, dd>(laws_with(0.2, 1e-25), "symplectic-euler");
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {1, -g};
  add_grain<2>(scene, {dd(0), dd(r)}, {}, r);
  run(scene, 1e-5, 500);
  const dd slip = scene.world.state.v[0][0] + scene.world.state.w[0][0] * scene.world.state.x[0][1];
  EXPECT_GT(static_cast<double>(scene.world.state.v[0][0]), 1e-3);
  EXPECT_NEAR(static_cast<double>(slip), 0, 1e-6);
}

}  // namespace
}  // namespace scree
