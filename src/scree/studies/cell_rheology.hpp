// SPDX-License-Identifier: BSD-3-Clause
/// The rheology of a Taylor-Couette cell from its fields: a file of `scree fields RUN --coordinates r --each N`. Quantities are those
/// of section 6.1 of seed 003:
///
///     P = -½ tr s    tau = s_rt    mu = |tau|/P    γ' = |du/dr - u/r|    I = d γ' sqrt(rho_g/P)
///
/// with the grains' density rho_g = rho/phi (in the plane: mass per area).
#pragma once

#include <string>
#include <vector>

#include "scree/discovery/discover.hpp"

namespace scree {

struct CellProfile {
  std::vector<double> r;                                        // m
  std::vector<double> pressure, tau, mu, rate, inertial, phi, velocity, density;  // means over the snapshots
  std::vector<double> mu_spread;                                // standard deviation over them
  std::vector<double> mu_error, rate_error;                     // standard errors of the means, over the units
  std::size_t sheared = 0;                                      // rings from the inner wall on whose rate exceeds three standard errors
  std::size_t clear = 0;                                        // the first ring that the kernel does not reach from the wall
  // by snapshot and ring; rates of velocities, or of displacements over as many parts of the same time (take_rates)
  std::vector<std::vector<double>> snapshot_mu, snapshot_inertial, snapshot_pressure, snapshot_tau, snapshot_rate;
  double diameter = 0;                                          // m
  double from = 0, to = 0;                                      // s: times of the first and the last snapshot
  std::size_t snapshots = 0;
  // What counts as one measurement, and is drawn as one by bootstraps. Snapshots that follow each other are alike: of several cells
  // together each is a unit, of a single one a sixth of its time.
  std::size_t cells = 1, units = 0;
  std::vector<std::size_t> unit;                                // of each snapshot
  std::size_t left_out = 0;                                     // snapshots of fewer frames than the others
  double reach = 0;                                             // of the kernel, m: nearer to a wall stresses are partial sums
  Dataset data;   // a sample per snapshot along r, farther from the walls than the kernel reaches: srr, stt, tau, P, rho, u

  /// I of a ring for a shear rate and a pressure.
  double inertial_of(std::size_t ring, double shear_rate, double p) const;
};

/// InputError if the file is not such a one, or lacks a value.
CellProfile read_cell(const std::string& file);

/// Takes shear rates from the displacements of grains between frames of the run, in place of those of velocities at instants, whose
/// vibrations are larger than creep: γ' = r dω/dr with ω the mean rotation of what discs have in a ring, as a difference
/// over one diameter, since beside a wall discs lie in layers that turn as one. Over the times of the snapshots,
/// in as many parts, from some 300 frames.
void take_rates(CellProfile& cell, const std::string& run);

/// Cells that differ in their random numbers alone as one, with the snapshots of all of them; a single one stays as it is. They have the
/// same rings, or it is an InputError.
CellProfile pool_cells(const std::vector<CellProfile>& cells);

/// Mean profiles of the units, each as often as its weight says: mu = |tau|/P and I. Without weights: of all.
struct FlowCurve {
  std::vector<double> mu, inertial;
};
FlowCurve flow_curve(const CellProfile& cell, const std::vector<double>& unit_weight = {});

/// Two places of the mean profile, among the sheared rings, with the same I: a ring, and a point between two others (linear in ln I).
struct SameInertial {
  double inertial = 0;
  double r[2] = {}, mu[2] = {}, error[2] = {};
  double in_errors = 0;  // |difference of mu| over its standard error
};
/// All such pairs, in the order of rings.
std::vector<SameInertial> same_inertial(const CellProfile& cell);

}  // namespace scree
