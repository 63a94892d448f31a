// SPDX-License-Identifier: BSD-3-Clause
/// The balances on a strip, from the state of a run: a few grains between walls that are known not to be smooth.
#include <gtest/gtest.h>

#include "scree/studies/couette_balance.hpp"
#include "scree/studies/experiment.hpp"
#include "tests/fields/clouds.hpp"
#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

/// 200 beads that fall onto a floor of fixed ones within side walls, with friction, by symplectic Euler. Without dashpots, so
/// that forces do not jump when grains touch and can be differentiated.
constexpr const char* bed = R"([scene]
name = "bed"
dim = 2
[domain]
gravity = [0.0, -9.81]
[material.bead]
density = 1300.0
[[grains]]
build = "line"
start = [0.0, 0.0]
end = [0.12, 0.0]
spacing = 6e-3
radius = 3e-3
fixed = true
material = "bead"
[[grains]]
build = "random"
box = [[0.0, 0.004], [0.12, 0.2]]
count = 200
radius = { mean = 3.5e-3, spread = 0.2 }
material = "bead"
[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [1.0, 0.0]
[[walls]]
kind = "plane"
point = [0.12, 0.0]
normal = [-1.0, 0.0]
[contact]
normal = { law = "linear", k = 1000.0, g = 0.0 }
tangential = { law = "cundall-strack", ratio = 0.2857, mu = 0.5 }
[run]
integrator = "symplectic-euler"
dt = 1.0e-5
time = 1.0
)";

/// Exactly up to the wall; with differences in time alone below 1e-3, if velocities are taken to be half a step behind, and not if
/// they are not: the error of that is of first order in the step.
TEST(CouetteBalance, HoldsUpToTheWallOnAStripOfAFallingBed) {
  const AnyScene scene = read_scene_text(bed, "bed");
  std::vector<Frame> frames;
  const std::int64_t first = 12000, stride = 2;
  const Outcome end = run_experiment(scene, 1e-5, first + 6 * stride, {stride, [&](const Frame& f) {
                                                                         if (f.step >= first) frames.push_back(f);
                                                                         return true;
                                                                       }, true});
  ASSERT_TRUE(end.fault.empty()) << end.fault;
  ASSERT_EQ(frames.size(), 7u);
  // the strip lies along x at y = 0: look from the middle of the bed
  for (Frame& f : frames)
    for (std::size_t i = 0; i < f.size(); ++i) f.x[2 * i + 1] -= 0.02;
  for (Frame& f : frames)
    for (std::size_t k = 0; k < f.contacts.size(); ++k) f.contacts.point[2 * k + 1] -= 0.02;
  RunInfo info;
  info.gravity = {0, -9.81};
  StripRules rules;
  rules.width = 0.03;
  rules.spacing = 5e-4;
  rules.across = 9;
  rules.from = 0;
  rules.to = 0.12;
  rules.inner = 0;
  rules.outer = 0.12;
  rules.lag = 0.5e-5;
  const StripBalance wall = strip_balance(frames, info, "wall", rules);
  EXPECT_LT(wall.largest(wall.continuity_exact, false, rules), 1e-12);
  EXPECT_LT(wall.largest(wall.momentum_exact, false, rules), 1e-11);
  EXPECT_LT(wall.largest(wall.momentum_lag, false, rules), 1e-2);
  EXPECT_LT(wall.largest(wall.momentum_time, false, rules), 1e-3);
  rules.lag = 0;
  const StripBalance plain = strip_balance(frames, info, "wall", rules);
  EXPECT_GT(plain.largest(plain.momentum_time, false, rules), 4 * wall.largest(wall.momentum_time, false, rules));
  const StripBalance none = strip_balance(frames, info, "none", rules);
  EXPECT_GT(none.largest(none.momentum_exact, false, rules), 0.05);
}

/// Grains that fly freely: differences in time of x + v t are good to rounding, and what is left of the balances is the grid in space, of
/// order 6.
TEST(CouetteBalance, HalfTheSpacingLeavesA64th) {
  const clouds::Recipe recipe{.grains = 60, .seed = 11};
  std::vector<Frame> frames;
  for (int k = 0; k < 7; ++k) {
    Frame f = clouds::cloud(recipe);
    f.contacts = {};
    f.time = 1e-3 * k;
    for (std::size_t i = 0; i < f.x.size(); ++i) f.x[i] += f.time * f.v[i] - (i % 2 == 1 ? 0.5 : 0);  // about y = 0
    frames.push_back(f);
  }
  RunInfo info;
  info.gravity = {0, 0};
  StripRules rules;
  rules.width = 0.5;
  rules.across = 7;
  rules.from = rules.inner = 0.4;
  rules.to = rules.outer = 0.6;
  const auto left = [&](double spacing) {
    rules.spacing = spacing;
    const StripBalance b = strip_balance(frames, info, "none", rules);
    EXPECT_EQ(b.spacing, spacing);
    return std::array{b.largest(b.continuity_lag, false, rules), b.largest(b.momentum_lag, false, rules)};
  };
  const auto coarse = left(2.5e-3), fine = left(1.25e-3);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 6, 0.5) << coarse[k] << " " << fine[k];
}

}  // namespace
}  // namespace scree
