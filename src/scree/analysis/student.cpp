// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/student.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace scree {

double student_within(double t, int freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom))), c = std::cos(angle), s = std::sin(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? c : 1, sum = freedom == 1 ? 0 : term;
  for (int k = odd ? 3 : 2; k < freedom; k += 2) sum += term *= c * c * (k - 1) / k;
  return odd ? 2 / std::numbers::pi * (angle + s * sum) : s * sum;
}

double student_95(int freedom) {
  if (freedom < 1) return std::numeric_limits<double>::infinity();
  double lo = 1, hi = 16;  // 1.96 for many, 12.7 for one
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (lo + hi);
    (student_within(middle, freedom) < 0.95 ? lo : hi) = middle;
  }
  return hi;
}

}  // namespace scree
