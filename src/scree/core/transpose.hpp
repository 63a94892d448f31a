// SPDX-License-Identifier: BSD-3-Clause
/// Between rows (one record per grain or contact) and lanes (one array per component), four at a time.
/// Only the kernels include this, which are compiled once per instruction set.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>

#include <array>
#include <cstdint>

namespace scree {
namespace {

/// Four rows of four numbers become four columns.
[[gnu::always_inline]] inline void transpose(__m256d& a, __m256d& b, __m256d& c, __m256d& d) {
  const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
  const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
  a = _mm256_permute2f128_pd(ab_even, cd_even, 0x20);
  b = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
  c = _mm256_permute2f128_pd(ab_even, cd_even, 0x31);
  d = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}

#if defined(__AVX512F__)
/// Eight rows of eight numbers become eight columns.
[[gnu::always_inline]] inline void transpose(__m512d (&r)[8]) {
  // pairs of rows side by side, even columns and odd ones; then 128 bits at a time
  const __m512d a0 = _mm512_unpacklo_pd(r[0], r[1]), a1 = _mm512_unpackhi_pd(r[0], r[1]);
  const __m512d b0 = _mm512_unpacklo_pd(r[2], r[3]), b1 = _mm512_unpackhi_pd(r[2], r[3]);
  const __m512d c0 = _mm512_unpacklo_pd(r[4], r[5]), c1 = _mm512_unpackhi_pd(r[4], r[5]);
  const __m512d d0 = _mm512_unpacklo_pd(r[6], r[7]), d1 = _mm512_unpackhi_pd(r[6], r[7]);
  const __m512d ab04 = _mm512_shuffle_f64x2(a0, b0, 0x88), ab26 = _mm512_shuffle_f64x2(a0, b0, 0xDD);
  const __m512d ab15 = _mm512_shuffle_f64x2(a1, b1, 0x88), ab37 = _mm512_shuffle_f64x2(a1, b1, 0xDD);
  const __m512d cd04 = _mm512_shuffle_f64x2(c0, d0, 0x88), cd26 = _mm512_shuffle_f64x2(c0, d0, 0xDD);
  const __m512d cd15 = _mm512_shuffle_f64x2(c1, d1, 0x88), cd37 = _mm512_shuffle_f64x2(c1, d1, 0xDD);
  r[0] = _mm512_shuffle_f64x2(ab04, cd04, 0x88);
  r[1] = _mm512_shuffle_f64x2(ab15, cd15, 0x88);
  r[2] = _mm512_shuffle_f64x2(ab26, cd26, 0x88);
  r[3] = _mm512_shuffle_f64x2(ab37, cd37, 0x88);
  r[4] = _mm512_shuffle_f64x2(ab04, cd04, 0xDD);
  r[5] = _mm512_shuffle_f64x2(ab15, cd15, 0xDD);
  r[6] = _mm512_shuffle_f64x2(ab26, cd26, 0xDD);
  r[7] = _mm512_shuffle_f64x2(ab37, cd37, 0xDD);
}
#endif

/// The wanted ones of four, moved to the front: by number and by byte.
struct Front {
  std::array<std::array<std::uint32_t, 8>, 16> of_doubles{};
  std::array<std::array<std::uint8_t, 16>, 16> of_words{};
  std::array<std::uint32_t, 16> bytes{};  // 0xFF where wanted
};
constexpr Front make_front() {
  Front f;
  for (std::uint32_t mask = 0; mask < 16; ++mask) {
    std::uint32_t at = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (!(mask >> k & 1U)) continue;
      f.bytes[mask] |= 0xFFU << (8 * k);
      f.of_doubles[mask][2 * at] = 2 * k;
      f.of_doubles[mask][2 * at + 1] = 2 * k + 1;
      for (std::uint32_t b = 0; b < 4; ++b) f.of_words[mask][4 * at + b] = static_cast<std::uint8_t>(4 * k + b);
      ++at;
    }
  }
  return f;
}
constexpr Front front = make_front();

[[gnu::always_inline]] inline __m256d to_front(__m256d x, unsigned mask) {
  const __m256i order = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(front.of_doubles[mask].data()));
  return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(x), order));
}
[[gnu::always_inline]] inline __m128i to_front(__m128i x, unsigned mask) {
  return _mm_shuffle_epi8(x, _mm_loadu_si128(reinterpret_cast<const __m128i*>(front.of_words[mask].data())));
}

}  // namespace
}  // namespace scree
#endif
