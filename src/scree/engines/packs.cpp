// SPDX-License-Identifier: BSD-3-Clause
/// Making packs of contacts, sweeping them and taking springs in and out of them; see packs.hpp.
///
/// What is packed, and how, changes no bit: pairs that do not touch have shares of zero, and rows are summed up in the order of ids.
#include "scree/engines/packs.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <ranges>
#include <vector>

#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {
namespace {

/// f(k) of so many parts of a system of n grains.
template <class F>
void for_each_of(std::size_t n, std::size_t parts, const F& f) {
  if (static_cast<std::int64_t>(n) < small_system) {
    for (std::size_t k = 0; k < parts; ++k) f(k);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < parts; ++k) f(k);
}

/// Another thread may read it to fetch ahead, and does not care what it finds.
void store(std::uint32_t& to, std::uint32_t value) { std::atomic_ref(to).store(value, std::memory_order_relaxed); }

/// Slices of so many rows.
std::uint32_t slices_of(std::size_t rows, std::size_t lanes) { return static_cast<std::uint32_t>((rows + lanes - 1) / lanes); }

/// f(i, lane) for the rows of a slice.
template <int D, class T, class F>
void for_each_row(const Packs<D, T>& packs, std::size_t lanes, std::size_t slice, const F& f) {
  for (std::size_t l = 0; l < lanes; ++l)
    if (!packs.of_nobody(slice * lanes, l)) f(packs.row[slice * lanes + l], l);
}

/// Packs of a slice that has moved once, if it had so many at first: a little room, since memory that lies idle between slices costs time.
constexpr std::uint32_t few_more(std::uint32_t packs) { return packs + 2; }

/// Where a pair of the list is: in a slot, or, with this bit, which far one it is.
constexpr std::uint32_t is_far = 0x80000000U;

}  // namespace

/// Of listed pairs, those that touched in the last evaluation.
template <int D, class T>
double Engine<D, T>::share_that_touches() const {
  const std::size_t pairs = pair_count();
  if (pairs == 0) return 0;
  const auto touching = std::count(live_.begin(), live_.begin() + static_cast<std::ptrdiff_t>(pairs), lasting);
  return static_cast<double>(touching) / static_cast<double>(pairs);
}

/// May contacts between grains go through packs in this evaluation, at most `most` steps before somebody looks?
template <int D, class T>
bool Engine<D, T>::may_pack(const State<D, T>& s, const Task& task, std::int64_t most) {
  using Use = PackSettings::Use;
  if (!kernels_.press_packs || pack_settings.use == Use::never || !task.lean || !task.commit || !is_usual(task) || sleeps_ || forgiving_ ||
      &s != &world_.state || !(search_->reach() > 0) || !kernels_.fits_packs(table_.laws[0]))
    return false;
  if (packs_.loaded) return true;
  if (std::min(most, pack_choice_.lasted) < pack_settings.steps) return false;
  if (pack_choice_.looked < 0 || evaluations >= pack_choice_.looked + pack_settings.steps) {  // again and again: grains find each other
    pack_choice_.looked = evaluations;
    pack_choice_.dense = 2 * pair_count() >= s.size() && share_that_touches() >= pack_settings.touching;
  }
  return pack_choice_.dense;
}

/// Contacts are moved into packs or out of them, if they are to lie there in this evaluation. Returns whether that is a trial.
template <int D, class T>
bool Engine<D, T>::choose_packs(State<D, T>& s, const Task& task, std::int64_t most) {
  if (!may_pack(s, task, most)) {
    unload_packs();
    settle_list(s);
    return false;
  }
  const bool always = pack_settings.use == PackSettings::Use::always;
  const bool trial = !always && pack_choice_.faster.trying();
  if (!always && !pack_choice_.faster.second()) {
    unload_packs();
    settle_list(s);
  } else if (!packs_.loaded) {
    if (!make_packs(s)) {
      pack_choice_.dense = false;
      settle_list(s);
      return false;
    }
  } else if (travelled_ + farthest_ahead() > packs_.margin) {
    mark_borders();
  }
  if (!always && !trial) pack_choice_.faster.passed();
  return trial;
}

