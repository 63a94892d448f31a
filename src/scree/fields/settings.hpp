// SPDX-License-Identifier: BSD-3-Clause
/// What is asked of a coarse-graining: kernel, border, which grains.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/fields/grid.hpp"
#include "scree/fields/kernel.hpp"
#include "scree/fields/region.hpp"
#include "scree/io/group_forces.hpp"
#include "scree/io/run_file.hpp"

namespace scree::fields {

/// What is done at the border of the domain.
///
///     none         nothing: fields fade out over a width
///     normalised   divided by the part of the kernel inside the domain (region.hpp)
///     wall         contacts with walls and held grains end at the contact point, and the force that acts there becomes
///                  a field of its own, wall_force: the momentum balance holds up to the wall (Weinhart, Thornton, Luding
///                  and Bokhove, Granul. Matter 14, 289 (2012))
///     mirror       grains and contacts are mirrored at the sides of a box or at a half-plane
enum class Border { none, normalised, wall, mirror };

std::string_view name_of(Border border);
Border border_named(const std::string& name);

/// The grains that count. Held grains are walls, unless `held` says that they count too.
struct Selection {
  std::vector<std::int64_t> materials, groups;  // empty: all
  Region region;                                // of their centres
  double smallest = 0, largest = 1e300;         // radii, m
  bool held = false;
  bool everything() const {
    return materials.empty() && groups.empty() && region.kind == Region::Kind::none && smallest <= 0 && largest >= 1e300;
  }
};

struct Settings {
  KernelKind kernel = KernelKind::mollifier;
  double width = 0;  // m
  Border border = Border::none;
  Region domain;     // of normalised and mirror
  Selection selection;
  bool balance = false;  // the terms of the balances of mass and momentum too
};

/// What of a run matters for its fields: periods and shear, forces that are not of contacts, outlines.
struct Surroundings {
  int dim = 2;
  std::array<double, 3> lo{}, period{};  // m; 0: open
  std::array<double, 3> gravity{};       // m/s²
  double gravity_rate = 0;               // rad/s, about z
  double damping = 0;                    // 1/s
  double shear_rate = 0, shear_from = 0; // Lees-Edwards: 1/s, s
  std::vector<GroupForces> groups;       // drag, attachments and pushes, by group; empty: none
  std::vector<std::int64_t> home_id;     // of attached grains, ascending
  std::vector<double> home;              // dim each, m
  std::vector<double> areas;             // of the outlines of angular grains, for a radius of 1 m
};

Surroundings surroundings_of(const RunInfo& info);

}  // namespace scree::fields
