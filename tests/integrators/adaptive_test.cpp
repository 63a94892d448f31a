// SPDX-License-Identifier: BSD-3-Clause
/// Methods that choose their steps or iterate: the rules as seed 004 states them, what is counted,
/// and how they fail.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/integrators/adaptive.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/laws/collision.hpp"
#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

TEST(StepRule, OfHeeneBoundsTheErrorByFourThirdsOfTheTolerance) {
  const double tolerance = 1e-4, h = 1e-3;
  EXPECT_DOUBLE_EQ(HeeneRule::choose(tolerance, h, 2e-4).h, 5e-4);
  EXPECT_DOUBLE_EQ(HeeneRule::choose(tolerance, h, 1e-5).h, 1e-2);
  EXPECT_TRUE(HeeneRule::choose(tolerance, h, 4.0 / 3 * tolerance * (1 - 1e-12)).accept);
  EXPECT_FALSE(HeeneRule::choose(tolerance, h, 4.0 / 3 * tolerance * (1 + 1e-12)).accept);
  EXPECT_TRUE(HeeneRule::choose(tolerance, h, 0).accept);
}

TEST(StepRule, OfYeeAndChristaraBoundsTheErrorPerTime) {
  const double tolerance = 1e-4, h = 1e-3;
  // (tol h/(2 q))^{1/4} = 1/2 for q = 8 tol h
  EXPECT_DOUBLE_EQ(YeeChristaraRule::choose(tolerance, h, 8 * tolerance * h).h, h / 2);
  const double limit = std::pow(4.0 / 3, 4) * tolerance / 2 * h;
  EXPECT_TRUE(YeeChristaraRule::choose(tolerance, h, limit * (1 - 1e-12)).accept);
  EXPECT_FALSE(YeeChristaraRule::choose(tolerance, h, limit * (1 + 1e-12)).accept);
}

/// A grain that falls on a floor and bounces without loss.
Scene<2, double> bouncer(const std::string& integrator) {
  ContactLaws laws;
  laws.normal = Hertz{1e6};
  auto scene = empty_scene<2>(laws, integrator);
  scene.world.domain.gravity = {0, -9.81};
  add_grain<2>(scene, {0, 0.3}, {0.1, 0}, 0.1);
  add_plane<2>(scene, {0, 0}, {0, 1});
  return scene;
}

TEST(Adaptive, ReachesEveryStepOfTheRunAndCountsItsOwn) {
  for (const char* name : {"rkf45", "rkf45n", "dormand-prince"}) {
    auto scene = bouncer(name);
    scene.run.method.tolerance = 1e-7;
    scene.run.method.h_max = 0.003;
    Simulation<2, double> sim(scene, 0.01, 0.0);
    sim.start();
    for (int k = 0; k < 100; ++k) sim.step();
    const auto& i = sim.integrator();
    EXPECT_GE(i.accepted, 400) << name;  // of 10 ms in steps of 3 at most: four
    EXPECT_GT(i.rejected, 0) << name;    // the floor is hard and comes as a surprise
    const int stages = find_method(name)->force_calls;
    // a rejected step keeps its first stage
    EXPECT_EQ(i.force_calls, stages * i.accepted + (stages - 1) * i.rejected) << name;
    // horizontal motion is free: x = v t to round-off, so no piece of time is lost or counted twice
    EXPECT_NEAR(scene.world.state.x[0][0], 0.1, 1e-13) << name;
  }
}

TEST(Adaptive, ErrorFollowsTheTolerance) {
  // Every step may err by the tolerance in position, and in velocity by what moves the grain by the
  // tolerance in one step of the run. Some hundred steps do, and 40 steps of the run follow the contact.
  // The estimate itself rests on smoothness, and at touch, where there is less, may be several times too low.
  const auto height = [](double tolerance) {
    auto scene = bouncer("dormand-prince");
    scene.run.method.tolerance = tolerance;
    run(scene, 0.01, 60);
    return scene.world.state.x[0][1];
  };
  const double best = height(1e-14);
  double last = 1;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const double error = std::abs(height(tolerance) - best);
    EXPECT_LT(error, 5 * 100 * 40 * tolerance) << tolerance;
    EXPECT_LT(error, last / 10) << tolerance;
    last = error;
  }
}

TEST(Adaptive, FailsClearlyAtTheSmallestStep) {
  auto scene = bouncer("rkf45n");
  scene.run.method = {.tolerance = 1e-12, .h_min = 1e-3, .h_max = 2e-3};
  Simulation<2, double> sim(scene, 0.01, 0.0);
  sim.start();
  try {
    for (int k = 0; k < 100; ++k) sim.step();
    FAIL() << "nothing was thrown";
  } catch (const StepError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("rkf45n"), std::string::npos) << text;
    EXPECT_NE(text.find("h_min = 0.001 s"), std::string::npos) << text;
    EXPECT_NE(text.find("t = 0.20"), std::string::npos) << text;  // the fall of 0.2 m takes 0.202 s
  }
}

/// Four grains that fall on a floor, with friction; in space out of one plane.
template <int D> Scene<D, double> heap(const std::string& integrator, double tolerance, double skin) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e7, 1e3};
  laws.tangential = CundallStrack{1e5, 0.5};
  auto scene = empty_scene<D>(laws, integrator);
  const auto vec = [](double x, double y, double z) {
    if constexpr (D == 2) return Vec<2, double>{x, y};
    else return Vec<3, double>{x, y, z};
  };
  scene.world.domain.gravity = vec(0, -9.81, 0);
  scene.run.skin = skin;
  scene.run.method.tolerance = tolerance;
  scene.run.method.h_min = 1e-12;
  add_grain(scene, vec(0, 0.0101, 0), vec(0.3, -0.5, 0.1), 0.01);
  add_grain(scene, vec(0.0203, 0.0102, 0.001), vec(-0.3, -0.5, 0), 0.01);
  add_grain(scene, vec(0.01, 0.0278, -0.002), vec(0, -1, 0.2), 0.01);
  add_grain(scene, vec(0.03, 0.029, 0.003), vec(-0.5, -1, -0.1), 0.01);
  add_plane<D>(scene, vec(0, 0, 0), vec(0, 1, 0));
  return scene;
}

