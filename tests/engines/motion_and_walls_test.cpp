// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "scree/shapes/wall.hpp"
#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Motion, VelocityIsTheDerivativeOfThePlaceForEveryMove) {
  std::vector<Move<3>> moves(4);
  moves[0].kind = MoveKind::translate;
  moves[0].velocity = {0.3, -0.1, 0.2};
  moves[1].kind = MoveKind::rotate;
  moves[1].rate = 1.7;
  moves[1].axis = {1, 2, -1};
  moves[1].centre = {0.1, 0, 0};
  moves[2].kind = MoveKind::shrink;
  moves[2].rate = 0.05;
  moves[3].kind = MoveKind::oscillate;
  moves[3].amplitude = {0, 0.01, 0.02};
  moves[3].frequency = 3;
  const Vec<3, double> home{0.4, 0.2, -0.3};
  for (const double t : {0.1, 0.7, 1.3}) {
    const double h = 1e-6;
    const Vec<3, double> v = (carry(moves, home, t + h).x - carry(moves, home, t - h).x) * (0.5 / h);
    EXPECT_LT(norm(v - carry(moves, home, t).v), 1e-8) << t;
  }
}

TEST(Motion, StopsAtTheEndOfItsWindow) {
  std::vector<Move<2>> moves(1);
  moves[0].velocity = {1, 0};
  moves[0].from = 1;
  moves[0].until = 3;
  EXPECT_EQ(carry(moves, Vec<2, double>{0, 0}, 0.5).x[0], 0);
  EXPECT_EQ(carry(moves, Vec<2, double>{0, 0}, 2.0).x[0], 1);
  EXPECT_EQ(carry(moves, Vec<2, double>{0, 0}, 9.0).x[0], 2);
  EXPECT_EQ(carry(moves, Vec<2, double>{0, 0}, 9.0).v[0], 0);
}

TEST(Motion, AQuarterTurnPutsThePointWhereItShould) {
  std::vector<Move<2>> moves(1);
  moves[0].kind = MoveKind::rotate;
  moves[0].rate = pi / 2;
  moves[0].centre = {1, 0};
  const auto c = carry(moves, Vec<2, double>{2, 0}, 1.0);
  EXPECT_NEAR(c.x[0], 1, 1e-15);
  EXPECT_NEAR(c.x[1], 1, 1e-15);
  EXPECT_NEAR(c.v[0], -pi / 2, 1e-15);
  EXPECT_NEAR(c.w[0], pi / 2, 1e-15);
}

TEST(Walls, DistanceAndNormalAreThoseOfTheNearestPoint) {
  WallPose<2, double> ring;
  ring.kind = WallKind::ring;
  ring.radius = 2;
  auto m = meet(ring, Vec<2, double>{1.5, 0});
  EXPECT_DOUBLE_EQ(m.distance, 0.5);
  EXPECT_DOUBLE_EQ(m.n[0], 1);
  ring.inside = false;
  m = meet(ring, Vec<2, double>{0, -2.5});
  EXPECT_DOUBLE_EQ(m.distance, 0.5);
  EXPECT_DOUBLE_EQ(m.n[1], 1);

  WallPose<2, double> segment;
  segment.kind = WallKind::segment;
  segment.end = {1, 0};
  EXPECT_DOUBLE_EQ(meet(segment, Vec<2, double>{0.5, 0.2}).distance, 0.2);
  EXPECT_DOUBLE_EQ(meet(segment, Vec<2, double>{0.5, -0.2}).distance, 0.2);
  EXPECT_DOUBLE_EQ(meet(segment, Vec<2, double>{1.3, 0.4}).distance, 0.5);

  WallPose<3, double> cylinder;
  cylinder.kind = WallKind::ring;
  cylinder.radius = 2;
  cylinder.axis = {0, 0, 1};
  EXPECT_DOUBLE_EQ(meet(cylinder, Vec<3, double>{0, 1, 77}).distance, 1);
}

