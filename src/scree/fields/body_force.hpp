// SPDX-License-Identifier: BSD-3-Clause
/// Forces on grains that are not of contacts: gravity and global damping of the domain; drag, attachments and pushes of
/// their groups.
#pragma once

#include "scree/analysis/frame.hpp"
#include "scree/fields/settings.hpp"

namespace scree::fields {

/// Adds m (g(t) - damping v). Linear in mass and momentum: of their densities it gives that of the force.
void add_body_force(const Surroundings& around, double t, double mass, const double* v, double* force);

/// Adds what the group of grain i does to it: nothing to those that are held, which only their motion moves. InputError if nobody recorded where it is attached.
void add_group_force(const Surroundings& around, const Frame& frame, std::size_t i, double* force);

}  // namespace scree::fields
