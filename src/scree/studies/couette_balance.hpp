// SPDX-License-Identifier: BSD-3-Clause
/// The balances of mass and momentum on a strip of points across a shear cell, as figures 7.5 and 7.6 of seed 003 have
/// them, with derivatives by finite differences of order 6 of snapshots, and by the gradient of the kernel and the forces.
///
/// Differences in time ask when velocities are: after a step of symplectic Euler, x is at t and v half a step before, as
/// in a leapfrog. So dp/dt belongs to the forces of t if the interpolated p is differentiated at t + h/2, and drho/dt to
/// the velocities if it is taken at t - h/2. `lag` is that half step; with 0 the residual has an error of first order in h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scree/fields/plan.hpp"

namespace scree {

struct StripRules {
  double width = 0.035;     // m, of the kernel
  double spacing = 5e-4;    // m
  std::size_t across = 21;  // points
  double from = 0, to = 0;  // m: along x, about y = 0
  double lag = 0;           // s: how far velocities are behind positions
  double inner = 0, outer = 0;  // m: where the walls are
};

/// A residual against the radius: its mean over time and the width of the strip, as the thesis draws it, and its largest
/// size at any point and time.
struct Residual {
  std::vector<double> mean, largest;  // one per radius; of momentum x and y: the larger
};

struct StripBalance {
  std::string boundary;
  double spacing = 0;  // m
  std::vector<double> r;
  Residual continuity, continuity_lag;            // differences in space and time
  Residual momentum, momentum_lag;
  Residual momentum_time;                         // differences in time only, with the lag
  Residual continuity_exact, momentum_exact;      // none; these and momentum_time are not known of normalised fields
  bool has_exact() const { return boundary != "normalised"; }
  std::vector<double> mass_scale, momentum_scale; // per radius: the largest of the terms
  double largest(const Residual& of, bool away, const StripRules& rules) const;   // over the radii, relative to the largest term there
  double mean(const Residual& of, bool away, const StripRules& rules) const;      // of its mean over time and width, likewise
  double absolute(const Residual& of, bool away, const StripRules& rules) const;  // of the mean, in kg/(m² s) or N/m²
};

/// `frames` gives frames at equal intervals, of which the first and last three have no derivative in time.
StripBalance strip_balance(const std::vector<Frame>& frames, const RunInfo& info, const std::string& boundary, const StripRules& rules);

}  // namespace scree
