// SPDX-License-Identifier: BSD-3-Clause
/// The mollified square root: sqrt smoothed by a bump of half-width ε, shifted right by ε so that
/// it still vanishes for x <= 0.
///
///     S_ε(x) = ∫_{-ε}^{min(x-ε, ε)} φ_ε(z) sqrt(x - ε - z) dz,
///     φ_ε(z) = exp(1/((z/ε)² - 1)) / (C ε),
///
/// C = 0.44399381616807943… the integral of the bump. It scales, S_ε(x) = sqrt(ε) M(x/ε), with one
/// universal function; z = y - 1 turns it into
///
///     M(s) = 1/C ∫_0^{min(s,2)} exp(-1/(y(2-y))) sqrt(s - y) dy.
///
/// M is C-infinity, positive and increasing for s > 0; every derivative vanishes at s = 0, and
/// M(s) -> sqrt(s - 1) for large s. Here it is evaluated without quadrature
/// (mollified_root_quadrature.hpp keeps the quadratures), to 1e-15 relative in double, at every
/// positive s:
///
/// - 1/16 <= s < 32: piecewise polynomials. A piece's number and centre are bit fields of s, so the
///   common case is one predictable branch, one cache line and a polynomial of degree 7.
/// - s >= 32: sqrt(s-1) times a short series in 1/(s-1)², from the even moments of the bump.
/// - s < 1/16: e^{-1/(2s)} s³ times a Chebyshev series. Zero below s = 1/1344, where M < 1e-299.
///
/// The coefficients are in mollified_root_table.inc (double) and mollified_root_table_dd.inc (dd, to
/// 1e-30), which tools/fit_mollified_root.py writes; that script derives each form. Another number
/// type T needs: arithmetic with double, sqrt and exp found by its namespace,
/// static_cast<double>(T), and a specialisation MollifiedRootTable<T>, which the same script writes
/// when told the type and its precision; all functions below then work for T unchanged.
///
/// Thesis section 4.2.3. The bump is the standard mollifier (Friedrichs).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "scree/core/config.hpp"
#include "scree/core/dd_math.hpp"

