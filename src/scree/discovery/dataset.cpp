// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {

double GridAxis::unevenness() const {
  const double h = step();
  double worst = 0;
  for (std::size_t k = 1; k < size(); ++k) worst = std::max(worst, std::abs(at[k] - at[k - 1] - h));
  return h > 0 ? worst / h : 0;
}

std::size_t Sample::points() const {
  std::size_t n = 1;
  for (const GridAxis& axis : axes) n *= axis.size();
  return n;
}

std::size_t Sample::stride(std::size_t axis) const {
  std::size_t n = 1;
  for (std::size_t k = axis + 1; k < axes.size(); ++k) n *= axes[k].size();
  return n;
}

std::size_t Dataset::points() const {
  std::size_t n = 0;
  for (const Sample& s : samples) n += s.points();
  return n;
}

void check_dataset(const Dataset& data) {
  if (data.samples.empty()) throw InputError("discover: there are no data");
  if (data.names.fields.empty()) throw InputError("discover: the data have no variables beside their coordinates");
  for (const Sample& s : data.samples) {
    if (s.points() == 0) throw InputError(s.name + ": no rows");
    for (std::size_t a = 0; a < s.axes.size() && a < data.names.coordinates.size(); ++a)
      for (std::size_t k = 0; k < s.axes[a].size(); ++k) {
        const auto& at = s.axes[a].at;
        if (!std::isfinite(at[k])) throw InputError(fmt::format("{}: coordinate {} is not a number at entry {}", s.name, data.names.coordinates[a], k + 1));
        if (k > 0 && !(at[k] > at[k - 1]))
          throw InputError(fmt::format("{}: coordinate {} does not rise: {} after {} at entry {}", s.name, data.names.coordinates[a], brief(at[k]),
                                       brief(at[k - 1]), k + 1));
      }
    if (s.fields.size() != data.names.fields.size()) throw std::logic_error("discovery: a sample with other fields");
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
      if (s.fields[f].size() != s.points())
        throw InputError(fmt::format("{}: {} has {} values for a grid of {} points", s.name, data.names.fields[f], s.fields[f].size(), s.points()));
      if (std::none_of(s.fields[f].begin(), s.fields[f].end(), [](double x) { return std::isfinite(x); }))
        throw InputError(fmt::format("{}: {} has no finite value", s.name, data.names.fields[f]));
    }
  }
}

double estimated_noise(const Sample& s, std::size_t field) {
  std::size_t axis = 0;
  for (std::size_t a = 0; a < s.axes.size(); ++a)
    if (s.axes[a].size() > s.axes[axis].size()) axis = a;
  const std::size_t stride = s.stride(axis), n = s.axes[axis].size();
  const std::vector<double>& u = s.fields[field];
  if (n < 12) return 0;
  double mean = 0, square = 0;
  std::size_t count = 0;
  for (const double x : u)
    if (std::isfinite(x)) mean += x, ++count;
  mean /= static_cast<double>(count);
  for (const double x : u)
    if (std::isfinite(x)) square += (x - mean) * (x - mean);
  const double deviation = std::sqrt(square / static_cast<double>(count));
  if (!(deviation > 0)) return 0;
  // fourth differences of white noise have 70 times its variance; their median does not see fronts
  std::vector<double> rough;
  const std::size_t step = std::max<std::size_t>(1, u.size() / 200000);
  for (std::size_t i = 0; i < u.size(); i += step) {
    const std::size_t along = i / stride % n;
    if (along < 2 || along + 2 >= n) continue;
    const double d = u[i - 2 * stride] - 4 * u[i - stride] + 6 * u[i] - 4 * u[i + stride] + u[i + 2 * stride];
    if (std::isfinite(d)) rough.push_back(std::abs(d));
  }
  if (rough.size() < 5) return 0;
  std::nth_element(rough.begin(), rough.begin() + static_cast<std::ptrdiff_t>(rough.size() / 2), rough.end());
  return rough[rough.size() / 2] / 0.6745 / std::sqrt(70.0) / deviation;
}

}  // namespace scree
