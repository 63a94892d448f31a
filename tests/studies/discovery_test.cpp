// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

// At 0.1 % noise the weak form finds Lorenz's equations; of n = 2 of 2 the interval by Wilson with z = 1 is from 2/3 to 1.
TEST(DiscoveryStudy, CountsExactTermsWithTheirUncertainty) {
  const StudyResult result = test::run_study("discovery", {{"systems", "lorenz"}, {"forms", "weak"}, {"noise", "0.001,2"}, {"draws", "2"}});
  const auto& rows = result.json["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["exact"], 1.0);
  EXPECT_NEAR(rows[0]["exact_interval"][0].get<double>(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(rows[0]["exact_interval"][1].get<double>(), 1, 1e-12);
  EXPECT_LT(rows[0]["coefficient_error"].get<double>(), 0.02);
  EXPECT_EQ(rows[1]["exact"], 0.0);  // noise of twice the deviation hides all
}

TEST(DiscoveryStudy, WritesTheDataOfItsSystems) {
  const StudyResult result = test::run_study("discovery", {{"data", "lorenz"}});
  ASSERT_EQ(result.tables.size(), 1u);
  EXPECT_EQ(result.tables[0].name, "lorenz");
  EXPECT_EQ(result.tables[0].columns, (std::vector<std::string>{"t", "x", "y", "z"}));
  ASSERT_EQ(result.tables[0].rows.size(), 5000u);
  EXPECT_EQ(std::get<double>(result.tables[0].rows[0][1]), -8);
}

TEST(DiscoveryStudy, TakesDrawsPerSystem) {
  EXPECT_THROW(test::run_study("discovery", {{"systems", "lorenz"}, {"draws", "2,3"}}), std::exception);
  EXPECT_THROW(test::run_study("discovery", {{"systems", "lorenz"}, {"draws", "1.5"}}), std::exception);
}

}  // namespace
}  // namespace scree