/// Which rows are sorted together. Where steps go through slab after slab, a window lies in one of them; where they go through strips, which begin and end with columns, a window lies in a column.
template <int D, class T>
void Engine<D, T>::make_windows() {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  auto& window = packs_.window;
  std::uint32_t slice = 0;
  const auto cut_rows = [&](std::size_t first, std::size_t last, std::size_t rows) {
    for (std::size_t row = first; row < last; row += rows) {
      window.push_back({static_cast<std::uint32_t>(row), slice});
      slice += slices_of(std::min(rows, last - row), lanes);
    }
  };
  const std::size_t n = world_.grains.size();
  if (slabs_.most == 1) {
    for (const Territory& one : territory_) cut_rows(one.first, one.last, window_rows);
  } else if (slabs_.strips > 1) {
    for (std::size_t c = 0; c + 1 < slabs_.begin.size(); ++c) cut_rows(slabs_.begin[c], slabs_.begin[c + 1], window_rows);
  } else {
    const auto columns = static_cast<std::size_t>(slabs_.axis[1].count);
    for (std::size_t c = 0; c + 1 < slabs_.begin.size(); c += columns) {
      const std::size_t first = slabs_.begin[c], last = slabs_.begin[c + columns];
      const std::size_t windows = std::max<std::size_t>((last - first) / window_rows, 1);  // of about the same length
      cut_rows(first, last, std::max<std::size_t>(slices_of((last - first + windows - 1) / windows, lanes) * lanes, 64));
    }
  }
  window.push_back({static_cast<std::uint32_t>(n), slice});
}

