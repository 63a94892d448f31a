// SPDX-License-Identifier: BSD-3-Clause
/// Mass and moment of inertia of a round grain, from its material and radius.
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

}  // namespace scree
