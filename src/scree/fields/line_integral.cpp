// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/line_integral.hpp"

#include <algorithm>
#include <array>

#include "scree/fields/quadrature.hpp"

namespace scree::fields {
namespace {

/// The rules of 13 and 23 degrees on exp(-1/(1 - q²)), whose error falls like exp(-c n^{2/3}): that of the better one is the
/// other's to the power (23/13)^{2/3} = 1.46, so 1e-10 stands for some 1e-14. QUADPACK's guess would take twice the points.
constexpr double mollifier_apart = 5e-11;

/// Forces of grains at rest cancel in the divergence of the stress: what is left of 1e-13 of each would be seen.
constexpr double slope_apart = 1e-14;

/// Gauss-Legendre, 8 points.
constexpr std::array<double, 4> eight_nodes{0.183434642495649804939476142360184, 0.525532409916328985817739049189246,
                                            0.796666477413626739591553936475830, 0.960289856497536231683560868569473};
constexpr std::array<double, 4> eight_weights{0.362683783378361982965150449277196, 0.313706645877887287337962201986601,
                                              0.222381034453374470544355994426241, 0.101228536290376259152531354309962};

template <class F>
double eight_points(F&& f, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double d = half * eight_nodes[k];
    sum += eight_weights[k] * (f(middle - d) + f(middle + d));
  }
  return half * sum;
}

/// ∫_a^b (1 - 6 q² + 8 q³ - 3 q⁴) dt with q² = h² + t².
double lucy_line(double h2, double a, double b) {
  const double length = b - a;
  // (b³ - a³)/3 and (b⁵ - a⁵)/5 over b - a, without the difference
  const double third = (a * a + a * b + b * b) / 3;
  const double fifth = (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
  const double square = h2 + third, fourth = h2 * h2 + 2 * h2 * third + fifth;
  const auto cube = [h2](double t) {
    const double q = std::sqrt(h2 + t * t), h = std::sqrt(h2);
    const double round = h2 > 0 ? std::asinh(t / h) : 0;  // times h⁴, so nothing is lost at h = 0
    return t * q * (0.25 * q * q + 0.375 * h2) + 0.375 * h2 * h2 * round;
  };
  return length * (1 - 6 * square - 3 * fourth) + 8 * (cube(b) - cube(a));
}

/// The line inside the support, in units of the width; false if it does not meet it.
bool inside(const Kernel& kernel, double h2, double t0, double t1, double& a, double& b) {
  const double room = kernel.reach() * kernel.reach() - h2;
  if (!(room > 0)) return false;
  const double end = std::sqrt(room);
  a = std::max(t0, -end);
  b = std::min(t1, end);
  return b > a;
}

}  // namespace

double along_line(const Kernel& kernel, double h2, double t0, double t1) {
  if (kernel.dim() == 0) return 1;
  const double length = t1 - t0;
  if (!(length > 1e-7 * kernel.reach())) {
    const double t = 0.5 * (t0 + t1);
    return kernel.value(h2 + t * t);
  }
  double a = 0, b = 0;
  if (!inside(kernel, h2, t0, t1, a, b)) return 0;
  if (kernel.kind() == KernelKind::heaviside) return kernel.constant() * (b - a) / length;
  const auto phi = [&](double t) { return kernel.value(h2 + t * t); };
  if (!(b - a > 1e-3 * kernel.reach())) return eight_points(phi, a, b) / length;
  const double w = kernel.width();
  switch (kernel.kind()) {
    case KernelKind::gauss: {
      const double scale = 1 / (std::numbers::sqrt2 * w);
      return kernel.constant() * std::exp(-0.5 * h2 / (w * w)) * w * std::sqrt(std::numbers::pi / 2) *
             (std::erf(b * scale) - std::erf(a * scale)) / length;
    }
    case KernelKind::lucy:
      return kernel.constant() * w * lucy_line(h2 / (w * w), a / w, b / w) / length;
    default:
      return integrate(phi, a, b, kernel.peak() * length, mollifier_apart) / length;
  }
}

double slope_along_line(const Kernel& kernel, double h2, double t0, double t1) {
  double a = 0, b = 0;
  if (kernel.dim() == 0 || !kernel.smooth() || !(t1 > t0) || !inside(kernel, h2, t0, t1, a, b)) return 0;
  double sum = 0;
  if (kernel.kind() == KernelKind::lucy) {
    // with q dq = t dt, ∫ -12 q (1 - q)² dq; a rule across the kink at q = 0 would be wrong in the tenth digit
    const double w = kernel.width();
    const auto whole = [&](double t) {
      const double q2 = (h2 + t * t) / (w * w), q = std::sqrt(q2);
      return q2 * (-6 + q * (8 - 3 * q));
    };
    sum = kernel.constant() * (whole(b) - whole(a));
  } else {
    sum = integrate([&](double t) { return t * kernel.slope(h2 + t * t); }, a, b, kernel.peak(), slope_apart);
  }
  // where a kernel ends in a step, the step counts
  const double edge = kernel.value(std::nextafter(kernel.reach() * kernel.reach(), 0.0));
  if (edge > 1e-12 * kernel.peak()) sum += (a > t0 ? edge : 0) - (b < t1 ? edge : 0);
  return sum;
}

}  // namespace scree::fields
