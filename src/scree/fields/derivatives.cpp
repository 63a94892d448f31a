// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/core/difference_weights.hpp"
#include "scree/core/errors.hpp"

namespace scree::fields {
namespace {

void check(int order, std::size_t points, const std::string& what) {
  if (order != 2 && order != 4 && order != 6) throw InputError(fmt::format("derivatives: expected the order 2, 4 or 6, found {}", order));
  if (points < static_cast<std::size_t>(order) + 1)
    throw InputError(fmt::format("derivatives of order {} need {} points along {}, found {}", order, order + 1, what, points));
}

}  // namespace

void check_derivatives(const Grid& grid, int order) {
  if (order == 0) return;
  if (grid.is_scattered()) throw InputError("derivatives: points have no neighbours; expected a grid");
  for (std::size_t k = 0; k < grid.ticks.size(); ++k)
    if (grid.ticks[k].size() > 1) check(order, grid.ticks[k].size(), grid.names[k]);
}

void differentiate(const std::vector<double>& ticks, int order, const double* values, std::size_t stride, double* out) {
  const std::size_t n = ticks.size(), width = static_cast<std::size_t>(order) + 1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t half = width / 2;
    const std::size_t from = std::min(i > half ? i - half : 0, n - width);
    const std::vector<double> w = difference_weights(ticks[i], {ticks.begin() + static_cast<std::ptrdiff_t>(from),
                                                                ticks.begin() + static_cast<std::ptrdiff_t>(from + width)});
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k)
      if (w[k] != 0) sum += w[k] * values[(from + k) * stride];
    out[i * stride] = sum;
  }
}

Field derivative(const Grid& grid, const Field& field, std::size_t coordinate, int order) {
  if (grid.is_scattered()) throw InputError("derivatives: points have no neighbours; expected a grid");
  if (coordinate >= grid.ticks.size()) throw InputError("derivatives: the grid has no such coordinate");
  check(order, grid.ticks[coordinate].size(), grid.names[coordinate]);
  Field out = field;
  out.name = field.name + "_d" + grid.names[coordinate];
  out.unit = field.unit + (grid.names[coordinate] == "theta" ? " / rad" : " / m");
  const std::size_t width = field.width();
  std::size_t inner = width, outer = 1;
  for (std::size_t k = coordinate + 1; k < grid.ticks.size(); ++k) inner *= grid.ticks[k].size();
  for (std::size_t k = 0; k < coordinate; ++k) outer *= grid.ticks[k].size();
  const std::size_t n = grid.ticks[coordinate].size();
  for (std::size_t a = 0; a < outer; ++a)
    for (std::size_t b = 0; b < inner; ++b)
      differentiate(grid.ticks[coordinate], order, &field.values[a * n * inner + b], inner, &out.values[a * n * inner + b]);
  return out;
}

std::vector<Field> time_derivative(const std::vector<FieldTable>& series, const std::string& name, int order) {
  check(order, series.size(), "the time (a series of fields)");
  std::vector<double> times, column(series.size()), slope(series.size());
  std::vector<Field> out;
  for (const FieldTable& table : series) {
    const Field* f = find_field(table.fields, name);
    if (!f) throw InputError("derivatives: there is no field \"" + name + "\"");
    times.push_back(table.time());
    out.push_back(*f);
    out.back().name += "_dt";
    out.back().unit += " / s";
  }
  for (std::size_t k = 0; k < out[0].values.size(); ++k) {
    for (std::size_t t = 0; t < series.size(); ++t) column[t] = find_field(series[t].fields, name)->values[k];
    differentiate(times, order, column.data(), 1, slope.data());
    for (std::size_t t = 0; t < series.size(); ++t) out[t].values[k] = slope[t];
  }
  return out;
}

}  // namespace scree::fields