/// Pairs of the present list go into packs, with their springs. Returns whether they fit.
template <int D, class T>
bool Engine<D, T>::make_packs(State<D, T>& s) {
  const std::size_t n = world_.grains.size(), pairs = pair_count();
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  constexpr auto Z = static_cast<std::size_t>(spring_size<D>);
  Packs<D, T>& packs = packs_;
  const auto listed = [&](std::size_t i) { return rows_.begin[i + 1] - rows_.begin[i]; };
  if (!std::exchange(incoming_listed_, false)) {  // their memory
    in_begin_.swap(packs.in_begin);
    in_slot_.swap(packs.all);
  }
  const Strangers strangers = count_incoming();
  for (std::size_t i = 0; i < n; ++i)
    if (std::max(listed(i), in_begin_[i + 1] - in_begin_[i]) > longest_row) return false;
  packs.retire();
  Room<std::uint32_t> slot_of(pairs);
  std::vector<std::uint8_t> near(n);  // of each row: pairs that are not far
  const T gap = T(about_to_touch * search_->reach());
  for_each_of(n, (n + window_rows - 1) / window_rows, [&](std::size_t part) {
    const std::size_t first = part * window_rows, last = std::min(first + window_rows, n);
    const std::uint32_t begin = rows_.begin[first], end = rows_.begin[last];
    std::vector<std::uint32_t> owner(end - begin), close(end - begin);
    for (std::size_t i = first; i < last; ++i)
      std::fill(owner.begin() + (rows_.begin[i] - begin), owner.begin() + (rows_.begin[i + 1] - begin), static_cast<std::uint32_t>(i));
    PackView<D, T> view = far_view();
    view.far_owner = owner.data();
    view.far_partner = rows_.partner.data() + begin;
    const std::uint32_t count = kernels_.scout(view, 0, end - begin, gap, close.data());
    for (std::uint32_t p = begin; p < end; ++p) slot_of[p] = live_[p] & sprung ? 0 : is_far;
    for (std::uint32_t k = 0; k < count; ++k) slot_of[begin + close[k]] = 0;
    for (std::uint32_t p = begin; p < end; ++p) near[owner[p - begin]] += slot_of[p] == 0;
  });
  make_windows();
  const std::size_t slices = packs.window.back().slice;
  packs.fit(packs.row, slices * lanes);
  packs.fit(packs.length, slices * lanes);
  packs.fit(packs.count, slices);
  packs.fit(packs.border, slices);
  packs.fit(packs.at, slices);
  packs.fit(packs.begin, slices + 1);
  packs.fit(packs.far.begin, slices + 1);
  for_each_of(n, packs.window.size() - 1, [&](std::size_t w) {
    const std::size_t first = packs.window[w].row, last = packs.window[w + 1].row;
    const std::size_t begin = packs.window[w].slice * lanes, end = packs.window[w + 1].slice * lanes;
    const std::uint32_t most = *std::max_element(near.begin() + static_cast<std::ptrdiff_t>(first), near.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<std::uint32_t> at(most + 2, 0);  // longest first, by counting
    for (std::size_t i = first; i < last; ++i) ++at[most - near[i] + 1];
    for (std::size_t k = 1; k < at.size(); ++k) at[k] += at[k - 1];
    for (std::size_t i = first; i < last; ++i) packs.row[begin + at[most - near[i]]++] = static_cast<std::uint32_t>(i);
    for (std::size_t k = begin; k < end; ++k) {
      const bool somebody = k - begin < last - first;
      if (!somebody) packs.row[k] = packs.row[end - lanes];
      packs.length[k] = somebody ? near[packs.row[k]] : std::uint8_t{0};
    }
  });
  std::size_t spare = 0;  // that would be needed if all slices moved
  packs.begin[0] = packs.far.begin[0] = 0;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    std::uint32_t far = 0;
    for_each_row(packs, lanes, slice, [&](std::uint32_t i, std::size_t) { far += listed(i) - near[i]; });
    packs.count[slice] = packs.length[slice * lanes];
    packs.begin[slice + 1] = packs.begin[slice] + packs.count[slice];
    packs.far.begin[slice + 1] = packs.far.begin[slice] + far;
    if (far > 0) spare += few_more(packs.count[slice]) + most_packs(slice);
  }
  std::copy(packs.begin.begin(), packs.begin.end() - 1, packs.at.begin());

  const std::size_t all = packs.begin[slices], far = packs.far.begin[slices];
  packs.nobody = static_cast<std::uint32_t>(all * lanes);
  packs.spare = static_cast<std::uint32_t>(all + 1);
  const std::size_t room = packs.spare + spare, slots = room * lanes;
  packs.make_room(room, lanes, springs_ ? static_cast<std::size_t>(spring_size<D>) : 0);
  packs.back.swap(back_);  // fresh memory for it would cost as much as a step
  Room<Share<D, T>> before;  // springs that wait, if they cannot stay
  const std::size_t wanted = packs.spare * lanes;
  if (packs.back.capacity() < slots || (is_large() && shares_touched_ > wanted + wanted / 8)) {  // the list needs more
    before.swap(packs.back);
    packs.back.reserve(slots + slots / 16);
    shares_touched_ = 0;
  }
  packs.back.resize(slots);
  const Room<Share<D, T>>& waiting = before.empty() ? packs.back : before;
  packs.fit(packs.far.owner, far);
  packs.fit(packs.far.partner, far);
  packs.fit(packs.far.entry, far);
  packs.fit(packs.far.rank, far);
  packs.far.watched.assign(packs.window.size(), 0);
  const auto& held = world_.grains.held;
  for_each_of(n, packs.window.size() - 1, [&](std::size_t w) {
    const std::size_t first = packs.window[w].row, last = packs.window[w + 1].row;
    // Rows are gone through as the list has them; where they lie among the slices, and their far pairs, is noted before.
    struct Lane {
      std::uint32_t slice, far;
      std::uint8_t lane;
    };
    std::vector<Lane> lane_of(last - first);
    for (std::uint32_t slice = packs.window[w].slice; slice < packs.window[w + 1].slice; ++slice) {
      std::uint32_t far_at = packs.far.begin[slice];
      for_each_row(packs, lanes, slice, [&](std::uint32_t i, std::size_t l) {
        lane_of[i - first] = {slice, far_at, static_cast<std::uint8_t>(l)};
        far_at += listed(i) - near[i];
      });
      if (packs.count[slice] == 0) continue;
      // Behind the end of a row stands somebody near by who is not held: two that are have no effective mass.
      const std::uint32_t longest = packs.row[slice * lanes], beside = held[longest] ? rows_.partner[rows_.begin[longest]] : longest;
      for (std::size_t one = packs.begin[slice]; one < packs.begin[slice + 1]; ++one) clear_pack(slice, one, beside);
    }
    for (std::size_t i = first; i < last; ++i) {
      const auto [slice, far_at, l] = lane_of[i - first];
      std::size_t one = packs.begin[slice];
      std::uint32_t out = far_at;
      for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
        const auto rank = static_cast<std::uint8_t>(p - rows_.begin[i]);
        if (slot_of[p] == is_far) {
          slot_of[p] |= out;
          packs.far.owner[out] = static_cast<std::uint32_t>(i);
          packs.far.rank[out] = rank;
          packs.far.partner[out++] = rows_.partner[p];
          continue;
        }
        const std::size_t slot = one * lanes + l;
        slot_of[p] = static_cast<std::uint32_t>(slot);
        packs.partner[slot] = rows_.partner[p];
        packs.rank[slot] = rank;
        if (live_[p] & sprung) {
          packs.touch[one] = static_cast<std::uint8_t>(packs.touch[one] | 1U << l);
          if (springs_) {
            const Spring<D, T> zeta = springs_wait_ ? waiting_spring(waiting, from_[p]) : s.zeta[p];
            for (std::size_t k = 0; k < Z; ++k) packs.zeta[(one * Z + k) * lanes + l] = zeta[static_cast<int>(k)];
          }
        }
        ++one;
      }
    }
  });
  before = Room<Share<D, T>>{};
  for_each_of(n, slices, [&](std::size_t slice) { clear_shares(slice); });
  packs.back[packs.nobody] = {};
  for (std::size_t l = 0; l < lanes * (1 + packs_ahead); ++l) packs.partner[packs.nobody + l] = 0;  // of them fetching ahead asks
  list_entries(strangers, slot_of);
  mark_borders();

  if (springs_) packs.taken = pairs;
  if (springs_ && !springs_wait_) {
    Column<Spring<D, T>> of_walls(s.zeta.begin() + static_cast<std::ptrdiff_t>(pairs), s.zeta.end());
    s.zeta.swap(of_walls);
  }
  springs_wait_ = false;
  if (is_large()) from_ = Room<std::uint32_t>{};  // in a small bed fresh pages cost more than memory
  rows_.partner = Room<std::uint32_t>{};
  packs.loaded = true;
  if (slabs_.most > 1) settle();  // their windows are others
  else survey();
  return true;
}

