// SPDX-License-Identifier: BSD-3-Clause
/// Nonlocal candidates for creep. The fluidity g = γ'/mu obeys, where mu < mu_s (Kamrin and Koval, Phys. Rev. Lett. 108, 178301, 2012),
///
///     ∇²g = g (mu_s - mu)/(A² d²),
///
/// against ∇²g = g/l² with a length that does not depend on the stress. Each is solved between the first and the last ring with g given
/// there and mu as measured (finite differences of second order), so that no measured curve is differentiated, and judged by ln g between.
#pragma once

#include <vector>

namespace scree {

struct FluidityProfile {
  std::vector<double> r, mu, g;  // m, 1, 1/s; rings at equal distances
  double diameter = 0;           // m
};
enum class NonlocalModel { fluidity, constant_length };

/// ln g of the model on all rings; `value` is A, or l/d. NaN inside if mu > mu_s makes g change its sign.
std::vector<double> solve_fluidity(const FluidityProfile& p, NonlocalModel model, double mu_s, double value);

/// Root mean square of ln g - ln g_measured over the rings between the ends of all profiles.
double fluidity_error(const std::vector<FluidityProfile>& profiles, NonlocalModel model, double mu_s, double value);

/// The range of A, or of the length in diameters, that is searched: a value at its end has no bound there.
constexpr double least_fluidity = 0.05, most_fluidity = 20;

/// The value of the smallest error, from 0.05 to 20.
double fit_fluidity(const std::vector<FluidityProfile>& profiles, NonlocalModel model, double mu_s);

}  // namespace scree
