// SPDX-License-Identifier: BSD-3-Clause
/// Forces on grains that are neither of contacts nor of the domain: what the groups of a scene have of drag, attachments
/// and pushes, as the run file keeps them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scree/grains/world.hpp"

namespace scree {

/// force + amplitude sin(2 pi frequency t + phase) on every grain, for from <= t < until.
struct RecordedPush {
  std::array<double, 3> force{}, amplitude{};  // N
  double frequency = 0, phase = 0;             // Hz, rad
  double from = -forever, until = forever;     // s
};

struct GroupForces {
  double drag = 0;        // kg/(m s): force -drag r v
  double attachment = 0;  // N/m: spring to the grain's home
  std::vector<RecordedPush> pushes;
};

/// A list with an entry per group, as JSON; empty if no group has any such force.
template <int D> std::string forces_json(const std::vector<Group<D>>& groups);
/// RunError if it is no such list.
std::vector<GroupForces> forces_from_json(const std::string& text);

}  // namespace scree
