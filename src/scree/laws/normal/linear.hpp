// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Spring and dashpot.
///
///     N = k ξ + g ξ'
///
/// Restitution and contact time do not depend on the impact speed: with b = g/(2 m), w² = k/m - b²
/// (m the reduced mass), t_c = π/w and e = exp(-b t_c) when attraction is allowed.
/// Cundall and Strack, Géotechnique 29, 47 (1979).
struct Linear {
  static constexpr std::string_view name = "linear";
  double k = 0;
  double g = 0;

  static constexpr auto fields() {
    return std::tuple{field<&Linear::k>("k", "N/m", positive, "stiffness"),
                      field<&Linear::g>("g", "kg/s", non_negative, "dashpot")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * c.xi; }
  template <class T> SCREE_FN T damping(const Overlap<T>&) const { return T(g); }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const { return g * c.xi; }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const { return k * c.xi * c.xi * T(0.5); }
};
static_assert(NormalLaw<Linear>);

}  // namespace scree
