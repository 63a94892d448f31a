// SPDX-License-Identifier: BSD-3-Clause
/// The part of a kernel that is inside a domain: in the plane in stripes, in space in shells. The library goes round in
/// circles and cuts space into slices.
#pragma once

#include <utility>

#include "tests/fields/direct_kernel.hpp"

namespace direct {

using scree::fields::Region;

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

/// The solid angle under which shells about x are inside a domain, at the nodes of a quadrature over their radii up to R. It does
/// not know of a kernel: one table serves all that reach as far.
struct Shells {
  std::vector<double> r, weight;  // weight: r² Ω(r) dr
  double mass(KernelKind kind, double w) const {
    double sum = 0;
    for (std::size_t k = 0; k < r.size(); ++k) sum += weight[k] * phi(kind, 3, w, r[k]);
    return sum;
  }
};

inline bool holds(const Region& region, const Vec3& x) {
  const double r = std::hypot(x[0] - region.centre[0], x[1] - region.centre[1]);
  double d = 0;
  bool within = true;
  for (std::size_t k = 0; k < 3; ++k) {
    d += (x[k] - region.point[k]) * region.normal[k];
    within = within && x[k] > region.lo[k] && x[k] < region.hi[k];
  }
  switch (region.kind) {
    case Region::Kind::none: return true;
    case Region::Kind::disc: return r < region.outer;
    case Region::Kind::annulus: return r < region.outer && r > region.inner;
    case Region::Kind::box: return within;
    case Region::Kind::half_plane: return d > 0;
  }
  return false;
}

/// The angle of the circle of radius s about (x, y) at the height z that is inside: all crossings with borders, then arc by arc.
inline double arc_inside(const Region& region, const Vec3& x, double s, double z) {
  std::vector<double> turns{0, 2 * pi};
  const auto line = [&](double nx, double ny, double d) {  // nx X + ny Y = d, seen from the middle of the circle
    const double n = std::hypot(nx, ny), rest = d - nx * x[0] - ny * x[1];
    if (!(n > 0) || !(std::abs(rest) < n * s)) return;
    const double middle = std::atan2(ny, nx), half = std::acos(rest / (n * s));
    turns.push_back(middle + half), turns.push_back(middle - half);
  };
  const auto circle = [&](double R) {
    // |x + s e - c| = R: a line across the circle
    const double dx = x[0] - region.centre[0], dy = x[1] - region.centre[1];
    if (R > 0) line(dx, dy, (R * R - s * s - dx * dx - dy * dy) / 2 + dx * x[0] + dy * x[1]);
  };
  switch (region.kind) {
    case Region::Kind::none: return 2 * pi;
    case Region::Kind::disc:
    case Region::Kind::annulus: circle(region.inner), circle(region.outer); break;
    case Region::Kind::box: 
      for (const std::size_t k : {0u, 1u}) line(k == 0, k == 1, region.lo[k]), line(k == 0, k == 1, region.hi[k]);
      break;
    case Region::Kind::half_plane: {
      double d = -(x[2] + z) * region.normal[2];
      for (std::size_t k = 0; k < 3; ++k) d += region.point[k] * region.normal[k];
      line(region.normal[0], region.normal[1], d);
      break;
    }
  }
  for (double& turn : turns)
    if (turn != 2 * pi) turn -= 2 * pi * std::floor(turn / (2 * pi));
  std::sort(turns.begin(), turns.end());
  double sum = 0;
  for (std::size_t k = 1; k < turns.size(); ++k) {
    const double middle = 0.5 * (turns[k - 1] + turns[k]);
    if (holds(region, {x[0] + s * std::cos(middle), x[1] + s * std::sin(middle), x[2] + z})) sum += turns[k] - turns[k - 1];
  }
  return sum;
}

inline Shells shells(const Region& region, const Vec3& x, double R) {
  // where a circle in a plane of constant z begins to meet a border, or meets a corner
  std::vector<double> flat;
  if (region.kind == Region::Kind::disc || region.kind == Region::Kind::annulus) {
    const double c = std::hypot(x[0] - region.centre[0], x[1] - region.centre[1]);
    for (const double rr : {region.inner, region.outer}) flat.push_back(std::abs(rr - c)), flat.push_back(rr + c);
  } else if (region.kind == Region::Kind::box) {
    for (const double dx : {region.lo[0] - x[0], region.hi[0] - x[0]}) {
      flat.push_back(std::abs(dx));
      for (const double dy : {region.lo[1] - x[1], region.hi[1] - x[1]}) flat.push_back(std::hypot(dx, dy)), flat.push_back(std::abs(dy));
    }
  }
  std::vector<double> sides;  // along z
  if (region.kind == Region::Kind::box) sides = {region.lo[2] - x[2], region.hi[2] - x[2]};
  std::vector<double> radii{0, R};
  const auto cut = [&](double r) {
    if (r > 0 && r < R) radii.push_back(r);
  };
  for (const double s : flat) {
    cut(s);
    for (const double z : sides) cut(std::hypot(s, z));
  }
  for (const double z : sides) cut(std::abs(z));
  double away = 0;  // of a plane
  if (region.kind == Region::Kind::half_plane)
    for (std::size_t k = 0; k < 3; ++k) away += (x[k] - region.point[k]) * region.normal[k];
  cut(std::abs(away));
  std::sort(radii.begin(), radii.end());
  const auto solid = [&](double r) {
    std::vector<double> heights{-r, r};
    for (const double s : flat)
      if (s < r) heights.push_back(std::sqrt(r * r - s * s)), heights.push_back(-std::sqrt(r * r - s * s));
    for (const double z : sides)
      if (std::abs(z) < r) heights.push_back(z);
    if (region.kind == Region::Kind::half_plane && std::abs(away) < r) {
      // a circle at height z touches the plane where away + n_z z = ± √(1 - n_z²) √(r² - z²)
      const double nz = region.normal[2], flat2 = 1 - nz * nz, root = std::sqrt(flat2 * (r * r - away * away));
      heights.push_back(-away * nz + root), heights.push_back(-away * nz - root);
    }
    std::sort(heights.begin(), heights.end());
    double sum = 0;
    for (std::size_t k = 1; k < heights.size(); ++k)
      sum += tanh_sinh([&](double z) { return arc_inside(region, x, std::sqrt(std::max(0.0, r * r - z * z)), z); }, heights[k - 1], heights[k], 1.0 / 12);
    return sum / r;
  };
  Shells all;
  for (std::size_t k = 1; k < radii.size(); ++k)
    for (const Node& node : tanh_sinh_nodes(radii[k - 1], radii[k], 1.0 / 24)) {
      if (!(node.x > 0)) continue;
      all.r.push_back(std::min(node.x, R * (1 - 1e-16)));
      all.weight.push_back(node.weight * node.x * node.x * solid(node.x));
    }
  return all;
}

}  // namespace direct
