// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/dd_text.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scree/core/constants.hpp"
#ifdef SCREE_HAVE_MPFR
#include "tests/support/mpfr_real.hpp"
#endif

namespace scree {
namespace {

bool same_bits(const dd& a, const dd& b) {
  return std::bit_cast<std::uint64_t>(a.hi) == std::bit_cast<std::uint64_t>(b.hi) &&
         std::bit_cast<std::uint64_t>(a.lo + 0.0) == std::bit_cast<std::uint64_t>(b.lo + 0.0);
}

/// Any finite double-double: both words of any length and distance, and special ones.
dd any_number(std::mt19937_64& random, int reach) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const int e = static_cast<int>(random() % static_cast<unsigned>(2 * reach)) - reach;
  double hi = std::ldexp(1 + uniform(), e);
  if (random() % 4 == 0) hi = std::ldexp(static_cast<double>(random() % 1000 + 1), e);
  if (random() % 2) hi = -hi;
  double lo = hi * 0x1p-53 * (2 * uniform() - 1);
  switch (random() % 6) {
    case 0: lo = 0; break;
    case 1: lo = std::ldexp(lo, -static_cast<int>(random() % 200)); break;
    case 2: lo = std::ldexp(random() % 2 ? 1 : -1, std::ilogb(hi) - 53); break;
    default: break;
  }
  return exact_sum(hi, lo);
}

TEST(DoubleDoubleText, ComesBackWordForWord) {
  std::mt19937_64 random(1);
  for (const int reach : {20, 300, 960}) {
    for (int i = 0; i < 3000; ++i) {
      const dd x = any_number(random, reach);
      const std::string text = to_text(x);
      const auto back = parse_dd(text);
      ASSERT_TRUE(back && same_bits(*back, x)) << text << std::hexfloat << ", " << x.hi << " " << x.lo;
    }
  }
  using Limits = std::numeric_limits<dd>;
  for (const dd x : {Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), dd(0),
                     dd(0x1p-960, 0x1p-1074), dd(1, 0x1p-1074), dd(0.1), dd(1, -0x1p-54)}) {
    EXPECT_TRUE(same_bits(parse_dd(to_text(x)).value(), x)) << to_text(x);
  }
}

TEST(DoubleDoubleText, IsShortWhereItCanBe) {
  EXPECT_EQ(to_text(dd(0)), "0");
  EXPECT_EQ(to_text(dd(1)), "1");
  EXPECT_EQ(to_text(dd(-1.5)), "-1.5");
  EXPECT_EQ(to_text(dd(1e16)), "10000000000000000");
  EXPECT_EQ(to_text(dd(0x1p-20)), "9.5367431640625e-07");
  EXPECT_EQ(to_text(dd(1e22)), "1e+22");
  EXPECT_EQ(to_text(dd(0.1)), "0.1000000000000000055511151231257827021181583404541015625");
  EXPECT_EQ(to_text(parse_dd("0.1").value()), "0.1");
  EXPECT_EQ(to_text(constant::pi<dd>()), "3.1415926535897932384626433832795");
  EXPECT_EQ(to_text(std::numeric_limits<dd>::infinity()), "inf");
  EXPECT_EQ(to_text(-std::numeric_limits<dd>::infinity()), "-inf");
  EXPECT_EQ(to_text(std::numeric_limits<dd>::quiet_NaN()), "nan");
  // Two full words take 33 digits or so.
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const double hi = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
    const std::string text = to_text(exact_sum(hi, hi * 0x1.123456789abcdp-54));
    EXPECT_LE(text.size(), 36u) << text;
  }
}