namespace scree {

namespace mollified_root_detail {

/// Coefficients for numbers of type T: constants and functions as in mollified_root_table.inc.
template <class T> struct MollifiedRootTable;

#include "scree/core/mollified_root_table.inc"
#include "scree/core/mollified_root_table_dd.inc"

/// The order of the rows in MollifiedRootTable::small and ::tail.
enum Which : int { root, slope, integral, moment };

/// Where s lies: row `index` of the table, `offset` from that piece's centre, half its width.
template <class T> struct Spot {
  std::uint64_t index;
  T offset;
  double half;
};

/// Bit fields of a positive double: exponent and the first `bits` digits number a piece.
template <int bits> struct Pieces {
  static constexpr int shift = 52 - bits;
  SCREE_FN static constexpr std::uint64_t number(std::uint64_t word) { return word >> shift; }
  SCREE_FN static constexpr double centre(std::uint64_t word) {
    return std::bit_cast<double>((word >> shift << shift) | (std::uint64_t{1} << (shift - 1)));
  }
  SCREE_FN static constexpr double half(std::uint64_t word) {
    return std::bit_cast<double>((word >> 52) << 52) * (0.5 / double(std::uint64_t{1} << bits));
  }
};

template <class T> struct Grid {
  using Table = MollifiedRootTable<T>;
  using Coarse = Pieces<Table::bits>;
  using Fine = Pieces<Table::fine_bits>;
  static constexpr double begin =
      Table::first < 0 ? 1.0 / double(1 << -Table::first) : double(1 << Table::first);
  static constexpr double end = double(1 << Table::last);
  static constexpr std::uint64_t base = Coarse::number(std::bit_cast<std::uint64_t>(begin));
  static constexpr std::uint64_t count = Coarse::number(std::bit_cast<std::uint64_t>(end)) - base;
  static constexpr std::uint64_t fine_from =
      Coarse::number(std::bit_cast<std::uint64_t>(Table::fine_from)) - base;
  static constexpr std::uint64_t fine_to =
      Coarse::number(std::bit_cast<std::uint64_t>(Table::fine_to)) - base;
  static constexpr std::uint64_t fine_base =
      Fine::number(std::bit_cast<std::uint64_t>(Table::fine_from));

  /// Any s whose double is in [begin, end): always compare that, as a longer s just short of `end`
  /// rounds to it.
  SCREE_FN static Spot<T> locate(const T& s) {
    const auto word = std::bit_cast<std::uint64_t>(static_cast<double>(s));
    const std::uint64_t i = Coarse::number(word) - base;
    if (i - fine_from < fine_to - fine_from) {
      return {Fine::number(word) - fine_base + count, s - Fine::centre(word), Fine::half(word)};
    }
    return {i, s - Coarse::centre(word), Coarse::half(word)};
  }
};

/// c[0] + c[1] t + … + c[terms-1] t^{terms-1}, in pairs, pairs of pairs and so on (Estrin's
/// scheme): the chain of dependent operations grows with the logarithm of the degree. `powers`: t,
/// t², t⁴, …
template <int terms, class T> SCREE_FN T paired(const T* c, const T* powers) {
  if constexpr (terms == 1) {
    return c[0];
  } else {
    constexpr int level = std::bit_width(unsigned(terms - 1)) - 1;
    constexpr int lower = 1 << level;
    return paired<lower>(c, powers) + paired<terms - lower>(c + lower, powers) * powers[level];
  }
}
template <int terms, class T> SCREE_FN T polynomial(const T* c, const T& t) {
  constexpr int levels = std::bit_width(unsigned(terms - 1));
  T powers[unsigned(levels)] = {t};
  for (int k = 1; k < levels; ++k) {
    powers[k] = powers[k - 1] * powers[k - 1];
  }
  return paired<terms>(c, powers);
}

/// M on a piece.
template <class T> SCREE_FN T piece_sum(const T* c, const T& t) {
  return polynomial<MollifiedRootTable<T>::degree + 1>(c, t);
}
/// In double-double the terms from the tenth power on are below 2^-54.9 of the sum (on the piece
/// around s = 2.406, the worst): their rounding in double is about 2^-107 of it, and a third of the
/// cost is saved.
SCREE_FN dd piece_sum(const dd* c, const dd& t) {
  constexpr int degree = MollifiedRootTable<dd>::degree;
  static_assert(degree > 10);
  const dd t2 = t * t, t4 = t2 * t2;
  const dd powers[] = {t, t2, t4};
  double rest = c[degree].hi;
  for (int k = degree - 1; k >= 10; --k) {
    rest = rest * t.hi + c[k].hi;
  }
  return paired<8>(c, powers) + (c[8] + c[9] * t + t2.hi * rest) * (t4 * t4);
}

/// Σ c_k T_k(x), Clenshaw's recurrence.
template <int terms, class T> SCREE_FN T chebyshev_sum(const T* c, const T& x) {
  T b1 = T(0), b2 = T(0);
  for (int k = terms - 1; k > 0; --k) {
    const T b0 = (x + x) * b1 - b2 + c[k];
    b2 = b1;
    b1 = b0;
  }
  return x * b1 - b2 + c[0];
}

/// e^{-1/(2s)} for 1/1400 < s. The exponent is large and must be known to an absolute error, so it
/// is carried as q + q_rest; and then e^{-q} = 2^{-n} e^r, |r| <= ln(2)/2, r^14/14! < 5e-18. No
/// library call: the same digits from every compiler and device.
SCREE_FN double exp_minus_half_over(double s) {
  constexpr auto upper = ~std::uint64_t{0} << 27;
  const double q = std::bit_cast<double>(std::bit_cast<std::uint64_t>(0.5 / s) & upper);
  const double s_upper = std::bit_cast<double>(std::bit_cast<std::uint64_t>(s) & upper);
  const double q_rest =
      ((0.5 - q * s_upper) - q * (s - s_upper)) / s;  // exact products: 26 bits times 27
  constexpr double ln2_upper = 0x1.62e42fefap-1;      // 36 bits: n times this is exact
  constexpr double ln2_lower = 0x1.cf79abc9e3b39p-40;
  const auto n = static_cast<std::int64_t>(q * 0x1.71547652b82fep+0 + 0.5);
  const double r = (double(n) * ln2_upper - q) + (double(n) * ln2_lower - q_rest);
  double sum = 1;
  for (int k = 13; k > 0; --k) {
    sum = 1 + sum * r / k;
  }
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(1023 - n) << 52);
}

/// The same exponent as a double q and a double-double rest: 0.5 - q s is exact but for the product
/// with s.lo, and that is known to 2^-159.
SCREE_FN dd exp_minus_half_over(const dd& s) {
  using namespace dd_detail;
  const double q = 0.5 / s.hi;
  const dd p = two_prod(q, s.hi);
  const dd rest = (((0.5 - p.hi) - p.lo) - two_prod(q, s.lo)) / s;
  double terms[6] = {0, 0, 0, -rest.lo, -rest.hi, -q};
  return exp_of_sum(terms, -q);
}

template <class T> SCREE_FN T exp_minus_half_over(const T& s) {
  using std::exp;
  return exp(T(-0.5) / s);
}

/// s <= 2^first: e^{-1/(2s)} s^power times the smooth factor.
template <Which which, class T> SCREE_FN T small(const T& s) {
  if (static_cast<double>(s) != static_cast<double>(s)) {
    return s;
  }  // NaN
  if (s <= T(1) / 1344) {
    return T(0);
  }
  using Table = MollifiedRootTable<T>;
  const T s2 = s * s;
  const T power = which == root       ? s2 * s
                  : which == slope    ? s
                  : which == integral ? s2 * s2 * s
                                      : s2 * s2 * s2;
  return exp_minus_half_over(s) * power *
         chebyshev_sum<Table::small_terms>(Table::small(which), T(s * (2 / Grid<T>::begin) - 1));
}

/// s >= 2^last: w = s - 1, u = 1/w², Σ c_k u^k.
template <Which which, class T> SCREE_FN T tail_series(const T& w) {
  using Table = MollifiedRootTable<T>;
  const T inverse = T(1) / w;
  return polynomial<Table::tail_terms>(Table::tail(which), T(inverse * inverse));
}

/// M away from the plain pieces: around s = 2, beyond the last piece, before the first.
template <class T> SCREE_FN T rare_root(const T& s) {
  using std::sqrt;
  using Table = MollifiedRootTable<T>;
  const double where = static_cast<double>(s);
  if (where >= Grid<T>::end) {
    const T w = s - T(1);
    return sqrt(w) * tail_series<root>(w);
  }
  if (where >= Grid<T>::begin) {
    const Spot<T> spot = Grid<T>::locate(s);
    return piece_sum(Table::piece(spot.index), spot.offset);
  }
  return small<root>(s);
}

}  // namespace mollified_root_detail

