// SPDX-License-Identifier: BSD-3-Clause
/// The profile of a layer that flows down a rough slope: Bagnold's stress grows with the square of the shear rate, so
/// a layer of height h has
///
///     v(z) = v_0 + B [(h - z_0)^a - (h - z)^a],   a = 3/2,
///
/// over its bottom at z_0 (Silbert et al., Phys. Rev. E 64, 051302 (2001)). The exponent is left free here.
#pragma once

#include <vector>

namespace scree {

struct BagnoldFit {
  double exponent = 0;  // a
  double rate = 0;      // B, m^(1-a)/s
  double slip = 0;      // v_0, m/s
  double residual = 0;  // root mean square over the range of v
};

/// Least squares over points z_k < h. The exponent lies between 0.2 and 5; v_0 and B are linear and solved for.
BagnoldFit fit_bagnold(const std::vector<double>& z, const std::vector<double>& v, double bottom, double height);

}  // namespace scree
