// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "scree/core/column.hpp"
#include "scree/core/fields.hpp"
#include "scree/core/random.hpp"
#include "scree/core/vec.hpp"

namespace scree {
namespace {

TEST(Philox, MatchesTheKnownAnswersOfRandom123) {
  using Four = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, BelongsToItsKeyAndNotToWhatWasDrawnBefore) {
  Random a(1, 2, 3), b(1, 2, 3), other(1, 2, 4);
  other.uniform();
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(Random(1, 2, 3).bits(), Random(1, 2, 4).bits());
  EXPECT_NE(Random(1, 2, 3).bits(), Random(1, 3, 3).bits());
  EXPECT_NE(Random(1, 2, 3).bits(), Random(2, 2, 3).bits());
}

TEST(Random, HasTheMomentsOfItsDistributions) {
  double mean = 0, square = 0, normal = 0, normal2 = 0;
  const int n = 200000;
  for (int k = 0; k < n; ++k) {
    Random r(7, 0, static_cast<std::uint32_t>(k));
    const double u = r.uniform(), g = r.normal();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    mean += u;
    square += u * u;
    normal += g;
    normal2 += g * g;
  }
  // five standard errors: 1/sqrt(12 n), sqrt(4/45/n), 1/sqrt(n), sqrt(2/n)
  EXPECT_NEAR(mean / n, 0.5, 5 / std::sqrt(12.0 * n));
  EXPECT_NEAR(square / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
  EXPECT_NEAR(normal / n, 0, 5 / std::sqrt(1.0 * n));
  EXPECT_NEAR(normal2 / n, 1, 5 * std::sqrt(2.0 / n));
}

TEST(Vectors, HaveTheProductsOfMechanics) {
  const Vec<3, double> a{1, 2, 3}, b{-2, 0.5, 4};
  EXPECT_EQ(dot(a, b), -2 + 1 + 12);
  EXPECT_EQ(cross(a, b), (Vec<3, double>{2 * 4 - 3 * 0.5, 3 * -2 - 1 * 4, 1 * 0.5 - 2 * -2}));
  EXPECT_EQ(dot(cross(a, b), a), 0);
  // the plane is the z = 0 of space
  const Vec<2, double> r{3, -1}, f{2, 5};
  EXPECT_EQ(cross(r, f)[0], cross(Vec<3, double>{3, -1, 0}, Vec<3, double>{2, 5, 0})[2]);
  const Vec<2, double> v = cross(Vec<1, double>{2.0}, r);
  const Vec<3, double> w = cross(Vec<3, double>{0, 0, 2}, Vec<3, double>{3, -1, 0});
  EXPECT_EQ(v[0], w[0]);
  EXPECT_EQ(v[1], w[1]);
}

TEST(Turns, RotateVectorsAndFollowASpin) {
  const double c = std::cos(0.35), s = std::sin(0.35);
  const Vec<4, double> q{c, 0, 0, s};  // 0.7 about z
  const Vec<3, double> turned = rotate(q, Vec<3, double>{1, 0, 0});
  EXPECT_NEAR(turned[0], std::cos(0.7), 1e-15);
  EXPECT_NEAR(turned[1], std::sin(0.7), 1e-15);
  const Vec<2, double> flat = rotate(Vec<1, double>{0.7}, Vec<2, double>{1, 0});
  EXPECT_NEAR(flat[0], turned[0], 1e-15);
  // a turning body: d/dt (q r q*) = w x (q r q*)
  const Vec<3, double> w{0.3, -0.8, 0.5}, r{0.2, 0.9, -0.4};
  const double h = 1e-6;
  const auto ahead = unit_turn(q + turn_rate(q, w) * h), behind = unit_turn(q - turn_rate(q, w) * h);
  const Vec<3, double> rate = (rotate(ahead, r) - rotate(behind, r)) * (0.5 / h);
  EXPECT_LT(norm(rate - cross(w, rotate(q, r))), 1e-9);
  EXPECT_NEAR(norm(ahead), 1, 1e-15);
}

struct Sample {
  double a = 1;
  int b = 2;
  static constexpr auto fields() {
    return std::tuple{field<&Sample::a>("a", "m", positive, "a length"), field<&Sample::b>("b")};
  }
};

TEST(FieldLists, VisitEveryMemberWithItsNameAndUnit) {
  Sample sample;
  std::set<std::string_view> names;
  double sum = 0;
  for_each_field<Sample>([&](const auto& f) {
    names.insert(f.name);
    sum += sample.*(f.member);
  });
  EXPECT_EQ(names, (std::set<std::string_view>{"a", "b"}));
  EXPECT_EQ(sum, 3);
  EXPECT_TRUE(within(positive, 1e-300));
  EXPECT_FALSE(within(positive, 0));
  EXPECT_FALSE(within(non_negative, std::nan("")));
  EXPECT_FALSE(within(any, INFINITY));
}

TEST(Columns, LieOnCacheLinesAndCanBePermuted) {
  Column<double> a(1000), spare;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
  Column<Vec<3, double>> large(1 << 19);  // 12 MB: in huge pages where there are any
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (1 << 21), 0U);
  std::vector<std::uint32_t> order(1000);
  for (std::uint32_t k = 0; k < 1000; ++k) {
    a[k] = k;
    order[k] = 999 - k;
  }
  permute(a, order, spare);
  for (std::uint32_t k = 0; k < 1000; ++k) EXPECT_EQ(a[k], 999 - k);
}

}  // namespace
}  // namespace scree
