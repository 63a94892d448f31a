// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/radial_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/core/random.hpp"

namespace scree {

using std::numbers::pi;

double area_within(double d, double r, double R) {
  if (R <= 0 || d >= R + r) return 0;
  if (d <= std::abs(R - r)) return pi * std::min(r, R) * std::min(r, R);
  // The lens of two circles: two circular segments on a common chord of half length h, which lies
  // so far from either centre.
  const double from_disc = (d * d + r * r - R * R) / (2 * d), from_circle = d - from_disc;
  const double h = std::sqrt(std::max(0.0, (r + R - d) * (d + r - R) * (d - r + R) * (d + r + R))) / (2 * d);
  return r * r * std::atan2(h, from_disc) - h * from_disc + R * R * std::atan2(h, from_circle) - h * from_circle;
}

RadialProfile::RadialProfile(double x, double y, double lo, double hi, std::size_t bins)
    : x_(x), y_(y), lo_(lo), width_((hi - lo) / static_cast<double>(bins)), sums_(bins) {}

void RadialProfile::observe(const Frame& f) {
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f.held[i]) continue;
    const double dx = f.x[2 * i] - x_, dy = f.x[2 * i + 1] - y_, r = f.radius[i];
    const double d = std::hypot(dx, dy);
    if (!(d > 0)) continue;
    nearest_ = farthest_ == 0 ? d : std::min(nearest_, d);
    farthest_ = std::max(farthest_, d);
    const double vx = f.v[2 * i], vy = f.v[2 * i + 1];
    const double tangential = (dx * vy - dy * vx) / d, radial = (dx * vx + dy * vy) / d;
    const auto first = static_cast<std::ptrdiff_t>(std::floor((d - r - lo_) / width_));
    const auto last = static_cast<std::ptrdiff_t>(std::floor((d + r - lo_) / width_));
    for (std::ptrdiff_t k = std::max<std::ptrdiff_t>(first, 0);
         k <= std::min(last, static_cast<std::ptrdiff_t>(sums_.size()) - 1); ++k) {
      const double inner = lo_ + width_ * static_cast<double>(k);
      const double area = area_within(d, r, inner + width_) - area_within(d, r, inner);
      Row& sum = sums_[static_cast<std::size_t>(k)];
      sum.packing += area;
      sum.tangential += area * tangential;
      sum.radial += area * radial;
      sum.rate += area * tangential / d;
      sum.spin += area * f.w[i];
    }
  }
  ++frames_;
}

void RadialProfile::add(const RadialProfile& other) {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    sums_[k].packing += other.sums_[k].packing;
    sums_[k].tangential += other.sums_[k].tangential;
    sums_[k].radial += other.sums_[k].radial;
    sums_[k].rate += other.sums_[k].rate;
    sums_[k].spin += other.sums_[k].spin;
  }
  if (other.farthest_ > 0) {
    nearest_ = farthest_ == 0 ? other.nearest_ : std::min(nearest_, other.nearest_);
    farthest_ = std::max(farthest_, other.farthest_);
  }
  frames_ += other.frames_;
}

std::vector<RadialProfile::Row> RadialProfile::rows() const {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const double inner = lo_ + width_ * static_cast<double>(k), outer = inner + width_;
    Row row = sums_[k];
    const double area = row.packing;
    if (area > 0)
      for (double* mean : {&row.tangential, &row.radial, &row.rate, &row.spin}) *mean /= area;
    row.r = 0.5 * (inner + outer);
    row.packing = frames_ > 0 ? area / (pi * (outer * outer - inner * inner) * static_cast<double>(frames_)) : 0;
    rows.push_back(row);
  }
  return rows;
}

