// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/checks.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/fields/derivatives.hpp"
#include "scree/fields/field_output.hpp"

namespace scree::fields {

void check(const Grid& grid, const Settings& s) {
  if (!(grid.measure > 0)) throw InputError("fields: the axes that are averaged over have no extent");
  if (grid.axes.empty()) return;
  if (s.balance && s.border == Border::normalised)
    throw InputError("fields: the terms of the balances are not those of normalised fields, which are divided by a part of the kernel that "
                     "changes from place to place; expected the boundary none, wall or mirror with balances");
  if (!(s.width > 0 && std::isfinite(s.width))) throw InputError("fields: expected a width > 0 in m");
  if (s.balance && s.kernel == KernelKind::heaviside)
    throw InputError("fields: the balances need the gradient of the kernel, and heaviside has none; expected gauss, lucy or mollifier");
  const Region& domain = s.domain;
  if ((s.border == Border::normalised || s.border == Border::mirror) && domain.kind == Region::Kind::none)
    throw InputError("fields: the boundary \"" + std::string(name_of(s.border)) + "\" needs a domain");
  if (s.border != Border::mirror) return;
  if (domain.kind != Region::Kind::box && domain.kind != Region::Kind::half_plane)
    throw InputError("fields: grains are mirrored at a box or a half-plane; expected one of these as domain");
  if (domain.kind == Region::Kind::box) return;
  // what is averaged over has no place: a mirror that mixes it with what is left cannot be said
  bool seen = false, averaged = false;
  for (int a = 0; a < grid.dim; ++a) {
    if (domain.normal[static_cast<std::size_t>(a)] == 0) continue;
    const bool kept = std::find(grid.axes.begin(), grid.axes.end(), a) != grid.axes.end();
    (kept ? seen : averaged) = true;
  }
  if (seen && averaged)
    throw InputError("fields: the half-plane is oblique to an axis that is averaged over; expected a normal along it or across it");
}

void check_plan(const LiveSettings& settings, const RunInfo& info) {
  // any grain does: what is left out is taken from it, and that is not looked at
  Frame any;
  any.dim = info.dim;
  any.id = {0};
  any.x.assign(static_cast<std::size_t>(info.dim), 0.0);
  any.radius = {1.0};
  any.held = {0};
  Plan plan = settings.plan;
  if (plan.lo.empty() != plan.hi.empty()) {
    std::vector<double>& other = plan.lo.empty() ? plan.lo : plan.hi;
    const double way = plan.lo.empty() ? -1 : 1;
    for (const double limit : plan.lo.empty() ? plan.hi : plan.lo) other.push_back(limit + way);
  }
  const Resolved r = resolve(plan, info, any);
  if (!plan.counts.empty() || r.grid.is_scattered()) check_derivatives(r.grid, settings.derivatives);
  check_formats(r.grid, settings.formats);
}

}  // namespace scree::fields
