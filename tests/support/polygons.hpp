// SPDX-License-Identifier: BSD-3-Clause
/// Angular grains for scenes built in code.
#pragma once

#include "scree/grains/body.hpp"
#include "scree/run/read_shapes.hpp"
#include "tests/support/scenes.hpp"

namespace scree::test {

/// A scene whose material is a layer of 5000 kg/m².
template <class T = double>
Scene<2, T> layer(const ContactLaws& laws, const std::string& integrator = "damped-verlet") {
  auto scene = empty_scene<2, T>(laws, integrator);
  scene.world.materials[0] = {"stone", 5000, Body::disc, 1, 0, 0.3};
  return scene;
}

/// Adds a grain with this outline, in m; an empty one is a disk of radius `r`.
template <class T>
std::uint32_t add_polygon(Scene<2, T>& scene, const Outline& outline, const Vec<2, double>& x, double angle = 0,
                          const Vec<2, double>& v = {}, double w = 0, bool held = false, double r = 0) {
  auto& world = scene.world;
  ShapeIndex shape = 0;
  if (!outline.empty()) {
    const auto [made, size] = shape_of(outline);
    world.shapes.push_back(made);
    shape = static_cast<ShapeIndex>(world.shapes.size());
    r = size;
  }
  const auto id = add_grain<2, T>(scene, convert<T>(x), convert<T>(v), r, 1, held);
  const auto [m, inertia] = mass_and_inertia(world, 0, T(r), shape);
  world.grains.m.back() = m;
  world.grains.inertia.back() = inertia;
  world.grains.shape.push_back(shape);
  world.state.q.back()[0] = T(angle);
  world.state.w.back()[0] = T(w);
  return id;
}

inline Outline box(double width, double height) {
  const double a = width / 2, b = height / 2;
  return {{-a, -b}, {a, -b}, {a, b}, {-a, b}};
}

}  // namespace scree::test
