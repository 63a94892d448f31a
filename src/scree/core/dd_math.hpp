// SPDX-License-Identifier: BSD-3-Clause
/// Elementary functions of double-doubles, found by argument-dependent lookup: exp, log, pow, cbrt,
/// sin, cos, tan, atan, atan2. Relative errors of a few u² (u = 2^-53), measured against MPFR by
/// tests/core/dd_test.cpp; docs/precision.md has the numbers. No library call but the square root:
/// the same bits from every C library and instruction set.
///
/// Each reduces its argument until a short Taylor series does:
///
///     exp    x = k ln 2 + j/64 + t, |t| <= 1/128          e^x = 2^k e^{j/64} e^t
///     log    x = 2^e m, c near 1/m with nine bits         ln x = e ln 2 - ln c + ln(1 + (c m - 1))
///     sin    x = k π/2 + j/32 + t, |t| <= 1/64            addition theorems
///
/// (table-driven after Tang, ACM Trans. Math. Softw. 15, 144 (1989) and 16, 378 (1990)). Terms of a
/// series that stay below 2^-53 of its sum are computed in double.
/// The tables are in dd_math_table.inc, which tools/fit_dd_math.py writes.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "scree/core/constants.hpp"
#include "scree/core/dd.hpp"

namespace scree {

namespace dd_detail {

#include "scree/core/dd_math_table.inc"

/// To the nearest integer, for |x| < 2^51.
SCREE_FN double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }
/// 2^n for -1022 <= n <= 1023.
SCREE_FN double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52);
}

/// Σ t as if in `passes` + 1 times the precision of double, to two words.
/// Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 1955 (2005), algorithm 4.8.
template <int passes, int n> SCREE_FN dd accurate_sum(double (&t)[n]) {
  for (int p = 0; p < passes; ++p) {
    for (int i = 1; i < n; ++i) {
      const dd s = two_sum(t[i], t[i - 1]);
      t[i] = s.hi;
      t[i - 1] = s.lo;
    }
  }
  double rest = 0;
  for (int i = 0; i < n - 1; ++i) rest += t[i];
  return two_sum(t[n - 1], rest);
}

/// 2^k e^r, |r| <= 0.36.
SCREE_FN dd exp_reduced(int k, const dd& r) {
  const double j = nearest(64 * r.hi);
  const dd t = r - j / 64;
  const dd* f = per_factorial();
  double tail = f[12].hi;
  for (int n = 11; n >= 7; --n) tail = tail * t.hi + f[n].hi;
  dd sum = f[6] + t.hi * tail;
  for (int n = 5; n >= 2; --n) sum = sum * t + f[n];
  const dd grown = t + t * t * sum;  // e^t - 1
  const dd start = exp_table()[static_cast<int>(j) + 23];
  const dd e = start + start * grown;
  // In two halves: each is a normal power of two where 2^k need not be.
  const int half = k / 2;
  const double a = power_of_two(half), b = power_of_two(k - half);
  return {e.hi * a * b, e.lo * a * b};
}

/// e to the sum of the terms; t[0], t[1], t[2] are taken for the multiple of ln 2 and may hold
/// anything. `about` is the sum in double.
template <int n> SCREE_FN dd exp_of_sum(double (&t)[n], double about) {
  if (!(about < 710)) return about != about ? dd(about) : dd(std::numeric_limits<double>::infinity());
  if (about < -746) return 0;
  const double k = nearest(about * per_ln2);
  t[0] = -(k * ln2_words[2]);
  t[1] = -(k * ln2_words[1]);
  t[2] = -(k * ln2_words[0]);
  const dd r = accurate_sum<2>(t);
  const dd e = exp_reduced(static_cast<int>(k), r);
  return isfinite(e) ? e : dd(std::numeric_limits<double>::infinity());
}