/// Where the shares of grains will be, in the order in which the list has them.
template <int D, class T>
void Engine<D, T>::list_entries(const Strangers& strangers, const Room<std::uint32_t>& slot_of) {
  Packs<D, T>& packs = packs_;
  const std::size_t n = world_.grains.size();
  list_incoming(strangers, slot_of.data());
  packs.in_begin.swap(in_begin_);
  packs.all.swap(in_slot_);
  packs.fit(packs.few, 4 * (n + Incoming::ahead));
  packs.changed.assign(n, 0);
  for_each_index(n, [&](std::size_t j) {
    for (std::uint32_t k = packs.in_begin[j]; k < packs.in_begin[j + 1]; ++k) {
      const std::uint32_t slot = packs.all[k];
      if (slot & is_far) packs.far.entry[slot & ~is_far] = static_cast<std::uint8_t>(k - packs.in_begin[j]);
      packs.all[k] = packs.number(slot & is_far ? packs.nobody : slot);
    }
    packs.make_few(j);
  });
  std::fill(packs.few.begin() + static_cast<std::ptrdiff_t>(4 * n), packs.few.end(), packs.number(packs.nobody));
}

/// Packs that a slice needs if all its listed pairs touch.
template <int D, class T>
std::uint32_t Engine<D, T>::most_packs(std::size_t slice) const {
  std::uint32_t most = 0;
  for_each_row(packs_, static_cast<std::size_t>(kernels_.lanes), slice,
               [&](std::uint32_t i, std::size_t) { most = std::max(most, rows_.begin[i + 1] - rows_.begin[i]); });
  return most;
}

/// A pack without pairs. `beside`: a grain near by that is not held.
template <int D, class T>
void Engine<D, T>::clear_pack(std::size_t slice, std::size_t one, std::uint32_t beside) {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  for (std::size_t l = 0; l < lanes; ++l) {
    const std::uint32_t i = packs_.row[slice * lanes + l];
    store(packs_.partner[one * lanes + l], world_.grains.held[i] ? beside : i);
  }
  packs_.touch[one] = 0;
  if (springs_) std::fill_n(packs_.zeta.begin() + static_cast<std::ptrdiff_t>(one * lanes * spring_size<D>), lanes * spring_size<D>, T(0));
}

/// Which slices have grains near a border of the periods, whose partners may be across? A touching partner is no farther than two
/// radii, and no grain is farther than `margin` from where it was listed.
template <int D, class T>
void Engine<D, T>::mark_borders() {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  T largest = T(0);
  for (const T& r : world_.grains.r) largest = r > largest ? r : largest;
  packs_.margin = T(2) * (travelled_ + farthest_ahead());
  const T wide = T(2) * largest + packs_.margin;
  for_each_of(world_.grains.size(), packs_.border.size(), [&](std::size_t slice) {
    bool at = false;
    for (std::size_t l = 0; l < lanes; ++l) {
      const Vec<D, T>& x = x_listed_[packs_.row[slice * lanes + l]];
      for (int k = 0; k < D; ++k)
        at |= periods_.length[k] > T(0) && !(x[k] >= T(world_.domain.lo[k]) + wide && x[k] <= T(world_.domain.hi[k]) - wide);
    }
    packs_.border[slice] = at;
  });
}

