// SPDX-License-Identifier: BSD-3-Clause
/// Linked cells: grains are sorted by cell, and a grain looks for partners in the cells around it.
/// One level of a CellTable; see there.
#pragma once

#include "scree/neighbours/cell_table.hpp"

namespace scree {

template <int D, class T> class Cells final : public Search<D, T> {
 public:
  static constexpr SearchInfo info{"cells", "grains sorted by cell, a list with a skin"};

  explicit Cells(double skin, double /*r_max*/ = 0) : table_(skin, 1) {}

  std::string_view name() const override { return info.name; }
  bool order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) override {
    return table_.order(in, order);
  }
  void find(const SearchInput<D, T>& in, PairRows& rows) override { table_.find(in, rows); }
  double reach() const override { return table_.skin(); }
  void release() override { table_.release(); }
  std::size_t bytes() const override { return table_.bytes(); }

  /// Whether the last find() used the hashed table, and how many entries it had.
  bool hashed() const { return table_.levels().front().hashed; }
  std::size_t entries() const { return table_.levels().front().entries; }

 private:
  CellTable<D, T> table_;
};

}  // namespace scree
