// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/body_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"

namespace scree::fields {

void add_body_force(const Surroundings& around, double t, double mass, const double* v, double* force) {
  std::array<double, 3> g = around.gravity;
  if (around.gravity_rate != 0) {
    const double c = std::cos(around.gravity_rate * t), s = std::sin(around.gravity_rate * t);
    g[0] = c * around.gravity[0] - s * around.gravity[1];
    g[1] = s * around.gravity[0] + c * around.gravity[1];
  }
  for (int k = 0; k < around.dim; ++k) force[k] += mass * (g[static_cast<std::size_t>(k)] - around.damping * v[k]);
}

void add_group_force(const Surroundings& around, const Frame& f, std::size_t i, double* force) {
  if (f.held[i]) return;
  const auto which = static_cast<std::size_t>(f.group[i]), dim = static_cast<std::size_t>(f.dim);
  if (which >= around.groups.size()) return;
  const GroupForces& group = around.groups[which];
  for (const RecordedPush& push : group.pushes) {
    if (f.time < push.from || !(f.time < push.until)) continue;
    const double wave = std::sin(2 * std::numbers::pi * push.frequency * f.time + push.phase);
    for (std::size_t a = 0; a < dim; ++a) force[a] += push.force[a] + push.amplitude[a] * wave;
  }
  for (std::size_t a = 0; a < dim; ++a) force[a] -= group.drag * f.radius[i] * f.v[i * dim + a];
  if (group.attachment == 0) return;
  const auto at = std::lower_bound(around.home_id.begin(), around.home_id.end(), f.id[i]);
  if (at == around.home_id.end() || *at != f.id[i])
    throw InputError(fmt::format("fields: the run does not tell where grain {} is attached; its balance of momentum cannot be made", f.id[i]));
  const auto home = static_cast<std::size_t>(at - around.home_id.begin()) * dim;
  for (std::size_t a = 0; a < dim; ++a) force[a] -= group.attachment * (f.x[i * dim + a] - around.home[home + a]);
}

}  // namespace scree::fields
