// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of rotational damping (laws/rotational): a contact leaves its share with both grains, and each
/// grain makes one torque of its shares, added up in the order of the ids. Round and angular grains alike.
#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {
namespace {

template <class Law> constexpr bool of_matrix = requires(Law law) { law.against(Vec<1, double>{}, Vec<1, double>{}); };

}  // namespace

/// What is held turns as it is told: its partner does not ask it.
template <int D, class T>
void Engine<D, T>::note_turning(const ContactLaws& laws, const Twist& c) {
  const Grains<D, T>& g = world_.grains;
  std::visit(
      [&]<class Law>(const Law& law) {
        Turning<D, T> a, b;
        if constexpr (std::is_same_v<Law, ChordDamping>) {
          const T g_r = T(law.gamma) * sqrt(c.mass * T(law.Y)) * c.chord * c.chord * c.chord / (T(12) * c.length);
          const T most = c.elastic * c.chord * T(0.5), size = g_r * norm(c.spin);
          a.torque = c.spin * (size > most ? -(most / size * g_r) : -g_r);
          b.torque = -a.torque;
        } else if constexpr (of_matrix<Law>) {
          struct End {
            Spin<D, T> turn, against;  // r × v_T, and the direction of the torque, of any length
            T square, size, length;    // |r|², |T_j|, |against|
          };
          const auto end = [&](std::size_t k, const Vec<D, T>& r, const Vec<D, T>& v, const Spin<D, T>& spin) {
            End e{};
            e.turn = cross(r, v);
            e.against = law.against(e.turn, spin);
            e.square = norm2(r);
            e.length = norm(e.against);
            if (e.square > T(0)) e.size = T(law.gamma) * sqrt(g.inertia[k] * T(law.Y) / e.square) * norm(e.turn);
            return e;
          };
          const auto turning = [&](const End& e, const T& mean, const Spin<D, T>& pulled) {
            Turning<D, T> one;
            if (e.length > T(0)) one.torque = e.against * (mean / e.length * c.elastic);
            if (e.square > T(0)) one.relative = e.turn * (c.elastic / e.square);
            one.elastic = pulled;
            one.weight = c.elastic;
            one.count = T(1);
            return one;
          };
          const End own = end(c.i, c.ri, c.slip, c.spin);
          if (c.wall || g.held[c.j]) {
            a = turning(own, own.size, cross(c.ri, c.force));
          } else {
            const End other = end(c.j, c.rj, -c.slip, -c.spin);
            const T mean = g.held[c.i] ? other.size : (own.size + other.size) * T(0.5);
            a = turning(own, mean, cross(c.ri, c.force));
            b = turning(other, mean, cross(c.rj, -c.force));
          }
        }
        own_turning_[c.i] += a;
        if (!c.wall) back_turning_[c.slot] = b;
      },
      laws.rotational);
}

/// The torque on a grain that moves.
template <int D, class T>
Spin<D, T> Engine<D, T>::turning_torque(std::size_t i, const State<D, T>& s) const {
  Turning<D, T> sum;
  for (std::size_t k = in_begin_[i]; k < in_begin_[i + 1]; ++k)
    if (live_[in_slot_[k]] & touches) sum += back_turning_[in_slot_[k]];
  sum += own_turning_[i];
  const T inertia = world_.grains.inertia[i];
  if (!(inertia > T(0))) return {};
  Spin<D, T> torque = sum.torque;
  for (const ContactLaws& laws : table_.laws) {  // all that damp are of one kind
    if (laws.rotational.index() == 0) continue;
    std::visit(
        [&]<class Law>(const Law& law) {
          if constexpr (of_matrix<Law>) {
            if (!(sum.weight > T(0))) return;
            torque *= sum.count / sum.weight;
            const Spin<D, T> stop = law.to_stop(sum, s.w[i], inertia, run_step);
            if (dot(stop + torque, stop) < T(0)) torque = -stop;
          }
        },
        laws.rotational);
    break;
  }
  return torque;
}

#define SCREE_INSTANTIATE(D, T)                                                      \
  template void Engine<D, T>::note_turning(const ContactLaws&, const Twist&);        \
  template Spin<D, T> Engine<D, T>::turning_torque(std::size_t, const State<D, T>&) const;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
