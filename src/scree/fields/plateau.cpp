// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/plateau.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/analysis/deposit.hpp"
#include "scree/analysis/moments.hpp"
#include "scree/analysis/radial_profile.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/field_set.hpp"

namespace scree::fields {
namespace {

/// Points in the middle, and how far from them the border is.
struct Middle {
  std::vector<double> points;
  double room = 0;
};

Middle ring(const Frame& f, const Plan& plan, std::size_t count) {
  const double cx = plan.centre.size() == 2 ? plan.centre[0] : 0, cy = plan.centre.size() == 2 ? plan.centre[1] : 0;
  const RadialExtent extent = radial_extent(f, cx, cy);
  const double r = 0.5 * (extent.lo + extent.hi);
  Middle m{{}, 0.5 * (extent.hi - extent.lo)};
  for (std::size_t k = 0; k < count; ++k) {
    const double t = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
    m.points.insert(m.points.end(), {cx + r * std::cos(t), cy + r * std::sin(t)});
    if (f.dim == 3) m.points.push_back(0);
  }
  return m;
}

/// A grid over the middle half of what the grains cover; the border is a quarter away.
Middle box(const Frame& f, std::size_t count) {
  const auto dim = static_cast<std::size_t>(f.dim);
  std::vector<double> lo(dim, 1e300), hi(dim, -1e300);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f.held[i]) continue;
    for (std::size_t a = 0; a < dim; ++a) {
      lo[a] = std::min(lo[a], f.x[i * dim + a] - f.radius[i]);
      hi[a] = std::max(hi[a], f.x[i * dim + a] + f.radius[i]);
    }
  }
  const auto each = static_cast<std::size_t>(std::max(2.0, std::round(std::pow(static_cast<double>(count), 1.0 / f.dim))));
  Middle m{{}, 1e300};
  std::vector<std::vector<double>> ticks;
  for (std::size_t a = 0; a < dim; ++a) {
    const double length = hi[a] - lo[a];
    ticks.push_back(middles(lo[a] + 0.25 * length, hi[a] - 0.25 * length, each));
    m.room = std::min(m.room, 0.25 * length);
  }
  Grid grid = make_grid(f.dim == 2 ? "xy" : "xyz", f.dim);
  grid.ticks = ticks;
  m.points.resize(grid.size() * dim);
  for (std::size_t p = 0; p < grid.size(); ++p) grid.coordinates_of(p, &m.points[p * dim]);
  return m;
}

}  // namespace

Plateau find_plateau(const Frame& given, const RunInfo& info, const Plan& plan, const PlateauRules& rules) {
  Frame frame = given;
  frame.has_contacts = false;
  frame.contacts = {};
  const double radius = mean_free_radius(frame);
  if (!(radius > 0)) throw InputError("fields: there are no free grains to choose a width from");
  const bool round = plan.coordinates == "r" || plan.coordinates == "r-theta";
  if (round && frame.dim != 2) throw InputError("fields: the plateau on a ring needs a run with dim = 2");
  const Middle middle = round ? ring(frame, plan, rules.points) : box(frame, rules.points);
  const double cut = kernel_named(plan.kernel) == KernelKind::gauss ? 3 : 1;
  const double smallest = rules.smallest * radius / cut, largest = (rules.largest > 0 ? rules.largest : middle.room) / cut;
  if (!(largest > smallest)) throw InputError("fields: the grains cover too little to look for a plateau");

  Plan one = plan;
  one.coordinates.clear();
  one.counts.clear();
  one.lo.clear();
  one.hi.clear();
  one.points = middle.points;
  one.width_in_radii = 0;
  one.balance = false;
  Plateau p;
  for (std::size_t k = 0; k < rules.widths; ++k) {
    one.width = smallest * std::pow(largest / smallest, static_cast<double>(k) / static_cast<double>(rules.widths - 1));
    const Resolved r = resolve(one, info, frame);
    const CoarseGrainer grainer(r.grid, r.settings, r.around);
    const FrameSums sums = grainer(frame);
    std::vector<double> values;
    for (std::size_t q = 0; q < r.grid.size(); ++q) values.push_back(sums.values[q * grainer.layout().size + grainer.layout().volume]);
    const Moments m = moments(values);
    p.width.push_back(one.width);
    p.mean.push_back(m.mean);
    p.spread.push_back(m.stderr_ * std::sqrt(static_cast<double>(values.size())));
  }
  for (std::size_t k = 0; k + rules.least <= p.width.size() && !p.found; ++k) {
    double sum = 0;
    for (std::size_t j = k; j < p.width.size(); ++j) sum += p.mean[j];
    const double level = sum / static_cast<double>(p.width.size() - k);
    double worst = 0;
    for (std::size_t j = k; j < p.width.size(); ++j) worst = std::max(worst, std::abs(p.mean[j] - level));
    if (!(worst <= rules.tolerance * level)) continue;
    p.found = true;
    p.from = p.width[k];
    p.level = level;
  }
  return p;
}

std::string no_plateau(const Plateau& plateau) {
  return "the mean volume density comes to no plateau up to w = " + brief(plateau.width.back()) + " m";
}

}  // namespace scree::fields
