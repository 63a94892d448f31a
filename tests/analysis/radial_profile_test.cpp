// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/radial_profile.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "scree/core/random.hpp"

namespace scree {
namespace {

using std::numbers::pi;

TEST(RadialProfile, AreaWithinACircleMatchesClosedForms) {
  EXPECT_EQ(area_within(0, 1, 2), pi);
  EXPECT_EQ(area_within(0, 2, 1), pi);
  EXPECT_EQ(area_within(4, 1, 3), 0);
  EXPECT_EQ(area_within(2, 1, 3), pi);
  // two unit circles, centres one apart
  EXPECT_NEAR(area_within(1, 1, 1), 2 * pi / 3 - std::sqrt(3.0) / 2, 1e-15);
  // a disc in two halves by a nearly straight line: half of it, less the bulge r^3/(3R) of the line
  EXPECT_NEAR(area_within(1e4, 1, 1e4), pi / 2 - 1.0 / 3e4, 1e-10);
}

/// Discs turning about the centre like a solid with rate w0 exp(-(d - lo)/l): rings see areas that
/// add up to all of them, and the profile decays over about l, whatever their places.
TEST(RadialProfile, SumsAllAreaAndFindsTheDecay) {
  const double lo = 1, hi = 3, length = 0.3, x0 = 0.5, y0 = -0.25;
  Frame f;
  double area = 0;
  for (std::uint32_t k = 0; k < 4000; ++k) {
    Random random(3, 1, k);
    const double r = random.uniform(0.01, 0.03), d = random.uniform(lo + r, hi - r), a = random.uniform(0, 2 * pi);
    const double speed = std::exp(-(d - lo) / length);
    f.id.push_back(k);
    f.x.insert(f.x.end(), {x0 + d * std::cos(a), y0 + d * std::sin(a)});
    f.v.insert(f.v.end(), {-speed * std::sin(a) + 0.25 * std::cos(a), speed * std::cos(a) + 0.25 * std::sin(a)});
    f.w.push_back(7);
    f.radius.push_back(r);
    f.held.push_back(k % 10 == 0);
    if (k % 10 != 0) area += pi * r * r;
  }
  RadialProfile profile(x0, y0, lo, hi, 40);
  profile.observe(f);
  profile.observe(f);
  double sum = 0;
  const auto rows = profile.rows();
  for (const auto& row : rows) {
    sum += row.packing * pi * ((row.r + 0.025) * (row.r + 0.025) - (row.r - 0.025) * (row.r - 0.025));
    EXPECT_NEAR(row.radial, 0.25, 1e-12);
    EXPECT_NEAR(row.spin, 7, 1e-12);
    EXPECT_NEAR(row.rate * row.r, row.tangential, 0.05 * row.tangential);  // rings are 0.05 wide
  }
  EXPECT_NEAR(sum, area, 1e-12 * area);
  EXPECT_GE(profile.nearest(), lo);
  EXPECT_LE(profile.farthest(), hi);
  // A ring averages over its width and a disc's: where speeds fall by e^(-1/6) that is a common
  // factor, and what is left is the unevenness of some hundred places, a few percent of l.
  const Decay decay = decay_of(rows, 0.01);
  EXPECT_NEAR(decay.length, length, 0.03 * length);
  EXPECT_LT(decay.correlation, -0.995);
  EXPECT_NEAR(decay.to - decay.from, length * std::log(100.0), 0.1);
  const Decay further = decay_of(rows, 0.01, decay.from + 0.2);
  EXPECT_NEAR(further.length, length, 0.05 * length);
  EXPECT_GE(further.from, decay.from + 0.2);
  EXPECT_EQ(decay_of({}, 0.01).length, 0);
  const RadialExtent extent = radial_extent(f, x0, y0);
  EXPECT_NEAR(extent.lo, lo, 0.01);
  EXPECT_NEAR(extent.hi, hi, 0.01);
}

}  // namespace
}  // namespace scree
