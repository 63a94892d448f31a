// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/bagnold.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

BagnoldFit fit_bagnold(const std::vector<double>& z, const std::vector<double>& v, double bottom, double height) {
  const auto n = static_cast<double>(z.size());
  const auto at = [&](double a) {
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (std::size_t k = 0; k < z.size(); ++k) {
      // in units of the layer's height, so that all exponents give numbers of one size
      const double u = 1 - std::pow(std::max((height - z[k]) / (height - bottom), 0.0), a);
      x += u / n;
      y += v[k] / n;
      xx += u * u / n;
      xy += u * v[k] / n;
      yy += v[k] * v[k] / n;
    }
    BagnoldFit f;
    f.exponent = a;
    const double scale = (xy - x * y) / (xx - x * x);
    f.slip = y - scale * x;
    f.rate = scale / std::pow(height - bottom, a);
    f.residual = std::sqrt(std::max(yy - y * y - scale * (xy - x * y), 0.0));
    return f;
  };
  // The residual has one minimum in a: golden section.
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0.2, high = 5;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double fa = at(a).residual, fb = at(b).residual;
  while (high - low > 1e-7) {
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - golden * (high - low);
      fa = at(a).residual;
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + golden * (high - low);
      fb = at(b).residual;
    }
  }
  BagnoldFit best = at(0.5 * (low + high));
  const auto [least, most] = std::minmax_element(v.begin(), v.end());
  if (*most > *least) best.residual /= *most - *least;
  return best;
}

}  // namespace scree
