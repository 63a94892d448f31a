// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of angular grains: convex polygons whose contacts with each other, with disks and with planes
/// come from the area that they share (shapes/shared_area.hpp, docs/polygons.md). They are listed like round ones,
/// by the circles around them, and their contacts have the same slots and springs; only how a pair is looked at differs:
/// circles, boxes, then what the outlines share. A row adds its contacts between round grains first, then
/// those with an angular one, each in the order of the partners' ids, so that sums have one order here too.
#include <algorithm>

#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"
#include "scree/shapes/polygon_half_plane.hpp"
#include "scree/shapes/share.hpp"

namespace scree {

template <int D, class T>
void Engine<D, T>::load_shapes() {
  shape_begin_.assign(1, 0);
  for (const GrainShape& shape : world_.shapes) {
    for (const Vec<2, double>& corner : shape.corners) unit_corners_.push_back(convert<T>(corner));
    shape_begin_.push_back(static_cast<std::uint32_t>(unit_corners_.size()));
  }
}

/// Where each grain's corners are kept, in the order of storage.
template <int D, class T>
void Engine<D, T>::list_outlines() {
  const auto& shape = world_.grains.shape;
  outlines_.assign(shape.size(), {});
  std::uint32_t at = 0;
  all_angular_ = true;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint32_t count = shape[i] == 0 ? 0 : shape_begin_[shape[i]] - shape_begin_[shape[i] - 1];
    outlines_[i].begin = at;
    outlines_[i].count = count;
    at += count;
    all_angular_ &= count > 0;
  }
  corners_.resize(at);
}

/// Turns every outline, once per evaluation.
template <int D, class T>
void Engine<D, T>::place_outlines(const State<D, T>& s) {
  if constexpr (D == 2) {
    const Grains<D, T>& g = world_.grains;
    for_each_index(g.size(), [&](std::size_t i) {
      Outline& outline = outlines_[i];
      if (outline.count == 0) {
        outline.hi = {g.r[i], g.r[i]};
        outline.lo = -outline.hi;
        return;
      }
      Vec<2, T>* to = &corners_[outline.begin];
      turn_outline(&unit_corners_[shape_begin_[g.shape[i] - 1]], static_cast<int>(outline.count), g.r[i], s.q[i], to);
      Vec<2, T> lo{}, hi{};
      for (std::uint32_t k = 0; k < outline.count; ++k)
        for (int a = 0; a < 2; ++a) {
          lo[a] = to[k][a] < lo[a] ? to[k][a] : lo[a];
          hi[a] = to[k][a] > hi[a] ? to[k][a] : hi[a];
        }
      outline.lo = lo;
      outline.hi = hi;
    });
  }
}

/// What grains i and j share, j's centre being d away from i's.
template <int D, class T>
SharedArea<T> Engine<D, T>::share(std::size_t i, std::size_t j, const Vec<D, T>& d) const {
  if constexpr (D == 2) {
    const Outline &a = outlines_[i], &b = outlines_[j];
    for (int k = 0; k < 2; ++k)
      if (!(a.lo[k] < b.hi[k] + d[k] && b.lo[k] + d[k] < a.hi[k])) return {};
    const auto placed = [&](const Outline& o, std::size_t k) {
      return PlacedShape<T>{corners_.data() + o.begin, static_cast<int>(o.count), world_.grains.r[k]};
    };
    return scree::share(placed(a, i), placed(b, j), d);
  } else {
    return {};
  }
}

template <int D, class T>
SharedArea<T> Engine<D, T>::share_with_wall(std::size_t i, std::size_t wall, const Vec<D, T>& x) const {
  if constexpr (D == 2) {
    const Outline& a = outlines_[i];
    return clip(PolygonView<T>{corners_.data() + a.begin, static_cast<int>(a.count), {}}, walls_[wall].point - x,
                walls_[wall].normal);
  } else {
    return {};
  }
}

/// l = 4 r_i r_j/(r_i + r_j), with a wall 4 r_i. P lies near the outline; an arm of less than half the inner radius
/// means grains that are in each other, and is taken as that half, so that no force is lost or infinite.
template <int D, class T>
T Engine<D, T>::length_of(const Pressed& c) const {
  const auto arm = [&](std::size_t i, const Vec<2, T>& r) {
    const T inner = world_.grains.r[i] * T(is_angular(i) ? world_.shapes[world_.grains.shape[i] - 1].inner * 0.5 : 0.5);
    const T length = norm(r);
    return length > inner ? length : inner;
  };
  const T a = arm(c.i, c.ri);
  if (c.wall) return T(4) * a;
  const T b = arm(c.j, c.rj);
  return T(4) * a * b / (a + b);
}

