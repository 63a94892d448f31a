// SPDX-License-Identifier: BSD-3-Clause
/// VTK for ParaView: XML PolyData (.vtp, binary in base64) and a collection with times (.pvd).
///
/// Grains are points (show them as spheres with Glyph or Point Gaussian scaled by `radius`),
/// contacts are lines between the centres with the force on them.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/core/vec.hpp"

namespace scree {

void write_grains_vtp(const std::filesystem::path& path, const Frame& frame);
/// Grains of the plane as cells, angular ones with their corners; `shapes` as in RunInfo.
void write_outlines_vtp(const std::filesystem::path& path, const Frame& frame, const std::vector<std::vector<Vec<2, double>>>& shapes);
void write_contacts_vtp(const std::filesystem::path& path, const Frame& frame);

/// Values at the points of a grid, the first coordinate running fastest.
struct VtkArray {
  std::string name;
  std::vector<double> values;
  int components = 1;
};

/// A regular grid (.vti): origin, spacing and number of points along x, y, z.
void write_vti(const std::filesystem::path& path, double time, const std::array<double, 3>& origin,
               const std::array<double, 3>& spacing, const std::array<std::size_t, 3>& counts, const std::vector<VtkArray>& arrays);
/// A grid of any shape (.vts): x, y, z of every point.
void write_vts(const std::filesystem::path& path, double time, const std::array<std::size_t, 3>& counts,
               const std::vector<double>& points, const std::vector<VtkArray>& arrays);

/// `entries`: time and file name relative to the collection.
void write_pvd(const std::filesystem::path& path,
               const std::vector<std::pair<double, std::string>>& entries);

}  // namespace scree
