// SPDX-License-Identifier: BSD-3-Clause
/// What a strongly damped front has of its start dies out as τ^{-3/2} e^{-τ/4}: in the linearised equation, and as the fit
/// takes it.
#include "scree/studies/front_transient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree {
namespace {

/// φ_τ + ((1 - e^ξ) φ)_ξ = φ_ξξ by implicit differences, from a lump whose integral is zero (which is conserved, and is the
/// shift of the front); sup |φ| at times τ.
std::vector<double> lump_at(const std::vector<double>& times) {
  const double left = -60, d = 0.02, step = 0.01;
  const auto n = static_cast<std::size_t>((4.0 - left) / d);
  std::vector<double> phi(n), sup;
  const auto drift = [&](double xi) { return 1 - std::exp(xi); };
  for (std::size_t k = 0; k < n; ++k) {
    const double xi = left + d * static_cast<double>(k) + 1;
    phi[k] = xi * std::exp(-xi * xi);
  }
  // fluxes between cells, J = u φ - φ_ξ, none through the ends: what is conserved stays so
  std::vector<double> lower(n), diagonal(n, 1), upper(n), c(n);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double u = drift(left + d * (static_cast<double>(k) + 0.5)), a = step / d * (u / 2 + 1 / d), b = step / d * (u / 2 - 1 / d);  // J = a φ_k + b φ_{k+1}
    diagonal[k] += a;
    upper[k] += b;
    lower[k + 1] -= a;
    diagonal[k + 1] -= b;
  }
  double tau = 0;
  for (const double at : times) {
    for (; tau < at - step / 2; tau += step) {
      double m = diagonal[0];
      phi[0] /= m;
      for (std::size_t k = 1; k < n; ++k) {
        c[k] = upper[k - 1] / m;
        m = diagonal[k] - lower[k] * c[k];
        phi[k] = (phi[k] - lower[k] * phi[k - 1]) / m;
      }
      for (std::size_t k = n - 1; k-- > 0;) phi[k] -= c[k + 1] * phi[k + 1];
    }
    double most = 0;
    for (const double one : phi) most = std::max(most, std::abs(one));
    sup.push_back(most);
  }
  return sup;
}

TEST(FrontTransient, DecaysAsTheLinearisedEquation) {
  const auto sup = lump_at({12, 24});
  const double rate = std::log(sup[0] / sup[1]) / 12;
  // -d ln/dτ = 1/4 + 3/(2τ), up to O(1/τ²): over this interval 1/4 + 3/2 ln 2/12 = 0.337
  EXPECT_NEAR(rate, 0.25 + 1.5 * std::log(2.0) / 12, 0.02);
}

Front front_with(double limit, double amplitude) {
  Front f = Front::of_burgers(1.1, 1);
  f.scale = 1 - 1 / f.a;
  for (double bead = 200; bead < 3000; bead *= 1.2) {
    const double tau = transient_time(f, bead);
    f.course.push_back({bead, limit + amplitude * std::pow(tau, -1.5) * std::exp(-tau / 4), 0});
  }
  return f;
}

TEST(FrontTransient, FitFindsTheLimit) {
  const Front f = front_with(0.0113, 0.11);
  EXPECT_NEAR(transient_time(f, 1000), 1000 * std::pow(1 - 1 / 1.1, 2) / 2, 1e-12);
  const Transient t = fit_transient(f);
  EXPECT_NEAR(t.limit, 0.0113, 1e-12);
  EXPECT_NEAR(t.amplitude, 0.11, 1e-9);
  EXPECT_LT(t.within, 1e-12);
}

TEST(FrontTransient, BeadOfALevelLiesOnTheCourse) {
  const Front f = front_with(0.0113, 0.11);
  const auto bead = bead_of(f, 0.014);
  ASSERT_TRUE(bead);
  const double tau = transient_time(f, *bead);
  EXPECT_NEAR(0.0113 + 0.11 * std::pow(tau, -1.5) * std::exp(-tau / 4), 0.014, 2e-4);  // a straight line between beads 20 % apart
  EXPECT_FALSE(bead_of(f, 0.011));
  EXPECT_FALSE(bead_of(f, 1));
}

}  // namespace
}  // namespace scree
