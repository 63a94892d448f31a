// SPDX-License-Identifier: BSD-3-Clause
/// The builders there are. To add one: its files, its #include and its entry here.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scree/scenes/column.hpp"
#include "scree/scenes/file.hpp"
#include "scree/scenes/lattice.hpp"
#include "scree/scenes/line.hpp"
#include "scree/scenes/points.hpp"
#include "scree/scenes/pyramid.hpp"
#include "scree/scenes/random_box.hpp"
#include "scree/scenes/ring_cell.hpp"

namespace scree {

template <int D> using AnyBuilder =
    std::variant<ColumnOfGrains<D>, Lattice<D>, RandomBox<D>, Heap<D>, Line<D>, Chain<D>,
                 Pyramid<D>, RingCell<D>, FromFile<D>, Points<D>>;

/// Calls f(builder) with a default-made builder of every kind.
template <int D, class F, std::size_t... K>
void for_each_builder_at(F&& f, std::index_sequence<K...>) {
  (f(std::variant_alternative_t<K, AnyBuilder<D>>{}), ...);
}
template <int D, class F> void for_each_builder(F&& f) {
  for_each_builder_at<D>(f, std::make_index_sequence<std::variant_size_v<AnyBuilder<D>>>{});
}

inline std::vector<std::string> builder_names() {
  std::vector<std::string> names;
  for_each_builder<2>([&](const auto& one) { names.emplace_back(one.name); });
  return names;
}

}  // namespace scree
