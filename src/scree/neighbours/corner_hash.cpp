// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/corner_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "scree/core/errors.hpp"

namespace scree {

// --- The map
// ----------------------------------------------------------------------------------------

namespace {

constexpr std::int32_t free_slot = -1, no_memory = -2;
constexpr std::size_t group = 64;

constexpr std::uint32_t capacity(std::int32_t level) { return 4U << level; }

}  // namespace

template <int D> void CellMap<D>::clear() {
  for (Slot& slot : slots_) slot.level = free_slot;
  used_ = 0;
  pool_.clear();
  for (auto& offsets : spare_) offsets.clear();
}

template <int D> std::size_t CellMap<D>::find(const Cell& cell) const {
  constexpr int bits = D == 2 ? 3 : 2;
  std::uint64_t block = 0;
  std::size_t place = 0;
  for (const std::int32_t c : cell) {
    block = (block ^ static_cast<std::uint32_t>(c >> bits)) * 0x9E3779B97F4A7C15ULL;
    block ^= block >> 29;
    place = place << bits | static_cast<std::size_t>(c & ((1 << bits) - 1));
  }
  block *= 0xBF58476D1CE4E5B9ULL;
  place ^= block >> 58;
  const std::size_t groups = slots_.size() / group, first = (block >> 20) & (groups - 1);
  for (;; place = (place + 1) & (group - 1))
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t at = ((first + g) & (groups - 1)) * group + place;
      if (slots_[at].level == free_slot || slots_[at].cell == cell) return at;
    }
}

template <int D> void CellMap<D>::grow() {
  std::size_t filled = 0;
  for (const Slot& slot : slots_) filled += slot.level != free_slot && slot.size > 0;
  std::vector<Slot> old(std::max(group, std::bit_ceil(3 * filled)), Slot{{}, 0, 0, free_slot});
  old.swap(slots_);
  used_ = filled;
  for (const Slot& slot : old) {
    if (slot.level == free_slot) continue;
    if (slot.size > 0)
      slots_[find(slot.cell)] = slot;
    else if (slot.level >= 0)
      spare_[static_cast<std::size_t>(slot.level)].push_back(slot.offset);
  }
}

template <int D> void CellMap<D>::enlarge(Slot& slot) {
  const std::int32_t level = slot.level == no_memory ? 0 : slot.level + 1;
  auto& offsets = spare_[static_cast<std::size_t>(level)];
  auto offset = static_cast<std::uint32_t>(pool_.size());
  if (offsets.empty()) {
    pool_.resize(pool_.size() + capacity(level));
  } else {
    offset = offsets.back();
    offsets.pop_back();
  }
  std::copy_n(pool_.begin() + slot.offset, slot.size, pool_.begin() + offset);
  if (slot.level >= 0) spare_[static_cast<std::size_t>(slot.level)].push_back(slot.offset);
  slot.offset = offset;
  slot.level = level;
}

template <int D> void CellMap<D>::insert(const Cell& cell, std::uint32_t grain) {
  if (8 * (used_ + 1) > 5 * slots_.size()) grow();
  Slot& slot = slots_[find(cell)];
  if (slot.level == free_slot) {
    slot = {cell, 0, 0, no_memory};
    ++used_;
  }
  if (slot.level == no_memory || slot.size == capacity(slot.level)) enlarge(slot);
  pool_[slot.offset + slot.size++] = grain;
}

template <int D> void CellMap<D>::remove(const Cell& cell, std::uint32_t grain) {
  Slot& slot = slots_[find(cell)];
  std::uint32_t* bucket = pool_.data() + slot.offset;
  for (std::uint32_t a = 0; a < slot.size; ++a)
    if (bucket[a] == grain) {
      bucket[a] = bucket[--slot.size];
      return;
    }
}

template <int D> std::span<const std::uint32_t> CellMap<D>::bucket(const Cell& cell) const {
  const Slot& slot = slots_[find(cell)];
  return {pool_.data() + slot.offset, slot.level == free_slot ? 0 : slot.size};
}

template <int D> std::size_t CellMap<D>::bytes() const {
  std::size_t sum = slots_.capacity() * sizeof(Slot) + pool_.capacity() * sizeof(std::uint32_t);
  for (const auto& offsets : spare_) sum += offsets.capacity() * sizeof(std::uint32_t);
  return sum;
}

// --- The grid
// ---------------------------------------------------------------------------------------

