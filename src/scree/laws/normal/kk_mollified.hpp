// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/mollified_root.hpp"
#include "scree/laws/contact.hpp"

namespace scree {

/// Kuwabara-Kono with the root of its dashpot mollified over a width eps, which gives back to
/// second-order schemes the half order that the root costs.
///
///     N = k ξ^{3/2} + g ξ' S_eps(ξ)
///
/// S_eps is defined in core/mollified_root.hpp.
struct KKMollified {
  static constexpr std::string_view name = "kk-mollified";
  double k = 0;
  double g = 0;
  double eps = 0;

  static constexpr auto fields() {
    return std::tuple{field<&KKMollified::k>("k", "N m^-3/2", positive, "stiffness"),
                      field<&KKMollified::g>("g", "N s m^-3/2", non_negative, "dashpot, (3/2) A k"),
                      field<&KKMollified::eps>("eps", "m", positive, "width of the mollifier")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const { return k * c.xi * sqrt(c.xi); }
  template <class T> SCREE_FN T damping(const Overlap<T>& c) const {
    return g * mollified_root(c.xi, T(eps));
  }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const {
    const T width = T(eps);
    return g * width * sqrt(width) * mollified_root_integral(T(c.xi / width));
  }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    return k * c.xi * c.xi * sqrt(c.xi) * T(2) / T(5);
  }
};
static_assert(NormalLaw<KKMollified>);

/// The variant with both roots mollified, which lies closer to plain Kuwabara-Kono.
///
///     N = k ξ S_eps(ξ) + g ξ' S_eps(ξ)
///
struct KKMollifiedFull {
  static constexpr std::string_view name = "kk-mollified-full";
  double k = 0;
  double g = 0;
  double eps = 0;

  static constexpr auto fields() {
    return std::tuple{field<&KKMollifiedFull::k>("k", "N m^-3/2", positive, "stiffness"),
                      field<&KKMollifiedFull::g>("g", "N s m^-3/2", non_negative, "dashpot, (3/2) A k"),
                      field<&KKMollifiedFull::eps>("eps", "m", positive, "width of the mollifier")};
  }
  template <class T> SCREE_FN T elastic(const Overlap<T>& c) const {
    return k * c.xi * mollified_root(c.xi, T(eps));
  }
  template <class T> SCREE_FN T damping(const Overlap<T>& c) const {
    return g * mollified_root(c.xi, T(eps));
  }
  template <class T> SCREE_FN T impulse(const Overlap<T>& c) const {
    const T width = T(eps);
    return g * width * sqrt(width) * mollified_root_integral(T(c.xi / width));
  }
  template <class T> SCREE_FN T energy(const Overlap<T>& c) const {
    const T width = T(eps);
    return k * width * width * sqrt(width) * mollified_root_moment(T(c.xi / width));
  }
};
static_assert(NormalLaw<KKMollifiedFull>);

}  // namespace scree
