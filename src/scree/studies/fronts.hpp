// SPDX-License-Identifier: BSD-3-Clause
/// Fronts of chains whose exponent is close to 1 (G. James, K. Vorotnikov and B. Brogliato, seed 002, section 3). With
/// mass and stiffness 1, D = δ y^{1/a} the compression and c = δ^{(a-1)/2} the speed of the front in beads:
///
/// strongly damped: ξ = ε (n - c t), ε = (a-1)/(a γ c), logarithmic Burgers equation y_τ + (y ln y)_ξ = y_ξξ, whose
/// stationary front is y = exp(-exp(ξ));
///
/// weakly damped: s = 2√3 ε (n - c t), ε = (1 - 1/a)^{1/2}, logarithmic KdV-Burgers equation
/// y_τ + (y ln y)_s + y_sss = μ y_ss, μ = 2√3 c γ/ε, whose stationary front solves y'' = μ y' - y ln y, from 1 behind
/// the front to 0 ahead of it; it oscillates if μ < 2.
///
/// All fronts are placed such that y(0) = 1/e.
#pragma once

#include <vector>

namespace scree {

/// exp(-exp(ξ)).
double log_burgers_front(double xi);

/// The front of the logarithmic KdV-Burgers equation.
///
/// In w = -ln y the equation is w'' = w'² + μ w' - w. Ahead of the front w grows, and of all solutions only one has
/// p = w' that neither runs away nor turns back; as a function of w it solves p dp/dw = p² + μ p - w. From large w
/// towards small all solutions run into it, so it is shot from the tail: from w = 60 at p² + μ p = w, where y is
/// 1e-26, whatever is wrong there has shrunk by more than e^-100 at w = 1. From there on, with s as the variable, towards
/// s → -∞, where y = 1 attracts.
class LogKdvBurgersFront {
 public:
  /// Shot in steps of 1/1024 in w, on which errors shrink at the rate 1 + w/p², μ² + 3 at w = 1: the method of Runge and
  /// Kutta is stable while that times the step is below 2.78, for μ < 53.
  static constexpr double largest_mu = 50;
  /// 0 < μ ≤ largest_mu, or InputError; from s = -behind on.
  explicit LogKdvBurgersFront(double mu, double behind = 40);
  double operator()(double s) const;
  double highest() const { return highest_; }  // max y

 private:
  struct Point {
    double s, w, p;
  };
  std::vector<Point> points_;  // with rising s
  double highest_ = 1;
};

/// μ = 2√3 γ c/(1 - 1/a)^{1/2} above which the fronts of a chain with exponent a are monotone, by what is left of a front
/// far behind it. There D = δ (1 + ε e^{κ(n - ct)}) with small ε, and the chain's equation asks for
///
///     κ² = a (1 - γ c κ) 4 sinh²(κ/2),   Re κ > 0.
///
/// The root of the smallest real part decides: a real one means a monotone approach, a complex one oscillations. For a → 1
/// κ is small, κ² - 12 a γ c κ + 12 (a - 1) = 0, and the border is μ = 2/√a, that is 2: the roots of
/// r² - μ r + 1 = 0 of the logarithmic KdV-Burgers equation (s = 2√3 (1 - 1/a)^{1/2} (n - ct)). 1 < a ≤ 4.
double chain_crossover(double a);

}  // namespace scree
