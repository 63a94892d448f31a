// SPDX-License-Identifier: BSD-3-Clause
/// The loops of moves.hpp, included once per instruction set.
#pragma once

#include "scree/core/moves.hpp"
#include "scree/core/pack.hpp"
#include "scree/core/transpose.hpp"

namespace scree {
namespace {

void add(double* y, const double* x, double h, std::size_t n) {
  const Pack step(h);
  std::size_t k = 0;
  for (; k + pack_size <= n; k += pack_size) (Pack::load(y + k) + Pack::load(x + k) * step).store(y + k);
  for (; k < n; ++k) y[k] += x[k] * h;
}

template <class T>
SCREE_LANES Vec<4, T> turned(const Vec<4, T>& q, const Vec<3, T>& w, const T& h) {
  return unit_turn(q + turn_rate(q, w) * h);
}

void turn(Vec<4, double>* q, const Vec<3, double>* w, double h, std::size_t n) {
  std::size_t i = 0;
#if defined(__AVX2__)
  // eight grains at a time, as lanes; the last one is left to the plain loop, since rows of w are read as four
  for (; i + 8 < n; i += 8) {
    alignas(64) double lane[8][8];
    for (std::size_t half = 0; half < 8; half += 4) {
      const auto column = [&](std::size_t first, __m256d a, __m256d b, __m256d c, __m256d d) __attribute__((always_inline)) {
        transpose(a, b, c, d);
        _mm256_store_pd(&lane[first][half], a);
        _mm256_store_pd(&lane[first + 1][half], b);
        _mm256_store_pd(&lane[first + 2][half], c);
        _mm256_store_pd(&lane[first + 3][half], d);
      };
      const std::size_t at = i + half;
      column(0, _mm256_loadu_pd(&q[at][0]), _mm256_loadu_pd(&q[at + 1][0]), _mm256_loadu_pd(&q[at + 2][0]), _mm256_loadu_pd(&q[at + 3][0]));
      column(4, _mm256_loadu_pd(&w[at][0]), _mm256_loadu_pd(&w[at + 1][0]), _mm256_loadu_pd(&w[at + 2][0]), _mm256_loadu_pd(&w[at + 3][0]));
    }
    for (int first = 0; first < 8; first += pack_size) {
      const auto get = [&](int k) __attribute__((always_inline)) { return Pack::load(&lane[k][first]); };
      const Vec<4, Pack> to = turned(Vec<4, Pack>{get(0), get(1), get(2), get(3)}, Vec<3, Pack>{get(4), get(5), get(6)}, Pack(h));
      for (int k = 0; k < 4; ++k) to[k].store(&lane[k][first]);
    }
    for (std::size_t half = 0; half < 8; half += 4) {
      __m256d a = _mm256_load_pd(&lane[0][half]), b = _mm256_load_pd(&lane[1][half]), c = _mm256_load_pd(&lane[2][half]),
              d = _mm256_load_pd(&lane[3][half]);
      transpose(a, b, c, d);
      _mm256_storeu_pd(&q[i + half][0], a);
      _mm256_storeu_pd(&q[i + half + 1][0], b);
      _mm256_storeu_pd(&q[i + half + 2][0], c);
      _mm256_storeu_pd(&q[i + half + 3][0], d);
    }
  }
#endif
  for (; i < n; ++i) q[i] = turned(q[i], w[i], h);
}

constexpr Moves all_moves{add, turn};

}  // namespace
}  // namespace scree
