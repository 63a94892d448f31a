// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/offset_power.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "scree/studies/fit_window.hpp"

namespace scree {

OffsetPower fit_offset_power(const std::vector<double>& x, const std::vector<double>& y) {
  const double least = *std::min_element(x.begin(), x.end()), most = *std::max_element(x.begin(), x.end());
  const auto at = [&](double offset) {
    std::vector<double> shifted;
    for (const double one : x) shifted.push_back(one - offset);
    return fit_power(shifted, y);
  };
  // A coarse look over all offsets, since the residual may have a second minimum close to the smallest x; then closer.
  double best = 0, low = -most, high = least - 1e-6 * (most - least);
  for (int round = 0; round < 12; ++round) {
    constexpr int points = 200;
    double smallest = -1;
    for (int k = 0; k <= points; ++k) {
      const double offset = low + (high - low) * k / points, residual = at(offset).residual;
      if (smallest < 0 || residual < smallest) {
        smallest = residual;
        best = offset;
      }
    }
    const double step = (high - low) / points, lowest = low, highest = high;
    low = std::max(best - 2 * step, lowest);
    high = std::min(best + 2 * step, highest);
  }
  const PowerFit fit = at(best);
  OffsetPower found{fit.constant, best, fit.exponent, 0, 0};
  // The covariance of (ln C, p, x_0) from the derivatives of ln y = ln C + p ln(x - x_0).
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd slope(n, 3);
  double square = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double away = x[static_cast<std::size_t>(k)] - best;
    slope.row(k) << 1, std::log(away), -fit.exponent / away;
    const double off = std::log(y[static_cast<std::size_t>(k)]) - std::log(fit.constant) - fit.exponent * std::log(away);
    square += off * off;
  }
  const Eigen::Matrix3d covariance = (slope.transpose() * slope).inverse() * (square / static_cast<double>(n - 3));
  found.exponent_error = std::sqrt(covariance(1, 1));
  found.offset_error = std::sqrt(covariance(2, 2));
  return found;
}

}  // namespace scree
