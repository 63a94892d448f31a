// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of schemes that solve for positions: contacts as bonds (integrators/system.hpp), with forces and
/// exact stiffnesses. The same list as ever, but rows are gone through in the order of the ids.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/stopwatch.hpp"
#include "scree/engines/engine.hpp"
#include "scree/engines/meetings.hpp"
#include "scree/laws/bond.hpp"

namespace scree {
namespace {

constexpr double no_bond = std::numeric_limits<double>::quiet_NaN();

/// Forces and stiffness f' n n^T + f ∂n/∂x along the bond's normal, given ∂n/∂x_b as the b-th of `turns`.
template <int D, class T>
void set_force(Bond<D, T>& bond, const Dual<T>& f, const std::array<Vec<D, double>, static_cast<std::size_t>(D)>& turns) {
  bond.force = bond.normal * -f.value;
  bond.slope = f.slope;
  const Vec<D, double> n = convert<double>(bond.normal);
  const double push = static_cast<double>(f.value), slope = static_cast<double>(f.slope);
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b)
      bond.stiffness[static_cast<std::size_t>(a * D + b)] = slope * n[a] * n[b] + push * turns[static_cast<std::size_t>(b)][a];
}

}  // namespace

template <int D, class T>
T Engine<D, T>::viscous_time_of(const ContactLaws& laws, const T& r_eff, const T& m_eff) const {
  const T base = T(viscous_time_[static_cast<std::size_t>(&laws - table_.laws.data())]);
  return laws.scaling.plain() ? base : base * laws.scaling.of_damping(r_eff, m_eff) / laws.scaling.of_stiffness(r_eff);
}

template <int D, class T>
void Engine<D, T>::rank_grains(Bonds<D, T>& out) {
  if (ranked_ != rebuilds) {
    by_rank_ = order_by_id(world_.grains.id);
    rank_.resize(by_rank_.size());
    for (std::size_t k = 0; k < by_rank_.size(); ++k) rank_[by_rank_[k]] = static_cast<std::uint32_t>(k);
    ranked_ = rebuilds;
  }
  out.place = by_rank_;
}

/// The bonds of grain i (where it is stored) with grains of higher id, and with walls.
template <int D, class T>
void Engine<D, T>::bonds_of(const State<D, T>& s, std::size_t i, bool energies, std::vector<Bond<D, T>>& out) const {
  using Turns = std::array<Vec<D, double>, static_cast<std::size_t>(D)>;
  const Grains<D, T>& g = world_.grains;
  for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
    const std::uint32_t j = rows_.partner[p];
    if (still_[i] && still_[j]) continue;
    const Vec<D, T> d = shortest(s.x[j] - s.x[i]);
    const T reach = g.r[i] + g.r[j], distance2 = norm2(d);
    if (!(distance2 < reach * reach)) continue;
    const T distance = sqrt(distance2), inverse = T(1) / distance;
    const Vec<D, T> n = d * inverse;
    const T r_eff = g.r[i] * g.r[j] / reach;
    const T m_eff = inverse_mass_[i] + inverse_mass_[j] > T(0) ? T(1) / (inverse_mass_[i] + inverse_mass_[j]) : T(0);
    const ContactLaws& laws = table_.laws[table_.index(g.material[i], g.material[j])];
    const T stiffness = stiffness_of(i, j);
    const Dual<T> f = elastic_force(laws, T(reach - distance), r_eff, m_eff) * Dual<T>(stiffness);
    Vec<D, T> dv = s.v[i] - s.v[j];
    if (tilt_.on) dv[0] -= tilt_.boost(s.x[j][1] - s.x[i][1], periods_.length[1]);
    Bond<D, T> bond;
    bond.i = rank_[i];
    bond.j = rank_[j];
    bond.gamma = viscous_time_of(laws, r_eff, m_eff);
    bond.normal = n;
    bond.distance = distance;
    bond.overlap = reach - distance;
    if (energies) bond.stored = stored_energy(laws, Overlap<T>{bond.overlap, T(0), r_eff, m_eff}) * stiffness;
    bond.turning = (dv - n * dot(dv, n)) * (f.value * inverse);
    const Vec<D, double> nd = convert<double>(n);
    Turns turns;  // ∂n/∂x_i = -(1 - n n^T)/distance
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b)
        turns[static_cast<std::size_t>(b)][a] = ((nd[a] * nd[b]) - (a == b ? 1.0 : 0.0)) * static_cast<double>(inverse);
    set_force(bond, f, turns);
    out.push_back(bond);
  }
  for (std::uint32_t q = wall_begin_[i]; q < wall_begin_[i + 1]; ++q) {
    const std::size_t k = wall_partner_[q];
    const WallPose<D, T>& wall = walls_[k];
    const Meeting<D, T> met = meet(wall, s.x[i]);
    if (!wall.present || !(met.distance < g.r[i])) continue;
    const ContactLaws& laws = table_.laws[table_.index(g.material[i], world_.walls[k].material)];
    const T stiffness = stiffness_of(i);
    const Dual<T> f = elastic_force(laws, T(g.r[i] - met.distance), g.r[i], g.m[i]) * Dual<T>(stiffness);
    Bond<D, T> bond;
    bond.i = rank_[i];
    bond.gamma = viscous_time_of(laws, g.r[i], g.m[i]);
    bond.wall = static_cast<std::uint32_t>(k);
    bond.normal = met.n;
    bond.distance = met.distance;
    bond.overlap = g.r[i] - met.distance;
    if (energies) bond.stored = stored_energy(laws, Overlap<T>{bond.overlap, T(0), g.r[i], g.m[i]}) * stiffness;
    bond.turning = scree::turning(wall, met.n, s.x[i], s.v[i]) * -f.value;
    WallPose<D, T> standing = wall;
    standing.v = {};
    standing.w = {};
    standing.radius_rate = T(0);
    Turns turns;
    for (int b = 0; b < D; ++b) {
      Vec<D, T> step{};
      step[b] = T(1);
      turns[static_cast<std::size_t>(b)] = convert<double>(scree::turning(standing, met.n, s.x[i], step));
    }
    set_force(bond, f, turns);
    out.push_back(bond);
  }
}

