// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Haff-Werner: viscous below Coulomb's limit, without memory (and so without static friction).
///
///     T = -min(g_t |u_t|, μ |N|) u_t/|u_t|
///
/// Haff and Werner, Powder Technol. 48, 239 (1986).
struct Viscous {
  static constexpr std::string_view name = "viscous";
  static constexpr bool has_memory = false;
  double g_t = 0;
  double mu = 0;

  static constexpr auto fields() {
    return std::tuple{field<&Viscous::g_t>("g_t", "kg/s", positive, "dashpot"),
                      field<&Viscous::mu>("mu", "", non_negative, "coefficient of friction")};
  }
  template <class T> SCREE_FN T stiffness(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T dashpot(const Slip<T>&) const { return T(g_t); }
  template <class T> SCREE_FN T limit(const Slip<T>& c) const { return mu * c.normal; }
};
static_assert(FrictionLaw<Viscous>);

}  // namespace scree
