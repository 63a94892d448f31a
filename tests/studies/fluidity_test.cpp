// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/fluidity.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

/// g = K_0(r/l) solves g'' + g'/r = g/l².
FluidityProfile bessel(std::size_t n, double length) {
  FluidityProfile p;
  p.diameter = 1;
  for (std::size_t k = 0; k < n; ++k) {
    p.r.push_back(5 + 6.0 * static_cast<double>(k) / static_cast<double>(n - 1));
    p.mu.push_back(0.1);
    p.g.push_back(std::cyl_bessel_k(0, p.r.back() / length));
  }
  return p;
}

TEST(Fluidity, ConvergesToBesselFunctionsWithOrderTwo) {
  const double coarse = fluidity_error({bessel(25, 1.5)}, NonlocalModel::constant_length, 0.25, 1.5), fine = fluidity_error({bessel(49, 1.5)}, NonlocalModel::constant_length, 0.25, 1.5);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// With mu constant both are the same equation: l = A d/sqrt(mu_s - mu). Values tried are 2 % apart.
TEST(Fluidity, FindsItsLength) {
  const FluidityProfile p = bessel(49, 1.5);
  EXPECT_NEAR(fit_fluidity({p}, NonlocalModel::constant_length, 0.25), 1.5, 0.03);
  EXPECT_NEAR(fit_fluidity({p}, NonlocalModel::fluidity, 0.25), 1.5 * std::sqrt(0.15), 0.03 * std::sqrt(0.15));
}

// A stress that falls outwards makes the length fall: data of the one model are told from those of the other.
TEST(Fluidity, TellsTheModelsApart) {
  FluidityProfile p = bessel(49, 1.5);
  for (std::size_t k = 0; k < p.r.size(); ++k) p.mu[k] = 0.24 * 25 / (p.r[k] * p.r[k]);
  const auto line = solve_fluidity(p, NonlocalModel::fluidity, 0.25, 0.5);
  for (std::size_t k = 0; k < p.r.size(); ++k) p.g[k] = std::exp(line[k]);
  const double own = fluidity_error({p}, NonlocalModel::fluidity, 0.25, fit_fluidity({p}, NonlocalModel::fluidity, 0.25));
  const double other = fluidity_error({p}, NonlocalModel::constant_length, 0.25, fit_fluidity({p}, NonlocalModel::constant_length, 0.25));
  EXPECT_LT(own, 0.05);
  EXPECT_GT(other, 3 * own);
}

}  // namespace
}  // namespace scree
