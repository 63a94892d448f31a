// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Free exponents.
///
///     N = k ξ^a + g ξ' ξ^b
///
/// Chains of beads use k (ξ^a + gamma d/dt ξ^a), that is b = a - 1 and g = a k gamma.
/// The one law that cannot do without a general power.
struct Power {
  static constexpr std::string_view name = "power";
  double k = 0;
  double g = 0;
  double a = 1.5;
  double b = 0.5;

  static constexpr auto fields() {
    return std::tuple{field<&Power::k>("k", "N m^-a", positive, "stiffness"),
                      field<&Power::g>("g", "N s m^-(1+b)", non_negative, "dashpot"),
                      field<&Power::a>("a", "", positive, "exponent of the spring"),
                      field<&Power::b>("b", "", non_negative, "exponent of the dashpot")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const {
    using std::pow;
    return k * pow(c.xi, T(a));
  }
  template <class T> SCREE_FN T damping(const Overlap<T>& c) const {
    using std::pow;
    return g * pow(c.xi, T(b));
  }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const {
    using std::pow;
    return g * pow(c.xi, T(b) + T(1)) / (T(b) + T(1));
  }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    using std::pow;
    return k * pow(c.xi, T(a) + T(1)) / (T(a) + T(1));
  }
};
static_assert(NormalLaw<Power>);

}  // namespace scree