template <int D, class T> void CornerHash<D, T>::lay_grid(const SearchInput<D, T>& in) {
  domain_ = in.domain;
  const double grain = r_max_ + skin_ / 2;
  for (int k = 0; k < D; ++k) {
    const auto a = static_cast<std::size_t>(k);
    const double lo = in.domain.lo[k], hi = in.domain.hi[k];
    const bool periodic = in.domain.periodic[a];
    origin_[a] = periodic ? lo : 0;
    pad_[a] = grain * 0x1p-46 + (periodic ? (std::abs(lo) + std::abs(hi)) * 0x1p-46 : 0);
    side_[a] = 2 * (grain + pad_[a]) * (1 + 0x1p-20);
    if (!(side_[a] > 0)) side_[a] = 1;
    period_[a] = 0;
    if (periodic) {
      const double cells = std::clamp(std::floor((hi - lo) / side_[a]), 1.0, 0x1p28);
      period_[a] = static_cast<std::int32_t>(cells);
      side_[a] = (hi - lo) / cells;
    }
  }
}

template <int D, class T> auto CornerHash<D, T>::box(const Vec<D, T>& x, const T& r, int k) const
    -> Side {
  const auto a = static_cast<std::size_t>(k);
  const T half = r + T(skin_ / 2 + pad_[a]);
  const T centre = x[k] - T(origin_[a]);
  return {static_cast<double>(centre - half), static_cast<double>(centre + half)};
}

/// The g with g L <= y < (g + 1) L, products as rounded.
template <int D, class T> std::int32_t CornerHash<D, T>::coordinate(double y, int k) const {
  const double side = side_[static_cast<std::size_t>(k)];
  double g = std::clamp(std::floor(y / side), -0x1p29, 0x1p29);
  if (y < g * side) g -= 1;
  if (y >= (g + 1) * side) g += 1;
  return static_cast<std::int32_t>(std::clamp(g, -0x1p29, 0x1p29));
}

/// The distinct cells that hold a corner.
template <int D, class T> auto CornerHash<D, T>::cells(const Corners& corners) const
    -> CornerCells {
  CornerCells all;
  all.count = 1;
  all.cell[0] = corners.low;
  for (std::size_t k = 0; k < static_cast<std::size_t>(D); ++k) {
    const std::int32_t n = period_[k];
    const auto wrap = [n](std::int32_t c) {
      return n == 0 ? c : (c < 0 ? c + n : (c >= n ? c - n : c));
    };
    const std::int32_t low = wrap(corners.low[k]), high = wrap(corners.low[k] + 1);
    const int so_far = all.count;
    for (int c = 0; c < so_far; ++c) {
      Cell& cell = all.cell[static_cast<std::size_t>(c)];
      cell[k] = low;
      if ((corners.straddles >> k & 1) && high != low) {
        Cell& next = all.cell[static_cast<std::size_t>(all.count++)];
        next = cell;
        next[k] = high;
      }
    }
  }
  return all;
}

// --- Initialisation
// ---------------------------------------------------------------------------------

template <int D, class T> bool CornerHash<D, T>::same_grains(const SearchInput<D, T>& in) const {
  return ready_ && in.id == id_ && in.domain.periodic == domain_.periodic &&
         in.domain.lo == domain_.lo && in.domain.hi == domain_.hi;
}

template <int D, class T> void CornerHash<D, T>::initialise(const SearchInput<D, T>& in) {
  ready_ = false;
  lay_grid(in);
  map_.clear();  // I.1
  id_ = in.id;
  corners_.assign(in.x.size(), Corners{{}, 0, false});
  for (std::size_t i = 0; i < in.x.size(); ++i)  // I.5
    if (in.present[i]) insert(in, i);
  ready_ = true;
  ++initialised_;
}

template <int D, class T>
void CornerHash<D, T>::insert(const SearchInput<D, T>& in, std::size_t i) {
  Corners& corners = corners_[i];
  corners = {{}, 0, true};
  for (int k = 0; k < D; ++k) {  // I.2, M.4: the only divisions
    const Side side = box(in.x[i], in.r[i], k);
    if (!std::isfinite(side.low) || !std::isfinite(side.high)) {
      ready_ = false;
      throw RunError("the position of grain " + std::to_string(in.id[i]) + " is not finite");
    }
    const std::int32_t low = coordinate(side.low, k);
    corners.low[static_cast<std::size_t>(k)] = low;
    if (coordinate(side.high, k) != low) corners.straddles |= static_cast<std::uint8_t>(1 << k);
  }
  const CornerCells in_cells = cells(corners);
  for (int c = 0; c < in_cells.count; ++c)  // I.4, M.5
    map_.insert(in_cells.cell[static_cast<std::size_t>(c)], static_cast<std::uint32_t>(i));
}

// --- Maintenance
// ------------------------------------------------------------------------------------

