// SPDX-License-Identifier: BSD-3-Clause
/// Scenes of granular columns behind a gate, with the parameters of table 2.4 of the thesis (seed
/// 003): grains of 3 mm and 1300 kg/m³, Hertz with a linear dashpot, Cundall-Strack friction, a floor
/// of fixed grains of the least radius.
///
/// The tangential spring of the table, 2/7 of the number k in N/m, is some sixty times as stiff as a
/// Hertz contact of these grains, and it alone would limit the step. Ours is 2/7 of a Hertz contact's
/// stiffness 3/2 k ξ^{1/2} where it is pressed by 4.5 % of the radius, deeper than any here, unless
/// the table's is asked for.
///
/// Softer grains are quicker to compute. With k/f the contact lasts f^{2/5} times as long at every
/// impact speed, so the dashpot is divided by f^{2/5}, which keeps the restitution at every speed;
/// overlaps grow by f^{2/5}, so the stiffness of our spring falls by f^{4/5}. The table's is divided
/// by f^{3/2}: at f = 100 it is still stiffer than a contact, some three times.
#pragma once

#include <cstdint>
#include <string>

#include "scree/studies/collapse_column.hpp"

namespace scree {

enum class CollapseGeometry { plane, dam, cylinder };

struct CollapseCase {
  CollapseGeometry geometry = CollapseGeometry::plane;
  double aspect = 1;          // height over width (cylinder: over radius) to trim to
  std::int64_t grains = 1000; // about so many, after trimming
  double wall_mu = 0;         // friction with the walls
  double soften = 1;          // f
  bool table_springs = false; // of friction: 2/7 of the number k in N/m
  std::uint64_t seed = 1;
};

/// InputError for a column narrower than a few grains.
std::string collapse_scene(const CollapseCase&);
/// What goes with that scene: lengths, and the time it may take.
CollapseOrder collapse_order(const CollapseCase&);

}  // namespace scree
