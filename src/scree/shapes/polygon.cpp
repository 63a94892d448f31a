// SPDX-License-Identifier: BSD-3-Clause
#include "scree/shapes/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace scree {

namespace {

struct Corner {
  Vec2<double> x;
  std::size_t number;  // in the list as given, from 1
};

double turn(const Vec2<double>& a, const Vec2<double>& b, const Vec2<double>& c) {
  return cross(b - a, c - b)[0];
}

/// Do the open segments pq and rs cross?
bool cross_over(const Vec2<double>& p, const Vec2<double>& q, const Vec2<double>& r,
                const Vec2<double>& s) {
  const auto side = [](const Vec2<double>& a, const Vec2<double>& b, const Vec2<double>& x) {
    const double c = cross(b - a, x - a)[0];
    return c > 0 ? 1 : c < 0 ? -1 : 0;
  };
  return side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0;
}

}  // namespace

CheckedOutline check_outline(const std::vector<Vec2<double>>& given, double tolerance) {
  CheckedOutline out;
  const auto refuse = [&](std::string why) {
    out.problem = std::move(why);
    out.mended.clear();
    return out;
  };
  for (std::size_t k = 0; k < given.size(); ++k)
    if (!is_finite(given[k]))
      return refuse(
          fmt::format("vertex {} ({}, {}) is not a finite point", k + 1, given[k][0], given[k][1]));
  if (given.size() < 3)
    return refuse(fmt::format("a polygon needs at least three vertices, not {}", given.size()));

  double size = 0;
  for (const Vec2<double>& x : given)
    size = std::max({size, std::abs(x[0] - given[0][0]), std::abs(x[1] - given[0][1])});
  if (!(size > 0)) return refuse("all vertices are the same point: it has no area");
  const double near = tolerance * size;

  std::vector<Corner> corners;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const bool again =
        (!corners.empty() && norm(given[k] - corners.back().x) <= near) ||
        (k + 1 == given.size() && !corners.empty() && norm(given[k] - corners.front().x) <= near);
    if (again)
      out.mended.push_back(fmt::format("vertex {} repeats its neighbour and was dropped", k + 1));
    else
      corners.push_back({given[k], k + 1});
  }

  // a vertex on the line between its neighbours changes nothing; one where the outline turns back
  // does
  for (std::size_t k = 0; corners.size() >= 3 && k < corners.size();) {
    const std::size_t n = corners.size();
    const Vec2<double> before = corners[(k + n - 1) % n].x, after = corners[(k + 1) % n].x;
    const Vec2<double> in = corners[k].x - before, along = after - corners[k].x;
    if (std::abs(cross(in, along)[0]) > near * std::max(norm(in), norm(along))) {
      ++k;
      continue;
    }
    if (dot(in, along) < 0) {
      const bool flat = std::ranges::all_of(corners, [&](const Corner& c) {
        return std::abs(cross(in, c.x - before)[0]) <= near * norm(in);
      });
      return refuse(
          flat ? std::string("all vertices lie on one line: it has no area")
               : fmt::format("the outline turns back on itself at vertex {}", corners[k].number));
    }
    out.mended.push_back(fmt::format(
        "vertex {} lies on the line between its neighbours and was dropped", corners[k].number));
    corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(k));
    if (k > 0) --k;
  }
  if (corners.size() < 3) return refuse("it has no area");

  const std::size_t n = corners.size();
  const auto at = [&](std::size_t k) -> const Vec2<double>& { return corners[k % n].x; };
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 2; k < n; ++k)
      if ((k + 1) % n != j && cross_over(at(j), at(j + 1), at(k), at(k + 1)))
        return refuse(fmt::format("the outline crosses itself: side {}-{} cuts side {}-{}",
                                  corners[j].number, corners[j + 1].number, corners[k].number,
                                  corners[(k + 1) % n].number));
  double twice = 0, around = 0;
  for (std::size_t k = 0; k < n; ++k) {
    twice += cross(at(k) - at(0), at(k + 1) - at(0))[0];
    const Vec2<double> in = at(k + 1) - at(k), along = at(k + 2) - at(k + 1);
    around += std::atan2(cross(in, along)[0], dot(in, along));
  }
  if (!(std::abs(twice) > near * size)) return refuse("it has no area");
  if (twice < 0) {
    std::ranges::reverse(corners);
    out.mended.emplace_back("the vertices ran clockwise and were reversed");
  }
  for (std::size_t k = 0; k < n; ++k)
    if (!(turn(at(k), at(k + 1), at(k + 2)) > 0))
      return refuse(
          fmt::format("the outline is not convex at vertex {}", corners[(k + 1) % n].number));
  if (std::abs(around) > 9)
    return refuse("the outline winds round more than once");  // 2π, or 4π and more
  for (const Corner& c : corners) out.vertices.push_back(c.x);
  return out;
}

void centre_outline(std::vector<Vec2<double>>& vertices) {
  const PolygonView<double> view{vertices.data(), static_cast<int>(vertices.size())};
  const Vec2<double> centre = mass_properties(view).centroid;
  for (Vec2<double>& x : vertices) x -= centre;
}

}  // namespace scree
