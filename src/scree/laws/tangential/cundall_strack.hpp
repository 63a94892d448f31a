// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Cundall-Strack: a spring born at first touch, ζ' = u_t, cut at Coulomb's limit.
///
///     T = -k_t ζ - (g_t + damping c_n) u_t,   |T| ≤ μ |N|
///
/// c_n is the normal dashpot's coefficient: a dashpot may be given by itself or in proportion to it, as
/// LAMMPS' `gran/hooke/history` has it.
/// Cundall and Strack, Géotechnique 29, 47 (1979).
struct CundallStrack {
  static constexpr std::string_view name = "cundall-strack";
  static constexpr bool has_memory = true;
  double k_t = 0;
  double mu = 0;
  double g_t = 0;
  double damping = 0;

  static constexpr auto fields() {
    return std::tuple{field<&CundallStrack::k_t>("k_t", "N/m", positive, "stiffness of the spring"),
                      field<&CundallStrack::mu>("mu", "", non_negative, "coefficient of friction"),
                      field<&CundallStrack::g_t>("g_t", "kg/s", non_negative, "dashpot"),
                      field<&CundallStrack::damping>("damping", "", non_negative, "dashpot, in normal ones")};
  }
  template <class T> SCREE_FN T stiffness(const Slip<T>&) const { return T(k_t); }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T dashpot(const Slip<T>& c) const { return g_t + damping * c.damping; }
  template <class T> SCREE_FN T limit(const Slip<T>& c) const { return mu * c.normal; }
};
static_assert(FrictionLaw<CundallStrack>);

}  // namespace scree
