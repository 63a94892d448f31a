// SPDX-License-Identifier: BSD-3-Clause
/// The solvers that make the data are themselves tested: against closed forms, and for their order.
#include "scree/discovery/examples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree {
namespace {

// A soliton of u_t = -6 u u_x - u_xxx: c/2 sech²(sqrt(c)/2 (x - c t)).
double soliton_error(std::size_t parts) {
  const auto exact = [](double x, double t) { return 0.5 / std::pow(std::cosh(0.5 * (x - t)), 2); };
  const Sample s = integrate_pde([](std::complex<double> d) { return -d * d * d; }, -3, [&](double x) { return exact(x, 0); }, -40, 80, 256, 1.0, 3, parts);
  double worst = 0;
  for (std::size_t i = 0; i < 256; ++i) worst = std::max(worst, std::abs(s.fields[0][2 * 256 + i] - exact(s.axes[1].at[i], 2)));
  return worst;
}

TEST(SpectralSolver, MovesASolitonWithFourthOrder) {
  const double coarse = soliton_error(5), fine = soliton_error(10);
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(std::log2(coarse / fine), 3.5);
  EXPECT_LT(std::log2(coarse / fine), 4.7);
}

// A wave of u_t = 0.1 u_xx decays as exp(-0.1 k² t), exactly.
TEST(SpectralSolver, IsExactForLinearTerms) {
  const Sample s = integrate_pde([](std::complex<double> d) { return 0.1 * d * d; }, 0, [](double x) { return std::sin(3 * x); }, 0, 2 * std::numbers::pi, 32, 0.5, 3, 1);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(s.fields[0][64 + i], std::exp(-0.9) * std::sin(3 * s.axes[1].at[i]), 1e-13);
}

TEST(Noise, HasTheAskedDeviation) {
  Example x = make_example("burgers");
  const auto clean = x.data.samples[0].fields[0];
  add_noise(x.data, 0.1, 1);
  double mean = 0, variance = 0, noise = 0;
  const auto n = static_cast<double>(clean.size());
  for (const double u : clean) mean += u / n;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    variance += std::pow(clean[i] - mean, 2) / n;
    noise += std::pow(x.data.samples[0].fields[0][i] - clean[i], 2) / n;
  }
  EXPECT_NEAR(std::sqrt(noise / variance), 0.1, 0.1 * 3 / std::sqrt(2 * n));
}

}  // namespace
}  // namespace scree
