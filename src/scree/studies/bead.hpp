// SPDX-License-Identifier: BSD-3-Clause
/// The beads that collide two by two in the thesis (figures 1.6-1.8, tables 2.1 and 4.1; Schäfer,
/// Dippel and Wolf 1996): cellulose acetate, r = 3 mm, 1300 kg/m³, m = 1.470e-4 kg (the thesis
/// prints 1.48e-4). Their scenes, and the pair in a scene, for the studies of single collisions.
#pragma once

#include <string>

#include "scree/laws/contact_table.hpp"
#include "scree/run/scene.hpp"
#include "scree/studies/pair_scene.hpp"

namespace scree {

/// What a bead meets: a bead that is held, one that is free, or a wall.
enum class Partner { fixed, free, wall };
StudyOption partner_option(std::string initial = "fixed");
Partner chosen_partner(const StudySettings&);

/// A bead at the origin that moves with (vx, vy) and touches its partner, on its right.
PairScene bead_scene(const std::string& law, double eps, bool attraction, Partner partner,
                     double vx, double vy = 0);

/// Whether a law has an ε.
bool has_eps(const std::string& law);

/// The laws and the reduced sizes of the two bodies of a scene.
struct BodyPair {
  ContactLaws laws;
  double r_eff = 0, m_eff = 0;
};
/// InputError if these are not two grains, or a grain and a wall.
BodyPair body_pair(const AnyScene& scene);

}  // namespace scree
