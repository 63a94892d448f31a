// SPDX-License-Identifier: BSD-3-Clause
/// Contacts side by side: how the usual step of a dense bed stores them (packs.cpp makes them, pack_kernels.hpp loops over them).
///
/// As many rows of the list as a register has lanes lie side by side, a slice; its packs are the first pairs of these rows, then
/// the second ones, and so on. What belongs to the owner of a row is read once a slice and summed up in its lane; springs lie
/// as registers want them. So that no lane waits for others, rows of a window of some hundred grains are sorted by length.
///
///     row      5   9   2   7          5: partners 8, 12, 30   9: 14, 31   2: 6, 8   7: 44
///     pack 0   8  14   6  44
///     pack 1  12  31   8   ·
///     pack 2  30   ·   ·   ·          ·: nobody
///
/// Only pairs that touch lie in packs, or are about to. The others are far: nothing is stored of them but who they are, and before a
/// window is swept its far pairs are looked at. One that has begun to touch is moved into its row, where ids want it (take_in); if
/// the slice has no pack left for it, the slice moves to the room behind all others, which has a place for every listed pair. In a
/// bed at rest that is rare. Most far pairs are not even looked at: now and then those with a gap below some width are put in front in
/// their window, and until two grains can have come that far with respect to each other these alone are watched.
///
/// Whether packs or batches (batch.hpp) are faster on this machine, with these laws, the first steps find out (FasterOfTwo). Springs
/// and shares are in one form or the other and not in both, so packs take little more memory; they go when somebody looks. Where the
/// list ends, springs wait in the memory of shares, by the numbers of the old list, and go into the next packs from there.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "scree/core/column.hpp"
#include "scree/core/faster_of_two.hpp"
#include "scree/engines/batch.hpp"

namespace scree {

/// When contacts lie side by side. Results do not depend on it; tests lower the numbers to see it in small scenes.
inline struct PackSettings {
  double touching = 0.1;    // of listed pairs, at least, or they are not even tried
  std::int64_t steps = 20;  // before somebody looks, and from list to list, at least: to make packs and take them apart costs three or so
  enum class Use : std::uint8_t { where_faster, always, never } use = Use::where_faster;
} pack_settings;

/// Rows that are sorted by length: more waste fewer lanes, fewer stay in the cache.
inline constexpr std::size_t window_rows = 256;
/// Pairs of a row, and incoming ones of a grain: lists with more are left to batches.
inline constexpr std::uint32_t longest_row = 255;
/// Pairs whose gap is a smaller part of the skin than this lie in packs before they touch: most of those that soon will.
inline constexpr double about_to_touch = 1.0 / 32;

/// Whether to use them.
struct PackChoice {
  std::int64_t looked = -1;  // when it was last asked whether listed pairs touch (Engine::evaluations)
  std::int64_t listed = 0;   // when the list was made
  std::int64_t lasted = std::numeric_limits<std::int64_t>::max();  // the one before it, evaluations
  bool dense = false;        // they did
  FasterOfTwo faster;        // batches or packs
};

template <int D, class T>
struct Packs {
  bool loaded = false;       // they are in use: springs and shares of pairs are here and nowhere else, and so is who touches
  std::size_t taken = 0;     // springs that are missing in front of those in the state, which are of walls
  T margin{};                // borders are known as long as no grain has moved farther since it was listed
  /// Rows that are sorted by length together, and the slices they make: those of one lie in order, and so do windows.
  struct Window {
    std::uint32_t row, slice;  // the first
  };
  Column<Window> window;  // and the end
  Column<std::uint32_t> begin;     // of each slice: where its packs were laid; then the end
  // see PackView
  Column<std::uint32_t> row, at;
  Column<std::uint8_t> count, length, border;
  Room<std::uint32_t> partner;
  Room<std::uint8_t> touch;
  Room<T> zeta;
  Room<Share<D, T>> back;
  Room<std::uint8_t> rank;         // of each pack and lane: which pair of its row it is in the list
  std::uint32_t nobody = 0;        // a slot whose share is zero, for pairs that have none
  std::uint32_t spare = 0;         // the first pack that nobody has been given
  Column<std::uint32_t> few, in_begin;  // see Incoming
  Room<std::uint32_t> all;
  Column<std::uint8_t> changed;    // are the few of a grain to be made anew?
  /// Pairs that do not touch, window by window. One that has been taken in is left as a grain with itself.
  struct Far {
    Column<std::uint32_t> begin;    // of each slice, when packs were made; in a window they change places later
    Column<std::uint32_t> owner, partner;
    Column<std::uint8_t> entry, rank;
    Column<std::uint32_t> watched;  // of each window: so many are watched, its first ones
    T gap{}, moved{};               // then all others had at least this gap; no two grains have moved farther since with respect to each other

