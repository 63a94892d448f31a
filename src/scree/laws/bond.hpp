// SPDX-License-Identifier: BSD-3-Clause
/// Contacts whose dashpot is the rate of their spring, in time γ:
///
///     N = f(ξ) + γ d/dt f(ξ),   that is   damping(ξ) = γ f'(ξ)
///
/// Kuwabara and Kono's (γ = A, the viscous time), the power laws of chains k (ξ^a + γ d/dt ξ^a), the linear law
/// (γ = g/k), and, with γ = 0, every law without a dashpot. An integrator that makes its own dissipation
/// (integrators/kk_theta.hpp) needs no more of a contact than f, f' and γ.
#pragma once

#include <optional>
#include <string>

#include "scree/core/dual.hpp"
#include "scree/core/mollified_root.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

/// So that the mollified laws have slopes too.
template <class T>
Dual<T> mollified_root(const Dual<T>& x, const Dual<T>& width) {
  using std::sqrt;
  const T s = x.value / width.value, root = sqrt(width.value);
  return {root * mollified_root_universal(s), mollified_root_slope(s) / root * x.slope};
}

/// f(ξ) and f'(ξ) of a pair.
template <class T>
Dual<T> elastic_force(const ContactLaws& laws, const T& xi, const T& r_eff, const T& m_eff) {
  const Overlap<Dual<T>> c{Dual<T>(xi, T(1)), T(0), r_eff, m_eff};
  const Dual<T> f = std::visit([&](const auto& law) { return law.elastic(c); }, laws.normal);
  return f * Dual<T>(laws.scaling.of_stiffness(r_eff));
}

/// γ of a pair (s), or nothing if its law has not this form.
std::optional<double> viscous_time(const ContactLaws& laws, double r_eff, double m_eff);

/// What keeps laws from being a bond, or "": friction, rolling resistance, a pull that is cut, a dashpot of another
/// form, a spring that is infinitely stiff at touch. A sentence that goes on after "… needs ".
std::string why_no_bond(const ContactLaws& laws);

}  // namespace scree
