// SPDX-License-Identifier: BSD-3-Clause
/// Derivatives of fields on grids and of series of fields in time, by finite differences of order 2, 4 or 6: the
/// polynomial through the order + 1 nearest points, in the middle where possible, one-sided at the ends, for any spacing
/// (core/difference_weights.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/fields/average.hpp"
#include "scree/fields/grid.hpp"

namespace scree::fields {

/// InputError if the grid cannot be differentiated by this order: scattered points, or too few along a coordinate. Along one of
/// a single point nothing is; 0 asks for nothing.
void check_derivatives(const Grid& grid, int order);

/// Of values on a line, `stride` apart in memory. NaN where a point that is needed is NaN.
void differentiate(const std::vector<double>& ticks, int order, const double* values, std::size_t stride, double* out);

/// d/d(coordinate k) of a field on a grid; InputError for scattered points or too few of them.
Field derivative(const Grid& grid, const Field& field, std::size_t coordinate, int order);

/// d/dt of a field of a series: one list of values per table.
std::vector<Field> time_derivative(const std::vector<FieldTable>& series, const std::string& name, int order);

}  // namespace scree::fields
