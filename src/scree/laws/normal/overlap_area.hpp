// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Overlap area of rigid outlines: F = Y A/l + γ sqrt(m* Y) A'/l, with l = 4 r_i r_j/(r_i + r_j).
/// Polygons take A and A' from the clip (engines/angular.cpp). Between round grains the area
/// of the lens is, to leading order in ξ/r*, A = (4/3) sqrt(2 r*) ξ^{3/2} with the chord A' = 2 sqrt(2 r* ξ) ξ', and
/// l = 4 r*:
///
///     N = Y sqrt(2/(9 r*)) ξ^{3/2} + gamma sqrt(m* Y) sqrt(ξ/(2 r*)) ξ'
///
/// Krengel and Matuttis (seed 001), eqs 16 to 18.
struct OverlapArea {
  static constexpr std::string_view name = "overlap-area";
  double k = 0;  // Y: by the name that stiffnesses have here
  double gamma = 0;

  static constexpr auto fields() {
    return std::tuple{field<&OverlapArea::k>("Y", "N/m", positive, "Young's modulus in the plane"),
                      field<&OverlapArea::gamma>("gamma", "", non_negative, "damping")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * sqrt(T(2.0) / (T(9.0) * c.r_eff)) * c.xi * c.root; }
  template <class T> SCREE_FN T damping(const Overlap<T>& c) const {
    return gamma * sqrt(k * c.m_eff) * (c.root / sqrt(T(2.0) * c.r_eff));
  }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const {
    return gamma * sqrt(k * c.m_eff) * (c.xi * c.root / sqrt(T(2.0) * c.r_eff)) * T(2.0 / 3);
  }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const { return elastic(c) * c.xi * T(0.4); }
};
static_assert(NormalLaw<OverlapArea>);

}  // namespace scree
