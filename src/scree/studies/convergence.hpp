// SPDX-License-Identifier: BSD-3-Clause
/// Errors of one scheme on one problem at many steps: what the studies of orders, costs and step
/// sizes share.
///
/// Steps are h = m 2^-k with m of 1, 3, 5, 7, 15, 21, 35, 105 (thesis, section 3.1): exact in
/// binary, and those that divide the time of the run end exactly there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/studies/experiment.hpp"
#include "scree/studies/fit_window.hpp"
#include "scree/studies/reference.hpp"

namespace scree {

/// What is compared: all coordinates of one kind.
enum class Quantity { x, v, q, w };
const std::vector<dd>& coordinates(const Outcome& outcome, Quantity of);
const std::vector<dd>& coordinates(const Reference& reference, Quantity of);

/// Root mean square distance of the grains that can move from where they should be.
double distance(const std::vector<dd>& a, const std::vector<dd>& b, const std::vector<bool>& free);

/// Steps that divide `time` with at least `least` steps, k from `coarsest` to `finest`, largest
/// first.
std::vector<double> dyadic_steps(double time, int coarsest, int finest, std::int64_t least = 1);

/// `time` with at most ten binary digits, so that it has dyadic steps.
double dyadic_time(double time);

/// Something that can be run with a step, and its exact end if that is known.
struct Variant {
  std::function<Outcome(double h, std::int64_t steps)> run;
  std::optional<Reference> exact;
};

/// A problem, in several variants if one run says little: where touch falls between two steps, the
/// error depends on where, and only its mean square over several such places is a smooth function
/// of the step.
struct Problem {
  std::vector<Variant> variants;
  double time = 0;     // s
  std::vector<bool> free{true};  // which grains are not held, by id
  double epsilon = 0;  // of the number type
};
/// Scenes (that differ in where their grains begin) as one problem.
Problem scene_problem(const std::vector<AnyScene>& scenes, double time);
/// y'' = max(y, 0)^q, y(0) = 0, y'(0) = 1 (thesis, eq. 3.1), with any integrator of the registry.
Problem power_law_problem(double q, const std::string& integrator, const std::string& real, double time);

struct ConvergencePoint {
  double h = 0;
  std::int64_t steps = 0;
  double value = 0;  // the largest coordinate of a free grain, of the first variant
  double error = 0;  // root mean square over the variants
  std::vector<double> errors;  // of each variant
  double floor = 0;  // four times the round-off to be expected
  Outcome outcome;   // of the first variant
};

struct Convergence {
  std::vector<ConvergencePoint> points;  // largest step first; runs that failed are not among them
  std::vector<std::string> faults;       // why they failed
  std::string reference;                 // "closed form", …
  OrderFit fit;
};

/// Runs the problem with all steps. Without an exact end the finest step is the reference, and since
/// it has an error C h_r^p itself, differences d are taken for errors d/(1 - (h_r/h)^p) in the fit.
/// `tell` is called before each run with the fraction done.
Convergence converge(const Problem& problem, std::vector<double> steps, Quantity of,
                     const std::function<void(double)>& tell = {});

}  // namespace scree
