// SPDX-License-Identifier: BSD-3-Clause
/// Speed on a settled bed of spheres: 20 layers deep, periodic in x and y, on a floor, Hertz with a
/// dashpot and Cundall-Strack friction, about 4.6 contacts a grain.
///
///     dense_bed [--sizes 10000,100000,1000000] [--threads 1] [--steps 200] [--integrator NAME]
///
/// A block of 5120 spheres is settled once (a minute; kept in dense_bed.cache) and laid side by side,
/// which its periodic sides allow, until the wanted size is reached. Prints one CSV line a size.
#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>

#include "scree/core/random.hpp"
#include "scree/run/simulation.hpp"
#include "sizes.hpp"

using namespace scree;

namespace {

constexpr int side = 16, layers = 20;
constexpr double r_mean = 1e-3, width = side * 2.2 * r_mean, dt = 5e-6;

ContactLaws laws() {
  ContactLaws l;
  l.normal = HertzLinear{8.2e5, 0.05};  // about E = 5e7 Pa at this size, restitution near 0.7
  l.tangential = CundallStrack{2000, 0.5, 0};
  return l;
}

Scene<3, double> empty(const std::string& integrator, int tiles_x, int tiles_y) {
  Scene<3, double> scene;
  scene.name = "dense bed";
  scene.dim = 3;
  scene.run.integrator = integrator;
  scene.run.max_overlap = 0.5;
  scene.world.materials.push_back({"glass", 2500.0, Body::sphere, 0, 0, 0.3});
  scene.world.groups.push_back({});
  scene.table.laws.push_back(laws());
  scene.table.of_pair = {0};
  scene.table.materials = 1;
  scene.world.domain.gravity = {0, 0, -9.81};
  scene.world.domain.periodic = {true, true, false};
  scene.world.domain.hi = {width * tiles_x, width * tiles_y, 1};
  Wall<3> floor;
  floor.normal = {0, 0, 1};
  floor.name = "floor";
  scene.world.walls.push_back(floor);
  return scene;
}

void add(Scene<3, double>& scene, const Vec<3, double>& x, const Vec<3, double>& v, const Vec<3, double>& w, double r) {
  auto& g = scene.world.grains;
  auto& s = scene.world.state;
  const double m = 4.0 / 3.0 * 3.14159265358979323846 * r * r * r * 2500.0;
  g.id.push_back(static_cast<std::uint32_t>(g.size()));
  g.r.push_back(r);
  g.m.push_back(m);
  g.inertia.push_back(0.4 * m * r * r);
  g.material.push_back(0);
  g.group.push_back(0);
  g.held.push_back(0);
  g.home.push_back(x);
  s.x.push_back(x);
  s.v.push_back(v);
  s.q.push_back(no_turn<3, double>());
  s.w.push_back(w);
  s.e.push_back({});
}

/// The settled block, as a checkpoint.
Checkpoint settled_block() {
  if (auto kept = read_checkpoint("dense_bed.cache")) return kept->checkpoint;
  fmt::print(stderr, "settling a block of {} spheres…\n", side * side * layers);
  auto scene = empty("velocity-verlet", 1, 1);
  scene.world.domain.damping = 5;
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        Random random(1, 1, static_cast<std::uint32_t>(scene.world.grains.size()));
        const double r = r_mean * random.uniform(0.9, 1.1);
        add(scene, {(i + 0.5) * 2.2 * r_mean + random.uniform(-1e-5, 1e-5), (j + 0.5) * 2.2 * r_mean + random.uniform(-1e-5, 1e-5),
                    (k + 0.5) * 2.2 * r_mean}, {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0}, {}, r);
      }
  Simulation<3, double> sim(scene, dt, 0.0);
  sim.start();
  for (int n = 0; n < 40000; ++n) sim.step();
  const Checkpoint c = sim.save();
  write_checkpoint("dense_bed.cache", c);
  return c;
}

void measure(const Checkpoint& block, std::size_t wanted, const std::string& integrator, int steps) {
  const auto tiles = static_cast<int>(std::max(1.0, std::round(static_cast<double>(wanted) / (side * side * layers))));
  int tiles_x = 1;
  for (int k = 1; k * k <= tiles; ++k)
    if (tiles % k == 0) tiles_x = k;
  const int tiles_y = tiles / tiles_x;
  auto scene = empty(integrator, tiles_x, tiles_y);
  const auto& x = block.array<double>("state.x");
  const auto& v = block.array<double>("state.v");
  const auto& w = block.array<double>("state.w");
  const auto& r = block.array<double>("grains.radius");
  for (int a = 0; a < tiles_x; ++a)
    for (int b = 0; b < tiles_y; ++b)
      for (std::size_t i = 0; i < r.size(); ++i)
        add(scene, {x[3 * i] + a * width, x[3 * i + 1] + b * width, x[3 * i + 2]},
            {v[3 * i], v[3 * i + 1], v[3 * i + 2]}, {w[3 * i], w[3 * i + 1], w[3 * i + 2]}, r[i]);
  Simulation<3, double> sim(scene, dt, 0.0);
  sim.start();
  for (int n = 0; n < 20; ++n) sim.step();  // lists, springs, caches
  sim.engine().phases = {};
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < steps; ++n) sim.step();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto grains = static_cast<double>(scene.world.grains.size());
  const auto& p = sim.engine().phases;
  fmt::print("{},{},{},{:.3f},{:.1f},{:.2f},{:.0f},{},{:.1f},{:.1f},{:.1f},{:016x}\n", scene.world.grains.size(),
             omp_get_max_threads(), integrator, grains * steps / wall / 1e6 / omp_get_max_threads(),
             wall / steps / grains * 1e9 * omp_get_max_threads(), sim.engine().coordination(),
             static_cast<double>(sim.bytes()) / grains, sim.engine().rebuilds, 100 * p.refresh / wall,
             100 * p.sweep / wall, 100 * p.gather / wall, sim.hash());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::string integrator = "velocity-verlet";
  Checkpoint block;
  return for_sizes(
      argc, argv, {10000, 100000, 1000000}, 200,
      [&] {
        block = settled_block();
        fmt::print("grains,threads,integrator,million_grain_steps_per_s_per_core,core_ns_per_grain_step,contacts_per_grain,"
                   "bytes_per_grain,rebuilds,refresh_percent,sweep_percent,gather_percent,state_hash\n");
      },
      [&](std::size_t size, int steps) { measure(block, size, integrator, steps); },
      [&](CLI::App& app) { app.add_option("--integrator", integrator, "Name of the scheme")->capture_default_str(); });
}
