// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/figure_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "scree/core/names.hpp"

namespace scree {

std::string power_text(double x) {
  if (!(x > 0) || (x >= 0.01 && x < 1000)) return brief(x);
  const int exponent = static_cast<int>(std::floor(std::log10(x) + 1e-9));
  const std::string mantissa = brief(x / std::pow(10, exponent));
  return (mantissa == "1" ? "" : mantissa + "·") + fmt::format("10^{{{}}}", exponent);
}

std::string step_text(double h) {
  int exponent = 0;
  return std::frexp(h, &exponent) == 0.5 ? fmt::format("2^{{{}}}", exponent - 1) : power_text(h);
}

}  // namespace scree
