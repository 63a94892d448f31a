// SPDX-License-Identifier: BSD-3-Clause
/// Making packs of contacts, sweeping them and taking springs in and out of them; see packs.hpp.
///
/// What is packed, and how, changes no bit: pairs that do not touch have shares of zero, and rows are summed up in the order of ids.
#include "scree/engines/packs.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <ranges>
#include <vector>

#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {
namespace {

/// f(first, last) of all windows of n rows.
template <class F>
void for_each_window(std::size_t n, const F& f) {
  const std::size_t windows = (n + window_rows - 1) / window_rows;
  const auto one = [&](std::size_t w) { f(w * window_rows, std::min(n, (w + 1) * window_rows)); };
  if (static_cast<std::int64_t>(n) < small_system) {
    for (std::size_t w = 0; w < windows; ++w) one(w);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < windows; ++w) one(w);
}

}  // namespace

/// May contacts between grains go through packs in this evaluation, `most` steps before somebody looks?
template <int D, class T>
bool Engine<D, T>::may_pack(const State<D, T>& s, const Task& task, std::int64_t most) {
  using Use = PackSettings::Use;
  if (!kernels_.press_packs || pack_settings.use == Use::never || !task.lean || !task.commit || !is_usual(task) || sleeps_ || forgiving_ ||
      &s != &world_.state || slabs_.most > 1 || !(search_->reach() > 0) || !kernels_.fits_packs(table_.laws[0]))
    return false;
  if (packs_.loaded) return true;
  if (most < pack_settings.steps) return false;
  if (packs_.list == rebuilds) return true;
  if (pack_choice_.looked < 0 || evaluations >= pack_choice_.looked + pack_settings.steps) {  // again and again: grains find each other
    pack_choice_.looked = evaluations;
    const std::size_t pairs = rows_.partner.size();
    const auto touching = std::count(live_.begin(), live_.begin() + static_cast<std::ptrdiff_t>(pairs), lasting);
    pack_choice_.dense = 2 * pairs >= s.size() && pairs > 0 && static_cast<double>(touching) >= pack_settings.touching * static_cast<double>(pairs);
  }
  return pack_choice_.dense;
}

/// Contacts are moved into packs or out of them, if they are to lie there in this evaluation. Returns whether that is a trial.
template <int D, class T>
bool Engine<D, T>::choose_packs(State<D, T>& s, const Task& task, std::int64_t most) {
  if (!may_pack(s, task, most)) {
    unload_packs();
    return false;
  }
  const bool always = pack_settings.use == PackSettings::Use::always;
  const bool trial = !always && pack_choice_.faster.trying();
  if (always || pack_choice_.faster.second()) {
    if (packs_.list != rebuilds) make_packs();
    if (!packs_.loaded) load_packs(s);
    else if (travelled_ > packs_.margin) mark_borders();
  } else {
    unload_packs();
    if (!trial) packs_ = {};  // it will be long before they are tried again
  }
  if (!always && !trial) pack_choice_.faster.passed();
  return trial;
}

/// Where the pairs of the present list lie.
template <int D, class T>
void Engine<D, T>::make_packs() {
  const std::size_t n = world_.grains.size(), pairs = rows_.partner.size();
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  const std::size_t slices = (n + lanes - 1) / lanes;
  Packs<D, T>& packs = packs_;
  packs = {};  // growing would leave room to spare
  const auto length_of = [&](std::uint32_t i) { return rows_.begin[i + 1] - rows_.begin[i]; };
  packs.row.resize(slices * lanes);
  packs.length.resize(slices * lanes);
  packs.border.resize(slices);
  packs.begin.resize(slices + 1);
  packs.first.resize(n);
  for_each_window(n, [&](std::size_t first, std::size_t last) {
    std::uint32_t* const row = packs.row.data() + first;
    std::uint32_t most = 0;
    for (std::size_t i = first; i < last; ++i) most = std::max(most, length_of(static_cast<std::uint32_t>(i)));
    std::vector<std::uint32_t> at(most + 2, 0);  // longest first, by counting
    for (std::size_t i = first; i < last; ++i) ++at[most - length_of(static_cast<std::uint32_t>(i)) + 1];
    for (std::size_t k = 1; k < at.size(); ++k) at[k] += at[k - 1];
    for (std::size_t i = first; i < last; ++i) row[at[most - length_of(static_cast<std::uint32_t>(i))]++] = static_cast<std::uint32_t>(i);
    for (std::size_t k = first; k < last; ++k) packs.length[k] = static_cast<std::int32_t>(length_of(packs.row[k]));
  });
  for (std::size_t k = n; k < slices * lanes; ++k) {  // lanes of nobody repeat somebody, without contacts
    packs.row[k] = packs.row[n - 1];
    packs.length[k] = 0;
  }
  packs.begin[0] = 0;
  for (std::size_t slice = 0; slice < slices; ++slice) packs.begin[slice + 1] = packs.begin[slice] + static_cast<std::uint32_t>(packs.length[slice * lanes]);

  const std::size_t all = packs.begin[slices], slots = all * lanes;
  // Behind the end of a row stands a grain that is not held: two that are have no effective mass.
  std::uint32_t filler = 0;
  while (filler + 1 < n && world_.grains.held[filler]) ++filler;
  packs.partner.assign(slots + lanes * packs_ahead, filler);
  packs.touch.resize(all);
  if (springs_) packs.zeta.resize(slots * static_cast<std::size_t>(spring_size<D>));
  packs.back.resize(slots + 1);
  std::vector<std::uint32_t> slot_of(pairs);
  for_each_index(slices, [&](std::size_t slice) {
    for (std::size_t l = 0; l < lanes && slice * lanes + l < n; ++l) {
      const std::uint32_t i = packs.row[slice * lanes + l];
      auto slot = static_cast<std::uint32_t>(packs.begin[slice] * lanes + l);
      packs.first[i] = slot;
      for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p, slot += static_cast<std::uint32_t>(lanes)) {
        slot_of[p] = slot;
        packs.partner[slot] = rows_.partner[p];
      }
    }
  });
  packs.in_slot.reserve(in_slot_.size() + 4);
  packs.in_slot.resize(in_slot_.size());
  for_each_index(in_slot_.size(), [&](std::size_t k) { packs.in_slot[k] = slot_of[in_slot_[k]]; });
  packs.list = rebuilds;
  mark_borders();
}

