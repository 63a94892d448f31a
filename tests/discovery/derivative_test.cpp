// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/discovery/fft.hpp"

namespace scree {
namespace {

Sample line(std::size_t n, double length, bool periodic) {
  Sample s;
  s.name = "line";
  s.axes.resize(1);
  s.axes[0].periodic = periodic;
  for (std::size_t i = 0; i < n; ++i) s.axes[0].at.push_back(length * static_cast<double>(i) / static_cast<double>(periodic ? n : n - 1));
  return s;
}
std::vector<double> on(const Sample& s, double (*f)(double)) {
  std::vector<double> u;
  for (const double x : s.axes[0].at) u.push_back(f(x));
  return u;
}
double largest_error(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(Fourier, AgreesWithTheSumForAnyLength) {
  for (const std::size_t n : {1u, 2u, 3u, 8u, 12u, 17u, 101u, 128u}) {
    std::vector<std::complex<double>> x(n), sum(n);
    Random random(1, 2, 3);
    for (auto& z : x) z = {random.uniform(-1, 1), random.uniform(-1, 1)};
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) sum[k] += x[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
    const Fourier fourier(n);
    auto y = x;
    fourier.forward(y);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(std::abs(y[k] - sum[k]), 0, 1e-12 * static_cast<double>(n));
    fourier.backward(y);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(std::abs(y[k] - x[k]), 0, 1e-14 * static_cast<double>(n));
  }
}

// The error of a scheme of order p falls by 2^p when the grid is halved; ends and interior, first to fourth derivative.
TEST(FiniteDifferences, HaveTheirOrderUpToTheEnds) {
  for (const int order : {2, 4, 6})
    for (const int m : {1, 2, 3, 4}) {
      double before = 0;
      for (const std::size_t n : {40u, 80u}) {
        const Sample s = line(n + 1, 3, false);
        const auto exact = on(s, m == 1 ? +[](double x) { return std::cos(x); } : m == 2 ? +[](double x) { return -std::sin(x); } : m == 3 ? +[](double x) { return -std::cos(x); } : +[](double x) { return std::sin(x); });
        const double e = largest_error(differentiate(s, on(s, [](double x) { return std::sin(x); }), 0, m, {.kind = DerivativeMethod::Kind::fd, .order = order}, "x"), exact);
        if (n == 80 && e > 1e-12 * std::pow(80 / 3.0, m)) {  // below, round-off over h^m is seen
          const double slope = std::log2(before / e);
          EXPECT_GT(slope, order - 0.45) << "fd" << order << ", derivative " << m;
          EXPECT_LT(slope, order + 1.2) << "fd" << order << ", derivative " << m;
        }
        before = e;
      }
    }
}

TEST(FiniteDifferences, AreExactForPolynomialsOnAnySpacing) {
  Sample s = line(20, 1, false);
  Random random(1, 2, 3);
  for (double& x : s.axes[0].at) x += 0.02 * random.uniform();
  const auto d = differentiate(s, on(s, [](double x) { return x * x * x * x; }), 0, 1, {.kind = DerivativeMethod::Kind::fd, .order = 4}, "x");
  EXPECT_LT(largest_error(d, on(s, [](double x) { return 4 * x * x * x; })), 1e-10);
}

TEST(SavitzkyGolay, KeepsPolynomialsOfItsDegreeAtEveryPoint) {
  const Sample s = line(60, 2, false);
  const DerivativeMethod method{.kind = DerivativeMethod::Kind::sg, .window = 15, .degree = 4};
  const auto u = on(s, [](double x) { return 1 + x * x * x * x - 2 * x; });
  EXPECT_LT(largest_error(differentiate(s, u, 0, 0, method, "x"), u), 1e-12);
  EXPECT_LT(largest_error(differentiate(s, u, 0, 1, method, "x"), on(s, [](double x) { return 4 * x * x * x - 2; })), 1e-9);
  EXPECT_LT(largest_error(differentiate(s, u, 0, 2, method, "x"), on(s, [](double x) { return 12 * x * x; })), 1e-7);
}

// White noise σ: a derivative over w points by least squares has a standard deviation of about σ/h × sqrt(12/w³) (degree 1 or 2).
TEST(SavitzkyGolay, ReducesNoiseAsLeastSquaresSays) {
  Sample s = line(4001, 4, false);
  Random random(1, 2, 3);
  std::vector<double> u;
  for (std::size_t i = 0; i < s.points(); ++i) u.push_back(random.normal());
  const auto d = differentiate(s, u, 0, 1, {.kind = DerivativeMethod::Kind::sg, .window = 51, .degree = 2}, "x");
  double square = 0;
  for (std::size_t i = 100; i + 100 < d.size(); ++i) square += d[i] * d[i];
  const double deviation = std::sqrt(square / static_cast<double>(d.size() - 200)), wanted = 1e3 * std::sqrt(12 / std::pow(51, 3));
  EXPECT_NEAR(deviation / wanted, 1, 0.15);  // some 75 independent windows: 8 %
}

TEST(Spectral, IsExactForWavesOfAPeriodicAxis) {
  for (const std::size_t n : {32u, 45u}) {
    const Sample s = line(n, 2 * std::numbers::pi, true);
    const auto u = on(s, [](double x) { return std::sin(3 * x) + std::cos(5 * x); });
    EXPECT_LT(largest_error(differentiate(s, u, 0, 3, {.kind = DerivativeMethod::Kind::spectral}, "x"), on(s, [](double x) { return -27 * std::cos(3 * x) + 125 * std::sin(5 * x); })), 1e-9);
  }
  const Sample open = line(32, 1, false);
  EXPECT_THROW(differentiate(open, on(open, [](double x) { return x; }), 0, 1, {.kind = DerivativeMethod::Kind::spectral}, "x"), InputError);
}

// |x| has a jump in its derivative, which penalised variation keeps and smoothing spreads.
TEST(TotalVariation, KeepsAJumpOfTheDerivative) {
  Sample s = line(201, 2, false);
  Random random(5, 2, 3);
  std::vector<double> u;
  for (const double x : s.axes[0].at) u.push_back(std::abs(x - 1) + 0.01 * random.normal());
  const auto d = differentiate(s, u, 0, 1, {.kind = DerivativeMethod::Kind::tv}, "x");
  double square = 0;
  for (std::size_t i = 0; i < d.size(); ++i)
    if (std::abs(s.axes[0].at[i] - 1) > 0.06) square += std::pow(d[i] - (s.axes[0].at[i] > 1 ? 1 : -1), 2) / static_cast<double>(d.size());
  // plain differences: 0.01 × sqrt(1/2)/h = 0.7
  EXPECT_LT(std::sqrt(square), 0.1);
}

TEST(Derivatives, WantEvenSpacingWhereTheyNeedItAndMarkWhatIsMissing) {
  Sample s = line(30, 1, false);
  auto u = on(s, [](double x) { return x * x; });
  u[10] = NAN;
  const auto d = differentiate(s, u, 0, 1, {.kind = DerivativeMethod::Kind::fd, .order = 2}, "x");
  EXPECT_TRUE(std::isnan(d[9]) && std::isnan(d[11]));
  EXPECT_NEAR(d[12], 2 * s.axes[0].at[12], 1e-12);
  s.axes[0].at[5] += 0.01;
  for (const auto kind : {DerivativeMethod::Kind::sg, DerivativeMethod::Kind::tv, DerivativeMethod::Kind::spectral})
    EXPECT_THROW(differentiate(s, u, 0, 1, {.kind = kind}, "x"), InputError);
}

}  // namespace
}  // namespace scree
