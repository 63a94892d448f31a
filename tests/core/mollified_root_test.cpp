// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/mollified_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scree/core/mollified_root_quadrature.hpp"

namespace {

using scree::mollified_root_integral;
using scree::mollified_root_moment;
using scree::mollified_root_slope;
using scree::mollified_root_universal;

double relative(double value, long double exact) {
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) / std::fabs(exact));
}

/// M, M', Q and J straight from their integrals, in long double by the tanh-sinh rule, sharing
/// nothing with the tables but the definition:
///
///     M = ∫ f sqrt(d),  M' = ∫ f / (2 sqrt(d)),  Q = ∫ f 2/3 d^{3/2},
///     J = ∫ f (2/5 d^{5/2} + 2/3 y d^{3/2}),
///     d = s - y,  f = exp(-1/(y(2-y)))/C,  0 < y < min(s, 2).
///
/// How good it is: with y = b x and 1 - x both known without cancellation, and d and 2 - y formed
/// from 1 - x, every term is positive and right to a few 2^-64 (5e-20), except for exp, whose
/// argument reaches 700 and so costs 700 · 5e-20 = 4e-17. The rule converges doubly exponentially
/// in spite of the root at y = s; TheOracleIsConverged compares two steps. So the sums are good to
/// 1e-16, a hundredth of what they must judge; where long double is only a double, the comparison
/// is skipped.
struct Oracle {
  struct Node {
    long double x, rest, weight;
  };
  struct Values {
    long double root, slope, integral, moment;
  };
  std::vector<Node> nodes;
  long double bump = 0;

  explicit Oracle(int steps_per_unit) {
    const long double step = 1.0L / steps_per_unit;
    const long double pi = std::acos(-1.0L);
    for (int k = -4 * steps_per_unit; k <= 4 * steps_per_unit; ++k) {
      const long double a = pi * std::sinh(k * step);
      const long double x = 1 / (1 + std::exp(-a)), rest = 1 / (1 + std::exp(a));
      nodes.push_back({x, rest, step * pi * std::cosh(k * step) * x * rest});
      bump += 2 * nodes.back().weight * std::exp(-1 / (4 * x * rest));
    }
  }
  Values operator()(double argument) const {
    const long double s = argument, b = std::min(s, 2.0L);
    Values sum{0, 0, 0, 0};
    for (const Node& n : nodes) {
      const long double y = b * n.x, d = (s - b) + b * n.rest;
      const long double w = b * n.weight * std::exp(-1 / (y * ((2 - b) + b * n.rest))) / bump,
                        r = std::sqrt(d);
      sum.root += w * r;
      sum.slope += w / (2 * r);
      sum.integral += w * d * r * 2 / 3;
      sum.moment += w * d * r * (2 * d / 5 + 2 * y / 3);
    }
    return sum;
  }
};

bool long_double_is_longer() { return std::numeric_limits<long double>::digits >= 64; }

/// Log-spaced over every range, linear through the table, and all edges and centres of the pieces.
std::vector<double> many_arguments() {
  std::vector<double> s;
  for (int i = 0; i <= 3000; ++i) {
    s.push_back(8e-4 * std::pow(1e7 / 8e-4, i / 3000.0));
  }
  for (int i = 1; i <= 4000; ++i) {
    s.push_back(i * 0.01 + 1e-4 * std::sqrt(i));
  }
  for (int i = 0; i <= 2000; ++i) {
    s.push_back(1.5 + i * 0.0005);
  }
  for (int octave = -4; octave < 5; ++octave) {
    for (int i = 0; i < 256; ++i) {
      const double edge = std::ldexp(1 + i / 256.0, octave);
      s.push_back(edge);
      s.push_back(std::nextafter(edge, 0));
    }
  }
  for (const double edge : {1.0 / 16, 32.0}) {
    for (int i = -20; i <= 20; ++i) {
      s.push_back(edge * (1 + i * 1e-4));
    }
  }
  std::sort(s.begin(), s.end());
  return s;
}

/// The largest relative difference over many arguments, where the exact value is a normal number
/// with room.
template <class F> double worst(F f, long double Oracle::Values::* exact) {
  struct Case {
    double s;
    Oracle::Values values;
  };
  static const std::vector<Case> cases = [] {
    const Oracle oracle(32);
    std::vector<Case> all;
    for (const double s : many_arguments()) {
      all.push_back({s, oracle(s)});
    }
    return all;
  }();
  double error = 0, where = 0;
  for (const auto& [s, values] : cases) {
    const long double e = values.*exact;
    if (e < 1e-300L) {
      continue;
    }
    const double now = relative(f(s), e);
    if (!(now <= error)) {
      error = now, where = s;
    }
  }
  ::testing::Test::RecordProperty("worst_relative_error", std::to_string(error * 1e16) + "e-16");
  ::testing::Test::RecordProperty("worst_at", std::to_string(where));
  return error;
}

