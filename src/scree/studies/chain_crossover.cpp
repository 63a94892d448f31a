// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/chain_crossover.hpp"

#include <fmt/format.h>

#include <tuple>

#include "scree/core/names.hpp"
#include "scree/studies/chain_front_run.hpp"
#include "scree/studies/fronts.hpp"

namespace scree {

std::optional<std::pair<double, double>> falls_at(double within, const std::function<bool(double)>& overshoots) {
  constexpr double first = 0.4, last = 2.4;
  double low = first, high = last;
  while (high - low > 2 * within) {
    const double mu = 0.5 * (low + high);
    (overshoots(mu) ? low : high) = mu;
  }
  if (low == first && !overshoots(first)) return std::nullopt;
  if (high == last && overshoots(last)) return std::nullopt;
  return std::pair{0.5 * (low + high), 0.5 * (high - low)};
}

double equation_crossover() {
  return falls_at(1e-4, [](double mu) { return LogKdvBurgersFront(mu, 100).highest() - 1 > seen_overshoot; }).value().first;
}

void find_crossover(Crossover& c, double within, const StudySettings& s, const std::string& base, const std::string& scheme) {
  c.equation = equation_crossover();
  c.linear = chain_crossover(c.a);
  const auto found = falls_at(within, [&](double mu) {
    Front f = Front::of_kdv(c.a, mu);
    f.scheme = scheme;
    f.beads = beads_for(f, s.quick ? Patience::quick : Patience::full);
    if (c.fault.empty()) run_front(f, s, base);
    if (!f.fault.empty()) c.fault = f.fault;
    return f.highest - 1 > seen_overshoot;
  });
  if (found) std::tie(c.mu, c.within) = *found;
  else if (c.fault.empty()) c.fault = fmt::format("a = {}: no crossover to monotone fronts between mu = 0.4 and 2.4", brief(c.a));
}

}  // namespace scree
