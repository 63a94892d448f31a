// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/steady.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "scree/analysis/moments.hpp"

namespace scree {
namespace {

/// Mean and standard error of y[from … to) by means over ten batches.
Moments by_batches(const std::vector<double>& y, std::size_t from, std::size_t to) {
  constexpr std::size_t batches = 10;
  const std::size_t length = (to - from) / batches;
  if (length == 0) return {};
  from = to - batches * length;
  std::array<double, batches> means{};
  for (std::size_t b = 0; b < batches; ++b) {
    const auto at = y.begin() + static_cast<std::ptrdiff_t>(from + b * length);
    means[b] = std::accumulate(at, at + static_cast<std::ptrdiff_t>(length), 0.0) / static_cast<double>(length);
  }
  return moments(means);
}

}  // namespace

Steady find_steady(const std::vector<double>& y) {
  constexpr std::size_t batch = 5;
  Steady found;
  if (y.size() < 8 * batch) return found;
  const std::size_t n = y.size() / batch;
  std::vector<double> means(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto at = y.begin() + static_cast<std::ptrdiff_t>(k * batch);
    means[k] = std::accumulate(at, at + batch, 0.0) / batch;
  }
  // From the end, since sums over the rest grow by one value at a time; from a value in the middle of the data, so
  // that squares do not cancel.
  const double origin = means[n - 1];
  double sum = 0, square = 0, best = 0;
  std::size_t from = n;
  for (std::size_t d = n; d-- > 0;) {
    sum += means[d] - origin;
    square += (means[d] - origin) * (means[d] - origin);
    const auto count = static_cast<double>(n - d);
    if (count < 5) continue;  // a few equal values by chance are no steady state
    const double rule = (square - sum * sum / count) / (count * count);
    if (from == n || rule <= best) {
      best = rule;
      from = d;
    }
  }
  found.from = from * batch;
  const std::size_t middle = found.from + (y.size() - found.from) / 2;
  const Moments all = by_batches(y, found.from, y.size()), early = by_batches(y, found.from, middle),
                late = by_batches(y, middle, y.size());
  found.mean = all.mean;
  found.stderr_ = all.stderr_;
  found.steady = found.from <= y.size() / 2 && std::abs(early.mean - late.mean) <= 3 * std::hypot(early.stderr_, late.stderr_);
  return found;
}

}  // namespace scree
