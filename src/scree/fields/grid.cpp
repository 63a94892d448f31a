// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/grid.hpp"

#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree::fields {

std::vector<std::size_t> Grid::shape() const {
  std::vector<std::size_t> n;
  for (const auto& axis : ticks) n.push_back(axis.size());
  if (is_scattered()) n.push_back(scattered.size() / names.size());
  return n;
}

std::size_t Grid::size() const {
  std::size_t count = 1;
  for (const std::size_t n : shape()) count *= n;
  return count;
}

void Grid::coordinates_of(std::size_t point, double* out) const {
  if (is_scattered()) {
    for (std::size_t k = 0; k < names.size(); ++k) out[k] = scattered[point * names.size() + k];
    return;
  }
  for (std::size_t k = ticks.size(); k-- > 0;) {
    out[k] = ticks[k][point % ticks[k].size()];
    point /= ticks[k].size();
  }
}

void Grid::place(std::size_t point, std::size_t k, double* x, double& turn) const {
  double c[3]{};
  coordinates_of(point, c);
  turn = 0;
  if (!polar()) {
    for (std::size_t a = 0; a < axes.size(); ++a) x[a] = c[a];
    return;
  }
  turn = coordinates == "r" ? 2 * std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(angles) : c[1];
  x[0] = centre[0] + c[0] * std::cos(turn);
  x[1] = centre[1] + c[0] * std::sin(turn);
}

std::vector<std::string> Grid::letters() const {
  std::vector<std::string> l = polar() ? std::vector<std::string>{"r", "t", "z"} : std::vector<std::string>{"x", "y", "z"};
  l.resize(static_cast<std::size_t>(dim));
  return l;
}

std::vector<std::string> coordinate_names(int dim) {
  if (dim == 2) return {"0", "x", "y", "xy", "r", "r-theta"};
  return {"0", "x", "y", "z", "xy", "xz", "yz", "xyz", "r", "r-theta"};
}

std::vector<int> kernel_axes(const std::string& coordinates, int dim) {
  bool known = false;
  for (const auto& one : coordinate_names(dim)) known = known || one == coordinates;
  if (!known)
    throw InputError("coordinates: expected one of " + join(coordinate_names(dim)) + ", found " + in_quotes(coordinates) +
                     did_you_mean(coordinates, coordinate_names(dim)));
  if (coordinates == "0") return {};
  if (coordinates == "r" || coordinates == "r-theta") return {0, 1};
  std::vector<int> axes;
  for (const char c : coordinates) axes.push_back(c - 'x');
  return axes;
}

Grid make_grid(const std::string& coordinates, int dim) {
  Grid grid;
  grid.coordinates = coordinates;
  grid.dim = dim;
  grid.axes = kernel_axes(coordinates, dim);
  if (coordinates == "r") grid.names = {"r"};
  else if (coordinates == "r-theta") grid.names = {"r", "theta"};
  else
    for (const int a : grid.axes) grid.names.emplace_back(1, static_cast<char>('x' + a));
  return grid;
}

std::vector<double> spread(double lo, double hi, std::size_t count) {
  if (count == 1) return {0.5 * (lo + hi)};
  std::vector<double> at(count);
  for (std::size_t k = 0; k < count; ++k) at[k] = lo + (hi - lo) * static_cast<double>(k) / static_cast<double>(count - 1);
  return at;
}

std::vector<double> middles(double lo, double hi, std::size_t count) {
  std::vector<double> at(count);
  for (std::size_t k = 0; k < count; ++k) at[k] = lo + (hi - lo) * (static_cast<double>(k) + 0.5) / static_cast<double>(count);
  return at;
}

Grid scattered_grid(int dim, std::vector<double> points) {
  Grid grid = make_grid(dim == 2 ? "xy" : "xyz", dim);
  grid.scattered = std::move(points);
  return grid;
}

}  // namespace scree::fields