TEST(DoubleDoubleText, FormatsToAskedDigits) {
  const dd pi = constant::pi<dd>();
  EXPECT_EQ(fmt::format("{}", pi), to_text(pi));
  EXPECT_EQ(fmt::format("{:.5} and {:.3g}", pi, -pi * 1000000), "3.1416 and -3140000");
  EXPECT_EQ(fmt::format("{:.30f}", pi), "3.141592653589793238462643383280");
  EXPECT_EQ(fmt::format("{:.3e}", pi / 1000), "3.142e-03");
  EXPECT_EQ(fmt::format("{:.2f}", dd(999.999)), "1000.00");
  EXPECT_EQ(fmt::format("{:.0f} {:.0f} {:.0f}", dd(0.5), dd(1.5), dd(0.4)), "0 2 0");
  EXPECT_EQ(fmt::format("{:.2e} {:.1f}", dd(0), dd(0)), "0.00e+00 0.0");
  EXPECT_EQ(fmt::format("{:.20}", dd(2.5)), "2.5");
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {  // on doubles, what printf says
    const double x = any_number(random, 200).hi;
    char text[400];
    std::snprintf(text, sizeof text, "%.17e", x);
    ASSERT_EQ(to_scientific(x, 17), text);
    if (std::fabs(x) < 1e60 && std::fabs(x) > 1e-60) {
      std::snprintf(text, sizeof text, "%.9f", x);
      ASSERT_EQ(to_fixed(x, 9), text);
    }
  }
}

TEST(DoubleDoubleText, ReadsWhatIsANumberAndNothingElse) {
  EXPECT_EQ(parse_dd("12"), dd(12));
  EXPECT_EQ(parse_dd("-0.5"), dd(-0.5));
  EXPECT_EQ(parse_dd("+.5"), dd(0.5));
  EXPECT_EQ(parse_dd("5."), dd(5));
  EXPECT_EQ(parse_dd("1e3"), dd(1000));
  EXPECT_EQ(parse_dd("1E+3"), dd(1000));
  EXPECT_EQ(parse_dd("25e-1"), dd(2.5));
  EXPECT_EQ(parse_dd("000123.4500e2"), dd(12345));
  EXPECT_EQ(parse_dd("0e999999999999"), dd(0));
  EXPECT_EQ(parse_dd("1e-99999999999999999999"), dd(0));
  EXPECT_EQ(parse_dd("18014398509481985"), exact_sum(0x1p54, 1));  // 2^54 + 1
  EXPECT_EQ(parse_dd("0.3"), dd(3) / 10);
  for (const char* text :
       {"", "+", "-", ".", "e5", "1e", "1e+", "1e+-5", "1e--5", "1 ", " 1", "1.2.3", "0x10", "inf",
        "-inf", "nan", "1e309", "1e99999999999", "1,5", "--1", "1f", "infinity"}) {
    EXPECT_FALSE(parse_dd(text)) << text;
  }
  EXPECT_FALSE(parse_dd(std::string(5001, '1')));
  EXPECT_EQ(parse_dd(fmt::format("0.{:3<4000}", "")), dd(1) / 3);
}

#ifdef SCREE_HAVE_MPFR
TEST(DoubleDoubleText, ReadsToTheNearestWords) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 10000; ++i) {
    std::string text;
    const unsigned digits = 1 + random() % 60;
    for (unsigned k = 0; k < digits; ++k) text += static_cast<char>('0' + random() % 10);
    text.insert(text.begin() + static_cast<std::ptrdiff_t>(random() % text.size()), '.');
    text += fmt::format("e{}", static_cast<int>(random() % 500) - 250);
    mpfr_t exact;  // long enough that its own rounding, 2^-2000, cannot matter
    mpfr_init2(exact, 2000);
    mpfr_set_str(exact, text.c_str(), 10, MPFR_RNDN);
    const double hi = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_sub_d(exact, exact, hi, MPFR_RNDN);
    const double lo = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_clear(exact);
    const auto x = parse_dd(text);
    // What is exact in decimal and not in 2000 bits leaves MPFR a rest of rounding.
    ASSERT_TRUE(x && x->hi == hi && (x->lo == lo || std::fabs(lo) < std::fabs(hi) * 0x1p-1000))
        << text;
  }
}
#endif

}  // namespace
}  // namespace scree
