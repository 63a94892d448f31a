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

/// What colours the grains of a picture.
struct Shading {
  std::string label;                        // of the colour bar, with its unit
  std::vector<std::vector<double>> values;  // one per grain, one list per frame
  double part = 0.995;                      // of the values of free grains within the colours: a few may be beyond
  bool grey = false;                        // from white to black; else viridis
  std::vector<std::int64_t> marked;         // ids of grains in red, as dark as their values want it
};

/// All frames beside and above each other, grains as discs coloured by a value, held ones grey.
Picture draw_grains(const std::vector<Frame>& frames, const RunInfo& info, const Shading& shading,
                    const std::filesystem::path& stem);

/// Frames that have contacts, their grains shaded by the pressure within them (analysis/grain_stress.hpp).
/// Those in `marked` are red. Figure 7.2 of seed 003.
Picture draw_stress(const std::vector<Frame>& frames, const RunInfo& info, const std::vector<std::int64_t>& marked,
                    const std::filesystem::path& stem);

/// The free grains in a strip of that width (m), upright through the middle of what a frame shows.
std::vector<std::int64_t> grains_in_strip(const Frame& frame, double width);

/// Energies against time.
Picture draw_energies(const RunReader& run, const std::filesystem::path& stem);
Picture draw_energies(const std::vector<EnergyRow>& rows, const std::string& name,
                      const std::filesystem::path& stem);

/// Draws with the commands `body`, which read STEM.dat, once as PNG and once as SVG, and keeps STEM.gp.
Picture draw_script(const std::filesystem::path& stem, int width, int height, const std::string& body, const std::string& data);
/// gnuplot's command for the colours of all pictures here (viridis).
std::string set_palette();

/// Runs gnuplot on STEM.gp in its folder. Returns what went wrong, or nothing.
std::string run_gnuplot(const std::filesystem::path& script);

}  // namespace scree