/// C = ∫_{-1}^{1} exp(1/(z² - 1)) dz, which makes the bump a density.
template <class T> SCREE_FN T mollifier_normalisation() {
  return mollified_root_detail::MollifiedRootTable<T>::normalisation;
}

/// M(s).
template <class T> SCREE_FN T mollified_root_universal(const T& s) {
  using namespace mollified_root_detail;
  using Table = MollifiedRootTable<T>;
  using G = Grid<T>;
  const auto word = std::bit_cast<std::uint64_t>(static_cast<double>(s));
  const std::uint64_t i =
      G::Coarse::number(word) - G::base;  // negative s, NaN: a number past the end
  const bool rare = (i >= G::count) | (i - G::fine_from < G::fine_to - G::fine_from);
  if (rare) [[unlikely]] {
    return rare_root(s);
  }
  return piece_sum(Table::piece(i), T(s - G::Coarse::centre(word)));
}

/// M'(s), to 1e-14 relative (dd: 1e-29).
template <class T> SCREE_FN T mollified_root_slope(const T& s) {
  using std::sqrt;
  using namespace mollified_root_detail;
  using Table = MollifiedRootTable<T>;
  const double where = static_cast<double>(s);
  if (where >= Grid<T>::end) {
    const T w = s - T(1);
    return tail_series<slope>(w) / sqrt(w);
  }
  if (!(where >= Grid<T>::begin)) {
    return small<slope>(s);
  }
  constexpr int degree = Table::degree;
  const Spot<T> spot = Grid<T>::locate(s);
  const T* c = Table::piece(spot.index);
  T sum = degree * c[degree];
  for (int k = degree - 1; k > 0; --k) {
    sum = sum * spot.offset + k * c[k];
  }
  // A derivative needs two degrees more than the function: T_n' = n U_{n-1} for the next two
  // Chebyshev terms.
  const T x = spot.offset / spot.half;
  T before = T(1), now = x + x;  // U_0, U_1
  for (int k = 1; k < degree; ++k) {
    const T after = (x + x) * now - before;
    before = now;
    now = after;
  }
  const T last = (x + x) * now - before;  // now = U_degree, last = U_{degree+1}
  const T* next = Table::beside(spot.index) + 2;
  return sum + ((degree + 1) * next[0] * now + (degree + 2) * next[1] * last) / spot.half;
}

