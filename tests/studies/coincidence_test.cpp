// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/coincidence.hpp"

#include <algorithm>
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

// Nothing, a straight rise, a plateau: the corners are found where they are, to rounding, when looks fall
// on them or not, for every look of the rise lies on the line.
TEST(Regions, FindTheCornersOfARamp) {
  for (const double looks : {200.0, 317.0}) {
    std::vector<double> t, d;
    for (int k = 0; k <= looks; ++k) {
      t.push_back(20 * k / looks);
      d.push_back(2.5 * std::clamp((t.back() - 3) / 8, 0.0, 1.0));
    }
    const Regions r = regions_of(t, d);
    EXPECT_NEAR(r.departure, 3, 1e-9);
    EXPECT_NEAR(r.saturation, 11, 1e-9);
    EXPECT_NEAR(r.plateau, 2.5, 1e-12);
  }
}

// A logistic curve d = 1/(1 + e^{-(t - 5)}): its tangent in the middle departs at 3 and saturates at 7, the
// chord from 0.2 to 0.8 at 5 -+ ln 4/0.6 = 2.69 and 7.31; the fitted line lies between.
TEST(Regions, TakeTheSlopeOfASigmoid) {
  std::vector<double> t, d;
  for (int k = 0; k <= 300; ++k) {
    t.push_back(0.05 * k);
    d.push_back(1 / (1 + std::exp(5 - t.back())));
  }
  const Regions r = regions_of(t, d);
  EXPECT_GT(r.departure, 2.69);
  EXPECT_LT(r.departure, 3);
  EXPECT_GT(r.saturation, 7);
  EXPECT_LT(r.saturation, 7.31);
}

TEST(Regions, SayWhenNothingRestsYet) {
  std::vector<double> t, d;
  for (int k = 0; k <= 100; ++k) {
    t.push_back(0.1 * k);
    d.push_back(std::max(0.0, t.back() - 4));
  }
  const Regions r = regions_of(t, d);
  EXPECT_NEAR(r.departure, 4, 1e-9);
  EXPECT_TRUE(std::isnan(r.saturation));
  EXPECT_TRUE(std::isnan(r.plateau));
  EXPECT_TRUE(std::isnan(regions_of({0, 1}, {0, 1}).departure));                            // too few
  EXPECT_TRUE(std::isnan(regions_of(t, std::vector<double>(t.size(), 0.0)).departure));     // no growth
}

}  // namespace
}  // namespace scree
