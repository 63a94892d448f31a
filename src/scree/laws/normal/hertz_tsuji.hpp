// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Hertz elasticity with the dashpot of Tsuji, whose restitution does not depend on the speed:
/// what LAMMPS (`hertz/material` with `damping tsuji`) and LIGGGHTS call Hertz.
///
///     N = k ξ^{3/2} + α sqrt(m* k) ξ^{1/4} ξ',   α = -sqrt(5) ln e/sqrt(π² + ln² e)
///
/// The restitution is e exactly when attraction is allowed.
/// Tsuji, Tanaka and Ishida, Powder Technol. 71, 239 (1992); Antypov and Elliott, EPL 94, 50004 (2011).
struct HertzTsuji {
  static constexpr std::string_view name = "hertz-tsuji";
  static constexpr double root_in_damping = 0.5;
  double k = 0;
  double alpha = 0;

  static constexpr auto fields() {
    return std::tuple{field<&HertzTsuji::k>("k", "N m^-3/2", positive, "stiffness"),
                      field<&HertzTsuji::alpha>("alpha", "", non_negative, "damping number")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * c.xi * c.root; }
  template <class T> SCREE_FN T damping(const Overlap<T>& c) const {
    return alpha * sqrt(c.m_eff * k * c.root);
  }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const { return damping(c) * c.xi * T(4) / T(5); }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    return k * c.xi * c.xi * c.root * T(2) / T(5);
  }
};
static_assert(NormalLaw<HertzTsuji>);

}  // namespace scree
