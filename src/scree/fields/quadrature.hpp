// SPDX-License-Identifier: BSD-3-Clause
/// Adaptive quadrature of smooth functions on an interval: Gauss-Kronrod with 7 and 15 points (QUADPACK's
/// nodes; Piessens et al. 1983), halved where the two rules disagree.
///
/// The error of the 15 points is taken to be (200 |K15 - G7|/scale)^{3/2} scale, as QUADPACK does; `scale` is the size of
/// what the caller compares with, so pieces that cannot matter are not refined.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace scree::fields {

namespace kronrod {
inline constexpr std::array<double, 8> nodes{0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                             0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                             0.586087235467691130294144691693839, 0.405845151377397166906606412076961,
                                             0.207784955007898467600689403773245, 0.0};
inline constexpr std::array<double, 8> weights{0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                               0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                               0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                               0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
/// Of the nodes with odd index, which are Gauss's.
inline constexpr std::array<double, 4> gauss{0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                             0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
}  // namespace kronrod

/// Both rules of f on [a, b]: the fine one, and how far the coarse one is off.
struct TwoRules {
  double fine = 0, apart = 0;
};

template <class F>
TwoRules gauss_kronrod(F&& f, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  const double centre = f(middle);
  double fine = kronrod::weights[7] * centre, coarse = kronrod::gauss[3] * centre;
  for (std::size_t k = 0; k < 7; ++k) {
    const double d = half * kronrod::nodes[k], both = f(middle - d) + f(middle + d);
    fine += kronrod::weights[k] * both;
    if (k % 2 == 1) coarse += kronrod::gauss[k / 2] * both;
  }
  return {half * fine, half * std::abs(fine - coarse)};
}

/// How far the rules may be apart, over `scale`: (200 x)^{3/2} < 2e-15.
inline constexpr double careful = 8e-13;

/// ∫_a^b f with an error of a few 1e-15 `scale`.
template <class F>
double integrate(F&& f, double a, double b, double scale, double apart = careful, int depth = 24) {
  const TwoRules rules = gauss_kronrod(f, a, b);
  if (depth == 0 || !(rules.apart > apart * scale)) return rules.fine;
  const double middle = 0.5 * (a + b);
  return integrate(f, a, middle, scale, apart, depth - 1) + integrate(f, middle, b, scale, apart, depth - 1);
}

}  // namespace scree::fields
