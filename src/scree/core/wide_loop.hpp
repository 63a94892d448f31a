// SPDX-License-Identifier: BSD-3-Clause
/// for_each_index for loops of arithmetic that want the processor's fused multiply-add and wide
/// vectors: the body is compiled for plain x86-64 and for x86-64-v3, and the machine chooses, as in
/// the contact kernels (engines/batch_kernels.hpp); SCREE_SIMD=plain asks for less. Contraction is off and
/// what is fused is written so, hence the choice cannot change a bit. Double-double loops run four
/// times as fast: without, each fused multiply-add is a call.
///
/// Everything the body calls is inlined twice, so keep it short and free of what is large or cold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SCREE_WIDE_LOOPS 1
#else
#define SCREE_WIDE_LOOPS 0
#endif

namespace scree {

namespace wide_detail {

template <class F>
[[gnu::noinline, gnu::flatten]] void run_plain(std::size_t begin, std::size_t end, F& f) {
  for (std::size_t i = begin; i < end; ++i) f(i);
}
#if SCREE_WIDE_LOOPS
template <class F>
[[gnu::noinline, gnu::flatten, gnu::target("arch=x86-64-v3")]] void run_v3(std::size_t begin,
                                                                          std::size_t end, F& f) {
  for (std::size_t i = begin; i < end; ++i) f(i);
}
inline bool use_v3() {
  static const bool yes = [] {
    const char* wanted = std::getenv("SCREE_SIMD");
    return std::string_view(wanted ? wanted : "v4") != "plain" &&
           __builtin_cpu_supports("x86-64-v3");
  }();
  return yes;
}
#endif

}  // namespace wide_detail

template <class F> void for_each_index_wide(std::size_t n, F&& f) {
  const auto run = [&](std::size_t begin, std::size_t end) {
#if SCREE_WIDE_LOOPS
    if (wide_detail::use_v3()) return wide_detail::run_v3(begin, end, f);
#endif
    wide_detail::run_plain(begin, end, f);
  };
  constexpr std::size_t block = 256;  // a call costs nothing beside that many bodies
  const auto blocks = static_cast<std::int64_t>((n + block - 1) / block);
#pragma omp parallel for schedule(static) if (static_cast<std::int64_t>(n) >= small_system)
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    run(begin, std::min(begin + block, n));
  }
}

/// Grains in such a block.
inline constexpr std::size_t grain_block = 128;

/// f(first, last) over blocks of grains that fit into the first-level cache, so that several loops over a
/// block cost one pass over memory. For double-doubles f is compiled for x86-64-v3 as well.
template <class T, class F> void for_each_block(std::size_t n, F&& f) {
  constexpr std::size_t block = grain_block;
  const std::size_t blocks = (n + block - 1) / block;
  const auto one = [&](std::size_t b) { f(b * block, std::min((b + 1) * block, n)); };
  if constexpr (is_dd<T>) {
    const auto run = [&](std::size_t b) {
#if SCREE_WIDE_LOOPS
      if (wide_detail::use_v3()) return wide_detail::run_v3(b, b + 1, one);
#endif
      wide_detail::run_plain(b, b + 1, one);
    };
    if (static_cast<std::int64_t>(n) < small_system) {
      for (std::size_t b = 0; b < blocks; ++b) run(b);
      return;
    }
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < blocks; ++b) run(b);
  } else {
    if (static_cast<std::int64_t>(n) < small_system) {
      for (std::size_t b = 0; b < blocks; ++b) one(b);
      return;
    }
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < blocks; ++b) one(b);
  }
}

/// The loop for the arithmetic of a number type: wide for double-doubles, whose fused multiply-adds are
/// calls otherwise; plain for doubles, which gain nothing.
template <class T, class F> void for_each_number(std::size_t n, F&& f) {
  if constexpr (is_dd<T>) for_each_index_wide(n, f);
  else for_each_index(n, f);
}

}  // namespace scree