TEST(Walls, ASheetIsMetOnBothSidesAndOnTheRimOfItsHole) {
  WallPose<3, double> sheet;
  sheet.kind = WallKind::sheet;
  sheet.normal = {0, 0, 1};
  sheet.point = {1, 0, 0};
  sheet.radius = 0.5;
  auto m = meet(sheet, Vec<3, double>{3, 0, 0.2});
  EXPECT_DOUBLE_EQ(m.distance, 0.2);
  EXPECT_EQ(m.n, (Vec<3, double>{0, 0, -1}));
  m = meet(sheet, Vec<3, double>{1, 3, -0.2});
  EXPECT_DOUBLE_EQ(m.distance, 0.2);
  EXPECT_EQ(m.n, (Vec<3, double>{0, 0, 1}));
  m = meet(sheet, Vec<3, double>{1, 0.2, 0.4});  // 0.3 short of the rim, 0.4 above it
  EXPECT_DOUBLE_EQ(m.distance, 0.5);
  EXPECT_NEAR(norm(m.n - Vec<3, double>{0, 0.6, -0.8}), 0, 1e-15);
  EXPECT_DOUBLE_EQ(meet(sheet, Vec<3, double>{1, 0, 1.2}).distance, 1.3);  // over the middle
}

TEST(Walls, TheDirectionToAMovingSheetTurnsAtTheRateOfItsDifferences) {
  Wall<3> wall;
  wall.kind = WallKind::sheet;
  wall.point = {0.1, 0.2, 0.3};
  wall.normal = {0.6, 0, 0.8};
  wall.radius = 0.5;
  Move<3> turn;
  turn.kind = MoveKind::rotate;
  turn.rate = 0.7;
  turn.centre = {1, 0, 0};
  turn.axis = {0, 0.6, 0.8};
  turn.from = -10;
  Move<3> slide;
  slide.kind = MoveKind::translate;
  slide.velocity = {0.3, -0.2, 0.5};
  slide.from = -10;
  wall.motion = {turn, slide};
  const Vec<3, double> v{0.4, 0.9, -0.3};
  const double h = 1e-5;
  for (const Vec<3, double>& off : {Vec<3, double>{0.1, 0.2, 0.15}, Vec<3, double>{0.9, 0.5, 0.4}, Vec<3, double>{0.7, -0.8, -0.9}}) {
    const Vec<3, double> x = WallPose<3, double>(wall, 0).point + off;
    const auto n_at = [&](double t) { return meet(WallPose<3, double>(wall, t), x + v * t).n; };
    const Vec<3, double> differences = (n_at(h) - n_at(-h)) * (1 / (2 * h));
    // a central difference: h² times a third derivative of the order of (v/distance)³/6 < 1e3
    EXPECT_NEAR(norm(turning(WallPose<3, double>(wall, 0), n_at(0), x, v) - differences), 0, 1e3 * h * h + 1e-9);
  }
}

TEST(Walls, ATurningRingDragsAGrainThatRollsInIt) {
  // A grain that cannot turn is carried up the side of a slowly turning drum until it slides, where
  // tan(angle) = mu; it swings about that angle with the speed at which it came, 0.01 m/s here.
  ContactLaws laws;
  laws.normal = HertzLinear{1e6, 0.5};
  laws.tangential = CundallStrack{1e4, 0.5, 0.1};
  auto scene = empty_scene<2>(laws);
  scene.world.domain.gravity = {0, -9.81};
  add_grain<2>(scene, {0.0899 * std::sin(0.4), -0.0899 * std::cos(0.4)}, {0, 0}, 0.01, 0.01);
  scene.world.grains.inertia[0] = 0;
  Wall<2> drum;
  drum.kind = WallKind::ring;
  drum.radius = 0.1;
  drum.name = "drum";
  Move<2> turn;
  turn.kind = MoveKind::rotate;
  turn.rate = 0.1;
  drum.motion.push_back(turn);
  scene.world.walls.push_back(drum);
  run(scene, 1e-5, 150000);
  const Vec<2, double> x = scene.world.state.x[0];
  EXPECT_NEAR(std::atan2(x[0], -x[1]), std::atan(0.5), 0.02);
}

TEST(Walls, AGateThatIsRemovedLetsGo) {
  ContactLaws laws;
  laws.normal = HertzLinear{1e6, 0.5};
  auto scene = empty_scene<2>(laws);
  add_grain<2>(scene, {0, 0.0101}, {0, 0}, 0.01, 0.01);
  scene.world.domain.gravity = {0, -9.81};
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.walls[0].until = 0.1;
  run(scene, 1e-5, 20000);
  EXPECT_LT(scene.world.state.v[0][1], -0.9);  // falls freely since t = 0.1
}

