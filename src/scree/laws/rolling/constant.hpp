// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Rolling resistance of constant torque, directed against the relative spin.
///
///     M = -min(g_r |w|, μ_r r* |N|) w/|w|,   w = w_i - w_j without its part along n
///
/// The viscous slope g_r at vanishing spin keeps the torque a function where Coulomb's would jump.
/// Zhou et al., Physica A 269, 536 (1999), model A.
struct RollingConstant {
  static constexpr std::string_view name = "constant";
  static constexpr bool has_memory = false;
  double mu_r = 0;
  double g_r = 0;

  static constexpr auto fields() {
    return std::tuple{field<&RollingConstant::mu_r>("mu_r", "", non_negative, "coefficient of rolling friction"),
                      field<&RollingConstant::g_r>("g_r", "N m s", positive, "slope at vanishing spin")};
  }
  template <class T> SCREE_FN T stiffness(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T dashpot(const Slip<T>&) const { return T(g_r); }
  template <class T> SCREE_FN T limit(const Slip<T>& c) const { return mu_r * c.r_eff * c.normal; }
};
static_assert(FrictionLaw<RollingConstant>);

}  // namespace scree
