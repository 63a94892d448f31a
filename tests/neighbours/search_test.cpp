// SPDX-License-Identifier: BSD-3-Clause
/// What all methods have in common: the same pairs, in the same rows.
#include <cmath>
#include <limits>

#include <omp.h>

#include "scree/core/errors.hpp"

#include "tests/neighbours/cloud.hpp"

namespace scree {
namespace {

template <class F> void in_the_plane_and_in_space(F f) {
  f(std::integral_constant<int, 2>{});
  f(std::integral_constant<int, 3>{});
}

TEST(NeighbourSearch, TheListNamesEveryMethodAndTheDefaultIsCells) {
  EXPECT_EQ(search_list().front().name, "cells");
  for (const SearchInfo& method : search_list()) {
    EXPECT_EQ((make_search<2, double>(method.name, 0.1, 1.0)->name()), method.name);
    EXPECT_EQ((make_search<3, double>(method.name, 0.1, 1.0)->reach()), 0.1);
    EXPECT_FALSE(method.summary.empty());
  }
}

TEST(NeighbourSearch, AnUnknownNameIsAnErrorThatListsTheNames) {
  try {
    make_search<2, double>("cels", 0, 1);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("\"cels\""), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("\"corner-hash\""), std::string::npos);
  }
}

TEST(NeighbourSearch, RandomCloudsGiveThePairsOfTheOracle) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    std::uint32_t key = 0;
    for (const double skin : {0.0, 0.15})
      for (const double length : {3.0, 9.0, 60.0, 4000.0})  // very dense to very dilute
        for (const double lo : {0.0, -5000.0})
          expect_all_methods_match_the_oracle(random_cloud<D>(250, lo, length, 0.5, 0.5, ++key),
                                              skin, "length " + std::to_string(length));
  });
}

TEST(NeighbourSearch, PolydisperseCloudsGiveThePairsOfTheOracle) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    for (const double ratio : {1.5, 3.0, 20.0})
      for (std::uint32_t key = 0; key < 4; ++key) {
        auto cloud = random_cloud<D>(250, -4, 10, 0.2, 0.2 * ratio, 100 + key);
        if (key > 1)  // one large grain among many small ones
          for (auto& r : cloud.r) r = 0.2 * (&r == &cloud.r[17] ? ratio : 1);
        expect_all_methods_match_the_oracle(cloud, 0.05, "ratio " + std::to_string(ratio));
      }
  });
}

TEST(NeighbourSearch, EverySubsetOfPeriodicAxesGivesThePairsOfTheOracle) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    std::uint32_t key = 200;
    for (int axes = 1; axes < 1 << D; ++axes)
      for (const double length : {2.2, 2.9, 3.4, 4.6, 7.1, 13.0, 900.0})  // from two cells a side
        for (const double lo : {0.0, -3.7}) {
          auto cloud = random_cloud<D>(length < 100 ? 120 : 300, lo, length, 0.3, 0.5, ++key);
          cloud.make_periodic(axes, lo, length);
          for (const double skin : {0.0, 0.1})
            expect_all_methods_match_the_oracle(
                cloud, skin, "axes " + std::to_string(axes) + ", length " + std::to_string(length));
        }
  });
}

TEST(NeighbourSearch, PeriodsOfAnyNumberOfCellsGiveThePairsOfTheOracle) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    for (std::uint32_t n = 0; n < 120; ++n) {
      const double length = 2.05 + 0.073 * n;
      auto cloud = random_cloud<D>(60, -1, length, 0.3, 0.5, 900 + n);
      cloud.make_periodic(1 + static_cast<int>(n) % ((1 << D) - 1), -1, length);
      expect_all_methods_match_the_oracle(cloud, 0.01, "length " + std::to_string(length));
    }
  });
}

