// SPDX-License-Identifier: BSD-3-Clause
/// Grains that sleep: where nothing moves, nothing is computed.
///
/// Eight times within `after` every grain is looked at, all at the same instant. It is quiet if its kinetic energy
/// is below `below` m g r, and calm if it was quiet at eight looks in a row. It falls asleep when it is calm, touches
/// something, and everything it touches is calm, asleep, or held and still. Its velocity is then zero (what it had is
/// booked as dissipated) and stays so: forces do not move it, and a contact of two sleepers keeps its spring and is
/// not evaluated. It wakes at the end of a step in which it touches a grain that is not quiet (by its velocity) or
/// loses a contact, at a look at which it touches something that is moved or a grain that is not quiet (by its spin
/// too), and whenever walls or groups come or go or a grain that it touches is taken away.
///
/// All of this asks for touch, which is physics, and never for what is listed: skin, search and threads cannot change
/// who sleeps. Rows whose grains all sleep are skipped, which leaves out only what would not be evaluated anyway.
/// Positions at a look must be those of the last evaluation, or the list might lack who touches: hence the schemes
/// that end a step with an evaluation.
#include <algorithm>
#include <cmath>

#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {

/// Calls f(j) for every grain j of row i that it touches.
template <int D, class T>
template <class F>
void Engine<D, T>::each_touching(std::size_t i, const State<D, T>& s, F&& f) const {
  const Grains<D, T>& g = world_.grains;
  for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
    const std::size_t j = rows_.partner[p];
    const T reach = g.r[i] + g.r[j];
    if (norm2(shortest(s.x[j] - s.x[i])) < reach * reach) f(j);
  }
}

template <int D, class T>
void Engine<D, T>::wake_all() {
  if (!sleeps_) return;
  world_.grains.calm.assign(world_.grains.size(), 0);
  load_rest();
}

