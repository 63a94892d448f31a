// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/flow_curves.hpp"

#include <algorithm>
#include <cmath>

#include "scree/analysis/moments.hpp"
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

double few_units(std::size_t n) { return n > 1 ? std::sqrt(static_cast<double>(n) / static_cast<double>(n - 1)) : 1; }

double deviation(const std::vector<double>& values) { return moments(values).stderr_ * std::sqrt(static_cast<double>(values.size())); }

std::vector<double> drawn(std::size_t n, std::uint64_t seed, std::uint32_t stream, std::uint32_t draw) {
  std::vector<double> weight(n);
  Random random(seed, stream, draw);
  for (std::size_t k = 0; k < n; ++k) weight[std::min(n - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(n)))] += 1;
  return weight;
}

CurveDifference compare_curves(const CellProfile& slow, const CellProfile& fast, std::uint64_t seed, int draws) {
  const std::size_t first = std::max(slow.clear, fast.clear);
  const Means all = means_of(flow_curve(slow), flow_curve(fast), first, slow.sheared, fast.sheared);
  CurveDifference d;
  d.rings = all.rings;
  d.lo = all.lo;
  d.hi = all.hi;
  d.difference = all.at_equal_inertial;
  d.common = all.common;
  d.inertial_ratio = std::exp(all.log_ratio);
  d.mu_change = all.at_equal_radius;
  std::vector<double> at_inertial, at_radius;
  for (int k = 0; k < draws; ++k) {
    const auto draw = static_cast<std::uint32_t>(k);
    // the same numbers of units give the same draws; others have streams of their own, whose numbers would else go with each other
    const auto draw_curve = [&](const CellProfile& c) { return flow_curve(c, drawn(c.units, seed, 0x74617573 + (c.units != slow.units), draw)); };
    const Means one = means_of(draw_curve(slow), draw_curve(fast), first, slow.sheared, fast.sheared);
    if (one.rings == 0) continue;
    at_inertial.push_back(one.at_equal_inertial);
    at_radius.push_back(one.at_equal_radius);
  }
  const double few = few_units(std::min(slow.units, fast.units));
  d.stderr_ = few * deviation(at_inertial);
  d.mu_change_error = few * deviation(at_radius);
  return d;
}

CurveDifference compare_law(const CellProfile& cell, const FrictionFit& law, const std::vector<FrictionFit>& laws_drawn, double lo, double hi, std::uint64_t seed, int draws) {
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
  const auto mean_of = [&](const FlowCurve& curve, const FrictionFit& of) {
    double sum = 0;
    for (const std::size_t k : rings) sum += (curve.mu[k] - of.at(curve.inertial[k])) / static_cast<double>(rings.size());
    return sum;
  };
  const FlowCurve mean = flow_curve(cell);
  d.difference = mean_of(mean, law);
  std::vector<double> of_cell, of_law;
  for (int k = 0; k < draws; ++k) of_cell.push_back(mean_of(flow_curve(cell, drawn(cell.units, seed, 0x6c617731, static_cast<std::uint32_t>(k))), law));
  for (const FrictionFit& one : laws_drawn) of_law.push_back(mean_of(mean, one));
  d.stderr_ = std::hypot(few_units(cell.units) * deviation(of_cell), deviation(of_law));
  return d;
}

const char* verdict(const CurveDifference& d) {
  if (d.rings < 2 || !(d.stderr_ > 0)) return "undecided";
  const double size = std::abs(d.in_stderrs());
  return size >= 5 ? "not a function" : size < 2 ? "no difference" : "undecided";
}

}  // namespace scree
