// SPDX-License-Identifier: BSD-3-Clause
/// The Morton curve through a grid of cells, and sorting along it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

/// Bits of the coordinates, interleaved: z1 y1 x1 z0 y0 x0.
template <int D> std::uint64_t morton(const std::array<std::uint64_t, D>& c) {
  const auto spread = [](std::uint64_t v) {
    if constexpr (D == 2) {
      v = (v | v << 16) & 0x0000FFFF0000FFFFULL;
      v = (v | v << 8) & 0x00FF00FF00FF00FFULL;
      v = (v | v << 4) & 0x0F0F0F0F0F0F0F0FULL;
      v = (v | v << 2) & 0x3333333333333333ULL;
      return (v | v << 1) & 0x5555555555555555ULL;
    } else {
      v = (v | v << 32) & 0x001F00000000FFFFULL;
      v = (v | v << 16) & 0x001F0000FF0000FFULL;
      v = (v | v << 8) & 0x100F00F00F00F00FULL;
      v = (v | v << 4) & 0x10C30C30C30C30C3ULL;
      return (v | v << 2) & 0x1249249249249249ULL;
    }
  };
  std::uint64_t key = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(D); ++k) key |= spread(c[k]) << k;
  return key;
}

struct CurveItem {
  std::uint64_t key;
  std::uint32_t index;
};

/// Stable radix sort by the lowest `bits` bits of the keys.
inline void sort_by_key(std::vector<CurveItem>& items, int bits) {
  constexpr int digit = 11;
  std::vector<CurveItem> other(items.size());
  std::array<std::uint32_t, (1 << digit) + 1> at;
  for (int shift = 0; shift < bits; shift += digit) {
    const auto value = [shift](const CurveItem& one) {
      return one.key >> shift & ((1 << digit) - 1);
    };
    at.fill(0);
    for (const CurveItem& one : items) ++at[value(one) + 1];
    for (std::size_t v = 1; v < at.size(); ++v) at[v] += at[v - 1];
    for (const CurveItem& one : items) other[at[value(one)]++] = one;
    items.swap(other);
  }
}

}  // namespace scree
