// SPDX-License-Identifier: BSD-3-Clause
/// Draws a figure of a study with gnuplot: NAME.png and NAME.svg, with NAME.gp and NAME.dat kept
/// beside them, so that `gnuplot NAME.gp` in that folder draws it again.
///
/// Legends and insets go where they hide no data; a legend that finds no such place goes beside the
/// panel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/studies/study.hpp"

namespace scree {

struct DrawnFigure {
  std::vector<std::filesystem::path> files;  // made
  std::vector<std::string> warnings;         // no gnuplot; points that a logarithm cannot show
};

/// Throws RunError if the folder cannot be written to.
DrawnFigure draw_figure(const Figure& figure, const std::filesystem::path& folder);

}  // namespace scree