struct Reference {
  double s;
  long double root, slope;
};
const Reference references[] = {
    {0.1, 0.00001711999744230638807590L, 0.001297957651321398531919L},
    {0.25, 0.003268880846753223077306L, 0.05656949428629223134506L},
    {0.5, 0.04138786788161351074727L, 0.2574119834239522879765L},
    {1, 0.2701345611146358614643L, 0.6323758507722662742499L},
    {1.5, 0.6363955899709364101975L, 0.7805006083847728010964L},
    {2, 0.9774282846423548580899L, 0.5419543126969159390222L},
    {3, 1.407031552658529661155L, 0.3591466170614521376883L},
    {10, 2.999267043423967835190L, 0.1667890375831018487596L},
    {100, 9.949854306434709385331L, 0.05025219477685954260436L},
};

TEST(MollifiedRoot, NormalisationMatchesReference) {
  EXPECT_LE(relative(scree::mollifier_normalisation<double>(), 0.443993816168079437823048921171L),
            1e-15);
}

TEST(MollifiedRoot, RootAndSlopeMatchReferenceValues) {
  for (const Reference& r : references) {
    EXPECT_LE(relative(mollified_root_universal(r.s), r.root), 1e-14) << "s = " << r.s;
    EXPECT_LE(relative(mollified_root_slope(r.s), r.slope), 1e-13) << "s = " << r.s;
  }
}

TEST(MollifiedRoot, TheOracleIsConverged) {
  if (!long_double_is_longer()) {
    GTEST_SKIP() << "long double is no longer than double";
  }
  const Oracle coarse(32), fine(48);
  for (const double s :
       {8e-4, 2e-3, 0.01, 0.06, 0.3, 1.0, 1.9, 1.999, 2.0, 2.001, 2.5, 10.0, 1e4}) {
    const auto a = coarse(s), b = fine(s);
    const double scale =
        static_cast<double>(std::numeric_limits<long double>::epsilon()) * (200 + 2 / s);
    EXPECT_LE(std::fabs(static_cast<double>(a.root / b.root - 1)), scale) << "s = " << s;
    EXPECT_LE(std::fabs(static_cast<double>(a.slope / b.slope - 1)), scale) << "s = " << s;
    EXPECT_LE(std::fabs(static_cast<double>(a.integral / b.integral - 1)), scale) << "s = " << s;
    EXPECT_LE(std::fabs(static_cast<double>(a.moment / b.moment - 1)), scale) << "s = " << s;
  }
  for (const Reference& r : references) {
    EXPECT_LE(relative(static_cast<double>(coarse(r.s).root), r.root), 1e-15) << "s = " << r.s;
  }
}

TEST(MollifiedRoot, RootMatchesQuadratureEverywhere) {
  if (!long_double_is_longer()) {
    GTEST_SKIP() << "long double is no longer than double";
  }
  EXPECT_LE(worst(mollified_root_universal<double>, &Oracle::Values::root), 2e-15);
}

TEST(MollifiedRoot, SlopeMatchesQuadratureEverywhere) {
  if (!long_double_is_longer()) {
    GTEST_SKIP() << "long double is no longer than double";
  }
  EXPECT_LE(worst(mollified_root_slope<double>, &Oracle::Values::slope), 1e-14);
}

TEST(MollifiedRoot, IntegralMatchesQuadratureEverywhere) {
  if (!long_double_is_longer()) {
    GTEST_SKIP() << "long double is no longer than double";
  }
  EXPECT_LE(worst(mollified_root_integral<double>, &Oracle::Values::integral), 1e-14);
}

TEST(MollifiedRoot, MomentMatchesQuadratureEverywhere) {
  if (!long_double_is_longer()) {
    GTEST_SKIP() << "long double is no longer than double";
  }
  EXPECT_LE(worst(mollified_root_moment<double>, &Oracle::Values::moment), 1e-14);
}

