// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/chain_crossover.hpp"

#include <tuple>
#include <utility>

#include "scree/studies/chain_front_run.hpp"
#include "scree/studies/fronts.hpp"

namespace scree {
namespace {

/// Halves [0.4, 2.4] until it is at most 2 within wide; `overshoots(mu)` falls from true to false.
template <class F> std::pair<double, double> bisect(double within, const F& overshoots) {
  double low = 0.4, high = 2.4;
  while (high - low > 2 * within) {
    const double mu = 0.5 * (low + high);
    (overshoots(mu) ? low : high) = mu;
  }
  return {0.5 * (low + high), 0.5 * (high - low)};
}

}  // namespace

double equation_crossover() {
  return bisect(1e-4, [](double mu) { return LogKdvBurgersFront(mu, 100).highest() - 1 > seen_overshoot; }).first;
}

void find_crossover(Crossover& c, double within, const StudySettings& s, const std::string& base, const std::string& scheme) {
  c.equation = equation_crossover();
  c.linear = chain_crossover(c.a);
  std::tie(c.mu, c.within) = bisect(within, [&](double mu) {
    Front f = Front::of_kdv(c.a, mu);
    f.scheme = scheme;
    f.beads = beads_for(f, s.quick ? Patience::quick : Patience::full);
    if (c.fault.empty()) run_front(f, s, base);
    if (!f.fault.empty()) c.fault = f.fault;
    return f.highest - 1 > seen_overshoot;
  });
}

}  // namespace scree
