// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

// The root at the end of the support lets every rule converge as n^(-3/2): from 128 nodes on the
// fitted exponent is within 0.05 of it.
TEST(MollifierStudy, FindsTheOrderOfTheEndpoint) {
  const auto r = test::run_study("mollifier", {{"most", "1024"}}, {}, false);
  int checked = 0;
  for (const auto& one : r.json["orders"])
    if (one["domain"] == "support") {
      EXPECT_NEAR(one["order"].get<double>(), 1.5, 0.05) << one;
      ++checked;
    }
  EXPECT_EQ(checked, 5);
}

// The smooth quadrature of 4000 nodes has only round-off, 4000 roundings of a positive sum.
TEST(MollifierStudy, ConfirmsTheTableByAnotherWay) {
  const auto r = test::run_study("mollifier");
  EXPECT_LT(r.json["table_error"].get<double>(), 4000 * 2.2e-16);
  EXPECT_GT(r.json["midpoint1000"]["support"].get<double>(), 1e-7);  // and it is a real comparison
}

TEST(MollifierStudy, AgreesWithWhatTheThesisSaysOfTheRootAndItsQuadratures) {
  const auto r = test::run_study("mollifier");
  std::vector<std::string> held;
  for (const Finding& one : r.findings)
    if (one.verdict == Finding::Verdict::holds) held.push_back(one.claim);
  EXPECT_EQ(held, (std::vector<std::string>{
                      "the mollified root is not zero at x = 0",
                      "shifted by ε, all curves go through (0, 0)",
                      "over the whole interval the rules stay zero for a while and kink; over the "
                      "support they do not",
                      "the midpoint rule with 1000 panels serves as the reference"}));
  // M(x) = ∫ φ(u) sqrt(x - εu) du, φ even on (-1, 1): at 0 a mean of sqrt(ε|u|) over half of φ,
  // thus less than half of sqrt(ε).
  ASSERT_FALSE(r.findings.empty());
  double at_zero = 0;
  ASSERT_EQ(std::sscanf(r.findings[0].ours.c_str(), "it is %lf", &at_zero), 1)
      << r.findings[0].ours;
  EXPECT_GT(at_zero, 0);
  EXPECT_LT(at_zero, 0.5);
}

TEST(MollifierStudy, HasNoScene) {
  EXPECT_EQ(find_study("mollifier")->scene(StudySettings(find_study("mollifier")->options())), "");
  EXPECT_THROW(test::run_study("mollifier", {}, {"run.dt=1"}), InputError);
}

}  // namespace
}  // namespace scree
