// SPDX-License-Identifier: BSD-3-Clause
/// What friction as a constraint asks of the rest of a scene.
#include <algorithm>

#include "scree/integrators/registry.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/simulation.hpp"

namespace scree {

template <int D, class T> void check_friction(const Scene<D, T>& scene, TomlTable& root) {
  const auto solved = [](const ContactLaws& laws) { return std::holds_alternative<ConstraintFriction>(laws.tangential); };
  if (std::none_of(scene.table.laws.begin(), scene.table.laws.end(), solved)) return;
  if (D != 2)
    root.table("contact")->fail(
        "the tangential law \"constraint\" solves for friction in the plane; expected \"cundall-strack\", \"mindlin\" or "
        "\"viscous\" in space");
  // A servo of grains moves by what the sweep has found, before the friction of the step is known. (That of a plane moves
  // along its normal, where friction has no part.)
  const auto blocks = root.tables("grains");
  for (std::size_t k = 0; k < blocks.size() && k < scene.world.groups.size(); ++k)
    if (scene.world.groups[k].servo.on)
      blocks[k].fail_at("servo", "a servo of grains would feel the friction of the step before with the tangential law "
                                 "\"constraint\"; expected a plane wall with a servo, or another law");
  if (find_method(scene.run.integrator)->one_kick) return;
  std::string names;
  for (const Method& m : methods())
    if (m.one_kick) names += (names.empty() ? "\"" : ", \"") + std::string(m.name) + "\"";
  root.table("run")->fail_at("integrator", "the tangential law \"constraint\" gives the friction of a whole step; expected one of " +
                                               names + ", found \"" + scene.run.integrator + "\"");
}

#define SCREE_INSTANTIATE(D, T) template void check_friction(const Scene<D, T>&, TomlTable&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
