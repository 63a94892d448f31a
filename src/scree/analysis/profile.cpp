// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree {

double part_below(int dim, double r, double z) {
  if (z <= -r) return 0;
  if (z >= r) return 1;
  const double u = z / r;
  if (dim == 3) return 0.25 * (1 + u) * (1 + u) * (2 - u);  // a spherical cap of height r (1 + u)
  return 0.5 + (std::asin(u) + u * std::sqrt((1 - u) * (1 + u))) / std::numbers::pi;
}

void Profile::add(const Frame& f) {
  const auto dim = static_cast<std::size_t>(f.dim), axis = static_cast<std::size_t>(slabs_.axis);
  const double width = slabs_.width();
  dim_ = f.dim;
  ++frames_;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f.held[i]) continue;
    const double r = f.radius[i], z = f.x[dim * i + axis];
    const double whole = f.dim == 3 ? 4.0 / 3.0 * std::numbers::pi * r * r * r : std::numbers::pi * r * r;
    // its volume in every slab that it reaches, seen at height `at`
    const auto share = [&](double at, auto&& give) {
      const double top = (at + r - slabs_.low) / width;
      if (!(top > 0)) return;
      const auto first = static_cast<std::int64_t>(std::floor(std::max(0.0, (at - r - slabs_.low) / width)));
      const auto last = std::min(static_cast<std::int64_t>(std::floor(top)), static_cast<std::int64_t>(slabs_.count) - 1);
      for (std::int64_t k = first; k <= last; ++k) {
        const double from = slabs_.low + static_cast<double>(k) * width - at;
        give(static_cast<std::size_t>(k), whole * (part_below(f.dim, r, from + width) - part_below(f.dim, r, from)));
      }
    };
    share(z, [&](std::size_t k, double w) {
      Sum& sum = sums_[k];
      // heights from the middle of the slab, where a gradient is a small number
      const double d = z - slabs_.middle(k);
      sum.filled += w;
      sum.w += w;
      sum.z += w * d;
      sum.zz += w * d * d;
      for (std::size_t a = 0; a < dim; ++a) {
        const double v = f.v[dim * i + a];
        sum.v[a] += w * v;
        sum.vz[a] += w * v * d;
        sum.vv[a] += w * v * v;
      }
    });
    if (slabs_.period > 0)
      for (const double image : {z - slabs_.period, z + slabs_.period})
        share(image, [&](std::size_t k, double w) { sums_[k].filled += w; });
  }
}

void Profile::add(const Profile& other) {
  dim_ = other.frames_ > 0 ? other.dim_ : dim_;
  frames_ += other.frames_;
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    Sum& sum = sums_[k];
    const Sum& one = other.sums_[k];
    sum.filled += one.filled;
    sum.w += one.w;
    sum.z += one.z;
    sum.zz += one.zz;
    for (std::size_t a = 0; a < 3; ++a) {
      sum.v[a] += one.v[a];
      sum.vz[a] += one.vz[a];
      sum.vv[a] += one.vv[a];
    }
  }
}

std::vector<Profile::Row> Profile::rows() const {
  std::vector<Row> rows(slabs_.count);
  const double space = slabs_.area * slabs_.width() * static_cast<double>(std::max<std::int64_t>(frames_, 1));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Sum& s = sums_[k];
    Row& row = rows[k];
    row.z = slabs_.middle(k);
    row.packing = s.filled / space;
    if (!(s.w > 0)) {
      row.velocity.fill(std::numeric_limits<double>::quiet_NaN());
      row.temperature = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    // Grains at one height have no gradient to be found: their spread is rounding, or next to nothing.
    const double z = s.z / s.w, spread = s.zz / s.w - z * z;
    const bool sloped = spread > 1e-4 * slabs_.width() * slabs_.width();
    double heat = 0;
    for (int a = 0; a < dim_; ++a) {
      const auto at = static_cast<std::size_t>(a);
      const double v = s.v[at] / s.w, with = s.vz[at] / s.w - v * z;
      heat += s.vv[at] / s.w - v * v - (sloped ? with * with / spread : 0);
      row.velocity[at] = v - (sloped ? with / spread * z : 0);  // at the middle, not where the grains happened to be
    }
    row.temperature = std::max(heat, 0.0) / dim_;
  }
  return rows;
}

}  // namespace scree
