// SPDX-License-Identifier: BSD-3-Clause
/// Friction as a constraint between polygons.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/polygons.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double Y = 1e7, g = 9.81;

ContactLaws laws_with(double mu, double tolerance = 1e-12) {
  ContactLaws laws;
  laws.normal = OverlapArea{Y, 0.5};
  laws.tangential = ConstraintFriction{.mu = mu, .tolerance = tolerance};
  return laws;
}

double kinetic(const Scene<2, double>& scene) {
  double e = 0;
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i)
    e += (scene.world.grains.m[i] * norm2(scene.world.state.v[i]) +
          scene.world.grains.inertia[i] * norm2(scene.world.state.w[i])) / 2;
  return e;
}

TEST(ConstraintFrictionOfPolygons, ABlockSlidesWhereTheSlopeExceedsFrictionAndNotBefore) {
  const double mu = 0.5, h = 1e-5, time = 0.2;
  for (const char* integrator : {"symplectic-euler", "velocity-verlet"})
    for (const double part : {0.99, 1.01}) {
      const double angle = std::atan(mu * part);
      auto scene = layer(laws_with(mu), integrator);
      add_plane<2>(scene, {0, 0}, {0, 1});
      scene.world.domain.gravity = {g * std::sin(angle), -g * std::cos(angle)};
      add_polygon(scene, box(0.1, 0.05), {0, 0.025});
      Simulation<2, double> sim(scene, h, 0.0);
      sim.start();
      while (sim.time() < 0.1) sim.step();  // it takes up its load, rocking
      const double start = scene.world.state.x[0][0], speed = scene.world.state.v[0][0];
      while (sim.time() < 0.1 + time) sim.step();
      const double way = scene.world.state.x[0][0] - start;
      const double a = g * (std::sin(angle) - mu * std::cos(angle)), free = speed * time + a * time * time / 2;
      if (part < 1) {
        EXPECT_LT(std::abs(way), 1e-6) << integrator;  // it still rocks a little; one that slides goes 1e-3 m
      } else {
        EXPECT_NEAR(way, free, 0.05 * free) << integrator;
      }
    }
}

/// Polygons and a disk thrown at each other; nothing else acts.
Scene<2, double> cluster(const std::string& integrator) {
  auto scene = layer(laws_with(0.5, 1e-9), integrator);
  RandomPolygons kind{0.04, 0.05, 1.6, 4, 8, 0.7};
  for (std::uint32_t i = 0; i < 12; ++i) {
    Random random(5, 1, i);
    const Vec<2, double> at{(i % 4) * 0.12 - 0.18, (i / 4) * 0.12 - 0.12};
    add_polygon(scene, i % 5 == 2 ? Outline{} : random_polygon(kind, 3, i), at, random.uniform(0, 6), at * -9.0,
                random.uniform(-5, 5), false, 0.05);
  }
  return scene;
}

TEST(ConstraintFrictionOfPolygons, ClosedClustersKeepTheirMomentaToRoundOff) {
  auto scene = cluster("leapfrog");
  const auto total = [&] {
    Vec<2, double> p{};
    double l = 0, size = 0;
    const auto& w = scene.world;
    for (std::size_t i = 0; i < w.grains.size(); ++i) {
      p += w.state.v[i] * w.grains.m[i];
      l += cross(w.state.x[i], w.state.v[i])[0] * w.grains.m[i] + w.state.w[i][0] * w.grains.inertia[i];
      size += norm(w.state.v[i]) * w.grains.m[i];
    }
    return std::tuple{p, l, size};
  };
  Simulation<2, double> sim(scene, 2e-5, 0.0);
  sim.start();
  const auto [p, l, size] = total();
  std::size_t contacts = 0;
  for (int k = 0; k < 1500; ++k) {
    sim.step();
    contacts = std::max(contacts, sim.engine().contacts());
  }
  EXPECT_GE(contacts, 6U);
  EXPECT_GT(sim.engine().friction_effort.sweeps, 1500);
  const auto [p1, l1, size1] = total();
  // every step rounds the sums of 12 grains a few times
  EXPECT_LT(norm(p1 - p), 1500 * 12 * 2.2e-16 * size);
  EXPECT_LT(std::abs(l1 - l), 1500 * 12 * 2.2e-16 * size * 0.2);
}

