// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/settle.hpp"

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

template <int D, class T> Checkpoint rest(Scene<D, T> scene) {
  const StartCache cache(scene.start_hash);
  if (auto found = cache.find()) return *found;
  const double dt = scene.prepare.dt > 0 ? scene.prepare.dt : scene.run.dt;
  const auto steps = static_cast<std::int64_t>(std::ceil(scene.prepare.time / dt));
  scene.world.domain.damping += scene.prepare.damping;
  Simulation<D, T> sim(scene, dt, T(-dt * static_cast<double>(steps)));
  sim.start();
  // At rest for as long as a grain takes to fall through its own diameter: before the first fall nothing
  // moves either.
  const double weight = norm(scene.world.domain.gravity);
  const double fall = weight > 0 ? 2 * std::sqrt(mean_radius(scene.world) / weight) : 0;
  double last_unrest = static_cast<double>(sim.time());
  while (sim.steps() < steps) {
    sim.step();
    if (const auto fault = sim.engine().fault()) throw RunError(fault->what + " (while settling)");
    if (sim.steps() % 50 != 0) continue;
    const double now = static_cast<double>(sim.time());
    if (!(sim.engine().unrest() < scene.prepare.rest)) last_unrest = now;
    else if (now - last_unrest > fall) break;
  }
  const Checkpoint rested = sim.save();
  cache.keep(rested);
  return rested;
}

template <class T> std::vector<double> plain(const std::vector<T>& numbers) {
  std::vector<double> all;
  all.reserve(numbers.size());
  for (const T& one : numbers) all.push_back(static_cast<double>(one));
  return all;
}

}  // namespace

Settled settle(const AnyScene& scene) {
  return std::visit(
      []<int D, class T>(const Scene<D, T>& one) {
        if (!one.prepare.wanted) throw InputError(one.file + ": expected a scene with [prepare]");
        const Checkpoint c = rest(one);
        Settled s{plain(c.array<T>("state.x")), plain(c.array<T>("state.v")), plain(c.array<T>("state.q")), plain(c.array<T>("state.w")), {}};
        const auto& id1 = c.array<std::uint32_t>("springs.id1");
        const auto& id2 = c.array<std::uint32_t>("springs.id2");
        const auto zeta = plain(c.array<T>("springs.zeta")), roll = plain(c.array<T>("springs.roll"));
        for (std::size_t p = 0; p < id1.size(); ++p) {
          Settled::Spring spring{id1[p], id2[p], {}, {}};
          for (std::size_t k = 0; k < spring_size<D>; ++k) spring.zeta[k] = zeta[p * spring_size<D> + k];
          for (std::size_t k = 0; k < spin_size<D>; ++k) spring.roll[k] = roll[p * spin_size<D> + k];
          s.springs.push_back(spring);
        }
        return s;
      },
      scene);
}

}  // namespace scree
