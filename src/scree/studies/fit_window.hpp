// SPDX-License-Identifier: BSD-3-Clause
/// The order of a scheme from errors at many steps, and the steps it may be read from.
///
/// Errors follow C h^p only between two ends: at the fine end round-off takes over, at the coarse
/// end the asymptotics have not begun (and may look like another power for decades). An order
/// belongs to h → 0, so the window should begin at the finest step above round-off. The rule:
///
/// 1. Points below their noise floor (given with them) or not finite are left out.
/// 2. A window of consecutive points is a candidate if it has at least `least_points` points and
///    spans at least a factor `least_span` in h, its slope p in ln error against ln h is positive
///    (> 0.25: flat errors are round-off, or the reference's own error), its residuals have a root
///    mean square of at most t, and it is straight: a parabola through it changes slope by at most
///    b from end to end, or by less than twice the uncertainty of that change, and the slope of
///    each half (cut at the middle of ln h) lies within b/4 of the whole's, as a parabola of bend b
///    has it, or within twice the half's own standard error. Its own: wild points at the coarse
///    end, or round-off at the fine end, make the parabola uncertain, but leave the other half as
///    sure as it is, and that half then tells. (Halves of fewer than four points are not asked.)
/// 3. Its score is the span (in ln h) that it covers less the span above the noise floor that it
///    leaves out at the fine end: it must cover more than it ignores there.
/// 4. t runs through 0.01, 0.02, 0.04 … 1.28, and b = `bend` t/0.01 with it. The first t with a
///    candidate of positive score decides, and the best score wins. Smooth data are thus judged
///    strictly, data with scatter (first touch between steps) leniently.
/// 5. A window that had to be allowed a significant change of slope beyond `bend` says so in its
///    error, which is half that change at least; beyond `most_bend` it is no power law.
///
/// Without any candidate the fit takes all points above the floor, and says so.
#pragma once

#include <vector>

namespace scree {

struct OrderPoint {
  double h = 0;
  double error = 0;
  double floor = 0;  // errors of at most this size are round-off
};

struct OrderFit {
  double order = 0;     // p
  double stderr_ = 0;   // standard error of p, or half the change of p over the window (5)
  double constant = 0;  // C
  double h_min = 0, h_max = 0;
  int points = 0;
  double residual = 0;      // root mean square, in ln error
  bool consistent = false;  // false: no window followed a power
};

struct FitRule {
  int least_points = 5;
  double least_span = 8;
  double bend = 0.02;
  double most_bend = 0.1;
};

/// The points in any order.
OrderFit fit_order(std::vector<OrderPoint> points, const FitRule& rule = {});

/// A plain power law y = C x^p by least squares of the logarithms: slope, its standard error, C and
/// the standard error of C. Two points leave no scatter to judge by: the errors are infinite.
struct PowerFit {
  double exponent = 0, stderr_ = 0, constant = 0, residual = 0, constant_stderr = 0;
};
PowerFit fit_power(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace scree
