// SPDX-License-Identifier: BSD-3-Clause
/// Threads and their grains.
///
/// Two threads may have caches of their own that are far from each other: on one machine we measured, a line that the other one has
/// written takes 200 ns to come, as long as eight contacts take to compute. So a thread keeps its grains, as many rows and pairs as the others
/// have, in all loops of a step and in all steps of a list; and what it has in common with others, at the borders, it asks for
/// before it needs it: before a sweep places and velocities of grains abroad and its shares for them, which they have read, and before
/// going on the shares that others have left for its own grains, and these grains, which they have read.
#include <omp.h>

#include <algorithm>
#include <ranges>

#include "scree/core/fetch.hpp"
#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"
#include "scree/core/wide_loop.hpp"
#include "scree/engines/engine.hpp"

namespace scree {

/// Deals grains out, for the list there is now.
template <int D, class T>
void Engine<D, T>::settle() {
  const std::size_t n = world_.grains.size();
  const std::size_t team = static_cast<std::int64_t>(n) < small_system ? 1 : static_cast<std::size_t>(omp_get_max_threads());
  territory_.resize(team);
  std::size_t first = 0;
  for (std::size_t k = 0; k < team; ++k) {
    Territory& one = territory_[k];
    std::size_t last = k + 1 == team ? n : cut(0, n, k + 1, team);
    if (k + 1 < team && packs_.loaded) {  // where a window ends
      last = std::ranges::lower_bound(packs_.window, last, {}, &Packs<D, T>::Window::row)->row;
    } else if (k + 1 < team) {
      last = std::min(n, (last + stirred_together / 2) / stirred_together * stirred_together);
    }
    one.first = std::min(first, n);
    one.last = first = std::max(last, one.first);
    one.outside.assign((one.last - one.first + grain_block - 1) / grain_block, 1);
  }
  list_abroad();
}

template <int D, class T>
void Engine<D, T>::list_abroad() {
  for (Territory& one : territory_) {
    one.abroad.clear();
    one.visited.clear();
  }
  if (territory_.size() == 1 || slabs_.most > 1 || rows_.partner.size() != pair_count()) return;
  const auto unique = [](std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  for_each_territory([&](std::size_t, Territory& one) {
    for (std::uint32_t p = rows_.begin[one.first]; p < rows_.begin[one.last]; ++p) {
      const std::uint32_t j = rows_.partner[p];
      if (j < one.first || j >= one.last) one.abroad.push_back(j);
    }
    unique(one.abroad);
  });
  for_each_territory([&](std::size_t, Territory& one) {
    for (const Territory& other : territory_) {
      if (&other == &one) continue;
      const auto from = std::ranges::lower_bound(other.abroad, one.first), until = std::ranges::lower_bound(other.abroad, one.last);
      one.visited.insert(one.visited.end(), from, until);
    }
    unique(one.visited);
  });
}

/// Before a sweep.
template <int D, class T>
void Engine<D, T>::fetch_abroad(const Territory& own, const State<D, T>& s) const {
  for (const std::uint32_t j : own.abroad) {
    fetch(&records_[j]);
    if constexpr (D == 3) {
      fetch(&s.w[j]);
      fetch(reinterpret_cast<const char*>(&s.w[j] + 1) - 1);
    }
  }
  if (!packs_.loaded) return;
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  const auto slice_at = [&](std::size_t row) { return std::ranges::lower_bound(packs_.window, row, {}, &Packs<D, T>::Window::row)->slice; };
  const std::uint32_t low = packs_.number(packs_.begin[slice_at(own.first)] * lanes), high = packs_.number(packs_.begin[slice_at(own.last)] * lanes);
  for (const std::uint32_t j : own.abroad)
    for (std::size_t l = 0; l < 4; ++l) {
      const std::uint32_t number = packs_.few[4 * j + l] & ~1U;
      if (number < low || number >= high) continue;
      const char* const share = reinterpret_cast<const char*>(packs_.back.data()) + std::size_t{number} * 4;
      fetch_to_write(share);
      fetch_to_write(share + sizeof(Share<D, T>) - 1);
    }
}

/// Before going on.
template <int D, class T>
void Engine<D, T>::fetch_visited(const Territory& own, const State<D, T>& s) const {
  for (const std::uint32_t j : own.visited) {
    fetch_to_write(&records_[j]);
    if constexpr (D == 3) {
      fetch_to_write(&s.w[j]);
      fetch_to_write(reinterpret_cast<const char*>(&s.w[j] + 1) - 1);
    }
    if (!packs_.loaded) continue;
    for (std::size_t l = 0; l < 4; ++l) {
      const char* const share = reinterpret_cast<const char*>(packs_.back.data()) + std::size_t{packs_.few[4 * j + l] & ~1U} * 4;
      fetch(share);
      fetch(share + sizeof(Share<D, T>) - 1);
    }
  }
}

#define SCREE_INSTANTIATE(D, T)                                                              \
  template void Engine<D, T>::settle();                                                      \
  template void Engine<D, T>::fetch_abroad(const Territory&, const State<D, T>&) const;      \
  template void Engine<D, T>::fetch_visited(const Territory&, const State<D, T>&) const;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
