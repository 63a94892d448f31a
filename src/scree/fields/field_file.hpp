// SPDX-License-Identifier: BSD-3-Clause
/// Fields on disk: HDF5 (all of it, docs/fields.md has the layout), CSV (one row per point) and VTK.
#pragma once

#include <filesystem>
#include <vector>

#include "scree/fields/run_fields.hpp"

namespace scree::fields {

/// Writes aside and renames. Throws RunError.
void write_fields(const std::filesystem::path& path, const RunFields& fields);
/// InputError if it is no fields file.
RunFields read_fields(const std::filesystem::path& path);

/// Columns: [time,] the coordinates, then the fields by name, tensors by components; 17 digits, nan where masked.
void write_fields_csv(const std::filesystem::path& path, const RunFields& fields);

/// A grid of x, y, z as .vti, a polar one as .vts (in Cartesian components); of a series STEM_0000.vti … and STEM.pvd.
/// Returns the files, the one to open first. InputError for points, profiles along r and means.
std::vector<std::filesystem::path> write_fields_vtk(const std::filesystem::path& stem, const RunFields& fields);

/// InputError for grids that VTK does not take.
void check_vtk(const Grid& grid);

/// Points of a CSV file: columns x, y[, z] in any order among others. InputError names the line.
std::vector<double> read_points(const std::filesystem::path& path, int dim);

}  // namespace scree::fields