/// ln x = head + rest: the head is exact, the rest below 0.01, and so its error below u²/20.
struct LogParts {
  double head;
  dd rest;
};
/// For finite x > 0.
SCREE_FN LogParts log_parts(dd x) {
  int e = 0;
  if (x.hi < 0x1p-969) {
    x = {x.hi * 0x1p110, x.lo * 0x1p110};
    e = -110;
  }
  const auto word = std::bit_cast<std::uint64_t>(x.hi);
  int shift = static_cast<int>(word >> 52) - 1023;
  if ((word & 0xfffffffffffffu) > 0x6a09e667f3bcdu) ++shift;  // keeps m below sqrt(2)
  e += shift;
  const int half = shift / 2;
  const double a = power_of_two(-half), b = power_of_two(half - shift);
  const dd m{x.hi * a * b, x.lo * a * b};
  const auto i = static_cast<int>(nearest(128 * m.hi));
  const LogEntry& entry = log_table()[i - 90];
  // z = c m - 1. The first product loses its leading bits to the 1 without rounding.
  const dd first = two_prod(m.hi, entry.inverse), second = two_prod(m.lo, entry.inverse);
  const dd z = second + first.lo + (first.hi - 1);
  const dd* inverse = per_integer();
  double tail = inverse[16].hi;
  for (int n = 15; n >= 10; --n) tail = inverse[n].hi - tail * z.hi;
  dd sum = inverse[9] - z.hi * tail;
  for (int n = 8; n >= 2; --n) sum = inverse[n] - sum * z;
  const dd series = z - z * z * sum;  // ln(1 + z)
  return {e * ln2_words[0] + entry.head,
          series + (entry.rest + exact_sum(e * ln2_words[1], e * ln2_words[2]))};
}

/// Sine and cosine of |r| <= 0.8.
struct SinCos {
  dd sin, cos;
};
SCREE_FN SinCos sin_cos_reduced(const dd& r) {
  const double j = nearest(32 * r.hi);
  const dd t = r - j / 32, t2 = t * t;
  const dd* f = per_factorial();
  const double w = t2.hi;
  const double s9 = f[9].hi - w * (f[11].hi - w * (f[13].hi - w * f[15].hi));
  const double c8 = f[8].hi - w * (f[10].hi - w * (f[12].hi - w * f[14].hi));
  const dd s = t - t * (t2 * (f[3] - t2 * (f[5] - t2 * (f[7] - w * s9))));
  const dd c = -(t2 * (f[2] - t2 * (f[4] - t2 * (f[6] - w * c8))));  // cos t - 1
  const int k = static_cast<int>(j < 0 ? -j : j);
  const dd sj = j < 0 ? -sin_table()[k] : sin_table()[k], cj = cos_table()[k];
  return {sj + (sj * c + cj * s), cj + (cj * c - sj * s)};
}

/// Both at once. Exact reduction up to |x| < 2^44; beyond, and of what is not finite: NaN.
SCREE_FN SinCos sin_cos(const dd& x) {
  if (!(magnitude(x.hi) < 0x1p44)) {
    const dd nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const double k = nearest(x.hi * per_half_pi);
  dd r = x;
  if (k != 0) {
    double t[13];
    t[0] = -(k * half_pi_words[5]);
    for (int i = 4; i >= 0; --i) {
      const dd p = two_prod(-k, half_pi_words[i]);
      t[9 - 2 * i] = p.lo;
      t[10 - 2 * i] = p.hi;
    }
    t[11] = x.lo;
    t[12] = x.hi;
    r = accurate_sum<5>(t);
  }
  const SinCos a = sin_cos_reduced(r);
  switch (static_cast<std::int64_t>(k) & 3) {
    case 0: return a;
    case 1: return {a.cos, -a.sin};
    case 2: return {-a.sin, -a.cos};
    default: return {-a.cos, a.sin};
  }
}

}  // namespace dd_detail

SCREE_CALL dd exp(const dd& x) {
  double t[5] = {0, 0, 0, x.lo, x.hi};
  return dd_detail::exp_of_sum(t, x.hi);
}

/// -inf of 0, NaN of what is below.
SCREE_CALL dd log(const dd& x) {
  using Limits = std::numeric_limits<double>;
  if (!(x.hi > 0)) return x.hi == 0 ? dd(-Limits::infinity()) : dd(Limits::quiet_NaN());
  if (!isfinite(x)) return x.hi;
  const dd_detail::LogParts l = dd_detail::log_parts(x);
  return l.rest + l.head;
}

/// x^y for x >= 0, and for integer y also below; as std::pow at the edges.
SCREE_CALL dd pow(const dd& x, const dd& y) {
  using Limits = std::numeric_limits<double>;
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return Limits::quiet_NaN();
  const bool whole = isfinite(y) && floor(y) == y;
  const bool odd = whole && floor(y * 0.5) != y * 0.5;
  const double sign = odd && signbit(x) ? -1 : 1;
  const dd size = abs(x);
  if (size.hi == 0) return sign * (y.hi > 0 ? 0 : Limits::infinity());
  if (x.hi < 0 && !whole) {
    if (isfinite(x) && isfinite(y)) return Limits::quiet_NaN();
  }
  if (!isfinite(size) || !isfinite(y)) {
    if (size == 1) return 1;
    return sign * ((size > 1) == (y.hi > 0) ? Limits::infinity() : 0);
  }
  const dd_detail::LogParts l = dd_detail::log_parts(size);
  const dd first = dd_detail::two_prod(y.hi, l.head), second = dd_detail::two_prod(y.lo, l.head);
  const dd third = y * l.rest;
  const double about = first.hi + third.hi;
  // An exponent so large that products above overflow is infinite or zero by its sign.
  if (!(dd_detail::magnitude(about) < 1000)) return sign * (about > 0 ? Limits::infinity() : 0);
  double t[9] = {0, 0, 0, second.lo, second.hi, third.lo, third.hi, first.lo, first.hi};
  return sign * dd_detail::exp_of_sum(t, about);
}
SCREE_FN dd pow(const dd& x, double y) { return pow(x, dd(y)); }
SCREE_FN dd pow(double x, const dd& y) { return pow(dd(x), y); }

