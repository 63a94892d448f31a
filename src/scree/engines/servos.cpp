// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of servos (grains/servo.hpp): who pushes back how much, and where they go.
#include <algorithm>

#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {

template <int D, class T>
T Engine<D, T>::servo_place(std::size_t k, const T& t) const {
  const Servoed<T>& one = world_.servoed[k];
  return one.s + one.u * (t - presence_time_);
}

/// Sums what the grains of this evaluation exert on walls with a servo, in the order of ids.
template <int D, class T>
void Engine<D, T>::add_presses() {
  presses_.clear();
  for (const auto& worker : workers_) presses_.insert(presses_.end(), worker->presses.begin(), worker->presses.end());
  std::sort(presses_.begin(), presses_.end(),
            [](const Press& a, const Press& b) { return a.wall != b.wall ? a.wall < b.wall : a.id < b.id; });
  for (std::size_t k = 0; k < world_.walls.size(); ++k) world_.servoed[k].pushed_back = T(0);
  for (const Press& one : presses_) world_.servoed[one.wall].pushed_back += one.force;
}

template <int D, class T>
void Engine<D, T>::move_servos(const T& t, const T& h) {
  if (world_.servoed.empty()) return;
  const Grains<D, T>& g = world_.grains;
  const std::size_t walls = world_.walls.size();
  // The force on a group is that on its held grains, added in the order of ids.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;
  if (servo_groups_)
    for (std::size_t i = 0; i < g.size(); ++i)
      if (g.held[i] && present_[i] && world_.groups[g.group[i]].servo.on && i < held_force_.size())
        members.emplace_back(g.id[i], static_cast<std::uint32_t>(i));
  std::sort(members.begin(), members.end());
  for (std::size_t k = 0; k < world_.groups.size(); ++k) world_.servoed[walls + k].pushed_back = T(0);
  for (const auto& [id, i] : members) world_.servoed[walls + g.group[i]].pushed_back -= held_force_[i];

  for (std::size_t k = 0; k < world_.servoed.size(); ++k) {
    const Servo<D>& servo = k < walls ? world_.walls[k].servo : world_.groups[k - walls].servo;
    if (!servo.on) continue;
    Servoed<T>& one = world_.servoed[k];
    one.s = servo_place(k, t);
    const bool there = k < walls ? !(t < T(world_.walls[k].from)) && t < T(world_.walls[k].until)
                                 : !(t < T(world_.groups[k - walls].from)) && t < T(world_.groups[k - walls].until);
    if (!there || t < T(servo.from) || !(t < T(servo.until))) {  // nobody pushes back at what is not there
      one.u = T(0);
      continue;
    }
    one.u = (T(servo.mass) * one.u + h * (T(servo.force) - one.pushed_back)) / (T(servo.mass) + h * T(servo.damping));
    if (servo.max_speed < forever) {
      const T most = T(servo.max_speed);
      one.u = one.u > most ? most : (one.u < -most ? -most : one.u);
    }
  }
}

#define SCREE_INSTANTIATE(D, T)                                         \
  template T Engine<D, T>::servo_place(std::size_t, const T&) const;    \
  template void Engine<D, T>::add_presses();                            \
  template void Engine<D, T>::move_servos(const T&, const T&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
