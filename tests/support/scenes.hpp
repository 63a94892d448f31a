// SPDX-License-Identifier: BSD-3-Clause
/// Small scenes built in code, so that a test of the engine needs no files.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/run/simulation.hpp"

namespace scree::test {

inline constexpr double pi = 3.14159265358979323846;

/// A scene of one material with the given laws.
template <int D, class T = double>
Scene<D, T> empty_scene(const ContactLaws& laws, const std::string& integrator = "damped-verlet") {
  Scene<D, T> scene;
  scene.name = "test";
  scene.dim = D;
  scene.run.integrator = integrator;
  scene.world.materials.push_back({"glass", 2500.0, Body::sphere, 0, 0, 0.3});
  scene.world.groups.push_back({});
  scene.table.laws.push_back(laws);
  scene.table.of_pair = {0};
  scene.table.materials = 1;
  return scene;
}

/// Adds a grain; a mass of 0 is that of a sphere of the material. Returns its id.
template <int D, class T>
std::uint32_t add_grain(Scene<D, T>& scene, const std::type_identity_t<Vec<D, T>>& x,
                        const std::type_identity_t<Vec<D, T>>& v, double r, double mass = 0, bool held = false) {
  auto& g = scene.world.grains;
  auto& s = scene.world.state;
  const auto id = static_cast<std::uint32_t>(g.size());
  const T m = mass > 0 ? T(mass) : T(4) / T(3) * constant::pi<T>() * r * r * r * scene.world.materials[0].density;
  g.r.push_back(r);
  g.m.push_back(m);
  g.inertia.push_back(T(2) / T(5) * m * r * r);
  g.id.push_back(id);
  g.material.push_back(0);
  g.group.push_back(0);
  g.held.push_back(held);
  g.home.push_back(x);
  s.x.push_back(x);
  s.v.push_back(v);
  s.q.push_back(no_turn<D, T>());
  s.w.push_back({});
  s.e.push_back({});
  return id;
}

template <int D, class T>
void add_plane(Scene<D, T>& scene, const std::type_identity_t<Vec<D, double>>& point,
               const std::type_identity_t<Vec<D, double>>& normal) {
  Wall<D> wall;
  wall.point = point;
  wall.normal = normal;
  wall.name = "plane";
  scene.world.walls.push_back(wall);
}

/// Where the grain with this id is stored now.
template <int D, class T>
std::size_t place(const Scene<D, T>& scene, std::uint32_t id) {
  const auto& ids = scene.world.grains.id;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == id) return i;
  return ids.size();
}

/// Runs a fresh scene for n steps.
template <int D, class T>
void run(Scene<D, T>& scene, double dt, std::int64_t steps) {
  Simulation<D, T> sim(scene, dt, T(0));
  sim.start();
  for (std::int64_t k = 0; k < steps; ++k) sim.step();
}

/// Slope of log y against log x by least squares.
inline double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double a = std::log(x[k]), b = std::log(y[k]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace scree::test
