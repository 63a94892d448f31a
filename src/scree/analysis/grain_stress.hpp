// SPDX-License-Identifier: BSD-3-Clause
/// The stress within single grains, from the forces at their contacts. The mean Cauchy stress over
/// a grain of volume V (in the plane: area) in equilibrium is
///
///     s = 1/V sum over contacts of f (x) l
///
/// with the force f on the grain and the arm l from its centre to where it acts (Love, Weber;
/// Bagi, Mech. Mater. 22, 165 (1996)).
#pragma once

#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

/// Minus the mean of the principal stresses, -tr(s)/dim, of every grain of the frame, positive where
/// a grain is pressed: Pa in space, N/m in the plane. Zeros if the frame has no contacts.
std::vector<double> grain_pressures(const Frame& frame);

}  // namespace scree
