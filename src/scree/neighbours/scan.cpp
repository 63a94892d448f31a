// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/scan.hpp"

#include <bit>
#include <cstdlib>
#include <string_view>

#include "scree/core/wide_loop.hpp"

#if SCREE_WIDE_LOOPS
#include <immintrin.h>
#endif

namespace scree {
namespace {

template <int D, class T>
FoundPair* scan_run(const ScanTask<D, T>& t, const ScanRun& run, FoundPair* out) {
  const std::uint32_t a = run.grain;
  const Vec<D, T> x = t.in.x[a];
  const T r = t.in.r[a];
  const Vec<D, T> shift = t.shift[run.image];
  const std::uint64_t me = pair_key(t.in.id[a], a);
  const auto loop = [&](auto several, auto shifted, auto twice) {
    for (std::uint32_t c = run.first; c < run.last; ++c) {
      Vec<D, T> y;
      for (int k = 0; k < D; ++k) y[k] = t.items.x[static_cast<std::size_t>(k)][c];
      const std::uint64_t key = t.items.key[c];
      // Lower id first, without a branch, for nobody could predict it.
      const auto b = static_cast<std::uint32_t>(key);
      const std::uint32_t swap = (a ^ b) & -static_cast<std::uint32_t>(key < me);
      *out = {a ^ swap, b ^ swap};
      bool keep;
      if constexpr (several)
        keep = t.near.template test<true>(x, r, y, t.items.r[c]);
      else
        keep = t.near.template test<shifted>(x, r, y, t.items.r[c], shift);
      if constexpr (twice) keep &= key > me;
      out += keep;
    }
  };
  constexpr std::false_type no;
  constexpr std::true_type yes;
  if (run.several)
    run.twice ? loop(yes, no, yes) : loop(yes, no, no);
  else if (run.image)
    run.twice ? loop(no, yes, yes) : loop(no, yes, no);
  else
    run.twice ? loop(no, no, yes) : loop(no, no, no);
  return out;
}

template <int D, class T> FoundPair* scan_plain(const ScanTask<D, T>& t, const ScanRun* run,
                                                const ScanRun* end, FoundPair* out) {
  for (; run != end; ++run) out = scan_run(t, *run, out);
  return out;
}

#if SCREE_WIDE_LOOPS

/// The vector of 32-bit halves that moves the 64-bit lanes of a 4-bit mask to the front.
constexpr auto fronts = [] {
  std::array<std::array<std::int32_t, 8>, 16> table{};
  for (std::size_t mask = 0; mask < 16; ++mask) {
    std::size_t at = 0;
    for (int lane = 0; lane < 4; ++lane)
      if (mask >> lane & 1) {
        table[mask][at++] = 2 * lane;
        table[mask][at++] = 2 * lane + 1;
      }
  }
  return table;
}();

template <int D> [[gnu::target("arch=x86-64-v3")]] FoundPair* scan_v3(
    const ScanTask<D, double>& t, const ScanRun* run, const ScanRun* end, FoundPair* out) {
  const __m256d skin = _mm256_set1_pd(t.near.skin);
  const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
  // Keys compare as unsigned numbers; the processor has signed comparisons only.
  const __m256i sign = _mm256_set1_epi64x(std::numeric_limits<std::int64_t>::min());
  for (; run != end; ++run) {
    if (run->several || run->twice) {
      out = scan_run(t, *run, out);
      continue;
    }
    const std::uint32_t a = run->grain;
    __m256d x[D], shift[D];
    for (int k = 0; k < D; ++k) {
      x[k] = _mm256_set1_pd(t.in.x[a][k]);
      shift[k] = _mm256_set1_pd(t.shift[run->image][k]);
    }
    const __m256d r = _mm256_set1_pd(t.in.r[a]);
    const __m256i me = _mm256_xor_si256(
        sign, _mm256_set1_epi64x(static_cast<std::int64_t>(pair_key(t.in.id[a], a))));
    const __m256i mine = _mm256_set1_epi64x(a);
    const __m256i mine_high = _mm256_slli_epi64(mine, 32);
    for (std::uint32_t c = run->first; c < run->last; c += 4) {
      const std::uint32_t rest = run->last - c;
      __m256d square{};
      for (int k = 0; k < D; ++k) {
        const double* column = t.items.x[static_cast<std::size_t>(k)].data();
        const __m256d d =
            _mm256_add_pd(_mm256_sub_pd(_mm256_loadu_pd(column + c), x[k]), shift[k]);
        square = k == 0 ? _mm256_mul_pd(d, d) : _mm256_add_pd(square, _mm256_mul_pd(d, d));
      }
      const __m256d sum =
          _mm256_add_pd(_mm256_add_pd(r, _mm256_loadu_pd(t.items.r.data() + c)), skin);
      auto mask = static_cast<std::uint32_t>(
          _mm256_movemask_pd(_mm256_cmp_pd(square, _mm256_mul_pd(sum, sum), _CMP_LT_OQ)));
      mask &= rest >= 4 ? 15U : (1U << rest) - 1;
      const __m256i key =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(t.items.key.data() + c));
      const __m256i less = _mm256_cmpgt_epi64(me, _mm256_xor_si256(key, sign));
      const __m256i first_me = _mm256_or_si256(mine, _mm256_slli_epi64(key, 32));
      const __m256i first_other = _mm256_or_si256(_mm256_and_si256(key, low_half), mine_high);
      const __m256i pairs = _mm256_blendv_epi8(first_me, first_other, less);
      const __m256i front =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(fronts[mask].data()));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                          _mm256_permutevar8x32_epi32(pairs, front));
      out += std::popcount(mask);
    }
  }
  return out;
}