TEST(NeighbourSearch, ClustersFarApartGiveThePairsOfTheOracle) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    for (const double distance : {1e3, 1e6, 1e9, 1e14}) {
      Cloud<D> cloud = random_cloud<D>(80, -2, 4, 0.2, 0.5, 300);
      for (std::uint32_t cluster = 1; cluster < 4; ++cluster) {
        const auto more = random_cloud<D>(80, 0, 4, 0.2, 0.5, 300 + cluster);
        for (std::size_t i = 0; i < more.size(); ++i) {
          auto at = more.x[i];
          at[0] += cluster == 1 ? distance : 0;
          at[D - 1] -= cluster >= 2 ? distance * cluster : 0;
          cloud.add(at, more.r[i]);
        }
      }
      expect_all_methods_match_the_oracle(cloud, 0.1, "distance " + std::to_string(distance));
    }
  });
}

TEST(NeighbourSearch, OneGrainFarAwayDisturbsNobody) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    for (const double distance : {-1e4, 1e8, -1e12, 1e300}) {
      auto cloud = random_cloud<D>(300, -3, 6, 0.3, 0.4, 310);
      cloud.x[150][1] = distance;
      expect_all_methods_match_the_oracle(cloud, 0.05, "distance " + std::to_string(distance));
    }
  });
}

/// A lattice with spacing 1 and radii 1/2: every bond has gap 0 and every grain is on a border of
/// some cell, for cells are 1 wide as well.
template <int D> Cloud<D> touching_lattice(int side, double spacing, double lo) {
  Cloud<D> cloud;
  for (int z = 0; z < (D == 3 ? side : 1); ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        Vec<D, double> at;
        const std::array<int, 3> c{x, y, z};
        for (int k = 0; k < D; ++k) at[k] = lo + c[static_cast<std::size_t>(k)] * spacing;
        cloud.add(at, spacing / 2);
      }
  Random random(7, 0, 400);
  cloud.shuffle(random);
  return cloud;
}

TEST(NeighbourSearch, GrainsThatExactlyTouchOnCellBordersAreTreatedAlike) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    for (const double spacing : {1.0, 0.1, 1.0 / 3.0, 7e-3})
      for (const double lo : {0.0, -2 * spacing, -1.7, 1e3})
        for (int axes : {0, 1, (1 << D) - 1}) {
          auto cloud = touching_lattice<D>(5, spacing, lo);
          cloud.make_periodic(axes, lo, 5 * spacing);
          cloud.wrap();
          for (const double skin : {0.0, 1e-15, 1e-9, 0.5 * spacing})
            expect_all_methods_match_the_oracle(
                cloud, skin, "spacing " + std::to_string(spacing) + ", lo " + std::to_string(lo));
        }
  });
}

TEST(NeighbourSearch, ALatticeOfTouchingGrainsHasNoPairWithoutSkinAndItsBondsWithOne) {
  const auto cloud = touching_lattice<3>(5, 1.0, -2.0);
  for (const SearchInfo& method : search_list()) {
    EXPECT_EQ(search(std::string(method.name), cloud, 0.0).partner.size(), 0U);
    EXPECT_EQ(search(std::string(method.name), cloud, 1e-6).partner.size(), 3U * 5 * 5 * 4);
  }
}

TEST(NeighbourSearch, NobodyHasNoPairsAndNeitherHasOneGrain) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    Cloud<D> cloud;
    expect_all_methods_match_the_oracle(cloud, 0.1, "nobody");
    cloud.add(Vec<D, double>{}, 0.5);
    expect_all_methods_match_the_oracle(cloud, 0.1, "one grain");
    cloud.make_periodic(1, 0, 3);
    expect_all_methods_match_the_oracle(cloud, 0.1, "one grain and its image");
  });
}

TEST(NeighbourSearch, AllGrainsInOnePlaceAreAllNeighbours) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    for (int axes = 0; axes < 2; ++axes) {
      Cloud<D> cloud;
      Vec<D, double> at;
      for (int k = 0; k < D; ++k) at[k] = 1.25;
      for (int i = 0; i < 60; ++i) cloud.add(at, 0.5);
      cloud.make_periodic(axes, 0, 10);
      expect_all_methods_match_the_oracle(cloud, 0.0, "one place");
      EXPECT_EQ(search("cells", cloud, 0.0).partner.size(), 60U * 59 / 2);
    }
  });
}

