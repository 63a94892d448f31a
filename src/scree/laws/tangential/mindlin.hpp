// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Mindlin's stiffness, without the history of partial slip: the tangential law that goes with
/// Hertz in LAMMPS (`mindlin`), LIGGGHTS and YADE.
///
///     T = -8 G* a ζ - damping c_n u_t,   a = sqrt(r* ξ),   |T| ≤ μ |N|
///
/// c_n is the normal dashpot's coefficient. The stiffness follows the contact radius, so a spring
/// held at constant ζ gains or loses energy as ξ changes; the ledger books that as dissipation
/// (negative while loading), which is what the law does, not an error of the scheme.
/// Mindlin, J. Appl. Mech. 16, 259 (1949).
struct Mindlin {
  static constexpr std::string_view name = "mindlin";
  static constexpr bool has_memory = true;
  double shear = 0;
  double mu = 0;
  double damping = 0;

  static constexpr auto fields() {
    return std::tuple{field<&Mindlin::shear>("shear", "Pa", positive, "effective shear modulus G*"),
                      field<&Mindlin::mu>("mu", "", non_negative, "coefficient of friction"),
                      field<&Mindlin::damping>("damping", "", non_negative, "dashpot, in normal ones")};
  }
  template <class T> SCREE_FN T stiffness(const Slip<T>& c) const {
    return T(8) * shear * c.radius;
  }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>& c) const {
    // a' = r* ξ'/(2 a); at ξ = 0 there is no contact
    return select(c.radius > T(0), T(4) * shear * c.r_eff * c.rate / c.radius, T(0));
  }
  template <class T> SCREE_FN T dashpot(const Slip<T>& c) const { return damping * c.damping; }
  template <class T> SCREE_FN T limit(const Slip<T>& c) const { return mu * c.normal; }
};
static_assert(FrictionLaw<Mindlin>);

}  // namespace scree
