// SPDX-License-Identifier: BSD-3-Clause
/// What the engine tells about an instant: frames, energies, the hash, springs by identity.
/// Everything here is summed and listed in id order.
#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "scree/core/errors.hpp"
#include "scree/engines/engine.hpp"

namespace scree {
namespace {

constexpr std::uint32_t wall_id(std::int64_t wall) { return 0xFFFFFFFFU - static_cast<std::uint32_t>(wall); }

template <class T> double high(const T& a) { return static_cast<double>(a); }

template <int D>
double potential_depth(const Domain<D>& domain, const Vec<D, double>& x, double t) {
  Vec<D, double> g = domain.gravity;
  if (domain.gravity_rate != 0) {
    const double c = std::cos(domain.gravity_rate * t), s = std::sin(domain.gravity_rate * t);
    g = domain.gravity;
    g[0] = c * domain.gravity[0] - s * domain.gravity[1];
    g[1] = s * domain.gravity[0] + c * domain.gravity[1];
  }
  return -dot(g, x);
}

}  // namespace

/// What the last evaluation recorded of contacts, in the order of ids. Nobody keeps it: steps need none of it, and it is 100 bytes a
/// contact.
template <int D, class T>
std::vector<typename Engine<D, T>::Record> Engine<D, T>::take_records() {
  std::vector<Record> all;
  for (const auto& worker : workers_) {
    const std::vector<Record> some = std::exchange(worker->records, {});
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end(), [](const Record& a, const Record& b) { return a.id1 != b.id1 ? a.id1 < b.id1 : a.id2 < b.id2; });
  return all;
}

template <int D, class T>
Frame Engine<D, T>::frame(const T& t, std::int64_t step, const T& pending, bool with_contacts) {
  State<D, T>& s = world_.state;
  Column<Vec<Ledger::size, T>> powers;
  Task task;
  task.springs = {pending, T(0), false, true};
  task.powers = &powers;
  task.record = true;
  Accelerations<D, T> unasked;
  evaluate(t, s, task, unasked.a, unasked.alpha);
  gather(t, s, task, unasked.a, unasked.alpha);
  check(s);

  const std::vector<Record> records = take_records();

  const Grains<D, T>& g = world_.grains;
  Frame f;
  f.dim = D;
  f.time = high(t);
  f.time_lo = low_word(t);
  f.step = step;
  Energies& e = f.energies;
  Vec<Ledger::size, T> ledger = world_.retired;
  for (const std::uint32_t i : order_by_id(g.id)) {
    ledger += s.e[i] + powers[i] * pending;
    if (!present_[i]) continue;
    f.id.push_back(g.id[i]);
    for (int k = 0; k < D; ++k) {
      f.x.push_back(high(s.x[i][k]));
      f.v.push_back(high(s.v[i][k]));
    }
    for (int k = 0; k < turn_size<D>; ++k) f.q.push_back(high(s.q[i][k]));
    for (int k = 0; k < spin_size<D>; ++k) f.w.push_back(high(s.w[i][k]));
    if constexpr (is_dd<T>) {
      f.radius_lo.push_back(g.r[i].lo);
      for (int k = 0; k < D; ++k) {
        f.x_lo.push_back(s.x[i][k].lo);
        f.v_lo.push_back(s.v[i][k].lo);
      }
      for (int k = 0; k < turn_size<D>; ++k) f.q_lo.push_back(s.q[i][k].lo);
      for (int k = 0; k < spin_size<D>; ++k) f.w_lo.push_back(s.w[i][k].lo);
    }
    f.radius.push_back(high(g.r[i]));
    f.mass.push_back(high(g.m[i]));
    f.inertia.push_back(high(g.inertia[i]));
    f.material.push_back(g.material[i]);
    f.group.push_back(g.group[i]);
    f.held.push_back(g.held[i]);
    if (angular_) f.shape.push_back(g.shape[i]);
    if (g.held[i]) continue;
    e.kinetic += 0.5 * high(g.m[i] * norm2(s.v[i]));
    e.rotational += 0.5 * high(g.inertia[i] * norm2(s.w[i]));
    e.potential += high(g.m[i]) * potential_depth(world_.domain, convert<double>(s.x[i]), high(t));
    const Group<D>& group = world_.groups[g.group[i]];
    if (group.attachment > 0)
      e.elastic += 0.5 * group.attachment * high(norm2(s.x[i] - g.home[i]));
  }
  // What the next evaluation will book for springs that are cut or have just lost their contact.
  std::sort(orphans_.begin(), orphans_.end(), [](const Orphan& a, const Orphan& b) { return a.slot < b.slot; });
  for (const Orphan& o : orphans_) {
    ledger[Ledger::tangential] += o.slid;
    ledger[Ledger::rolling] += o.rolled;
    ledger[Ledger::work] += o.work;
  }
  for (const Record& r : records) {
    e.elastic += high(r.stored);
    ledger[Ledger::tangential] += r.slid;
    ledger[Ledger::rolling] += r.rolled;
    ledger[Ledger::normal] -= r.owed;
  }
  e.normal = high(ledger[Ledger::normal]);
  e.tangential = high(ledger[Ledger::tangential]);
  e.rolling = high(ledger[Ledger::rolling]);
  e.drag = high(ledger[Ledger::drag]);
  e.work = high(ledger[Ledger::work]);
  if (!keeps_ledger) e.normal = e.tangential = std::numeric_limits<double>::quiet_NaN();

  f.has_contacts = with_contacts;
  if (with_contacts)
    for (const Record& r : records) {
      FrameContacts& c = f.contacts;
      c.id1.push_back(r.id1);
      c.id2.push_back(r.id2);
      c.overlap.push_back(high(r.xi));
      for (int k = 0; k < D; ++k) {
        c.force.push_back(high(r.force[k]));
        c.point.push_back(high(r.point[k]));
        c.branch.push_back(high(r.branch[k]));
      }
      for (int k = 0; k < spring_size<D>; ++k) c.spring.push_back(high(r.zeta[k]));
    }
  return f;
}

template <int D, class T>
Energies Engine<D, T>::energies(const T& t, const T& pending) {
  return frame(t, 0, pending, false).energies;
}

template <int D, class T>
void Engine<D, T>::void_ledger() {
  if (keeps_ledger) return;
  const T unknown = T(std::numeric_limits<double>::quiet_NaN());
  for (auto& e : world_.state.e) e[Ledger::normal] = e[Ledger::tangential] = unknown;
}

template <int D, class T>
void Engine<D, T>::open_ledger(const T& t) {
  if (!angular_) return;
  State<D, T>& s = world_.state;
  Task task;
  task.springs = {T(0), T(0), false, true};
  task.record = true;
  Accelerations<D, T> unasked;
  evaluate(t, s, task, unasked.a, unasked.alpha);
  const std::vector<std::uint32_t> order = order_by_id(world_.grains.id);
  for (const Record& r : take_records()) {
    const auto at = std::lower_bound(order.begin(), order.end(), r.id1, [&](std::uint32_t i, std::int64_t id) { return world_.grains.id[i] < id; });
    s.e[*at][Ledger::normal] += r.owed;
  }
}

/// With `touching_only` those of contacts that have just parted are left out, which the next
/// evaluation would end: whether they are still listed depends on the search, the physics does not.
template <int D, class T>
std::vector<typename Engine<D, T>::SpringRecord> Engine<D, T>::springs(bool touching_only) {
  unload_packs();
  const Grains<D, T>& g = world_.grains;
  const State<D, T>& s = world_.state;
  const std::size_t pairs = rows_.partner.size();
  std::vector<SpringRecord> list;
  const auto add = [&](std::size_t slot, std::size_t i, std::uint32_t id2) {
    if (!(live_[slot] & sprung)) return;
    list.push_back({g.id[i], id2, springs_ ? s.zeta[slot] : Spring<D, T>{}, rolls_ ? s.roll[slot] : Spin<D, T>{},
                    static_cast<std::uint8_t>((live_[slot] & slack) != 0)});
  };
  if (rows_.begin.empty()) return list;
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::size_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
      const std::size_t j = rows_.partner[p];
      const T reach = g.r[i] + g.r[j];
      const Vec<D, T> d = shortest(s.x[j] - s.x[i]);
      if (touching_only && !(norm2(d) < reach * reach)) continue;
      if (touching_only && (is_angular(i) || is_angular(j)) && !share(i, j, d)) continue;
      add(p, i, g.id[j]);
    }
    for (std::size_t p = wall_begin_[i]; p < wall_begin_[i + 1]; ++p) {
      const WallPose<D, T>& wall = walls_[wall_partner_[p]];
      if (touching_only && !(wall.present && meet(wall, s.x[i]).distance < g.r[i])) continue;
      if (touching_only && is_angular(i) && !share_with_wall(i, wall_partner_[p], s.x[i])) continue;
      add(pairs + p, i, wall_id(wall_partner_[p]));
    }
  }
  std::sort(list.begin(), list.end(), [](const SpringRecord& a, const SpringRecord& b) {
    return a.id1 != b.id1 ? a.id1 < b.id1 : a.id2 < b.id2;
  });
  return list;
}

