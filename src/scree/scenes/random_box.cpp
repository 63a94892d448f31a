// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/random_box.hpp"

#include "scree/scenes/insertion.hpp"

namespace scree {
namespace {

template <int D> void fill_box(const Site<D>& site, Sketch<D>& sketch, std::int64_t count,
                               const Corners<D>& box, std::int64_t tries, const std::string& key) {
  site.need_radii();
  site.check_count(double(count), "count");
  insertion::check_tries(tries);
  double room = 1;
  Vec<D, double> inset{};
  for (int k = 0; k < D; ++k) {
    const double length = box[1][k] - box[0][k];
    // a box as wide as a period has no sides there
    const bool whole = site.domain.periodic[std::size_t(k)] && box[0][k] <= site.domain.lo[k] &&
                       box[1][k] >= site.domain.hi[k];
    inset[k] = whole ? 0 : 1;
    if (!whole && length < 2 * site.radii.max)
      throw BuildError(
          key, "the box is narrower than the largest grain (" + brief(2 * site.radii.max) + " m)");
    room *= length;
  }
  const double need = double(count) * insertion::volume<D>(site.radii.mean());
  if (need > room)
    throw BuildError("count", "no room: " + std::to_string(count) + " grains would fill " +
                                  brief(need / room) + " times the box");
  OverlapGrid<D> grid(site.domain, std::size_t(count));
  const auto placed =
      insertion::insert<D>(site, count, tries, grid, sketch, [&](Random& random, double r) {
        Vec<D, double> x{};
        for (int k = 0; k < D; ++k)
          x[k] = random.uniform(box[0][k] + inset[k] * r, box[1][k] - inset[k] * r);
        return x;
      });
  if (placed < count)
    insertion::saturated(placed, count, need / room * double(placed) / double(count), tries);
}

}  // namespace

template <int D> void RandomBox<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  check_box<D>(box, "box");
  fill_box<D>(site, sketch, count, box, tries, "box");
}

template <int D> void Heap<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  site.need_radii();
  if (!(fill > 0) || fill > (D == 2 ? 0.5 : 0.35))
    throw BuildError("fill",
                     std::string("expected a number > 0 and at most ") + (D == 2 ? "0.5" : "0.35"));
  const double foot = D == 2 ? width : width * width;
  const double need = double(count) * insertion::volume<D>(site.radii.mean());
  Corners<D> box{centre, centre};
  for (int k = 0; k + 1 < D; ++k) {
    box[0][k] -= width / 2;
    box[1][k] += width / 2;
  }
  box[1][D - 1] += need / (fill * foot) + 2 * site.radii.max;
  fill_box<D>(site, sketch, count, box, 2000, "width");
}

template struct RandomBox<2>;
template struct RandomBox<3>;
template struct Heap<2>;
template struct Heap<3>;

}  // namespace scree
