// SPDX-License-Identifier: BSD-3-Clause
/// Clouds of grains to search in, and the oracle: all pairs, all images, nothing clever.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scree/core/random.hpp"
#include "scree/neighbours/search.hpp"

namespace scree {

using IdPair = std::pair<std::uint32_t, std::uint32_t>;

template <int D> struct Cloud {
  Column<Vec<D, double>> x;
  Column<double> r;
  Column<std::uint32_t> id;
  Column<std::uint8_t> held, present;
  Domain<D> domain;

  std::size_t size() const { return x.size(); }
  SearchInput<D, double> input() const { return {x, r, id, held, present, domain}; }
  double r_max() const { return r.empty() ? 1.0 : *std::max_element(r.begin(), r.end()); }

  void add(const Vec<D, double>& at, double radius) {
    x.push_back(at);
    r.push_back(radius);
    id.push_back(static_cast<std::uint32_t>(id.size()));
    held.push_back(0);
    present.push_back(1);
  }
  void permute_storage(const std::vector<std::uint32_t>& order) {
    const auto sort = [&order](auto& column) {
      auto spare = column;
      permute(column, order, spare);
    };
    sort(x), sort(r), sort(id), sort(held), sort(present);
  }
  /// Grains in a random order of storage; ids stay with their grains.
  void shuffle(Random& random) {
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[random.bits() % k]);
    permute_storage(order);
  }
  /// A period [lo, lo + length) in the axes of a bit mask.
  void make_periodic(int axes, double lo, double length) {
    for (int k = 0; k < D; ++k)
      if (axes >> k & 1) {
        domain.periodic[static_cast<std::size_t>(k)] = true;
        domain.lo[k] = lo;
        domain.hi[k] = lo + length;
      }
  }
  void wrap() {
    for (auto& at : x)
      for (int k = 0; k < D; ++k)
        if (domain.periodic[static_cast<std::size_t>(k)]) {
          const double lo = domain.lo[k], hi = domain.hi[k];
          while (at[k] < lo) at[k] += hi - lo;
          while (at[k] >= hi) at[k] -= hi - lo;
          at[k] = std::max(at[k], lo);
        }
  }
};

/// Grains thrown at random into a cube, radii uniform between two bounds, storage shuffled.
template <int D> Cloud<D> random_cloud(std::size_t grains, double lo, double length, double r_min,
                                       double r_max, std::uint32_t key) {
  Random random(7, 0, key);
  Cloud<D> cloud;
  for (std::size_t i = 0; i < grains; ++i) {
    Vec<D, double> at;
    for (int k = 0; k < D; ++k) at[k] = random.uniform(lo, lo + length);
    cloud.add(at, random.uniform(r_min, r_max));
  }
  cloud.shuffle(random);
  return cloud;
}

/// Pairs of ids, lower first, whose gap is below `skin`.
template <int D> std::set<IdPair> oracle(const Cloud<D>& c, double skin) {
  std::set<IdPair> pairs;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!c.present[i] || !c.present[j] || (c.held[i] && c.held[j])) continue;
      double distance2 = 0;
      for (int k = 0; k < D; ++k) {
        const double d = c.x[j][k] - c.x[i][k], period = c.domain.hi[k] - c.domain.lo[k];
        double nearest = std::abs(d);
        if (c.domain.periodic[static_cast<std::size_t>(k)])
          nearest = std::min({nearest, std::abs(d + period), std::abs(d - period)});
        distance2 += nearest * nearest;
      }
      const double sum = c.r[i] + c.r[j] + skin;
      if (distance2 < sum * sum) pairs.insert(std::minmax(c.id[i], c.id[j]));
    }
  return pairs;
}

/// The pairs of a list, after checking its form.
template <int D> std::set<IdPair> pairs_of(const Cloud<D>& c, const PairRows& rows) {
  std::set<IdPair> pairs;
  EXPECT_EQ(rows.begin.size(), c.size() + 1);
  EXPECT_EQ(rows.begin.front(), 0U);
  EXPECT_EQ(rows.begin.back(), rows.partner.size());
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::uint32_t before = c.id[i];
    for (std::uint32_t a = rows.begin[i]; a < rows.begin[i + 1]; ++a) {
      const std::uint32_t other = c.id[rows.partner[a]];
      EXPECT_GT(other, before) << "in the row of grain " << c.id[i];
      before = other;
      EXPECT_TRUE(pairs.insert({c.id[i], other}).second);
    }
  }
  return pairs;
}

template <int D> PairRows search(const std::string& method, const Cloud<D>& c, double skin) {
  PairRows rows;
  make_search<D, double>(method, skin, c.r_max())->find(c.input(), rows);
  return rows;
}

template <int D>
void expect_all_methods_match_the_oracle(const Cloud<D>& c, double skin, const std::string& what) {
  const auto expected = oracle(c, skin);
  for (const SearchInfo& method : search_list()) {
    SCOPED_TRACE(what + ", " + std::to_string(D) + "D, " + std::string(method.name) + ", skin " +
                 std::to_string(skin));
    EXPECT_EQ(pairs_of(c, search(std::string(method.name), c, skin)), expected);
  }
}

}  // namespace scree
