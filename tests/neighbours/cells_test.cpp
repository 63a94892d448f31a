// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/cells.hpp"

#include <cmath>
#include <functional>

#include "tests/neighbours/cloud.hpp"

namespace scree {
namespace {

/// Mean distance in storage between partners.
template <int D> double spread(const PairRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < rows.begin.size(); ++i)
    for (std::uint32_t a = rows.begin[i]; a < rows.begin[i + 1]; ++a)
      sum += std::abs(static_cast<double>(rows.partner[a]) - static_cast<double>(i));
  return sum / static_cast<double>(rows.partner.size());
}

TEST(Cells, OrderIsAPermutationThatBringsPartnersTogetherAndIsNotAskedTwice) {
  auto cloud = random_cloud<3>(20000, -15, 30, 0.4, 0.6, 1);
  cloud.make_periodic(4, -15, 30);
  Cells<3, double> cells(0.1);
  std::vector<std::uint32_t> order;
  PairRows rows;
  cells.find(cloud.input(), rows);
  const double before = spread<3>(rows);
  const auto pairs = pairs_of(cloud, rows);

  ASSERT_TRUE(cells.order(cloud.input(), order));
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);

  cloud.permute_storage(order);
  EXPECT_FALSE(cells.order(cloud.input(), order));
  cells.find(cloud.input(), rows);
  EXPECT_LT(spread<3>(rows), before / 5);
  EXPECT_EQ(pairs_of(cloud, rows), pairs);
}

TEST(Cells, OneGrainThatWandersOffDoesNotAskForANewOrder) {
  auto cloud = random_cloud<2>(5000, 0, 60, 0.4, 0.6, 2);
  Cells<2, double> cells(0.1);
  std::vector<std::uint32_t> order;
  ASSERT_TRUE(cells.order(cloud.input(), order));
  cloud.permute_storage(order);
  for (int step = 0; step < 40; ++step) {
    cloud.x[700][0] -= 7.3;
    EXPECT_FALSE(cells.order(cloud.input(), order)) << step;
  }
}

TEST(Cells, AbsentGrainsAreStoredLast) {
  auto cloud = random_cloud<3>(1000, 0, 10, 0.4, 0.6, 3);
  for (std::size_t i = 0; i < cloud.size(); i += 3) cloud.present[i] = 0;
  std::vector<std::uint32_t> order;
  ASSERT_TRUE((Cells<3, double>(0.1).order(cloud.input(), order)));
  cloud.permute_storage(order);
  EXPECT_TRUE(std::is_sorted(cloud.present.begin(), cloud.present.end(), std::greater<>()));
}

TEST(Cells, MemoryStaysInProportionToTheGrainsWhereverTheyAre) {
  for (const double far : {0.0, 1e5, 1e15}) {
    auto cloud = random_cloud<3>(20000, 0, 30, 0.5, 0.5, 4);
    cloud.x[10][2] += far;
    Cells<3, double> cells(0.1);
    PairRows rows;
    cells.find(cloud.input(), rows);
    EXPECT_EQ(cells.hashed(), far > 0);
    EXPECT_LE(cells.entries(), 8 * cloud.size() + 64);
    EXPECT_LT(cells.bytes(), 300 * cloud.size());
  }
}

TEST(Cells, ASecondSearchAllocatesNothing) {
  const auto cloud = random_cloud<3>(20000, 0, 30, 0.5, 0.5, 5);
  Cells<3, double> cells(0.1);
  PairRows rows;
  cells.find(cloud.input(), rows);
  const std::size_t bytes = cells.bytes();
  const auto* begin = rows.begin.data();
  const auto* partner = rows.partner.data();
  for (int again = 0; again < 3; ++again) cells.find(cloud.input(), rows);
  EXPECT_EQ(rows.begin.data(), begin);
  EXPECT_EQ(rows.partner.data(), partner);
  if (omp_get_max_threads() == 1) {  // else threads share the rows differently each time
    EXPECT_EQ(cells.bytes(), bytes);
  }
}

}  // namespace
}  // namespace scree
