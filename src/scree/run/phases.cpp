// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/phases.hpp"

namespace scree {

PhaseClock clock_of(const Phase& phase, double run_dt) {
  const double dt = phase.dt > 0 ? phase.dt : run_dt;
  const auto steps = static_cast<std::int64_t>(std::ceil(phase.time / dt));
  return {phase.end - dt * static_cast<double>(steps), dt, steps};
}

void restart(Checkpoint& state, double t0, double dt) {
  state.values["t0"] = t0;
  state.values["dt"] = dt;
  state.values["integrator"] = std::string("start");
  for (const char* count : {"steps", "force_calls", "accepted", "rejected", "iterations", "guarded", "redone", "rebuilds"})
    state.values[count] = std::int64_t{0};
  state.values["largest_overlap"] = 0.0;
  state.arrays.erase("friction.counts");
}

}  // namespace scree
