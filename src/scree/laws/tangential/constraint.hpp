// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/laws/contact.hpp"

namespace scree {

/// Friction as a constraint: a contact that is not at Coulomb's limit does not slip.
///
///     T = -ζ,   |T| ≤ μ |N|
///
/// There is no spring: ζ is the friction itself, in newtons. In every step the engine looks for the
/// values of all contacts at once with which each either sticks at the end of the step or slides at its
/// limit, against the slip; see engines/friction_solver.hpp. What the sweep makes of ζ is the answer of
/// the last step, cut to the present limit: the solver's first guess, and what reports show.
/// Seed 001 compares with such a friction; Moreau and Jean's treatment of contact is its model, with the normal
/// force left to the overlap. In the plane only.
struct ConstraintFriction {
  static constexpr std::string_view name = "constraint";
  static constexpr bool has_memory = true;
  static constexpr bool is_solved = true;
  double mu = 0;
  double tolerance = 1e-9;
  double iterations = 1000;

  static constexpr auto fields() {
    return std::tuple{
        field<&ConstraintFriction::mu>("mu", "", non_negative, "coefficient of friction"),
        field<&ConstraintFriction::tolerance>("tolerance", "", positive,
                                              "slip left, over what the largest limit changes in a step"),
        field<&ConstraintFriction::iterations>("iterations", "", positive, "at most so many sweeps a step")};
  }
  template <class T> SCREE_FN T stiffness(const Slip<T>&) const { return T(1); }
  template <class T> SCREE_FN T stiffness_rate(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T dashpot(const Slip<T>&) const { return T(0); }
  template <class T> SCREE_FN T limit(const Slip<T>& c) const { return mu * c.normal; }
};
static_assert(FrictionLaw<ConstraintFriction>);

}  // namespace scree
