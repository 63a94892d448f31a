// SPDX-License-Identifier: BSD-3-Clause
/// The makers of all studies. To add one: its line here, and its line in registry.cpp.
#pragma once

#include "scree/studies/study.hpp"

namespace scree {

const Study& order_study();
const Study& cost_study();
const Study& stepsize_study();
const Study& restitution_study();
const Study& force_study();
const Study& impact_study();
const Study& mollifier_study();
const Study& energy_study();
const Study& trajectory_study();
const Study& collapse_study();
const Study& chute_study();
const Study& shear_study();
const Study& silo_study();
const Study& heap_study();
const Study& creep_study();
const Study& discovery_study();
const Study& chain_study();
const Study& couette_study();
const Study& couette_cells_study();
const Study& rheology_study();
const Study& static_friction_study();

}  // namespace scree