template <int D> void trials_leave_no_trace() {
  for (const auto& [name, tolerance] :
       {std::pair{"rkf45", 1e-9}, std::pair{"rkf45n", 1e-5}, std::pair{"dormand-prince", 1e-6}}) {
    std::vector<std::uint64_t> hashes;
    std::vector<double> slid;
    for (const double skin : {1e-5, 1e-4, 3e-3}) {
      auto scene = heap<D>(name, tolerance, skin);
      // Heene's rule, h_opt ~ 1/q, makes hardly any way after a trial that ends deep in another grain: an eighth of a contact.
      if (name == std::string("rkf45")) scene.run.method.h_max = 1e-4;
      Simulation<D, double> sim(scene, 5e-3, 0.0);
      sim.start();
      for (int k = 0; k < 8; ++k) sim.step();
      EXPECT_FALSE(sim.engine().fault()) << name;
      EXPECT_LT(sim.engine().largest_overlap, 0.04) << name;  // (5/4 m v²/k)^{2/5} = 3e-4 m of 0.01 at 1.2 m/s
      EXPECT_GT(sim.integrator().rejected, 0) << name;
      hashes.push_back(sim.hash());
      slid.push_back(sim.energies().tangential);
    }
    EXPECT_GT(slid[0], 0) << name;
    for (std::size_t k = 1; k < hashes.size(); ++k) {
      EXPECT_EQ(hashes[k], hashes[0]) << name;
      EXPECT_DOUBLE_EQ(slid[k], slid[0]) << name;
    }
  }
}

// A long trial step looks far ahead: lists made there must not end springs, nor overlaps there the run.
TEST(Adaptive, TrialsLeaveNoTrace) {
  trials_leave_no_trace<2>();
  trials_leave_no_trace<3>();
}

/// A harmonic oscillator of unit mass, stiffness 4, for 200 periods.
struct Swing {
  double energy_error;
  std::int64_t iterations, calls;
};
Swing swing(const std::string& integrator, const MethodSettings& settings, double h) {
  ContactLaws laws;
  laws.normal = Hertz{1};
  auto scene = empty_scene<2>(laws, integrator);
  add_grain<2>(scene, {1, 0}, {0, 0}, 0.01, 1.0);
  scene.world.grains.home[0] = {};
  scene.world.groups[0].attachment = 4.0;
  scene.run.method = settings;
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  for (int k = 0; k < std::lround(200 * pi / h); ++k) sim.step();
  const auto& s = scene.world.state;
  return {0.5 * norm2(s.v[0]) + 2 * norm2(s.x[0]) - 2, sim.integrator().iterations, sim.integrator().force_calls};
}

TEST(Gauss, KeepsQuadraticInvariantsToRoundOff) {
  // Gauss methods conserve quadratic invariants exactly (Hairer, Lubich, Wanner, IV.2.1); what is left
  // is a random walk of some 12600 steps, each of a few units of round-off of E = 2.
  EXPECT_LT(std::abs(swing("gauss4", {}, 0.05).energy_error), 1e-12);
  EXPECT_GT(std::abs(swing("rk4", {}, 0.05).energy_error), 1e-6);  // h^5 w^6/72 a step
}

TEST(Gauss, NeedsFewerIterationsFromThePreviousStages) {
  const Swing zero = swing("gauss4", {.tolerance = 1e-6}, 0.05);
  const Swing previous = swing("gauss4", {.tolerance = 1e-6, .previous = true}, 0.05);
  EXPECT_LT(previous.iterations, zero.iterations);
  EXPECT_EQ(zero.calls, 2 * zero.iterations);  // nothing to settle: no call beside the iteration
}

TEST(Gauss, GoesOnWhereAForceThatJumpsLeavesNoSolution) {
  // A dashpot that does not fade at touch: for some places of touch within a step a stage touches only if it
  // does not.
  ContactLaws laws;
  laws.normal = Linear{1e4, 1};
  const double r = 0.003, mass = 1.47e-4, v = 0.1;
  const double e = collide(laws, r, mass, v).restitution;
  std::int64_t circles = 0;
  for (int k = 0; k < 200; ++k) {
    auto scene = empty_scene<2>(laws, "gauss4");
    add_grain(scene, {0, r + 1e-4 + k * 1e-8}, {0, -v}, r, mass);
    add_plane<2>(scene, {0, 0}, {0, 1});
    Simulation<2, double> sim(scene, 2e-5, 0.0);
    sim.start();
    for (int n = 0; n < 100; ++n) sim.step();
    circles += sim.integrator().rejected;
    // twenty steps a contact, and the jump of the force, a quarter of the largest, lost or gained for one
    EXPECT_NEAR(scene.world.state.v[0][1] / v, e, 0.05);
  }
  EXPECT_GT(circles, 0);
}

TEST(Gauss, SaysWhenItFindsNoSolution) {
  // The iteration contracts by h w/(2 sqrt 3) or so: at h w = 10 it cannot.
  EXPECT_THROW(swing("gauss4", {}, 5.0), StepError);
  EXPECT_THROW(swing("gauss4", {.iterations = 2}, 0.05), StepError);
}

}  // namespace
}  // namespace scree
