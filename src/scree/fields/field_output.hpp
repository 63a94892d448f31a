// SPDX-License-Identifier: BSD-3-Clause
/// All files that are made of fields, from the command line and at the end of a run alike: HDF5, CSV, VTK, pictures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/fields/plateau.hpp"
#include "scree/fields/run_fields.hpp"

namespace scree::fields {

/// "h5", "hdf5" (the same under the longer name), "csv", "vtk".
const std::vector<std::string>& format_names();

/// InputError for a format that there is not, none, or VTK of points, means and radial profiles.
void check_formats(const Grid& grid, const std::vector<std::string>& formats);

struct FieldOutput {
  std::vector<std::filesystem::path> files;  // the first is the one that was asked for first
  std::vector<std::string> warnings;         // of pictures that could not be drawn
};

/// STEM.h5 (or STEM.hdf5, which is the same), STEM.csv, STEM.vti …, and with `pictures` STEM.png of grids that have one and STEM-plateau.png of a plateau.
FieldOutput write_output(const std::filesystem::path& stem, const RunFields& fields, const std::vector<std::string>& formats, bool pictures,
                         const Plateau* plateau = nullptr);

}  // namespace scree::fields
