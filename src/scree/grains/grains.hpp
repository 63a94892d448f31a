// SPDX-License-Identifier: BSD-3-Clause
/// The particle store. `Grains` holds what a grain is, `State` what changes in time.
///
/// They are apart because an integrator needs several states (stages, half steps) but only one
/// set of masses, and because the sweep over contacts reads the state at every step and the rest
/// only where grains touch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "scree/core/column.hpp"
#include "scree/core/reals.hpp"
#include "scree/grains/shape.hpp"

namespace scree {

template <int D, class T>
struct Grains {
  Column<T> r;        // radius; of an angular grain that of its farthest corner
  Column<T> m;        // mass
  Column<T> inertia;  // moment of inertia about the centre
  Column<T> stiffness;  // of the normal law's, see pair_stiffness(); not in use where all have 1
  Column<std::uint32_t> id;
  Column<std::uint16_t> material;
  Column<std::uint16_t> group;  // the [[grains]] block it came from
  Column<std::uint8_t> held;    // 1: fixed, or moved as its group prescribes; forces do not move it
  Column<Vec<D, T>> home;       // where it was at t = 0: prescribed motion and attachments refer to it
  Column<ShapeIndex> shape;     // 0: round; not in use where all are
  Column<std::uint8_t> calm;    // looks in a row at which it hardly moved, or Sleep::asleep; empty if nobody may sleep

  static constexpr auto columns() {
    return std::tuple{column<&Grains::r>("radius", "m"),
                      column<&Grains::m>("mass", "kg"),
                      column<&Grains::inertia>("inertia", "kg m^2"),
                      column<&Grains::stiffness>("stiffness", ""),
                      column<&Grains::id>("id", ""),
                      column<&Grains::material>("material", ""),
                      column<&Grains::group>("group", ""),
                      column<&Grains::held>("held", ""),
                      column<&Grains::home>("home", "m"),
                      column<&Grains::shape>("shape", ""),
                      column<&Grains::calm>("calm", "")};
  }
  std::size_t size() const { return id.size(); }
  void resize(std::size_t n) {
    for_each_column(*this, [n](auto& c, const auto&) { c.resize(n); });
  }
};

/// Storage indices in the order of the ids: the order of everything that is reported or saved.
inline std::vector<std::uint32_t> order_by_id(const Column<std::uint32_t>& id) {
  std::vector<std::uint32_t> order(id.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  return order;
}

/// Energies that left or entered through a grain since t = 0, one component each. Kept per grain,
/// because a sum over time at one grain has one order, whatever the threads and the sorting do;
/// the totals are added up in id order when somebody asks.
struct Ledger {
  enum : int { normal, tangential, rolling, drag, work, size };
};

/// All that moves: what integrators see. The rates of a state are a State too.
template <int D, class T>
struct State {
  Column<Vec<D, T>> x;             // position
  Column<Vec<D, T>> v;             // velocity
  Column<Turn<D, T>> q;            // orientation
  Column<Spin<D, T>> w;            // spin
  Column<Vec<Ledger::size, T>> e;  // energy ledger
  Column<Spring<D, T>> zeta;       // tangential springs, one per listed pair
  Column<Spin<D, T>> roll;         // rolling springs, one per listed pair, empty without a law
  bool turns = true;               // false: orientations stay as they are, which round grains do not notice

  /// The columns with one entry per grain; springs have one per pair and are matched, not sorted.
  static constexpr auto columns() {
    return std::tuple{column<&State::x>("x", "m"), column<&State::v>("v", "m/s"),
                      column<&State::q>("q", ""), column<&State::w>("w", "rad/s"),
                      column<&State::e>("ledger", "J")};
  }
  std::size_t size() const { return x.size(); }
  void resize(std::size_t grains) {
    for_each_column(*this, [grains](auto& c, const auto&) { c.resize(grains); });
  }
};

}  // namespace scree