template <int D>
[[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]] FoundPair* scan_v4(
    const ScanTask<D, double>& t, const ScanRun* run, const ScanRun* end, FoundPair* out) {
  const __m512d skin = _mm512_set1_pd(t.near.skin);
  const __m512i low_half = _mm512_set1_epi64(0xFFFFFFFF);
  for (; run != end; ++run) {
    if (run->several || run->twice) {
      out = scan_run(t, *run, out);
      continue;
    }
    const std::uint32_t a = run->grain;
    __m512d x[D], shift[D];
    for (int k = 0; k < D; ++k) {
      x[k] = _mm512_set1_pd(t.in.x[a][k]);
      shift[k] = _mm512_set1_pd(t.shift[run->image][k]);
    }
    const __m512d r = _mm512_set1_pd(t.in.r[a]);
    const __m512i me = _mm512_set1_epi64(static_cast<std::int64_t>(pair_key(t.in.id[a], a)));
    const __m512i mine = _mm512_set1_epi64(a);
    const __m512i mine_high = _mm512_maskz_slli_epi64(255, mine, 32);
    for (std::uint32_t c = run->first; c < run->last; c += 8) {
      const std::uint32_t rest = run->last - c;
      const auto live = static_cast<__mmask8>(rest >= 8 ? 255U : (1U << rest) - 1);
      __m512d square{};
      for (int k = 0; k < D; ++k) {
        const double* column = t.items.x[static_cast<std::size_t>(k)].data();
        const __m512d d =
            _mm512_add_pd(_mm512_sub_pd(_mm512_loadu_pd(column + c), x[k]), shift[k]);
        square = k == 0 ? _mm512_mul_pd(d, d) : _mm512_add_pd(square, _mm512_mul_pd(d, d));
      }
      const __m512d sum =
          _mm512_add_pd(_mm512_add_pd(r, _mm512_loadu_pd(t.items.r.data() + c)), skin);
      const __mmask8 near =
          _mm512_mask_cmp_pd_mask(live, square, _mm512_mul_pd(sum, sum), _CMP_LT_OQ);
      const __m512i key = _mm512_loadu_si512(t.items.key.data() + c);
      const __mmask8 less = _mm512_cmplt_epu64_mask(key, me);
      const __m512i first_me = _mm512_or_si512(mine, _mm512_maskz_slli_epi64(255, key, 32));
      const __m512i first_other = _mm512_or_si512(_mm512_and_si512(key, low_half), mine_high);
      const __m512i pairs = _mm512_mask_blend_epi64(less, first_me, first_other);
      _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(near, pairs));
      out += std::popcount(static_cast<unsigned>(near));
    }
  }
  return out;
}

#endif

template <int D, class T> auto choose() {
#if SCREE_WIDE_LOOPS
  if constexpr (!is_dd<T>) {
    const char* wanted = std::getenv("SCREE_SIMD");
    const std::string_view most = wanted ? wanted : "v4";
    if (most == "v4" && __builtin_cpu_supports("x86-64-v4")) return scan_v4<D>;
    if (most != "plain" && __builtin_cpu_supports("x86-64-v3")) return scan_v3<D>;
  }
#endif
  return scan_plain<D, T>;
}

}  // namespace

template <int D, class T>
FoundPair* scan(const ScanTask<D, T>& task, const ScanRun* run, const ScanRun* end,
                FoundPair* out) {
  static const auto kernel = choose<D, T>();
  return kernel(task, run, end, out);
}

#define SCREE_INSTANTIATE(D, T) \
  template FoundPair* scan(const ScanTask<D, T>&, const ScanRun*, const ScanRun*, FoundPair*);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