template <int D, class T>
WallPlace<D, T> Engine<D, T>::wall_place(const T& t, std::uint32_t wall, std::uint32_t rank, const Vec<D, T>& x) const {
  const Meeting<D, T> met = meet(pose_of_wall(wall, t), x);
  return {world_.grains.r[by_rank_[rank]] - met.distance, met.n};
}

template <int D, class T>
void Engine<D, T>::body_of(const T& t, const State<D, T>& s, std::size_t rank, Bonds<D, T>& out) const {
  const Grains<D, T>& g = world_.grains;
  const std::size_t i = out.place[rank];
  out.mass[rank] = still_[i] ? T(0) : g.m[i];
  out.body[rank] = {};
  out.tether[rank] = out.drag[rank] = T(0);
  if (still_[i]) return;
  const Group<D>& group = world_.groups[g.group[i]];
  if (special_) {
    // body_forces() has drag in it, which is taken apart here: its forces at rest are what is wanted
    Spin<D, T> torque{};
    Vec<Ledger::size, T> power{};
    body_forces(t, s, i, out.body[rank], torque, power);
    out.tether[rank] = T(group.attachment);
    out.drag[rank] = T(group.drag) * g.r[i] + T(world_.domain.damping) * g.m[i];
    out.body[rank] += s.v[i] * out.drag[rank];
  }
  out.body[rank] += gravity_at(t) * g.m[i];
}

template <int D, class T>
void Engine<D, T>::bonds(const T& t, State<D, T>& s, Bonds<D, T>& out) {
  // Laws of pairs that never meet may be what they like: a law that is no bond has no γ, and the first of its contacts
  // ends the run.
  if (viscous_time_.empty())
    for (const ContactLaws& laws : table_.laws) {
      ContactLaws plain = laws;
      plain.scaling = {};
      viscous_time_.push_back(why_no_bond(laws).empty() ? viscous_time(plain, 1, 1).value_or(0) : no_bond);
    }
  look(t, s, true);
  const Stopwatch watch(phases.sweep, s.size());
  rank_grains(out);
  const std::size_t n = s.size();
  out.mass.resize(n);
  out.body.resize(n);
  out.tether.resize(n);
  out.drag.resize(n);
  // Only attachments ask for it. It is found anew, as grains may come and go, and a resumed run must not know more.
  out.least_gamma = T(0);
  if (std::any_of(world_.groups.begin(), world_.groups.end(), [](const auto& group) { return group.attachment > 0; })) {
    std::optional<T> least;
    for_each_meeting(world_, table_, [&](const ContactLaws& laws, std::size_t, std::size_t, double r_eff, double m_eff) {
      const T gamma = viscous_time_of(laws, T(r_eff), T(m_eff));
      if (gamma >= T(0) && (!least || gamma < *least)) least = gamma;
    });
    out.least_gamma = least.value_or(T(0));
  }
  out.list.clear();
  const auto part = [&](std::size_t first, std::size_t last, std::vector<Bond<D, T>>& list) {
    for (std::size_t k = first; k < last; ++k) {
      body_of(t, s, k, out);
      bonds_of(s, out.place[k], out.energies, list);
    }
  };
  const auto refuse = [&] {
    if (std::none_of(viscous_time_.begin(), viscous_time_.end(), [](double one) { return std::isnan(one); })) return;
    const auto& material = world_.grains.material;
    for (const Bond<D, T>& bond : out.list) {
      if (bond.gamma >= T(0)) continue;
      const std::size_t i = out.place[bond.i];
      std::string why;
      if (bond.j != Bond<D, T>::nobody) why = why_no_bond(table_.laws[table_.index(material[i], material[out.place[bond.j]])]);
      for (std::uint32_t q = wall_begin_[i]; q < wall_begin_[i + 1] && why.empty(); ++q)
        why = why_no_bond(table_.laws[table_.index(material[i], world_.walls[wall_partner_[q]].material)]);
      throw RunError("this integrator needs " + why);
    }
  };
  if (static_cast<std::int64_t>(n) < small_system) {
    part(0, n, out.list);
    return refuse();
  }
  // Threads take ranges of ranks, and their lists follow each other: the order is that of one thread.
  bonds_.resize(static_cast<std::size_t>(omp_get_max_threads()));
  for (auto& one : bonds_) one.clear();
#pragma omp parallel
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num()), all = static_cast<std::size_t>(omp_get_num_threads());
    part(n * me / all, n * (me + 1) / all, bonds_[me]);
  }
  for (const auto& one : bonds_) out.list.insert(out.list.end(), one.begin(), one.end());
  refuse();
}

#define SCREE_INSTANTIATE(D, T)                                                                                      \
  template T Engine<D, T>::viscous_time_of(const ContactLaws&, const T&, const T&) const;                            \
  template void Engine<D, T>::rank_grains(Bonds<D, T>&);                                                             \
  template void Engine<D, T>::bonds_of(const State<D, T>&, std::size_t, bool, std::vector<Bond<D, T>>&) const;       \
  template WallPlace<D, T> Engine<D, T>::wall_place(const T&, std::uint32_t, std::uint32_t, const Vec<D, T>&) const;  \
  template void Engine<D, T>::body_of(const T&, const State<D, T>&, std::size_t, Bonds<D, T>&) const;                \
  template void Engine<D, T>::bonds(const T&, State<D, T>&, Bonds<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