template <int D, class T>
void Engine<D, T>::reload(const T& t, const std::vector<SpringRecord>& records) {
  State<D, T>& s = world_.state;
  behind_ = nullptr;
  packs_ = {};
  idle_ = {};
  rows_ = old_rows_ = {};
  present_.assign(s.size(), 1);
  listed_ = false;
  load_grains();
  impose(t, s);
  pose_walls(t);
  if (sheared_) tilt_ = Tilt<D, T>(world_.domain, t);
  refresh(s, false);
  restore(records);
}

/// Gives springs back to their pairs after the list was made anew.
template <int D, class T>
void Engine<D, T>::restore(const std::vector<SpringRecord>& records) {
  State<D, T>& s = world_.state;
  const Grains<D, T>& g = world_.grains;
  const std::size_t pairs = rows_.partner.size();
  const auto put = [&](std::size_t slot, std::uint32_t id1, std::uint32_t id2) {
    const auto at = std::lower_bound(records.begin(), records.end(), std::pair{id1, id2},
                                     [](const SpringRecord& r, const auto& key) {
                                       return std::pair{r.id1, r.id2} < key;
                                     });
    if (at == records.end() || at->id1 != id1 || at->id2 != id2) return;
    if (springs_) s.zeta[slot] = at->zeta;
    if (rolls_) s.roll[slot] = at->roll;
    live_[slot] |= at->slack ? sprung | slack : sprung;
  };
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::size_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) put(p, g.id[i], g.id[rows_.partner[p]]);
    for (std::size_t p = wall_begin_[i]; p < wall_begin_[i + 1]; ++p)
      put(pairs + p, g.id[i], wall_id(wall_partner_[p]));
  }
  if (sleeps_) restore_touch();
}

