// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/difference_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

TEST(DifferenceWeights, AreThoseOfTheTextbookOnEvenPoints) {
  const std::vector<double> three{-1, 0, 1}, five{-2, -1, 0, 1, 2};
  EXPECT_EQ(difference_weights(0, three), (std::vector<double>{-0.5, 0, 0.5}));
  EXPECT_EQ(difference_weights(0, three, 2), (std::vector<double>{1, -2, 1}));
  const std::vector<double> fourth = difference_weights(0, five), expected{1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(fourth[k], expected[k], 1e-16);
}

/// n points give every derivative of x^(n-1), anywhere.
TEST(DifferenceWeights, AreExactForPolynomials) {
  const std::vector<double> x{-0.3, 0.1, 0.25, 0.9, 1.4, 1.45};
  for (int m = 0; m <= 3; ++m)
    for (const double z : {0.2, -0.3, 1.9}) {
      const std::vector<double> w = difference_weights(z, x, m);
      double sum = 0, exact = std::pow(z, 5 - m), size = 0;
      for (int k = 0; k < m; ++k) exact *= 5 - k;
      for (std::size_t k = 0; k < x.size(); ++k) sum += w[k] * std::pow(x[k], 5), size += std::abs(w[k] * std::pow(x[k], 5));
      EXPECT_NEAR(sum, exact, 1e-13 * size) << m << " at " << z;
    }
}

}  // namespace
}  // namespace scree
