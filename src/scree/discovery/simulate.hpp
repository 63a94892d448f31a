// SPDX-License-Identifier: BSD-3-Clause
/// Found ordinary differential equations integrated from the first point of each trajectory, by the
/// integrators that move grains, and compared with the data.
#pragma once

#include <string>
#include <vector>

#include "scree/discovery/discover.hpp"

namespace scree {

struct SimulatedTrajectory {
  std::string sample;
  std::vector<double> time;
  std::vector<std::vector<double>> data, model;  // by field
  double error = 0;          // root mean square distance over that of the data about their mean
  double valid_time = 0;     // until the distance first exceeds 0.4 of that: chaotic systems part sooner or later
  bool blew_up = false;
};

/// Every field must have an equation x' = …. InputError if the equations are not such (partial
/// derivatives, an implicit form, a missing equation). Implicit equations are solved for x'.
std::vector<SimulatedTrajectory> simulate(const Dataset& data, const Discovery& found, const std::string& integrator = "rk4");

}  // namespace scree
