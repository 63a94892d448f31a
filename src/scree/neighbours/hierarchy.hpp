// SPDX-License-Identifier: BSD-3-Clause
/// Cells of several sizes for grains of several sizes: large grains in large cells, small grains in
/// small ones. Where `cells` has one size of cell, which a single large grain makes large for all,
/// the cost here is that of the partners there are, whatever the sizes.
///
/// The method is the hierarchical grid of Ogarko & Luding, Comput. Phys. Commun. 183, 931 (2012),
/// with these changes: levels are those that the sizes present ask for (CellTable::lay_levels), not
/// a fixed stack; and of two levels the one that has less to ask does the asking. In a bed those
/// are the few large grains, which look down for the small ones around them, where the paper's
/// small grains look up. CellTable does all of it.
#pragma once

#include "scree/neighbours/cell_table.hpp"

namespace scree {

template <int D, class T> class Hierarchy final : public Search<D, T> {
 public:
  static constexpr SearchInfo info{
      "hierarchy", "a level of cells per factor of two in size, for wide size distributions"};

  explicit Hierarchy(double skin, double /*r_max*/ = 0) : table_(skin, most_levels) {}

  std::string_view name() const override { return info.name; }
  bool order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) override {
    return table_.order(in, order);
  }
  void find(const SearchInput<D, T>& in, PairRows& rows) override { table_.find(in, rows); }
  double reach() const override { return table_.skin(); }
  void release() override { table_.release(); }
  std::size_t bytes() const override { return table_.bytes(); }

  /// Levels of the last find(), the coarsest first.
  std::span<const CellLevel<D>> levels() const { return table_.levels(); }

 private:
  static constexpr int most_levels = 32;
  CellTable<D, T> table_;
};

}  // namespace scree
