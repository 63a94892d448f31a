// SPDX-License-Identifier: BSD-3-Clause
/// What angular grains ask of the rest of a scene.
#include <algorithm>

#include "scree/run/read_parts.hpp"
#include "scree/run/simulation.hpp"

namespace scree {

template <int D, class T> void check_shapes(const Scene<D, T>& scene, TomlTable& root, std::vector<TomlTable>& wall_blocks) {
  const auto& world = scene.world;
  if (world.shapes.empty()) return;
  std::vector<std::uint8_t> angular(world.materials.size()), met(world.materials.size());
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    const std::uint16_t material = world.grains.material[i];
    met[material] = 1;
    if (world.grains.shape[i] == 0) continue;
    angular[material] = 1;
  }
  for (const Inlet<D>& inlet : world.inlets) {
    met[inlet.material] = 1;
    if (inlet.shape_count == 0) continue;
    angular[inlet.material] = 1;
  }
  for (std::size_t k = 0; k < world.walls.size(); ++k) {
    met[world.walls[k].material] = 1;
    if (world.walls[k].kind != WallKind::plane)
      wall_blocks[k].fail_at("kind", "polygons meet planes and each other; expected kind = \"plane\" or \"box\", or a wall made of "
                                     "[[grains]] with a shape and fixed = true");
  }
  for (std::size_t a = 0; a < angular.size(); ++a)
    for (std::size_t b = 0; b < met.size() && angular[a]; ++b) {
      if (!met[b]) continue;
      const ContactLaws& laws = scene.table.laws[scene.table.index(std::uint16_t(a), std::uint16_t(b))];
      if (!std::holds_alternative<OverlapArea>(laws.normal))
        root.table("contact")->fail("grains of \"" + world.materials[a].name + "\" are polygons, and their contacts with \"" +
                                    world.materials[b].name + "\" know only the normal law \"overlap-area\"; found \"" +
                                    std::visit([](const auto& law) { return std::string(law.name); }, laws.normal) + "\"");
    }
}

#define SCREE_INSTANTIATE(D, T) template void check_shapes(const Scene<D, T>&, TomlTable&, std::vector<TomlTable>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