template <int D, class T>
std::uint64_t Engine<D, T>::hash(const T& t, std::int64_t step) {
  const Grains<D, T>& g = world_.grains;
  const State<D, T>& s = world_.state;
  XXH64_state_t* h = XXH64_createState();
  XXH64_reset(h, 0);
  const auto feed = [&](const auto& value) { XXH64_update(h, &value, sizeof(value)); };
  feed(t);
  feed(step);
  for (const std::uint32_t i : order_by_id(g.id)) {
    if (!present_[i]) continue;
    feed(g.id[i]);
    feed(s.x[i]);
    feed(s.v[i]);
    feed(s.q[i]);
    feed(s.w[i]);
  }
  pose_walls(t);
  for (const Servoed<T>& one : world_.servoed) {
    feed(one.s);
    feed(one.u);
  }
  if (sheared_) tilt_ = Tilt<D, T>(world_.domain, t);
  if (angular_) place_outlines(s);
  for (const SpringRecord& r : springs(true)) {
    feed(r.id1);
    feed(r.id2);
    feed(r.zeta);
    feed(r.roll);
  }
  const std::uint64_t value = XXH64_digest(h);
  XXH64_freeState(h);
  return value;
}

#define SCREE_INSTANTIATE(D, T)                                                          \
  template Frame Engine<D, T>::frame(const T&, std::int64_t, const T&, bool);            \
  template Energies Engine<D, T>::energies(const T&, const T&);                          \
  template void Engine<D, T>::open_ledger(const T&);                                     \
  template void Engine<D, T>::void_ledger();                                             \
  template std::vector<Engine<D, T>::SpringRecord> Engine<D, T>::springs(bool);          \
  template void Engine<D, T>::reload(const T&, const std::vector<SpringRecord>&);        \
  template void Engine<D, T>::restore(const std::vector<SpringRecord>&);                 \
  template std::uint64_t Engine<D, T>::hash(const T&, std::int64_t);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
