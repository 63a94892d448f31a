// SPDX-License-Identifier: BSD-3-Clause
/// What a disk loses that rolls, in closed form.
#include "scree/studies/rolling_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree {
namespace {

const std::string friction = R"({ law = "cundall-strack", mu = 0.6 })";

TEST(RollingLoss, ADiskThatRollsLosesNothingToWhatActsOnItsSlip) {
  // It begins without slip and in balance but for the shape of the lens, of which the law has the leading order: exactly.
  EXPECT_NEAR(rolling_loss(friction, "", 1e-5, 0.05).disk, 0, 1e-9);
  EXPECT_NEAR(rolling_loss(friction, R"({ law = "matrix-damping", gamma = 0.5 })", 1e-5, 0.05).disk, 0, 1e-9);
  EXPECT_NEAR(rolling_loss(R"({ law = "cundall-strack", mu = 0.6, damping = 1 })", "", 1e-5, 0.05).disk, 0, 1e-9);
}

TEST(RollingLoss, TheChordsCoupleIsARollingResistance) {
  // (I + m ρ²) w' = -g w about the foot, ρ = r - ξ and g = γ sqrt(m Y) c³/(12 l), c = 2 sqrt(2 r ξ): E goes as exp(-2 g t/(I + m ρ²)).
  const double r = 0.05, Y = 1e7, m = 5000 * std::numbers::pi * r * r, t = 0.25;
  const double xi = std::pow(4 * r * m * 9.81 / Y * 0.75 / std::sqrt(2 * r), 2.0 / 3), rho = r - xi;
  const double g = 0.5 * std::sqrt(m * Y) * std::pow(2 * std::sqrt(2 * r * xi), 3) / (12 * 4 * r);
  const double expected = 1 - std::exp(-2 * g * t / (0.5 * m * r * r + m * rho * rho));
  // friction sets in by a spring: it swings for the first few milliseconds, by the part h sqrt(k_t/m) of what it does at most
  EXPECT_NEAR(rolling_loss(friction, R"({ law = "chord-damping", gamma = 0.5 })", 1e-5, t).disk, expected, 0.01 * expected);
}

}  // namespace
}  // namespace scree
