// SPDX-License-Identifier: BSD-3-Clause
/// Threads and their grains.
///
/// Two threads may have caches of their own that are far from each other: on one machine we measured, a line that the other one has
/// written takes 200 ns to come, as long as eight contacts take to compute. So a thread keeps its grains, as many rows and pairs as the others
/// have, in all loops of a step and in all steps of a list. What it has in common with others, at the borders, comes last in each loop, and
/// is asked for bit by bit while the rest is computed (so threads need to meet but once a step, Engine::sweep_and_go_on()): before it sweeps the border, places and velocities of grains beyond it, and
/// the shares it will leave for them, which others have read; before grains at the border go on, the shares that others have left for
/// them, and these grains, which others have read.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <ranges>
#include <vector>

#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"
#include "scree/core/wide_loop.hpp"
#include "scree/engines/engine.hpp"

namespace scree {
namespace {

/// What parts of all work threads are to have: such that they would have been ready together with the list before. Not all pairs touch
/// everywhere alike, nor need processors be alike.
std::vector<double> shares(const std::vector<Territory>& before, std::size_t team) {
  const double even = 1 / static_cast<double>(team);
  std::vector<double> share(team, even);
  if (before.size() != team) return share;
  for (std::size_t k = 0; k < team; ++k) share[k] = before[k].share;
  if (!std::ranges::all_of(before, [](const Territory& one) { return one.busy > 0; })) return share;
  double busy = 0;
  for (const Territory& one : before) busy += one.busy * even;
  for (std::size_t k = 0; k < team; ++k)
    share[k] = std::clamp(share[k] * std::clamp(busy / before[k].busy, 0.9, 1.1), 0.5 * even, 2 * even);  // a thread that was held up once loses little
  const double all = std::accumulate(share.begin(), share.end(), 0.0);
  for (double& one : share) one /= all;
  return share;
}

}  // namespace

/// Deals grains out, for the list there is now.
template <int D, class T>
void Engine<D, T>::settle() {
  const std::size_t n = world_.grains.size();
  const std::size_t team = static_cast<std::int64_t>(n) < small_system ? 1 : static_cast<std::size_t>(omp_get_max_threads());
  const std::vector<double> share = shares(territory_, team);
  territory_.assign(team, {});
  constexpr std::size_t fine = std::size_t{1} << 20;
  std::size_t first = 0;
  double until = 0;
  for (std::size_t k = 0; k < team; ++k) {
    Territory& one = territory_[k];
    one.share = share[k];
    until += share[k];
    std::size_t last = k + 1 == team ? n : cut(0, n, static_cast<std::size_t>(until * static_cast<double>(fine)), fine);
    if (k + 1 < team && packs_.loaded) {  // where a window ends
      last = std::ranges::lower_bound(packs_.window, last, {}, &Packs<D, T>::Window::row)->row;
    } else if (k + 1 < team) {
      last = std::min(n, (last + stirred_together / 2) / stirred_together * stirred_together);
    }
    one.first = std::min(first, n);
    one.last = first = std::max(last, one.first);
    one.outside.assign((one.last - one.first + grain_block - 1) / grain_block, 1);
  }
  if (packs_.loaded) survey();
}

/// What of packs lies at borders. (Where several steps go at once, slabs are dealt out instead.)
template <int D, class T>
void Engine<D, T>::survey() {
  const State<D, T>& s = world_.state;
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  for (Territory& own : territory_) {
    own.windows.clear();
    own.blocks.clear();
    own.inner = 0;
    own.for_sweep.clear();
    own.for_going_on.clear();
  }
  if (territory_.size() == 1 || slabs_.most > 1) return;
  using For = CacheLines::For;
  const auto add_grain = [&](std::vector<CacheLines>& to, std::size_t j, For what) {
    add_lines(to, &records_[j], sizeof records_[j], what);
    if constexpr (D == 3) add_lines(to, &s.w[j], sizeof s.w[j], what);
  };
  const auto add_share = [&](std::vector<CacheLines>& to, std::size_t slot, For what) { add_lines(to, &packs_.back[slot], sizeof packs_.back[slot], what); };

  std::vector<std::uint8_t> visited(records_.size());  // of grains: are they in rows of others, who look at them and leave them shares?
  for_each_territory([&](std::size_t, Territory& own) {
    const auto abroad = [&](std::size_t j) { return j < own.first || j >= own.last; };
    const auto visit = [&](std::size_t j) { std::atomic_ref(visited[j]).store(1, std::memory_order_relaxed); };  // as other threads may
    const std::uint32_t from = window_at(own.first), until = window_at(own.last);
    std::vector<std::uint8_t> known(records_.size());
    std::vector<Territory::Run> at_border;
    for (std::uint32_t w = from; w < until; ++w) {
      const std::size_t before = own.for_sweep.size();
      for (std::size_t slice = packs_.window[w].slice; slice < packs_.window[w + 1].slice; ++slice)
        for (std::size_t one = packs_.at[slice]; one < packs_.at[slice] + packs_.count[slice]; ++one)
          for (std::size_t l = 0; l < lanes; ++l) {
            const std::size_t slot = one * lanes + l;
            const std::uint32_t j = packs_.partner[slot];
            if (!abroad(j) || one - packs_.at[slice] >= packs_.length[slice * lanes + l]) continue;
            visit(j);
            if (!std::exchange(known[j], std::uint8_t{1})) add_grain(own.for_sweep, j, For::reading);
            add_share(own.for_sweep, slot, For::writing);
          }
      auto& runs = own.for_sweep.size() == before ? own.windows : at_border;
      if (!runs.empty() && runs.back().until == w) ++runs.back().until;
      else runs.push_back({w, w + 1});
    }
    own.windows.insert(own.windows.end(), at_border.begin(), at_border.end());
    const auto& far = packs_.far;
    for (std::size_t k = far.begin[packs_.window[from].slice]; k < far.begin[packs_.window[until].slice]; ++k)
      if (abroad(far.partner[k])) visit(far.partner[k]);
  });

  for_each_territory([&](std::size_t, Territory& own) {
    const auto begin = [&](std::size_t row) { return packs_.number(packs_.begin[packs_.window[window_at(row)].slice] * lanes); };
    const std::uint32_t low = begin(own.first), high = begin(own.last), none = packs_.number(packs_.nobody);
    std::vector<std::uint32_t> border_blocks;
    for (std::size_t first = own.first, block = 0; first < own.last; first += grain_block, ++block) {
      bool at_border = false;
      for (std::size_t j = first; j < std::min(first + grain_block, own.last); ++j) {
        if (!visited[j]) continue;
        at_border = true;
        for (std::size_t l = 0; l < 4; ++l) {
          const std::uint32_t number = packs_.few[4 * j + l] & ~1U;
          if (number != none && !(number >= low && number < high)) add_share(own.for_going_on, number / packs_.number(1), For::reading);
        }
        add_grain(own.for_going_on, j, For::writing);
      }
      (at_border ? border_blocks : own.blocks).push_back(static_cast<std::uint32_t>(block));
    }
    own.inner = own.blocks.size();
    own.blocks.insert(own.blocks.end(), border_blocks.begin(), border_blocks.end());
  });
}

/// The first window that begins at a row, or behind it.
template <int D, class T>
std::uint32_t Engine<D, T>::window_at(std::size_t row) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(packs_.window, row, {}, &Packs<D, T>::Window::row) - packs_.window.begin());
}

#define SCREE_INSTANTIATE(D, T)            \
  template void Engine<D, T>::settle();    \
  template void Engine<D, T>::survey();    \
  template std::uint32_t Engine<D, T>::window_at(std::size_t) const;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