/// Of packs in which nobody touches: sweeps leave them.
template <int D, class T>
void Engine<D, T>::clear_shares(std::size_t slice) {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  for (std::size_t one = packs_.at[slice]; one < packs_.at[slice] + packs_.count[slice]; ++one)
    if (packs_.touch[one] == 0) std::fill_n(packs_.back.begin() + static_cast<std::ptrdiff_t>(one * lanes), lanes, Share<D, T>{});
}

/// And back to where the list has their pairs; `soon`: before this list is used again, another one is made.
template <int D, class T>
void Engine<D, T>::unload_packs(bool soon) {
  if (!packs_.loaded) return;
  packed_bytes_ = std::max(packed_bytes_, bytes());
  shares_touched_ = shares_in_memory();
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  constexpr auto Z = static_cast<std::size_t>(spring_size<D>);
  Packs<D, T> packs = std::exchange(packs_, {});
  State<D, T>& s = world_.state;
  const std::size_t pairs = pair_count();
  rows_.partner.resize(pairs);
  back_.swap(packs.back);
  back_.clear();
  if (springs_ && soon) {
    springs_wait_ = true;
    back_.resize((pairs * sizeof(Spring<D, T>)) / sizeof(Share<D, T>) + 1);
  } else if (springs_) {
    Column<Spring<D, T>> all(pairs + s.zeta.size());
    std::copy(s.zeta.begin(), s.zeta.end(), all.begin() + static_cast<std::ptrdiff_t>(pairs));
    s.zeta.swap(all);
  }
  for_each_of(world_.grains.size(), packs.border.size(), [&](std::size_t slice) {
    for_each_row(packs, lanes, slice, [&](std::uint32_t i, std::size_t l) {
      for (std::size_t one = packs.at[slice]; one < packs.at[slice] + packs.length[slice * lanes + l]; ++one) {
        const std::uint32_t p = rows_.begin[i] + packs.rank[one * lanes + l];
        const bool there = (packs.touch[one] >> l & 1U) != 0;
        rows_.partner[p] = packs.partner[one * lanes + l];
        live_[p] = there ? lasting : 0;
        if (!springs_ || !there) continue;
        Spring<D, T> zeta;
        for (std::size_t k = 0; k < Z; ++k) zeta[static_cast<int>(k)] = packs.zeta[(one * Z + k) * lanes + l];
        if (soon) put_waiting(back_, p, zeta);
        else s.zeta[p] = zeta;
      }
    });
    for (std::uint32_t far = packs.far.begin[slice]; far < packs.far.begin[slice + 1]; ++far) {
      if (packs.far.partner[far] == packs.far.owner[far]) continue;
      const std::uint32_t p = rows_.begin[packs.far.owner[far]] + packs.far.rank[far];
      rows_.partner[p] = packs.far.partner[far];
      live_[p] = 0;
    }
  });
  incoming_listed_ = false;
  if (!soon) return;
  packs.retire();
  packs_ = std::move(packs);
}

/// Which far pairs are to be looked at, if until the last of these looks no two grains part farther than `apart` from now on?
template <int D, class T>
typename Engine<D, T>::Scouting Engine<D, T>::scouting_for(const T& apart) {
  auto& far = packs_.far;
  if (far.moved + apart < far.gap * T(1 - 1e-9)) return Scouting::watched;  // sums are rounded
  // The narrower, the fewer are watched and the sooner all are looked at again: of a skin, the geometric mean with what two move in a step.
  const T skin = T(search_->reach());
  far.gap = latest_.apart < skin ? sqrt(skin * latest_.apart) : skin;
  if (far.gap < T(2) * apart) far.gap = T(2) * apart;
  far.moved = T(0);
  return Scouting::sort;
}

/// All contacts of a territory, first those between grains.
template <int D, class T>
void Engine<D, T>::sweep_packs(std::size_t thread, const Territory& own, State<D, T>& s, const Task& task, const SweepView<D, T>& view, Scouting scouting,
                               Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  const std::uint32_t from = window_at(own.first), until = window_at(own.last);
  if (from == until) return;
  Worker& worker = *workers_[thread];
  if (own.windows.empty()) {
    Errands none;
    sweep_windows(worker, s, task, from, until, scouting, &none, f, m);
  } else {
    // a desk has some eight packs; a quarter of them is left for what comes last
    const std::size_t packs = packs_.begin[packs_.window[until].slice] - packs_.begin[packs_.window[from].slice];
    Errands errands(own.for_sweep, packs * static_cast<std::size_t>(kernels_.lanes) / 64 * 3 / 4);
    for (const auto& run : own.windows) sweep_windows(worker, s, task, run.from, run.until, scouting, &errands, f, m);
  }
  sweep_walls(worker, s, task, view, own.first, own.last, f, m);
}

