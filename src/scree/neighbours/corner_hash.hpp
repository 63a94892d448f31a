// SPDX-License-Identifier: BSD-3-Clause
/// The incremental spatial hash: cells of side L = 2 max r, each grain stored in every cell that
/// holds a corner of its bounding box, and only a grain whose corner has left its cell is moved.
/// Steps I.1-I.5, R.1-R.4 and M.1-M.6 are those of the thesis, section 1.2 (the comments in the
/// source name them), with these additions:
///
/// Places. Grid coordinates are signed, and cells live in a hash map (CellMap below), so grains may
/// be anywhere. They stop at 2^29 cells from the origin, where rounding begins to show; what lies
/// beyond is stored at the border: slow, but right.
///
/// Periodic axes. The side is the period over an integer, at least L, and the grid coordinate of a
/// corner that sticks out of the box is wrapped. One cell or two are no special case: a grain is
/// stored once per distinct cell.
///
/// Skin. The bounding box is that of a grain of radius r + skin/2. The thesis' method is skin 0.
///
/// Rounding. Two boxes that overlap share a point, hence a cell, whatever the arithmetic, as long
/// as the place of a corner decides its cell by one monotone rule: g L <= y < (g + 1) L with
/// products as rounded. Boxes are larger than grains by a few units in the last place (of the
/// period, where there is one), so that a pair which passes the test of distance has overlapping
/// boxes.
#pragma once

#include <array>
#include <cstdint>

#include "scree/neighbours/rows.hpp"

namespace scree {

/// Cells -> small contiguous buckets of storage indices. Open addressing.
///
/// A cell's slot: its block of 64 cells (4³ or 8²) is hashed to a group of 64 slots, and within the
/// group it has the place of the cell in the block, turned by a hash of the block. So the cells at
/// the corners of one grain mostly lie in the same few cache lines. A taken slot sends the cell to
/// the same place of the next group, and once around to the next place.
///
/// A cell whose bucket ran empty keeps its slot until the table fills up; then the table is laid
/// out anew without such cells. Buckets are pieces of one pool, of 4, 8, 16… entries, and pieces
/// given back are used again.
template <int D> class CellMap {
 public:
  using Cell = std::array<std::int32_t, D>;

  void clear();
  void insert(const Cell& cell, std::uint32_t grain);
  void remove(const Cell& cell, std::uint32_t grain);
  std::span<const std::uint32_t> bucket(const Cell& cell) const;
  std::size_t bytes() const;

 private:
  struct Slot {
    Cell cell;
    std::uint32_t offset, size;
    std::int32_t level;  // capacity 4 << level; -1: free slot; -2: a cell without memory
  };
  std::size_t find(const Cell& cell) const;  // its slot, or the free slot where it would go
  void grow();
  void enlarge(Slot& slot);

  std::vector<Slot> slots_;  // groups * 64
  std::size_t used_ = 0;     // slots that are not free
  std::vector<std::uint32_t> pool_;
  std::array<std::vector<std::uint32_t>, 31> spare_;  // offsets of unused pieces, by level
};

template <int D, class T> class CornerHash final : public Search<D, T> {
 public:
  static constexpr SearchInfo info{"corner-hash",
                                   "the thesis' incremental spatial hash: a grain is moved only "
                                   "when a corner of it leaves a cell"};

  CornerHash(double skin, double r_max) : skin_(skin), r_max_(r_max) {}

  std::string_view name() const override { return info.name; }

  /// Initialisation at the first call and whenever the grains, their storage order or the domain
  /// are others than before; maintenance otherwise; then retrieval.
  void find(const SearchInput<D, T>& in, PairRows& rows) override;
  double reach() const override { return skin_; }
  std::size_t bytes() const override;

  /// Grains removed and inserted again (steps M.3-M.5) since construction, and how often all were
  /// inserted afresh (steps I.1-I.5).
  std::uint64_t reinserted() const { return reinserted_; }
  std::uint64_t initialised() const { return initialised_; }

 private:
  using Cell = typename CellMap<D>::Cell;
  /// Where the corners of a grain are: `low` holds the lowest of them, unwrapped, and bit k of
  /// `straddles` says that the corners on the upper side of axis k are in the next cell. (I.3)
  struct Corners {
    Cell low;
    std::uint8_t straddles;
    bool stored;
  };
  struct CornerCells {
    std::array<Cell, std::size_t{1} << D> cell;
    int count;
  };
  struct Side {
    double low, high;  // of the bounding box, from the grid's origin
  };

  bool same_grains(const SearchInput<D, T>& in) const;
  void lay_grid(const SearchInput<D, T>& in);
  void initialise(const SearchInput<D, T>& in);
  void maintain(const SearchInput<D, T>& in);
  void insert(const SearchInput<D, T>& in, std::size_t i);
  void remove(std::size_t i);
  Side box(const Vec<D, T>& x, const T& r, int k) const;
  std::int32_t coordinate(double y, int k) const;
  bool stays(const SearchInput<D, T>& in, std::size_t i) const;
  CornerCells cells(const Corners& corners) const;
  template <bool Wraps> std::size_t row(const SearchInput<D, T>& in, const Near<D, T>& near,
                                        std::size_t i, RowKeys& keys) const;

  double skin_, r_max_;
  bool ready_ = false;
  Domain<D> domain_;
  std::array<double, D> origin_{}, side_{}, pad_{};
  std::array<std::int32_t, D> period_{};  // cells per period, 0: open
  Column<std::uint32_t> id_;              // of the grains that are stored
  std::vector<Corners> corners_;
  std::vector<std::vector<std::uint32_t>> leavers_;
  CellMap<D> map_;
  RowBuilder builder_;
  std::uint64_t reinserted_ = 0, initialised_ = 0;
};

#define SCREE_DECLARE(D, T) extern template class CornerHash<D, T>;
SCREE_FOR_REALS(SCREE_DECLARE)
#undef SCREE_DECLARE

}  // namespace scree
