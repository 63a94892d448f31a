// SPDX-License-Identifier: BSD-3-Clause
/// Testing runs of candidates. The walk through the cells says which items each grain has to be
/// tested with; here it is done, eight items at a time where the processor can (four, or one, where
/// it cannot; SCREE_SIMD=plain|v3 asks for less). The test is the one of Near, operation by
/// operation, so the pairs are the same.
#pragma once

#include <array>

#include "scree/neighbours/rows.hpp"

namespace scree {

/// What is read of the grains, sorted by cell. Columns are longer than the items by `padding`,
/// which may be read and is not looked at.
template <int D, class T> struct ScanItems {
  static constexpr std::size_t padding = 8;
  std::array<Column<T>, D> x;
  Column<T> r;
  Column<std::uint64_t> key;

  void resize(std::size_t items) {
    for (auto& column : x) column.resize(items + padding);
    r.resize(items + padding);
    key.resize(items + padding);
  }
  void set(std::size_t item, const Vec<D, T>& at, const T& radius, std::uint64_t its_key) {
    for (int k = 0; k < D; ++k) x[static_cast<std::size_t>(k)][item] = at[k];
    r[item] = radius;
    key[item] = its_key;
  }
  std::size_t bytes() const {
    std::size_t sum = r.capacity() * sizeof(T) + key.capacity() * sizeof(std::uint64_t);
    for (const auto& column : x) sum += column.capacity() * sizeof(T);
    return sum;
  }
};

/// Items first .. last are candidates of a grain, shifted by an image: a digit in base 3 for every
/// axis, 0, 1 (a period down) or 2 (up).
struct ScanRun {
  std::uint32_t grain, first, last;
  std::uint8_t image;
  bool several;  // an item may be near in another image: look for the shortest
  bool twice;    // the pair is met from both sides: it counts for the one of lower id
};

template <int D, class T> struct ScanTask {
  const SearchInput<D, T>& in;
  const ScanItems<D, T>& items;
  Near<D, T> near;
  std::array<Vec<D, T>, 27> shift{};

  ScanTask(const SearchInput<D, T>& in_, const ScanItems<D, T>& items_, double skin)
      : in(in_), items(items_), near(in_.domain, skin) {
    const Vec<D, T>& length = near.periods.length;
    for (int image = 0; image < 27; ++image) {
      const std::array<int, 3> digit{image % 3, image / 3 % 3, image / 9};
      for (int k = 0; k < D; ++k) {
        const int way = digit[static_cast<std::size_t>(k)];
        shift[static_cast<std::size_t>(image)][k] =
            way == 1 ? -length[k] : (way == 2 ? length[k] : T(0));
      }
    }
  }
};

/// Writes the pairs of the runs, lower id first, from `out` on, and gives their end. There is room
/// for all candidates, and ScanItems::padding more.
template <int D, class T>
FoundPair* scan(const ScanTask<D, T>& task, const ScanRun* run, const ScanRun* end, FoundPair* out);

}  // namespace scree
