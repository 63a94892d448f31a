// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/compare.hpp"

#include <string>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

Frame two_grains(double time, double shift) {
  Frame f;
  f.time = time;
  f.id = {3, 7, 9};
  f.x = {0, 0, 1 + shift, 0, 5 + 100 * shift, 5};
  f.v.assign(6, 0.0);
  f.radius = {0.1, 0.3, 8};
  f.held = {0, 0, 1};
  return f;
}

Trajectory history(const std::string& name, std::vector<double> times, double rate) {
  Trajectory t;
  t.name = name;
  t.times = times;
  t.frame = [times, rate](std::size_t i) { return two_grains(times[i], rate * times[i]); };
  return t;
}

TEST(Compare, DistanceIsTheMeanOverFreeGrainsInMeanRadii) {
  const DistanceRow row = frame_distance(two_grains(2, 0.5), two_grains(2, 0));
  EXPECT_DOUBLE_EQ(row.mean, 0.25 / 0.2);
  EXPECT_DOUBLE_EQ(row.largest, 0.5 / 0.2);
  EXPECT_EQ(row.farthest, 7);
  EXPECT_EQ(row.time, 2);
}

TEST(Compare, PeriodicAxesTakeTheShortestWay) {
  const DistanceRow row = frame_distance(two_grains(0, 9.75), two_grains(0, 0), {10, 0});
  EXPECT_DOUBLE_EQ(row.mean, 0.125 / 0.2);
}

TEST(Compare, LowWordsCount) {
  Frame a = two_grains(0, 0), b = a;
  a.x_lo.assign(6, 0.0);
  a.x_lo[2] = 1e-25;
  EXPECT_DOUBLE_EQ(frame_distance(a, b).largest, 1e-25 / 0.2);
}

TEST(Compare, FramesMeetAtCommonTimesOnly) {
  const auto a = history("a", {0, 0.1, 0.2, 0.3}, 1), b = history("b", {0, 0.2 + 1e-12, 0.31}, 0);
  const auto rows = compare(a, b);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].time, 0.2);
  EXPECT_NEAR(rows[1].mean, 0.1 / 0.2, 1e-12);
  EXPECT_EQ(compare(a, b, 0.02).size(), 3u);
}

TEST(Compare, OtherGrainsOrNoCommonTimeAreErrorsThatNameTheRuns) {
  auto a = history("a", {0, 1}, 1), b = history("b", {0.5, 1.5}, 1);
  const auto message = [](const Trajectory& p, const Trajectory& q) -> std::string {
    try {
      compare(p, q);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message(a, b).find("no common times"), std::string::npos);
  b.times = a.times;
  b.frame = [](std::size_t) {
    Frame f = two_grains(0, 0);
    f.id[1] = 8;
    return f;
  };
  EXPECT_NE(message(a, b).find("different grains"), std::string::npos);
  EXPECT_NE(message(a, b).find("b"), std::string::npos);
  b.dim = 3;
  EXPECT_NE(message(a, b).find("dimension"), std::string::npos);
}

}  // namespace
}  // namespace scree
