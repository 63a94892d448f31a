// SPDX-License-Identifier: BSD-3-Clause
/// Where fields are wanted, and over which coordinates.
///
///     0                  one number: the mean over everything
///     x, y, z            a profile, averaged over the other axes
///     xy, xz, yz, xyz    a Cartesian grid, averaged over what is left
///     r-theta            a polar grid about a centre in the x-y plane, in space averaged over z
///     r                  a profile along the radius, averaged over the angle: the mean over `angles` points of each ring
///
/// or any points of x, y[, z]. An average over an axis is exact: the kernel has as many dimensions as there are
/// coordinates left, and sums are divided by the extent `measure` of the others. Vectors and tensors of r and
/// r-theta have the components r, t (anticlockwise) and z.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace scree::fields {

struct Grid {
  std::string coordinates = "xy";
  int dim = 2;                              // of the run
  std::vector<int> axes;                    // that the kernel sees
  std::vector<std::string> names;           // of the output coordinates: x, y, r, theta …
  std::vector<std::vector<double>> ticks;   // of a grid, per output coordinate; empty for scattered points
  std::vector<double> scattered;            // names.size() numbers per point
  std::array<double, 2> centre{};           // of r and theta, m
  std::size_t angles = 1;                   // of each ring of a radial profile
  double measure = 1;                       // m, m² or m³: extent of the axes that are averaged over

  bool polar() const { return coordinates == "r" || coordinates == "r-theta"; }
  bool is_scattered() const { return ticks.empty() && !names.empty(); }
  std::vector<std::size_t> shape() const;
  std::size_t size() const;                          // output points
  std::size_t samples() const { return coordinates == "r" ? angles : 1; }  // per output point
  /// Output coordinates of a point: names.size() numbers. The last coordinate runs fastest.
  void coordinates_of(std::size_t point, double* out) const;
  /// Where sample `k` of a point is, in the axes of the kernel; `turn` is its angle on polar grids, 0 elsewhere.
  void place(std::size_t point, std::size_t k, double* x, double& turn) const;
  /// Letters of vector components.
  std::vector<std::string> letters() const;
};

std::vector<std::string> coordinate_names(int dim);
/// The axes of a kernel over these coordinates. InputError for a name that there is not.
std::vector<int> kernel_axes(const std::string& coordinates, int dim);

/// A grid without ticks yet.
Grid make_grid(const std::string& coordinates, int dim);
/// `count` points from lo to hi, both included (one: the middle).
std::vector<double> spread(double lo, double hi, std::size_t count);
/// `count` equal cells between lo and hi: their middles.
std::vector<double> middles(double lo, double hi, std::size_t count);
/// Points of x, y[, z] anywhere.
Grid scattered_grid(int dim, std::vector<double> points);

}  // namespace scree::fields
