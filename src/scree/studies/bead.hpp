// SPDX-License-Identifier: BSD-3-Clause
/// The beads that collide two by two in the thesis (figures 1.6-1.8, tables 2.1 and 4.1; Schäfer,
/// Dippel and Wolf 1996): cellulose acetate, r = 3 mm, 1300 kg/m³, m = 1.470e-4 kg (the thesis prints
/// 1.48e-4). Scene texts and the pair in a scene, for the studies of single collisions.
#pragma once

#include <string>
#include <vector>

#include "scree/laws/contact_table.hpp"
#include "scree/run/scene.hpp"

namespace scree {

/// The names of all normal laws, and whether one has that parameter.
std::vector<std::string> normal_law_names();
bool law_has(const std::string& law, const std::string& field);

/// `{ law = "kk", k = 9.0e7, g = 190.0, attraction = true }`: a normal law with the parameters that
/// the thesis gives it. Parameters it does not know are left to the law's defaults and to --set.
std::string bead_law(const std::string& law, double eps, bool attraction);

/// What a bead meets: a bead that is held, one that is free, or a wall.
/// InputError if the name is none of fixed, free, wall.
enum class Partner { fixed, free, wall };
Partner partner_named(const std::string& name);

/// A bead that touches its partner and moves towards it with `speed` along the line of centres.
std::string bead_scene(const std::string& law_text, Partner partner, double speed);

/// The laws and the reduced sizes of the two bodies of such a scene.
struct BodyPair {
  ContactLaws laws;
  double r_eff = 0, m_eff = 0;
};
BodyPair body_pair(const AnyScene& scene);

}  // namespace scree
