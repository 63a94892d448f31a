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

template <int D, class T> class Hierarchy final : public CellTable<D, T> {
 public:
  static constexpr SearchInfo info{
      "hierarchy", "a level of cells per factor of two in size, for wide size distributions"};

  explicit Hierarchy(double skin, double /*r_max*/ = 0) : CellTable<D, T>(skin, 32) {}
  std::string_view name() const override { return info.name; }
};

}  // namespace scree
