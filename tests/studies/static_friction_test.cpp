// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scree/core/errors.hpp"
#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

struct Trace {
  std::vector<double> time, kinetic, height;
};

std::map<std::string, Trace> traces_of(const StudyResult& r) {
  std::map<std::string, Trace> all;
  for (const auto& row : r.tables.at(1).rows) {
    Trace& t = all[std::get<std::string>(row[0]) + " " + std::get<std::string>(row[1])];
    t.time.push_back(std::get<double>(row[3]));
    t.kinetic.push_back(std::get<double>(row[4]));
    t.height.push_back(std::get<double>(row[5]));
  }
  return all;
}

TEST(StaticFrictionStudy, BothKindsOfFrictionBeginFromOneHeap) {
  const StudyResult r = test::run_study("static-friction", {{"grains", "40"}});
  const auto all = traces_of(r);
  ASSERT_EQ(all.size(), 4U);
  const Trace &springs = all.at("cundall-strack free"), &constraint = all.at("constraint free");
  EXPECT_EQ(springs.kinetic.front(), constraint.kinetic.front());
  for (const auto& [name, t] : all) {
    EXPECT_NEAR(t.time.back(), 0.02, 1e-9) << name;
    EXPECT_EQ(t.height.front(), 0) << name;
  }
  // With the friction of the springs in every contact, both sink alike: the centre differs by far less than it would if
  // the heap had to find its friction anew, some g t²/2 = 2e-3 m of 5e-2 m.
  EXPECT_NEAR(constraint.height.back(), springs.height.back(), 0.004);
  EXPECT_EQ(r.figures.at(0).panels.at(0).series.size(), 4U);
}

TEST(StaticFrictionStudy, RefusesWhatItCannotRun) {
  EXPECT_THROW(test::run_study("static-friction", {{"steps", "0"}}), InputError);
  EXPECT_THROW(test::run_study("static-friction", {{"tolerance", "-1"}}), InputError);
  EXPECT_THROW(test::run_study("static-friction", {{"grains", "none"}}), InputError);
}

}  // namespace
}  // namespace scree
