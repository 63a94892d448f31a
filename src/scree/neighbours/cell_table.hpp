// SPDX-License-Identifier: BSD-3-Clause
/// Grains sorted into cells, in one level or in several: what `cells` and `hierarchy` are made of.
///
/// A level. Cells have twice the side that a typical pair needs, s = 4 <r> + 2 skin (at least
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
/// Within a level each pair is met once, by the grain whose cell comes first, and handed to the row
/// of the lower id (PairSorter). Where "first" has no meaning, in periods of very few cells or in a
/// hashed table, grains look all around and keep the partners of higher id.
///
/// Levels. Means and maxima above are those of the grains of the level. Sizes 2r + skin are divided
/// into classes, each spanning about a factor of two. A class opens a level of its own only where
/// it has many grains; a few small grains among large ones read no more there than they would from
/// outside. Of two levels, one asks: all its grains look, all around, into the other, in the same
/// way, with the R of that level. Mostly it is the coarse one: it has fewer grains, and there is
/// nothing inside them to read. Either way each pair is met once.
///
/// Memory is O(N). Where the box of the grains of a level has many more cells than there are grains
/// (a dilute cloud, a grain that flew away), its cells share a table of O(N) entries: row (y, z)
/// starts at a hashed place and goes on from there. Strangers who share an entry fail the distance
/// test.
///
/// Rounding. A place u = (x - origin)/s is a rounded number, but a monotone function of x, wrong by
/// less than 2^-51 of the extent. R is enlarged by more than that, so no pair is lost; and since
/// every pair is tested with its exact positions, none is gained.
#pragma once

#include <array>
#include <span>

#include "scree/neighbours/scan.hpp"

namespace scree {

/// Box and radii of some grains.
template <int D> struct CellExtent {
  std::array<double, D> lo, hi;
  double r_min = std::numeric_limits<double>::infinity(), r_max = 0, r_sum = 0;
  std::size_t grains = 0;
  std::size_t bad =
      std::numeric_limits<std::size_t>::max();  // a grain whose position is not a number

  CellExtent() {
    lo.fill(std::numeric_limits<double>::infinity());
    hi.fill(-std::numeric_limits<double>::infinity());
  }
  void add(const CellExtent& b);
  double r_mean() const { return grains ? r_sum / static_cast<double>(grains) : 0; }
};

/// Cells of a box of grains: which there are, and where each lies in the table.
template <int D> struct CellLevel {
  CellExtent<D> extent;
  std::array<double, D> origin{}, side{}, inverse{};
  std::array<std::int64_t, D> count{};
  bool hashed = false;
  bool forward = true;       // whether each pair can be met once
  std::size_t entries = 1;   // of the table; a power of two if hashed
  std::size_t first = 0;     // of them
  std::uint32_t asks = 0;    // bit l: grains of this level look into level l
  std::uint32_t wraps = 0;   // bit l: when they do, they may see a grain twice

  /// Where the row of cells (y, z) starts, from the first entry.
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

/// The search itself; `cells` and `hierarchy` give it a name and a number of levels.
template <int D, class T> class CellTable : public Search<D, T> {
 public:
  CellTable(double skin, int most_levels) : skin_(skin), most_levels_(most_levels) {}

  /// Grains along a Morton curve of cells. Any 2^m cells of the curve, aligned, form a block, so
  /// grains near each other in space are near in memory at every scale at once: whatever the sizes
  /// of the caches, most partners of a grain are in them, and the grains of one thread are a few
  /// blocks with little surface. (Row by row, the partners in z would be a whole layer away.)
  /// Order within a block of 2 cells a side hardly matters, so after the first time the answer is
  /// false until one grain in eight sits behind a grain of a later block.
  bool order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) override;
  void find(const SearchInput<D, T>& in, PairRows& rows) override;
  double reach() const override { return skin_; }
  void release() override;
  std::size_t bytes() const override;
  /// Levels of the last find(), the coarsest first.
  std::span<const CellLevel<D>> levels() const { return levels_; }

 private:
  using Extents = std::vector<CellExtent<D>>;

  template <class Class>
  void measure(const SearchInput<D, T>& in, std::size_t classes, const Class& of, Extents& all);
  CellExtent<D> measure(const SearchInput<D, T>& in);
  double side(const CellExtent<D>& extent) const;
  double reach_of(double r, const CellLevel<D>& level) const {
    return (r + level.extent.r_max + skin_) * (1 + 0x1p-18) + margin_;
  }
  void lay_levels(const SearchInput<D, T>& in);
  void lay_grid(CellLevel<D>& level);
  void share_questions();
  void sort_into_cells(const SearchInput<D, T>& in);
  std::size_t level_of(std::size_t i) const { return level_.empty() ? 0 : level_[i]; }
  std::array<double, D> place(const CellLevel<D>& level, const Vec<D, T>& x) const;
  template <bool Wraps, bool Forward, class Visit>
  void walk(const CellLevel<D>& level, const Vec<D, T>& x, const T& r, std::uint32_t item,
            Visit&& visit) const;
  template <bool Wraps> void find_pairs(const SearchInput<D, T>& in, PairRows& rows);

  double skin_;
  int most_levels_;
  bool ordered_ = false;
  double margin_ = 0;  // for rounded places
  std::array<bool, D> periodic_{};
  std::array<double, D> low_{};  // of the periods
  Vec<D, T> length_{};
  std::vector<CellLevel<D>> levels_;  // the coarsest first
  Extents blocks_, classes_;
  std::vector<std::uint8_t> level_;    // of each grain; empty if there is but one
  std::vector<std::uint32_t> item_;    // of each grain: its item
  std::vector<std::uint32_t> starts_;  // items of entry c: starts_[c] .. starts_[c + 1]
  std::vector<std::size_t> sums_;
  ScanItems<D, T> items_;  // by level and cell
  std::vector<std::vector<ScanRun>> runs_;  // of each thread
  PairSorter sorter_;
};

#define SCREE_DECLARE(D, T) extern template class CellTable<D, T>;
SCREE_FOR_REALS(SCREE_DECLARE)
#undef SCREE_DECLARE

}  // namespace scree