TEST(MollifiedRoot, NothingUntilTouch) {
  for (const double s : {0.0, -0.0, -1e-300, -1.0, -2.0, -1e300,
                         -std::numeric_limits<double>::infinity(), 1e-320, 1e-6}) {
    EXPECT_EQ(mollified_root_universal(s), 0) << "s = " << s;
    EXPECT_EQ(mollified_root_slope(s), 0) << "s = " << s;
    EXPECT_EQ(mollified_root_integral(s), 0) << "s = " << s;
    EXPECT_EQ(mollified_root_moment(s), 0) << "s = " << s;
  }
}

TEST(MollifiedRoot, ReturnsZeroOnlyWhereTheValueIsBelow1em299) {
  double s = 1e-4;
  while (mollified_root_universal(s) == 0) {
    s = std::nextafter(s * (1 + 1e-6), 1);
  }
  EXPECT_LT(mollified_root_universal(s), 1e-299);
  EXPECT_GT(mollified_root_universal(s), 1e-303);
}

TEST(MollifiedRoot, NotANumberStaysSo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(mollified_root_universal(nan)));
  EXPECT_TRUE(std::isnan(mollified_root_slope(nan)));
  EXPECT_TRUE(std::isnan(mollified_root_integral(nan)));
  EXPECT_TRUE(std::isnan(mollified_root_moment(nan)));
}

TEST(MollifiedRoot, JoinsWithoutAJumpAtEveryEdge) {
  for (int octave = -4; octave <= 5; ++octave) {
    for (int i = 0; i < 256; ++i) {
      const double edge = std::ldexp(1 + i / 256.0, octave), before = std::nextafter(edge, 0);
      const double rise = mollified_root_slope(edge) * (edge - before);
      const double left = mollified_root_universal(before), right = mollified_root_universal(edge);
      EXPECT_LE(std::fabs(right - left - rise), 1.5e-15 * right) << "s = " << edge;
      EXPECT_LE(std::fabs(mollified_root_slope(edge) / mollified_root_slope(before) - 1), 1e-13)
          << "s = " << edge;
      EXPECT_LE(std::fabs(mollified_root_integral(edge) / mollified_root_integral(before) - 1),
                1e-14)
          << "s = " << edge;
      EXPECT_LE(std::fabs(mollified_root_moment(edge) / mollified_root_moment(before) - 1), 1e-14)
          << "s = " << edge;
    }
  }
}

TEST(MollifiedRoot, RisesStrictly) {
  double before = 0;
  for (double s = 8e-4; s < 100; s *= 1 + 1e-5) {
    const double now = mollified_root_universal(s);
    ASSERT_GT(now, before) << "s = " << s;
    before = now;
  }
}

TEST(MollifiedRoot, TendsToTheShiftedRoot) {
  // M = sqrt(w) (1 - m_2/(8 w²) - …), w = s - 1, with m_2 = 0.1581136… the second moment of the
  // bump.
  for (const double s : {33.0, 100.0, 1e3, 1e4}) {
    const double w = s - 1, lag = (1 - mollified_root_universal(s) / std::sqrt(w)) * 8 * w * w;
    EXPECT_NEAR(lag, 0.15811363626379, 0.05 / (w * w) + 1e-14 * w * w) << "s = " << s;
  }
  for (const double s : {1e9, 1e100, 1e300}) {
    EXPECT_DOUBLE_EQ(mollified_root_universal(s), std::sqrt(s - 1));
    EXPECT_DOUBLE_EQ(mollified_root_slope(s), 0.5 / std::sqrt(s - 1));
  }
  EXPECT_DOUBLE_EQ(mollified_root_integral(1e50), 2.0 / 3 * 1e75);
  EXPECT_DOUBLE_EQ(mollified_root_moment(1e50), 2.0 / 5 * 1e125);
}

TEST(MollifiedRoot, ScalesWithEpsilon) {
  for (const double eps : {1e-10, 1e-5, 0.25, 3.0}) {
    const scree::MollifiedRoot<double> root(eps);
    for (const double s : {0.05, 0.7, 1.9, 5.0, 77.0}) {
      // Rounding s = x/ε twice is amplified by s M'/M < 1/(2s) + 3.
      const double tolerance = 1e-15 * (4 + 1 / s), x = s * eps;
      EXPECT_LE(relative(root(x), std::sqrt(eps) * mollified_root_universal(s)), tolerance);
      EXPECT_LE(relative(root.slope(x), mollified_root_slope(s) / std::sqrt(eps)), tolerance);
      EXPECT_LE(relative(root.integral(x), std::sqrt(eps) * eps * mollified_root_integral(s)),
                tolerance);
      EXPECT_LE(relative(root.moment(x), std::sqrt(eps) * eps * eps * mollified_root_moment(s)),
                tolerance);
      EXPECT_EQ(scree::mollified_root(x, eps), root(x));
    }
    EXPECT_EQ(root(0.0), 0);
    EXPECT_EQ(root(-eps), 0);
  }
}