/// Which slices have grains near a border of the periods, whose partners may be across? A touching partner is no farther than two
/// radii, and no grain is farther than `margin` from where it was listed.
template <int D, class T>
void Engine<D, T>::mark_borders() {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  T largest = T(0);
  for (const T& r : world_.grains.r) largest = r > largest ? r : largest;
  packs_.margin = T(2) * travelled_ + T(search_->reach());
  const T wide = T(2) * largest + packs_.margin;
  for_each_index(packs_.border.size(), [&](std::size_t slice) {
    bool at = false;
    for (std::size_t l = 0; l < lanes; ++l) {
      const Vec<D, T>& x = x_listed_[packs_.row[slice * lanes + l]];
      for (int k = 0; k < D; ++k)
        at |= periods_.length[k] > T(0) && !(x[k] >= T(world_.domain.lo[k]) + wide && x[k] <= T(world_.domain.hi[k]) - wide);
    }
    packs_.border[slice] = at;
  });
}

/// Springs, and who has them, go into the packs.
template <int D, class T>
void Engine<D, T>::load_packs(const State<D, T>& s) {
  const std::size_t n = world_.grains.size();
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  constexpr auto Z = static_cast<std::size_t>(spring_size<D>);
  Packs<D, T>& packs = packs_;
  if (travelled_ > packs.margin) mark_borders();
  packs.back.back() = {};
  for_each_index((n + lanes - 1) / lanes, [&](std::size_t slice) {
    const std::size_t from = packs.begin[slice], until = packs.begin[slice + 1];
    std::fill(packs.touch.begin() + static_cast<std::ptrdiff_t>(from), packs.touch.begin() + static_cast<std::ptrdiff_t>(until), std::uint8_t{0});
    std::fill(packs.back.begin() + static_cast<std::ptrdiff_t>(from * lanes), packs.back.begin() + static_cast<std::ptrdiff_t>(until * lanes), Share<D, T>{});
    if (springs_)
      std::fill(packs.zeta.begin() + static_cast<std::ptrdiff_t>(from * lanes * Z), packs.zeta.begin() + static_cast<std::ptrdiff_t>(until * lanes * Z), T(0));
    for (std::size_t l = 0; l < lanes && slice * lanes + l < n; ++l) {
      const std::uint32_t i = packs.row[slice * lanes + l];
      std::size_t one = from;
      for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p, ++one) {
        if (!(live_[p] & sprung)) continue;
        packs.touch[one] = static_cast<std::uint8_t>(packs.touch[one] | 1U << l);
        if (springs_)
          for (std::size_t k = 0; k < Z; ++k) packs.zeta[(one * Z + k) * lanes + l] = s.zeta[p][static_cast<int>(k)];
      }
    }
  });
  packs.loaded = true;
}

