// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of inlets and outlets: columns grow and shrink between two steps, springs follow their grains
/// by identity, and what the grains carry in and out is booked as work.
#include <algorithm>
#include <tuple>

#include "scree/core/errors.hpp"
#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"
#include "scree/engines/gatekeeper.hpp"
#include "scree/grains/body.hpp"

namespace scree {

/// Energy of the contacts that end when grains leave: normal and tangential, at the present overlaps.
template <int D, class T>
T Engine<D, T>::energy_of_contacts_with(const std::vector<std::uint16_t>& taken, const State<D, T>& s) const {
  const Grains<D, T>& g = world_.grains;
  if (rows_.begin.empty()) return T(0);
  const std::size_t pairs = rows_.partner.size();
  std::vector<std::tuple<std::uint32_t, std::uint32_t, T>> ends;  // in the order of ids, whatever the storage
  const auto add = [&](std::size_t slot, std::size_t i, std::uint32_t id2, std::uint16_t material, const Overlap<T>& c, const T& stiffness) {
    if (!live_[slot]) return;
    const ContactLaws& laws = table_.laws[table_.index(g.material[i], material)];
    const auto [slid, rolled] = orphaned_energy<D, T>(laws, springs_ ? s.zeta[slot] : Spring<D, T>{},
                                                      rolls_ ? s.roll[slot] : Spin<D, T>{});
    ends.emplace_back(g.id[i], id2, (c.xi > T(0) ? stored_energy(laws, c) * stiffness : T(0)) + slid + rolled);
  };
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::size_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
      const std::size_t j = rows_.partner[p];
      if (!taken[i] && !taken[j]) continue;
      if (is_angular(i) || is_angular(j)) {  // normal energy is among the losses already
        add(p, i, g.id[j], g.material[j], {}, T(1));
        continue;
      }
      const T reach = g.r[i] + g.r[j];
      add(p, i, g.id[j], g.material[j],
          {reach - norm(shortest(s.x[j] - s.x[i])), T(0), g.r[i] * g.r[j] / reach,
           T(1) / (inverse_mass_[i] + inverse_mass_[j])},
          stiffness_of(i, j));
    }
    if (!taken[i]) continue;
    for (std::size_t p = wall_begin_[i]; p < wall_begin_[i + 1]; ++p) {
      const std::uint32_t wall = wall_partner_[p];
      const T xi = is_angular(i) ? T(0) : g.r[i] - meet(walls_[wall], s.x[i]).distance;
      add(pairs + p, i, ~wall, world_.walls[wall].material, {xi, T(0), g.r[i], g.m[i]}, stiffness_of(i));
    }
  }
  std::sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
    return std::pair{std::get<0>(a), std::get<1>(a)} < std::pair{std::get<0>(b), std::get<1>(b)};
  });
  T sum{};
  for (const auto& one : ends) sum += std::get<2>(one);
  return sum;
}

