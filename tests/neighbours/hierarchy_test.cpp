// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/hierarchy.hpp"

#include <cmath>

#include <omp.h>

#include "scree/core/dd.hpp"
#include "scree/neighbours/cells.hpp"

#include "tests/neighbours/cloud.hpp"

namespace scree {
namespace {

/// Grains of radius r_min to ratio r_min in a cube, the same volume for every factor in size, about
/// as dense as a bed.
template <int D>
Cloud<D> bed(std::size_t grains, double r_min, double ratio, double lo, std::uint32_t key) {
  Random random(8, 0, key);
  Cloud<D> cloud;
  std::vector<double> radii;
  double volume = 0;
  for (std::size_t i = 0; i < grains; ++i) {
    const double u = random.uniform();
    radii.push_back(r_min * std::pow(1 + u * (std::pow(ratio, -D) - 1), -1.0 / D));
    volume += std::pow(2 * radii.back(), D);
  }
  radii[grains / 2] = r_min * ratio;  // the largest is there
  volume += std::pow(2 * r_min * ratio, D);
  // A period is at least two diameters wide.
  const double length = std::max(std::pow(volume, 1.0 / D), 4.1 * r_min * ratio);
  for (const double r : radii) {
    Vec<D, double> at;
    for (int k = 0; k < D; ++k) at[k] = random.uniform(lo, lo + length);
    cloud.add(at, r);
  }
  cloud.domain.lo[0] = lo;
  cloud.domain.hi[0] = lo + length;  // until make_periodic
  cloud.shuffle(random);
  return cloud;
}
template <int D> void make_periodic(Cloud<D>& cloud, int axes) {
  const double lo = cloud.domain.lo[0], length = cloud.domain.hi[0] - lo;
  cloud.domain = {};
  cloud.make_periodic(axes, lo, length);
}

template <int D> void expect_rows_of_brute(const Cloud<D>& cloud, double skin) {
  const PairRows rows = search("hierarchy", cloud, skin), brute = search("brute", cloud, skin);
  EXPECT_EQ(rows.begin, brute.begin);
  EXPECT_EQ(rows.partner, brute.partner);
}

template <int D> void beds_of_every_ratio() {
  std::uint32_t key = 0;
  for (const double ratio : {1.0, 3.0, 10.0, 100.0})
    for (int axes = 0; axes < 1 << D; ++axes)
      for (const double skin : {0.0, 0.03, 0.3}) {
        SCOPED_TRACE("ratio " + std::to_string(ratio) + ", axes " + std::to_string(axes) +
                     ", skin " + std::to_string(skin));
        auto cloud = bed<D>(1200, 0.2, ratio, -3.1, ++key);
        make_periodic(cloud, axes);
        expect_rows_of_brute(cloud, skin);
      }
}
TEST(Hierarchy, BedsOfEveryRatioInThePlaneGiveTheRowsOfBrute) { beds_of_every_ratio<2>(); }
TEST(Hierarchy, BedsOfEveryRatioInSpaceGiveTheRowsOfBrute) { beds_of_every_ratio<3>(); }

/// Many against few, either way, and in places far from each other: all ways to ask, and hashing.
template <int D> void two_sizes() {
  std::uint32_t key = 0;
  for (const double ratio : {3.0, 10.0, 40.0})
    for (const std::size_t large : {std::size_t{1}, std::size_t{20}, std::size_t{500}})
      for (const double length : {4.1, 20.0, 3000.0})
        for (const int axes : {0, 1, (1 << D) - 1})
          for (const double apart : {0.0, 1e7}) {
            if (axes && apart > 0) continue;
            SCOPED_TRACE("ratio " + std::to_string(ratio) + ", large " + std::to_string(large) +
                         ", length " + std::to_string(length) + ", axes " + std::to_string(axes));
            auto cloud = random_cloud<D>(520, -1, length, 1, 1, 1000 + ++key);
            for (std::size_t i = large; i < cloud.size(); ++i) {
              cloud.r[i] /= ratio;
              if (i % 5 == 0) cloud.x[i][1] += apart;  // some of the small ones
            }
            for (std::size_t i = 0; i < cloud.size(); i += 3) cloud.held[i] = 1;
            for (std::size_t i = 0; i < cloud.size(); i += 7) cloud.present[i] = 0;
            cloud.make_periodic(axes, -1, length);
            expect_rows_of_brute(cloud, 0.01);
          }
}
TEST(Hierarchy, FewLargeAmongManySmallGrainsAndTheReverseInThePlane) { two_sizes<2>(); }
TEST(Hierarchy, FewLargeAmongManySmallGrainsAndTheReverseInSpace) { two_sizes<3>(); }

template <int D> void in_double_double() {
  for (const double ratio : {1.0, 10.0, 100.0})
    for (int axes : {0, 1, (1 << D) - 1}) {
      auto cloud = bed<D>(800, 0.2, ratio, 0.7, 50 + static_cast<std::uint32_t>(axes));
      make_periodic(cloud, axes);
      Column<Vec<D, dd>> x(cloud.size());
      Column<dd> r(cloud.size());
      Random random(8, 1, static_cast<std::uint32_t>(axes));
      for (std::size_t i = 0; i < cloud.size(); ++i) {
        for (int k = 0; k < D; ++k)
          x[i][k] = dd(cloud.x[i][k]) + dd(random.uniform(0, 0x1p-60));
        r[i] = dd(cloud.r[i]) + dd(random.uniform(0, 0x1p-60));
      }
      const SearchInput<D, dd> in{x, r, cloud.id, cloud.held, cloud.present, cloud.domain};
      PairRows rows, brute;
      make_search<D, dd>("hierarchy", 0.02, cloud.r_max())->find(in, rows);
      make_search<D, dd>("brute", 0.02, cloud.r_max())->find(in, brute);
      EXPECT_EQ(rows.begin, brute.begin);
      EXPECT_EQ(rows.partner, brute.partner);
      EXPECT_FALSE(rows.partner.empty());
    }
}
TEST(Hierarchy, BedsInDoubleDoubleInThePlaneGiveTheRowsOfBrute) { in_double_double<2>(); }
TEST(Hierarchy, BedsInDoubleDoubleInSpaceGiveTheRowsOfBrute) { in_double_double<3>(); }

TEST(Hierarchy, RowsOfAWideBedDoNotDependOnTheNumberOfThreads) {
  const int before = omp_get_max_threads();
  for (const double ratio : {1.0, 10.0, 100.0})
    for (const int axes : {0, 5}) {
      auto cloud = bed<3>(20000, 0.2, ratio, 0, 70);
      make_periodic(cloud, axes);
      PairRows first;
      std::vector<std::uint32_t> first_order;
      for (const int threads : {1, 2, 4}) {
        omp_set_num_threads(threads);
        Hierarchy<3, double> hierarchy(0.02);
        std::vector<std::uint32_t> order;
        PairRows rows;
        EXPECT_TRUE(hierarchy.order(cloud.input(), order));
        hierarchy.find(cloud.input(), rows);
        if (threads == 1) {
          first = rows;
          first_order = order;
        }
        EXPECT_EQ(rows.begin, first.begin);
        EXPECT_EQ(rows.partner, first.partner);
        EXPECT_EQ(order, first_order);
      }
    }
  omp_set_num_threads(before);
}

TEST(Hierarchy, LevelsAreThoseThatTheSizesAskFor) {
  Hierarchy<3, double> hierarchy(0.0);
  PairRows rows;
  const auto levels = [&](const Cloud<3>& cloud) {
    hierarchy.find(cloud.input(), rows);
    return hierarchy.levels().size();
  };
  EXPECT_EQ(levels(Cloud<3>()), 1U);
  EXPECT_EQ(levels(bed<3>(5000, 0.2, 1, 0, 80)), 1U);
  EXPECT_EQ(levels(bed<3>(5000, 0.2, 2, 0, 81)), 1U);
  EXPECT_GE(levels(bed<3>(5000, 0.2, 8, 0, 82)), 3U);

  // One large grain has a level, and those between, which nobody is in, do not exist.
  auto cloud = bed<3>(5000, 0.2, 1, 0, 83);
  cloud.r[77] = 3;
  EXPECT_EQ(levels(cloud), 2U);
  EXPECT_EQ(hierarchy.levels().front().extent.grains, 1U);
  EXPECT_EQ(hierarchy.levels().front().entries, 1U);

  // A few small grains are no burden to the large ones.
  cloud = bed<3>(5000, 0.2, 1, 0, 84);
  for (std::size_t i = 0; i < 100; ++i) cloud.r[i] = 0.01;
  EXPECT_EQ(levels(cloud), 1U);

  // Dust without size.
  cloud.r[0] = 0;
  levels(cloud);
  EXPECT_EQ(pairs_of(cloud, rows), pairs_of(cloud, search("cells", cloud, 0.0)));
}

TEST(Hierarchy, MemoryStaysInProportionToTheGrainsWhereverTheyAre) {
  for (const double far : {0.0, 1e5, 1e15}) {
    auto cloud = bed<3>(20000, 0.2, 10, 0, 90);
    for (std::size_t i = 0; i < cloud.size(); i += 5000) cloud.x[i][2] += far;
    Hierarchy<3, double> hierarchy(0.02);
    PairRows rows;
    hierarchy.find(cloud.input(), rows);
    for (const auto& level : hierarchy.levels())
      EXPECT_LE(level.entries, 8 * level.extent.grains + 64);
    EXPECT_LT(hierarchy.bytes(), 300 * cloud.size());
    EXPECT_EQ(pairs_of(cloud, rows), pairs_of(cloud, search("cells", cloud, 0.02)));
  }
}

TEST(Hierarchy, OrderIsAPermutationOfCellsOfTheTypicalGrain) {
  auto cloud = bed<3>(20000, 0.2, 10, 0, 91);
  Hierarchy<3, double> hierarchy(0.02);
  std::vector<std::uint32_t> order;
  ASSERT_TRUE(hierarchy.order(cloud.input(), order));
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  cloud.permute_storage(order);
  EXPECT_FALSE(hierarchy.order(cloud.input(), order));
  // Large grains do not make the order coarse: `cells` would ask for much larger steps.
  double fine = 0, coarse = 0;
  Cells<3, double> cells(0.02);
  auto other = cloud;
  if (cells.order(other.input(), order)) other.permute_storage(order);
  for (std::size_t i = 1; i < cloud.size(); ++i) {
    fine += norm(cloud.x[i] - cloud.x[i - 1]);
    coarse += norm(other.x[i] - other.x[i - 1]);
  }
  EXPECT_LT(fine, 0.99 * coarse + 1e-9);
}

}  // namespace
}  // namespace scree
