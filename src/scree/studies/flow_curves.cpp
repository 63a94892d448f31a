// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/flow_curves.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/random.hpp"

namespace scree {
namespace {

struct Means {
  double at_equal_inertial = 0, at_equal_radius = 0, log_ratio = 0, lo = 0, hi = 0;
  std::size_t rings = 0, common = 0;
};

Means means_of(const FlowCurve& slow, const FlowCurve& fast, std::size_t first, std::size_t last_slow, std::size_t last_fast) {
  Means m;
  // the faster curve by rising I
  std::vector<std::pair<double, double>> line;
  for (std::size_t k = first; k < last_fast; ++k)
    if (fast.inertial[k] > 0) line.emplace_back(std::log(fast.inertial[k]), fast.mu[k]);
  std::sort(line.begin(), line.end());
  for (std::size_t k = first; k < last_slow; ++k) {
    const double at = std::log(slow.inertial[k]);
    if (line.size() < 2 || !(at >= line.front().first && at <= line.back().first)) continue;
    std::size_t j = 1;
    while (line[j].first < at) ++j;
    const double part = (at - line[j - 1].first) / std::max(line[j].first - line[j - 1].first, 1e-300);
    m.at_equal_inertial += (1 - part) * line[j - 1].second + part * line[j].second - slow.mu[k];
    m.lo = m.rings == 0 ? slow.inertial[k] : std::min(m.lo, slow.inertial[k]);
    m.hi = std::max(m.hi, slow.inertial[k]);
    ++m.rings;
  }
  for (std::size_t k = first; k < std::min(last_slow, last_fast); ++k) {
    m.at_equal_radius += fast.mu[k] - slow.mu[k];
    m.log_ratio += std::log(fast.inertial[k] / slow.inertial[k]);
    ++m.common;
  }
  m.at_equal_inertial /= static_cast<double>(std::max<std::size_t>(m.rings, 1));
  m.at_equal_radius /= static_cast<double>(std::max<std::size_t>(m.common, 1));
  m.log_ratio /= static_cast<double>(std::max<std::size_t>(m.common, 1));
  return m;
}

}  // namespace

std::vector<double> drawn(std::size_t n, std::uint64_t seed, std::uint32_t stream, std::uint32_t draw) {
  std::vector<double> weight(n);
  Random random(seed, stream, draw);
  for (std::size_t k = 0; k < n; ++k) weight[std::min(n - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(n)))] += 1;
  return weight;
}

CurveDifference compare_curves(const CellProfile& slow, const CellProfile& fast, std::uint64_t seed, int draws) {
  const std::size_t first = std::max(slow.clear, fast.clear);
  const auto ones = [](const std::vector<std::vector<double>>& v) { return std::vector<double>(v.size(), 1.0); };
  const Means all = means_of(flow_curve(slow, ones(slow.snapshot_tau), ones(slow.snapshot_rate)), flow_curve(fast, ones(fast.snapshot_tau), ones(fast.snapshot_rate)), first,
                             slow.sheared, fast.sheared);
  CurveDifference d;
  d.rings = all.rings;
  d.lo = all.lo;
  d.hi = all.hi;
  d.difference = all.at_equal_inertial;
  d.common = all.common;
  d.inertial_ratio = std::exp(all.log_ratio);
  d.mu_change = all.at_equal_radius;
  double n = 0, first_sum = 0, first_square = 0, second_sum = 0, second_square = 0;
  for (int k = 0; k < draws; ++k) {
    const auto draw = static_cast<std::uint32_t>(k);
    // the same numbers of snapshots give the same draws; others have streams of their own, whose numbers would else go with each other
    const auto draw_curve = [&](const CellProfile& c) {
      const std::uint32_t other_tau = c.snapshot_tau.size() != slow.snapshot_tau.size(), other_rate = c.snapshot_rate.size() != slow.snapshot_rate.size();
      return flow_curve(c, drawn(c.snapshot_tau.size(), seed, 0x74617573 + other_tau, draw), drawn(c.snapshot_rate.size(), seed, 0x72617465 + other_rate, draw));
    };
    const Means one = means_of(draw_curve(slow), draw_curve(fast), first, slow.sheared, fast.sheared);
    if (one.rings == 0) continue;
    n += 1;
    first_sum += one.at_equal_inertial, first_square += one.at_equal_inertial * one.at_equal_inertial;
    second_sum += one.at_equal_radius, second_square += one.at_equal_radius * one.at_equal_radius;
  }
  const auto deviation = [n](double sum, double square) { return n > 1 ? std::sqrt(std::max(square / n - sum / n * sum / n, 0.0) * n / (n - 1)) : 0; };
  d.stderr_ = deviation(first_sum, first_square);
  d.mu_change_error = deviation(second_sum, second_square);
  return d;
}

CurveDifference compare_law(const CellProfile& cell, const FrictionFit& law, double lo, double hi, double law_error, std::uint64_t seed, int draws) {
  CurveDifference d;
  std::vector<std::size_t> rings;
  for (std::size_t k = cell.clear; k < cell.sheared; ++k)
    if (cell.inertial[k] >= lo && cell.inertial[k] <= hi) {
      d.lo = rings.empty() ? cell.inertial[k] : std::min(d.lo, cell.inertial[k]);
      d.hi = std::max(d.hi, cell.inertial[k]);
      rings.push_back(k);
    }
  d.rings = rings.size();
  if (rings.empty()) return d;
  const auto mean_of = [&](const FlowCurve& curve) {
    double sum = 0;
    for (const std::size_t k : rings) sum += (curve.mu[k] - law.at(curve.inertial[k])) / static_cast<double>(rings.size());
    return sum;
  };
  d.difference = mean_of(flow_curve(cell, std::vector<double>(cell.snapshot_tau.size(), 1.0), std::vector<double>(cell.snapshot_rate.size(), 1.0)));
  double sum = 0, square = 0;
  for (int k = 0; k < draws; ++k) {
    const auto draw = static_cast<std::uint32_t>(k);
    const double one = mean_of(flow_curve(cell, drawn(cell.snapshot_tau.size(), seed, 0x6c617731, draw), drawn(cell.snapshot_rate.size(), seed, 0x6c617732, draw)));
    sum += one / draws, square += one * one / draws;
  }
  d.stderr_ = std::hypot(std::sqrt(std::max(square - sum * sum, 0.0)), law_error);
  return d;
}

const char* verdict(const CurveDifference& d) {
  if (d.rings < 2 || !(d.stderr_ > 0)) return "undecided";
  const double size = std::abs(d.in_stderrs());
  return size >= 5 ? "not a function" : size < 2 ? "no difference" : "undecided";
}

}  // namespace scree
