// SPDX-License-Identifier: BSD-3-Clause
/// Double-double arithmetic: a number as the unevaluated sum hi + lo of two doubles, hi being the
/// double nearest to the sum. Some 32 decimal digits, with the exponents of double.
///
/// With u = 2^-53 the largest relative error of an operation, and where that is proved:
///
///     dd + double    2 u²           DWPlusFP            [1] algorithm 4
///     dd + dd        3 u² + 13 u³   AccurateDWPlusDW    [1] algorithm 6, [2]
///     dd * double    2 u²           DWTimesFP3          [1] algorithm 9
///     dd * dd        4 u²           DWTimesDW3          [1] algorithm 12, [2]
///     dd / double    3 u²           DWDivFP3            [1] algorithm 15
///     dd / dd        9.8 u²         DWDivDW3            [1] algorithm 18
///     sqrt           25/8 u²        SQRTDWtoDW          [3]
///
/// as long as nothing overflows and products of high words stay above 2^-969, so that their
/// rounding error is a double. Where an operand is a double in the C++ source the cheaper algorithm
/// is taken; integers count as doubles.
///
/// Fused multiply-adds are written (__builtin_fma), never left to the compiler. One instruction in
/// code compiled for x86-64-v3, elsewhere a call of the C library's fma, which rounds correctly by
/// definition: same bits either way, but a product then costs ten times as much, so loops over dd
/// belong into functions compiled for v3 (wide_loop.hpp), and all that they call must be inlined
/// there: what stays a call stays plain.
///
/// What is not a number: comparisons with infinity are right, x/0, x/inf and sqrt(inf) are as in
/// double. Other results that double would call infinite are not finite, yet may be NaN.
///
/// [1] Joldes, Muller and Popescu, ACM Trans. Math. Softw. 44, 15res (2017).
/// [2] Muller and Rideau, ACM Trans. Math. Softw. 48, 9 (2022).
/// [3] Lefèvre, Louvet, Muller, Picot and Rideau, ACM Trans. Math. Softw. 49, 1 (2023).
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "scree/core/config.hpp"

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "Double-double arithmetic needs every double operation rounded once, as written."
#endif

/// The operations must vanish into the loops around them, or these are not turned into SIMD.
#ifdef __CUDACC__
#define SCREE_DD SCREE_FN constexpr
#else
#define SCREE_DD [[gnu::always_inline]] SCREE_FN constexpr
#endif

namespace scree {

struct dd {
  double hi, lo;

  dd() = default;
  SCREE_DD dd(double x) : hi(x), lo(0) {}  // NOLINT: a double is a dd
  /// The caller promises that h is the double nearest to h + l.
  SCREE_DD dd(double h, double l) : hi(h), lo(l) {}

  SCREE_DD explicit operator double() const { return hi; }
  SCREE_DD explicit operator float() const { return static_cast<float>(hi); }
  /// Towards zero, as from a double.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  explicit operator I() const;

