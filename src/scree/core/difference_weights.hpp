// SPDX-License-Identifier: BSD-3-Clause
/// Weights of finite differences on any points: Fornberg, Math. Comput. 51, 699 (1988).
#pragma once

#include <vector>

namespace scree {

/// Weights of the m-th derivative at z of the polynomial through values at the points x.
std::vector<double> difference_weights(double z, const std::vector<double>& x, int m = 1);

}  // namespace scree
