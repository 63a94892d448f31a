// SPDX-License-Identifier: BSD-3-Clause
/// Fields by their definitions: every grain and every contact asked at every point, kernels and what is inside of them
/// written down again (direct_kernel.hpp, direct_mass.hpp). Nothing here is shared with src/scree/fields but the names of
/// kernels, borders and domains.
#pragma once

#include <map>
#include <string>

#include "scree/analysis/frame.hpp"
#include "tests/fields/direct_mass.hpp"

namespace direct {

using scree::Frame;
using scree::fields::Border;

/// What a test may ask for.
struct Question {
  KernelKind kernel;
  double width;
  Border border = Border::none;
  Region domain;
  std::vector<int> axes;
  double measure = 1;
  Vec3 period{};
  double ahead = 0, speed = 0;  // of the image one period up, in a sheared box
  Vec3 gravity{};
  double damping = 0;
};

/// A place that fields are averaged over: one, or those of a ring. Vectors get components along axes turned by `angle`.
struct Sample {
  std::vector<double> x;  // along the axes of the question
  double angle = 0;
  double part = 1;        // of the kernel that is inside the domain
};

/// A grain's copy: itself, across a period, or behind a mirror.
struct Image {
  std::array<Vec3, 3> turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3 shift{};
  double boost = 0, handed = 1;
  Vec3 vector(const Vec3& v) const {
    Vec3 out{};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) out[a] += turn[a][b] * v[b];
    return out;
  }
  Vec3 place(const Vec3& x) const {
    Vec3 out = vector(x);
    for (std::size_t a = 0; a < 3; ++a) out[a] += shift[a];
    return out;
  }
};

inline std::vector<Image> images_of(const Question& q, std::size_t dim) {
  std::vector<Image> all;
  const auto seen = [&](std::size_t axis) { return std::find(q.axes.begin(), q.axes.end(), static_cast<int>(axis)) != q.axes.end(); };
  if (q.border == Border::mirror && q.domain.kind == Region::Kind::half_plane) {
    all.resize(2);
    const Vec3& n = q.domain.normal;
    bool crossed = false;
    for (std::size_t a = 0; a < 3; ++a) crossed = crossed || (seen(a) && n[a] != 0);
    if (!crossed) return {Image{}};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        all[1].turn[a][b] -= 2 * n[a] * n[b];
        all[1].shift[a] += 2 * n[a] * n[b] * q.domain.point[b];
      }
    all[1].handed = -1;
    return all;
  }
  if (q.border == Border::mirror) {
    // behind every side, and behind every corner the image of an image
    for (int code = 0; code < 27; ++code) {
      const int digits[3]{code % 3, code / 3 % 3, code / 9};
      Image one;
      bool there = true;
      for (std::size_t a = 0; a < 3; ++a) {
        if (digits[a] == 0) continue;
        there = there && a < dim && seen(a);
        one.turn[a][a] = -1;
        one.handed = -one.handed;
        one.shift[a] = 2 * (digits[a] == 1 ? q.domain.lo[a] : q.domain.hi[a]);
      }
      if (there) all.push_back(one);
    }
    return all;
  }
  const auto range = [&](std::size_t axis) { return axis < dim && q.period[axis] > 0 && seen(axis) ? 4 : 0; };
  const int wide = range(0) + (q.speed != 0 ? 3 : 0);
  for (int i = -wide; i <= wide; ++i)
    for (int j = -range(1); j <= range(1); ++j)
      for (int k = -range(2); k <= range(2); ++k) {
        Image one;
        one.shift = {i * q.period[0] + j * q.ahead, j * q.period[1], k * q.period[2]};
        one.boost = j * q.speed;
        all.push_back(one);
      }
  return all;
}