  SCREE_DD dd& operator+=(const dd& y);
  SCREE_DD dd& operator-=(const dd& y);
  SCREE_DD dd& operator*=(const dd& y);
  SCREE_DD dd& operator/=(const dd& y);
  SCREE_DD dd& operator+=(double y);
  SCREE_DD dd& operator-=(double y);
  SCREE_DD dd& operator*=(double y);
  SCREE_DD dd& operator/=(double y);
};
static_assert(sizeof(dd) == 16 && std::is_trivially_copyable_v<dd>);

namespace dd_detail {

/// a + b = hi + lo exactly (Knuth).
SCREE_DD dd two_sum(double a, double b) {
  const double s = a + b, a1 = s - b, b1 = s - a1;
  return {s, (a - a1) + (b - b1)};
}
/// The same if |a| >= |b| or a = 0 (Dekker).
SCREE_DD dd fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// a b = hi + lo exactly, without fused multiply-add: Veltkamp's splitting into 26 and 27 bits
/// (Dekker, Numer. Math. 18, 224 (1971)). For constant expressions, and to test against: the same
/// bits as two_prod where 2^-969 < |a b|, |a|, |b|, |a b| < 2^995. (This order of the sum gives +0
/// for an exact product, as a fused multiply-add does.)
SCREE_FN constexpr dd two_prod_split(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double p = a * b;
  const double ta = splitter * a, ah = ta - (ta - a), al = a - ah;
  const double tb = splitter * b, bh = tb - (tb - b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// RN(a b + c) without fused multiply-add, by a sum rounded to odd: Boldo and Melquiond, IEEE Trans.
/// Comput. 57, 462 (2008). For constant expressions, and to test against. Ranges as above.
SCREE_FN constexpr double fma_split(double a, double b, double c) {
  const dd p = two_prod_split(a, b);
  const dd low = two_sum(c, p.lo), high = two_sum(p.hi, low.hi), rest = two_sum(high.lo, low.lo);
  auto odd = std::bit_cast<std::uint64_t>(rest.hi);
  if (rest.lo != 0 && odd % 2 == 0) odd += (rest.lo > 0) == (rest.hi > 0) ? 1 : -1;
  return high.hi + std::bit_cast<double>(odd);
}

/// RN(a b + c).
SCREE_DD double fused(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return ::fma(a, b, c);
#else
  if (std::is_constant_evaluated()) return fma_split(a, b, c);
  return __builtin_fma(a, b, c);
#endif
}

/// a b = hi + lo exactly.
SCREE_DD dd two_prod(double a, double b) {
  const double p = a * b;
  return {p, fused(a, b, -p)};
}

SCREE_DD double magnitude(double x) { return x < 0 ? -x : x; }

}  // namespace dd_detail

/// Sum, difference and product of two doubles, exactly.
SCREE_DD dd exact_sum(double a, double b) { return dd_detail::two_sum(a, b); }
SCREE_DD dd exact_difference(double a, double b) { return dd_detail::two_sum(a, -b); }
SCREE_DD dd exact_product(double a, double b) { return dd_detail::two_prod(a, b); }

SCREE_DD dd operator+(const dd& x) { return x; }
SCREE_DD dd operator-(const dd& x) { return {-x.hi, -x.lo}; }

SCREE_DD dd operator+(const dd& x, double y) {
  const dd s = dd_detail::two_sum(x.hi, y);
  return dd_detail::fast_two_sum(s.hi, x.lo + s.lo);
}
SCREE_DD dd operator+(double x, const dd& y) { return y + x; }
SCREE_DD dd operator+(const dd& x, const dd& y) {
  const dd s = dd_detail::two_sum(x.hi, y.hi), t = dd_detail::two_sum(x.lo, y.lo);
  const dd v = dd_detail::fast_two_sum(s.hi, s.lo + t.hi);
  return dd_detail::fast_two_sum(v.hi, t.lo + v.lo);
}
SCREE_DD dd operator-(const dd& x, double y) { return x + -y; }
SCREE_DD dd operator-(double x, const dd& y) { return -y + x; }
SCREE_DD dd operator-(const dd& x, const dd& y) { return x + -y; }

SCREE_DD dd operator*(const dd& x, double y) {
  const dd c = dd_detail::two_prod(x.hi, y);
  return dd_detail::fast_two_sum(c.hi, dd_detail::fused(x.lo, y, c.lo));
}
SCREE_DD dd operator*(double x, const dd& y) { return y * x; }
SCREE_DD dd operator*(const dd& x, const dd& y) {
  const dd c = dd_detail::two_prod(x.hi, y.hi);
  const double low = dd_detail::fused(x.hi, y.lo, x.lo * y.lo);
  return dd_detail::fast_two_sum(c.hi, c.lo + dd_detail::fused(x.lo, y.hi, low));
}

SCREE_DD dd operator/(const dd& x, double y) {
  const double t = x.hi / y;
  const dd p = dd_detail::two_prod(t, y);
  const double rest = ((x.hi - p.hi) - p.lo) + x.lo;  // both differences are exact
  const dd z = dd_detail::fast_two_sum(t, rest / y);
  const bool plain = (t != 0) & (dd_detail::magnitude(t) <= DBL_MAX);
  return {plain ? z.hi : t, plain ? z.lo : 0};
}

namespace dd_detail {

/// 1/y by a step of Newton from t = 1/y.hi: t + t (1 - y t). The first half of DWDivDW3.
SCREE_DD dd reciprocal(const dd& y, double t) {
  const dd e = fast_two_sum(fused(-y.hi, t, 1.0), -(y.lo * t));
  return e * t + t;
}
/// z, or what double has to say where t = 1/y.hi or the quotient is zero, infinite or NaN.
SCREE_DD dd quotient(const dd& z, double t, double plain) {
  const bool ordinary = (t != 0) & (magnitude(plain) <= DBL_MAX);
  return {ordinary ? z.hi : plain, ordinary ? z.lo : 0};
}

}  // namespace dd_detail

SCREE_DD dd operator/(const dd& x, const dd& y) {
  const double t = 1 / y.hi;
  return dd_detail::quotient(x * dd_detail::reciprocal(y, t), t, x.hi * t);
}
SCREE_DD dd operator/(double x, const dd& y) {
  const double t = 1 / y.hi;
  return dd_detail::quotient(dd_detail::reciprocal(y, t) * x, t, x * t);
}

SCREE_DD dd& dd::operator+=(const dd& y) { return *this = *this + y; }
SCREE_DD dd& dd::operator-=(const dd& y) { return *this = *this - y; }
SCREE_DD dd& dd::operator*=(const dd& y) { return *this = *this * y; }
SCREE_DD dd& dd::operator/=(const dd& y) { return *this = *this / y; }
SCREE_DD dd& dd::operator+=(double y) { return *this = *this + y; }
SCREE_DD dd& dd::operator-=(double y) { return *this = *this - y; }
SCREE_DD dd& dd::operator*=(double y) { return *this = *this * y; }
SCREE_DD dd& dd::operator/=(double y) { return *this = *this / y; }

// Comparisons without branches. A number has one representation, so equality is that of the words.
SCREE_DD bool operator==(const dd& x, const dd& y) { return (x.hi == y.hi) & (x.lo == y.lo); }
SCREE_DD bool operator!=(const dd& x, const dd& y) { return !(x == y); }
SCREE_DD bool operator<(const dd& x, const dd& y) {
  return (x.hi < y.hi) | ((x.hi == y.hi) & (x.lo < y.lo));
}
SCREE_DD bool operator<=(const dd& x, const dd& y) {
  return (x.hi < y.hi) | ((x.hi == y.hi) & (x.lo <= y.lo));
}
SCREE_DD bool operator>(const dd& x, const dd& y) { return y < x; }
SCREE_DD bool operator>=(const dd& x, const dd& y) { return y <= x; }

SCREE_DD bool operator==(const dd& x, double y) { return (x.hi == y) & (x.lo == 0); }
SCREE_DD bool operator!=(const dd& x, double y) { return !(x == y); }
SCREE_DD bool operator<(const dd& x, double y) { return (x.hi < y) | ((x.hi == y) & (x.lo < 0)); }
SCREE_DD bool operator<=(const dd& x, double y) { return (x.hi < y) | ((x.hi == y) & (x.lo <= 0)); }
SCREE_DD bool operator>(const dd& x, double y) { return (x.hi > y) | ((x.hi == y) & (x.lo > 0)); }
SCREE_DD bool operator>=(const dd& x, double y) { return (x.hi > y) | ((x.hi == y) & (x.lo >= 0)); }
SCREE_DD bool operator==(double x, const dd& y) { return y == x; }
SCREE_DD bool operator!=(double x, const dd& y) { return !(y == x); }
SCREE_DD bool operator<(double x, const dd& y) { return y > x; }
SCREE_DD bool operator<=(double x, const dd& y) { return y >= x; }
SCREE_DD bool operator>(double x, const dd& y) { return y < x; }
SCREE_DD bool operator>=(double x, const dd& y) { return y <= x; }

SCREE_DD bool isnan(const dd& x) { return x.hi != x.hi; }
SCREE_DD bool isinf(const dd& x) { return dd_detail::magnitude(x.hi) > DBL_MAX; }
SCREE_DD bool isfinite(const dd& x) { return dd_detail::magnitude(x.hi) <= DBL_MAX; }
SCREE_DD bool signbit(const dd& x) { return std::bit_cast<std::uint64_t>(x.hi) >> 63 != 0; }

SCREE_DD dd copysign(const dd& x, double y) {
  constexpr auto sign = std::uint64_t{1} << 63;
  const auto flip =
      (std::bit_cast<std::uint64_t>(x.hi) ^ std::bit_cast<std::uint64_t>(y)) & sign;
  return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(x.hi) ^ flip),
          std::bit_cast<double>(std::bit_cast<std::uint64_t>(x.lo) ^ flip)};
}
SCREE_DD dd copysign(const dd& x, const dd& y) { return copysign(x, y.hi); }
SCREE_DD dd abs(const dd& x) { return copysign(x, 1.0); }
SCREE_DD dd fabs(const dd& x) { return copysign(x, 1.0); }

/// The square root; 0 of 0, NaN of what is below.
[[gnu::always_inline]] SCREE_FN dd sqrt(const dd& x) {
  const double s = std::sqrt(x.hi);
  const double rest = x.lo + dd_detail::fused(-s, s, x.hi);  // the product's part is exact
  const dd z = dd_detail::fast_two_sum(s, rest / (2 * s));
  const bool plain = (s > 0) & (s <= DBL_MAX);
  return {plain ? z.hi : s, plain ? z.lo : 0};
}

/// Integers below, above, towards zero.
SCREE_FN dd floor(const dd& x) {
  const double h = std::floor(x.hi);
  return h == x.hi ? dd_detail::fast_two_sum(h, std::floor(x.lo)) : dd(h);
}
SCREE_FN dd ceil(const dd& x) { return -floor(-x); }
SCREE_FN dd trunc(const dd& x) { return x.hi < 0 ? ceil(x) : floor(x); }
/// The nearest integer; halves go away from zero, as std::round has it.
SCREE_FN dd round(const dd& x) {
  const dd below = floor(abs(x));
  return copysign(abs(x) - below >= 0.5 ? below + 1 : below, x.hi);
}

/// x 2^n.
SCREE_FN dd ldexp(const dd& x, int n) { return {std::ldexp(x.hi, n), std::ldexp(x.lo, n)}; }

template <std::integral I>
  requires(!std::same_as<I, bool>)
dd::operator I() const {
  const dd t = trunc(*this);
  return static_cast<I>(static_cast<I>(t.hi) + static_cast<I>(t.lo));
}

}  // namespace scree