/// What scouting asks of a view.
template <int D, class T>
PackView<D, T> Engine<D, T>::far_view() const {
  PackView<D, T> view{};
  view.far_owner = packs_.far.owner.data();
  view.far_partner = packs_.far.partner.data();
  view.grain = records_.data();
  view.period = periods_.length;
  return view;
}

/// Contacts between grains of windows from … to-1.
template <int D, class T>
void Engine<D, T>::sweep_windows(Worker& worker, State<D, T>& s, const Task& task, std::size_t from, std::size_t to, Scouting scouting,
                                 Errands* errands, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  worker.desk.resize(desk_bytes);
  struct Changes {
    Engine* engine;
    Worker* worker;
  } changes{this, &worker};
  const PackView<D, T> view{packs_.row.data(), packs_.length.data(), packs_.at.data(), packs_.count.data(), packs_.border.data(),
                            packs_.partner.data(), packs_.far.owner.data(), packs_.far.partner.data(), packs_.touch.data(), records_.data(), s.w.data(), packs_.zeta.data(), packs_.back.data(),
                            f.data(), m.data(), keeps_ledger ? s.e.data() : nullptr, periods_.length,
                            [](void* whom, std::uint32_t slice, std::uint32_t one, unsigned now) {
                              const auto& c = *static_cast<Changes*>(whom);
                              c.engine->change_pack(*c.worker, slice, one, now);
                            },
                            &changes, errands};
  const HandOut<T> what{task.weight, true, false, false, T(std::min(largest_overlap, max_overlap_)) * T(1 - 0x1p-40), keeps_ledger};
  constexpr std::size_t some = 2;  // windows: where one of them overlaps deeply, all are looked at
  for (std::size_t k = from; k < to; k += some) {
    const std::size_t until = std::min(to, k + some);
    for (std::size_t w = k; w < until; ++w) scout_window(worker, view, w, scouting);
    const std::uint32_t first_slice = packs_.window[k].slice, last_slice = packs_.window[until].slice;
    if (kernels_.press_packs(view, first_slice, last_slice, table_.laws[0], task.springs, what, need_effective_, worker.desk.data()))
      look_for_overlaps(worker, first_slice, last_slice);
  }
}

/// Far pairs of a window that have begun to touch are taken in.
template <int D, class T>
void Engine<D, T>::scout_window(Worker& worker, const PackView<D, T>& view, std::size_t window, Scouting scouting) {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  auto& far = packs_.far;
  const std::uint32_t slice = packs_.window[window].slice, next = packs_.window[window + 1].slice;
  const std::uint32_t begin = far.begin[slice];
  std::uint32_t end = far.begin[next];
  if (worker.met.size() < end - begin) worker.met.resize(end - begin);
  if (scouting == Scouting::sort) {
    const std::uint32_t close = kernels_.scout(view, begin, end, far.gap, worker.met.data());
    for (std::uint32_t k = 0; k < close; ++k)
      if (worker.met[k] != begin + k) far.swap(begin + k, worker.met[k]);
    far.watched[window] = close;
  }
  end = begin + far.watched[window];
  const std::uint32_t met = kernels_.scout(view, begin, end, T(0), worker.met.data());
  for (std::uint32_t k = 0; k < met; ++k) {
    const auto row = packs_.row.begin() + static_cast<std::ptrdiff_t>(slice * lanes);
    const auto at = std::find(row, packs_.row.begin() + static_cast<std::ptrdiff_t>(next * lanes), far.owner[worker.met[k]]) - row;
    take_in(worker, worker.met[k], slice + static_cast<std::uint32_t>(static_cast<std::size_t>(at) / lanes));
  }
}

