// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/analysis/deposit.hpp"
#include "scree/analysis/radial_profile.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/checks.hpp"

namespace scree::fields {
namespace {

using std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::int64_t> places(const std::vector<std::string>& wanted, const std::vector<std::string>& known, const char* what) {
  std::vector<std::int64_t> list;
  for (const auto& name : wanted) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      throw InputError(fmt::format("fields: there is no {} {} in this run; it has {}{}", what, in_quotes(name), join(known),
                                   did_you_mean(name, known)));
    list.push_back(at - known.begin());
  }
  return list;
}

/// Where the free grains reach, along every axis; the period where there is one.
struct Extent {
  std::array<double, 3> lo{}, hi{};
};

Extent extent_of(const Frame& f, const Surroundings& around, bool held) {
  Extent e;
  e.lo.fill(infinity);
  e.hi.fill(-infinity);
  const auto dim = static_cast<std::size_t>(f.dim);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f.held[i] && !held) continue;
    for (std::size_t a = 0; a < dim; ++a) {
      e.lo[a] = std::min(e.lo[a], f.x[i * dim + a] - f.radius[i]);
      e.hi[a] = std::max(e.hi[a], f.x[i * dim + a] + f.radius[i]);
    }
  }
  for (std::size_t a = 0; a < dim; ++a)
    if (around.period[a] > 0) {
      e.lo[a] = around.lo[a];
      e.hi[a] = around.lo[a] + around.period[a];
    }
  return e;
}

double mean_radius_of(const Frame& f, bool held) {
  const double free = mean_free_radius(f);
  if (free > 0 || !held) return free;
  double sum = 0;
  for (const double r : f.radius) sum += r;
  return f.size() > 0 ? sum / static_cast<double>(f.size()) : 0;
}

constexpr std::size_t most_cells = 256;
constexpr std::size_t most_points = 50'000'000;

}  // namespace