template <int D, class T>
void Engine<D, T>::sweep_angular(Worker& worker, State<D, T>& s, const Task& task, std::size_t first, std::size_t last,
                                 Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  if constexpr (D == 2) {
    const Grains<D, T>& g = world_.grains;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t slot = rows_.begin[i]; slot < rows_.begin[i + 1]; ++slot) {
        const std::size_t j = rows_.partner[slot];
        if (outlines_[i].count == 0 && outlines_[j].count == 0) continue;
        const Vec<2, T> d = shortest(s.x[j] - s.x[i]);
        const T reach = g.r[i] + g.r[j];
        SharedArea<T> shared;
        if (norm2(d) < reach * reach) shared = share(i, j, d);
        if (!shared) {
          if (live_[slot]) part(worker, s, task, slot, i, g.material[j], T(0));
          continue;
        }
        Pressed c{i, j, slot, false, shared, shared.point, shared.point - d, d, {}, s.w[i] - s.w[j], inverse_mass_[i] + inverse_mass_[j]};
        c.v = s.v[i] - s.v[j] + cross(s.w[i], c.ri) - cross(s.w[j], c.rj);
        if (tilt_.on) c.v[0] -= tilt_.boost(s.x[j][1] - s.x[i][1], periods_.length[1]);
        press(worker, s, task, c, f, m);
      }
  }
}

template <int D, class T>
void Engine<D, T>::sweep_angular_walls(Worker& worker, State<D, T>& s, const Task& task, std::size_t first, std::size_t last,
                                       Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  if constexpr (D == 2) {
    const std::size_t pairs = rows_.partner.size();
    for (std::size_t i = first; i < last; ++i) {
      if (outlines_[i].count == 0) continue;
      for (std::size_t q = wall_begin_[i]; q < wall_begin_[i + 1]; ++q) {
        const std::size_t k = wall_partner_[q], slot = pairs + q;
        const WallPose<D, T>& wall = walls_[k];
        SharedArea<T> shared;
        if (wall.present && meet(wall, s.x[i]).distance < world_.grains.r[i]) shared = share_with_wall(i, k, s.x[i]);
        if (!shared) {
          if (live_[slot]) part(worker, s, task, slot, i, world_.walls[k].material, T(0));
          continue;
        }
        Pressed c{i, k, slot, true, shared, shared.point, {}, shared.point, {}, s.w[i] - wall.w, inverse_mass_[i]};
        c.v = s.v[i] + cross(s.w[i], c.ri) - wall.v - cross(wall.w, s.x[i] + c.ri - wall.point);
        press(worker, s, task, c, f, m);
      }
    }
  }
}