/// Which grains of some slices overlap most?
template <int D, class T>
void Engine<D, T>::look_for_overlaps(Worker& worker, std::uint32_t first, std::uint32_t last) const {
  const auto lanes = static_cast<std::uint32_t>(kernels_.lanes);
  for (std::uint32_t slice = first; slice < last; ++slice)
    for (std::uint32_t l = 0; l < lanes; ++l) {
      const std::size_t at = std::size_t{slice} * lanes + l;
      const std::uint32_t i = packs_.row[at];
      for (std::uint32_t k = 0; k < packs_.length[at]; ++k) {
        const std::uint32_t j = packs_.partner[std::size_t{packs_.at[slice] + k} * lanes + l];
        const GrainRecord<D, T>&a = records_[i], &b = records_[j];
        const T overlap = (a.r + b.r - sqrt(norm2(periods_.shortest(b.x - a.x)))) / (a.r < b.r ? a.r : b.r);
        // of equals the first in the list
        if (!(overlap > worker.overlap || (overlap == worker.overlap && overlap > T(0) && !worker.overlap_wall && i < worker.overlap_i))) continue;
        worker.overlap = overlap;
        worker.overlap_i = i;
        worker.overlap_j = j;
        worker.overlap_wall = false;
      }
    }
}

/// A far pair has begun to touch: it goes where the order of ids, which is that of the list, wants it in its row.
template <int D, class T>
void Engine<D, T>::take_in(Worker& worker, std::uint32_t far, std::uint32_t slice) {
  ++worker.taken_in;
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  constexpr auto Z = static_cast<std::size_t>(spring_size<D>);
  Packs<D, T>& packs = packs_;
  const std::uint32_t i = packs.far.owner[far], j = packs.far.partner[far];
  const std::uint8_t entry = packs.far.entry[far], rank = packs.far.rank[far];
  packs.far.partner[far] = i;
  const std::size_t l = static_cast<std::size_t>(std::find(&packs.row[slice * lanes], &packs.row[slice * lanes] + lanes, i) - &packs.row[slice * lanes]);
  const std::uint32_t length = packs.length[slice * lanes + l]++;
  const auto put = [&](std::size_t one, std::uint32_t partner, std::uint8_t its_rank) {
    store(packs.partner[one * lanes + l], partner);
    packs.rank[one * lanes + l] = its_rank;
  };
  if (length == packs.count[slice]) {
    const std::uint32_t old = packs.at[slice], at_first = packs.begin[slice + 1] - packs.begin[slice];
    if (length == at_first || length == few_more(at_first)) {  // no pack is left: the slice moves, the second time to where there is room for all
      const std::uint32_t wanted = length == at_first ? few_more(at_first) : most_packs(slice);
      const std::uint32_t now = std::atomic_ref(packs.spare).fetch_add(wanted, std::memory_order_relaxed);
      const auto move = [&](auto& column, std::size_t size) {
        std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(old * size), length * size, column.begin() + static_cast<std::ptrdiff_t>(now * size));
      };
      move(packs.touch, 1);
      move(packs.rank, lanes);
      if (springs_) move(packs.zeta, lanes * Z);
      for (std::size_t k = 0; k < length * lanes; ++k) store(packs.partner[now * lanes + k], packs.partner[old * lanes + k]);
      for_each_row(packs, lanes, slice, [&](std::uint32_t, std::size_t lane) {
        for (std::size_t k = 0; k < packs.length[slice * lanes + lane] - std::size_t{lane == l}; ++k)
          packs.move(packs.partner[(now + k) * lanes + lane], (old + k) * lanes + lane, (now + k) * lanes + lane);
      });
      packs.at[slice] = now;
    }
    clear_pack(slice, packs.at[slice] + length, world_.grains.held[j] ? i : j);
    ++packs.count[slice];
  }
  std::size_t one = packs.at[slice] + length;
  const auto has_spring = [&](std::size_t where) { return (packs.touch[where] >> l & 1U) != 0; };
  const auto set_spring = [&](std::size_t where, bool on) {
    packs.touch[where] = static_cast<std::uint8_t>((packs.touch[where] & ~(1U << l)) | unsigned{on} << l);
  };
  for (; one > packs.at[slice] && packs.rank[(one - 1) * lanes + l] > rank; --one) {
    const std::size_t slot = (one - 1) * lanes + l;
    put(one, packs.partner[slot], packs.rank[slot]);
    packs.move(packs.partner[slot], slot, slot + lanes);
    set_spring(one, has_spring(one - 1));
    if (springs_)
      for (std::size_t k = 0; k < Z; ++k) packs.zeta[(one * Z + k) * lanes + l] = packs.zeta[((one - 1) * Z + k) * lanes + l];
  }
  put(one, j, rank);
  packs.point(j, entry, one * lanes + l);
  set_spring(one, false);
  if (springs_)
    for (std::size_t k = 0; k < Z; ++k) packs.zeta[(one * Z + k) * lanes + l] = T(0);
  clear_shares(slice);
}

