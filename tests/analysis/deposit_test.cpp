// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/deposit.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace scree {
namespace {

/// Grains of radius 1 at rest.
Frame frame_of(int dim, const std::vector<std::vector<double>>& places, const std::vector<std::vector<double>>& floor = {}) {
  Frame f;
  f.dim = dim;
  const auto add = [&](const std::vector<double>& x, bool held) {
    f.id.push_back(static_cast<std::int64_t>(f.id.size()));
    f.x.insert(f.x.end(), x.begin(), x.end());
    f.radius.push_back(1);
    f.held.push_back(held);
  };
  for (const auto& x : places) add(x, false);
  for (const auto& x : floor) add(x, true);
  return f;
}

// A staircase of three columns of touching grains, a clump of two and a loner on the floor; floor
// grains touch everything and connect nothing.
TEST(Deposit, LeavesOutWhatIsNotConnected) {
  std::vector<std::vector<double>> floor;
  for (double x = 0; x < 60; x += 2) floor.push_back({x, -1});
  const Frame f = frame_of(2, {{1, 1}, {1, 3}, {1, 5}, {3, 1}, {3, 3}, {5, 1}, {20, 1}, {22, 1}, {40, 1}}, floor);
  const Deposit d = measure_deposit(f, {});
  EXPECT_EQ(d.grains, 6);
  EXPECT_DOUBLE_EQ(d.head, 6);
  EXPECT_DOUBLE_EQ(d.runout, 6);
  ASSERT_EQ(d.surface.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(d.surface[k].s, 1 + 2.0 * static_cast<double>(k));
    EXPECT_DOUBLE_EQ(d.surface[k].z, 6 - 2.0 * static_cast<double>(k));
  }
}

TEST(Deposit, ConnectsAcrossGapsOfATenthOfARadius) {
  for (const auto& [gap, body] : {std::pair{0.09, 3}, std::pair{0.11, 2}}) {
    const Deposit d = measure_deposit(frame_of(2, {{1, 1}, {3, 1}, {5 + gap, 1}}), {});
    EXPECT_EQ(d.grains, body) << gap;
    EXPECT_DOUBLE_EQ(d.runout, body == 3 ? 6 + gap : 4) << gap;
  }
}

// Only grains on the floor count for the run-out: an overhang does not.
TEST(Deposit, TakesTheRunoutFromTheFloor) {
  const Deposit d = measure_deposit(frame_of(2, {{1, 1}, {3, 1}, {3, 3}, {5, 3}}), {});
  EXPECT_DOUBLE_EQ(d.runout, 4);
}

// A cone of touching rings: slope and length as built, in all directions.
TEST(Deposit, MeasuresARoundDeposit) {
  std::vector<std::vector<double>> places;
  const int rings = 12;
  for (int layer = 0; layer < rings; ++layer)
    for (int ring = 0; ring < rings - layer; ++ring) {
      const double rho = 2.0 * ring + 1;
      const int n = 6 * ring + 3;  // 2π ρ/n = 2.094: gaps of less than a tenth
      for (int k = 0; k < n; ++k)
        places.push_back({rho * std::cos(2 * std::numbers::pi * k / n), rho * std::sin(2 * std::numbers::pi * k / n), 1 + 2.0 * layer});
    }
  DepositRules rules;
  rules.round = true;
  const Deposit d = measure_deposit(frame_of(3, places), rules);
  EXPECT_EQ(d.grains, static_cast<std::int64_t>(places.size()));
  EXPECT_DOUBLE_EQ(d.head, 2.0 * rings);
  EXPECT_NEAR(d.runout, 2.0 * rings, 1e-12);
  ASSERT_EQ(d.surface.size(), static_cast<std::size_t>(rings));
  for (int ring = 0; ring < rings; ++ring)
    EXPECT_NEAR(d.surface[static_cast<std::size_t>(ring)].z, 2.0 * (rings - ring), 1e-12) << ring;
}

// Lanes of a channel count alike: one long finger of four moves the run-out by a quarter.
TEST(Deposit, AveragesTheRunoutOverAChannel) {
  std::vector<std::vector<double>> places;
  for (int lane = 0; lane < 8; ++lane)
    for (int k = 0; k < (lane < 2 ? 10 : 6); ++k) places.push_back({1 + 2.0 * k, 1 + 2.0 * lane, 1});
  DepositRules rules;
  rules.depth = 16;
  EXPECT_NEAR(measure_deposit(frame_of(3, places), rules).runout, (20 + 3 * 12) / 4.0, 1e-12);
}

// The Bézier curve of points on a line in equal steps is that line; of three points a parabola.
TEST(Deposit, SmoothsWithBezier) {
  std::vector<Point2> straight;
  for (int k = 0; k <= 60; ++k) straight.push_back({0.5 * k, 3 - 0.1 * k});
  for (const Point2& p : bezier(straight, 17)) EXPECT_NEAR(p.z, 3 - 0.2 * p.s, 1e-12);
  const auto curve = bezier({{0, 0}, {1, 2}, {2, 0}}, 5);
  ASSERT_EQ(curve.size(), 5U);
  for (const Point2& p : curve) EXPECT_NEAR(p.z, p.s * (2 - p.s), 1e-15);
  EXPECT_NEAR(height_at(curve, 0.25), 0.375, 1e-15);
  EXPECT_EQ(height_at(curve, 3), 0);
}

}  // namespace
}  // namespace scree
