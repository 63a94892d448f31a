// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/experiment.hpp"

#include <time.h>

#include "scree/core/errors.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

/// Seconds of processor time of this thread, on which loops over a few grains run: neither other programs
/// on the machine nor other runs of the study count.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class C> void collect(const C& column, const std::vector<std::uint32_t>& order,
                                std::vector<dd>& out) {
  for (const std::uint32_t i : order)
    for (int k = 0; k < C::value_type::size; ++k) out.push_back(dd(column[i][k]));
}

/// Counters that only some integrators keep.
template <class I> void count(const I& integrator, Outcome& out) {
  out.force_calls = integrator.force_calls;
  if constexpr (requires { integrator.accepted; }) out.accepted = integrator.accepted;
  if constexpr (requires { integrator.rejected; }) out.rejected = integrator.rejected;
  if constexpr (requires { integrator.iterations; }) out.iterations = integrator.iterations;
  if constexpr (requires { integrator.guarded; }) {
    out.guarded = integrator.guarded;
    out.redone = integrator.redone;
    out.taken = static_cast<double>(integrator.taken);
  }
}

/// Puts the grains where they rested, with their springs.
template <int D, class T> void place(Scene<D, T>& scene, Simulation<D, T>& sim, const Settled& rested) {
  const auto order = order_by_id(scene.world.grains.id);
  const auto put = [&](auto& column, const std::vector<double>& from) {
    const int n = std::remove_cvref_t<decltype(column[0])>::size;
    if (from.size() != order.size() * static_cast<std::size_t>(n)) throw InputError("the rested start is of another scene");
    for (std::size_t i = 0; i < order.size(); ++i)
      for (int k = 0; k < n; ++k) column[order[i]][k] = T(from[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(k)]);
  };
  State<D, T>& s = scene.world.state;
  put(s.x, rested.x);
  put(s.v, rested.v);
  put(s.q, rested.q);
  put(s.w, rested.w);
  const Grains<D, T>& g = scene.world.grains;
  for (std::size_t i = 0; i < g.size(); ++i)  // what cannot be turned would go on with the spin that it rested with
    if (!(g.inertia[i] > T(0))) s.w[i] = {};
  std::vector<typename Engine<D, T>::SpringRecord> records;
  for (const Settled::Spring& one : rested.springs) {
    typename Engine<D, T>::SpringRecord r{one.id1, one.id2, {}, {}};
    for (int k = 0; k < spring_size<D>; ++k) r.zeta[k] = T(one.zeta[static_cast<std::size_t>(k)]);
    for (int k = 0; k < spin_size<D>; ++k) r.roll[k] = T(one.roll[static_cast<std::size_t>(k)]);
    records.push_back(r);
  }
  for (std::size_t k = 0; 3 * k + 2 < rested.servos.size() && k < scene.world.servoed.size(); ++k)
    scene.world.servoed[k] = {T(rested.servos[3 * k]), T(rested.servos[3 * k + 1]), T(rested.servos[3 * k + 2])};
  sim.engine().reload(T(0), records);
}

template <int D, class T> Outcome run(Scene<D, T> scene, double dt, std::int64_t steps,
                                      const Observer& observer, const Settled* rested, Settled* end) {
  if (scene.prepare.wanted && !rested)
    throw InputError(scene.file + ": [prepare] is not for a study, which starts from what the scene says; "
                     "expected a scene without it");
  Outcome out;
  Simulation<D, T> sim(scene, dt, T(0));
  double looked = 0;  // s, spent in the observer
  const auto look = [&] {
    if (observer.every <= 0 || sim.steps() % observer.every != 0 || sim.steps() < observer.from) return true;
    const double before = processor_seconds();
    const bool go_on = observer.look(sim.frame(observer.contacts));
    looked += processor_seconds() - before;
    return go_on;
  };
  const double start = processor_seconds();
  try {
    if (rested) place(scene, sim, *rested);
    sim.start();
    bool go_on = look();
    while (go_on && sim.steps() < steps) {
      sim.step();
      if (const auto fault = sim.engine().fault()) throw RunError(fault->what);
      go_on = look();
    }
    out.wall_s = processor_seconds() - start - looked;
    out.energies = sim.energies();
    if (const auto fault = sim.engine().fault()) throw RunError(fault->what);
  } catch (const RunError& error) {
    out.fault = error.what();
    if (out.wall_s == 0) out.wall_s = processor_seconds() - start - looked;
  }
  const auto order = order_by_id(scene.world.grains.id);
  const State<D, T>& s = scene.world.state;
  collect(s.x, order, out.x);
  collect(s.v, order, out.v);
  collect(s.q, order, out.q);
  collect(s.w, order, out.w);
  out.largest_overlap = sim.engine().largest_overlap;
  if (end) {
    if constexpr (std::is_same_v<T, double>)
      *end = settled_from(sim.save(), D);
    else
      throw InputError(scene.file + ": expected a scene in double to go on from its end");
  }
  out.time = static_cast<double>(sim.time());
  out.steps = sim.steps();
  count(sim.integrator(), out);
  out.iterations += sim.engine().friction_effort.sweeps;
  return out;
}

}  // namespace

Outcome run_experiment(const AnyScene& scene, double dt, std::int64_t steps, const Observer& observer,
                       const Settled* rested, Settled* end) {
  return std::visit([&](const auto& one) { return run(one, dt, steps, observer, rested, end); }, scene);
}

}  // namespace scree
