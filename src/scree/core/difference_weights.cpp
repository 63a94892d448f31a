// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/difference_weights.hpp"

#include <algorithm>
#include <cstddef>

namespace scree {

std::vector<double> difference_weights(double z, const std::vector<double>& x, int m) {
  const std::size_t n = x.size(), orders = static_cast<std::size_t>(m) + 1;
  std::vector<double> c(n * orders);  // c[j * orders + k]: point j, derivative k
  double c1 = 1, c4 = x[0] - z;
  c[0] = 1;
  for (std::size_t i = 1; i < n; ++i) {
    const std::size_t mn = std::min(i, orders - 1);
    double c2 = 1;
    const double c5 = c4;
    c4 = x[i] - z;
    for (std::size_t j = 0; j < i; ++j) {
      const double c3 = x[i] - x[j];
      c2 *= c3;
      if (j == i - 1) {
        for (std::size_t k = mn; k >= 1; --k)
          c[i * orders + k] = c1 * (static_cast<double>(k) * c[(i - 1) * orders + k - 1] - c5 * c[(i - 1) * orders + k]) / c2;
        c[i * orders] = -c1 * c5 * c[(i - 1) * orders] / c2;
      }
      for (std::size_t k = mn; k >= 1; --k) c[j * orders + k] = (c4 * c[j * orders + k] - static_cast<double>(k) * c[j * orders + k - 1]) / c3;
      c[j * orders] = c4 * c[j * orders] / c3;
    }
    c1 = c2;
  }
  std::vector<double> weights;
  for (std::size_t j = 0; j < n; ++j) weights.push_back(c[j * orders + orders - 1]);
  return weights;
}

}  // namespace scree
