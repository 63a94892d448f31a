// SPDX-License-Identifier: BSD-3-Clause
/// Energy from step to step, and what it is looked at on: chains, and crowds of discs and spheres, that are drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "scree/core/errors.hpp"
#include "tests/integrators/bead_chain.hpp"

namespace scree::test {

/// Largest rise of a function of the state from one step to the next, over its first value; and its last value over that.
struct Course {
  double rise = 0, left = 0;
};
template <int D>
Course follow(Scene<D, double>& scene, double h, int steps, const std::function<double(Simulation<D, double>&)>& of,
              bool may_fail = false) {
  Simulation<D, double> sim(scene, h, 0.0);
  sim.start();
  const double first = of(sim);
  double before = first;
  Course course;
  for (int k = 0; k < steps; ++k) {
    try {
      sim.step();
    } catch (const RunError&) {
      if (!may_fail) throw;
      break;
    }
    const double now = of(sim);
    course.rise = std::max(course.rise, (now - before) / first);
    before = now;
  }
  course.left = before / first;
  return course;
}
template <int D>
double energy(Simulation<D, double>& sim) { return sim.energies().mechanical(); }

/// Beads of random masses, velocities and (if wanted) stiffnesses, with gaps or pressed, between two walls.
inline Scene<2, double> random_chain(std::uint32_t seed, double gamma, double a, bool stiffnesses, bool pressed) {
  Random random(11, 2, seed);
  auto scene = bead_chain(8, gamma, a);
  auto& world = scene.world;
  double at = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    world.grains.m[k] = random.uniform(0.3, 3);
    world.state.v[k] = {random.uniform(-1, 1), 0};
    if (k > 0) at += 2 * bead_radius + (pressed ? random.uniform(-0.6, 0) : random.uniform(-0.1, 0.4));
    world.state.x[k] = world.grains.home[k] = {at, 0};
    if (stiffnesses) world.grains.stiffness.push_back(random.uniform(0.3, 4));
  }
  if (stiffnesses) scene.table.laws[0].scaling.stiffest = 4;
  add_plane(scene, {-bead_radius - 0.1, 0}, {1, 0});
  add_plane(scene, {at + bead_radius + 0.1, 0}, {-1, 0});
  scene.run.max_overlap = 1;
  return scene;
}

inline constexpr double round_off = 1e-12;  // what Newton's method leaves, and the sum of energies

/// Discs and spheres in a box that they fill, under gravity, and discs in a ring.
template <int D>
Scene<D, double> crowd(std::uint32_t seed, double gamma, bool ring) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 1.5e6 * gamma};
  laws.attraction = true;
  auto scene = empty_scene<D>(laws, "kk-theta");
  scene.run.max_overlap = 1;
  Random random(5, D, seed);
  const int side = D == 2 ? 5 : 3;
  const double apart = 0.0203, half = apart * side / 2;
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b)
      for (int c = 0; c < (D == 2 ? 1 : side); ++c) {
        Vec<D, double> x{}, v{};
        const int at[] = {a, b, c};
        for (int k = 0; k < D; ++k) {
          x[k] = apart * (at[k] + 0.5) - half + random.uniform(-2e-4, 2e-4);
          v[k] = random.uniform(-1, 1);
        }
        add_grain(scene, x, v, random.uniform(0.008, 0.01));
      }
  scene.world.domain.gravity[1] = -9.81;
  if (ring) {
    Wall<D> wall;
    wall.kind = WallKind::ring;
    wall.radius = 1.5 * half;
    wall.name = "ring";
    scene.world.walls.push_back(wall);
  } else {
    for (int k = 0; k < D; ++k)
      for (const double sign : {1.0, -1.0}) {
        Vec<D, double> point{}, normal{};
        point[k] = -sign * half;
        normal[k] = sign;
        add_plane(scene, point, normal);
      }
  }
  return scene;
}

}  // namespace scree::test
