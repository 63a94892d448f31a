// SPDX-License-Identifier: BSD-3-Clause
/// The mollified root in double-double, and both precisions' integral against their root.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "scree/core/dd_text.hpp"
#include "scree/core/mollified_root.hpp"
#ifdef SCREE_HAVE_MPFR
#include "tests/support/mpfr_real.hpp"
#endif

namespace scree {
namespace {

#ifdef SCREE_HAVE_MPFR

using test::Real;
using test::relative_error;

/// The oracle of mollified_root_test.cpp in 640 bits.
struct Oracle {
  struct Node {
    Real x, rest, weight;
  };
  struct Values {
    Real root, slope, integral, moment;
  };
  std::vector<Node> nodes;
  Real bump;

  explicit Oracle(int steps_per_unit) {
    const Real pi = Real::pi();
    for (int k = -5 * steps_per_unit; k <= 5 * steps_per_unit; ++k) {
      const Real t = Real(k) / steps_per_unit;
      const Real e = exp(pi * Real::of(mpfr_sinh, t)), rest = Real(1) / (e + 1), x = e * rest;
      const Real weight = pi * Real::of(mpfr_cosh, t) * x * rest / steps_per_unit;
      if (weight < Real(1e-90)) continue;  // 1e-45 of the whole where 1/sqrt(s - y) is largest
      nodes.push_back({x, rest, weight});
      bump = bump + weight * 2 * exp(Real(-0.25) / (x * rest));
    }
  }
  Values operator()(const dd& argument) const {
    const Real s = argument, b = argument < 2 ? s : Real(2);
    Values sum;
    for (const Node& n : nodes) {
      const Real y = b * n.x, d = (s - b) + b * n.rest, r = sqrt(d);
      const Real w = b * n.weight * exp(Real(-1) / (y * ((Real(2) - b) + b * n.rest)));
      const Real wr = w * r, wdr = wr * d * 2 / 3;
      sum.root = sum.root + wr;
      sum.slope = sum.slope + w / (r * 2);
      sum.integral = sum.integral + wdr;
      sum.moment = sum.moment + wdr * (d * 3 / 5 + y);
    }
    return {sum.root / bump, sum.slope / bump, sum.integral / bump, sum.moment / bump};
  }
};

TEST(MollifiedRootDD, TheOracleIsConverged) {
  const Oracle coarse(56), fine(72);
  for (const double s : {8e-4, 0.01, 0.3, 1.999, 2.0, 2.5, 1e4}) {
    const auto a = coarse(s), b = fine(s);
    EXPECT_LE(relative_error(a.root, b.root), 1e-34) << s;
    EXPECT_LE(relative_error(a.slope, b.slope), 1e-34) << s;
    EXPECT_LE(relative_error(a.integral, b.integral), 1e-34) << s;
    EXPECT_LE(relative_error(a.moment, b.moment), 1e-34) << s;
  }
}

/// Pieces: fit 5e-33, 18 terms of which the first dominates. Small: Clenshaw's sum over 64 terms, its
/// errors growing with the number of terms. 1e-30 leaves the factor of 32 to 80 u² = 1e-32.
TEST(MollifiedRootDD, MatchesQuadratureEverywhere) {
  const Oracle oracle(56);
  double worst[4] = {};
  std::vector<dd> arguments;
  for (int i = 0; i < 250; ++i) {
    const double s = 8e-4 * std::pow(1e9, (i + 0.5) / 250);
    arguments.push_back(exact_sum(s, s * 0x1p-54 * (i % 7 - 3) / 3.0));
  }
  for (int i = 0; i < 60; ++i) arguments.push_back(1.5 + dd(i) / 60);
  for (const double edge : {1.0 / 16, 13.0 / 8, 2.0, 19.0 / 8, 32.0}) {
    arguments.push_back(edge);
    arguments.push_back(edge - dd(0x1p-60));  // rounds to the edge, lies before it
    arguments.push_back(edge * (1 - 0x1p-53));
  }
  for (const dd& s : arguments) {
    const auto exact = oracle(s);
    const double now[4] = {relative_error(mollified_root_universal(s), exact.root),
                           relative_error(mollified_root_slope(s), exact.slope),
                           relative_error(mollified_root_integral(s), exact.integral),
                           relative_error(mollified_root_moment(s), exact.moment)};
    for (int k = 0; k < 4; ++k) {
      EXPECT_LE(now[k], 1e-30) << "function " << k << " at s = " << to_text(s);
      worst[k] = std::max(worst[k], now[k]);
    }
  }
  std::printf("  M %.1e, M' %.1e, Q %.1e, J %.1e\n", worst[0], worst[1], worst[2], worst[3]);
}

#endif  // SCREE_HAVE_MPFR

/// Reference values of the specification, 22 digits.
TEST(MollifiedRootDD, MatchesReferenceValues) {
  const auto near = [](const dd& value, const char* reference) {
    const dd expected = parse_dd(reference).value();
    return abs(value / expected - 1) < 1e-21;
  };
  EXPECT_TRUE(near(mollifier_normalisation<dd>(), "0.443993816168079437823048921171"));
  EXPECT_TRUE(near(mollified_root_universal(dd(1) / 10), "0.00001711999744230638807590"));
  EXPECT_TRUE(near(mollified_root_universal(dd(1)), "0.2701345611146358614643"));
  EXPECT_TRUE(near(mollified_root_universal(dd(2)), "0.9774282846423548580899"));
  EXPECT_TRUE(near(mollified_root_universal(dd(100)), "9.949854306434709385331"));
  EXPECT_TRUE(near(mollified_root_slope(dd(1) / 10), "0.001297957651321398531919"));
  EXPECT_TRUE(near(mollified_root_slope(dd(1)), "0.6323758507722662742499"));
  EXPECT_TRUE(near(mollified_root_slope(dd(100)), "0.05025219477685954260436"));
}

/// Q(b) - Q(a) = ∫_a^b M by Gauss and Legendre's rule of three points. With b - a = a/256 its error,
/// (b-a)^6 M^(6)/2016000 of the increment, is (1/256)^6 25^6/2016000 < 1e-12 of it at a = 0.02, where
/// M grows like s^25, and the increment is a tenth of Q; larger a are better. What remains is the
/// rounding of Q.
TEST(MollifiedRootDD, IntegralInDoubleIsThatOfTheRoot) {
  const double x = std::sqrt(0.6);
  for (const double a :
       {0.02, 0.05, 0.0624, 0.1, 0.4, 1.0, 1.62, 1.9999, 2.0, 2.37, 5.0, 31.9999, 60.0}) {
    const double half = a / 512, middle = a + half;
    const double sum = half / 9 *
                       (8 * mollified_root_universal(middle) +
                        5 * (mollified_root_universal(middle - half * x) +
                             mollified_root_universal(middle + half * x)));
    const double left = mollified_root_integral(a), right = mollified_root_integral(a + 2 * half);
    EXPECT_LE(std::fabs(right - left - sum) / right, a < 0.05 ? 1e-13 : 3e-15) << "from " << a;
  }
}

/// The derivative: (Q(s+h) - Q(s-h))/(2h) with two steps of Richardson is M to h^6.
TEST(MollifiedRootDD, IntegralDifferentiatesToTheRoot) {
  for (const double s : {0.03, 0.07, 0.3, 1.0, 1.7, 2.0, 2.6, 10.0, 31.99, 50.0}) {
    const auto slope = [&](const dd& h) {
      return (mollified_root_integral(dd(s + h)) - mollified_root_integral(dd(s - h))) / (2 * h);
    };
    // h = s²/1000 is short beside the scale 2 s² on which e^{-1/(2s)} grows
    const dd h = dd(std::min(s * s, 1.0)) / 1000;
    const dd a = slope(h), b = slope(h / 2), c = slope(h / 4);
    const dd ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
    const dd best = (16 * bc - ab) / 15;
    EXPECT_LE(static_cast<double>(abs(best / mollified_root_universal(dd(s)) - 1)), 1e-19) << s;
  }
}

TEST(MollifiedRootDD, ScalesWithEpsilon) {
  const dd eps = dd(1) / 100000;
  const MollifiedRoot<dd> root(eps);
  for (const double s : {0.05, 0.7, 1.9, 5.0, 77.0}) {
    const dd x = s * eps;
    const double room = 1e-30 * (4 + 1 / s);  // x/ε rounds, and M amplifies by 1/(2s) + 3
    EXPECT_LE(abs(root.integral(x) / (eps * sqrt(eps) * mollified_root_integral(dd(s))) - 1), room);
    EXPECT_LE(abs(root(x) / (sqrt(eps) * mollified_root_universal(dd(s))) - 1), room);
  }
  EXPECT_EQ(root(0), 0);
  EXPECT_EQ(root(-eps), 0);
  EXPECT_EQ(mollified_root(dd(1) / 1345, dd(1)), 0);
  EXPECT_TRUE(isnan(mollified_root_universal(std::numeric_limits<dd>::quiet_NaN())));
}

}  // namespace
}  // namespace scree
