// SPDX-License-Identifier: BSD-3-Clause
/// The integral of a kernel along a straight line, which carries the stress of a contact:
///
///     ∫_0^1 phi(|y - s b|) ds,      y = x - x_i, b from one end of the line to the other.
///
/// With t the coordinate along the line and h the distance from it, phi is a function of h² + t². Inside the support
///
///     heaviside   the length inside
///     gauss       exp(-h²/(2 w²)) times a difference of error functions
///     lucy        1 - 6 q² + 8 q³ - 3 q⁴ is integrated term by term; ∫ (h² + t²)^{3/2} dt has a closed form
///     mollifier   Gauss-Kronrod on the part of the line inside, halved until it is good to some 1e-15 of the peak
///
/// Lines shorter than 1/1000 of the reach would lose digits in the differences: 8 Gauss points serve there.
#pragma once

#include "scree/fields/kernel.hpp"

namespace scree::fields {

/// The line is at distance h from the point; its ends are at t0 < t1, from the foot of the perpendicular.
/// Gives ∫_{t0}^{t1} phi dt/(t1 - t0).
double along_line(const Kernel& kernel, double h2, double t0, double t1);

/// The same with d/dt phi in place of phi times (t1 - t0), by quadrature (lucy: in closed form): phi(t1) - phi(t0), but found
/// as the integral of the kernel's gradient along the line. For the divergence of the contact stress.
double slope_along_line(const Kernel& kernel, double h2, double t0, double t1);

/// A line that begins at y from it, seen from a point: y = x - x_i and b are N components.
struct Chord {
  double h2 = 0, t0 = 0, t1 = 0;
  double length() const { return t1 - t0; }
};

template <int N>
Chord chord(const double* y, const double* b) {
  double l2 = 0, yb = 0, y2 = 0;
  for (int k = 0; k < N; ++k) {
    l2 += b[k] * b[k];
    yb += y[k] * b[k];
    y2 += y[k] * y[k];
  }
  if (!(l2 > 0)) return {y2, 0, 0};
  const double l = std::sqrt(l2), foot = yb / l;
  // the perpendicular by its components: y2 - foot² would lose digits on the line
  double h2 = 0;
  const double s = yb / l2;
  for (int k = 0; k < N; ++k) {
    const double d = y[k] - s * b[k];
    h2 += d * d;
  }
  if constexpr (N == 1) h2 = 0;
  return {h2, -foot, l - foot};
}

template <int N>
double line_integral(const Kernel& kernel, const double* y, const double* b) {
  const Chord c = chord<N>(y, b);
  return along_line(kernel, c.h2, c.t0, c.t1);
}

}  // namespace scree::fields
