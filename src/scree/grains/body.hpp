// SPDX-License-Identifier: BSD-3-Clause
/// Mass and moment of inertia of a grain, from its material, radius and shape.
#pragma once

#include <utility>

#include "scree/core/constants.hpp"
#include "scree/grains/world.hpp"

namespace scree {

/// About the centre; sphere: m = (4/3) π r³ ρ, I = (2/5) m r²; disc of height h: m = π r² h ρ, I = (1/2) m r².
template <class T> std::pair<T, T> mass_and_inertia(const Material& material, const T& r) {
  const T pi = constant::pi<T>();
  if (material.body == Body::disc) {
    const T m = pi * r * r * T(material.height) * T(material.density);
    return {m, m * r * r / T(2)};
  }
  const T m = T(4) / T(3) * pi * r * r * r * T(material.density);
  return {m, T(2) / T(5) * m * r * r};
}

/// A prism over an outline: m = A r² h ρ, I = J r⁴ h ρ, with A and J those of the outline of radius 1.
template <class T> std::pair<T, T> mass_and_inertia(const Material& material, const T& r, const GrainShape& shape) {
  const T per_area = T(material.height) * T(material.density), r2 = r * r;
  return {T(shape.area) * r2 * per_area, T(shape.second_moment) * r2 * r2 * per_area};
}

/// Of any grain of a world; `shape` as in Grains.
template <int D, class T> std::pair<T, T> mass_and_inertia(const World<D, T>& world, std::uint16_t material, const T& r, ShapeIndex shape) {
  const Material& of = world.materials[material];
  return shape == 0 ? mass_and_inertia<T>(of, r) : mass_and_inertia<T>(of, r, world.shapes[shape - 1]);
}

}  // namespace scree
