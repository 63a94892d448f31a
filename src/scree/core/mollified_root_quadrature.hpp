// SPDX-License-Identifier: BSD-3-Clause
/// The mollified square root by composite Newton-Cotes rules, as the thesis computes it.
///
///     S_ε(x) = ∫ φ_ε(z) sqrt⁺(x - ε - z) dz,
///     φ_ε(z) = exp(1/((z/ε)² - 1)) / (C ε),    sqrt⁺(a) = sqrt(max(a, 0)),
///
/// over the whole interval [-ε, ε], where near x = 0 too few nodes meet the integrand (the result
/// stays zero for a while, and kinks when x passes a node), or over its support [-ε, min(x - ε, ε)]
/// only: figure 4.3 (a) and (b). The thesis' reference is the midpoint rule with 1000 panels.
/// Everywhere else mollified_root.hpp is both faster and exact to rounding.
///
/// Thesis section 4.2.3, figures 4.3 and 4.4. Rules: Abramowitz and Stegun 25.4.1-25.4.21.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "scree/core/config.hpp"
#include "scree/core/mollified_root.hpp"

namespace scree {

/// One panel of length 1: Σ weight[k]/divisor f(k/(size-1)). The midpoint is the middle of three.
struct NewtonCotes {
  std::string_view name;
  int size;
  int divisor;
  std::array<int, 5> weight;
  int exact_degree;  ///< integrates polynomials up to this degree exactly
};

inline constexpr NewtonCotes midpoint_rule{"midpoint", 3, 1, {0, 1, 0}, 1};
inline constexpr NewtonCotes trapezoid_rule{"trapezoid", 2, 2, {1, 1}, 1};
inline constexpr NewtonCotes simpson_rule{"simpson", 3, 6, {1, 4, 1}, 3};
inline constexpr NewtonCotes milne_rule{
    "milne", 5, 3, {0, 2, -1, 2, 0}, 3};  // open: no value at the ends
inline constexpr NewtonCotes boole_rule{"boole", 5, 90, {7, 32, 12, 32, 7}, 5};

inline constexpr std::array newton_cotes_rules{midpoint_rule, trapezoid_rule, simpson_rule,
                                               milne_rule, boole_rule};

/// ∫_a^b f by `panels` equal panels of the rule.
template <class T, class F>
T integrate(const NewtonCotes& rule, int panels, const T& a, const T& b, F&& f) {
  const T length = (b - a) / panels;
  T sum = T(0);
  for (int p = 0; p < panels; ++p) {
    for (int k = 0; k < rule.size; ++k) {
      const int weight = rule.weight[static_cast<std::size_t>(k)];
      if (weight != 0) {
        sum += weight * f(a + length * (p + T(k) / (rule.size - 1)));
      }
    }
  }
  return sum * length / rule.divisor;
}

enum class QuadratureDomain { interval, support };

/// S_ε(x) by a quadrature. In the units of ε, so that the result scales as the exact one does.
template <class T> T mollified_root_quadrature(const NewtonCotes& rule, int panels, QuadratureDomain domain,
                                               const T& x, const T& eps) {
  using std::exp;
  using std::sqrt;
  const T shifted = x / eps - T(1);
  if (!(shifted > T(-1))) {
    return T(0);
  }
  const T end = domain == QuadratureDomain::support && shifted < T(1) ? shifted : T(1);
  const auto integrand = [&](const T& z) {
    const T inside = (T(1) - z) * (T(1) + z);
    return inside > T(0) && z < shifted ? exp(T(-1) / inside) * sqrt(shifted - z) : T(0);
  };
  return sqrt(eps) / mollifier_normalisation<T>() * integrate(rule, panels, T(-1), end, integrand);
}

}  // namespace scree
