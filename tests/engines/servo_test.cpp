// SPDX-License-Identifier: BSD-3-Clause
/// Walls and rigid groups that are pressed by an imposed force.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double k = 1e4, F = 2.0;

/// A plane that looks down at height h, pressed by F.
Wall<2> press(double h, double mass, double damping) {
  Wall<2> wall;
  wall.name = "press";
  wall.point = {0, h};
  wall.normal = {0, -1};
  wall.servo.on = true;
  wall.servo.direction = wall.normal;
  wall.servo.force = F;
  wall.servo.mass = mass;
  wall.servo.damping = damping;
  return wall;
}

TEST(Servo, WithoutMassItFallsAtTheSpeedOfItsDamping) {
  ContactLaws laws;
  laws.normal = Linear{k, 0};
  auto scene = empty_scene<2>(laws);
  add_grain<2>(scene, {0, 0}, {0, 0}, 0.01, 0.01, true);
  scene.world.walls.push_back(press(1, 0, 50));
  Simulation<2, double> sim(scene, 1e-4, 0.0);
  sim.start();
  for (int n = 0; n < 1001; ++n) sim.step();
  // it rests in the first step, for which nobody has given it a speed
  EXPECT_NEAR(scene.world.servoed[0].s, F / 50 * 0.1, 1e-15);
  EXPECT_DOUBLE_EQ(scene.world.servoed[0].u, F / 50);
}

/// On the spring of a fixed grain a press of mass M swings about the overlap F/k with ω² = k/M.
void expect_oscillator(Scene<2, double>& scene, std::size_t servo, double mass) {
  const double period = 2 * pi * std::sqrt(mass / k), dt = period / 2000;
  Simulation<2, double> sim(scene, dt, 0.0);
  sim.start();
  double lowest = 0, turned = 0;
  for (int n = 0; n < 2000; ++n) {
    sim.step();
    const double s = scene.world.servoed[servo].s;
    if (s > lowest) {
      lowest = s;
      turned = static_cast<double>(sim.time());
    }
  }
  EXPECT_NEAR(lowest, 2 * F / k, 2e-3 * F / k);  // from rest at first touch
  EXPECT_NEAR(turned, period / 2, 3 * dt);
  EXPECT_NEAR(scene.world.servoed[servo].s, 0, 2e-2 * F / k);  // back again; symplectic, first order
}

TEST(Servo, APlaneOnASpringSwingsWithTheClosedForm) {
  ContactLaws laws;
  laws.normal = Linear{k, 0};
  auto scene = empty_scene<2>(laws, "velocity-verlet");
  add_grain<2>(scene, {0, 0}, {0, 0}, 0.01, 1e9);  // free, and too heavy to move
  scene.world.walls.push_back(press(0.01, 0.3, 0));
  expect_oscillator(scene, 0, 0.3);
}

TEST(Servo, ARigidGroupOnASpringSwingsWithTheClosedForm) {
  ContactLaws laws;
  laws.normal = Linear{k, 0};
  auto scene = empty_scene<2>(laws, "velocity-verlet");
  add_grain<2>(scene, {0, 0}, {0, 0}, 0.01, 1e9);
  scene.world.groups.push_back({});
  for (int n = -1; n <= 1; ++n) {
    add_grain<2>(scene, {0.03 * n, 0.02}, {0, 0}, 0.01, 0.01, true);
    scene.world.grains.group.back() = 1;
  }
  scene.world.groups[1].servo = press(0, 0.3, 0).servo;
  expect_oscillator(scene, scene.world.walls.size() + 1, 0.3);
}

/// A damped press comes to rest where the grains carry the imposed force, and the books hold its work.
TEST(Servo, ComesToRestWhereTheGrainsCarryIt) {
  for (const char* name : {"velocity-verlet", "damped-verlet", "rk4"}) {
    ContactLaws laws;
    laws.normal = Linear{k, 5};
    auto scene = empty_scene<2>(laws, name);
    add_plane<2>(scene, {0, 0}, {0, 1});
    add_grain<2>(scene, {0, 0.01}, {0, 0}, 0.01, 0.01);
    scene.world.walls.push_back(press(0.0201, 0.05, 20));
    Simulation<2, double> sim(scene, 1e-5, 0.0);
    sim.start();
    for (int n = 0; n < 30000; ++n) sim.step();
    EXPECT_NEAR(scene.world.servoed[1].pushed_back, F, 1e-6) << name;
    EXPECT_NEAR(scene.world.servoed[1].s, 1e-4 + 2 * F / k, 1e-9) << name;
    const Energies e = sim.energies();
    EXPECT_NEAR(e.elastic, 2 * F * F / (2 * k), 1e-9) << name;
    // the wall's speed is constant over a step: first order
    EXPECT_NEAR(e.balance_error(), 0, 2e-3 * e.work) << name;
    EXPECT_GT(e.work, e.elastic) << name;
  }
}

/// A rough wall that slides through a periodic box under pressure, over a bed with springs.
Scene<2, double> shear_cell(const std::string& integrator) {
  ContactLaws laws;
  laws.normal = Linear{2e3, 0.2};
  laws.tangential = CundallStrack{1e3, 0.4, 0.01};
  auto scene = empty_scene<2>(laws, integrator);
  const double r = 2e-3, width = 12 * 2.2 * r;
  scene.world.domain.periodic = {true, false};
  scene.world.domain.hi = {width, 1};
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < 6; ++b) add_grain<2>(scene, {(2.2 * a + 1.1 + 0.1 * (b % 3)) * r, (2.1 * b + 1.1) * r}, {0, 0}, r * (a % 3 ? 1 : 0.9));
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.groups.push_back({});
  for (int a = 0; a < 12; ++a) {
    add_grain<2>(scene, {(2.2 * a + 1.1) * r, 14.2 * r}, {0, 0}, r, 0, true);
    scene.world.grains.group.back() = 1;
  }
  Move<2> slide;
  slide.velocity = {5 * width, 0};  // five periods in a second
  scene.world.groups[1].motion.push_back(slide);
  Servo<2>& servo = scene.world.groups[1].servo;
  servo.on = true;
  servo.direction = {0, -1};
  servo.force = 2;
  servo.mass = 0.01;
  servo.damping = 1;
  return scene;
}

TEST(Servo, OneHashHoweverItIsRun) {
  const auto make = [](const char* name) { return [=] { return shear_cell(name); }; };
  const std::uint64_t hash = hash_of(make("velocity-verlet"), {}, 800, 4e-5);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(make("velocity-verlet"), way, 800, 4e-5), hash) << way;
  for (const char* name : {"damped-verlet", "rk4"})
    EXPECT_EQ(hash_of(make(name), another_way, 600, 4e-5), hash_of(make(name), {}, 600, 4e-5)) << name;
}

TEST(Servo, ARoughWallPassesManyPeriodsAndStillPresses) {
  auto scene = shear_cell("velocity-verlet");
  Simulation<2, double> sim(scene, 2e-5, 0.0);
  sim.start();
  double mean = 0;
  for (int n = 0; n < 40000; ++n) {  // 0.8 s: four periods
    sim.step();
    if (n >= 20000) mean += scene.world.servoed.back().pushed_back / 20000;
  }
  EXPECT_FALSE(sim.engine().fault().has_value());
  EXPECT_NEAR(mean, 2, 0.1);
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i) {
    EXPECT_GE(scene.world.state.x[i][0], 0);
    EXPECT_LT(scene.world.state.x[i][0], scene.world.domain.hi[0]);
  }
}

}  // namespace
}  // namespace scree
