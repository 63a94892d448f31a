// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/deposit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace scree {
namespace {

/// Sets that are joined; the root of a set is its lowest member.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

double distance_along(const Frame& f, std::size_t i, bool round) {
  const auto d = static_cast<std::size_t>(f.dim);
  return round ? std::hypot(f.x[d * i], f.x[d * i + 1]) : f.x[d * i];
}
double height_of(const Frame& f, std::size_t i) {
  const auto d = static_cast<std::size_t>(f.dim);
  return f.x[d * i + d - 1];
}

/// Which lane a grain lies in, of `lanes`: strips of equal depth or sectors of equal angle.
std::size_t lane_of(const Frame& f, std::size_t i, const DepositRules& rules, double depth, std::size_t lanes) {
  if (lanes <= 1) return 0;
  double part = 0;
  if (rules.round)
    part = std::atan2(f.x[3 * i + 1], f.x[3 * i]) / (2 * std::numbers::pi) + 0.5;
  else
    part = depth > 0 ? f.x[3 * i + 1] / depth : 0;
  return static_cast<std::size_t>(std::clamp(part, 0.0, 1 - 1e-12) * static_cast<double>(lanes));
}

}  // namespace

double mean_free_radius(const Frame& f) {
  double sum = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (!f.held[i]) sum += f.radius[i], ++n;
  return n > 0 ? sum / static_cast<double>(n) : 0;
}

std::vector<std::uint8_t> main_body(const Frame& f, double gap) {
  const auto d = static_cast<std::size_t>(f.dim);
  const std::size_t n = f.size();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (!f.held[i]) largest = std::max(largest, f.radius[i]);
  std::vector<std::uint8_t> body(n, 0);
  if (!(largest > 0)) return body;

  // A map of cells as wide as two grains can be apart: deposits are flat and wide, and a grain that
  // fell off the floor may be anywhere.
  const double cell = 2 * largest + gap;
  using Place = std::array<std::int64_t, 3>;
  const auto place = [&](std::size_t i) {
    Place p{};
    for (std::size_t k = 0; k < d; ++k) p[k] = static_cast<std::int64_t>(std::floor(f.x[d * i + k] / cell));
    return p;
  };
  std::map<Place, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < n; ++i)
    if (!f.held[i]) cells[place(i)].push_back(i);
  Sets sets(n);
  const std::int64_t deep = d == 3 ? 1 : 0;
  for (const auto& [here, own] : cells)
    for (std::int64_t a = -1; a <= 1; ++a)
      for (std::int64_t b = -1; b <= 1; ++b)
        for (std::int64_t c = -deep; c <= deep; ++c) {
          const auto there = cells.find({here[0] + a, here[1] + b, here[2] + c});
          if (there == cells.end()) continue;
          for (const std::size_t i : own)
            for (const std::size_t j : there->second) {
              if (j <= i) continue;
              double apart = 0;
              for (std::size_t k = 0; k < d; ++k) apart += std::pow(f.x[d * i + k] - f.x[d * j + k], 2);
              if (std::sqrt(apart) < f.radius[i] + f.radius[j] + gap) sets.join(i, j);
            }
        }
  std::vector<std::size_t> size(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (!f.held[i]) ++size[sets.root(i)];
  const auto best = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  for (std::size_t i = 0; i < n; ++i) body[i] = !f.held[i] && sets.root(i) == best;
  return body;
}

Deposit measure_deposit(const Frame& f, const DepositRules& rules) {
  Deposit out;
  const double r = out.mean_radius = mean_free_radius(f);
  if (!(r > 0)) {
    out.body.assign(f.size(), 0);
    return out;
  }
  const double gap = rules.touch * r, slice = 2 * r;
  out.body = main_body(f, gap);
  double depth = rules.depth;
  if (f.dim == 3 && !rules.round && !(depth > 0))
    for (std::size_t i = 0; i < f.size(); ++i)
      if (!f.held[i]) depth = std::max(depth, f.x[3 * i + 1] + f.radius[i]);
  // A lane is two diameters wide: narrower ones would be empty here and there.
  constexpr std::size_t sectors = 16;
  const auto lanes_at = [&](double s) -> std::size_t {
    if (f.dim == 2) return 1;
    const double across = rules.round ? 2 * std::numbers::pi * s : depth;
    const auto fit = static_cast<std::size_t>(std::max(1.0, std::floor(across / (4 * r))));
    return rules.round ? std::min(fit, sectors) : fit;
  };

  std::map<std::pair<std::int64_t, std::size_t>, Point2> highest;  // of slice and lane
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (!out.body[i]) continue;
    ++out.grains;
    const double s = distance_along(f, i, rules.round), top = height_of(f, i) + f.radius[i];
    if (s < slice) out.head = std::max(out.head, top);
    const auto k = static_cast<std::int64_t>(std::floor(s / slice));
    const std::size_t lane = lane_of(f, i, rules, depth, lanes_at((static_cast<double>(k) + 0.5) * slice));
    const auto [at, fresh] = highest.try_emplace({k, lane}, Point2{s, top});
    if (!fresh && top > at->second.z) at->second = {s, top};
  }
  for (auto it = highest.begin(); it != highest.end();) {
    Point2 mean;
    double n = 0;
    for (const std::int64_t k = it->first.first; it != highest.end() && it->first.first == k; ++it)
      mean.s += it->second.s, mean.z += it->second.z, ++n;
    out.surface.push_back({mean.s / n, mean.z / n});
  }

  // As many lanes as fit where the deposit ends; without any grain a lane does not count.
  double far = 0;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (out.body[i]) far = std::max(far, distance_along(f, i, rules.round));
  std::vector<double> farthest(lanes_at(far), 0);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (!out.body[i] || height_of(f, i) - f.radius[i] > gap) continue;
    double& lane = farthest[lane_of(f, i, rules, depth, farthest.size())];
    lane = std::max(lane, distance_along(f, i, rules.round) + f.radius[i]);
  }
  double counted = 0;
  for (const double one : farthest)
    if (one > 0) out.runout += one, ++counted;
  if (counted > 0) out.runout /= counted;
  return out;
}

std::vector<Point2> bezier(const std::vector<Point2>& control, std::size_t samples) {
  std::vector<Point2> line;
  if (control.empty() || samples < 2) return line;
  std::vector<Point2> p;
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(samples - 1);
    p = control;
    for (std::size_t n = p.size() - 1; n > 0; --n)
      for (std::size_t i = 0; i < n; ++i) {
        p[i].s += t * (p[i + 1].s - p[i].s);
        p[i].z += t * (p[i + 1].z - p[i].z);
      }
    line.push_back(p[0]);
  }
  return line;
}

double height_at(const std::vector<Point2>& line, double s) {
  for (std::size_t k = 1; k < line.size(); ++k)
    if (s >= line[k - 1].s && s <= line[k].s) {
      const double width = line[k].s - line[k - 1].s;
      return width > 0 ? line[k - 1].z + (line[k].z - line[k - 1].z) * (s - line[k - 1].s) / width : line[k].z;
    }
  return 0;
}

}  // namespace scree
