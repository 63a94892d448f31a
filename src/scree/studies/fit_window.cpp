// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/fit_window.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace scree {
namespace {

constexpr double least_slope = 0.25;
constexpr std::size_t least_of_half = 4;

/// ln h and ln error, finest first.
struct Log {
  std::vector<double> x, y;
  std::size_t size() const { return x.size(); }
};

struct Line {
  double slope = 0, intercept = 0, stderr_ = 0, residual = 0;
  double bend = 0, bend_stderr = 0;  // change of slope from end to end, of a parabola
};

/// Line and parabola through points first … last, by least squares about their mean.
Line fit(const Log& log, std::size_t first, std::size_t last) {
  const auto n = static_cast<double>(last - first + 1);
  double mx = 0, my = 0;
  for (std::size_t k = first; k <= last; ++k) {
    mx += log.x[k] / n;
    my += log.y[k] / n;
  }
  double s2 = 0, s3 = 0, s4 = 0, sxy = 0, sxxy = 0;
  for (std::size_t k = first; k <= last; ++k) {
    const double x = log.x[k] - mx, y = log.y[k] - my;
    s2 += x * x;
    s3 += x * x * x;
    s4 += x * x * x * x;
    sxy += x * y;
    sxxy += x * x * y;
  }
  Line line;
  line.slope = sxy / s2;
  line.intercept = my - line.slope * mx;
  double sum = 0;
  for (std::size_t k = first; k <= last; ++k) {
    const double r = log.y[k] - line.intercept - line.slope * log.x[k];
    sum += r * r;
  }
  line.residual = std::sqrt(sum / n);
  line.stderr_ = n > 2 ? std::sqrt(sum / (n - 2) / s2) : std::numeric_limits<double>::infinity();
  // The part of x² that is orthogonal to 1 and x: z = x² - s2/n - (s3/s2) x.
  const double zz = s4 - s2 * s2 / n - s3 * s3 / s2, zy = sxxy - s3 / s2 * sxy;
  if (zz > 0 && n > 3) {
    const double c = zy / zz, span = log.x[last] - log.x[first];
    line.bend = 2 * c * span;
    line.bend_stderr = 2 * span * std::sqrt(std::max(0.0, sum - c * zy) / (n - 3) / zz);
  }
  return line;
}

/// Whether the points first … last have the slope of the whole they are a half of. The error is the
/// half's own: scatter in the other half excuses nothing.
bool agrees(const Log& log, std::size_t first, std::size_t last, double slope, double allowed) {
  if (last - first + 1 < least_of_half) return true;
  const Line half = fit(log, first, last);
  return std::abs(half.slope - slope) <= std::max(allowed, 2 * half.stderr_);
}

/// Whether each half of a window, cut at the middle of ln h, has the slope of the whole.
bool halves_agree(const Log& log, std::size_t first, std::size_t last, double slope, double bend) {
  const double middle = (log.x[first] + log.x[last]) / 2;
  std::size_t cut = first;
  while (log.x[cut] <= middle) ++cut;
  return agrees(log, first, cut - 1, slope, bend / 4) && agrees(log, cut, last, slope, bend / 4);
}

OrderFit result(const Log& log, std::size_t first, std::size_t last, const FitRule& rule) {
  const Line line = fit(log, first, last);
  OrderFit f;
  f.order = line.slope;
  f.stderr_ = line.stderr_;
  f.constant = std::exp(line.intercept);
  f.h_min = std::exp(log.x[first]);
  f.h_max = std::exp(log.x[last]);
  f.points = static_cast<int>(last - first + 1);
  f.residual = line.residual;
  f.consistent = true;
  const double bend = std::abs(line.bend);
  if (bend > rule.bend && bend > 2 * line.bend_stderr) {
    f.stderr_ = std::max(f.stderr_, bend / 2);
    f.consistent = bend <= rule.most_bend;
  }
  return f;
}

}  // namespace

OrderFit fit_order(std::vector<OrderPoint> points, const FitRule& rule) {
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.h < b.h; });
  Log log;
  std::vector<double> h;
  for (const OrderPoint& p : points) {
    if (!std::isfinite(p.error) || !(p.error > p.floor) || !(p.error > 0) || !(p.h > 0)) continue;
    log.x.push_back(std::log(p.h));
    log.y.push_back(std::log(p.error));
    h.push_back(p.h);
  }
  const std::size_t n = log.size();
  if (n < 2) return {};
  const auto finish = [&](std::size_t first, std::size_t last) {
    OrderFit f = result(log, first, last, rule);
    f.h_min = h[first];  // as given, not through a logarithm
    f.h_max = h[last];
    return f;
  };
  const auto least = static_cast<std::size_t>(std::max(rule.least_points, 3));
  const double least_span = std::log(rule.least_span);
  double bend = rule.bend;
  for (double tolerance = 0.01; tolerance < 2; tolerance *= 2, bend *= 2) {
    double best = 0;
    std::optional<std::pair<std::size_t, std::size_t>> window;
    for (std::size_t first = 0; first + least <= n; ++first) {
      const double ignored = log.x[first] - log.x[0];
      for (std::size_t last = first + least - 1; last < n; ++last) {
        const double span = log.x[last] - log.x[first];
        if (span < least_span || span - ignored <= best) continue;
        const Line line = fit(log, first, last);
        if (line.slope < least_slope || line.residual > tolerance) continue;
        if (std::abs(line.bend) > bend && std::abs(line.bend) > 2 * line.bend_stderr) continue;
        if (!halves_agree(log, first, last, line.slope, bend)) continue;
        best = span - ignored;
        window = {first, last};
      }
    }
    if (window) return finish(window->first, window->second);
  }
  OrderFit all = finish(0, n - 1);
  all.consistent = false;
  return all;
}

PowerFit fit_power(const std::vector<double>& x, const std::vector<double>& y) {
  Log log;
  for (std::size_t k = 0; k < x.size(); ++k) {
    log.x.push_back(std::log(x[k]));
    log.y.push_back(std::log(y[k]));
  }
  if (log.size() < 2) return {};
  const Line line = fit(log, 0, log.size() - 1);
  // Var(intercept) = stderr² Σx²/n, x measured from x = 1.
  double squares = 0;
  for (const double one : log.x) squares += one * one / static_cast<double>(log.size());
  const double c = std::exp(line.intercept);
  return {line.slope, line.stderr_, c, line.residual, c * line.stderr_ * std::sqrt(squares)};
}

}  // namespace scree