/// Q(s) = ∫_0^s M(t) dt, to 1e-14 relative (dd: 1e-29). ∫_0^ξ S_ε = ε^{3/2} Q(ξ/ε).
template <class T> SCREE_FN T mollified_root_integral(const T& s) {
  using std::sqrt;
  using namespace mollified_root_detail;
  using Table = MollifiedRootTable<T>;
  const double where = static_cast<double>(s);
  if (where >= Grid<T>::end) {
    const T w = s - T(1);
    return w * sqrt(w) * tail_series<integral>(w);
  }
  if (!(where >= Grid<T>::begin)) {
    return small<integral>(s);
  }
  const Spot<T> spot = Grid<T>::locate(s);
  const T* c = Table::piece(spot.index);
  T sum = T(0);
  for (int k = Table::degree; k >= 0; --k) {
    sum = sum * spot.offset + c[k] / (k + 1);
  }
  return Table::beside(spot.index)[0] + sum * spot.offset;
}

/// J(s) = ∫_0^s t M(t) dt, to 1e-14 relative (dd: 1e-29).
template <class T> SCREE_FN T mollified_root_moment(const T& s) {
  using std::sqrt;
  using namespace mollified_root_detail;
  using Table = MollifiedRootTable<T>;
  const double where = static_cast<double>(s);
  if (where >= Grid<T>::end) {
    const T w = s - T(1);
    return w * sqrt(w) * (w * tail_series<moment>(w) + tail_series<integral>(w));
  }
  if (!(where >= Grid<T>::begin)) {
    return small<moment>(s);
  }
  // From the centre a: ∫ (a + τ) p(τ) dτ = a ∫ p + ∫ τ p.
  const Spot<T> spot = Grid<T>::locate(s);
  const T& t = spot.offset;
  const T* c = Table::piece(spot.index);
  T plain = T(0), first = T(0);
  for (int k = Table::degree; k >= 0; --k) {
    plain = plain * t + c[k] / (k + 1);
    first = first * t + c[k] / (k + 2);
  }
  return Table::beside(spot.index)[1] + t * ((s - t) * plain + t * first);
}

/// S_ε for one ε: the division and the root that only ε needs are done once.
template <class T> struct MollifiedRoot {
  T epsilon, per_epsilon, root_epsilon;

  SCREE_FN explicit MollifiedRoot(const T& eps)
      : epsilon(eps), per_epsilon(T(1) / eps), root_epsilon(root_of(eps)) {}

  /// S_ε(x)
  SCREE_FN T operator()(const T& x) const {
    return root_epsilon * mollified_root_universal(T(x * per_epsilon));
  }
  /// S_ε'(x)
  SCREE_FN T slope(const T& x) const {
    return root_epsilon * per_epsilon * mollified_root_slope(T(x * per_epsilon));
  }
  /// ∫_0^x S_ε
  SCREE_FN T integral(const T& x) const {
    return root_epsilon * epsilon * mollified_root_integral(T(x * per_epsilon));
  }
  /// ∫_0^x t S_ε(t) dt
  SCREE_FN T moment(const T& x) const {
    return root_epsilon * epsilon * epsilon * mollified_root_moment(T(x * per_epsilon));
  }

 private:
  SCREE_FN static T root_of(const T& eps) {
    using std::sqrt;
    return sqrt(eps);
  }
};

/// S_ε(x). In a loop, prefer MollifiedRoot.
template <class T> SCREE_FN T mollified_root(const T& x, const T& eps) {
  return MollifiedRoot<T>(eps)(x);
}

/// The same as calls: in double-double each is some hundred operations, and kernels that flatten every
/// call into their loops would take minutes to compile for it.
SCREE_CALL dd mollified_root(const dd& x, const dd& eps) { return mollified_root<dd>(x, eps); }
SCREE_CALL dd mollified_root_integral(const dd& s) { return mollified_root_integral<dd>(s); }
SCREE_CALL dd mollified_root_moment(const dd& s) { return mollified_root_moment<dd>(s); }

}  // namespace scree
