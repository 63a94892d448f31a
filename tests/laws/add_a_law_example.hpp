// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// A spring that stiffens: twice as stiff as at touch at the overlap s/2. Soft grains under load.
///
///     N = k ξ (1 + ξ/s) + g ξ'
///
struct Stiffening {
  static constexpr std::string_view name = "stiffening";
  double k = 0;
  double g = 0;
  double s = 0;

  static constexpr auto fields() {
    return std::tuple{field<&Stiffening::k>("k", "N/m", positive, "stiffness at touch"),
                      field<&Stiffening::g>("g", "kg/s", non_negative, "dashpot"),
                      field<&Stiffening::s>("s", "m", positive, "overlap that doubles N/ξ")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const {
    return k * c.xi * (T(1) + c.xi / s);
  }
  template <class T> SCREE_FN T damping(const Overlap<T>&) const { return T(g); }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const { return g * c.xi; }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    return k * c.xi * c.xi * (T(1) / 2 + c.xi / (T(3) * s));
  }
};
static_assert(NormalLaw<Stiffening>);

}  // namespace scree
