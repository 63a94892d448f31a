// SPDX-License-Identifier: BSD-3-Clause
/// VTK for ParaView: XML PolyData (.vtp, binary in base64) and a collection with times (.pvd).
///
/// Grains are points (show them as spheres with Glyph or Point Gaussian scaled by `radius`),
/// contacts are lines between the centres with the force on them.
#pragma once

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

/// `entries`: time and file name relative to the collection.
void write_pvd(const std::filesystem::path& path,
               const std::vector<std::pair<double, std::string>>& entries);

}  // namespace scree
