// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/bagnold.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

TEST(Bagnold, FindsWhatMadeTheProfile) {
  for (const double a : {0.5, 1.0, 1.5, 2.4}) {
    std::vector<double> z, v;
    for (int k = 0; k < 40; ++k) {
      z.push_back(0.01 + 0.005 * k);
      v.push_back(0.3 + 7 * (std::pow(0.22, a) - std::pow(0.23 - z.back(), a)));
    }
    const BagnoldFit f = fit_bagnold(z, v, 0.01, 0.23);
    EXPECT_NEAR(f.exponent, a, 1e-5);
    EXPECT_NEAR(f.rate, 7, 1e-3);
    EXPECT_NEAR(f.slip, 0.3, 1e-4);
    EXPECT_LT(f.residual, 1e-6);
  }
}

}  // namespace
}  // namespace scree