TEST(MollifiedRootQuadrature, EachRuleIsExactToItsDegreeAndNoFurther) {
  for (const scree::NewtonCotes& rule : scree::newton_cotes_rules) {
    for (int degree = 0; degree <= rule.exact_degree + 1; ++degree) {
      const double value =
          scree::integrate(rule, 1, 0.0, 2.0, [&](double z) { return std::pow(z, degree); });
      const double error = std::fabs(value - std::pow(2.0, degree + 1) / (degree + 1));
      if (degree <= rule.exact_degree) {
        EXPECT_LE(error, 1e-13) << rule.name << " of z^" << degree;
      } else {
        EXPECT_GE(error, 1e-3) << rule.name << " of z^" << degree;
      }
    }
  }
}

double quadrature_error(const scree::NewtonCotes& rule, int panels, scree::QuadratureDomain domain,
                        double s) {
  const double eps = 5e-6;  // figure 4.3
  const double exact = scree::mollified_root(s * eps, eps);
  return std::fabs(scree::mollified_root_quadrature(rule, panels, domain, s * eps, eps) / exact -
                   1);
}

TEST(MollifiedRootQuadrature, EveryRuleOnTheSupportConvergesToTheRoot) {
  // At the end y = s of the support the integrand is a root: the error falls as panels^{-3/2},
  // neither slower nor faster, whatever the rule.
  for (const scree::NewtonCotes& rule : scree::newton_cotes_rules) {
    for (const double s : {0.3, 1.0, 1.6}) {
      const double few = quadrature_error(rule, 250, scree::QuadratureDomain::support, s);
      const double many = quadrature_error(rule, 4000, scree::QuadratureDomain::support, s);
      EXPECT_NEAR(std::log(few / many) / std::log(16.0), 1.5, 0.05) << rule.name << ", s = " << s;
      EXPECT_LE(many, 2e-5) << rule.name << ", s = " << s;
    }
    // From s = 2 on the integrand ends smoothly, and so fast does the rule converge that 1000
    // panels are exact.
    for (const double s : {2.5, 4.0, 30.0}) {
      EXPECT_LE(quadrature_error(rule, 1000, scree::QuadratureDomain::support, s), 2e-14)
          << rule.name << ", s = " << s;
    }
  }
}

TEST(MollifiedRootQuadrature, MidpointWithAThousandPanelsIsTheThesisReference) {
  for (const double s : {0.2, 0.5, 1.0, 1.5, 1.9}) {
    EXPECT_LE(quadrature_error(scree::midpoint_rule, 1000, scree::QuadratureDomain::support, s), 1e-3)
        << "s = " << s;
    EXPECT_GE(quadrature_error(scree::midpoint_rule, 1000, scree::QuadratureDomain::support, s), 1e-9)
        << "s = " << s;
    EXPECT_LE(quadrature_error(scree::midpoint_rule, 1000, scree::QuadratureDomain::interval, s), 3e-2)
        << "s = " << s;
  }
}

TEST(MollifiedRootQuadrature, BothDomainsAgreeOnceTheSupportIsTheInterval) {
  for (const scree::NewtonCotes& rule : scree::newton_cotes_rules) {
    for (const double x : {2.0, 2.3, 8.0}) {
      EXPECT_EQ(scree::mollified_root_quadrature(rule, 7, scree::QuadratureDomain::interval, x, 1.0),
                scree::mollified_root_quadrature(rule, 7, scree::QuadratureDomain::support, x, 1.0));
    }
  }
}

TEST(MollifiedRootQuadrature, TheWholeIntervalStaysZeroUntilTheFirstNode) {
  // Boole in one panel on [-ε, ε] first samples at -ε/2, that is x = ε/2: the delay of figure 4.3
  // (a).
  const double eps = 5e-6, x = 0.49 * eps;
  EXPECT_EQ(scree::mollified_root_quadrature(scree::boole_rule, 1, scree::QuadratureDomain::interval, x, eps),
            0);
  EXPECT_GT(scree::mollified_root_quadrature(scree::boole_rule, 1, scree::QuadratureDomain::support, x, eps),
            0);
  EXPECT_GT(scree::mollified_root(x, eps), 0);
}

}  // namespace
