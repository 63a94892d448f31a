// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/line.hpp"

namespace scree {

template <int D> void Line<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  site.need_radii();
  const Vec<D, double> along = end - start;
  const double length = norm(along);
  if (!(length > 0) || !std::isfinite(length))
    throw BuildError("end", "expected a point that is not the start");
  const double smallest = spacing > 0 ? spacing : 2 * site.radii.min;
  site.check_count(length / smallest + 1, spacing > 0 ? "spacing" : "radius");
  double at = 0, before = 0;
  for (std::size_t k = 0;; ++k) {
    const double radius = site.radius(k);
    if (k > 0) at = spacing > 0 ? double(k) * spacing : at + before + radius;
    if (at > length * (1 + 1e-12)) return;
    before = radius;
    sketch.add(start + along * (at / length), radius);
  }
}

template <int D> void Chain<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  site.check_count(double(count), "count");
  const double length = norm(direction);
  if (!(length > 0) || !std::isfinite(length))
    throw BuildError("direction", "expected a vector that is not zero");
  if (strikers > count)
    throw BuildError("strikers", "expected at most count = " + std::to_string(count));
  const auto gaps = static_cast<std::size_t>(count) - 1;
  if (gap.listed() && gap.list.size() != gaps)
    throw BuildError("gap", "expected one entry per gap (" + std::to_string(gaps) + "), found " + std::to_string(gap.list.size()));
  double at = 0, before = 0;
  for (std::size_t k = 0; k < std::size_t(count); ++k) {
    const double radius = site.radius(k);
    if (k > 0) at += before + gap.of(k - 1, [&] { return site.random(Draw::gap, k); }) + radius;
    before = radius;
    sketch.add(start + direction * (at / length), radius);
    if (speed != 0)
      sketch.v.push_back(k < std::size_t(strikers) ? direction * (speed / length)
                                                   : Vec<D, double>{});
  }
}

template struct Line<2>;
template struct Line<3>;
template struct Chain<2>;
template struct Chain<3>;

}  // namespace scree
