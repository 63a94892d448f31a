// SPDX-License-Identifier: BSD-3-Clause
/// Fields by their definitions: every grain and every contact asked at every point, kernels written down again, line
/// integrals and kernel masses by double exponential quadrature. Nothing here is shared with src/scree/fields.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/fields/settings.hpp"

namespace direct {

using scree::Frame;
using scree::fields::Border;
using scree::fields::KernelKind;
using scree::fields::Region;
using Vec3 = std::array<double, 3>;
inline constexpr double pi = std::numbers::pi;

/// ∫_a^b f by x = tanh(pi/2 sinh u) (Takahasi and Mori 1974); roots and steep ends do no harm.
inline double tanh_sinh(const std::function<double(double)>& f, double a, double b, double h = 1.0 / 32) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  if (!(half > 0)) return 0;
  double sum = 0;
  for (int k = -static_cast<int>(3.4 / h); k <= static_cast<int>(3.4 / h); ++k) {
    const double u = h * k, s = 0.5 * pi * std::sinh(u), c = std::cosh(s);
    sum += f(middle + half * std::tanh(s)) * 0.5 * pi * std::cosh(u) / (c * c);
  }
  return half * h * sum;
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

/// The part of the kernel inside a region, in stripes along the last axis (the library goes round in circles).
inline double inside(KernelKind kind, int d, double w, const Region& region, const std::vector<int>& axes, const std::vector<double>& x) {
  const double R = reach(kind, w);
  const auto stripe = [&](double u, double z2, std::vector<std::pair<double, double>>& parts) {
    // the pieces of the stripe at x0 + u that are inside, as distances from the point
    const double edge = R * R - u * u - z2;
    if (!(edge > 0)) return;
    const double end = std::sqrt(edge);
    const auto clip = [&](double lo, double hi) {
      lo = std::max(lo, -end), hi = std::min(hi, end);
      if (hi > lo) parts.push_back({lo, hi});
    };
    const std::size_t a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
    if (region.kind == Region::Kind::box) {
      if (x[0] + u > region.lo[a] && x[0] + u < region.hi[a]) clip(region.lo[b] - x[1], region.hi[b] - x[1]);
    } else if (region.kind == Region::Kind::half_plane) {
      // n_a (x0 + u - p_a) + n_b (x1 + v - p_b) > 0
      const double rest = region.normal[a] * (x[0] + u - region.point[a]) + region.normal[b] * (x[1] - region.point[b]);
      if (region.normal[b] > 0) clip(-rest / region.normal[b], 1e9);
      else if (region.normal[b] < 0) clip(-1e9, -rest / region.normal[b]);
      else if (rest > 0) clip(-1e9, 1e9);
    } else {
      const double s = x[0] + u - region.centre[0], c = region.centre[1] - x[1];
      const double o2 = region.outer * region.outer - s * s, i2 = region.inner * region.inner - s * s;
      if (!(o2 > 0)) return;
      const double o = std::sqrt(o2), i = i2 > 0 ? std::sqrt(i2) : 0;
      clip(c - o, c - i);
      clip(c + i, c + o);
    }
  };
  if (d == 1) {
    const auto a = static_cast<std::size_t>(axes[0]);
    double lo = region.kind == Region::Kind::half_plane ? (region.normal[a] > 0 ? region.point[a] : -1e9) : region.lo[a];
    double hi = region.kind == Region::Kind::half_plane ? (region.normal[a] > 0 ? 1e9 : region.point[a]) : region.hi[a];
    lo = std::clamp(lo - x[0], -R, R), hi = std::clamp(hi - x[0], -R, R);
    const auto f = [&](double t) { return phi(kind, 1, w, std::min(std::abs(t), R * (1 - 1e-16))); };
    const double middle = std::clamp(0.0, lo, hi);
    return tanh_sinh(f, lo, middle) + tanh_sinh(f, middle, hi);
  }
  const auto plane = [&](double z2) {
    const double half = std::sqrt(std::max(0.0, R * R - z2));
    const auto across = [&](double u) {
      std::vector<std::pair<double, double>> parts;
      stripe(u, z2, parts);
      double sum = 0;
      for (const auto& [lo, hi] : parts) {
        const double middle = std::clamp(0.0, lo, hi);
        const auto f = [&](double v) { return phi(kind, d, w, std::min(std::sqrt(u * u + v * v + z2), R * (1 - 1e-16))); };
        sum += tanh_sinh(f, lo, middle, 1.0 / 16) + tanh_sinh(f, middle, hi, 1.0 / 16);
      }
      return sum;
    };
    // stripes end where the region begins or bends
    std::vector<double> cuts{-half, 0, half};
    if (region.kind == Region::Kind::box) {
      const auto a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
      for (const double side : {region.lo[a] - x[0], region.hi[a] - x[0]}) cuts.push_back(side);
      for (const double v : {region.lo[b] - x[1], region.hi[b] - x[1]})
        if (std::abs(v) < half)
          for (const double s : {-1.0, 1.0}) cuts.push_back(s * std::sqrt(half * half - v * v));
    } else if (region.kind == Region::Kind::half_plane) {
      const auto a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
      const double n = std::hypot(region.normal[a], region.normal[b]);
      const double dist = (region.normal[a] * (x[0] - region.point[a]) + region.normal[b] * (x[1] - region.point[b])) / n;
      if (std::abs(dist) < half) {
        const double along = std::sqrt(half * half - dist * dist);
        for (const double s : {-1.0, 1.0}) cuts.push_back(-dist * region.normal[a] / n + s * along * region.normal[b] / n);
        if (region.normal[b] != 0 && region.normal[a] != 0) cuts.push_back(-dist * n / region.normal[a]);
        if (region.normal[b] == 0) cuts.push_back(-dist / region.normal[a]);
      }
    } else {
      const double cx = region.centre[0] - x[0], cy = region.centre[1] - x[1], c = std::hypot(cx, cy);
      for (const double rr : {region.inner, region.outer}) {
        cuts.push_back(cx - rr), cuts.push_back(cx + rr);
        // where the two circles meet, and where the ring crosses the line v = 0
        const double t = c > 0 ? (c * c + half * half - rr * rr) / (2 * c) : 1e9;
        if (std::abs(t) < half)
          for (const double s : {-1.0, 1.0}) cuts.push_back((cx * t + s * -cy * std::sqrt(half * half - t * t)) / c);
        if (rr > std::abs(cy))
          for (const double s : {-1.0, 1.0}) cuts.push_back(cx + s * std::sqrt(rr * rr - cy * cy));
      }
    }
    for (double& one : cuts) one = std::clamp(one, -half, half);
    std::sort(cuts.begin(), cuts.end());
    double sum = 0;
    for (std::size_t k = 1; k < cuts.size(); ++k) sum += tanh_sinh(across, cuts[k - 1], cuts[k], 1.0 / 16);
    return sum;
  };
  return plane(0);
}

/// What a test may ask for.
struct Question {
  KernelKind kernel;
  double width;
  Border border = Border::none;
  Region domain;
  std::vector<int> axes;
  double measure = 1;
  std::array<double, 3> period{};
  double ahead = 0, speed = 0;  // of the image one period up, in a sheared box
  std::array<double, 3> gravity{};
};

/// All fields at x (components along the axes) by name, in Cartesian components.
inline std::map<std::string, std::vector<double>> fields(const Frame& f, const Question& q, const std::vector<double>& x) {
  const std::size_t D = static_cast<std::size_t>(f.dim), S = D == 2 ? 1 : 3, N = q.axes.size();
  const int d = static_cast<int>(N);
  struct Image {
    Vec3 shift{};
    double boost = 0;
  };
  std::vector<Image> images;
  const auto range = [&](std::size_t axis) {
    const bool seen = std::find(q.axes.begin(), q.axes.end(), static_cast<int>(axis)) != q.axes.end();
    return axis < D && q.period[axis] > 0 && seen ? 4 : 0;
  };
  for (int i = -range(0) - (q.speed != 0 ? 3 : 0); i <= range(0) + (q.speed != 0 ? 3 : 0); ++i)
    for (int j = -range(1); j <= range(1); ++j)
      for (int k = -range(2); k <= range(2); ++k)
        images.push_back({{i * q.period[0] + j * q.ahead, j * q.period[1], k * q.period[2]}, j * q.speed});
  const double norm = (q.border == Border::normalised && N > 0 ? inside(q.kernel, d, q.width, q.domain, q.axes, x) : 1) * q.measure;
  const auto weight = [&](const Vec3& at) {
    if (N == 0) return 1 / norm;
    double r2 = 0;
    for (std::size_t k = 0; k < N; ++k) r2 += std::pow(x[k] - at[static_cast<std::size_t>(q.axes[k])], 2);
    return phi(q.kernel, d, q.width, std::sqrt(r2)) / norm;
  };
  const auto path = [&](const Vec3& from, const Vec3& b) {
    if (N == 0) return 1 / norm;
    std::vector<double> y(N), along(N);
    for (std::size_t k = 0; k < N; ++k) {
      const auto a = static_cast<std::size_t>(q.axes[k]);
      y[k] = x[k] - from[a];
      along[k] = b[a];
    }
    return line(q.kernel, d, q.width, y, along) / norm;
  };
  // a slope of the kernel by the derivative of its formula, sixth order differences would cost digits
  const auto slope = [&](const Vec3& at, std::size_t axis) {
    if (N == 0) return 0.0;
    double r2 = 0, y = 0;
    for (std::size_t k = 0; k < N; ++k) {
      const auto a = static_cast<std::size_t>(q.axes[k]);
      r2 += std::pow(x[k] - at[a], 2);
      if (a == axis) y = x[k] - at[a];
    }
    const double r = std::sqrt(r2), w = q.width, s = r / w;
    const double p = phi(q.kernel, d, w, r) / norm;
    if (p == 0 || q.kernel == KernelKind::heaviside) return 0.0;
    if (q.kernel == KernelKind::gauss) return -y / (w * w) * p;
    if (q.kernel == KernelKind::lucy) return -12 * y / (w * w) * p / ((1 + 3 * s) * (1 - s));
    return -2 * y / (w * w) / std::pow(1 - s * s, 2) * p;
  };
  const auto vec = [&](const std::vector<double>& list, std::size_t k) {
    Vec3 v{};
    for (std::size_t a = 0; a < D; ++a) v[a] = list[k * D + a];
    return v;
  };
  const auto plus = [](Vec3 a, const Vec3& b) {
    for (std::size_t k = 0; k < 3; ++k) a[k] += b[k];
    return a;
  };
  std::map<std::string, std::vector<double>> out;
  const auto make = [&](const char* name, std::size_t n) -> std::vector<double>& { return out[name] = std::vector<double>(n, 0.0); };
  auto &nu = make("volume_density", 1), &rho = make("density", 1), &number = make("number_density", 1), &p = make("momentum", D),
       &V = make("velocity", D), &sc = make("contact_stress", D * D), &sk = make("kinetic_stress", D * D), &s = make("stress", D * D),
       &T = make("temperature", 1), &sd = make("spin_density", S), &sp = make("spin", S), &F = make("fabric", D * D),
       &Z = make("coordination", 1), &P = make("pressure", 1), &tau = make("shear_stress", 1), &L = make("velocity_gradient", D * D),
       &rate = make("shear_rate", 1), &I = make("inertial_number", 1), &mu = make("mu", 1), &wall = make("wall_force", D);
  double inertia = 0, z = 0, radii = 0;
  std::vector<double> grad_rho(D, 0.0), grad_p(D * D, 0.0);
  for (const Image& image : images)
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f.held[i]) continue;
      const Vec3 at = plus(vec(f.x, i), image.shift);
      const double w = weight(at), r = f.radius[i], m = f.mass[i];
      const double volume = D == 2 ? pi * r * r : 4.0 / 3 * pi * r * r * r;
      Vec3 v = vec(f.v, i);
      v[0] += image.boost;
      nu[0] += volume * w, rho[0] += m * w, number[0] += w, radii += r * w, inertia += f.inertia[i] * w;
      for (std::size_t a = 0; a < D; ++a) p[a] += m * v[a] * w;
      for (std::size_t a = 0; a < S; ++a) sd[a] += f.inertia[i] * f.w[i * S + a] * w;
      for (std::size_t b = 0; b < D; ++b) {
        const double g = slope(at, b);
        grad_rho[b] += m * g;
        for (std::size_t a = 0; a < D; ++a) grad_p[D * a + b] += m * v[a] * g;
      }
      for (std::size_t k = 0; k < f.contacts.size(); ++k) {
        if (f.contacts.id1[k] != f.id[i] && f.contacts.id2[k] != f.id[i]) continue;
        z += w;
        const Vec3 n = vec(f.contacts.branch, k);
        const double l2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        for (std::size_t a = 0; a < D; ++a)
          for (std::size_t b = 0; b < D; ++b) F[D * a + b] += volume * n[a] * n[b] / l2 * w;
      }
    }
  for (std::size_t a = 0; a < D; ++a) V[a] = p[a] / rho[0];
  for (std::size_t a = 0; a < S; ++a) sp[a] = sd[a] / inertia;
  Z[0] = z / number[0];
  for (const Image& image : images) {
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f.held[i]) continue;
      const double w = weight(plus(vec(f.x, i), image.shift));
      Vec3 v = vec(f.v, i);
      v[0] += image.boost;
      for (std::size_t a = 0; a < D; ++a)
        for (std::size_t b = 0; b < D; ++b) sk[D * a + b] -= f.mass[i] * (v[a] - V[a]) * (v[b] - V[b]) * w;
    }
    const auto index = [&](std::int64_t id) {
      for (std::size_t i = 0; i < f.size(); ++i)
        if (f.id[i] == id) return i;
      return f.size();
    };
    for (std::size_t k = 0; k < f.contacts.size(); ++k) {
      const std::size_t i = index(f.contacts.id1[k]), j = f.contacts.id2[k] < 0 ? f.size() : index(f.contacts.id2[k]);
      const bool held_i = f.held[i] != 0, is_wall = j == f.size(), held_j = !is_wall && f.held[j] != 0;
      if (held_i && (is_wall || held_j)) continue;
      Vec3 from = vec(f.x, i), b = vec(f.contacts.branch, k), force = vec(f.contacts.force, k);
      const Vec3 point = vec(f.contacts.point, k);
      const bool cut = q.border == Border::wall && (is_wall || held_i || held_j);
      if (cut) {
        // the line goes from the grain that is free to the contact point, and the force there is that on it
        if (held_i) {
          for (std::size_t a = 0; a < D; ++a) from[a] += b[a], force[a] = -force[a];
        }
        for (std::size_t a = 0; a < D; ++a) b[a] = point[a] - from[a];
        const double w = weight(plus(point, image.shift));
        for (std::size_t a = 0; a < D; ++a) wall[a] += force[a] * w;
      }
      const double w = path(plus(from, image.shift), b);
      for (std::size_t a = 0; a < D; ++a)
        for (std::size_t c = 0; c < D; ++c) sc[D * a + c] += force[a] * b[c] * w;
    }
  }
  double trace = 0, heat = 0, tl = 0;
  for (std::size_t a = 0; a < D * D; ++a) s[a] = sc[a] + sk[a];
  for (std::size_t a = 0; a < D; ++a) {
    trace += s[D * a + a], heat -= sk[D * a + a];
    for (std::size_t b = 0; b < D; ++b) L[D * a + b] = (grad_p[D * a + b] - V[a] * grad_rho[b]) / rho[0];
    tl += L[D * a + a];
  }
  const double n = static_cast<double>(D);
  T[0] = heat / (n * rho[0]);
  P[0] = -trace / n;
  double t2 = 0, d2 = 0;
  for (std::size_t a = 0; a < D; ++a)
    for (std::size_t b = 0; b < D; ++b) {
      const double e = a == b ? 1 : 0;
      t2 += std::pow((s[D * a + b] + s[D * b + a]) / 2 - e * trace / n, 2);
      d2 += std::pow((L[D * a + b] + L[D * b + a]) / 2 - e * tl / n, 2);
    }
  tau[0] = std::sqrt(t2 / 2);
  rate[0] = std::sqrt(2 * d2);
  mu[0] = tau[0] / P[0];
  I[0] = rate[0] * 2 * radii / number[0] * std::sqrt(rho[0] / nu[0] / P[0]);
  return out;
}

}  // namespace direct