template <int D, class T>
void Engine<D, T>::exchange(const T& t, const T& h, std::int64_t number, State<D, T>& s) {
  if ((world_.inlets.empty() && world_.outlets.empty()) || fault_) return;
  Grains<D, T>& g = world_.grains;
  const std::size_t n = g.size();
  pose_walls(t);
  std::vector<std::uint16_t> taken = departures(world_, present_, t, h);
  const bool any_leaves = std::any_of(taken.begin(), taken.end(), [](std::uint16_t k) { return k > 0; });
  taken.resize(n);
  std::vector<std::uint8_t> there(present_.begin(), present_.end());
  for (std::size_t i = 0; i < n; ++i) there[i] = there[i] && !taken[i];
  const std::vector<Arrival<D, T>> come = arrivals(world_, there, walls_, periods_, t, h, number);
  if (!any_leaves && come.empty()) return;

  const Vec<D, T> gravity = gravity_at(t);
  const auto energy = [&](std::size_t i) {
    return (g.m[i] * norm2(s.v[i]) + g.inertia[i] * norm2(s.w[i])) * T(0.5) - g.m[i] * dot(gravity, s.x[i]);
  };
  const std::vector<SpringRecord> sprung_pairs = springs();
  if (any_leaves) {
    if (sleeps_) wake_beside(taken, s);
    world_.retired[Ledger::work] -= energy_of_contacts_with(taken, s);
    std::vector<std::uint32_t> leaving;
    for (std::size_t i = 0; i < n; ++i)
      if (taken[i]) leaving.push_back(static_cast<std::uint32_t>(i));
    std::sort(leaving.begin(), leaving.end(), [&](std::uint32_t a, std::uint32_t b) { return g.id[a] < g.id[b]; });
    for (const std::uint32_t i : leaving) {
      world_.retired += s.e[i];
      world_.retired[Ledger::work] -= energy(i);
      Tally<T>& tally = world_.let_out[taken[i] - 1U];
      ++tally.count;
      tally.mass += g.m[i];
    }
  }

  // Columns: those who stay move together, those who come stand behind them.
  const std::size_t stay = n - static_cast<std::size_t>(std::count_if(taken.begin(), taken.end(), [](auto k) { return k > 0; }));
  const std::size_t all = stay + come.size();
  const auto edit = [&](auto& column) {
    if (column.size() != n) return false;  // not in use
    std::size_t to = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (!taken[i]) column[to++] = column[i];
    column.resize(all);
    return true;
  };
  const bool homes = !g.home.empty() || (n == 0 && homes_);
  for_each_column(g, [&](auto& column, const auto&) { edit(column); });
  if (!homes) g.home.clear();
  if (!angular_) g.shape.clear();
  if (!own_stiffness_) g.stiffness.clear();
  if (!sleeps_) g.calm.clear();
  for_each_column(s, [&](auto& column, const auto&) { edit(column); });
  edit(present_);
  for (std::size_t k = 0; k < come.size(); ++k) {
    const std::size_t i = stay + k;
    const Inlet<D>& inlet = world_.inlets[come[k].inlet];
    if (world_.next_id >= none - world_.walls.size()) throw RunError("no ids are left for further grains");
    const auto [m, inertia] = mass_and_inertia(world_, inlet.material, come[k].r, come[k].shape);
    g.r[i] = come[k].r;
    g.m[i] = m;
    g.inertia[i] = inlet.rotates ? inertia : T(0);
    g.id[i] = world_.next_id++;
    g.material[i] = inlet.material;
    g.group[i] = inlet.group;
    g.held[i] = 0;
    if (sleeps_) g.calm[i] = 0;
    if (homes) g.home[i] = come[k].x;
    if (angular_) g.shape[i] = come[k].shape;
    if (own_stiffness_) g.stiffness[i] = T(1);
    s.x[i] = come[k].x;
    s.v[i] = convert<T>(inlet.velocity);
    s.q[i] = no_turn<D, T>();
    if constexpr (D == 2) s.q[i][0] = T(come[k].turn);
    s.w[i] = convert<T>(inlet.spin);
    s.e[i] = {};
    s.e[i][Ledger::work] = energy(i);
    present_[i] = 1;
    Tally<T>& tally = world_.let_in[come[k].inlet];
    ++tally.count;
    tally.mass += m;
  }
  // What the integrator remembers: a newcomer has been falling freely.
  for (auto& one : memory_.points)
    if (edit(*one.column))
      for (std::size_t i = stay; i < all; ++i)
        (*one.column)[i] = one.is_velocity ? s.v[i] + gravity * (h * T(0.5)) : one.is_acceleration ? gravity : Vec<D, T>{};
  for (auto& one : memory_.spins)
    if (edit(*one.column))
      for (std::size_t i = stay; i < all; ++i) (*one.column)[i] = one.is_velocity ? s.w[i] : Spin<D, T>{};
  for (auto& one : memory_.states) *one.state = {};

  load_grains();
  changed = true;
  rows_ = old_rows_ = {};
  listed_ = false;
  refresh(s, false);
  restore(sprung_pairs);
}

#define SCREE_INSTANTIATE(D, T)                                                                                  \
  template T Engine<D, T>::energy_of_contacts_with(const std::vector<std::uint16_t>&, const State<D, T>&) const; \
  template void Engine<D, T>::exchange(const T&, const T&, std::int64_t, State<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
