// SPDX-License-Identifier: BSD-3-Clause
/// Speed of polygons: hexagons in a honeycomb between a floor and two side walls, each pressed into its six
/// neighbours and turned a little, so that sides that meet are not parallel. As dense as hexagons can be, and with as many
/// contacts. Laws and sizes of seed 001, with its rotational damping.
///
///     polygons [--sizes 10000,100000] [--threads 1] [--steps 100]
///
/// Prints one CSV line a size; seconds are those of the processor, summed over threads.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "scree/core/random.hpp"
#include "scree/grains/body.hpp"
#include "scree/run/read_shapes.hpp"
#include "scree/run/simulation.hpp"
#include "sizes.hpp"

using namespace scree;

namespace {

constexpr double radius = 0.05, squeeze = 2e-3, turn = 1e-3, Y = 1e7, dt = 1e-5;

Scene<2, double> honeycomb(std::size_t wanted) {
  Scene<2, double> scene;
  scene.name = "honeycomb";
  scene.dim = 2;
  scene.run.integrator = "velocity-verlet";
  scene.run.max_overlap = 0.5;
  scene.world.domain.gravity = {0, -9.81};
  scene.world.materials.push_back({"stone", 5000, Body::disc, 1, 0, 0.3});
  scene.world.groups.push_back({});
  scene.world.shapes.push_back(shape_of(regular_polygon(6, 1, std::acos(-1.0) / 6)).first);
  ContactLaws laws;
  laws.normal = OverlapArea{Y, 0.5};
  laws.tangential = CundallStrack{2.0 / 7 * Y, 0.6, 0, 0};
  laws.rotational = MatrixDamping{0.1, Y};
  scene.table.laws.push_back(laws);
  scene.table.of_pair = {0};
  scene.table.materials = 1;

  const double apart = std::sqrt(3.0) * radius * (1 - squeeze), up = apart * std::sqrt(0.75);
  const auto columns = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(wanted))));
  const std::size_t rows = (wanted + columns - 1) / columns;
  const auto [mass, inertia] = mass_and_inertia(scene.world, 0, radius, ShapeIndex{1});
  auto& g = scene.world.grains;
  auto& s = scene.world.state;
  for (std::size_t k = 0; k < rows * columns; ++k) {
    Random random(1, 0, static_cast<std::uint32_t>(k));
    const std::size_t row = k / columns, column = k % columns;
    const Vec<2, double> x{(static_cast<double>(column) + (row % 2 ? 0.5 : 0.0)) * apart,
                           radius * (1 - squeeze) + static_cast<double>(row) * up};
    g.id.push_back(static_cast<std::uint32_t>(k));
    g.r.push_back(radius);
    g.m.push_back(mass);
    g.inertia.push_back(inertia);
    g.material.push_back(0);
    g.group.push_back(0);
    g.held.push_back(0);
    g.shape.push_back(1);
    g.home.push_back(x);
    s.x.push_back(x);
    s.v.push_back({});
    s.q.push_back({random.uniform(-turn, turn)});
    s.w.push_back({});
    s.e.push_back({});
  }
  Wall<2> floor, left, right;
  floor.name = "floor";
  floor.normal = {0, 1};
  left.name = "left";
  left.normal = {1, 0};
  left.point = {-apart / 2, 0};
  right.name = "right";
  right.normal = {-1, 0};
  right.point = {static_cast<double>(columns) * apart, 0};
  scene.world.walls = {floor, left, right};
  return scene;
}

void measure(std::size_t wanted, int steps) {
  auto scene = honeycomb(wanted);
  const std::size_t grains = scene.world.grains.size();
  Simulation<2, double> sim(scene, dt, 0.0);
  sim.start();
  for (int n = 0; n < 10; ++n) sim.step();  // lists, caches
  std::size_t fewest = sim.engine().contacts();
  const std::clock_t start = std::clock();
  for (int n = 0; n < steps; ++n) {
    sim.step();
    fewest = std::min(fewest, sim.engine().contacts());
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{},{},{},{:.3f},{:.2f},{:016x}\n", grains, omp_get_max_threads(), steps,
             static_cast<double>(grains) * steps / seconds / 1e6, static_cast<double>(fewest) / static_cast<double>(grains), sim.hash());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  return for_sizes(argc, argv, {10000, 100000}, 100, [] {
    fmt::print("grains,threads,steps,million_grain_steps_per_s_per_core,fewest_contacts_per_grain,state_hash\n");
  }, measure);
}
