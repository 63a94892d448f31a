// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/measure.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "scree/bench/instructions.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/nodes.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

template <int D>
Timing measure(const BedInfo& bed, Scene<D, double>& scene, const LammpsDump& state, const BedSteps& steps, const std::optional<BedLooks>& looks) {
  Simulation<D, double> sim(scene, bed_dt, 0.0);
  sim.start();
  const std::int64_t all = steps.warm + steps.timed;
  // until so many steps have been taken, or a few more: nobody looks at the state before the last of all
  const auto run = [&](std::int64_t until) {
    while (sim.steps() < until) sim.advance(all - 1 - sim.steps());
  };
  run(std::min(steps.warm, all - 1));

  Timing t;
  t.grains = scene.world.grains.size();
  t.steps = all - sim.steps();
  auto& engine = sim.engine();
  engine.phases = {};
  const std::int64_t rebuilds = engine.rebuilds;
  InstructionCounter counter;
  const auto start = std::chrono::steady_clock::now();
  run(all - 1);
  sim.step();
  t.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (const auto count = counter.count())
    t.instructions = static_cast<double>(*count) / static_cast<double>(t.grains) / static_cast<double>(t.steps);
  t.rebuilds = engine.rebuilds - rebuilds;
  t.refresh = engine.phases.refresh;
  t.sweep = engine.phases.sweep;
  t.gather = engine.phases.gather;
  t.bytes = static_cast<double>(sim.bytes()) / static_cast<double>(t.grains);
  if (const auto fault = engine.fault()) throw RunError("bed " + scene.name + ": " + fault->what);
  t.hash = sim.hash();
  if (!looks) return t;
  RunStatistics statistics(bed, dump_of(scene, state, all));
  for (std::int64_t k = 0; k < looks->count; ++k) {
    do sim.step();
    while (sim.steps() % looks->every != 0);
    statistics.look(dump_of(scene, state, sim.steps()));
  }
  t.statistics = statistics.result();
  return t;
}

}  // namespace

Timing measure_scree(const BedInfo& bed, const LammpsDump& state, const BedOptions& options, const BedSteps& steps, int threads,
                     const std::optional<BedLooks>& looks) {
  omp_set_num_threads(threads);
  const BoundThreads bound;
  BedScene scene = bed_scene(bed, state, options);
  return std::visit([&](auto& one) { return measure(bed, one, state, steps, looks); }, scene);
}

}  // namespace scree
