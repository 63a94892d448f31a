// SPDX-License-Identifier: BSD-3-Clause
/// Small runs of the studies of flows: that they run, and that sand does that.
#include <gtest/gtest.h>

#include "scree/core/errors.hpp"
#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

using test::run_study;

TEST(Chute, ALayerOnASteepSlopeFlowsFasterAboveThanBelow) {
  const auto result = run_study("chute", {{"layers", "8"}, {"length", "5"}, {"width", "4"}, {"time", "40"}, {"start", "0"}, {"stiffness", "2e3"}});
  EXPECT_GT(result.json["mean_velocity"].get<double>(), 0.5);  // 40 sin 26° - friction, at least
  EXPECT_NEAR(result.json["packing"].get<double>(), 0.55, 0.08);
  const auto& rows = result.tables[0].rows;
  double below = 0, above = 0;
  for (const auto& row : rows) {
    const double z = std::get<double>(row[0]), v = std::get<double>(row[2]);
    if (std::get<double>(row[1]) < 0.2) continue;
    if (z < 4e-3) below = v;
    above = v;
  }
  EXPECT_GT(above, below);
}

TEST(Chute, GentleSlopesDoNotFlow) {
  const auto result = run_study("chute", {{"layers", "8"}, {"length", "5"}, {"width", "4"}, {"time", "60"}, {"angle", "10"}, {"start", "0"}, {"stiffness", "2e3"}});
  EXPECT_LT(result.json["mean_velocity"].get<double>(), 0.1);
}

TEST(Shear, FrictionRisesAndPackingFallsWithTheInertialNumber) {
  const auto result = run_study("shear", {{"kappa", "300"}});
  const auto& points = result.json["points"];
  ASSERT_EQ(points.size(), 2U);
  for (const auto& one : points) EXPECT_NEAR(one["I"].get<double>() / one["I_wanted"].get<double>(), 1, 0.35);
  EXPECT_GT(points[1]["mu"].get<double>(), points[0]["mu"].get<double>());
  EXPECT_LT(points[1]["packing"].get<double>(), points[0]["packing"].get<double>());
}

TEST(Silo, AWiderHoleLetsMoreThrough) {
  const auto result = run_study("silo", {{"widths", "6,10"}, {"grains", "500"}, {"width", "20"}, {"stiffness", "2e3"}});
  const auto& points = result.json["points"];
  EXPECT_EQ(points[0]["status"], "flows");
  // (10 - 1.4)^1.5/(6 - 1.4)^1.5 = 2.6
  EXPECT_NEAR(points[1]["rate"].get<double>() / points[0]["rate"].get<double>(), 2.6, 0.8);
}

TEST(Heap, IsSteeperWithMoreFriction) {
  const auto result = run_study("heap", {{"mu", "0.05,0.6"}, {"table", "20"}, {"stiffness", "2e3"}, {"rate", "8"}});
  const auto& points = result.json["points"];
  EXPECT_GT(points[1]["angle"].get<double>(), points[0]["angle"].get<double>());
}

TEST(Heap, IsSteeperWhereGrainsCannotRoll) {
  const std::vector<std::pair<std::string, std::string>> small{{"mu", "0.5"}, {"table", "20"}, {"stiffness", "2e3"}, {"rate", "8"}, {"seeds", "2"}};
  auto rough = small;
  rough.push_back({"rolling", "0.3"});
  EXPECT_GT(run_study("heap", rough).json["points"][0]["angle"].get<double>(), run_study("heap", small).json["points"][0]["angle"].get<double>());
}

TEST(Flows, RefuseWhatMakesNoSense) {
  EXPECT_THROW(run_study("chute", {{"angle", "95"}}), InputError);
  EXPECT_THROW(run_study("chute", {{"dim", "4"}}), InputError);
  EXPECT_THROW(run_study("chute", {{"time", "1"}}), InputError);
  EXPECT_THROW(run_study("shear", {{"inertial", "-1"}}), InputError);
  EXPECT_THROW(run_study("shear", {{"width", "-5"}}), InputError);
  EXPECT_THROW(run_study("shear", {{"mu", "-1"}}), InputError);
  EXPECT_THROW(run_study("silo", {{"widths", "100"}}), InputError);
  EXPECT_THROW(run_study("heap", {{"mu", "-0.1"}}), InputError);
  EXPECT_THROW(run_study("heap", {{"rate", "-4"}}), InputError);
}

}  // namespace
}  // namespace scree
