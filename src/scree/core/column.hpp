// SPDX-License-Identifier: BSD-3-Clause
/// Columns: the arrays of a structure-of-arrays store, and the list that names them once.
/// Resizing, sorting, checkpointing and snapshots all walk that list, so a new per-grain
/// quantity is one line.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "scree/core/vec.hpp"

namespace scree {

template <class T> using Column = std::vector<T>;

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
