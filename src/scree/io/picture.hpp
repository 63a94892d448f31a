// SPDX-License-Identifier: BSD-3-Clause
/// Pictures of a run, drawn by gnuplot as PNG and SVG. The script and its data stay beside them:
/// `gnuplot NAME.gp` in that folder draws the picture again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/io/run_file.hpp"

namespace scree {

struct Picture {
  std::vector<std::filesystem::path> files;  // made: .png, .svg, .gp, data
  std::string warning;                       // not empty: why there is no picture
};

/// First and last frame beside or above each other: grains as discs coloured by speed, held ones
/// grey, walls as lines. In space: seen along y from below zero, far to near. Files STEM.png, ...
Picture draw_states(const RunReader& run, const std::filesystem::path& stem);
Picture draw_states(const std::vector<Frame>& frames, const RunInfo& info,
                    const std::filesystem::path& stem);

/// Energies against time.
Picture draw_energies(const RunReader& run, const std::filesystem::path& stem);
Picture draw_energies(const std::vector<EnergyRow>& rows, const std::string& name,
                      const std::filesystem::path& stem);

/// Runs gnuplot on STEM.gp in its folder. Returns what went wrong, or nothing.
std::string run_gnuplot(const std::filesystem::path& script);

}  // namespace scree
