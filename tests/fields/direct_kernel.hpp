// SPDX-License-Identifier: BSD-3-Clause
/// Kernels written down again, and their line integrals by double exponential quadrature. Nothing here is shared with
/// src/scree/fields.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "scree/fields/settings.hpp"

namespace direct {

using scree::fields::KernelKind;
using Vec3 = std::array<double, 3>;
inline constexpr double pi = std::numbers::pi;

/// Nodes and weights of ∫_a^b by x = tanh(pi/2 sinh u) (Takahasi and Mori 1974); roots and steep ends do no harm.
struct Node {
  double x, weight;
};
inline std::vector<Node> tanh_sinh_nodes(double a, double b, double h) {
  std::vector<Node> nodes;
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  if (!(half > 0)) return nodes;
  for (int k = -static_cast<int>(3.4 / h); k <= static_cast<int>(3.4 / h); ++k) {
    const double u = h * k, s = 0.5 * pi * std::sinh(u), c = std::cosh(s);
    nodes.push_back({middle + half * std::tanh(s), half * h * 0.5 * pi * std::cosh(u) / (c * c)});
  }
  return nodes;
}

template <class F> double tanh_sinh(F&& f, double a, double b, double h = 1.0 / 32) {
  double sum = 0;
  for (const Node& node : tanh_sinh_nodes(a, b, h)) sum += f(node.x) * node.weight;
  return sum;
}

/// phi(r) of a kernel of dimension d and width w.
inline double phi(KernelKind kind, int d, double w, double r) {
  const double q = r / w, volume = d == 1 ? 2 * w : d == 2 ? pi * w * w : 4.0 / 3 * pi * w * w * w;
  switch (kind) {
    case KernelKind::heaviside: return q < 1 ? 1 / volume : 0;
    case KernelKind::lucy: {
      if (q >= 1) return 0;
      const double c = d == 1 ? 1.25 / w : d == 2 ? 5 / (pi * w * w) : 105 / (16 * pi * w * w * w);
      return c * (1 + 3 * q) * std::pow(1 - q, 3);
    }
    case KernelKind::gauss: {
      if (q >= 3) return 0;
      static const auto norm = [](int n) {
        return tanh_sinh([n](double s) { return std::pow(s, n - 1) * std::exp(-s * s / 2); }, 0, 3, 1.0 / 64);
      };
      static const std::array<double, 3> c{2 * norm(1), 2 * pi * norm(2), 4 * pi * norm(3)};
      return std::exp(-q * q / 2) / (c[static_cast<std::size_t>(d - 1)] * std::pow(w, d));
    }
    case KernelKind::mollifier: {
      if (q >= 1) return 0;
      // E2(1) of the spec in the plane; the others by quadrature
      static const auto norm = [](int n) {
        return tanh_sinh([n](double s) { return s < 1 ? std::pow(s, n - 1) * std::exp(1 / (s * s - 1)) : 0.0; }, 0, 1, 1.0 / 64);
      };
      static const std::array<double, 3> c{2 * norm(1), pi * 0.148495506775922, 4 * pi * norm(3)};
      return std::exp(1 / (q * q - 1)) / (c[static_cast<std::size_t>(d - 1)] * std::pow(w, d));
    }
  }
  return 0;
}

inline double reach(KernelKind kind, double w) { return kind == KernelKind::gauss ? 3 * w : w; }

/// ∫_0^1 phi(|y - s b|) ds: the ends of the part inside by the quadratic equation, the rest by quadrature.
inline double line(KernelKind kind, int d, double w, const std::vector<double>& y, const std::vector<double>& b) {
  double A = 0, B = 0, C = -std::pow(reach(kind, w), 2);
  for (std::size_t k = 0; k < y.size(); ++k) A += b[k] * b[k], B += -2 * y[k] * b[k], C += y[k] * y[k];
  const auto at = [&](double s) {
    double r2 = 0;
    for (std::size_t k = 0; k < y.size(); ++k) r2 += (y[k] - s * b[k]) * (y[k] - s * b[k]);
    return phi(kind, d, w, std::sqrt(r2));
  };
  if (A == 0) return at(0);
  const double root = B * B - 4 * A * C;
  if (!(root > 0)) return 0;
  const double s0 = std::max(0.0, (-B - std::sqrt(root)) / (2 * A)), s1 = std::min(1.0, (-B + std::sqrt(root)) / (2 * A));
  if (!(s1 > s0)) return 0;
  if (kind == KernelKind::heaviside) return (s1 - s0) * phi(kind, d, w, 0);
  // lucy has a kink of its third derivative at the foot of the perpendicular
  const double foot = std::clamp(-B / (2 * A), s0, s1);
  const auto safe = [&](double s) { return at(std::clamp(s, s0 + 1e-15, s1 - 1e-15)); };
  return tanh_sinh(safe, s0, foot, 1.0 / 24) + tanh_sinh(safe, foot, s1, 1.0 / 24);
}

}  // namespace direct
