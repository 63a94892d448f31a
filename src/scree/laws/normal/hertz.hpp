// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Hertz: two elastic spheres.
///
///     N = k ξ^{3/2},   k = (4/3) E* sqrt(r*) from the materials
///
/// ξ_max = (5 m v²/(4 k))^{2/5}, t_c = 2.943275 ξ_max/v. Hertz, J. reine angew. Math. 92, 156 (1882).
struct Hertz {
  static constexpr std::string_view name = "hertz";
  static constexpr double root_in_damping = 0;
  double k = 0;

  static constexpr auto fields() {
    return std::tuple{field<&Hertz::k>("k", "N m^-3/2", positive, "stiffness")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * c.xi * c.root; }
  template <class T> SCREE_FN T damping(const Overlap<T>&) const { return T(0); }
  template <class T> SCREE_FN T impulse(const Overlap<T>&) const { return T(0); }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    return k * c.xi * c.xi * c.root * T(2) / T(5);
  }
};
static_assert(NormalLaw<Hertz>);

}  // namespace scree