template <int D, class T>
void Engine<D, T>::doze(const T& t, const T& h, std::int64_t step, State<D, T>& s) {
  if (!sleeps_) return;
  if (changed || !listed_) return wake_all();  // what carried a sleeper may be gone
  Grains<D, T>& g = world_.grains;
  const std::size_t n = g.size();
  bool differs = false;
  for (const auto& worker : workers_)
    for (const std::uint32_t i : worker->roused) {
      g.calm[i] = 0;
      differs = true;
    }
  const auto every = std::max<std::int64_t>(1, std::llround(world_.sleep.after / Sleep::looks / static_cast<double>(h)));
  if (step % every != 0) {
    if (differs) load_rest();
    return;
  }
  pose_walls(t);

  enum : std::uint8_t { quiet = 1, touched = 2, roused = 4, restless = 8 };  // roused: by what it touches
  std::vector<std::uint8_t>& seen = seen_;
  seen.assign(n, 0);
  const T below = T(world_.sleep.below) * norm(gravity_at(t));
  for_each_index(n, [&](std::size_t i) {
    if (g.held[i]) {
      const Group<D>& group = world_.groups[g.group[i]];
      seen[i] = group.motion.empty() && !group.servo.on ? quiet : 0;
      if (seen[i]) g.calm[i] = Sleep::looks;
      return;
    }
    const T energy = (g.m[i] * norm2(s.v[i]) + g.inertia[i] * norm2(s.w[i])) * T(0.5);
    seen[i] = energy < below * g.m[i] * g.r[i] ? quiet : 0;
    if (g.calm[i] == Sleep::asleep) return;
    g.calm[i] = seen[i] ? static_cast<std::uint8_t>(std::min<int>(g.calm[i] + 1, Sleep::looks)) : 0;
  });
  const auto meet_each_other = [&](std::size_t i, std::size_t j) {
    seen[i] |= touched;
    if (!(seen[j] & quiet)) seen[i] |= roused;
    if (g.calm[j] < Sleep::looks) seen[i] |= restless;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (!present_[i]) continue;
    each_touching(i, s, [&](std::size_t j) {
      meet_each_other(i, j);
      meet_each_other(j, i);
    });
    for (std::uint32_t q = wall_begin_[i]; q < wall_begin_[i + 1]; ++q) {
      const std::size_t k = wall_partner_[q];
      if (!walls_[k].present || !(meet(walls_[k], s.x[i]).distance < g.r[i])) continue;
      seen[i] |= touched;
      if (walls_move_[k]) seen[i] |= roused | restless;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (g.held[i] || !present_[i]) continue;
    if (g.calm[i] == Sleep::asleep) {
      if (!(seen[i] & roused)) continue;
      g.calm[i] = 0;
      differs = true;
    } else if (g.calm[i] == Sleep::looks && (seen[i] & touched) && !(seen[i] & (roused | restless))) {
      differs = true;
      s.e[i][Ledger::drag] += (g.m[i] * norm2(s.v[i]) + g.inertia[i] * norm2(s.w[i])) * T(0.5);
      s.v[i] = {};
      s.w[i] = {};
      for (auto& one : memory_.points)
        if ((one.is_velocity || one.is_acceleration) && one.column->size() == n) (*one.column)[i] = {};
      for (auto& one : memory_.spins)
        if (one.column->size() == n) (*one.column)[i] = {};
      seen[i] = 0x80;  // falls asleep when all have been looked at
    }
  }
  if (!differs) return;
  for (std::size_t i = 0; i < n; ++i)
    if (seen[i] == 0x80) g.calm[i] = Sleep::asleep;
  load_rest();
}

/// Who rests and whose whole row does.
template <int D, class T>
void Engine<D, T>::load_rest() {
  const Grains<D, T>& g = world_.grains;
  const std::size_t n = g.size();
  if (still_.size() != n || rows_.begin.size() != n + 1) return;  // no list yet: it will ask again
  resting_.resize(n);
  deep_.resize(n);
  for_each_index(n, [&](std::size_t i) {
    const Group<D>& group = world_.groups[g.group[i]];
    resting_[i] = g.held[i] ? group.motion.empty() && !group.servo.on : g.calm[i] == Sleep::asleep;
    still_[i] = g.held[i] || !present_[i] || g.calm[i] == Sleep::asleep;
  });
  for_each_index(n, [&](std::size_t i) {
    bool all = resting_[i];
    for (std::uint32_t p = rows_.begin[i]; all && p < rows_.begin[i + 1]; ++p) all = resting_[rows_.partner[p]];
    deep_[i] = all;
  });
}

/// Leaves out the contacts of a batch whose two grains rest; `commit`: and takes note of sleepers that are hit.
template <int D, class T>
void Engine<D, T>::drop_resting(Worker& worker, bool commit) const {
  Batch<D, T>& b = worker.batch;
  const T below = T(2 * world_.sleep.below) * norm(convert<T>(world_.domain.gravity));  // v^2/2 < below g r
  const auto rouse = [&](std::uint32_t i, std::uint32_t by) {
    const GrainRecord<D, T>& other = records_[by];
    if (asleep(i) && !(norm2(other.v) < below * other.r)) worker.roused.push_back(i);
  };
  int kept = 0;
  for (int c = 0; c < b.n; ++c) {
    const auto from = static_cast<std::size_t>(c), to = static_cast<std::size_t>(kept);
    if (resting_[b.i[from]] && resting_[b.j[from]]) continue;
    if (commit) {
      rouse(b.i[from], b.j[from]);
      rouse(b.j[from], b.i[from]);
    }
    ++kept;
    if (to == from) continue;
    b.i[to] = b.i[from];
    b.j[to] = b.j[from];
    b.slot[to] = b.slot[from];
    b.copy_found(from, to);
  }
  b.n = kept;
  if (kept > 0) b.fill_last_pack();
}

/// After a list was made without memory of contacts: who touches. A contact of sleepers would not be looked at, and
/// one that parts in the next evaluation would not have been one.
template <int D, class T>
void Engine<D, T>::restore_touch() {
  const Grains<D, T>& g = world_.grains;
  const State<D, T>& s = world_.state;
  const std::size_t pairs = rows_.partner.size();
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
      const T reach = g.r[i] + g.r[rows_.partner[p]];
      if (norm2(shortest(s.x[rows_.partner[p]] - s.x[i])) < reach * reach) live_[p] |= touches;
    }
    for (std::uint32_t q = wall_begin_[i]; q < wall_begin_[i + 1]; ++q) {
      const WallPose<D, T>& wall = walls_[wall_partner_[q]];
      if (wall.present && meet(wall, s.x[i]).distance < g.r[i]) live_[pairs + q] |= touches;
    }
  }
}

/// Before the grains with taken[i] > 0 leave: wakes those they touch.
template <int D, class T>
void Engine<D, T>::wake_beside(const std::vector<std::uint16_t>& taken, const State<D, T>& s) {
  Grains<D, T>& g = world_.grains;
  if (!listed_) return;
  for (std::size_t i = 0; i < g.size(); ++i)
    each_touching(i, s, [&](std::size_t j) {
      if (taken[i]) g.calm[j] = 0;
      if (taken[j]) g.calm[i] = 0;
    });
}

template <int D, class T>
std::size_t Engine<D, T>::sleepers() const {
  const Column<std::uint8_t>& calm = world_.grains.calm;
  return static_cast<std::size_t>(std::count(calm.begin(), calm.end(), Sleep::asleep));
}

#define SCREE_INSTANTIATE(D, T)                                                                        \
  template void Engine<D, T>::doze(const T&, const T&, std::int64_t, State<D, T>&);                    \
  template void Engine<D, T>::load_rest();                                                             \
  template void Engine<D, T>::drop_resting(Worker&, bool) const;                                       \
  template void Engine<D, T>::restore_touch();                                                         \
  template void Engine<D, T>::wake_all();                                                              \
  template void Engine<D, T>::wake_beside(const std::vector<std::uint16_t>&, const State<D, T>&);      \
  template std::size_t Engine<D, T>::sleepers() const;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