/// The cube root: Halley's steps in double, then one of third order, y + δ - δ²/y. (With Newton's
/// y + δ alone the seed's error of a few u would come back squared.)
SCREE_CALL dd cbrt(const dd& x) {
  using namespace dd_detail;
  const dd size = abs(x);
  if (!(size.hi > 0 && isfinite(size))) return x;
  // size = 2^{3 q} m with 1/2 <= m < 8
  const double lift = size.hi < 0x1p-900 ? 0x1p120 : 1;
  const auto word = std::bit_cast<std::uint64_t>(size.hi * lift);
  const int e = static_cast<int>(word >> 52) - 1023, q = (e + 3000) / 3 - 1000;
  const double a = power_of_two(-q);
  const dd m{size.hi * lift * a * a * a, size.lo * lift * a * a * a};
  double y = 0.9 + m.hi * (0.31 - 0.02 * m.hi);  // to 15 % on 1 <= m < 8
  for (int i = 0; i < 3; ++i) {
    const double c = y * y * y;
    y = y * (c + 2 * m.hi) / (2 * c + m.hi);
  }
  const dd y2 = two_prod(y, y);
  const dd step = (m - y2 * y) / (3 * y2);
  const dd root = y + (step - step.hi * step.hi / y);
  const double scale = (x.hi < 0 ? -1 : 1) * power_of_two(q) * (lift > 1 ? 0x1p-40 : 1);
  return {root.hi * scale, root.lo * scale};
}

SCREE_CALL dd sin(const dd& x) { return dd_detail::sin_cos(x).sin; }
SCREE_CALL dd cos(const dd& x) { return dd_detail::sin_cos(x).cos; }
SCREE_CALL dd tan(const dd& x) {
  const dd_detail::SinCos a = dd_detail::sin_cos(x);
  return a.sin / a.cos;
}

/// The angle of (x, y), between -π and π. A rough angle is turned back from (x, y), twice: what
/// remains is small, and its arc sine a short series.
SCREE_CALL dd atan2(const dd& y, const dd& x) {
  using namespace dd_detail;
  if (isnan(x) || isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  dd a = abs(x), b = abs(y);
  if (!isfinite(a) || !isfinite(b)) {  // as if infinity were one large number
    a = isfinite(a) ? 0 : 1;
    b = isfinite(b) ? 0 : 1;
  }
  const bool steep = b > a;
  const dd larger = steep ? b : a, smaller = steep ? a : b;
  dd angle = 0;  // of (larger, smaller), between 0 and π/4
  if (larger.hi > 0) {
    const dd t = smaller / larger;
    const double guess = t.hi * (0.7853981633974483 + 0.273 * (1 - t.hi));  // to 0.004
    const dd cosine = 1 / sqrt(1 + t * t), sine = t * cosine;
    SinCos at = sin_cos_reduced(guess);
    const double d = (sine * at.cos - cosine * at.sin).hi, d2 = d * d;
    const double closer = guess + d * (1 + d2 * (1.0 / 6 + d2 * (3.0 / 40)));
    if (closer > 1e-3) {
      at = sin_cos_reduced(closer);
      angle = (sine * at.cos - cosine * at.sin) + closer;
    } else {  // t - t³/3 + …, of which eleven terms reach 1e-63: the angle keeps its relative error
      const dd t2 = t * t;
      dd sum = 1.0 / 21;
      for (int n = 19; n >= 1; n -= 2) sum = dd(1) / n - sum * t2;
      angle = t * sum;
    }
  }
  if (steep) angle = constant::half_pi<dd>() - angle;
  if (signbit(x)) angle = constant::pi<dd>() - angle;
  return copysign(angle, y.hi);
}
SCREE_FN dd atan(const dd& x) { return atan2(x, dd(1)); }

}  // namespace scree
