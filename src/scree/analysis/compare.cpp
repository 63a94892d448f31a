// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/compare.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scree/core/errors.hpp"

namespace scree {

namespace {

/// Component i of x_a - x_b, low words included.
double difference(const Frame& a, const Frame& b, std::size_t i) {
  double d = a.x[i] - b.x[i];
  if (!a.x_lo.empty()) d += a.x_lo[i];
  if (!b.x_lo.empty()) d -= b.x_lo[i];
  return d;
}

std::size_t nearest(const std::vector<double>& sorted, double t) {
  const auto after = std::lower_bound(sorted.begin(), sorted.end(), t);
  if (after == sorted.begin()) return 0;
  if (after == sorted.end() || t - *(after - 1) <= *after - t)
    return static_cast<std::size_t>(after - sorted.begin()) - 1;
  return static_cast<std::size_t>(after - sorted.begin());
}

double default_tolerance(const std::vector<double>& times) {
  if (times.size() < 2) return times.empty() ? 0 : 1e-9 * std::abs(times.front());
  return 1e-6 * (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

}  // namespace

DistanceRow frame_distance(const Frame& a, const Frame& b, const std::vector<double>& period) {
  if (a.dim != b.dim) throw InputError("compare: one run is in the plane, the other in space");
  if (a.id != b.id)
    throw InputError(fmt::format("compare: the runs have different grains at time {} ({} and {})",
                                 a.time, a.size(), b.size()));
  const auto dim = static_cast<std::size_t>(a.dim);
  DistanceRow row{.time = a.time};
  double sum = 0, radii = 0;
  std::size_t free = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool held = (!a.held.empty() && a.held[i] != 0) || (!b.held.empty() && b.held[i] != 0);
    if (held) continue;
    double square = 0;
    for (std::size_t k = 0; k < dim; ++k) {
      double d = difference(a, b, i * dim + k);
      if (k < period.size() && period[k] > 0) d -= period[k] * std::round(d / period[k]);
      square += d * d;
    }
    const double distance = std::sqrt(square);
    sum += distance;
    radii += a.radius[i];
    ++free;
    if (row.farthest < 0 || distance > row.largest) {
      row.largest = distance;
      row.farthest = a.id[i];
    }
  }
  if (free == 0) return row;
  row.mean = sum / radii;  // both are sums over the same grains
  row.largest /= radii / static_cast<double>(free);
  return row;
}

std::vector<DistanceRow> compare(const Trajectory& a, const Trajectory& b, double tolerance) {
  if (a.dim != b.dim)
    throw InputError(
        fmt::format("compare: {} has dimension {}, {} has {}", a.name, a.dim, b.name, b.dim));
  const auto period_of = [](const Trajectory& t) {
    std::vector<double> p = t.period;
    p.resize(static_cast<std::size_t>(t.dim), 0.0);
    return p;
  };
  const std::vector<double> period = period_of(a);
  if (period != period_of(b))
    throw InputError(fmt::format("compare: {} and {} have different periods", a.name, b.name));
  if (a.times.empty() || b.times.empty())
    throw InputError(fmt::format("compare: {} has no frames", a.times.empty() ? a.name : b.name));
  if (tolerance < 0) tolerance = std::max(default_tolerance(a.times), default_tolerance(b.times));

  std::vector<DistanceRow> rows;
  double closest = std::abs(a.times[0] - b.times[nearest(b.times, a.times[0])]);
  for (std::size_t i = 0; i < a.times.size(); ++i) {
    const std::size_t j = nearest(b.times, a.times[i]);
    const double apart = std::abs(a.times[i] - b.times[j]);
    closest = std::min(closest, apart);
    // Each frame of b once: the nearest of a.
    if (apart > tolerance || nearest(a.times, b.times[j]) != i) continue;
    try {
      rows.push_back(frame_distance(a.frame(i), b.frame(j), period));
    } catch (const InputError& e) {
      throw InputError(fmt::format("{} ({}, {})", e.what(), a.name, b.name));
    }
  }
  if (rows.empty())
    throw InputError(fmt::format(
        "compare: {} and {} have no common times (closest: {:.3g} s apart, allowed {:.3g} s)",
        a.name, b.name, closest, tolerance));
  return rows;
}

}  // namespace scree
