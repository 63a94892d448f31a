// SPDX-License-Identifier: BSD-3-Clause
/// Linked cells: grains are sorted by cell, and a grain looks for partners in the cells around it.
///
/// The grid. Cells have twice the side that a typical pair needs, s = 4 <r> + 2 skin (at least
/// 2 r_max + skin), and are cut into up to eight slices along x. Slices that follow each other in x
/// follow each other in memory, so candidates are found in runs, one per row of cells: three or
/// four runs of a dozen grains. Smaller cells have fewer candidates but more and shorter runs, and
/// it is the ends of runs, which no processor can foresee, that cost.
///
///            s
///         ┌─┬─┬─┬─┬─┬─┐       Grain i reaches R = r_i + r_max + skin. A row whose gap g to the
///         │ │ ├─┼─┤ │ │       grain exceeds R is passed over; in the others only the slices
///         ├─┼─┼─┼─┼─┼─┤       within x ± sqrt(R² - g²) are read: about a ball of candidates,
///         │ ├─┼─i─┼─┤ │       not a cube, and a small grain reads less than a large one.
///         └─┴─┴─┴─┴─┴─┘
///
/// Each pair is met once, by the grain whose cell comes first, and handed to the row of the lower
/// id (PairSorter). Where "first" has no meaning, in periods of very few cells or in a hashed
/// table, grains look all around and keep the partners of higher id.
///
/// Memory is O(N). Where the box of all grains has many more cells than there are grains (a dilute
/// cloud, a grain that flew away), cells share a table of O(N) entries: row (y, z) starts at a
/// hashed place and goes on from there. Strangers who share an entry fail the distance test.
///
/// Rounding. A place u = (x - origin)/s is a rounded number, but a monotone function of x, wrong by
/// less than 2^-51 of the extent. R is enlarged by more than that, so no pair is lost; and since
/// every pair is tested with its exact positions, none is gained.
#pragma once

#include <array>

#include "scree/neighbours/rows.hpp"

namespace scree {

/// Cells of a box of grains: which there are, and where each lies in the table.
template <int D> struct CellGrid {
  std::array<double, D> origin{}, side{}, inverse{};
  std::array<std::int64_t, D> count{};
  std::array<bool, D> periodic{};
  bool hashed = false;
  std::size_t entries = 1;  // of the table; a power of two if hashed

  /// Where the row of cells (y, z) starts in the table.
  std::size_t row(std::int64_t y, std::int64_t z) const {
    if (!hashed) return static_cast<std::size_t>((z * (D == 3 ? count[1] : 1) + y) * count[0]);
    std::uint64_t h = static_cast<std::uint64_t>(y) * 0x9E3779B97F4A7C15ULL ^
                      static_cast<std::uint64_t>(z) * 0xC2B2AE3D27D4EB4FULL;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93ULL;
    return static_cast<std::size_t>(h ^ h >> 32) & (entries - 1);
  }
  /// Cell of the place u on axis k; what rounding puts outside belongs to the border.
  std::int64_t cell(int k, double u) const {
    const auto a = static_cast<std::size_t>(k);
    return u <= 0 ? 0 : std::min(static_cast<std::int64_t>(u), count[a] - 1);
  }
};

/// Box and radii of the grains present.
template <int D> struct CellExtent {
  std::array<double, D> lo, hi;
  double r_max = 0, r_sum = 0;
  std::size_t grains = 0;
  std::size_t bad =
      std::numeric_limits<std::size_t>::max();  // a grain whose position is not a number

  CellExtent() {
    lo.fill(std::numeric_limits<double>::infinity());
    hi.fill(-std::numeric_limits<double>::infinity());
  }
  void add(const CellExtent& b);
};

template <int D, class T> class Cells final : public Search<D, T> {
 public:
  static constexpr SearchInfo info{"cells", "grains sorted by cell, a list with a skin"};

  explicit Cells(double skin, double /*r_max*/ = 0) : skin_(skin) {}

  std::string_view name() const override { return info.name; }

  /// Grains along a Morton curve of cells. Any 2^m cells of the curve, aligned, form a block, so
  /// grains near each other in space are near in memory at every scale at once: whatever the sizes
  /// of the caches, most partners of a grain are in them, and the grains of one thread are a few
  /// blocks with little surface. (Row by row, the partners in z would be a whole layer away.)
  /// Order within a block of 2 cells a side hardly matters, so after the first time the answer is
  /// false until one grain in eight sits behind a grain of a later block.
  bool order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) override;

  void find(const SearchInput<D, T>& in, PairRows& rows) override;
  double reach() const override { return skin_; }
  std::size_t bytes() const override;

  /// Whether the last find() used the hashed table, and how many entries it had.
  bool hashed() const { return grid_.hashed; }
  std::size_t entries() const { return grid_.entries; }

 private:
  struct Item {
    Vec<D, T> x;
    T r;
    std::uint64_t key;
  };

  CellExtent<D> measure(const SearchInput<D, T>& in);
  double side(const CellExtent<D>& extent) const;
  void lay_grid(const SearchInput<D, T>& in, const CellExtent<D>& extent);
  void sort_into_cells(const SearchInput<D, T>& in);
  std::array<double, D> place(const Vec<D, T>& x) const;
  template <bool Wraps, bool Forward, class Visit>
  void walk(const Vec<D, T>& x, const T& r, std::uint32_t item, Visit&& visit) const;
  template <bool Wraps> void find_forward(const SearchInput<D, T>& in, PairRows& rows);
  template <bool Wraps> void find_around(const SearchInput<D, T>& in, PairRows& rows);

  double skin_;
  bool ordered_ = false;
  double r_max_ = 0;   // of the grains present
  double margin_ = 0;  // for rounded places
  CellGrid<D> grid_;
  Vec<D, T> length_{};  // of the periods
  std::vector<CellExtent<D>> extents_;
  std::vector<std::uint32_t> item_;    // of each grain: where it is in items_
  std::vector<std::uint32_t> starts_;  // items of entry c: starts_[c] .. starts_[c + 1]
  std::vector<std::size_t> sums_;
  std::vector<Item> items_;  // what the sweep reads, by cell
  PairSorter sorter_;
  RowBuilder builder_;
};

#define SCREE_DECLARE(D, T) extern template class Cells<D, T>;
SCREE_FOR_REALS(SCREE_DECLARE)
#undef SCREE_DECLARE

}  // namespace scree
