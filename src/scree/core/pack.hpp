// SPDX-License-Identifier: BSD-3-Clause
/// A pack: some doubles that go through the same arithmetic together, one SIMD register of the instruction
/// set that a file is compiled for. Laws are written for a number type T and never know whether it is a
/// double, a double-double or a pack. Every operation rounds each lane as it would a single double, so the
/// width of a pack cannot change a bit.
///
/// Included by kernels alone, which are compiled once per instruction set.
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "scree/core/select.hpp"

namespace scree {
namespace {

using scree::both;
using scree::either;
using scree::select;
using scree::some;

#define SCREE_LANES __attribute__((always_inline)) inline

#if defined(__AVX512F__)
inline constexpr int pack_size = 8;
#elif defined(__AVX2__)
inline constexpr int pack_size = 4;
#else
inline constexpr int pack_size = 2;
#endif

#if defined(__AVX512F__)
/// One truth per lane: a bit in a mask register.
struct PackMask {
  std::uint8_t bits;

  SCREE_LANES PackMask() = default;
  SCREE_LANES explicit PackMask(std::uint8_t b) : bits(b) {}
  SCREE_LANES explicit PackMask(bool b) : bits(b ? 0xFF : 0) {}
  SCREE_LANES bool operator[](int lane) const { return (bits >> lane & 1) != 0; }
  SCREE_LANES void set(int lane, bool on) { bits = static_cast<std::uint8_t>((bits & ~(1U << lane)) | (unsigned{on} << lane)); }
  SCREE_LANES friend PackMask operator!(PackMask a) { return PackMask(static_cast<std::uint8_t>(~a.bits)); }
};
SCREE_LANES PackMask both(PackMask a, PackMask b) { return PackMask(static_cast<std::uint8_t>(a.bits & b.bits)); }
SCREE_LANES PackMask either(PackMask a, PackMask b) { return PackMask(static_cast<std::uint8_t>(a.bits | b.bits)); }
/// Is it true of some lane?
SCREE_LANES bool some(PackMask a) { return a.bits != 0; }
#else
/// One truth per lane: all bits set, or none.
struct PackMask {
  typedef std::int64_t Bits __attribute__((vector_size(8 * pack_size)));
  Bits bits;

  SCREE_LANES PackMask() = default;
  SCREE_LANES PackMask(Bits b) : bits(b) {}
  SCREE_LANES explicit PackMask(bool b) : bits(Bits{} - static_cast<std::int64_t>(b)) {}
  SCREE_LANES bool operator[](int lane) const { return bits[lane] != 0; }
  SCREE_LANES void set(int lane, bool on) { bits[lane] = -static_cast<std::int64_t>(on); }
  SCREE_LANES friend PackMask operator!(PackMask a) { return ~a.bits; }
};
SCREE_LANES PackMask both(PackMask a, PackMask b) { return a.bits & b.bits; }
SCREE_LANES PackMask either(PackMask a, PackMask b) { return a.bits | b.bits; }
/// Is it true of some lane?
SCREE_LANES bool some(PackMask a) {
#if defined(__AVX2__)
  return _mm256_movemask_pd(_mm256_castsi256_pd(__m256i(a.bits))) != 0;
#else
  return (a.bits[0] | a.bits[1]) != 0;
#endif
}
#endif

struct Pack {
  typedef double Lanes __attribute__((vector_size(8 * pack_size)));
  typedef double Unaligned __attribute__((vector_size(8 * pack_size), aligned(8), may_alias));
  Lanes v;

  SCREE_LANES Pack() = default;
  SCREE_LANES Pack(Lanes x) : v(x) {}
  SCREE_LANES explicit Pack(double x) : v(x - Lanes{}) {}
  SCREE_LANES static Pack load(const double* p) { return *reinterpret_cast<const Unaligned*>(p); }
  SCREE_LANES void store(double* p) const { *reinterpret_cast<Unaligned*>(p) = v; }

  SCREE_LANES Pack& operator+=(const Pack& b) { v += b.v; return *this; }
  SCREE_LANES Pack& operator-=(const Pack& b) { v -= b.v; return *this; }
  SCREE_LANES Pack& operator*=(const Pack& b) { v *= b.v; return *this; }
  SCREE_LANES friend Pack operator+(Pack a, Pack b) { return a.v + b.v; }
  SCREE_LANES friend Pack operator-(Pack a, Pack b) { return a.v - b.v; }
  SCREE_LANES friend Pack operator*(Pack a, Pack b) { return a.v * b.v; }
  SCREE_LANES friend Pack operator/(Pack a, Pack b) { return a.v / b.v; }
  SCREE_LANES friend Pack operator+(double a, Pack b) { return a + b.v; }
  SCREE_LANES friend Pack operator+(Pack a, double b) { return a.v + b; }
  SCREE_LANES friend Pack operator-(double a, Pack b) { return a - b.v; }
  SCREE_LANES friend Pack operator-(Pack a, double b) { return a.v - b; }
  SCREE_LANES friend Pack operator*(double a, Pack b) { return a * b.v; }
  SCREE_LANES friend Pack operator*(Pack a, double b) { return a.v * b; }
  SCREE_LANES friend Pack operator/(double a, Pack b) { return a / b.v; }
  SCREE_LANES friend Pack operator/(Pack a, double b) { return a.v / b; }
  SCREE_LANES friend Pack operator-(Pack a) { return -a.v; }
#if defined(__AVX512F__)
  SCREE_LANES friend PackMask operator<(Pack a, Pack b) { return PackMask(std::uint8_t{_mm512_cmp_pd_mask(__m512d(a.v), __m512d(b.v), _CMP_LT_OQ)}); }
  SCREE_LANES friend PackMask operator>(Pack a, Pack b) { return b < a; }
#else
  SCREE_LANES friend PackMask operator<(Pack a, Pack b) { return PackMask::Bits(a.v < b.v); }
  SCREE_LANES friend PackMask operator>(Pack a, Pack b) { return PackMask::Bits(a.v > b.v); }
#endif
};

#if defined(__AVX512F__)
SCREE_LANES Pack select(PackMask which, Pack yes, Pack no) {
  return Pack::Lanes(_mm512_mask_blend_pd(which.bits, __m512d(no.v), __m512d(yes.v)));
}
#else
SCREE_LANES Pack select(PackMask which, Pack yes, Pack no) { return which.bits ? yes.v : no.v; }
#endif
SCREE_LANES Pack select(bool which, Pack yes, Pack no) { return select(PackMask(which), yes, no); }

/// Functions that are tables or library calls: one lane after the other.
template <class F, class... X>
SCREE_LANES Pack each_lane(F&& f, const X&... x) {
  Pack y;
  for (int l = 0; l < pack_size; ++l) y.v[l] = f(x.v[l]...);
  return y;
}

SCREE_LANES Pack sqrt(Pack a) {
#if defined(__AVX512F__)
  return Pack::Lanes(_mm512_sqrt_pd(__m512d(a.v)));
#elif defined(__AVX2__)
  return Pack::Lanes(_mm256_sqrt_pd(__m256d(a.v)));
#else
  return each_lane([](double x) { return std::sqrt(x); }, a);
#endif
}
SCREE_LANES Pack pow(Pack a, Pack b) {
  return each_lane([](double x, double y) { return std::pow(x, y); }, a, b);
}

}  // namespace
}  // namespace scree
