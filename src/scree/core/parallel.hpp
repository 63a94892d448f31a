// SPDX-License-Identifier: BSD-3-Clause
/// One loop over grains for everybody. Each index is handled by one thread and writes only its own
/// entries, so the number of threads cannot change a bit; small systems stay on one thread, where
/// waking the others would cost more than the loop.
#pragma once

#include <atomic>
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

/// Until other threads have made a number grow so large, which is mostly a matter of microseconds. They call notify_all().
inline void wait_for(const std::atomic<std::int64_t>& number, std::int64_t wanted) {
  std::int64_t now;
  for (int looks = 0; (now = number.load(std::memory_order_acquire)) < wanted; ++looks)
    if (looks > 10000) number.wait(now);
}

}  // namespace scree