/// Lanes of a pack have begun or ceased to touch. Springs of those that have parted end here, and their energy with them, which is
/// booked when all contacts have been looked at.
template <int D, class T>
void Engine<D, T>::change_pack(Worker& worker, std::uint32_t slice, std::uint32_t one, unsigned now) {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  constexpr auto Z = static_cast<std::size_t>(spring_size<D>);
  const unsigned before = packs_.touch[one];
  packs_.touch[one] = static_cast<std::uint8_t>(now);
  if (now == 0) std::fill_n(packs_.back.begin() + static_cast<std::ptrdiff_t>(one * lanes), lanes, Share<D, T>{});
  for (unsigned parted = before & ~now; parted != 0; parted &= parted - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(parted));
    const std::uint32_t i = packs_.row[slice * lanes + l];
    Spring<D, T> zeta{};
    if (springs_)
      for (std::size_t k = 0; k < Z; ++k) zeta[static_cast<int>(k)] = std::exchange(packs_.zeta[(one * Z + k) * lanes + l], T(0));
    if (!keeps_ledger) continue;
    const auto [slid, rolled] = orphaned_energy<D, T>(table_.laws[0], zeta, Spin<D, T>{});
    worker.orphans.push_back({rows_.begin[i] + std::size_t{packs_.rank[one * lanes + l]}, i, slid, rolled, T(0)});
  }
}

/// f(i, j) for all pairs that touched in the last evaluation.
template <int D, class T>
template <class F>
void Engine<D, T>::each_touching_pair(F&& f) const {
  if (!packs_.loaded) {
    for (std::size_t i = 0; i + 1 < rows_.begin.size(); ++i)
      for (std::size_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p)
        if (live_[p] & touches) f(i, rows_.partner[p]);
    return;
  }
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  for (std::size_t slice = 0; slice < packs_.border.size(); ++slice)
    for (std::size_t one = packs_.at[slice]; one < packs_.at[slice] + packs_.count[slice]; ++one)
      for (unsigned left = packs_.touch[one]; left != 0; left &= left - 1) {
        const auto l = static_cast<std::size_t>(std::countr_zero(left));
        f(packs_.row[slice * lanes + l], packs_.partner[one * lanes + l]);
      }
}

template <int D, class T>
std::size_t Engine<D, T>::contacts() const {
  std::size_t count = 0;
  each_touching_pair([&](std::size_t, std::size_t) { ++count; });
  for (std::size_t slot = pair_count(); slot < live_.size(); ++slot) count += (live_[slot] & touches) != 0;
  return count;
}

template <int D, class T>
std::int64_t Engine<D, T>::taken_in() const {
  std::int64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->taken_in;
  return sum;
}

template <int D, class T>
double Engine<D, T>::coordination() const {
  const Grains<D, T>& g = world_.grains;
  std::size_t ends = 0, free = 0;
  for (std::size_t i = 0; i < g.size(); ++i) free += !g.held[i] && present_[i];
  each_touching_pair([&](std::size_t i, std::size_t j) { ends += std::size_t{!g.held[i]} + std::size_t{!g.held[j]}; });
  for (std::size_t slot = pair_count(); slot < live_.size(); ++slot) ends += (live_[slot] & touches) != 0;
  return free > 0 ? static_cast<double>(ends) / static_cast<double>(free) : 0.0;
}

#define SCREE_INSTANTIATE(D, T)                                                                                                     \
  template bool Engine<D, T>::choose_packs(State<D, T>&, const Task&, std::int64_t);                                                \
  template double Engine<D, T>::share_that_touches() const;                                                                         \
  template std::size_t Engine<D, T>::contacts() const;                                                                              \
  template double Engine<D, T>::coordination() const;                                                                               \
  template std::int64_t Engine<D, T>::taken_in() const;                                                                             \
  template void Engine<D, T>::unload_packs(bool);                                                                                   \
  template typename Engine<D, T>::Scouting Engine<D, T>::scouting_for(const T&);                                                    \
  template PackView<D, T> Engine<D, T>::far_view() const;                                                                           \
  template void Engine<D, T>::sweep_packs(std::size_t, const Territory&, State<D, T>&, const Task&, const SweepView<D, T>&, Scouting,    \
                                          Column<Vec<D, T>>&, Column<Spin<D, T>>&);                                                 \
  template void Engine<D, T>::sweep_windows(Worker&, State<D, T>&, const Task&, std::size_t, std::size_t, Scouting, Errands*,            \
                                            Column<Vec<D, T>>&, Column<Spin<D, T>>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