/// All fields by name, those of the balances among them, in the mean over the samples.
inline std::map<std::string, std::vector<double>> fields(const Frame& f, const Question& q, const std::vector<Sample>& samples) {
  const std::size_t D = static_cast<std::size_t>(f.dim), S = D == 2 ? 1 : 3, N = q.axes.size();
  const int d = static_cast<int>(N);
  const std::vector<Image> images = images_of(q, D);
  const auto vec = [&](const std::vector<double>& list, std::size_t k) {
    Vec3 v{};
    for (std::size_t a = 0; a < D; ++a) v[a] = list[k * D + a];
    return v;
  };
  const auto local = [](const Sample& s, const Vec3& v) {
    return Vec3{std::cos(s.angle) * v[0] + std::sin(s.angle) * v[1], -std::sin(s.angle) * v[0] + std::cos(s.angle) * v[1], v[2]};
  };
  const auto dot = [](const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const auto weight = [&](const Sample& s, const Vec3& at) {
    const double norm = s.part * q.measure * static_cast<double>(samples.size());
    if (N == 0) return 1 / norm;
    double r2 = 0;
    for (std::size_t k = 0; k < N; ++k) r2 += std::pow(s.x[k] - at[static_cast<std::size_t>(q.axes[k])], 2);
    return phi(q.kernel, d, q.width, std::sqrt(r2)) / norm;
  };
  // the derivative of the kernel's formula
  const auto gradient = [&](const Sample& s, const Vec3& at) {
    Vec3 y{};
    for (std::size_t k = 0; k < N; ++k) {
      const auto a = static_cast<std::size_t>(q.axes[k]);
      y[a] = s.x[k] - at[a];
    }
    const double w = q.width, u = std::sqrt(dot(y, y)) / w, p = weight(s, at);
    double slope = 0;
    if (N > 0 && p > 0 && q.kernel == KernelKind::gauss) slope = -p / (w * w);
    if (N > 0 && p > 0 && q.kernel == KernelKind::lucy) slope = -12 * p / (w * w) / ((1 + 3 * u) * (1 - u));
    if (N > 0 && p > 0 && q.kernel == KernelKind::mollifier) slope = -2 * p / (w * w) / std::pow(1 - u * u, 2);
    for (double& one : y) one *= slope;
    return local(s, y);
  };
  const auto path = [&](const Sample& s, const Vec3& from, const Vec3& b) {
    const double norm = s.part * q.measure * static_cast<double>(samples.size());
    if (N == 0) return 1 / norm;
    std::vector<double> y(N), along(N);
    for (std::size_t k = 0; k < N; ++k) {
      const auto a = static_cast<std::size_t>(q.axes[k]);
      y[k] = s.x[k] - from[a];
      along[k] = b[a];
    }
    return line(q.kernel, d, q.width, y, along) / norm;
  };
  const auto index = [&](std::int64_t id) {
    for (std::size_t i = 0; i < f.size(); ++i)
      if (f.id[i] == id) return i;
    return f.size();
  };

  std::map<std::string, std::vector<double>> out;
  const auto make = [&](const char* name, std::size_t n) -> std::vector<double>& { return out[name] = std::vector<double>(n, 0.0); };
  auto &nu = make("volume_density", 1), &rho = make("density", 1), &number = make("number_density", 1), &p = make("momentum", D),
       &V = make("velocity", D), &sc = make("contact_stress", D * D), &sk = make("kinetic_stress", D * D), &s = make("stress", D * D),
       &T = make("temperature", 1), &sd = make("spin_density", S), &sp = make("spin", S), &F = make("fabric", D * D),
       &Z = make("coordination", 1), &P = make("pressure", 1), &tau = make("shear_stress", 1), &L = make("velocity_gradient", D * D),
       &rate = make("shear_rate", 1), &I = make("inertial_number", 1), &mu = make("mu", 1), &wall = make("wall_force", D);
  auto &rho_t = make("density_rate", 1), &div_p = make("momentum_divergence", 1), &mass_left = make("continuity_residual", 1),
       &p_t = make("momentum_rate", D), &flux = make("flux_divergence", D), &div_s = make("stress_divergence", D), &body = make("body_force", D),
       &left = make("momentum_residual", D);

  // grains, with all that contacts do to them
  struct Term {
    double w, m;
    Vec3 gradient, v;
  };
  std::vector<Term> terms;
  double inertia = 0, z = 0, radii = 0;
  Vec3 grad_rho{};
  std::vector<double> grad_p(D * D, 0.0);
  for (const Sample& sample : samples)
    for (const Image& image : images)
      for (std::size_t i = 0; i < f.size(); ++i) {
        if (f.held[i]) continue;
        const Vec3 at = image.place(vec(f.x, i)), g = gradient(sample, at);
        const double w = weight(sample, at), r = f.radius[i], m = f.mass[i];
        const double volume = D == 2 ? pi * r * r : 4.0 / 3 * pi * r * r * r;
        Vec3 moving = image.vector(vec(f.v, i));
        moving[0] += image.boost;
        const Vec3 v = local(sample, moving);
        terms.push_back({w, m, g, v});
        nu[0] += volume * w, rho[0] += m * w, number[0] += w, radii += r * w, inertia += f.inertia[i] * w;
        Vec3 turning{};
        if (S == 1) turning[0] = image.handed * f.w[i];
        else {
          turning = local(sample, image.vector(vec(f.w, i)));
          for (double& one : turning) one *= image.handed;
        }
        for (std::size_t a = 0; a < S; ++a) sd[a] += f.inertia[i] * turning[a] * w;
        Vec3 force{}, pull = vec(f.v, i);
        for (std::size_t a = 0; a < D; ++a) pull[a] = m * (q.gravity[a] - q.damping * pull[a]);
        for (std::size_t k = 0; k < f.contacts.size(); ++k) {
          const bool first = f.contacts.id1[k] == f.id[i];
          if (!first && f.contacts.id2[k] != f.id[i]) continue;
          for (std::size_t a = 0; a < D; ++a) force[a] += (first ? 1 : -1) * f.contacts.force[k * D + a];
          z += w;
          const Vec3 n = local(sample, image.vector(vec(f.contacts.branch, k)));
          for (std::size_t a = 0; a < D; ++a)
            for (std::size_t b = 0; b < D; ++b) F[D * a + b] += volume * n[a] * n[b] / dot(n, n) * w;
        }
        force = local(sample, image.vector(force));
        pull = local(sample, image.vector(pull));
        rho_t[0] -= m * dot(v, g);
        for (std::size_t a = 0; a < D; ++a) {
          p[a] += m * v[a] * w;
          grad_rho[a] += m * g[a];
          for (std::size_t b = 0; b < D; ++b) grad_p[D * a + b] += m * v[a] * g[b];
          p_t[a] += (force[a] + pull[a]) * w - m * v[a] * dot(v, g);
          flux[a] += m * v[a] * dot(v, g);  // of all of Σ m v v phi, so far
          body[a] += pull[a] * w;
        }
      }
  for (std::size_t a = 0; a < D; ++a) V[a] = p[a] / rho[0];
  for (std::size_t a = 0; a < S; ++a) sp[a] = sd[a] / inertia;
  Z[0] = z / number[0];
  for (const Term& one : terms) {
    Vec3 u = one.v;
    for (std::size_t a = 0; a < D; ++a) u[a] -= V[a];
    for (std::size_t a = 0; a < D; ++a) {
      for (std::size_t b = 0; b < D; ++b) sk[D * a + b] -= one.m * u[a] * u[b] * one.w;
      // div s^k = -Σ m v' v'.grad phi, since Σ m v' phi = 0
      const double share = -one.m * u[a] * dot(u, one.gradient);
      div_s[a] += share;
      flux[a] += share;  // rho V V = Σ m v v phi + s^k
    }
  }

  // contacts
  for (const Sample& sample : samples)
    for (const Image& image : images)
      for (std::size_t k = 0; k < f.contacts.size(); ++k) {
        const std::size_t i = index(f.contacts.id1[k]), j = f.contacts.id2[k] < 0 ? f.size() : index(f.contacts.id2[k]);
        const bool held_i = f.held[i] != 0, is_wall = j == f.size(), held_j = !is_wall && f.held[j] != 0;
        if (held_i && (is_wall || held_j)) continue;
        Vec3 from = vec(f.x, i), b = vec(f.contacts.branch, k), force = vec(f.contacts.force, k);
        const Vec3 point = vec(f.contacts.point, k);
        if (q.border == Border::wall && (is_wall || held_i || held_j)) {
          // the line goes from the grain that is free to the contact point, and the force there is that on it
          if (held_i)
            for (std::size_t a = 0; a < D; ++a) from[a] += b[a], force[a] = -force[a];
          for (std::size_t a = 0; a < D; ++a) b[a] = point[a] - from[a];
          const Vec3 push = local(sample, image.vector(force));
          for (std::size_t a = 0; a < D; ++a) wall[a] += push[a] * weight(sample, image.place(point));
        }
        Vec3 to = from;
        for (std::size_t a = 0; a < D; ++a) to[a] += b[a];
        const double w = path(sample, image.place(from), image.vector(b));
        const double ends = weight(sample, image.place(from)) - weight(sample, image.place(to));  // ∫ b.grad phi ds
        force = local(sample, image.vector(force));
        b = local(sample, image.vector(b));
        for (std::size_t a = 0; a < D; ++a) {
          for (std::size_t c = 0; c < D; ++c) sc[D * a + c] += force[a] * b[c] * w;
          div_s[a] += force[a] * ends;
        }
      }

  double trace = 0, heat = 0, tl = 0;
  for (std::size_t a = 0; a < D * D; ++a) s[a] = sc[a] + sk[a];
  for (std::size_t a = 0; a < D; ++a) {
    trace += s[D * a + a], heat -= sk[D * a + a], div_p[0] += grad_p[D * a + a];
    for (std::size_t b = 0; b < D; ++b) L[D * a + b] = (grad_p[D * a + b] - V[a] * grad_rho[b]) / rho[0];
    tl += L[D * a + a];
    left[a] = p_t[a] + flux[a] - div_s[a] - body[a] - wall[a];
  }
  mass_left[0] = rho_t[0] + div_p[0];
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
