// SPDX-License-Identifier: BSD-3-Clause
/// Asking for lines of memory ahead of their use.
#pragma once

#include <cstddef>

namespace scree {

[[gnu::always_inline]] inline void fetch(const void* from) { __builtin_prefetch(from); }
/// To write to it: other threads lose their copies now, and not when we store. (__builtin_prefetch(from, 1) is a mere fetch unless
/// the compiler may assume an instruction that no level of x86-64 includes; processors that lack it pass over it.)
[[gnu::always_inline]] inline void fetch_to_write(const void* from) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(from)));
#else
  __builtin_prefetch(from, 1);
#endif
}

}  // namespace scree
