// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Rolling resistance with memory: an elastic-plastic spring in the rolling angle, so that heaps
/// of round grains can come to rest on a slope.
///
///     M = -k_r θ - g_r w,   θ' = w,   |M| ≤ μ_r r* |N|
///
/// Ai et al., Powder Technol. 206, 269 (2011), model C (EPSD).
struct RollingSpring {
  static constexpr std::string_view name = "spring";
  static constexpr bool has_memory = true;
  double k_r = 0;
  double mu_r = 0;
  double g_r = 0;

  static constexpr auto fields() {
    return std::tuple{field<&RollingSpring::k_r>("k_r", "N m", positive, "stiffness of the rolling spring"),
                      field<&RollingSpring::mu_r>("mu_r", "", non_negative, "coefficient of rolling friction"),
                      field<&RollingSpring::g_r>("g_r", "N m s", non_negative, "dashpot")};
  }
  template <class T> SCREE_FN T stiffness(const Slip<T>&) const { return T(k_r); }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T dashpot(const Slip<T>&) const { return T(g_r); }
  template <class T> SCREE_FN T limit(const Slip<T>& c) const { return mu_r * c.r_eff * c.normal; }
};
static_assert(FrictionLaw<RollingSpring>);

}  // namespace scree
