// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Hertz elasticity with a plain dashpot, which jumps at first touch.
///
///     N = k ξ^{3/2} + g ξ'
///
struct HertzLinear {
  static constexpr std::string_view name = "hertz-linear";
  static constexpr double root_in_damping = 0;
  double k = 0;
  double g = 0;

  static constexpr auto fields() {
    return std::tuple{field<&HertzLinear::k>("k", "N m^-3/2", positive, "stiffness"),
                      field<&HertzLinear::g>("g", "kg/s", non_negative, "dashpot")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * c.xi * c.root; }
  template <class T> SCREE_FN T damping(const Overlap<T>&) const { return T(g); }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const { return g * c.xi; }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    return k * c.xi * c.xi * c.root * T(2) / T(5);
  }
};
static_assert(NormalLaw<HertzLinear>);

}  // namespace scree