Resolved resolve(const Plan& plan, const RunInfo& info, const Frame& first) {
  Resolved r;
  r.around = surroundings_of(info);
  const int dim = info.dim;
  const auto n = static_cast<std::size_t>(dim);
  Settings& s = r.settings;
  s.kernel = kernel_named(plan.kernel);
  s.border = border_named(plan.boundary);
  s.balance = plan.balance;
  s.selection.held = plan.held;
  s.selection.materials = places(plan.species, info.materials, "species");
  s.selection.groups = places(plan.groups, info.groups, "group");
  if (!plan.region.empty()) s.selection.region = parse_region(plan.region, dim);
  if (!plan.sizes.empty()) {
    if (plan.sizes.size() != 2 || !(plan.sizes[1] >= plan.sizes[0]))
      throw InputError("fields: sizes: expected the smallest and the largest radius in m");
    s.selection.smallest = plan.sizes[0];
    s.selection.largest = plan.sizes[1];
  }

  const double radius = mean_radius_of(first, plan.held);
  if (!(radius > 0)) throw InputError("fields: there are no free grains" + std::string(plan.held ? "" : " (held ones count with \"held\")"));
  const Extent extent = extent_of(first, r.around, plan.held || mean_free_radius(first) == 0);

  if (plan.width < 0 || plan.width_in_radii < 0) throw InputError("fields: width: expected a number > 0");
  if (plan.width > 0 && plan.width_in_radii > 0) throw InputError("fields: the width is given twice, in m and in radii; expected one");
  s.width = plan.width > 0 ? plan.width : plan.width_in_radii * radius;
  if (!(s.width > 0)) {
    s.width = 4 * radius / (s.kernel == KernelKind::gauss ? 3 : 1);
    r.notes.push_back(fmt::format("width {:.4g} m: the kernel reaches over two mean diameters", s.width));
  }

  // the grid
  Grid& g = r.grid;
  if (!plan.points.empty()) {
    if (!plan.coordinates.empty() && plan.coordinates != (dim == 2 ? "xy" : "xyz"))
      throw InputError("fields: points have all coordinates of the run; expected no other choice of them beside");
    if (plan.points.size() % n != 0) throw InputError(fmt::format("fields: points: expected {} numbers each", n));
    g = scattered_grid(dim, plan.points);
  } else {
    g = make_grid(plan.coordinates.empty() ? (dim == 2 ? "xy" : "xyz") : plan.coordinates, dim);
  }
  if (!plan.centre.empty() && plan.centre.size() != 2) throw InputError("fields: centre: expected x and y in m");
  if (plan.centre.size() == 2) g.centre = {plan.centre[0], plan.centre[1]};
  const Kernel kernel(s.kernel, static_cast<int>(g.axes.size()), s.width);
  const RadialExtent ring = radial_extent(first, g.centre[0], g.centre[1]);
  if (!g.is_scattered() || plan.points.empty()) {
    const std::size_t m = g.names.size();
    for (const auto* list : {&plan.lo, &plan.hi})
      if (!list->empty() && list->size() != m)
        throw InputError(fmt::format("fields: the coordinates {} want {} limits, found {}", g.coordinates, m, list->size()));
    if (!plan.counts.empty() && plan.counts.size() != m && plan.counts.size() != 1)
      throw InputError(fmt::format("fields: the coordinates {} want {} counts, found {}", g.coordinates, m, plan.counts.size()));
    double all = 1;
    for (std::size_t k = 0; k < m; ++k) {
      double lo = 0, hi = 0, step = 0.25 * kernel.reach();
      if (g.names[k] == "r") lo = ring.lo, hi = ring.hi;
      else if (g.names[k] == "theta") lo = 0, hi = 2 * pi, step /= std::max(ring.hi, kernel.reach());
      else lo = extent.lo[static_cast<std::size_t>(g.axes[k])], hi = extent.hi[static_cast<std::size_t>(g.axes[k])];
      if (!plan.lo.empty()) lo = plan.lo[k];
      if (!plan.hi.empty()) hi = plan.hi[k];
      if (!(hi > lo) || !std::isfinite(hi - lo))
        throw InputError(fmt::format("fields: {} from {} to {}: expected limits that grow", g.names[k], brief(lo), brief(hi)));
      std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil((hi - lo) / step)), 1, most_cells);
      if (!plan.counts.empty()) count = plan.counts[plan.counts.size() == 1 ? 0 : k];
      if (count == 0) throw InputError("fields: counts: expected numbers > 0");
      all *= static_cast<double>(count);
      if (all > static_cast<double>(most_points)) throw InputError(fmt::format("fields: a grid of more than {} points", most_points));
      g.ticks.push_back(middles(lo, hi, count));
      if (plan.counts.empty() || plan.lo.empty() || plan.hi.empty())
        r.notes.push_back(fmt::format("{}: {} cells from {:.4g} to {:.4g} {}", g.names[k], count, lo, hi, g.names[k] == "theta" ? "rad" : "m"));
    }
  }
  if (g.coordinates == "r") {
    const double outer = g.ticks[0].back();
    g.angles = plan.angles > 0 ? plan.angles
                               : std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(8 * pi * outer / kernel.reach())), 16, 4096);
  }

  // the domain
  const Region given = plan.domain.empty() ? Region{} : parse_region(plan.domain, dim);
  s.domain = given;
  if (plan.domain.empty() && (s.border == Border::normalised || s.border == Border::mirror) && !g.axes.empty()) {
    if (g.polar() && s.border == Border::normalised) {
      s.domain = ring.lo > 0 ? Region::annulus(g.centre[0], g.centre[1], ring.lo, ring.hi) : Region::disc(g.centre[0], g.centre[1], ring.hi);
    } else {
      std::array<double, 3> lo{-infinity, -infinity, -infinity}, hi{infinity, infinity, infinity};
      for (std::size_t a = 0; a < n; ++a)
        if (!(r.around.period[a] > 0)) lo[a] = extent.lo[a], hi[a] = extent.hi[a];
      s.domain = Region::box(lo, hi);
    }
    r.notes.push_back("domain " + s.domain.text(dim) + ", from the free grains of the first frame");
  }
  const RegionMass meant(s.border == Border::normalised ? s.domain : Region{}, g.axes);

  // what is averaged over
  for (std::size_t a = 0; a < n; ++a) {
    if (std::find(g.axes.begin(), g.axes.end(), static_cast<int>(a)) != g.axes.end()) continue;
    const bool boxed = given.kind == Region::Kind::box && std::isfinite(given.hi[a] - given.lo[a]);
    const double length = boxed ? given.hi[a] - given.lo[a] : extent.hi[a] - extent.lo[a];
    g.measure *= length;
    r.notes.push_back(fmt::format("averaged over {}, {:.4g} m", "xyz"[a], length));
  }
  if (!g.axes.empty()) {
    double smallest = infinity;
    for (const int a : g.axes) {
      const auto k = static_cast<std::size_t>(a);
      smallest = std::min(smallest, extent.hi[k] - extent.lo[k]);
    }
    if (2 * kernel.reach() > smallest)
      r.notes.push_back(fmt::format("warning: the kernel is {:.4g} m across, and the grains reach over {:.4g} m only: fields are smeared over "
                                    "the whole domain", 2 * kernel.reach(), smallest));
    // there is one image beyond each side: what is farther away than the box is wide would need images of images
    if (s.border == Border::mirror && s.domain.kind == Region::Kind::box)
      for (const int a : g.axes) {
        const double side = s.domain.hi[static_cast<std::size_t>(a)] - s.domain.lo[static_cast<std::size_t>(a)];
        if (kernel.reach() > side)
          r.notes.push_back(fmt::format("warning: the kernel reaches over {:.4g} m, and the box is mirrored once beyond each side, {:.4g} m along {}: "
                                        "fields are too small", kernel.reach(), side, "xyz"[a]));
      }
  }
  const auto others = info.extra.find("other_forces");
  if (plan.balance && info.forces.empty() && others != info.extra.end())  // a file of an older program
    r.notes.push_back(fmt::format("warning: the run has {} and was recorded by a program that did not write how strong: the momentum rate and the body force lack it",
                                  others->second));
  check(g, s);
  return r;
}

}  // namespace scree::fields
