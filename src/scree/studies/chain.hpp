// SPDX-License-Identifier: BSD-3-Clause
/// The cases of `study chain`: impacts on an alignment of beads and in a cradle (chain_impact.cpp), and fronts that a
/// piston drives (chain_front.cpp). Chains are in the units of seed 002: mass, stiffness and speed are 1.
#pragma once

#include <string>

#include "scree/studies/study.hpp"

namespace scree {

/// What ten free beads are hit by, or five on strings (`cradle`).
std::string impact_scene(const StudySettings& s, bool cradle);
StudyResult study_impact(const StudySettings& s, const StudyProgress& progress, bool cradle);

std::string front_scene(const StudySettings& s);
StudyResult study_front(const StudySettings& s, const StudyProgress& progress);

}  // namespace scree
