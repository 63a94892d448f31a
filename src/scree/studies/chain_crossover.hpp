// SPDX-License-Identifier: BSD-3-Clause
/// From which damping on fronts no longer oscillate: where the overshoot max y - 1 falls below a level.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "scree/studies/study.hpp"

namespace scree {

struct Crossover {
  double a = 1.5;
  double mu = 0, within = 0;  // in the chain: the middle of the last interval, and half of it
  double equation = 0;        // in the logarithmic KdV-Burgers equation, at the same level
  double linear = 0;          // by the tail of the chain's front (chain_crossover())
  std::string fault;
};

/// An overshoot that counts as one.
inline constexpr double seen_overshoot = 1e-3;

/// A fault where there is none in [0.4, 2.4]. By bisection of μ to `within`, each time with a chain of scene `base`.
void find_crossover(Crossover& c, double within, const StudySettings& s, const std::string& base, const std::string& scheme);

/// Where `overshoots(mu)` falls from true to false in [0.4, 2.4]: middle and half of the last interval, at most `within`.
/// None where it does not fall there: an end that bisection runs into is looked at, before it is taken for an answer.
std::optional<std::pair<double, double>> falls_at(double within, const std::function<bool(double)>& overshoots);

/// The same in the equation.
double equation_crossover();

}  // namespace scree