TEST(NeighbourSearch, HeldPairsAndAbsentGrainsAreNotListed) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    auto cloud = random_cloud<D>(300, 0, 6, 0.2, 0.6, 500);
    Random random(7, 1, 500);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      cloud.held[i] = random.uniform() < 0.4;
      cloud.present[i] = random.uniform() < 0.8;
      if (!cloud.present[i])
        cloud.x[i][0] = std::numeric_limits<double>::quiet_NaN();  // nobody looks
    }
    expect_all_methods_match_the_oracle(cloud, 0.1, "held and absent");
    for (auto& p : cloud.present) p = 0;
    expect_all_methods_match_the_oracle(cloud, 0.1, "all absent");
  });
}

TEST(NeighbourSearch, APositionThatIsNotFiniteIsAnErrorThatNamesTheGrain) {
  for (const std::string method : {"cells", "corner-hash", "hierarchy"})
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      auto cloud = random_cloud<2>(50, 0, 6, 0.2, 0.6, 510);
      auto found = make_search<2, double>(method, 0, cloud.r_max());
      PairRows rows;
      found->find(cloud.input(), rows);
      const auto good = cloud.x[20];
      cloud.x[20][1] = bad;
      try {
        found->find(cloud.input(), rows);
        FAIL() << method;
      } catch (const RunError& e) {
        EXPECT_NE(std::string(e.what()).find("grain " + std::to_string(cloud.id[20])),
                  std::string::npos);
      }
      cloud.x[20] = good;
      found->find(cloud.input(), rows);
      EXPECT_EQ(pairs_of(cloud, rows), oracle(cloud, 0.0));
    }
}

TEST(NeighbourSearch, RowsDoNotDependOnTheNumberOfThreads) {
  const int before = omp_get_max_threads();
  for (const int axes : {0, 5})
    for (const double length : {14.0, 150.0}) {  // plain and hashed cells
      auto cloud = random_cloud<3>(2500, 0, length, 0.3, 0.6, 600);
      cloud.make_periodic(axes, 0, length);
      for (const SearchInfo& method : search_list()) {
        if (method.name == "brute" && axes != 0) continue;  // once will do
        PairRows first;
        std::vector<std::uint32_t> first_order;
        for (const int threads : {1, 2, 3, 8}) {
          omp_set_num_threads(threads);
          const PairRows rows = search(std::string(method.name), cloud, 0.1);
          std::vector<std::uint32_t> order;
          make_search<3, double>(method.name, 0.1, 0.6)->order(cloud.input(), order);
          if (threads == 1) {
            first = rows;
            first_order = order;
            EXPECT_GT(first.partner.size(), 0U);
          }
          EXPECT_EQ(rows.begin, first.begin) << method.name << ' ' << threads;
          EXPECT_EQ(rows.partner, first.partner) << method.name << ' ' << threads;
          EXPECT_EQ(order, first_order) << method.name << ' ' << threads;
        }
      }
    }
  omp_set_num_threads(before);
}

TEST(NeighbourSearch, PairsDoNotDependOnTheOrderOfStorage) {
  in_the_plane_and_in_space([](auto d) {
    constexpr int D = d;
    auto cloud = random_cloud<D>(2000, -10, 24, 0.2, 0.6, 700);
    cloud.make_periodic(2, -10, 24);
    for (const SearchInfo& method : search_list()) {
      const auto expected = pairs_of(cloud, search(std::string(method.name), cloud, 0.1));
      for (std::uint32_t key = 0; key < 4; ++key) {
        auto other = cloud;
        Random random(7, 2, key);
        other.shuffle(random);
        EXPECT_EQ(pairs_of(other, search(std::string(method.name), other, 0.1)), expected)
            << method.name;
      }
    }
  });
}

TEST(NeighbourSearch, AllMethodsWriteTheSameRows) {
  auto cloud = random_cloud<3>(3000, -8, 16, 0.3, 0.6, 800);
  cloud.make_periodic(3, -8, 16);
  const PairRows brute = search("brute", cloud, 0.1);
  for (const SearchInfo& method : search_list()) {
    const PairRows rows = search(std::string(method.name), cloud, 0.1);
    EXPECT_EQ(rows.begin, brute.begin) << method.name;
    EXPECT_EQ(rows.partner, brute.partner) << method.name;
  }
}

}  // namespace
}  // namespace scree
