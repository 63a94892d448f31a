// SPDX-License-Identifier: BSD-3-Clause
/// From the distances of runs with different steps to an order, a rate of growth, and the time for
/// which trajectories coincide. If
///
///     d(t) = C (h^p - h_r^p) e^{λ t}
///
/// (h_r the step of a reference of the same scheme, 0 of a perfect one), then d passes θ at
/// T = (ln(θ/C) - ln(h^p - h_r^p))/λ, and every halving of h adds p ln 2/λ to it where h_r does not
/// matter.
#pragma once

#include <limits>
#include <numbers>
#include <vector>

namespace scree {

/// The straight line through points by least squares; NaN for fewer than two.
struct Line {
  double slope = std::numeric_limits<double>::quiet_NaN(), stderr_ = slope, offset = slope;
};
Line line_through(const std::vector<double>& x, const std::vector<double>& y);

/// p of d = C (h^p - h_r^p), by least squares of the logarithms over C and p; NaN for fewer than
/// two.
double order_against(const std::vector<double>& h, const std::vector<double>& d, double h_r);

/// The curves of one scheme.
struct DistanceCurves {
  std::vector<double> t;               // s, of the looks
  std::vector<double> h;               // s, of the runs
  std::vector<std::vector<double>> d;  // mean radii, [run][look]; shorter where a run failed
  double h_r = 0;                      // s
  double round_off = 1e-13;            // distances below are not looked at
  double saturation = 1e-2;            // nor those above
};

struct Coincidence {
  std::vector<std::vector<double>> times;           // s, [threshold][run]; NaN: never passed
  double rate = 0, rate_error = 0;                  // λ, 1/s, from the growth of ln d
  double order = 0, order_low = 0, order_high = 0;  // p: median and quartiles over the looks
  std::vector<double> gain;  // s per halving of h, from the times; NaN: too few
  double predicted() const { return order * std::numbers::ln2 / rate; }  // s per halving
};

Coincidence coincidence(const DistanceCurves& curves, const std::vector<double>& thresholds);

/// The three regions of a sigmoid d(t) (thesis, section 5.3): nothing to be seen, growth, rest. The
/// straight line through the growing part, from a fifth to four fifths of the plateau, is taken: d
/// departs where it passes zero, and saturates where it passes the plateau. The plateau is the mean
/// over the last tenth of the looks; if d still changes by more than a twentieth there, the curve
/// has none, the last value stands for it in the line, and there is no time of saturation.
struct Regions {
  double departure = std::numeric_limits<double>::quiet_NaN();   // s
  double saturation = std::numeric_limits<double>::quiet_NaN();  // s; NaN: not yet
  double plateau = std::numeric_limits<double>::quiet_NaN();     // as d; NaN: not yet
};
/// NaN throughout for curves of fewer than ten looks or without growth.
Regions regions_of(const std::vector<double>& t, const std::vector<double>& d);

}  // namespace scree
