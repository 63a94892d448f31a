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

/// Discs along a radius, at equal distances, whose tangential speed falls by e over `length`.
Frame spoke(double length) {
  Frame f;
  f.dim = 2;
  for (int k = 0; k < 400; ++k) {
    const double d = 1 + 0.0025 * k;
    f.id.push_back(k);
    f.x.insert(f.x.end(), {d, 0});
    f.v.insert(f.v.end(), {0, std::exp(-(d - 1) / length)});
    f.w.push_back(0);
    f.radius.push_back(0.01);
    f.held.push_back(0);
  }
  return f;
}

TEST(RadialProfile, TheIntervalOfADecayIsAsWideAsBlocksDiffer) {
  const RadialProfile empty(0, 0, 1, 2, 20);
  const auto blocks_of = [&](std::initializer_list<double> lengths) {
    std::vector<RadialProfile> blocks;
    for (const double length : lengths) {
      blocks.push_back(empty);
      blocks.back().observe(spoke(length));
    }
    return blocks;
  };
  const auto length_of = [](const RadialProfile& p) { return decay_of(p.rows(), 0.1).length; };
  const auto same = blocks_of({0.3, 0.3, 0.3, 0.3});
  const DecayInterval none = decay_interval(same, 0.1, 0);
  EXPECT_NEAR(none.low, length_of(same[0]), 1e-12);  // sums of four in place of one: rounding
  EXPECT_NEAR(none.high, length_of(same[0]), 1e-12);
  const auto mixed = blocks_of({0.2, 0.3, 0.2, 0.3, 0.2, 0.3});
  RadialProfile all = empty;
  for (const RadialProfile& block : mixed) all.add(block);
  EXPECT_EQ(all.frames(), 6u);
  const DecayInterval some = decay_interval(mixed, 0.1, 0);
  // No mixture decays faster than its fastest part or slower than its slowest, and draws of six from two kinds are
  // all of one kind in one of 64, which is less than the 2.5 % left out on either side.
  EXPECT_GT(some.low, length_of(mixed[0]));
  EXPECT_LT(some.high, length_of(mixed[1]));
  EXPECT_LT(some.low, length_of(all));
  EXPECT_GT(some.high, length_of(all));
  EXPECT_EQ(decay_interval(blocks_of({0.2, 0.3}), 0.1, 0).high, 0);
}

}  // namespace
}  // namespace scree
