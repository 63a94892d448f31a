// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "scree/run/read_parts.hpp"

namespace scree {

std::vector<Material> read_materials(TomlTable& root) {
  const auto all = root.table("material");
  if (!all || all->keys().empty())
    root.fail("no material; expected at least one table [material.NAME] with a density");
  if (all->keys().size() > 1000) all->fail("too many materials: expected at most 1000");
  std::vector<Material> materials;
  TomlTable list = *all;
  for (const auto& name : list.keys()) {
    TomlTable one(*list.find(name));
    Material m;
    m.name = name;
    m.density = one.get("density", 0.0, {positive, "kg/m^3"});
    if (const auto body = one.find("body"))
      m.body = body->one_of("a body", {"sphere", "disc"}) == "disc" ? Body::disc : Body::sphere;
    if (m.body == Body::disc)
      m.height = one.required<double>("height", {positive, "m"});
    else if (one.has("height"))
      one.fail_at("height", "has a meaning only for body = \"disc\"");
    m.young = one.get("young", 0.0, {positive, "Pa"});
    m.poisson = one.get("poisson", m.poisson);
    if (!(m.poisson > -1 && m.poisson <= 0.5))
      one.fail_at("poisson", "expected a number > -1 and <= 0.5, found " + brief(m.poisson));
    one.finish();
    materials.push_back(m);
  }
  return materials;
}

std::uint16_t read_material_name(TomlTable& block, const std::vector<Material>& materials,
                                 bool required) {
  std::vector<std::string> names;
  for (const auto& one : materials) names.push_back(one.name);
  const auto value = block.find("material");
  if (!value) {
    if (required) block.missing("material", "a material (" + join(names) + ")");
    return 0;
  }
  const std::string& name = value->one_of("a material", names);
  std::uint16_t index = 0;
  while (materials[index].name != name) ++index;
  return index;
}

}  // namespace scree
