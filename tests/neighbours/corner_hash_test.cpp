// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/corner_hash.hpp"

#include "tests/neighbours/cloud.hpp"

namespace scree {
namespace {

template <int D> void stir(Cloud<D>& cloud, double step, Random& random) {
  for (auto& at : cloud.x)
    for (int k = 0; k < D; ++k) at[k] += random.uniform(-step, step);
  cloud.wrap();
}

template <int D>
void expect_kept_equals_fresh(CornerHash<D, double>& kept, const Cloud<D>& cloud, double skin) {
  PairRows rows;
  kept.find(cloud.input(), rows);
  const PairRows fresh = search("corner-hash", cloud, skin), brute = search("brute", cloud, skin);
  ASSERT_EQ(rows.begin, fresh.begin);
  ASSERT_EQ(rows.partner, fresh.partner);
  ASSERT_EQ(rows.begin, brute.begin);
  ASSERT_EQ(rows.partner, brute.partner);
}

template <int D> void keep_through_motion() {
  for (int axes = 0; axes < 1 << D; ++axes)
    for (const double length : {2.3, 5.0, 11.0})
      for (const double step : {0.02, 0.3}) {
        auto cloud = random_cloud<D>(150, -4, length, 0.2, 0.5, static_cast<std::uint32_t>(axes));
        cloud.make_periodic(axes, -4, length);
        CornerHash<D, double> kept(0.0, cloud.r_max());
        Random random(9, 0, static_cast<std::uint32_t>(axes));
        for (int n = 0; n < 25; ++n) {
          expect_kept_equals_fresh(kept, cloud, 0.0);
          stir(cloud, step, random);
        }
        EXPECT_EQ(kept.initialised(), 1U);
        EXPECT_GT(kept.reinserted(), 0U);
      }
}

TEST(CornerHash, KeptThroughRandomMotionInThePlaneItEqualsAFreshBuildAndBrute) {
  keep_through_motion<2>();
}
TEST(CornerHash, KeptThroughRandomMotionInSpaceItEqualsAFreshBuildAndBrute) {
  keep_through_motion<3>();
}

TEST(CornerHash, AStreamThroughAPeriodicBoxWrapsAroundManyTimes) {
  auto cloud = random_cloud<3>(200, 1.0, 6.0, 0.3, 0.5, 20);
  cloud.make_periodic(7, 1.0, 6.0);
  CornerHash<3, double> kept(0.0, cloud.r_max());
  for (int n = 0; n < 150; ++n) {
    for (auto& at : cloud.x) at += Vec<3, double>{0.21, -0.17, 0.05};
    cloud.wrap();
    expect_kept_equals_fresh(kept, cloud, 0.0);
  }
  EXPECT_EQ(kept.initialised(), 1U);
}

TEST(CornerHash, ASkinIsKeptThroughMotionToo) {
  auto cloud = random_cloud<2>(200, -3, 8.0, 0.3, 0.5, 21);
  CornerHash<2, double> kept(0.12, cloud.r_max());
  Random random(9, 1, 0);
  for (int n = 0; n < 40; ++n) {
    expect_kept_equals_fresh(kept, cloud, 0.12);
    stir(cloud, 0.06, random);
  }
}

TEST(CornerHash, AGasThatExpandsLeavesNoEmptyCellsBehindForLong) {
  auto cloud = random_cloud<3>(300, -2, 4.0, 0.3, 0.5, 22);
  CornerHash<3, double> kept(0.0, cloud.r_max());
  PairRows rows;
  // 400 steps of half a cell, eight corners: without tidying up some 10^6 cells of 24 bytes.
  std::size_t largest = 0;
  for (int n = 0; n < 400; ++n) {
    for (std::size_t i = 0; i < cloud.size(); ++i)
      cloud.x[i] += cloud.x[i] * (0.5 / norm(cloud.x[i]));
    kept.find(cloud.input(), rows);
    largest = std::max(largest, kept.bytes());
  }
  EXPECT_EQ(pairs_of(cloud, rows), oracle(cloud, 0.0));
  EXPECT_LT(largest, 2000 * cloud.size());
}

TEST(CornerHash, OnlyGrainsWhoseCornerLeftACellAreInsertedAgain) {
  auto cloud = random_cloud<3>(4000, 0, 16, 0.5, 0.5, 23);
  CornerHash<3, double> kept(0.0, 0.5);
  PairRows rows;
  kept.find(cloud.input(), rows);
  kept.find(cloud.input(), rows);
  EXPECT_EQ(kept.reinserted(), 0U);

  cloud.x[5][0] += 1.5;  // one grain, more than a cell
  kept.find(cloud.input(), rows);
  EXPECT_EQ(kept.reinserted(), 1U);

  // A shift by δ along x takes corners over a border in a share δ/L of the grains.
  for (auto& at : cloud.x) at[0] += 0.01;
  kept.find(cloud.input(), rows);
  EXPECT_NEAR(static_cast<double>(kept.reinserted()) / 4000, 0.01, 0.006);
  EXPECT_EQ(kept.initialised(), 1U);
}

TEST(CornerHash, GrainsMayAppearAndVanish) {
  auto cloud = random_cloud<2>(300, 0, 8.0, 0.3, 0.5, 24);
  CornerHash<2, double> kept(0.0, cloud.r_max());
  Random random(9, 2, 0);
  for (int n = 0; n < 30; ++n) {
    for (auto& p : cloud.present)
      if (random.uniform() < 0.1) p = !p;
    stir(cloud, 0.1, random);
    expect_kept_equals_fresh(kept, cloud, 0.0);
  }
  EXPECT_EQ(kept.initialised(), 1U);
}

TEST(CornerHash, ANewOrderNewGrainsALargerRadiusOrANewBoxStartItAfresh) {
  auto cloud = random_cloud<3>(300, 0, 8.0, 0.3, 0.5, 25);
  CornerHash<3, double> kept(0.0, cloud.r_max());
  expect_kept_equals_fresh(kept, cloud, 0.0);
  Random random(9, 3, 0);
  cloud.shuffle(random);
  expect_kept_equals_fresh(kept, cloud, 0.0);
  cloud.add({4, 4, 4}, 0.4);
  expect_kept_equals_fresh(kept, cloud, 0.0);
  cloud.r[7] = 1.7;
  expect_kept_equals_fresh(kept, cloud, 0.0);
  cloud.make_periodic(1, 0, 8);
  expect_kept_equals_fresh(kept, cloud, 0.0);
  EXPECT_EQ(kept.initialised(), 5U);
}

}  // namespace
}  // namespace scree
