// SPDX-License-Identifier: BSD-3-Clause
/// What somebody wants to know, as the command line, a scene's [fields] and other code say it; and what it comes to
/// for a run, with everything filled in that was left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/fields/settings.hpp"

namespace scree::fields {

struct Plan {
  std::string coordinates;              // see grid.hpp; "": all axes of the run
  std::vector<std::size_t> counts;      // cells along each coordinate; empty: a quarter of a width wide, at most 256
  std::vector<double> lo, hi;           // m (theta: rad), of each coordinate; empty: where the free grains are
  std::vector<double> points;           // instead of a grid: x, y[, z] of each
  std::vector<double> centre;           // of r and theta, m; empty: 0, 0
  std::size_t angles = 0;               // points on each ring of r; 0: a quarter of a width apart
  std::string kernel = "mollifier";
  double width = 0;                     // m; 0: so that the kernel reaches over two mean diameters
  double width_in_radii = 0;            // in place of width, in mean radii
  std::string boundary = "none";
  std::string domain;                   // see parse_region; "": from the grains
  std::vector<std::string> species, groups;  // names of materials and groups
  std::string region;                   // of the centres of grains that count
  std::vector<double> sizes;            // smallest and largest radius that count, m
  bool held = false;                    // held grains count too
  bool balance = false;                 // terms of the balances
};

/// A plan filled in for a run.
struct Resolved {
  Grid grid;
  Settings settings;
  Surroundings around;
  std::vector<std::string> notes;  // what was chosen, for people
};

/// `first` gives extents and radii where the plan does not say them. InputError names what is wrong.
Resolved resolve(const Plan& plan, const RunInfo& info, const Frame& first);

}  // namespace scree::fields
