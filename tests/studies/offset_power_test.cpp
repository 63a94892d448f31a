// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/offset_power.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"

namespace scree {
namespace {

TEST(OffsetPower, FindsWhatMadeTheData) {
  for (const double p : {1.5, 2.5})
    for (const double offset : {-0.5, 0.0, 1.4}) {
      std::vector<double> x{4, 5, 6.5, 8, 10, 13}, y;
      for (const double one : x) y.push_back(0.7 * std::pow(one - offset, p));
      const OffsetPower fit = fit_offset_power(x, y);
      EXPECT_NEAR(fit.exponent, p, 1e-6);
      EXPECT_NEAR(fit.offset, offset, 1e-6);
      EXPECT_NEAR(fit.factor, 0.7, 1e-6);
    }
}

TEST(OffsetPower, KnowsItsErrors) {
  // 200 sets of data with 2 % of noise: the spread of the answers is what one answer says of itself.
  double spread = 0, told = 0;
  const int sets = 200;
  for (std::uint32_t set = 0; set < sets; ++set) {
    std::vector<double> x{4, 5, 6, 7, 8.5, 10, 12, 14}, y;
    for (std::uint32_t k = 0; k < x.size(); ++k) y.push_back(std::pow(x[k] - 1.4, 1.5) * std::exp(0.02 * Random(set, 0, k).normal()));
    const OffsetPower fit = fit_offset_power(x, y);
    spread += (fit.exponent - 1.5) * (fit.exponent - 1.5) / sets;
    told += fit.exponent_error * fit.exponent_error / sets;
  }
  // both are means of 200 squares, of one and of five degrees of freedom: relative errors 0.1 and 0.045
  EXPECT_NEAR(std::sqrt(told / spread), 1, 0.2);
}

}  // namespace
}  // namespace scree
