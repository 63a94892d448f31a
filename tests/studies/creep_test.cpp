// SPDX-License-Identifier: BSD-3-Clause
/// The study of creep: a short stack, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

TEST(Creep, AStackTremblesLessWithRotationalDampingOrWithoutRotation) {
  const auto result = test::run_study("creep", {{"case", "stack"}, {"stack-time", "0.7"}, {"steps", "2e-5"}});
  const auto& runs = result.json["runs"];
  ASSERT_EQ(runs.size(), 3U);  // none, 0.1, frozen
  for (const auto& one : runs)
    for (const char* key : {"damping", "h", "drift", "kinetic"}) EXPECT_TRUE(one.contains(key)) << key;
  const double none = runs[0]["kinetic"], damped = runs[1]["kinetic"], frozen = runs[2]["kinetic"];
  EXPECT_EQ(runs[1]["damping"].get<double>(), 0.1);
  EXPECT_EQ(runs[0]["grains"].get<int>(), 10);
  EXPECT_LT(damped, 0.3 * none);
  EXPECT_LT(frozen, 0.1 * none);
  ASSERT_EQ(result.pictures.size(), 1U);
  EXPECT_EQ(result.pictures[0].frames[0].size(), 10U);
}

TEST(Creep, AHeapOfFewPolygonsRuns) {
  const auto result = test::run_study("creep", {{"case", "heap"}, {"grains", "30"}, {"time", "0.01"}, {"gamma", "0"}, {"steps", "2e-5"}});
  EXPECT_EQ(result.json["runs"].size(), 2U);
  for (const char* key : {"drift_error", "swing"}) EXPECT_TRUE(result.json["runs"][0].contains(key)) << key;
  const auto free = test::run_study("creep", {{"case", "heap"}, {"grains", "30"}, {"time", "0.01"}, {"gamma", "0,0.1"}, {"steps", "2e-5,1e-5"}, {"only-free", "true"}});
  EXPECT_EQ(free.json["runs"].size(), 4U);  // every coefficient at every step
  for (const auto& one : free.json["runs"]) EXPECT_EQ(one["rotation"], "free");
}

TEST(Creep, SaysWhatEachDampingTakesFromWheels) {
  const auto result = test::run_study("creep", {{"case", "wheel"}});
  const auto& rolling = result.json["rolling"];
  ASSERT_EQ(rolling.size(), 6U);
  EXPECT_EQ(rolling[0]["law"], "none");
  for (const auto& one : rolling) EXPECT_LE(one["disk_loss"].get<double>(), rolling[4]["disk_loss"].get<double>());  // the chord's
  ASSERT_EQ(result.tables.size(), 1U);
  EXPECT_EQ(result.tables[0].name, "rolling");
}

/// Twice the density on twice the stiffness moves alike, and lengths are in the same diameters.
TEST(Creep, KnowsTheDensityThatIsSet) {
  const auto drift = [](const std::vector<std::string>& set) {
    const auto result = test::run_study("creep", {{"case", "stack"}, {"stack-time", "0.05"}, {"steps", "2e-5"}, {"gamma", "0"}}, set);
    return result.json["runs"][0]["drift"].get<double>();
  };
  const double plain = drift({});
  EXPECT_NEAR(drift({"material.stone.density=10000.0", "contact.normal.Y=2e7"}), plain, 1e-6 * std::abs(plain));
}

TEST(Creep, WheelsTakeWhatIsSet) {
  const auto loss = [](const std::vector<std::string>& set) {
    return test::run_study("creep", {{"case", "wheel"}}, set).json["rolling"][4]["disk_loss"].get<double>();  // the chord's: (m Y)^{1/2} c³ with c³ as 1/Y
  };
  EXPECT_GT(std::abs(loss({"contact.normal.Y=2e7"}) - loss({})), 0.1 * loss({}));
}

/// A stack that has just fallen swings by more than it sinks: no verdict on its drift.
TEST(Creep, JudgesNoDriftThatSwingsHide) {
  const auto result = test::run_study("creep", {{"case", "stack"}, {"stack-time", "0.1"}, {"steps", "2e-5,1e-5"}, {"gamma", "0,0.1"}, {"only-seed", "true"}}, {}, false);
  EXPECT_NE(result.text.find("hidden by swings"), std::string::npos) << result.text;
  for (const auto& finding : result.findings) EXPECT_EQ(finding.ours.find("d_S"), std::string::npos) << finding.ours;
}

TEST(Creep, RefusesWhatMakesNoSense) {
  EXPECT_THROW(test::run_study("creep", {{"case", "pile"}}), InputError);
  EXPECT_THROW(test::run_study("creep", {{"gamma", "-1"}}), InputError);
  EXPECT_THROW(test::run_study("creep", {{"steps", "0"}}), InputError);
  EXPECT_THROW(test::run_study("creep", {{"time", "-1"}}), InputError);
  EXPECT_THROW(test::run_study("creep", {{"case", "stack"}, {"stack-time", "2e-5"}}), InputError);
}

}  // namespace
}  // namespace scree
