// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of the momentum-shifted form: docs/kk-shifted.md has the derivation,
/// integrators/kk_shifted.hpp the scheme.
#include "scree/core/reals.hpp"
#include "scree/core/stopwatch.hpp"
#include "scree/engines/engine.hpp"

namespace scree {

/// n', the rate at which a contact's normal turns.
template <int D, class T>
Vec<D, T> Engine<D, T>::turning(const Batch<D, T>& b, const State<D, T>& s, int c) const {
  const auto k = static_cast<std::size_t>(c);
  const Vec<D, T> n = b.get(b.n_, c);
  if (b.of_walls) return scree::turning(walls_[b.j[k]], n, s.x[b.i[k]], s.v[b.i[k]]);
  return (b.get(b.dv, c) - n * b.rate[k]) * (T(-1) / b.distance[k]);
}

/// The share of a contact in the rates of P = m v + Σ ψ n: P' = Σ (-elastic n + ψ n') + tangential forces.
template <int D, class T>
void Engine<D, T>::add_shift(const Batch<D, T>& b, const State<D, T>& s, int c, const Vec<D, T>& tangential) {
  const auto k = static_cast<std::size_t>(c);
  const std::size_t slot = b.slot[k];
  const Vec<D, T> n = b.get(b.n_, c);
  const Vec<D, T> f = turning(b, s, c) * b.impulse[k] - n * b.elastic[k], shift = n * b.impulse[k];
  ShiftShare one{tangential, tangential, {}, {}};
  if (!(live_[slot] & slack)) {
    one.f_before += f;
    one.shift_before = shift;
  }
  if (b.pushes[k]) {
    one.f_after += f;
    one.shift_after = shift;
  }
  own_shift_[b.i[k]] += one;
  if (!b.of_walls) back_shift_[slot] = {-one.f_before, -one.f_after, -one.shift_before, -one.shift_after};
}

/// ψ n alone, of contacts whose pull is not cut.
template <int D, class T>
void Engine<D, T>::flush_shift(Worker& worker, State<D, T>&) {
  Batch<D, T>& b = worker.batch;
  SpringTask<T> task;
  task.shifting = Shifting::impulse;
  kernels_.evaluate(b, table_, task, need_effective_);
  for (int c = 0; c < b.n; ++c) {
    const auto k = static_cast<std::size_t>(c);
    const std::size_t slot = b.slot[k];
    const Vec<D, T> shift = live_[slot] & slack ? Vec<D, T>{} : b.get(b.n_, c) * b.impulse[k];
    own_shift_[b.i[k]].shift_before += shift;
    if (!b.of_walls) back_shift_[slot].shift_before = -shift;
    live_[slot] |= touches;
  }
}

template <int D, class T>
void Engine<D, T>::shift(const T& t, State<D, T>& s, Column<Vec<D, T>>& out) {
  Task task;
  task.shifting = Shifting::impulse;
  evaluate(t, s, task, own_.a, own_.alpha);
  const Stopwatch watch(phases.gather, s.size());
  out.resize(s.size());
  for_each_index(s.size(), [&](std::size_t i) {
    Vec<D, T> sum{};
    for (std::size_t k = in_begin_[i]; k < in_begin_[i + 1]; ++k)
      if (live_[in_slot_[k]] & touches) sum += back_shift_[in_slot_[k]].shift_before;
    out[i] = (sum + own_shift_[i].shift_before) * inverse_mass_[i];
  });
}

template <int D, class T>
void Engine<D, T>::shifted_forces(const T& t, State<D, T>& s, ShiftedRates<D, T>& out, SpringMove<T> move, const T& h) {
  Task task;
  task.springs = {move.before, move.after, false, false, Shifting::all, h};
  task.commit = move.commit;
  task.weight = move.before + move.after;
  task.shifting = Shifting::all;
  evaluate(t, s, task, own_.a, own_.alpha);
  const Stopwatch watch(phases.gather, s.size());
  out.resize(s.size());
  // Plain forces are gathered too: torques, body forces and the ledger are as ever.
  Accelerations<D, T>& plain = plain_;
  plain = own_;
  gather(t, s, task, plain.a, plain.alpha);
  for_each_index(s.size(), [&](std::size_t i) {
    ShiftShare sum{};
    Vec<D, T> contacts{};
    for (std::size_t k = in_begin_[i]; k < in_begin_[i + 1]; ++k) {
      const std::size_t p = in_slot_[k];
      if (!(live_[p] & touches)) continue;
      sum += back_shift_[p];
      contacts += back_[p].f;
    }
    sum += own_shift_[i];
    contacts += own_.a[i];
    const T w = inverse_mass_[i];
    // what is not of contacts: gravity, pushes, drag
    const Vec<D, T> rest = plain.a[i] - contacts * w;
    out.before.a[i] = rest + sum.f_before * w;
    out.after.a[i] = rest + sum.f_after * w;
    out.before.shift[i] = sum.shift_before * w;
    out.after.shift[i] = sum.shift_after * w;
    out.alpha[i] = plain.alpha[i];
  });
}

#define SCREE_INSTANTIATE(D, T)                                                                                   \
  template Vec<D, T> Engine<D, T>::turning(const Batch<D, T>&, const State<D, T>&, int) const;                    \
  template void Engine<D, T>::add_shift(const Batch<D, T>&, const State<D, T>&, int, const Vec<D, T>&);           \
  template void Engine<D, T>::flush_shift(Worker&, State<D, T>&);                                                 \
  template void Engine<D, T>::shift(const T&, State<D, T>&, Column<Vec<D, T>>&);                                  \
  template void Engine<D, T>::shifted_forces(const T&, State<D, T>&, ShiftedRates<D, T>&, SpringMove<T>, const T&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
