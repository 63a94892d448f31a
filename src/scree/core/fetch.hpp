// SPDX-License-Identifier: BSD-3-Clause
/// Asking for lines of memory ahead of their use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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

inline constexpr std::size_t line_bytes = 64;

/// So many bytes will be wanted, but not at once: the second level is near enough.
inline void fetch_for_later(const void* from, std::size_t bytes) {
  for (std::size_t k = 0; k < bytes; k += line_bytes) __builtin_prefetch(static_cast<const char*>(from) + k, 0, 2);
}

/// Some lines of memory, one behind the other, that will be read or written to.
class CacheLines {
 public:
  enum class For : std::uintptr_t { reading, writing };
  static constexpr std::size_t most = 32;

  CacheLines(std::uintptr_t line, std::size_t count, For what) : bits_(line * line_bytes + (count - 1) * 2 + static_cast<std::uintptr_t>(what)) {}
  [[gnu::always_inline]] std::size_t count() const { return bits_ / 2 % most + 1; }
  /// The k-th of them.
  [[gnu::always_inline]] void fetch_one(std::size_t k) const {
    const auto* const at = reinterpret_cast<const char*>(bits_ / line_bytes * line_bytes) + k * line_bytes;
    if (static_cast<For>(bits_ % 2) == For::reading) fetch(at);
    else fetch_to_write(at);
  }
  bool operator==(const CacheLines&) const = default;

 private:
  std::uintptr_t bits_;
};

/// The lines of so many bytes from some address on; not those that were the last ones before.
inline void add_lines(std::vector<CacheLines>& to, const void* from, std::size_t bytes, CacheLines::For what) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(from) / line_bytes, end = (reinterpret_cast<std::uintptr_t>(from) + bytes - 1) / line_bytes + 1;
  for (std::uintptr_t line = begin; line < end; line += CacheLines::most) {
    const CacheLines some(line, std::min<std::size_t>(end - line, CacheLines::most), what);
    if (to.empty() || !(to.back() == some)) to.push_back(some);
  }
}

/// Lines that are asked for a few at a time, between other work: all at once they would stop it, since a processor waits for some
/// dozens at most.
class Errands {
 public:
  Errands() = default;
  /// To be done in so many goes.
  Errands(const std::vector<CacheLines>& lines, std::size_t goes) : next_(lines.data()), end_(lines.data() + lines.size()) {
    std::size_t all = 0;
    for (const CacheLines& some : lines) all += some.count();
    each_ = static_cast<int>((all + goes) / (goes + 1));
  }
  bool done() const { return next_ == end_; }
  [[gnu::always_inline]] void do_some() {
    for (int left = each_; left > 0 && next_ != end_; --left) {
      next_->fetch_one(k_);
      if (++k_ < next_->count()) continue;
      k_ = 0;
      ++next_;
    }
  }

 private:
  const CacheLines *next_ = nullptr, *end_ = nullptr;
  std::size_t k_ = 0;
  int each_ = 0;
};

}  // namespace scree