/// epsilon = 2^-104 = 4 u², what one product may be off; a number next to 1 may be nearer than that.
/// From min() on the low word is a double of full length.
template <> class std::numeric_limits<scree::dd> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false,
                        is_exact = false, has_infinity = true, has_quiet_NaN = true,
                        has_signaling_NaN = false, is_iec559 = false, is_bounded = true,
                        is_modulo = false, traps = false, tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = true;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = 105, digits10 = 31, max_digits10 = 34;
  static constexpr int min_exponent = -968, max_exponent = 1024, min_exponent10 = -291,
                       max_exponent10 = 308;
  static constexpr scree::dd min() noexcept { return 0x1p-969; }
  static constexpr scree::dd max() noexcept { return {DBL_MAX, 0x1.fffffffffffffp969}; }
  static constexpr scree::dd lowest() noexcept { return {-DBL_MAX, -0x1.fffffffffffffp969}; }
  static constexpr scree::dd epsilon() noexcept { return 0x1p-104; }
  static constexpr scree::dd round_error() noexcept { return 0.5; }
  static constexpr scree::dd infinity() noexcept { return numeric_limits<double>::infinity(); }
  static constexpr scree::dd quiet_NaN() noexcept { return numeric_limits<double>::quiet_NaN(); }
  static constexpr scree::dd signaling_NaN() noexcept { return quiet_NaN(); }
  static constexpr scree::dd denorm_min() noexcept { return 0x1p-1074; }
};
