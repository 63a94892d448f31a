// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {

/// A root of f between a and b, where fa = f(a) and fb = f(b) differ in sign: bisection, and
/// inverse quadratic interpolation where the last three points promise that it is safe.
/// Chandrupatla, Adv. Eng. Softw. 28, 145 (1997).
template <class F>
double find_root(F&& f, double a, double b, double fa, double fb, double tolerance = 0) {
  if (fa == 0) return a;
  if (fb == 0) return b;
  double t = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double x = a + t * (b - a), fx = f(x);
    double c = b, fc = fb;  // the point left behind
    if (std::signbit(fx) == std::signbit(fa)) {
      c = a, fc = fa;
    } else {
      b = a, fb = fa;
    }
    a = x, fa = fx;
    const double best = std::abs(fa) < std::abs(fb) ? a : b;
    const double resolution =
        2 * std::numeric_limits<double>::epsilon() * std::abs(best) + tolerance;
    const double limit = resolution / std::abs(b - a);
    if (fa == 0 || !(limit < 0.5)) return best;
    const double place = (a - b) / (c - b), value = (fa - fb) / (fc - fb);
    t = 0.5;
    if (value * value < place && (1 - value) * (1 - value) < 1 - place)
      t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    t = std::clamp(t, limit, 1 - limit);
  }
  return a;
}

template <class F> double find_root(F&& f, double a, double b) {
  const double fa = f(a), fb = f(b);
  return find_root(std::forward<F>(f), a, b, fa, fb);
}

}  // namespace scree
