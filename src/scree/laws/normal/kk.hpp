// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Kuwabara-Kono: Hertz elasticity, and a dashpot that fades at touch.
///
///     N = k ξ^{3/2} + g ξ' ξ^{1/2}
///
/// The root is not Lipschitz at ξ = 0, so schemes that step over first touch
/// fall to order 3/2; see kk_mollified.hpp.
/// Kuwabara and Kono, Jpn. J. Appl. Phys. 26, 1230 (1987).
struct KuwabaraKono {
  static constexpr std::string_view name = "kk";
  static constexpr double root_in_damping = 1;
  double k = 0;
  double g = 0;

  static constexpr auto fields() {
    return std::tuple{field<&KuwabaraKono::k>("k", "N m^-3/2", positive, "stiffness"),
                      field<&KuwabaraKono::g>("g", "N s m^-3/2", non_negative, "dashpot, (3/2) A k")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * c.xi * c.root; }
  template <class T> SCREE_FN T damping(const Overlap<T>& c) const { return g * c.root; }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const {
    return g * c.xi * c.root * T(2) / T(3);
  }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    return k * c.xi * c.xi * c.root * T(2) / T(5);
  }
};
static_assert(NormalLaw<KuwabaraKono>);

}  // namespace scree
