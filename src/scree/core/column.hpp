// SPDX-License-Identifier: BSD-3-Clause
/// Columns: the arrays of a structure-of-arrays store, and the list that names them once.
/// Resizing, sorting, checkpointing and snapshots all walk that list, so a new per-grain
/// quantity is one line.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/core/nodes.hpp"
#include "scree/core/vec.hpp"

namespace scree {

/// Memory for long arrays: on borders of cache lines, and in huge pages where the system offers them,
/// since a sweep that hops between neighbouring grains of a large bed otherwise spends a tenth of its
/// time on looking up pages. Each part lies near the thread that will loop over it.
template <class T>
struct ColumnAllocator {
  using value_type = T;
  ColumnAllocator() = default;
  template <class U> ColumnAllocator(const ColumnAllocator<U>&) noexcept {}

  T* allocate(std::size_t n, bool touch = true);
  void deallocate(T* p, std::size_t) noexcept { std::free(p); }
  template <class U> bool operator==(const ColumnAllocator<U>&) const { return true; }
};

template <class T>
T* ColumnAllocator<T>::allocate(std::size_t n, bool touch) {
  constexpr std::size_t line = 64, huge = std::size_t{1} << 21;
  const std::size_t bytes = n * sizeof(T) + 32;  // kernels read whole vectors, a little past the last entry
  const std::size_t step = bytes >= 2 * huge ? huge : line;
  const std::size_t rounded = (bytes + step - 1) / step * step;
  void* p = std::aligned_alloc(step, rounded);
  if (!p) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (step == huge) madvise(p, rounded, MADV_HUGEPAGE);  // a wish: it may be refused
#endif
  if (step == huge && touch) touch_first(p, rounded);
  return static_cast<T*>(p);
}

template <class T> using Column = std::vector<T, ColumnAllocator<T>>;

/// Memory that the system lends as it is touched, and not before: a Room may be made as long as it could ever have to be. What resize()
/// adds is not initialised.
template <class T>
struct RoomAllocator : ColumnAllocator<T> {
  static_assert(std::is_trivially_copyable_v<T>);
  RoomAllocator() = default;
  template <class U> RoomAllocator(const RoomAllocator<U>&) noexcept {}
  template <class U> struct rebind { using other = RoomAllocator<U>; };
  T* allocate(std::size_t n) { return ColumnAllocator<T>::allocate(n, false); }
  template <class U> void construct(U*) noexcept {}
  template <class U, class... A> void construct(U* p, A&&... a) { ::new (static_cast<void*>(p)) U(std::forward<A>(a)...); }
};
template <class T> using Room = std::vector<T, RoomAllocator<T>>;

/// One entry of a column list.
template <class S, class C>
struct ColumnInfo {
  C S::*member;
  std::string_view name;
  std::string_view unit;
};

template <auto P> struct ColumnOf;
template <class S, class C, C S::*P> struct ColumnOf<P> {
  static constexpr ColumnInfo<S, C> info(std::string_view name, std::string_view unit) {
    return {P, name, unit};
  }
};

template <auto P>
constexpr auto column(std::string_view name, std::string_view unit) {
  return ColumnOf<P>::info(name, unit);
}

/// Calls f(column, info) for every column of a store.
template <class S, class F>
void for_each_column(S& store, F&& f) {
  using Store = std::remove_const_t<S>;
  std::apply([&](const auto&... one) { (f(store.*(one.member), one), ...); }, Store::columns());
}

/// b[k] = a[order[k]]; `spare` keeps the memory of the last call, so that sorting allocates once.
template <class T>
void permute(Column<T>& a, const std::vector<std::uint32_t>& order, Column<T>& spare) {
  spare.resize(a.size());
  const auto n = static_cast<std::int64_t>(order.size());
#pragma omp parallel for schedule(static) if (n > 20000)
  for (std::int64_t k = 0; k < n; ++k)
    spare[static_cast<std::size_t>(k)] = a[order[static_cast<std::size_t>(k)]];
  a.swap(spare);
}

}  // namespace scree
