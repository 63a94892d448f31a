// SPDX-License-Identifier: BSD-3-Clause
/// Who is near a place? A hash of square cells, one set of cells per size class of grains (powers
/// of two), so that the cost of a question does not depend on how many grains there are, nor on
/// how different their sizes are. For building and checking scenes; runs have `neighbours`.
///
/// A question about a grain looks only at classes of its own size or larger: to see every pair,
/// add all grains and then ask for each; to place grains one by one, begin with the largest.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scree/grains/world.hpp"

namespace scree {

template <int D> class OverlapGrid {
 public:
  /// Positions beyond this many diameters cannot be told apart by cells.
  static constexpr double reach_limit = 1e12;

  OverlapGrid(const Domain<D>& domain, std::size_t expected) : domain_(domain) {
    std::size_t buckets = 16;
    while (buckets < expected && buckets < (std::size_t{1} << 27)) buckets *= 2;
    head_.assign(buckets, none);
    entries_.reserve(expected);
  }

  void add(const Vec<D, double>& x, double r, std::uint32_t index) {
    const int level = level_of(r);
    if (std::find(levels_.begin(), levels_.end(), level) == levels_.end()) {
      levels_.push_back(level);
      std::sort(levels_.begin(), levels_.end());
    }
    const std::uint64_t key = key_of(level, cell_of(level, x));
    std::uint32_t& head = head_[key & (head_.size() - 1)];
    entries_.push_back({key, x, r, index, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }

  /// Calls f(index, gap) for every grain of the same or a larger class whose surface may be closer
  /// than touching; `gap` is negative where they overlap. f returns true to stop; so does near.
  template <class F> bool near(const Vec<D, double>& x, double r, F&& f) const {
    const int own = level_of(r);
    for (const int level : levels_) {
      if (level < own) continue;
      if (look(x, r, level, 0, f)) return true;
    }
    return false;
  }

  /// Whether a grain would overlap one that is there.
  bool overlaps(const Vec<D, double>& x, double r) const {
    return near(x, r, [](std::uint32_t, double gap) { return gap < 0; });
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  using Cell = Vec<D, std::int64_t>;
  struct Entry {
    std::uint64_t key;
    Vec<D, double> x;
    double r;
    std::uint32_t index, next;
  };

  static int level_of(double r) { return std::ilogb(2 * r); }
  static Cell cell_of(int level, const Vec<D, double>& x) {
    Cell cell{};
    constexpr double last = 4e18;  // beyond, all share one cell: slower, and still right
    for (int k = 0; k < D; ++k) {
      const double c = std::floor(std::ldexp(x[k], -(level + 1)));
      cell[k] = c > -last ? static_cast<std::int64_t>(std::min(c, last))
                          : static_cast<std::int64_t>(-last);
    }
    return cell;
  }
  static std::uint64_t key_of(int level, const Cell& cell) {
    std::uint64_t h =
        0x9E3779B97F4A7C15ULL * (static_cast<std::uint64_t>(static_cast<std::int64_t>(level)) + 1);
    for (int k = 0; k < D; ++k) {
      h ^= static_cast<std::uint64_t>(cell[k]);
      h *= 0xFF51AFD7ED558CCDULL;
      h ^= h >> 32;
    }
    return h;
  }

  /// Looks about x and, along periodic axes from `axis` on, about its images near the edges.
  template <class F> bool look(const Vec<D, double>& x, double r, int level, int axis, F& f) const {
    if (axis == D) return look_cells(x, r, level, f);
    if (look(x, r, level, axis + 1, f)) return true;
    if (!domain_.periodic[static_cast<std::size_t>(axis)]) return false;
    const double reach = std::ldexp(1.0, level + 1), period = domain_.hi[axis] - domain_.lo[axis];
    Vec<D, double> image = x;
    if (x[axis] < domain_.lo[axis] + reach) {
      image[axis] = x[axis] + period;
      if (look(image, r, level, axis + 1, f)) return true;
    }
    if (x[axis] > domain_.hi[axis] - reach) {
      image[axis] = x[axis] - period;
      if (look(image, r, level, axis + 1, f)) return true;
    }
    return false;
  }
  template <class F> bool look_cells(const Vec<D, double>& x, double r, int level, F& f) const {
    const Cell middle = cell_of(level, x);
    constexpr int cells = D == 2 ? 9 : 27;
    for (int n = 0; n < cells; ++n) {
      Cell cell = middle;
      for (int k = 0, rest = n; k < D; ++k, rest /= 3) cell[k] += rest % 3 - 1;
      const std::uint64_t key = key_of(level, cell);
      for (std::uint32_t e = head_[key & (head_.size() - 1)]; e != none; e = entries_[e].next) {
        const Entry& one = entries_[e];
        if (one.key != key) continue;
        const double gap = norm(one.x - x) - r - one.r;
        if (gap < r && f(one.index, gap)) return true;
      }
    }
    return false;
  }

  Domain<D> domain_;
  std::vector<std::uint32_t> head_;
  std::vector<Entry> entries_;
  std::vector<int> levels_;
};

}  // namespace scree
