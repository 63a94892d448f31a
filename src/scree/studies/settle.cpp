// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/settle.hpp"

#include <optional>

#include "scree/core/errors.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/phases.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

template <int D> Checkpoint rest(Scene<D, double> scene) {
  const StartCache cache(scene.start_hash);
  if (auto found = cache.find()) return *found;
  std::optional<Checkpoint> state;
  const double damping = scene.world.domain.damping, fall = fall_time(scene.world);
  for (const Phase& phase : scene.prepare.phases) {
    const PhaseClock clock = clock_of(phase, step_of(scene));
    scene.world.domain.damping = damping + phase.damping;
    Simulation<D, double> sim(scene, clock.dt, clock.t0);
    if (state) {
      restart(*state, clock.t0, clock.dt);
      sim.load(*state);
    }
    sim.start();
    RestWatch rest(fall, phase.rest, clock.t0);
    while (sim.steps() < clock.steps) {
      sim.step();
      if (const auto fault = sim.engine().fault()) throw RunError(fault->what + " (while settling)");
      if (rest.asked() && sim.steps() % RestWatch::every == 0 && rest.long_enough(sim.time(), sim.engine().unrest()))
        break;
    }
    state = sim.save();
  }
  const Checkpoint& rested = *state;
  cache.keep(rested);
  return rested;
}

}  // namespace

Settled settled_from(const Checkpoint& c, int dim) {
  Settled s;
  s.x = c.array<double>("state.x");
  s.v = c.array<double>("state.v");
  s.q = c.array<double>("state.q");
  s.w = c.array<double>("state.w");
  if (c.has("servos")) s.servos = c.array<double>("servos");
  const auto& id1 = c.array<std::uint32_t>("springs.id1");
  const auto& id2 = c.array<std::uint32_t>("springs.id2");
  const auto &zeta = c.array<double>("springs.zeta"), &roll = c.array<double>("springs.roll");
  const std::size_t slip = dim == 2 ? spring_size<2> : spring_size<3>,
                    turn = dim == 2 ? spin_size<2> : spin_size<3>;
  for (std::size_t p = 0; p < id1.size(); ++p) {
    Settled::Spring spring{id1[p], id2[p], {}, {}};
    for (std::size_t k = 0; k < slip; ++k) spring.zeta[k] = zeta[p * slip + k];
    for (std::size_t k = 0; k < turn; ++k) spring.roll[k] = roll[p * turn + k];
    s.springs.push_back(spring);
  }
  return s;
}

Settled settle(const AnyScene& scene) {
  return std::visit(
      []<int D, class T>(const Scene<D, T>& one) -> Settled {
        if (!one.prepare.wanted) throw InputError(one.file + ": expected a scene with [prepare]");
        if constexpr (!std::is_same_v<T, double>)
          throw InputError(one.file + ": grains come to rest in double");
        else
          return settled_from(rest(one), D);
      },
      scene);
}

}  // namespace scree
