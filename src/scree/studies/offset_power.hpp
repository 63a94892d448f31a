// SPDX-License-Identifier: BSD-3-Clause
/// A power law with an offset, y = C (x - x_0)^p, by least squares of the logarithms: for every x_0 a straight line,
/// and the x_0 of the smallest residual.
#pragma once

#include <vector>

namespace scree {

struct OffsetPower {
  double factor = 0, offset = 0, exponent = 0;         // C, x_0, p
  double offset_error = 0, exponent_error = 0;         // standard errors, of all three fitted together
};

/// At least four points with y > 0. x_0 lies below the smallest x, and not below minus the largest.
OffsetPower fit_offset_power(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace scree
