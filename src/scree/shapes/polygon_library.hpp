// SPDX-License-Identifier: BSD-3-Clause
/// Outlines by name: regular polygons, random convex polygons, lists of vertices in a file. Each is
/// convex, counter-clockwise, with its centroid at the origin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/core/vec.hpp"

namespace scree {

using Outline = std::vector<Vec2<double>>;

/// n vertices on a circle; the first at the angle `turn`. InputError if n < 3.
Outline regular_polygon(int n, double radius, double turn = 0);

/// Random convex polygons: vertices on an ellipse, one at a random place in each of n equal sectors
/// of the eccentric angle, then turned at random.
struct RandomPolygons {
  double radius_min = 0, radius_max = 0;  // sqrt(half axes), uniform: the size
  double aspect_max = 1.5;                // long over short half axis, uniform from 1: the shape
  int corners_min = 5, corners_max = 8;   // uniform
  double jitter = 0.8;                    // part of its sector that a vertex may use, 0 to 1
};

/// The polygon of one grain: a function of seed and id alone.
Outline random_polygon(const RandomPolygons& kind, std::uint64_t seed, std::uint32_t id);

/// Outlines of a text file: header `x,y` for a single one, or `shape,x,y` for several, each the
/// rows with the same `shape` (a name or number) in the order of first appearance. Lines that begin
/// with # are comments. Bad outlines are an InputError naming file, line and shape; what was mended
/// goes to `notes`.
struct NamedOutline {
  std::string name;
  Outline vertices;
};
std::vector<NamedOutline> read_outlines(const std::filesystem::path& file,
                                        std::vector<std::string>* notes = nullptr);

}  // namespace scree
