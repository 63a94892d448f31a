// SPDX-License-Identifier: BSD-3-Clause
/// Preparation in phases, one after the other at t < 0: the clock of each, how one hands its state
/// to the next, and when grains rest. For those who move a scene through them (runner, settle).
#pragma once

#include <cmath>
#include <cstdint>

#include "scree/io/checkpoint.hpp"
#include "scree/run/scene.hpp"
#include "scree/run/simulation.hpp"

namespace scree {

/// Steps of dt from t0.
struct PhaseClock {
  double t0 = 0, dt = 0;
  std::int64_t steps = 0;
};
/// A phase ends on the dot and begins up to a step early, so that whole steps fill it.
PhaseClock clock_of(const Phase& phase, double run_dt);

/// Makes of the state at the end of a phase the start of the next one, or of the run: clock,
/// integrator and counts begin afresh.
void restart(Checkpoint& state, double t0, double dt);

/// The time in which a mean grain of the scene as it was built falls through its own diameter, s. Not of the grains
/// that are there later: who has come in by then must not depend on where a run was interrupted.
template <int D, class T>
double fall_time(const World<D, T>& world) {
  const double weight = norm(world.domain.gravity);
  return weight > 0 ? 2 * std::sqrt(mean_radius(world) / weight) : 0;
}

/// Tells when all grains have rested for as long as one takes to fall through its own diameter: at
/// the turning point of a bounce, or before the first fall, nothing moves either.
class RestWatch {
 public:
  /// `limit` 0: nobody asks whether they rest. `fall`: see fall_time.
  RestWatch(double fall, double limit, double now) : limit_(limit), fall_(fall), last_unrest(now) {}
  /// How often to ask, in steps.
  static constexpr std::int64_t every = 50;
  bool asked() const { return limit_ > 0; }
  bool at_rest(double unrest) const { return unrest < limit_; }
  bool long_enough(double now, double unrest) {
    if (at_rest(unrest)) return now - last_unrest > fall_;
    last_unrest = now;
    return false;
  }

 private:
  double limit_, fall_;

 public:
  double last_unrest;  // when a grain last moved
};

}  // namespace scree
