// SPDX-License-Identifier: BSD-3-Clause
/// Runs of studies that begin from a rested start.
#include "scree/studies/experiment.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Experiment, GrainsThatCannotTurnDoNotKeepTheSpinThatTheyRestedWith) {
  const auto scene = [](const std::string& rotate) {
    return read_scene_text(R"([scene]
name = "one"
dim = 2
[domain]
[material.stone]
density = 5000.0
body = "disc"
height = 1.0
[[grains]]
build = "points"
material = "stone"
radius = 0.05
positions = [[0.0, 1.0]]
rotate = )" + rotate + R"(
[contact]
normal = { law = "linear", k = 1e5, g = 1.0 }
[run]
integrator = "velocity-verlet"
dt = 1e-4
time = 0.01
)",
                           "one.toml");
  };
  Settled rested;
  rested.x = {0, 1};
  rested.v = {0.5, 0};
  rested.q = {0};
  rested.w = {3};
  const Outcome free = run_experiment(scene("true"), 1e-4, 100, {}, &rested), frozen = run_experiment(scene("false"), 1e-4, 100, {}, &rested);
  EXPECT_EQ(static_cast<double>(free.w[0]), 3);
  EXPECT_EQ(static_cast<double>(frozen.w[0]), 0);
  EXPECT_EQ(static_cast<double>(frozen.q[0]), 0);
  EXPECT_EQ(static_cast<double>(frozen.v[0]), 0.5);
}

}  // namespace
}  // namespace scree
