// SPDX-License-Identifier: BSD-3-Clause
/// Speed of kk-theta on a chain whose beads all press on each other, between two walls: mass and stiffness 1,
/// overlaps of 0.3 of which thermal motion takes a part but never all, γ = 0.05, h = 0.1.
///
///     chain [--sizes 1000,100000] [--threads 1] [--steps 100]
///
/// Prints one CSV line a size; seconds are those of the processor, summed over threads.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "scree/core/random.hpp"
#include "scree/run/simulation.hpp"
#include "sizes.hpp"

using namespace scree;

namespace {

constexpr double radius = 5, squeeze = 0.3, gamma = 0.05, dt = 0.1;

Scene<2, double> chain(std::size_t beads) {
  Scene<2, double> scene;
  scene.name = "chain";
  scene.dim = 2;
  scene.run.integrator = "kk-theta";
  scene.run.max_overlap = 0.5;
  scene.world.materials.push_back({"bead", 1.0, Body::sphere, 0, 0, 0.3});
  scene.world.groups.push_back({});
  ContactLaws laws;
  laws.normal = Power{1, 1.5 * gamma, 1.5, 0.5};
  laws.attraction = true;
  scene.table.laws.push_back(laws);
  scene.table.of_pair = {0};
  scene.table.materials = 1;
  const double apart = 2 * radius - squeeze;
  auto& g = scene.world.grains;
  auto& s = scene.world.state;
  for (std::size_t k = 0; k < beads; ++k) {
    Random random(1, 0, static_cast<std::uint32_t>(k));
    const Vec<2, double> x{static_cast<double>(k) * apart, 0};
    g.id.push_back(static_cast<std::uint32_t>(k));
    g.r.push_back(radius);
    g.m.push_back(1);
    g.inertia.push_back(1);
    g.material.push_back(0);
    g.group.push_back(0);
    g.held.push_back(0);
    g.home.push_back(x);
    s.x.push_back(x);
    s.v.push_back({random.uniform(-0.1, 0.1), 0});
    s.q.push_back(no_turn<2, double>());
    s.w.push_back({});
    s.e.push_back({});
  }
  Wall<2> left, right;
  left.name = "left";
  left.normal = {1, 0};
  left.point = {squeeze - radius, 0};
  right.name = "right";
  right.normal = {-1, 0};
  right.point = {static_cast<double>(beads - 1) * apart + radius - squeeze, 0};
  scene.world.walls = {left, right};
  return scene;
}

void measure(std::size_t beads, int steps) {
  auto scene = chain(beads);
  Simulation<2, double> sim(scene, dt, 0.0);
  sim.start();
  for (int n = 0; n < 10; ++n) sim.step();  // lists, caches
  const auto iterations = sim.integrator().iterations;
  std::size_t fewest = sim.engine().contacts();
  const std::clock_t start = std::clock();
  for (int n = 0; n < steps; ++n) {
    sim.step();
    fewest = std::min(fewest, sim.engine().contacts());
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{},{},{},{:.3f},{:.2f},{},{:016x}\n", beads, omp_get_max_threads(), steps,
             static_cast<double>(beads) * steps / seconds / 1e6,
             static_cast<double>(sim.integrator().iterations - iterations) / steps, fewest, sim.hash());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  return for_sizes(argc, argv, {1000, 100000}, 100, [] {
    fmt::print("beads,threads,steps,million_bead_steps_per_s_per_core,iterations_per_step,fewest_contacts,state_hash\n");
  }, measure);
}
