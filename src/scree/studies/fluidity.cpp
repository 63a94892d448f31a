// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/fluidity.hpp"

#include <cmath>

namespace scree {

std::vector<double> solve_fluidity(const FluidityProfile& p, NonlocalModel model, double mu_s, double value) {
  const std::size_t n = p.r.size();
  const double h = p.r[1] - p.r[0];
  // g_{k-1} (1 - h/2r) - g_k (2 + h² q) + g_{k+1} (1 + h/2r) = 0 with g known at both ends (Thomas)
  std::vector<double> upper(n), right(n), g(n);
  right[0] = p.g[0];
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double length = value * p.diameter, q = (model == NonlocalModel::fluidity ? mu_s - p.mu[k] : 1.0) / (length * length);
    const double below = 1 - 0.5 * h / p.r[k], above = 1 + 0.5 * h / p.r[k], pivot = -(2 + h * h * q) - below * upper[k - 1];
    upper[k] = above / pivot;
    right[k] = -below * right[k - 1] / pivot;
  }
  g[n - 1] = p.g[n - 1];
  g[0] = p.g[0];
  for (std::size_t k = n - 1; k-- > 1;) g[k] = right[k] - upper[k] * g[k + 1];
  for (double& one : g) one = one > 0 ? std::log(one) : NAN;
  return g;
}

double fluidity_error(const std::vector<FluidityProfile>& profiles, NonlocalModel model, double mu_s, double value) {
  double sum = 0, count = 0;
  for (const FluidityProfile& p : profiles) {
    const std::vector<double> line = solve_fluidity(p, model, mu_s, value);
    for (std::size_t k = 1; k + 1 < p.r.size(); ++k) sum += std::pow(line[k] - std::log(p.g[k]), 2), count += 1;
  }
  return std::isfinite(sum) && count > 0 ? std::sqrt(sum / count) : INFINITY;
}

double fit_fluidity(const std::vector<FluidityProfile>& profiles, NonlocalModel model, double mu_s) {
  double best = 0, least = INFINITY;
  constexpr int steps = 300;
  for (int k = 0; k <= steps; ++k) {
    const double value = least_fluidity * std::pow(most_fluidity / least_fluidity, static_cast<double>(k) / steps), error = fluidity_error(profiles, model, mu_s, value);
    if (error < least) least = error, best = value;
  }
  return best;
}

}  // namespace scree
