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
  std::vector<double> pressure, tau, mu, rate, inertial, phi, velocity;  // means over the snapshots
  std::vector<double> mu_spread;                                // standard deviation over them
  std::vector<double> rate_error;                               // standard error of the mean over them
  std::size_t sheared = 0;                                      // rings from the inner wall on whose rate exceeds three standard errors
  std::vector<std::vector<double>> snapshot_mu, snapshot_inertial;
  double diameter = 0;                                          // m
  std::size_t snapshots = 0;
  Dataset data;   // a sample per snapshot along r, farther from the walls than the kernel reaches: srr, stt, tau, P, rho, u
};

/// InputError if the file is not such a one.
CellProfile read_cell(const std::string& file);

}  // namespace scree
