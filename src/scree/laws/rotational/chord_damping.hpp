// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <tuple>

#include "scree/core/fields.hpp"

namespace scree {

/// The dashpot of the overlap area, spread over the chord.
///
///     M = -gamma sqrt(m* Y) c^3/(12 l) w
///
/// The normal dashpot γ sqrt(m* Y) A'/l is γ sqrt(m* Y)/l ∫ v_n ds over the chord, c = |S1 S2|, taken at its middle: it
/// damps two sides that approach, not two that rock on one another, for which A' = 0. The moment of the same
/// dashpots about the middle is this couple on the relative spin w. It is a couple: what one grain gets, the other loses,
/// and it always dissipates. A free motion about a point contact is not hindered, for there c³ vanishes before A
/// does. No dashpot pulls: |M| ≤ c/2 times the elastic normal force.
struct ChordDamping {
  static constexpr std::string_view name = "chord-damping";
  double gamma = 0;
  double Y = 0;

  static constexpr auto fields() {
    return std::tuple{field<&ChordDamping::gamma>("gamma", "", non_negative, "damping; as the normal law's if not given"),
                      field<&ChordDamping::Y>("Y", "N/m", positive, "stiffness; as the normal law's if not given")};
  }
};

}  // namespace scree