/// And back to where the list has their pairs.
template <int D, class T>
void Engine<D, T>::unload_packs() {
  if (!packs_.loaded) return;
  packs_.loaded = false;
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  constexpr auto Z = static_cast<std::size_t>(spring_size<D>);
  State<D, T>& s = world_.state;
  for_each_index(world_.grains.size(), [&](std::size_t i) {
    std::size_t slot = packs_.first[i];
    for (std::size_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p, slot += lanes) {
      const std::size_t one = slot / lanes, lane = slot % lanes;
      const bool there = (packs_.touch[one] >> lane & 1U) != 0;
      live_[p] = there ? lasting : 0;
      if (!there) back_[p] = {};
      if (springs_)
        for (std::size_t k = 0; k < Z; ++k) s.zeta[p][static_cast<int>(k)] = there ? packs_.zeta[(one * Z + k) * lanes + lane] : T(0);
    }
  });
}

/// All contacts, first those between grains.
template <int D, class T>
void Engine<D, T>::sweep_packs(State<D, T>& s, const Task& task, const SweepView<D, T>& view, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  const std::size_t n = s.size(), slices = packs_.border.size();
  if (static_cast<std::int64_t>(n) < small_system) {
    sweep_slices(*workers_[0], s, task, 0, slices, f, m);
    sweep_walls(*workers_[0], s, task, view, 0, n, f, m);
    return;
  }
  // as many packs, and slices, for each
  const auto cut_slices = [&](std::size_t part, std::size_t parts) {
    const auto work = [&](std::size_t slice) { return packs_.begin[slice] + slice; };
    const auto all = std::views::iota(std::size_t{0}, slices);
    return static_cast<std::size_t>(std::ranges::lower_bound(all, work(slices) * part / parts, {}, work) - all.begin());
  };
#pragma omp parallel
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num()), all = static_cast<std::size_t>(omp_get_num_threads());
    sweep_slices(*workers_[me], s, task, cut_slices(me, all), cut_slices(me + 1, all), f, m);
#pragma omp barrier  // rows of slices are not in order: what walls add to may be another thread's
    const std::size_t first = cut(0, n, me, all), last = cut(0, n, me + 1, all);
    if (first < last) sweep_walls(*workers_[me], s, task, view, first, last, f, m);
  }
}

template <int D, class T>
void Engine<D, T>::sweep_slices(Worker& worker, State<D, T>& s, const Task& task, std::size_t first, std::size_t last, Column<Vec<D, T>>& f,
                                Column<Spin<D, T>>& m) {
  worker.desk.resize(desk_bytes);
  struct Changes {
    Engine* engine;
    Worker* worker;
  } changes{this, &worker};
  const PackView<D, T> view{packs_.row.data(), packs_.length.data(), packs_.begin.data(), packs_.border.data(), static_cast<std::uint32_t>(s.size()),
                            packs_.partner.data(), packs_.touch.data(), records_.data(), s.w.data(), packs_.zeta.data(), packs_.back.data(),
                            f.data(), m.data(), s.e.data(), periods_.length,
                            [](void* whom, std::uint32_t slice, std::uint32_t one, unsigned now) {
                              const auto& c = *static_cast<Changes*>(whom);
                              c.engine->change_pack(*c.worker, slice, one, now);
                            },
                            &changes};
  const HandOut<T> what{task.weight, true, false, false, T(std::min(largest_overlap, max_overlap_)) * T(1 - 0x1p-40)};
  constexpr std::size_t some = 64;  // where one of them overlaps deeply, all are looked at
  for (std::size_t slice = first; slice < last; slice += some) {
    const auto from = static_cast<std::uint32_t>(slice), until = static_cast<std::uint32_t>(std::min(last, slice + some));
    if (kernels_.press_packs(view, from, until, table_.laws[0], task.springs, what, need_effective_, worker.desk.data()))
      look_for_overlaps(worker, from, until);
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
      for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(packs_.length[at]); ++k) {
        const std::uint32_t j = packs_.partner[std::size_t{packs_.begin[slice] + k} * lanes + l];
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
    const auto [slid, rolled] = orphaned_energy<D, T>(table_.laws[0], zeta, Spin<D, T>{});
    worker.orphans.push_back({rows_.begin[i] + (one - packs_.begin[slice]), i, slid, rolled, T(0)});
  }
}

/// Did pair p of grain i touch in the last evaluation?
template <int D, class T>
bool Engine<D, T>::touched(std::size_t i, std::size_t p) const {
  if (!packs_.loaded) return (live_[p] & touches) != 0;
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  const std::size_t slot = packs_.first[i] + (p - rows_.begin[i]) * lanes;
  return (packs_.touch[slot / lanes] >> slot % lanes & 1U) != 0;
}

#define SCREE_INSTANTIATE(D, T)                                                                                                   \
  template bool Engine<D, T>::choose_packs(State<D, T>&, const Task&, std::int64_t);                                              \
  template bool Engine<D, T>::touched(std::size_t, std::size_t) const;                                                            \
  template void Engine<D, T>::unload_packs();                                                                                     \
  template void Engine<D, T>::sweep_packs(State<D, T>&, const Task&, const SweepView<D, T>&, Column<Vec<D, T>>&, Column<Spin<D, T>>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
