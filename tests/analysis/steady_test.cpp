// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/steady.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"

namespace scree {
namespace {

/// An approach to 2 within a time of 100 values, plus correlated noise (first-order autoregressive, 10 values long).
std::vector<double> approach(std::uint32_t seed, std::size_t n, double step) {
  std::vector<double> y(n);
  double noise = 0;
  for (std::size_t k = 0; k < n; ++k) {
    Random draw(seed, 0, static_cast<std::uint32_t>(k));
    noise = 0.9 * noise + std::sqrt(1 - 0.81) * 0.02 * draw.normal();
    y[k] = 2 - step * std::exp(-static_cast<double>(k) / 100) + noise;
  }
  return y;
}

TEST(Steady, LeavesOutTheApproach) {
  int found = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Steady s = find_steady(approach(seed, 3000, 1));
    found += s.steady;
    // what is left of the approach is at most as large as the noise of a mean of five
    EXPECT_GT(s.from, 250U);
    EXPECT_LT(s.from, 1500U);
    // the variance of a mean of n such values is (1 + 0.9)/(1 - 0.9) of that of independent ones
    EXPECT_NEAR(s.mean, 2, 5 * 0.02 * std::sqrt(19.0 / 1500));
    EXPECT_NEAR(std::log(s.stderr_ / (0.02 * std::sqrt(19.0 / 2500))), 0, 1);
  }
  EXPECT_GE(found, 18);  // three standard errors of ten batches are exceeded in one of fifty
}

TEST(Steady, SaysWhenItIsNot) {
  std::vector<double> ramp(1000), early = approach(1, 150, 1);
  for (std::size_t k = 0; k < ramp.size(); ++k) ramp[k] = static_cast<double>(k) + (k % 7 ? 0 : 3);
  EXPECT_FALSE(find_steady(ramp).steady);
  EXPECT_FALSE(find_steady(early).steady);
  EXPECT_FALSE(find_steady({1, 2, 1, 2}).steady);
}

TEST(Steady, KnowsAConstant) {
  const Steady s = find_steady(std::vector<double>(100, 3.5));
  EXPECT_TRUE(s.steady);
  EXPECT_EQ(s.from, 0U);
  EXPECT_EQ(s.mean, 3.5);
}

}  // namespace
}  // namespace scree
