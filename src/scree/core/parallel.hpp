// SPDX-License-Identifier: BSD-3-Clause
/// One loop over grains for everybody. Each index is handled by one thread and writes only its own
/// entries, so the number of threads cannot change a bit; small systems stay on one thread, where
/// waking the others would cost more than the loop.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scree {

/// Tests lower it to run small scenes on many threads.
inline std::int64_t small_system = 4000;

template <class F>
void for_each_index(std::size_t n, F&& f) {
  const auto count = static_cast<std::int64_t>(n);
  if (count < small_system) {  // an if clause would still set up a team, at the price of two grains
    for (std::size_t i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) f(static_cast<std::size_t>(i));
}

/// So many parts has a loop over n grains that are dealt out once for all, one per thread.
inline std::size_t parts_of(std::size_t n) { return static_cast<std::int64_t>(n) < small_system ? 1 : static_cast<std::size_t>(omp_get_max_threads()); }
/// f(part, first, last) for all of them.
template <class F>
void for_each_part(std::size_t n, std::size_t parts, const F& f) {
  const auto part = [&](std::size_t k) { f(k, n * k / parts, n * (k + 1) / parts); };
  if (parts == 1) return part(0);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < parts; ++k) part(k);
}

/// Until other threads have made a number grow so large, which is mostly a matter of microseconds. They call notify_all().
inline void wait_for(const std::atomic<std::int64_t>& number, std::int64_t wanted) {
  std::int64_t now;
  for (int looks = 0; (now = number.load(std::memory_order_acquire)) < wanted; ++looks)
    if (looks > 10000) number.wait(now);
}

}  // namespace scree
