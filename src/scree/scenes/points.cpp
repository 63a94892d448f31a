// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/points.hpp"

namespace scree {

template <int D> void Points<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  const std::size_t n = positions.size();
  if (n == 0) throw BuildError("positions", "expected at least one position");
  site.check_count(static_cast<double>(n), "positions");
  const auto check = [n](std::size_t given, const char* key) {
    if (given != 0 && given != n)
      throw BuildError(key, "expected one entry per position (" + std::to_string(n) + "), found " +
                                std::to_string(given));
  };
  check(velocities.size(), "velocities");
  check(spins.size(), "spins");
  check(radii.size(), "radii");
  check(angles.size(), "angles");
  if (D == 3 && !angles.empty()) throw BuildError("angles", "has no meaning in a scene with dim = 3");
  if (radii.empty() && !site.radii.given())
    throw BuildError(
        "radii",
        "missing key \"radii\" (or \"radius\"); expected one number > 0 in m per position");
  if (!radii.empty() && site.radii.given())
    throw BuildError("radius", "given beside \"radii\"; expected one of them");
  for (std::size_t k = 0; k < n; ++k)
    sketch.add(positions[k], radii.empty() ? dd(site.radius(k)) : radii[k]);
  sketch.turn = angles;
  for (const auto& v : velocities) {
    sketch.v.push_back(convert<double>(v));
    sketch.v_lo.push_back(low_words(v));
  }
  for (const auto& w : spins) {
    sketch.w.push_back(convert<double>(w));
    sketch.w_lo.push_back(low_words(w));
  }
}

template struct Points<2>;
template struct Points<3>;

}  // namespace scree
