// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/ring_cell.hpp"

#include <algorithm>
#include <cmath>

#include "scree/scenes/insertion.hpp"
#include "scree/scenes/toothed_ring.hpp"

namespace scree {
namespace {

/// Discs of nearly equal size are packed no denser than equal ones are in a hexagonal lattice
/// (Blind, J. reine angew. Math. 236, 145 (1969): as long as their radii differ by less than a
/// quarter); softer words for wider mixtures would need their sizes.
constexpr double densest = 0.906899682117109;  // pi / sqrt(12)

/// The walls of a cell: discs of one radius, or teeth.
struct Walls {
  double wall, tooth, spacing;
  bool toothed() const { return tooth > 0; }
  ToothedRing teeth(double ring) const { return toothed_ring(ring, tooth, spacing, wall); }
  double largest(double ring) const { return toothed() ? teeth(ring).largest() : wall; }
  double mean(double ring) const { return toothed() ? teeth(ring).mean() : wall; }
};

double share(double solid, double low, double high) {
  return solid / (insertion::pi * (high * high - low * low));
}

/// The radius R of the outer ring with R - r_o = S, where the annulus from `low` to S holds the
/// grains at the given packing. The radius r_o jumps by a little where another tooth fits.
double ring_for(double packing, double solid, double low, const Walls& walls) {
  if (!(solid > 0))
    throw BuildError("packing", "no free grains in the blocks before this one; expected them there");
  if (packing > densest)
    throw BuildError("packing", "cannot be reached: expected at most " + brief(densest) +
                                    ", the densest packing of equal discs, found " + brief(packing));
  const double surface = std::sqrt(solid / (insertion::pi * packing) + low * low);
  double below = surface, above = surface + 2 * std::max(walls.wall, walls.mean(surface));
  while (above - walls.mean(above) < surface) above += walls.wall;
  while (true) {
    const double middle = 0.5 * (below + above);
    if (middle <= below || middle >= above) break;
    (middle - walls.mean(middle) > surface ? above : below) = middle;
  }
  const double found = share(solid, low, below - walls.mean(below));
  if (std::abs(found - packing) > 1e-4)
    throw BuildError("packing", "no ring with these teeth gives it: another disc fits between two "
                                "teeth there; the nearest is " + brief(found) +
                                    ", expected another tooth_spacing or wall_radius");
  return below;
}

}  // namespace

template <int D> void RingCell<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  if constexpr (D == 3) {
    (void)site, (void)sketch;
    throw BuildError("build", "a ring-cell needs a scene with dim = 2");
  } else {
    insertion::check_tries(tries);
    const std::vector<std::string> known{"inner", "outer", "fill"};
    for (const auto& part : parts)
      if (std::find(known.begin(), known.end(), part) == known.end())
        throw BuildError("parts", "expected some of inner, outer, fill, found " + in_quotes(part) +
                                      did_you_mean(part, known));
    const auto wanted = [&](const char* part) {
      return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    const bool fills = wanted("fill") && count > 0;
    if (fills || !(wall_radius > 0)) site.need_radii();
    if ((tooth_radius > 0) != (tooth_spacing > 0))
      throw BuildError(tooth_radius > 0 ? "tooth_spacing" : "tooth_radius",
                       "expected both tooth_radius and tooth_spacing > 0, or neither");
    const Walls walls{wall_radius > 0 ? wall_radius : site.radii.max, tooth_radius, tooth_spacing};
    if (inner > 0 && inner <= walls.wall)
      throw BuildError("inner", "expected a ring wider than its discs");
    if ((outer > 0) == (packing > 0))
      throw BuildError("outer", outer > 0 ? "given beside \"packing\"; expected one of them"
                                          : "missing key \"outer\"; expected a number > 0 in m (or \"packing\")");
    if (packing > 0 && fills)
      throw BuildError("packing", "is that of the blocks before this one; expected parts without fill");
    const double last =
        packing > 0 ? ring_for(packing, site.solid, inner > 0 ? inner + walls.mean(inner) : 0, walls)
                    : outer;
    if (last <= walls.wall) throw BuildError("outer", "expected a ring wider than its discs");
    const double lo = inner > 0 ? inner + walls.largest(inner) : 0, hi = last - walls.largest(last);
    if (hi - lo < (inner > 0 ? 2 : 1) * site.radii.max)
      throw BuildError(inner > 0 ? "inner" : "outer",
                       "no room for grains between the rings: expected a gap of " +
                           brief(2 * site.radii.max) + " m at least, found " + brief(hi - lo) + " m");

    const auto ring = [&](double radius) {
      if (walls.toothed()) {
        const ToothedRing teeth = walls.teeth(radius);
        site.check_count(double(sketch.size()) + double(teeth.discs()), "outer");
        for (std::int64_t k = 0; k < teeth.discs(); ++k) {
          const auto disc = teeth.disc(k);
          sketch.add(centre + disc.x, disc.r);
        }
        return;
      }
      const double n = std::floor(insertion::pi / std::asin(walls.wall / radius) * (1 + 1e-12));
      site.check_count(double(sketch.size()) + n, "outer");
      for (std::int64_t k = 0; k < std::int64_t(n); ++k) {
        const double angle = 2 * insertion::pi * double(k) / n;
        sketch.add(centre + Vec<2, double>{radius * std::cos(angle), radius * std::sin(angle)},
                   walls.wall);
      }
    };
    if (wanted("inner") && inner > 0) ring(inner);
    if (wanted("outer")) ring(last);
    sketch.fixed.assign(sketch.size(), 1);
    if (fills) {
      site.check_count(double(sketch.size()) + double(count), "count");
      const std::size_t first = sketch.size();
      OverlapGrid<2> grid(site.domain, std::size_t(count));
      const auto placed =
          insertion::insert<2>(site, count, tries, grid, sketch, [&](Random& random, double r) {
            const double a = inner > 0 ? lo + r : 0, b = hi - r;
            const double radius = std::sqrt(random.uniform(a * a, b * b)),
                         angle = random.uniform(0, 2 * insertion::pi);
            return centre + Vec<2, double>{radius * std::cos(angle), radius * std::sin(angle)};
          });
      if (placed < count) {
        std::vector<double> radii(sketch.r.begin() + std::ptrdiff_t(first), sketch.r.end());
        std::sort(radii.begin(), radii.end(), std::greater<>());  // as they were placed
        double solid = 0;
        for (std::int64_t k = 0; k < placed; ++k) solid += insertion::volume<2>(radii[std::size_t(k)]);
        insertion::saturated(placed, count, share(solid, lo, hi), tries);
      }
      sketch.fixed.resize(sketch.size(), 0);
    }
    if (sketch.size() == 0) throw BuildError("parts", "no grains: expected rings, or a count > 0");
  }
}

template struct RingCell<2>;
template struct RingCell<3>;

}  // namespace scree
