// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/coincidence.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

Line line_through(const std::vector<double>& x, const std::vector<double>& y) {
  Line line;
  const auto n = static_cast<double>(x.size());
  if (x.size() < 2) return line;
  double mx = 0, my = 0, sxx = 0, sxy = 0, rest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / n, my += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k)
    sxx += (x[k] - mx) * (x[k] - mx), sxy += (x[k] - mx) * (y[k] - my);
  if (!(sxx > 0)) return line;
  line.slope = sxy / sxx;
  line.offset = my - line.slope * mx;
  for (std::size_t k = 0; k < x.size(); ++k)
    rest += std::pow(y[k] - line.offset - line.slope * x[k], 2);
  line.stderr_ = x.size() > 2 ? std::sqrt(rest / (n - 2) / sxx) : 0;
  return line;
}

double order_against(const std::vector<double>& h, const std::vector<double>& d, double h_r) {
  if (h.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto misfit = [&](double p) {
    double mean = 0, sum = 0;
    std::vector<double> rest;
    for (std::size_t k = 0; k < h.size(); ++k) {
      rest.push_back(std::log(d[k] / (std::pow(h[k], p) - (h_r > 0 ? std::pow(h_r, p) : 0))));
      mean += rest.back() / static_cast<double>(h.size());
    }
    for (const double one : rest) sum += (one - mean) * (one - mean);
    return sum;
  };
  double best = 0.05;
  for (double p = 0.1; p < 9; p += 0.05)
    if (misfit(p) < misfit(best)) best = p;
  double lo = best - 0.05, hi = best + 0.05;
  for (int k = 0; k < 40; ++k) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    if (misfit(a) < misfit(b))
      hi = b;
    else
      lo = a;
  }
  return (lo + hi) / 2;
}

Coincidence coincidence(const DistanceCurves& c, const std::vector<double>& thresholds) {
  Coincidence out;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const double theta : thresholds) {
    auto& times = out.times.emplace_back();
    for (const auto& d : c.d) {
      // Between two looks, d is taken to grow exponentially.
      double at = none;
      for (std::size_t i = 1; i < d.size() && std::isnan(at); ++i)
        if (d[i] > theta)
          at = d[i - 1] > 0 ? c.t[i - 1] + (c.t[i] - c.t[i - 1]) * std::log(theta / d[i - 1]) /
                                               std::log(d[i] / d[i - 1])
                            : c.t[i];
      times.push_back(at);
    }
  }
  // After the first eighth, in which a column still stands, and before saturation.
  const auto counts = [&](std::size_t i, double d) {
    return i >= c.t.size() / 8 && d > c.round_off && d < c.saturation;
  };
  // λ is common to all steps; each curve has its own height, so ln d is measured from its mean.
  std::vector<double> x, y;
  for (const auto& d : c.d) {
    std::vector<double> tx, ty;
    for (std::size_t i = 0; i < d.size(); ++i)
      if (counts(i, d[i])) tx.push_back(c.t[i]), ty.push_back(std::log(d[i]));
    if (tx.size() < 3) continue;
    double mx = 0, my = 0;
    for (std::size_t i = 0; i < tx.size(); ++i)
      mx += tx[i] / double(tx.size()), my += ty[i] / double(ty.size());
    for (std::size_t i = 0; i < tx.size(); ++i) x.push_back(tx[i] - mx), y.push_back(ty[i] - my);
  }
  const Line growth = line_through(x, y);
  out.rate = growth.slope;
  out.rate_error = growth.stderr_;

  std::vector<double> orders;
  for (std::size_t i = 0; i < c.t.size(); ++i) {
    x.clear(), y.clear();
    for (std::size_t k = 0; k < c.h.size(); ++k)
      if (i < c.d[k].size() && counts(i, c.d[k][i])) x.push_back(c.h[k]), y.push_back(c.d[k][i]);
    if (x.size() == c.h.size() && x.size() > 1) orders.push_back(order_against(x, y, c.h_r));
  }
  std::sort(orders.begin(), orders.end());
  const auto quantile = [&](std::size_t quarter) {
    return orders.empty() ? none : orders[(orders.size() - 1) * quarter / 4];
  };
  out.order_low = quantile(1);
  out.order = quantile(2);
  out.order_high = quantile(3);

  // T against the logarithm of the error that the step begins with, in halvings. What passes a
  // threshold within the first looks says nothing about growth.
  for (const auto& times : out.times) {
    x.clear(), y.clear();
    for (std::size_t k = 0; k < c.h.size(); ++k)
      if (c.t.size() > 2 && times[k] > c.t[2] && std::isfinite(out.order)) {
        const double begins =
            std::pow(c.h[k], out.order) - (c.h_r > 0 ? std::pow(c.h_r, out.order) : 0);
        x.push_back(-std::log(begins) / (out.order * std::numbers::ln2));
        y.push_back(times[k]);
      }
    out.gain.push_back(line_through(x, y).slope);
  }
  return out;
}

Regions regions_of(const std::vector<double>& t, const std::vector<double>& d) {
  Regions out;
  const std::size_t n = std::min(t.size(), d.size()), tail = n / 10;
  if (tail == 0) return out;
  double mean = 0, least = d[n - 1], most = d[n - 1];
  for (std::size_t i = n - tail; i < n; ++i) {
    mean += d[i] / static_cast<double>(tail);
    least = std::min(least, d[i]);
    most = std::max(most, d[i]);
  }
  const bool rests = most - least <= 0.05 * mean;
  const double level = rests ? mean : d[n - 1];
  if (!(level > 0)) return out;
  // The growing part lies between the first look above each border.
  const auto first_above = [&](double border) {
    return static_cast<std::size_t>(std::find_if(d.begin(), d.begin() + static_cast<std::ptrdiff_t>(n),
                                                 [&](double x) { return x >= border; }) - d.begin());
  };
  std::size_t from = first_above(0.2 * level), to = first_above(0.8 * level);
  if (from > 0 && to - from < 2) --from;  // steeper than the looks: the line from the look before
  std::vector<double> x(t.begin() + static_cast<std::ptrdiff_t>(from), t.begin() + static_cast<std::ptrdiff_t>(std::min(to + 1, n))),
      y(d.begin() + static_cast<std::ptrdiff_t>(from), d.begin() + static_cast<std::ptrdiff_t>(std::min(to + 1, n)));
  const Line line = line_through(x, y);
  if (!(line.slope > 0)) return out;
  out.departure = std::max(t[0], -line.offset / line.slope);
  if (rests) {
    out.plateau = mean;
    out.saturation = (mean - line.offset) / line.slope;
  }
  return out;
}

}  // namespace scree
