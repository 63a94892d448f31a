// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/front_transient.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

double transient_time(const Front& f, double bead) {
  const double part = 1 - 1 / f.a;
  return part * f.scale / 2 * bead;  // the scale of a place is part/(γ c)
}

Transient fit_transient(const Front& f) {
  std::vector<std::pair<double, double>> points;
  for (const Front::Reached& one : f.course) {
    if (one.bead < 0.49 * f.course.back().bead) continue;
    const double tau = transient_time(f, one.bead);
    points.emplace_back(std::pow(tau, -1.5) * std::exp(-tau / 4), one.sup);
  }
  if (points.size() < 3) return {NAN, NAN, NAN};
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [u, v] : points) x += u / double(points.size()), y += v / double(points.size());
  for (const auto& [u, v] : points) xx += (u - x) * (u - x), xy += (u - x) * (v - y);
  Transient t{y - xy / xx * x, xy / xx, 0};
  for (const auto& [u, v] : points) t.within = std::max(t.within, std::abs(t.limit + t.amplitude * u - v));
  return t;
}

std::optional<double> bead_of(const Front& f, double level) {
  for (std::size_t k = 0; k + 1 < f.course.size(); ++k) {
    const auto &a = f.course[k], &b = f.course[k + 1];
    if (!(a.sup > level && b.sup <= level)) continue;
    return a.bead * std::pow(b.bead / a.bead, std::log(a.sup / level) / std::log(a.sup / b.sup));
  }
  return std::nullopt;
}

}  // namespace scree
