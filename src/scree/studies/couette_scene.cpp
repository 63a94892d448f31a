// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/couette_scene.hpp"

#include <cmath>

#include "scree/io/toml_reader.hpp"
#include "scree/scenes/library.hpp"

namespace scree {

std::string couette_scene(bool small, const std::vector<std::string>& changes) {
  std::vector<std::string> all;
  if (small)
    all = {"grains.1.radius={ values = [4.5e-3, 3.7e-3], counts = [60, 240] }", "grains.1.count=300", "grains.2.packing=0.78", "walls.0.radius=0.115",
           "prepare.0.time=0.6", "prepare.1.time=0.2", "grains.0.inner=0.03", "grains.1.inner=0.03", "grains.2.inner=0.03", "grains.0.outer=0.115",
           "grains.1.outer=0.115"};
  all.insert(all.end(), changes.begin(), changes.end());
  return TomlDocument::parse(scene_text("taylor-couette"), "taylor-couette.toml", all).text();
}

WallMotion inner_wall(const Frame& f, double r) {
  double speed = 0, rate = 0, count = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double x = f.x[2 * i], y = f.x[2 * i + 1], d = std::hypot(x, y);
    if (!f.held[i] || !(d > 0 && d < r)) continue;
    const double tangential = (x * f.v[2 * i + 1] - y * f.v[2 * i]) / d;
    speed += tangential;
    rate += tangential / d;
    count += 1;
  }
  if (!(count > 0)) return {};
  return {std::abs(speed / count), std::abs(rate / count)};
}

}  // namespace scree
