// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// No friction (or no rolling resistance) at all.
struct Frictionless {
  static constexpr std::string_view name = "none";
  static constexpr bool has_memory = false;

  static constexpr auto fields() { return std::tuple{}; }
  template <class T> SCREE_FN T stiffness(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T dashpot(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T limit(const Slip<T>&) const { return T(0); }
};
static_assert(FrictionLaw<Frictionless>);

}  // namespace scree
