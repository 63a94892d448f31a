// SPDX-License-Identifier: BSD-3-Clause
/// Chains of beads of mass and stiffness 1, in touch on the x axis, the first one at speed 1.
#pragma once

#include <cmath>
#include <vector>

#include "tests/support/scenes.hpp"

namespace scree::test {

inline constexpr double bead_radius = 5;

/// k (ξ^a + γ d/dt ξ^a)
inline ContactLaws power_law(double gamma, double a, double k) {
  ContactLaws laws;
  laws.normal = Power{k, a * gamma * k, a, a - 1};
  laws.attraction = true;
  return laws;
}

template <class T = double>
Scene<2, T> bead_chain(int count, double gamma, double a = 1.5) {
  auto scene = empty_scene<2, T>(power_law(gamma, a, 1), "kk-theta");
  for (int k = 0; k < count; ++k)
    add_grain(scene, {T(2 * bead_radius * k), T(0)}, {T(k == 0 ? 1 : 0), T(0)}, bead_radius, 1.0);
  scene.run.method.beyond = true;
  return scene;
}

/// How a chain ended: displacements and velocities by bead.
struct ChainEnd {
  std::vector<double> x, v;
  double iterations_per_step = 0;
};

inline ChainEnd run_chain(Scene<2, double> scene, double h, double time) {
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  const auto steps = std::llround(time / h);
  for (long long k = 0; k < steps; ++k) sim.step();
  ChainEnd end;
  for (std::uint32_t id = 0; id < scene.world.grains.size(); ++id) {
    const std::size_t i = place(scene, id);
    end.x.push_back(scene.world.state.x[i][0] - 2 * bead_radius * id);
    end.v.push_back(scene.world.state.v[i][0]);
  }
  end.iterations_per_step = static_cast<double>(sim.integrator().iterations) / static_cast<double>(steps);
  return end;
}

}  // namespace scree::test