TEST(ConstraintFrictionOfPolygons, OneHashHoweverItIsRun) {
  for (const char* integrator : {"symplectic-euler", "velocity-verlet"}) {
    const auto make = [&] { return cluster(integrator); };
    const std::uint64_t hash = hash_of(make, {}, 600, 5e-5, 6);
    for (const Way& way : some_ways) EXPECT_EQ(hash_of(make, way, 600, 5e-5, 6), hash) << way;
    EXPECT_EQ(hash_of(make, another_way, 600, 5e-5, 6), hash);
  }
}

/// A row of bricks that cannot turn, squeezed between two walls so that friction holds it up; nothing below it.
Scene<2, double> row_of_bricks(int bricks) {
  auto scene = layer(laws_with(0.6), "symplectic-euler");
  scene.world.domain.gravity = {0, -g};
  const double side = 0.05, overlap = 1.5e-3, pitch = side - overlap;
  for (int k = 0; k < bricks; ++k) add_polygon(scene, box(side, side), {k * pitch, 0});
  for (double& inertia : scene.world.grains.inertia) inertia = 0;
  // Against a wall l is nearly twice that between two bricks: so is the overlap for the same force.
  add_plane<2>(scene, {-side / 2 + 1.93 * overlap, 0}, {1, 0});
  add_plane<2>(scene, {(bricks - 1) * pitch + side / 2 - 1.93 * overlap, 0}, {-1, 0});
  return scene;
}

/// What one contact knows travels one brick a sweep: Newton's method has to help, and leaves no trace of threads, lists and restarts.
TEST(ConstraintFrictionOfPolygons, ARowOfBricksHangsBetweenWallsHoweverItIsRun) {
  const double h = 1e-5;
  const auto make = [] { return row_of_bricks(40); };
  auto scene = make();
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  for (int k = 0; k < 100; ++k) sim.step();
  const auto& effort = sim.engine().friction_effort;
  EXPECT_GT(effort.newton, 0);
  EXPECT_EQ(effort.unfinished, 0);
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i)
    EXPECT_LT(std::abs(scene.world.state.v[i][1]), 1e-6 * g * 100 * h) << i;  // without friction: g t
  const std::uint64_t hash = hash_of(make, {}, 110, h, 6);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(make, way, 110, h, 6), hash) << way;
  EXPECT_EQ(hash_of(make, another_way, 110, h, 6), hash);
}

TEST(ConstraintFrictionOfPolygons, AStackOfBlocksComesToRestToRoundOff) {
  auto scene = layer(laws_with(0.6, 1e-13), "symplectic-euler");
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -g};
  // one block across two others, set down a micrometre high and not quite in the middle
  add_polygon(scene, box(0.1, 0.06), {-0.08, 0.03});
  add_polygon(scene, box(0.1, 0.06), {0.08, 0.03});
  add_polygon(scene, box(0.2, 0.06), {0.01, 0.09 + 1e-6});
  const double h = 5e-5;
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  while (sim.time() < 4) sim.step();
  EXPECT_FALSE(sim.engine().fault());
  const double e = kinetic(scene), slowest = 2.2e-16 * 0.1 / h;  // m/s: the last bit of a coordinate in a step
  double mass = 0;
  for (const double m : scene.world.grains.m) mass += m;
  EXPECT_LT(e, mass * slowest * slowest * 100);
}

/// What the solver has done so far is part of a checkpoint: a resumed run reports the effort of the whole.
TEST(ConstraintFrictionOfPolygons, AResumedRunKnowsTheEffortOfTheWhole) {
  auto whole = cluster("leapfrog"), first = cluster("leapfrog"), rest = cluster("leapfrog");
  const auto steps = [](auto& sim, int count) {
    for (int k = 0; k < count; ++k) sim.step();
  };
  Simulation<2, double> all(whole, 1e-5, 0.0), a(first, 1e-5, 0.0), b(rest, 1e-5, 0.0);
  all.start();
  steps(all, 6000);
  a.start();
  steps(a, 4500);
  b.load(a.save());
  steps(b, 1500);
  const auto &one = all.engine().friction_effort, &two = b.engine().friction_effort;
  EXPECT_GT(one.sweeps, one.solves);  // they have met
  EXPECT_GT(a.engine().friction_effort.sweeps, 0);
  EXPECT_EQ(two.solves, one.solves);
  EXPECT_EQ(two.sweeps, one.sweeps);
  EXPECT_EQ(two.most, one.most);
  EXPECT_EQ(two.newton, one.newton);
  EXPECT_EQ(two.unfinished, one.unfinished);
  EXPECT_EQ(two.worst, one.worst);
  EXPECT_EQ(b.hash(), all.hash());
}

}  // namespace
}  // namespace scree
