// SPDX-License-Identifier: BSD-3-Clause
/// Pictures of fields: maps of a grid of two coordinates, curves of a profile, the plateau of the width.
#pragma once

#include <filesystem>

#include "scree/fields/plateau.hpp"
#include "scree/fields/run_fields.hpp"
#include "scree/io/picture.hpp"

namespace scree::fields {

/// Volume density, speed, pressure and shear rate of the last table, as far as there are any. Points, means and grids of
/// three coordinates have no picture; the warning says so.
Picture draw_fields(const RunFields& fields, const std::filesystem::path& stem);

/// Mean volume density against the width, the chosen one marked.
Picture draw_plateau(const Plateau& plateau, const std::filesystem::path& stem);

}  // namespace scree::fields