/// M.1, M.2: is every corner still in its cell? Subtraction and multiplication alone.
template <int D, class T>
bool CornerHash<D, T>::stays(const SearchInput<D, T>& in, std::size_t i) const {
  const Corners& corners = corners_[i];
  bool inside = true;
  for (int k = 0; k < D; ++k) {
    const auto a = static_cast<std::size_t>(k);
    const double side = side_[a];
    const auto low = static_cast<double>(corners.low[a]);
    const double high = low + (corners.straddles >> k & 1);
    const Side y = box(in.x[i], in.r[i], k);
    inside &= (y.low - low * side >= 0) & (y.low - (low + 1) * side < 0) &
              (y.high - high * side >= 0) & (y.high - (high + 1) * side < 0);
  }
  return inside;
}

template <int D, class T> void CornerHash<D, T>::remove(std::size_t i) {
  const CornerCells in_cells = cells(corners_[i]);
  for (int c = 0; c < in_cells.count; ++c)
    map_.remove(in_cells.cell[static_cast<std::size_t>(c)], static_cast<std::uint32_t>(i));
  corners_[i].stored = false;
}

template <int D, class T> void CornerHash<D, T>::maintain(const SearchInput<D, T>& in) {
  // The comparison is shared among threads, each with a stretch of grains; the few grains that
  // have left are then moved one by one, in storage order.
  const std::size_t n = in.x.size();
  const int threads = threads_for(n);
  leavers_.resize(std::max(leavers_.size(), static_cast<std::size_t>(threads)));
  for (auto& leavers : leavers_) leavers.clear();
#pragma omp parallel num_threads(threads)
  {
    auto& leavers = leavers_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < n; ++i)
      if (corners_[i].stored != (in.present[i] != 0) || (corners_[i].stored && !stays(in, i)))
        leavers.push_back(static_cast<std::uint32_t>(i));
  }
  for (const auto& leavers : leavers_)
    for (const std::uint32_t i : leavers) {
      if (corners_[i].stored) remove(i);  // M.3
      if (in.present[i]) insert(in, i);   // M.4, M.5
      ++reinserted_;
    }
}

// --- Retrieval
// --------------------------------------------------------------------------------------

/// R.1-R.4. Candidates are tested before they are sorted, not after: it is the same set, and a few
/// partners are sorted instead of some seventy.
template <int D, class T> template <bool Wraps>
std::size_t CornerHash<D, T>::row(const SearchInput<D, T>& in, const Near<D, T>& near,
                                  std::size_t i, RowKeys& keys) const {
  if (!corners_[i].stored) return 0;
  const Vec<D, T> x = in.x[i];
  const T r = in.r[i];
  const std::uint32_t id = in.id[i];
  const CornerCells around = cells(corners_[i]);  // R.1, each cell once
  std::size_t found = 0;
  for (int c = 0; c < around.count; ++c) {  // R.2, R.3
    const auto bucket = map_.bucket(around.cell[static_cast<std::size_t>(c)]);
    std::uint64_t* key = keys.room(found, bucket.size());
    for (const std::uint32_t j : bucket) {
      key[found] = pair_key(in.id[j], j);
      const int near_enough = near.template test<Wraps>(x, r, in.x[j], in.r[j]);
      found += static_cast<std::size_t>((in.id[j] > id) & near_enough);
    }
  }
  if (in.held[i]) found = keys.drop_held(found, in.held);
  keys.sort(found);  // R.4
  return keys.unique(found);
}

template <int D, class T> void CornerHash<D, T>::find(const SearchInput<D, T>& in, PairRows& rows) {
  double r_max = r_max_;
  for (std::size_t i = 0; i < in.x.size(); ++i)
    if (in.present[i]) r_max = std::max(r_max, static_cast<double>(in.r[i]));
  const bool grown = r_max > r_max_;
  r_max_ = r_max;
  if (grown || !same_grains(in))
    initialise(in);
  else
    maintain(in);

  const Near<D, T> near(in.domain, skin_);
  if (near.periods.any)
    builder_.build(in.x.size(), rows,
                   [&](std::size_t i, RowKeys& keys) { return row<true>(in, near, i, keys); });
  else
    builder_.build(in.x.size(), rows,
                   [&](std::size_t i, RowKeys& keys) { return row<false>(in, near, i, keys); });
}

template <int D, class T> std::size_t CornerHash<D, T>::bytes() const {
  std::size_t sum = map_.bytes() + builder_.bytes() + id_.capacity() * sizeof(std::uint32_t) +
                    corners_.capacity() * sizeof(Corners);
  for (const auto& leavers : leavers_) sum += leavers.capacity() * sizeof(std::uint32_t);
  return sum;
}

#define SCREE_INSTANTIATE(D, T) template class CornerHash<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
