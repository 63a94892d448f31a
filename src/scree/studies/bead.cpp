// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/bead.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {

StudyOption partner_option(std::string initial) {
  return {"partner", std::move(initial),
          "What the bead meets: fixed (a bead that is held), free, or wall"};
}

Partner chosen_partner(const StudySettings& s) {
  const std::string& name = s.one_of("partner", "a partner", {"fixed", "free", "wall"});
  return name == "fixed" ? Partner::fixed : name == "free" ? Partner::free : Partner::wall;
}

PairScene bead_scene(const std::string& law, double eps, bool attraction, Partner partner,
                     double vx, double vy) {
  const ParameterSet& set = parameter_set("table-4.1");
  PairScene scene;
  scene.name = "bead";
  scene.density = set.density;
  scene.grains = {{{0, 0}, {vx, vy}, set.radius, false}};
  if (partner == Partner::wall)
    scene.extra = "[[walls]]\nkind = \"plane\"\npoint = [" + shortest(set.radius) +
                  ", 0.0]\nnormal = [-1.0, 0.0]\n";
  else
    scene.grains.push_back({{2 * set.radius, 0}, {0, 0}, set.radius, partner == Partner::fixed});
  scene.normal = law;
  scene.normal_parameters = normal_parameters(set, law, eps);
  scene.attraction = attraction;
  scene.dt = 0x1p-23;
  scene.time = set.time;
  return scene;
}

bool has_eps(const std::string& law) {
  const auto parameters = normal_parameters(parameter_set("table-4.1"), law, 1);
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& p) { return p.name == "eps"; });
}

BodyPair body_pair(const AnyScene& scene) {
  return std::visit(
      [](const auto& s) {
        const auto& g = s.world.grains;
        const auto r = [&](std::size_t i) { return static_cast<double>(g.r[i]); };
        const auto m = [&](std::size_t i) { return static_cast<double>(g.m[i]); };
        BodyPair pair;
        if (g.size() == 1 && s.world.walls.size() == 1) {
          pair.laws = s.table.laws[s.table.index(g.material[0], s.world.walls[0].material)];
          pair.r_eff = r(0);
          pair.m_eff = m(0);
        } else if (g.size() == 2 && s.world.walls.empty()) {
          pair.laws = s.table.laws[s.table.index(g.material[0], g.material[1])];
          pair.r_eff = r(0) * r(1) / (r(0) + r(1));
          pair.m_eff = g.held[0] ? m(1) : g.held[1] ? m(0) : m(0) * m(1) / (m(0) + m(1));
        } else {
          throw InputError("expected a scene of two grains, or of one grain and one wall");
        }
        return pair;
      },
      scene);
}

}  // namespace scree
