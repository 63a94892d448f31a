// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/core/random.hpp"

namespace scree {
namespace {

TEST(PartBelow, IsTheIntegralOfTheCrossSection) {
  for (const int dim : {2, 3})
    for (const double z : {-0.9, -0.3, 0.0, 0.5, 0.99}) {
      // Simpson's rule in the angle z = sin a, where the integrand is smooth
      const int n = 2000;
      const double from = -std::numbers::pi / 2, to = std::asin(z), h = (to - from) / n;
      double sum = 0;
      for (int k = 0; k <= n; ++k) {
        const double c = std::cos(from + k * h);
        const double section = dim == 2 ? 2 * c / std::numbers::pi : 0.75 * c * c;  // over the whole
        sum += section * c * (k == 0 || k == n ? 1 : k % 2 ? 4 : 2);
      }
      EXPECT_NEAR(part_below(dim, 2.0, 2.0 * z), sum * h / 3, 1e-12) << dim << ", " << z;
    }
  EXPECT_EQ(part_below(3, 1, -1.5), 0);
  EXPECT_EQ(part_below(2, 1, 1.5), 1);
}

Frame grains(int dim, std::size_t n) {
  Frame f;
  f.dim = dim;
  f.id.resize(n);
  f.held.assign(n, 0);
  f.radius.resize(n);
  f.x.resize(n * static_cast<std::size_t>(dim));
  f.v.resize(n * static_cast<std::size_t>(dim));
  return f;
}

TEST(Profile, KeepsAllVolumeAndLeavesOutWhatIsHeld) {
  Frame f = grains(3, 3);
  f.radius = {0.5, 0.25, 0.4};
  f.x = {0, 0, 1.0, 0, 0, 2.25, 0, 0, 1.5};
  f.held = {0, 0, 1};
  Profile p(Slabs{2, 0, 3, 7, 2.0});
  p.add(f);
  p.add(f);
  double volume = 0;
  for (const auto& row : p.rows()) volume += row.packing * 2.0 * 3.0 / 7;
  EXPECT_NEAR(volume, 4.0 / 3.0 * std::numbers::pi * (0.125 + 0.015625), 1e-14);
  EXPECT_TRUE(std::isnan(p.rows()[6].velocity[0]));
}

TEST(Profile, GivesOneGrainItsOwnVelocity) {
  for (std::uint32_t k = 0; k < 200; ++k) {
    Random draw(3, 0, k);
    Frame f = grains(2, 1);
    f.radius = {0.2};
    f.x = {0.5, 1 + draw.uniform()};
    f.v = {draw.normal(), draw.normal()};
    Profile p(Slabs{1, 0, 3, 3, 1});
    p.add(f);
    for (const auto& row : p.rows())
      if (row.packing > 0) {
        EXPECT_NEAR(row.velocity[0], f.v[0], 1e-14 * std::abs(f.v[0]) + 1e-300);
        EXPECT_NEAR(row.temperature, 0, 1e-14 * (f.v[0] * f.v[0] + f.v[1] * f.v[1]));
      }
  }
}

TEST(Profile, CountsWhatReachesAcrossAPeriodicBorder) {
  Frame f = grains(2, 1);
  f.radius = {0.2};
  f.x = {0.5, 0.1};
  Profile p(Slabs{1, 0, 1, 4, 1, 1.0});
  p.add(f);
  double area = 0;
  for (const auto& row : p.rows()) area += row.packing * 0.25;
  EXPECT_NEAR(area, std::numbers::pi * 0.04, 1e-15);
  EXPECT_NEAR(p.rows()[3].packing * 0.25, std::numbers::pi * 0.04 * part_below(2, 0.2, -0.1), 1e-15);
}

TEST(Profile, TakesShearForNoHeatAndFindsTheHeatThereIs) {
  // 20 000 grains in a linear profile v_x = 3 z, with a Gaussian of variance 0.01 in each direction.
  const std::size_t n = 20000;
  Frame cold = grains(2, n), warm = grains(2, n);
  cold.radius.assign(n, 0.01);
  warm.radius = cold.radius;
  for (std::size_t i = 0; i < n; ++i) {
    Random draw(1, 0, static_cast<std::uint32_t>(i));
    cold.x[2 * i + 1] = 4 * draw.uniform();
    cold.v[2 * i] = 3 * cold.x[2 * i + 1];
    warm.x = cold.x;
    warm.v[2 * i] = cold.v[2 * i] + 0.1 * draw.normal();
    warm.v[2 * i + 1] = 0.1 * draw.normal();
  }
  const Slabs slabs{1, 0, 4, 4, 1};
  Profile p(slabs), q(slabs);
  p.add(cold);
  q.add(warm);
  for (std::size_t k = 0; k < 4; ++k) {
    // sums of 5000 values and of squares up to 144, each rounded
    EXPECT_NEAR(p.rows()[k].velocity[0], 3 * p.rows()[k].z, 5000 * 12 * 0x1p-53);
    EXPECT_NEAR(p.rows()[k].temperature, 0, 5000 * 144 * 0x1p-53);
    // a mean of 10 000 squares of Gaussians: relative error sqrt(2/10 000), four of them
    EXPECT_NEAR(q.rows()[k].temperature, 0.01, 0.01 * 4 * std::sqrt(2e-4));
  }
}

}  // namespace
}  // namespace scree
