// SPDX-License-Identifier: BSD-3-Clause
/// Pairs of convex polygons for tests: in general position, and in all the positions that are not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/shapes/polygon.hpp"
#include "scree/shapes/polygon_library.hpp"

namespace scree::testing {

struct OutlinePair {
  Outline a, b;
};

inline PolygonView<double> view(const Outline& a, const Vec2<double>& offset = {}) {
  return {a.data(), static_cast<int>(a.size()), offset};
}

inline std::vector<Vec2<dd>> in_dd(const Outline& a) {
  std::vector<Vec2<dd>> out;
  for (const Vec2<double>& x : a) out.push_back(convert<dd>(x));
  return out;
}
inline PolygonView<dd> view(const std::vector<Vec2<dd>>& a, const Vec2<dd>& offset = {}) {
  return {a.data(), static_cast<int>(a.size()), offset};
}

inline void shift(Outline& a, const Vec2<double>& by) {
  for (Vec2<double>& x : a) x += by;
}

/// Any two polygons of 3 to 12 corners, from round to needles of 1:4, near enough to share
/// something.
inline OutlinePair general_pair(std::uint32_t id) {
  const RandomPolygons kind{.radius_min = 0.5,
                            .radius_max = 1,
                            .aspect_max = 4,
                            .corners_min = 3,
                            .corners_max = 12,
                            .jitter = 0.9};
  OutlinePair p{random_polygon(kind, 1, 2 * id), random_polygon(kind, 1, 2 * id + 1)};
  Random draw(2, 0, id);
  shift(p.b, {draw.uniform(-1.6, 1.6), draw.uniform(-1.6, 1.6)});
  return p;
}

/// The convex hull of some points of a small lattice (Andrew's chain, in exact arithmetic).
inline Outline lattice_polygon(Random& draw, int extent) {
  for (;;) {
    std::vector<Vec2<double>> points;
    const int n = 3 + static_cast<int>(draw.uniform() * 8);
    for (int k = 0; k < n; ++k)
      points.push_back(
          {std::floor(draw.uniform() * (extent + 1)), std::floor(draw.uniform() * (extent + 1))});
    std::ranges::sort(points, {}, [](const Vec2<double>& x) { return x.c; });
    Outline hull;
    for (int half = 0; half < 2; ++half, std::ranges::reverse(points)) {
      const std::size_t start = hull.size();
      for (const Vec2<double>& x : points) {
        while (hull.size() >= start + 2 &&
               cross(hull.back() - hull[hull.size() - 2], x - hull.back())[0] <= 0)
          hull.pop_back();
        hull.push_back(x);
      }
      hull.pop_back();
    }
    if (hull.size() >= 3) return hull;
  }
}

/// Two hulls on one small lattice: sides that coincide or touch, vertices on vertices and on sides,
/// parallel sides, containment and identity are the rule.
inline OutlinePair lattice_pair(std::uint32_t id) {
  Random draw(3, 0, id);
  const int extent = 3 + static_cast<int>(draw.uniform() * 6);
  OutlinePair p{lattice_polygon(draw, extent), lattice_polygon(draw, extent)};
  shift(p.b, {std::floor(draw.uniform(-1, 1) * extent), std::floor(draw.uniform(-1, 1) * extent)});
  return p;
}

/// A polygon and its mirror image across one of its sides (or its own copy), pushed along the side
/// and into the other by anything from nothing over a rounding error to a sizeable part: slivers.
inline OutlinePair sliver_pair(std::uint32_t id) {
  const RandomPolygons kind{.radius_min = 0.5,
                            .radius_max = 1,
                            .aspect_max = 2,
                            .corners_min = 3,
                            .corners_max = 9,
                            .jitter = 0.8};
  OutlinePair p{random_polygon(kind, 4, id), {}};
  Random draw(5, 0, id);
  const std::size_t n = p.a.size(),
                    k = static_cast<std::size_t>(draw.uniform() * static_cast<double>(n));
  const Vec2<double> from = p.a[k], side = p.a[(k + 1) % n] - from, e = side * (1 / norm(side)),
                     out{e[1], -e[0]};
  const double deep = draw.uniform() < 0.2 ? 0 : std::pow(10.0, draw.uniform(-17, -1));
  const double along = draw.uniform() < 0.3 ? 0 : draw.uniform(-1, 1) * norm(side);
  const double turn = draw.uniform() < 0.5 ? 0 : std::pow(10.0, draw.uniform(-17, -1));
  for (auto x = p.a.rbegin(); x != p.a.rend(); ++x) {
    const Vec2<double> arm = *x - from;
    const Vec2<double> mirrored = rotate(Vec<1, double>{turn}, arm - out * (2 * dot(arm, out)));
    p.b.push_back(from + mirrored - out * deep + e * along);
  }
  return p;
}

/// A lattice pair of which one vertex in three is moved by a rounding error or some thousands of
/// them.
inline OutlinePair shaken_pair(std::uint32_t id) {
  OutlinePair p = lattice_pair(id);
  Random draw(6, 0, id);
  const double by = std::pow(10.0, draw.uniform(-17, -12));
  shift(p.b, {by * draw.uniform(-1, 1), by * draw.uniform(-1, 1)});
  return p;
}

}  // namespace scree::testing
