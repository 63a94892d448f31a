// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/fronts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

/// One step of the classical Runge-Kutta method.
template <class V, class F>
V rk4_step(const F& f, const V& u, double h) {
  const auto plus = [](V a, const V& b, double c) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += c * b[k];
    return a;
  };
  const V k1 = f(u), k2 = f(plus(u, k1, h / 2)), k3 = f(plus(u, k2, h / 2)), k4 = f(plus(u, k3, h));
  return plus(plus(plus(plus(u, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
}

}  // namespace

double log_burgers_front(double xi) { return std::exp(-std::exp(xi)); }

LogKdvBurgersFront::LogKdvBurgersFront(double mu, double behind) {
  if (!(mu > 0 && mu <= largest_mu)) throw InputError("log-KdV-Burgers front: expected 0 < mu <= " + brief(largest_mu) + ", found " + brief(mu));
  // from the tail to y = 1/e, in w; s is counted from the tail first
  using V2 = std::array<double, 2>;
  using V3 = std::array<double, 3>;
  constexpr double tail = 60, step = 1.0 / 1024;
  const auto by_w = [mu](const V3& u) { return V3{1, u[1] + mu - u[0] / u[1], 1 / u[1]}; };  // d(w, p, s)/dw
  double p = (-mu + std::sqrt(mu * mu + 4 * tail)) / 2, s = 0;
  points_.push_back({s, tail, p});
  const long steps = std::lround((tail - 1) / step);
  for (long k = 0; k < steps; ++k) {
    const double w = tail - static_cast<double>(k) * step;
    const V3 next = rk4_step(by_w, V3{w, p, s}, -step);
    p = next[1];
    s = next[2];
    points_.push_back({s, w - step, p});
  }
  for (Point& one : points_) one.s -= s;
  // and on towards the rear, in s
  V2 u{1, p};
  const auto by_s = [mu](const V2& v) { return V2{v[1], v[1] * v[1] + mu * v[1] - v[0]}; };
  constexpr double ds = 1.0 / 1024;
  const long rear = std::lround(behind / ds);
  for (long k = 1; k <= rear; ++k) {
    u = rk4_step(by_s, u, -ds);
    points_.push_back({-static_cast<double>(k) * ds, u[0], u[1]});
    highest_ = std::max(highest_, std::exp(-u[0]));
  }
  std::reverse(points_.begin(), points_.end());
}

double LogKdvBurgersFront::operator()(double s) const {
  if (s <= points_.front().s) return std::exp(-points_.front().w);
  if (s >= points_.back().s) return 0;
  const auto next = std::upper_bound(points_.begin(), points_.end(), s, [](double x, const Point& q) { return x < q.s; });
  const Point &b = *next, &a = *(next - 1);
  const double h = b.s - a.s, t = (s - a.s) / h;  // cubic, with the slopes that are known
  const double w = (1 + 2 * t) * (1 - t) * (1 - t) * a.w + t * (1 - t) * (1 - t) * h * a.p + t * t * (3 - 2 * t) * b.w -
                   t * t * (1 - t) * h * b.p;
  return std::exp(-w);
}

namespace {

/// Is a complex root the one that decays slowest behind the front? g = γ c.
bool oscillates(double a, double g) {
  using Complex = std::complex<double>;
  double real = INFINITY, complex = INFINITY;  // smallest real parts
  // 1 - a (1 - gκ) (sinh(κ/2)/(κ/2))²: without the double root at κ = 0. Newton's method, from everywhere.
  for (double re = 0.1; re < 8; re += 0.35)
    for (double im = 0; im < 5; im += 0.4) {
      Complex k(re, im), move(1);
      for (int n = 0; n < 60 && std::abs(move) > 1e-13 && std::abs(k) < 60; ++n) {
        const Complex z = 0.5 * k, s = std::sinh(z) / z, slope = (std::cosh(z) - s) / z;
        move = (1.0 - a * (1.0 - g * k) * s * s) / (a * g * s * s - a * (1.0 - g * k) * s * slope);
        k -= move;
      }
      if (!(std::abs(move) < 1e-10) || !(k.real() > 1e-6)) continue;
      double& least = std::abs(k.imag()) > 1e-6 ? complex : real;
      least = std::min(least, k.real());
    }
  return complex < real;
}

}  // namespace

double chain_crossover(double a) {
  if (!(a > 1 && a <= 4)) throw InputError("crossover of fronts: expected 1 < a <= 4, found " + brief(a));
  const double per_mu = std::sqrt(1 - 1 / a) / (2 * std::sqrt(3.0));
  double low = 0.2, high = 3;
  while (high - low > 1e-6) {
    const double mu = 0.5 * (low + high);
    (oscillates(a, mu * per_mu) ? low : high) = mu;
  }
  return 0.5 * (low + high);
}

}  // namespace scree