    /// Two change places.
    void swap(std::size_t a, std::size_t b) {
      std::swap(owner[a], owner[b]);
      std::swap(partner[a], partner[b]);
      std::swap(entry[a], entry[b]);
      std::swap(rank[a], rank[b]);
    }
  } far;

  std::uint32_t written = 0;       // packs of this memory, by those that had it before

  /// Of no use any more but for their memory.
  void retire() {
    loaded = false;
    taken = 0;
    written = std::max(written, spare);
    window.clear();
    far.gap = far.moved = T(0);
  }
  /// For so many packs, with so many numbers for a spring. Growing would leave room to spare, and copy what is of no use.
  void make_room(std::size_t packs, std::size_t lanes, std::size_t numbers) {
    const std::size_t slots = packs * lanes;
    const auto make = [&](auto& room, std::size_t size) {
      if (room.capacity() < size) {
        room = std::remove_reference_t<decltype(room)>{};  // {} alone would keep its memory
        room.reserve(size + size / 16);
        written = 0;
      }
      room.resize(size);
    };
    make(partner, slots + lanes * packs_ahead);
    make(touch, packs);
    make(rank, slots);
    make(zeta, slots * numbers);
  }

  /// As long as wanted, and no longer. What was there is lost.
  template <class C>
  static void fit(C& column, std::size_t size) {
    if (column.capacity() < size) {
      column = C{};
      column.reserve(size);
    }
    column.resize(size);
  }

  Incoming incoming() const { return loaded ? Incoming{few.data(), all.data(), in_begin.data()} : Incoming{}; }
  static std::uint32_t number(std::size_t slot) {
    static_assert(sizeof(Share<D, T>) % 8 == 0 || !std::is_same_v<T, double>);  // which are all that have packs
    return static_cast<std::uint32_t>(slot * (sizeof(Share<D, T>) / 4));
  }
  /// The share of the pair that is this one of grain j's is in that slot. Any thread may say so of any grain.
  void point(std::uint32_t j, std::uint8_t which, std::size_t slot) {
    std::atomic_ref(all[in_begin[j] + which]).store(number(slot), std::memory_order_relaxed);
    std::atomic_ref(changed[j]).store(1, std::memory_order_relaxed);
  }
  /// One of grain j's shares has moved. Which one it was is not kept: this happens to few.
  void move(std::uint32_t j, std::size_t from, std::size_t to) {
    const std::uint32_t wanted = number(from);
    std::uint32_t k = in_begin[j];
    while (std::atomic_ref(all[k]).load(std::memory_order_relaxed) != wanted) ++k;  // other threads move others
    point(j, static_cast<std::uint8_t>(k - in_begin[j]), to);
  }
  /// The few of grains first … last-1, where they have changed.
  void renew_few(std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < last; ++j) {
      std::uint64_t eight;
      if (j + 8 <= last && (std::memcpy(&eight, &changed[j], 8), eight == 0)) {
        j += 7;
      } else if (changed[j]) {
        changed[j] = 0;
        make_few(j);
      }
    }
  }
  void make_few(std::size_t j) {
    const std::uint32_t none = number(nobody);
    std::uint32_t five[5] = {none, none, none, none, none}, count = 0;
    for (std::uint32_t k = in_begin[j]; k < in_begin[j + 1]; ++k) {  // who is far nobody can foresee
      five[std::min(count, 4U)] = all[k];
      count += all[k] != none;
    }
    if (count < 4) five[count] = none;
    five[3] |= std::uint32_t{count > 4};
    std::copy_n(five, 4, &few[4 * j]);
  }
  /// Is the lane of a slice that begins at `at` nobody's?
  bool of_nobody(std::size_t at, std::size_t lane) const { return lane > 0 && row[at + lane] == row[at]; }
  /// Without shares (Engine::shares_in_memory).
  std::size_t bytes() const {
    const auto of = [](const auto& c) { return c.capacity() * sizeof(c[0]); };
    const auto touched = [&](const auto& c) { return c.size() * sizeof(c[0]) / std::max<std::size_t>(touch.size(), 1) * std::max(spare, written); };
    return of(window) + of(begin) + of(row) + of(at) + of(count) + of(length) + of(border) + touched(partner) + touched(touch) + touched(zeta) +
           touched(rank) + of(few) + of(all) + of(in_begin) + of(changed) + of(far.begin) + of(far.owner) + of(far.partner) + of(far.entry) + of(far.rank) + of(far.watched);
  }
};

}  // namespace scree
