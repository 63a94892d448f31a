// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/ring_cell.hpp"

#include <algorithm>

#include "scree/scenes/insertion.hpp"

namespace scree {

template <int D> void RingCell<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  if constexpr (D == 3) {
    (void)site, (void)sketch;
    throw BuildError("build", "a ring-cell needs a scene with dim = 2");
  } else {
    site.need_radii();
    insertion::check_tries(tries);
    const std::vector<std::string> known{"inner", "outer", "fill"};
    for (const auto& part : parts)
      if (std::find(known.begin(), known.end(), part) == known.end())
        throw BuildError("parts", "expected some of inner, outer, fill, found " + in_quotes(part) +
                                      did_you_mean(part, known));
    const auto wanted = [&](const char* part) {
      return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    const double wall = wall_radius > 0 ? wall_radius : site.radii.max;
    if (outer <= wall) throw BuildError("outer", "expected a ring wider than its discs");
    if (inner > 0 && inner <= wall)
      throw BuildError("inner", "expected a ring wider than its discs");
    if (outer - inner < 2 * wall + 2 * site.radii.max)
      throw BuildError("inner", "no room for grains between the rings");

    const auto ring = [&](double radius) {
      const double n = std::floor(insertion::pi / std::asin(wall / radius) * (1 + 1e-12));
      site.check_count(double(sketch.size()) + n, "outer");
      for (std::int64_t k = 0; k < std::int64_t(n); ++k) {
        const double angle = 2 * insertion::pi * double(k) / n;
        sketch.add(centre + Vec<2, double>{radius * std::cos(angle), radius * std::sin(angle)},
                   wall);
      }
    };
    if (wanted("inner") && inner > 0) ring(inner);
    if (wanted("outer")) ring(outer);
    sketch.fixed.assign(sketch.size(), 1);
    if (wanted("fill") && count > 0) {
      site.check_count(double(sketch.size()) + double(count), "count");
      const double lo = inner > 0 ? inner + wall : 0, hi = outer - wall;
      const double room = insertion::pi * (hi * hi - lo * lo),
                   need = double(count) *
                          insertion::volume<2>(0.5 * (site.radii.min + site.radii.max));
      OverlapGrid<2> grid(site.domain, std::size_t(count));
      const auto placed =
          insertion::insert<2>(site, count, tries, grid, sketch, [&](Random& random, double r) {
            const double a = inner > 0 ? lo + r : 0, b = hi - r;
            const double radius = std::sqrt(random.uniform(a * a, b * b)),
                         angle = random.uniform(0, 2 * insertion::pi);
            return centre + Vec<2, double>{radius * std::cos(angle), radius * std::sin(angle)};
          });
      if (placed < count)
        insertion::saturated(placed, count, need / room * double(placed) / double(count), tries);
      sketch.fixed.resize(sketch.size(), 0);
    }
    if (sketch.size() == 0) throw BuildError("parts", "no grains: expected rings, or a count > 0");
  }
}

template struct RingCell<2>;
template struct RingCell<3>;

}  // namespace scree
