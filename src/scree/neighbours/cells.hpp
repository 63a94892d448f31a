// SPDX-License-Identifier: BSD-3-Clause
/// Linked cells: grains are sorted by cell, and a grain looks for partners in the cells around it.
/// One level of a CellTable; see there.
#pragma once

#include "scree/neighbours/cell_table.hpp"

namespace scree {

template <int D, class T> class Cells final : public CellTable<D, T> {
 public:
  static constexpr SearchInfo info{"cells", "grains sorted by cell, a list with a skin"};

  explicit Cells(double skin, double /*r_max*/ = 0) : CellTable<D, T>(skin, 1) {}
  std::string_view name() const override { return info.name; }

  /// Whether the last find() used the hashed table, and how many entries it had.
  bool hashed() const { return this->levels().front().hashed; }
  std::size_t entries() const { return this->levels().front().entries; }
};

}  // namespace scree