RadialExtent radial_extent(const Frame& f, double x, double y) {
  RadialExtent extent;
  bool first = true;
  const auto dim = static_cast<std::size_t>(f.dim);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f.held[i]) continue;
    const double d = std::hypot(f.x[dim * i] - x, f.x[dim * i + 1] - y), r = f.radius[i];
    extent.lo = first ? std::max(0.0, d - r) : std::min(extent.lo, std::max(0.0, d - r));
    extent.hi = first ? d + r : std::max(extent.hi, d + r);
    first = false;
  }
  return extent;
}

Decay decay_of(const std::vector<RadialProfile::Row>& rows, double floor, double from) {
  Decay fit;
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  double origin = 0, first = 0;
  for (const auto& row : rows) {
    const double speed = std::abs(row.tangential);
    if (n == 0) {
      if (row.r < from || !(row.packing > 0 && speed > 0)) continue;
      origin = row.r;
      first = speed;
      fit.from = row.r;
    }
    if (!(speed > floor * first)) break;
    const double a = row.r - origin, b = std::log(speed);
    n += 1, x += a, y += b, xx += a * a, xy += a * b, yy += b * b;
    fit.to = row.r;
  }
  fit.rings = static_cast<std::size_t>(n);
  if (n < 3) return fit;
  const double sxx = xx - x * x / n, sxy = xy - x * y / n, syy = yy - y * y / n;
  fit.length = -sxx / sxy;
  fit.correlation = sxy / std::sqrt(sxx * syy);
  return fit;
}

namespace {

/// The middle 95 % of the lengths of 1000 profiles, each made from as many numbers below `count` as there are, drawn at random.
template <class Make> DecayInterval bootstrap(std::size_t count, double floor, double from, const Make& make) {
  if (count < 3) return {};
  constexpr std::size_t draws = 1000;
  std::vector<double> lengths;
  Random random(1, 0, 0);
  std::vector<std::size_t> drawn(count);
  for (std::size_t n = 0; n < draws; ++n) {
    for (std::size_t& one : drawn) one = static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
    const double length = decay_of(make(drawn), floor, from).length;
    lengths.push_back(length > 0 ? length : std::numeric_limits<double>::infinity());
  }
  std::sort(lengths.begin(), lengths.end());
  return {lengths[draws / 40], lengths[draws - 1 - draws / 40]};
}

}  // namespace

DecayInterval decay_interval(const std::vector<RadialProfile>& blocks, double floor, double from) {
  return bootstrap(blocks.size(), floor, from, [&](const std::vector<std::size_t>& drawn) {
    RadialProfile all = blocks[drawn[0]];
    for (std::size_t k = 1; k < drawn.size(); ++k) all.add(blocks[drawn[k]]);
    return all.rows();
  });
}

std::vector<RadialProfile::Row> mean_rows(const std::vector<std::vector<RadialProfile::Row>>& profiles, const std::vector<double>& weight) {
  std::vector<RadialProfile::Row> mean(profiles.at(0).size());
  double total = 0;
  for (std::size_t k = 0; k < profiles.size(); ++k) total += weight.empty() ? 1 : weight[k];
  for (std::size_t j = 0; j < mean.size(); ++j) {
    mean[j].r = profiles[0][j].r;
    for (std::size_t k = 0; k < profiles.size(); ++k) {
      const double part = (weight.empty() ? 1 : weight[k]) / total;
      for (const auto field : {&RadialProfile::Row::packing, &RadialProfile::Row::tangential, &RadialProfile::Row::radial, &RadialProfile::Row::rate, &RadialProfile::Row::spin})
        mean[j].*field += part * profiles[k][j].*field;
    }
  }
  return mean;
}

DecayInterval decay_interval(const std::vector<std::vector<RadialProfile::Row>>& profiles, double floor, double from) {
  return bootstrap(profiles.size(), floor, from, [&](const std::vector<std::size_t>& drawn) {
    std::vector<double> weight(profiles.size());
    for (const std::size_t k : drawn) weight[k] += 1;
    return mean_rows(profiles, weight);
  });
}

}  // namespace scree