/// The laws of one contact, and everything that a batch does for the contacts of round grains.
template <int D, class T>
void Engine<D, T>::press(Worker& worker, State<D, T>& s, const Task& task, const Pressed& c, Column<Vec<D, T>>& f_all,
                         Column<Spin<D, T>>& m_all) {
  if constexpr (D == 2) {
    const std::size_t i = c.i, slot = c.slot;
    const auto back = [&] { return !c.wall; };
    if (task.shifting == Shifting::impulse) {  // no dashpot is taken into the momentum here
      if (back()) back_shift_[slot] = {};
      live_[slot] |= touches;
      return;
    }
    const Grains<D, T>& g = world_.grains;
    const ContactLaws& laws = table_.laws[table_.index(g.material[i], c.wall ? world_.walls[c.j].material : g.material[c.j])];
    const OverlapArea& law = *std::get_if<OverlapArea>(&laws.normal);
    const T per_length = T(1) / length_of(c), mass = T(1) / c.inverse_mass;
    const T xi = c.shared.area * per_length, rate = area_rate(c.shared, c.v, c.w) * per_length;
    const T elastic = T(law.k) * xi, dashpot = T(law.gamma) * sqrt(mass * T(law.k)), full = elastic + dashpot * rate;
    const T normal = full > T(0) || laws.attraction ? full : T(0);
    const Vec<2, T>& n = c.shared.normal;
    const T approach = dot(c.v, n);
    const Vec<1, T> u{c.v[0] * n[1] - c.v[1] * n[0]};

    // Friction and rolling resistance, as over a batch.
    const T chord = norm(c.shared.gradient);
    const Slip<T> slip{xi, rate, T(0.25) / per_length, mass, normal < T(0) ? -normal : normal, dashpot * chord * per_length};
    T spring_energy{};
    const auto rub = [&](const auto& friction_laws, const Vec<1, T>& speed, Column<Vec<1, T>>& springs, bool has_springs) {
      return std::visit(
          [&](const auto& one) {
            constexpr bool solved = is_solved<std::remove_cvref_t<decltype(one)>>;
            const Vec<1, T> moved = solved ? Vec<1, T>{} : speed * task.springs.before;
            const Vec<1, T> spring = has_springs ? springs[slot] + moved : Vec<1, T>{};
            auto answer = friction(one, slip, spring, speed, task.springs.keep, task.springs.before + task.springs.after);
            if constexpr (solved) {
              answer.released = T(0);
              return answer;
            }
            if (task.record) spring_energy += one.stiffness(slip) * norm2(answer.spring) * T(0.5);
            if (one.has_memory) answer.spring += speed * task.springs.after;
            return answer;
          },
          friction_laws);
    };
    const Friction<Vec<1, T>> sliding = rub(laws.tangential, u, s.zeta, springs_);
    Friction<Vec<1, T>> rolling{};
    const bool rolls = laws.rolling.index() != 0;
    if (rolls) rolling = rub(laws.rolling, c.w, s.roll, rolls_);

    const Vec<2, T> pull{sliding.force[0] * n[1], -(sliding.force[0] * n[0])}, force = pull - n * normal;
    const Vec<1, T> torque = cross(c.ri, force) + rolling.force;
    f_all[i] += force;
    m_all[i] += torque;
    if (constrained_ && task.commit)
      note_rubbing(worker, laws, i, c.j, c.wall, slot, n, c.ri, c.rj, u[0], normal, sliding.force[0]);
    if (back()) back_[slot] = {-force, -cross(c.rj, force) - rolling.force};
    if (turning_) {
      const Vec<2, T> slipping{u[0] * n[1], -(u[0] * n[0])};
      note_turning(laws, {i, c.j, slot, c.wall, c.ri, c.rj, slipping, c.w, elastic, pull - n * elastic, chord, T(1) / per_length, mass});
    }
    if (task.shifting == Shifting::all) {
      own_shift_[i] += {force, force, {}, {}};
      if (back()) back_shift_[slot] = {-force, -force, {}, {}};
    }

    // Energies. There is no potential of the area law, so all that the normal force takes from the grains goes
    // to the ledger, and what a report calls elastic is taken out of it there.
    T work{};
    if (!c.wall && tilt_.on) work = dot(force, s.v[i] - s.v[c.j] + cross(s.w[i], c.ri) - cross(s.w[c.j], c.rj) - c.v);
    if (c.wall && walls_move_[c.j]) {
      const WallPose<D, T>& wall = walls_[c.j];
      work = dot(force, wall.v + cross(wall.w, s.x[i] + c.ri - wall.point)) + dot(rolling.force, wall.w);
    }
    if (task.commit && c.wall && world_.walls[c.j].servo.on)
      worker.presses.push_back({static_cast<std::uint32_t>(c.j), g.id[i], dot(force, convert<T>(world_.walls[c.j].servo.direction))});
    Vec<Ledger::size, T> power{};
    power[Ledger::normal] = normal * approach;
    power[Ledger::tangential] = sliding.power;
    power[Ledger::rolling] = rolling.power;
    power[Ledger::work] = work;
    if (task.powers) (*task.powers)[i] += power;
    if (task.commit) {
      s.e[i] += power * task.weight;
      s.e[i][Ledger::tangential] += sliding.released;
      s.e[i][Ledger::rolling] += rolling.released;
      if (springs_) s.zeta[slot] = sliding.spring;
      if (rolls_) s.roll[slot] = rolling.spring;
    }
    if (task.dot) {
      if (springs_) task.dot->zeta[slot] = u;
      if (rolls_) task.dot->roll[slot] = rolls ? c.w : Vec<1, T>{};
    }
    if (task.record) {
      Record r;
      r.id1 = g.id[i];
      r.id2 = c.wall ? -static_cast<std::int64_t>(c.j) - 1 : g.id[c.j];
      r.xi = xi;
      r.force = force;
      r.point = s.x[i] + c.ri;
      r.branch = c.branch;
      r.zeta = sliding.spring;
      r.roll = rolling.spring;
      r.owed = elastic * (chord > T(0) ? c.shared.area / chord : xi) * T(0.5);
      r.stored = r.owed + spring_energy;
      r.slid = sliding.released;
      r.rolled = rolling.released;
      worker.records.push_back(r);
    }

    const T smaller = c.wall || g.r[i] < g.r[c.j] ? g.r[i] : g.r[c.j];
    if (xi > worker.overlap * smaller) {
      worker.overlap = xi / smaller;
      worker.overlap_i = static_cast<std::uint32_t>(i);
      worker.overlap_j = static_cast<std::uint32_t>(c.j);
      worker.overlap_wall = c.wall;
    }
    if (task.commit) live_[slot] = touches | sprung;
    else live_[slot] |= static_cast<std::uint8_t>(task.dot && (springs_ || rolls_) ? touches | sprung : touches);
  }
}

#define SCREE_INSTANTIATE(D, T)                                                                                         \
  template void Engine<D, T>::load_shapes();                                                                            \
  template void Engine<D, T>::list_outlines();                                                                          \
  template void Engine<D, T>::place_outlines(const State<D, T>&);                                                       \
  template SharedArea<T> Engine<D, T>::share(std::size_t, std::size_t, const Vec<D, T>&) const;                         \
  template SharedArea<T> Engine<D, T>::share_with_wall(std::size_t, std::size_t, const Vec<D, T>&) const;               \
  template void Engine<D, T>::sweep_angular(Worker&, State<D, T>&, const Task&, std::size_t, std::size_t,               \
                                            Column<Vec<D, T>>&, Column<Spin<D, T>>&);                                   \
  template void Engine<D, T>::sweep_angular_walls(Worker&, State<D, T>&, const Task&, std::size_t, std::size_t,         \
                                                  Column<Vec<D, T>>&, Column<Spin<D, T>>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
