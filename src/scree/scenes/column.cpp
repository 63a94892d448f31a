// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/column.hpp"

#include <algorithm>

#include "scree/core/names.hpp"

namespace scree {
namespace {

constexpr double pi = 3.141592653589793238462643383279;

}  // namespace

template <int D> double ColumnOfGrains<D>::width_for(const Radii& radii) const {
  if (width > 0) return width;
  const double r = radii.mean(), tall = aspect > 0 ? aspect : 1;
  if constexpr (D == 2) {
    constexpr double packed = 0.82;  // of the area, loose random discs at rest
    return std::sqrt(double(count) * pi * r * r / packed / tall);
  } else {
    constexpr double packed = 0.58;  // of the volume; square foot
    return std::cbrt(double(count) * 4 * pi / 3 * r * r * r / packed / tall);
  }
}

template <int D> void ColumnOfGrains<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  site.need_radii();
  site.check_count(double(count), "count");
  if (width > 0 && aspect > 0)
    throw BuildError("aspect", "given beside \"width\"; expected one of them");
  if (depth > 0 && D == 2) throw BuildError("depth", "has no meaning in a scene with dim = 2");
  if (round && D == 2) throw BuildError("round", "has no meaning in a scene with dim = 2");
  if (floor_length > 0 && !floor)
    throw BuildError("floor_length", "has no meaning without floor = true");
  const double r = site.radii.max, across = width_for(site.radii), step = 2.04 * r;
  if (!(across >= 2 * r))
    throw BuildError(
        width > 0 ? "width" : "aspect",
        "the column is " + brief(across) + " m wide, less than a grain (" + brief(2 * r) + " m)");
  const double deep = depth > 0 ? depth : across;
  if (deep < 2 * r)
    throw BuildError("depth", "the column is " + brief(deep) + " m deep, less than a grain (" +
                                  brief(2 * r) + " m)");

  // grains of the column first: their ids then do not depend on the floor
  const std::int64_t nx = std::clamp<std::int64_t>(fits(across - 2 * r, step), 1, count);
  const std::int64_t ny = D == 3 ? std::clamp<std::int64_t>(fits(deep - 2 * r, step), 1, count) : 1;
  const double step_x = nx > 1 ? (across - 2 * r) / double(nx - 1) : step;
  const double step_y = ny > 1 ? (deep - 2 * r) / double(ny - 1) : step;
  const double gap = jitter * (step - 2 * r);
  Vec<D, double> low = origin;
  low[D - 1] += gap;  // jitter must not push the lowest through the floor
  // A round column takes the lattice points whose grains are inside, whatever the jitter: then every
  // layer has as many, and filling ends.
  const auto outside = [&](const Vec<D, double>& x) {
    if (!round) return false;
    const double rx = (x[0] - origin[0] - across / 2) / (across / 2 - r),
                 ry = (x[1] - origin[1] - deep / 2) / (deep / 2 - r);
    return !(rx * rx + ry * ry < 1 + 1e-9);
  };
  std::int64_t placed = 0;
  for (std::int64_t k = 0; placed < count; ++k) {
    Vec<D, double> x = low;
    const std::int64_t a = k % nx, b = D == 3 ? (k / nx) % ny : 0, c = k / (nx * ny);
    x[0] += nx > 1 ? r + double(a) * step_x : across / 2;
    if constexpr (D == 3) x[1] += ny > 1 ? r + double(b) * step_y : deep / 2;
    if (outside(x)) {
      if (placed == 0 && c > 0) throw BuildError("width", "no grain fits into the round column");
      continue;
    }
    x[D - 1] += r + double(c) * step;
    auto moved = jittered(site, std::size_t(placed), x, gap);
    const double radius = site.radius(std::size_t(placed));
    ++placed;
    moved[0] = std::clamp(moved[0], origin[0] + radius, origin[0] + across - radius);
    if constexpr (D == 3)
      moved[1] = std::clamp(moved[1], origin[1] + radius, origin[1] + deep - radius);
    sketch.add(moved, radius);
  }
  if (!floor) return;
  const double length = floor_length > 0 ? floor_length : across;
  site.check_count(double(count) + (length / (2 * site.radii.min) + 1) *
                                       (D == 3 ? deep / (2 * site.radii.min) + 1 : 1),
                   "floor_length");
  sketch.fixed.assign(sketch.size(), 0);
  const double mean = site.radii.mean();
  const std::int64_t rows = D == 3 ? fits(deep, 2 * mean) : 1;
  for (std::int64_t row = 0; row < rows; ++row) {
    double at = 0, before = 0;
    while (true) {
      const double radius = site.radius(sketch.size());
      if (before > 0) at += before + radius;
      if (at > length) break;
      before = radius;
      Vec<D, double> x = origin;
      x[0] += at;
      if constexpr (D == 3) x[1] += double(row) * 2 * mean;
      x[D - 1] -= r;  // tops at or below the column's foot
      sketch.add(x, radius);
      sketch.fixed.push_back(1);
    }
  }
}

template struct ColumnOfGrains<2>;
template struct ColumnOfGrains<3>;

}  // namespace scree
