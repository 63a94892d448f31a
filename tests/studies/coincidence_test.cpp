// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/coincidence.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace scree {
namespace {

/// d = C (h^p - h_r^p) e^{λ t}, to rounding; C such that the middle step begins with about 1e-8.
DistanceCurves made(double p, double rate, double h_r) {
  DistanceCurves c;
  c.h = {0x1p-10, 0x1p-11, 0x1p-12};
  c.h_r = h_r;
  for (int i = 0; i <= 64; ++i) c.t.push_back(i / 16.0);
  for (const double h : c.h) {
    auto& d = c.d.emplace_back();
    for (const double t : c.t)
      d.push_back(1e-8 / std::pow(0x1p-11, p) *
                  (std::pow(h, p) - (h_r > 0 ? std::pow(h_r, p) : 0)) * std::exp(rate * t));
  }
  return c;
}

// What was put in comes out, to the tolerance of the search for p (a bracket of 0.1 cut by 3 forty
// times is far below rounding; the misfit is flat within the root of rounding, 1e-8).
TEST(Coincidence, FindsOrderRateAndGain) {
  for (const double p : {1.0, 1.5, 2.0, 4.0})
    for (const double h_r : {0.0, 0x1p-14}) {
      const auto c = coincidence(made(p, 3.0, h_r), {1e-6});
      EXPECT_NEAR(c.order, p, 1e-6) << h_r;
      EXPECT_NEAR(c.rate, 3.0, 1e-10);
      EXPECT_NEAR(c.predicted(), p * std::log(2.0) / 3, 1e-6);
      EXPECT_NEAR(c.gain[0], c.predicted(), 1e-6) << p << " " << h_r;
    }
}

TEST(Coincidence, ForgettingTheReferencesErrorWouldShow) {
  auto curves = made(1.0, 3.0, 0x1p-14);
  curves.h_r = 0;
  EXPECT_GT(coincidence(curves, {1e-6}).order, 1.1);
}

TEST(Coincidence, SaysWhenThereIsTooLittle) {
  auto curves = made(2.0, 3.0, 0);
  const auto c = coincidence(curves, {1e9});
  EXPECT_TRUE(std::isnan(c.times[0][0]));  // never passed
  EXPECT_TRUE(std::isnan(c.gain[0]));
  curves.h.resize(1);
  curves.d.resize(1);
  EXPECT_TRUE(std::isnan(coincidence(curves, {1e-6}).order));  // one step has no order
}

}  // namespace
}  // namespace scree
