// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/measure.hpp"

#include <omp.h>

#include <chrono>

#include "scree/bench/instructions.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/nodes.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

template <int D>
Timing measure(Scene<D, double>& scene, const LammpsDump& state, const BedSteps& steps, bool want_state) {
  Simulation<D, double> sim(scene, bed_dt, 0.0);
  sim.start();
  const auto run = [&](std::int64_t count) {
    for (std::int64_t n = 0; n + 1 < count;) n += sim.advance(count - 1 - n);
    sim.step();
  };
  run(steps.warm);

  Timing t;
  t.grains = scene.world.grains.size();
  t.steps = steps.timed;
  auto& engine = sim.engine();
  engine.phases = {};
  const std::int64_t rebuilds = engine.rebuilds;
  InstructionCounter counter;
  const auto start = std::chrono::steady_clock::now();
  run(steps.timed);
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
  if (want_state) t.final_state = dump_of(scene, state, sim.steps());
  return t;
}

}  // namespace

Timing measure_scree(const BedInfo& bed, const LammpsDump& state, const BedOptions& options, const BedSteps& steps, int threads,
                     bool want_state) {
  omp_set_num_threads(threads);
  const BoundThreads bound;
  BedScene scene = bed_scene(bed, state, options);
  return std::visit([&](auto& one) { return measure(one, state, steps, want_state); }, scene);
}

}  // namespace scree
