// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/pyramid.hpp"

namespace scree {

template <int D> void Pyramid<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  site.need_radii();
  if (levels > base) throw BuildError("levels", "expected at most base = " + std::to_string(base));
  double most = 0;
  for (std::int64_t k = 0; k < levels && most <= double(site.limit); ++k)
    most += std::pow(double(base - k), D - 1);
  site.check_count(most, "base");
  if (site.radii.min != site.radii.max)
    throw BuildError("radius", "expected one number: the grains of a pyramid are equal");
  const double r = site.radii.max, d = 2 * r + gap;
  const double rise = D == 2 ? d * std::sqrt(3.0) / 2 : d / std::sqrt(2.0);
  for (std::int64_t k = 0; k < levels; ++k) {
    const std::int64_t side = base - k;
    for (std::int64_t b = 0; b < (D == 3 ? side : 1); ++b)
      for (std::int64_t a = 0; a < side; ++a) {
        Vec<D, double> x = centre;
        x[0] += (double(a) - double(side - 1) / 2) * d;
        if constexpr (D == 3) x[1] += (double(b) - double(side - 1) / 2) * d;
        x[D - 1] += height + r + double(k) * rise;
        sketch.add(x, site.radius(sketch.size()));
      }
  }
}

template struct Pyramid<2>;
template struct Pyramid<3>;

}  // namespace scree
