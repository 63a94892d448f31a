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

namespace scree {

void write_grains_vtp(const std::filesystem::path& path, const Frame& frame);
void write_contacts_vtp(const std::filesystem::path& path, const Frame& frame);

/// `entries`: time and file name relative to the collection.
void write_pvd(const std::filesystem::path& path,
               const std::vector<std::pair<double, std::string>>& entries);

}  // namespace scree
