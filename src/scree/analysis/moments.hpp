// SPDX-License-Identifier: BSD-3-Clause
/// Mean of independent values, with its standard error.
#pragma once

#include <cmath>
#include <span>

namespace scree {

struct Moments {
  double mean = 0, stderr_ = 0;
};

inline Moments moments(std::span<const double> values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return m;
  for (const double one : values) m.mean += one;
  m.mean /= n;
  double square = 0;
  for (const double one : values) square += (one - m.mean) * (one - m.mean);
  if (values.size() > 1) m.stderr_ = std::sqrt(square / (n - 1) / n);
  return m;
}

}  // namespace scree
