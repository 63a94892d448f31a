// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/registry.hpp"

namespace scree {

const std::vector<const Study*>& studies() {
  static const std::vector<const Study*> all{
      &order_study(),
      &cost_study(),
      &stepsize_study(),
      &restitution_study(),
      &force_study(),
      &impact_study(),
      &mollifier_study(),
      &energy_study(),
      &trajectory_study(),
      &collapse_study(),
      &chute_study(),
      &shear_study(),
      &silo_study(),
      &heap_study(),
      &creep_study(),
      &discovery_study(),
      &chain_study(),
      &couette_study(),
      &couette_cells_study(),
      &rheology_study(),
      &static_friction_study(),
  };
  return all;
}

const Study* find_study(std::string_view name) {
  for (const Study* one : studies())
    if (one->name() == name) return one;
  return nullptr;
}

}  // namespace scree
