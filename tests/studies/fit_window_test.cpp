// SPDX-License-Identifier: BSD-3-Clause
/// The rule that finds the window of a fit, on errors whose order is known.
#include "scree/studies/fit_window.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

/// Steps 2^-first … 2^-last, `each` per octave.
template <class F> std::vector<OrderPoint> errors(int first, int last, int each, F&& error) {
  std::vector<OrderPoint> points;
  for (int k = first * each; k <= last * each; ++k) {
    const double h = std::exp2(-static_cast<double>(k) / each);
    points.push_back({h, error(h), 0});
  }
  return points;
}

/// A number in [-1, 1] that looks random, the same on every machine.
double noise(double h) {
  const double x = 1e4 * (std::log2(h) * 1.6180339887 + 3);
  return 2 * (x - std::floor(x)) - 1;
}

TEST(FitWindow, GivesAPurePowerBackExactly) {
  for (const double p : {1.0, 1.5, 2.0, 4.0}) {
    const OrderFit f = fit_order(errors(5, 20, 4, [&](double h) { return 7 * std::pow(h, p); }));
    EXPECT_NEAR(f.order, p, 1e-12);
    EXPECT_NEAR(f.constant, 7, 1e-9);
    EXPECT_EQ(f.h_min, std::exp2(-20));
    EXPECT_EQ(f.h_max, std::exp2(-5));
    EXPECT_TRUE(f.consistent);
  }
}

TEST(FitWindow, LeavesThePreAsymptoticEndOut) {
  // The local slope of h^1.5 (1 + sqrt(h/h0)) is 1.5 + 1/2 of the second term's share: a window whose
  // slope changes by 0.02 at most ends where the share is about 0.04, and its mean slope lies within
  // 0.02 of the limit at the fine end.
  const OrderFit f = fit_order(errors(3, 27, 4, [](double h) { return std::pow(h, 1.5) * (1 + std::sqrt(h / 1e-3)); }));
  EXPECT_NEAR(f.order, 1.5, 0.02);
  EXPECT_LT(f.h_max, 1e-4);
  EXPECT_EQ(f.h_min, std::exp2(-27));
  EXPECT_TRUE(f.consistent);
}

/// 2 h² (1 + 100 √h), Kuwabara-Kono with an extrapolated drift: slope 2 + s/2(1 + s), s = 100 √h.
double slowly(double h) { return 2 * h * h * (1 + 100 * std::sqrt(h)); }
double slope_of_slowly(double h) { return 2 + 50 * std::sqrt(h) / (1 + 100 * std::sqrt(h)); }

TEST(FitWindow, IsNotTalkedIntoABentCurveByWildCoarsePoints) {
  // Wild by factors of up to e^1.5 in the coarsest two octaves: a parabola through all is so uncertain
  // that no bend is significant, but the fine half is smooth, and its slope another.
  const OrderFit f = fit_order(errors(8, 22, 5, [](double h) { return slowly(h) * (h > 1e-3 ? std::exp(1.5 * noise(h)) : 1); }));
  EXPECT_LT(f.h_max, 1e-4);
  EXPECT_EQ(f.h_min, std::exp2(-22));
  EXPECT_GT(f.order, slope_of_slowly(f.h_min));
  EXPECT_LT(f.order, slope_of_slowly(f.h_max));
  // No factor of 8 in h changes slope by less than 0.02 here: the error says how far off 2 may be.
  EXPECT_GT(f.stderr_, 0.01);
  EXPECT_LT(std::abs(f.order - 2), 2 * f.stderr_);
}

TEST(FitWindow, IsNotTalkedIntoABentCurveByRoundOff) {
  // Five per cent at the fine end, as a point of twice its floor may be off.
  const OrderFit f = fit_order(errors(9, 25, 5, [](double h) { return slowly(h) * (1 + 0.05 * noise(h) * std::pow(3e-8 / h, 2)); }));
  EXPECT_LT(f.h_max, 1.5e-6);
  EXPECT_NEAR(f.order, 2, 0.03);
  EXPECT_TRUE(f.consistent);
}

TEST(FitWindow, SaysThatACurveThatBendsEverywhereIsNoPowerLaw) {
  // Slope 2 + 0.2 ln h: any factor of 8 changes it by 0.42.
  const OrderFit f = fit_order(errors(0, 5, 5, [](double h) { return std::exp((2 + 0.1 * std::log(h)) * std::log(h)); }));
  EXPECT_FALSE(f.consistent);
  EXPECT_GT(f.stderr_, 0.2);
}

TEST(FitWindow, PrefersTheFineRegimeToALongerCoarseOne) {
  // Order 1.5 for five decades, an erratic stretch, then order 2 for two: what a mollified law does.
  const double edge = 1e-6;
  const OrderFit f = fit_order(errors(7, 27, 6, [&](double h) {
    if (h < edge) return 50 * h * h;
    if (h < 8 * edge) return 50 * h * h * std::exp(2 * noise(h));
    return 50 * edge * edge * std::pow(h / edge, 1.5);
  }));
  EXPECT_NEAR(f.order, 2, 1e-6);
  EXPECT_LT(f.h_max, 1.3 * edge);
}

TEST(FitWindow, LeavesRoundOffOutWithAndWithoutAKnownFloor) {
  // Round-off that grows as the number of steps, with a sign that changes: h² = 1e-16/h at 5e-6.
  const auto points = errors(3, 24, 4, [](double h) { return std::abs(h * h + 1e-16 / h * noise(h)); });
  const OrderFit blind = fit_order(points);
  EXPECT_NEAR(blind.order, 2, 0.01);
  EXPECT_GT(blind.h_min, 2e-6);
  auto told = points;
  for (OrderPoint& p : told) p.floor = 1e-16 / p.h;
  const OrderFit f = fit_order(told);
  EXPECT_NEAR(f.order, 2, 0.01);
  EXPECT_GT(f.h_min, 4e-6);
}

TEST(FitWindow, JudgesScatterBySizeAndSaysHowSureItIs) {
  // ±0.3 in ln e, uniform: standard deviation 0.3/sqrt(3) = 0.17, and a slope over 60 points and
  // ln h from 0 to 10.4 is uncertain by 0.17/(sqrt(60) 3.0) = 0.007.
  const OrderFit f = fit_order(errors(5, 20, 4, [](double h) { return h * std::exp(0.3 * noise(h)); }));
  EXPECT_TRUE(f.consistent);
  EXPECT_NEAR(f.order, 1, 0.03);
  EXPECT_NEAR(f.residual, 0.17, 0.05);
  EXPECT_GT(f.stderr_, 0.003);
  EXPECT_LT(f.stderr_, 0.03);
}

TEST(FitWindow, FindsNoOrderInErrorsThatDoNotFall) {
  EXPECT_FALSE(fit_order(errors(5, 20, 4, [](double) { return 1e-9; })).consistent);
  EXPECT_FALSE(fit_order(errors(5, 20, 4, [](double h) { return 1e-12 / h; })).consistent);
  EXPECT_EQ(fit_order({}).points, 0);
  EXPECT_EQ(fit_order({{1, std::nan(""), 0}, {0.5, 1, 0}}).points, 0);
}

TEST(FitPower, GivesAPowerLawBack) {
  const PowerFit f = fit_power({1, 2, 4, 8}, {3, 6 * std::sqrt(2), 24, 48 * std::sqrt(2)});
  EXPECT_NEAR(f.exponent, 1.5, 1e-12);
  EXPECT_NEAR(f.constant, 3, 1e-12);
}

}  // namespace
}  // namespace scree
