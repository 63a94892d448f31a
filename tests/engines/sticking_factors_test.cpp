// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/sticking_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scree/core/random.hpp"

namespace scree {
namespace {

using Contact = StickingFactors::Contact;
using End = StickingFactors::End;

/// Any contacts among grains; two of them between the same pair, the grains named the other way round.
std::vector<Contact> contacts_among(std::uint32_t grains, std::uint32_t seed) {
  Random draw(seed, 0, 0);
  const auto end = [&](std::uint32_t grain) { return End{grain, draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)}; };
  const End nobody{StickingFactors::nobody, 0, 0, 0};
  std::vector<Contact> all;
  for (std::uint32_t i = 0; i + 1 < grains; ++i) all.push_back({end(i), end(i + 1)});
  for (std::uint32_t i = 0; i + 7 < grains; i += 3) all.push_back({end(i + 7), end(i)});
  all.push_back({end(1), end(0)});
  all.push_back({end(2), nobody});
  all.push_back({nobody, end(3)});
  return all;
}

/// Σ over the grains that two contacts share.
double entry(const Contact& a, const Contact& b) {
  double sum = 0;
  for (const End* one : {&a.i, &a.j})
    for (const End* other : {&b.i, &b.j})
      if (one->grain == other->grain && one->grain != StickingFactors::nobody)
        sum += one->x * other->x + one->y * other->y + one->spin * other->spin;
  return sum;
}

TEST(StickingFactors, SolveWhatTheySay) {
  const auto contacts = contacts_among(40, 1);
  StickingFactors factors;
  ASSERT_TRUE(factors.factor(contacts, 40));
  Random draw(2, 0, 0);
  std::vector<double> r;
  for (std::size_t k = 0; k < contacts.size(); ++k) r.push_back(draw.uniform(-1, 1));
  std::vector<double> x = r;
  factors.solve(x);
  double largest = 0;
  for (const double one : x) largest = std::max(largest, std::abs(one));
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    double sum = -r[k] + StickingFactors::added * entry(contacts[k], contacts[k]) * x[k];
    for (std::size_t m = 0; m < contacts.size(); ++m) sum += entry(contacts[k], contacts[m]) * x[m];
    EXPECT_NEAR(sum, 0, 1e-13 * (1 + largest)) << k;  // backward stable: round-off of entries of order 1 times x
  }
}

TEST(StickingFactors, OrderOfEliminationIsKeptAsLongAsTheGraph) {
  StickingFactors factors;
  ASSERT_TRUE(factors.factor(contacts_among(40, 1), 40));
  ASSERT_TRUE(factors.factor(contacts_among(40, 2), 40));  // other numbers
  EXPECT_EQ(factors.analyses, 1);
  ASSERT_TRUE(factors.factor(contacts_among(41, 2), 41));
  EXPECT_EQ(factors.analyses, 2);
  // the answer is that of factors that have seen nothing else
  StickingFactors fresh;
  ASSERT_TRUE(fresh.factor(contacts_among(41, 2), 41));
  std::vector<double> one(contacts_among(41, 2).size(), 1.0), other = one;
  factors.solve(one);
  fresh.solve(other);
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace scree