TEST(Groups, AppearAndDisappearAtTheirTimes) {
  ContactLaws laws;
  laws.normal = HertzLinear{1e6, 0.5};
  for (const char* name : {"damped-verlet", "velocity-verlet", "rk4"}) {
    auto scene = empty_scene<2>(laws, name);
    add_grain<2>(scene, {0, 0}, {1, 0}, 0.01, 0.01);
    scene.world.groups.push_back({});
    add_grain<2>(scene, {1, 0}, {0, 2}, 0.01, 0.01);
    scene.world.grains.group[1] = 1;
    scene.world.groups[1].from = 0.5;
    Simulation<2, double> sim(scene, 1e-3, 0.0);
    sim.start();
    EXPECT_EQ(sim.frame(false).size(), 1U);
    while (sim.steps() < 1000) sim.step();
    const Frame f = sim.frame(false);
    ASSERT_EQ(f.size(), 2U) << name;
    EXPECT_NEAR(f.x[2], 1, 1e-12) << name;
    EXPECT_NEAR(f.x[3], 1.0, 4e-3) << name;  // 2 m/s for half a second, to a step
    EXPECT_NEAR(f.x[0], 1.0, 1e-12) << name;
  }
}

TEST(Periodic, AGrainThatLeavesOnOneSideComesBackOnTheOtherAndStillCollides) {
  ContactLaws laws;
  laws.normal = Hertz{1e6};
  auto scene = empty_scene<2>(laws);
  scene.world.domain.periodic = {true, true};
  scene.world.domain.hi = {1, 1};
  add_grain<2>(scene, {0.95, 0.5}, {1, 0}, 0.01, 0.01);
  add_grain<2>(scene, {0.05, 0.5}, {0, 0}, 0.01, 0.01);
  run(scene, 1e-5, 20000);
  const std::size_t a = place(scene, 0), b = place(scene, 1);
  EXPECT_NEAR(scene.world.state.v[a][0], 0, 1e-6);
  EXPECT_NEAR(scene.world.state.v[b][0], 1, 1e-6);
  EXPECT_LT(scene.world.state.x[a][0], 0.1);
}

TEST(Faults, NameTheGrain) {
  ContactLaws laws;
  laws.normal = Hertz{1e2};  // far too soft
  auto scene = empty_scene<2>(laws);
  add_grain<2>(scene, {0, 0}, {1, 0}, 0.01, 0.01);
  add_grain<2>(scene, {0.03, 0}, {-1, 0}, 0.01, 0.01);
  Simulation<2, double> soft(scene, 1e-5, 0.0);
  soft.start();
  for (int k = 0; k < 2000 && !soft.engine().fault(); ++k) soft.step();
  ASSERT_TRUE(soft.engine().fault().has_value());
  EXPECT_NE(soft.engine().fault()->what.find("grain 0 and grain 1 overlap"), std::string::npos);

  auto broken = empty_scene<2>(laws);
  add_grain<2>(broken, {0, 0}, {1, 0}, 0.01, 0.01);
  add_grain<2>(broken, {0.5, 0}, {-1, 0}, 0.01, 0.01);
  Simulation<2, double> nan(broken, 1e-5, 0.0);
  nan.start();
  broken.world.state.v[place(broken, 1)][1] = std::nan("");
  Push<2> push;
  push.force = {std::nan(""), 0};
  for (int k = 0; k < 1000 && !nan.engine().fault(); ++k) {
    broken.world.state.x[place(broken, 1)][0] = std::nan("");
    nan.step();
  }
  ASSERT_TRUE(nan.engine().fault().has_value());
  EXPECT_NE(nan.engine().fault()->what.find("grain 1"), std::string::npos);
}

TEST(Faults, AGrainThatLeavesABoundedDomainHasEscaped) {
  ContactLaws laws;
  laws.normal = Hertz{1e6};
  auto scene = empty_scene<2>(laws);
  scene.world.domain.bounded = true;
  scene.world.domain.lo = {-1, -1};
  scene.world.domain.hi = {1, 1};
  add_grain<2>(scene, {0, 0}, {10, 0}, 0.01, 0.01);
  Simulation<2, double> sim(scene, 1e-4, 0.0);
  sim.start();
  while (sim.time() < 0.2 && !sim.engine().fault()) sim.step();
  ASSERT_TRUE(sim.engine().fault().has_value());
  EXPECT_NE(sim.engine().fault()->what.find("grain 0 has left"), std::string::npos);
}

}  // namespace
}  // namespace scree
