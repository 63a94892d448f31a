// SPDX-License-Identifier: BSD-3-Clause
/// Scenes of granular columns behind a gate, with the parameters of table 2.4 of the thesis (seed
/// 003): grains of 3 mm and 1300 kg/m³, Hertz with a linear dashpot, Cundall-Strack friction, a floor
/// of fixed grains of the least radius.
///
/// Softer grains are quicker to compute. With k/f the contact lasts f^{2/5} times as long at every
/// impact speed, so the dashpot is divided by f^{2/5}, which keeps the restitution at every speed.
/// The tangential spring of the table, 2/7 of the number k in N/m, is some sixty times as stiff as a
/// Hertz contact of these grains, and it alone limits the step. It is divided by f^{3/2}: the normal
/// stiffness at a given load falls as f^{2/3}, so at f = 100 it is still the stiffer of the two, some
/// three times.
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
  double soften = 100;        // f
  std::uint64_t seed = 1;
};

/// InputError for a column narrower than a few grains.
std::string collapse_scene(const CollapseCase&);
/// What goes with that scene: lengths, and the time it may take.
CollapseOrder collapse_order(const CollapseCase&);

}  // namespace scree
