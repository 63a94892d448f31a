// SPDX-License-Identifier: BSD-3-Clause
/// From which damping on fronts no longer oscillate: where the overshoot max y - 1 falls below a level.
#pragma once

#include <string>

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

/// By bisection of μ to `within`, each time with a chain of scene `base`.
void find_crossover(Crossover& c, double within, const StudySettings& s, const std::string& base, const std::string& scheme);

/// The same in the equation.
double equation_crossover();

}  // namespace scree
