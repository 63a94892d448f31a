// SPDX-License-Identifier: BSD-3-Clause
/// Friction against the inertial number: mu(I) = mu_s + (mu_2 - mu_s)/(1 + I_0/I) (Jop, Forterre and Pouliquen, Nature 441, 727, 2006)
/// and its rivals. All are a + b f(I; c): for every c the other two are linear, and the c of the smallest residual is taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// constant: a;  linear: f = I;  root: sqrt(I);  logarithm: ln I;  power: I^c;  parabola: I + c I²;  root_pole: sqrt(I) + c/sqrt(I);  mu-of-i: 1/(1 + c/I).
enum class FrictionForm { constant, linear, root, logarithm, power, parabola, root_pole, mu_of_i };
const std::vector<FrictionForm>& friction_forms();
std::string name_of(FrictionForm form);

struct FrictionFit {
  FrictionForm form = FrictionForm::mu_of_i;
  double a = 0, b = 0, c = 0;
  double chi2 = 0;  // Σ weight × (mu - fit)²
  double at(double inertial) const;
  bool at_end = false;  // c is the smallest or largest that is tried: it has no bound there
  /// c as name_of writes it: parabola and pole are fitted as a + b (shape + c other), their c is b times that.
  double coefficient() const { return form == FrictionForm::parabola || form == FrictionForm::root_pole ? b * c : c; }
  double mu_s() const { return a; }
  double mu_2() const { return a + b; }
  double i_0() const { return c; }
};

/// Weights as in Σ w (mu - fit)²; empty: all 1.
FrictionFit fit_friction(FrictionForm form, const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& weight = {});

/// Predictions of each point from a fit to the others: root mean square of error over standard error.
struct HeldOut {
  double error = 0;       // root mean square, in mu
  double in_sigmas = 0;   // the same in units of each point's standard error
  std::vector<double> squares;  // of each point, in units of its variance
};
/// How much worse a rival predicts: the mean over points of the difference of their squares, and its standard error.
struct Worse {
  double by = 0, stderr_ = 0;
};
Worse compare(const HeldOut& rival, const HeldOut& own);
HeldOut leave_one_out(FrictionForm form, const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& stderr_);

/// 95 % intervals of a, a + b and c: fits to data drawn anew with their standard errors (a parametric bootstrap).
struct Interval {
  double lo = 0, hi = 0;
};
struct FrictionIntervals {
  Interval mu_s, mu_2, i_0;
  bool unbounded = false;  // I_0 reaches the end of the range that is searched: it and mu_2 have no upper bound, only their ratio is known
};
/// Those fits of mu(I) themselves.
std::vector<FrictionFit> friction_draws(const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& stderr_, std::uint64_t seed, int draws);
FrictionIntervals friction_intervals(const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& stderr_, std::uint64_t seed,
                                     int draws = 1000);

/// A straight line y = a + b x by least squares, with 95 % intervals from the scatter about it (Student's t, n - 2 degrees of freedom).
struct LineFit {
  double a = 0, b = 0;
  Interval a_interval, b_interval;
  double scatter = 0;  // standard deviation about the line
};
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace scree
