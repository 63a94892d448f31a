// SPDX-License-Identifier: BSD-3-Clause
/// Every field, kernel, border and set of coordinates against sums by definition (direct.hpp), to 1e-12 of the largest
/// value of the field: sums of a hundred terms in another order differ by some 1e-15, line integrals are good to that.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "scree/fields/average.hpp"
#include "tests/fields/clouds.hpp"
#include "tests/fields/direct.hpp"

namespace scree::fields {
namespace {

const std::vector<KernelKind> kernels{KernelKind::heaviside, KernelKind::gauss, KernelKind::lucy, KernelKind::mollifier};

struct Case {
  Frame frame;
  Grid grid;
  Settings settings;
  Surroundings around;
  std::vector<direct::Shells> shells = {};  // of each point, where a domain in space is normalised by
};

double shear_ahead(const Surroundings& s, double t) {
  const double way = s.shear_rate * s.period[1] * (t - s.shear_from);
  return way - s.period[0] * std::floor(way / s.period[0] + 0.5);
}

/// The part of the kernel at a place that is inside the domain of a normalisation.
double part_of(const Case& c, const std::vector<double>& x, std::size_t point) {
  if (c.settings.border != Border::normalised || c.grid.axes.empty()) return 1;
  if (c.grid.axes.size() == 3) return c.shells.at(point).mass(c.settings.kernel, c.settings.width);
  return direct::inside(c.settings.kernel, static_cast<int>(c.grid.axes.size()), c.settings.width, c.settings.domain, c.grid.axes, x);
}

double largest_of(const std::vector<std::map<std::string, std::vector<double>>>& truth, const std::string& name) {
  double scale = 0;
  for (const auto& one : truth)
    for (const double value : one.at(name))
      if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  return scale;
}

void compare(Case c, const std::string& what, double tolerance = 1e-12) {
  // the terms of the balances wherever they are defined
  const bool gradient = c.settings.kernel != KernelKind::heaviside || c.grid.axes.empty();
  c.settings.balance = gradient && (c.settings.border != Border::normalised || c.grid.axes.empty());
  const CoarseGrainer grainer(c.grid, c.settings, c.around);
  Averager average(grainer);
  average.add(c.frame);
  const FieldTable table = average.result();
  direct::Question q{c.settings.kernel, c.settings.width, c.settings.border, c.settings.domain, c.grid.axes, c.grid.measure,
                     c.around.period, 0, 0, c.around.gravity, c.around.damping};
  if (c.around.shear_rate != 0) {
    q.ahead = shear_ahead(c.around, c.frame.time);
    q.speed = c.around.shear_rate * c.around.period[1];
  }
  std::vector<std::map<std::string, std::vector<double>>> truth;
  for (std::size_t p = 0; p < c.grid.size(); ++p) {
    std::vector<direct::Sample> samples;
    for (std::size_t k = 0; k < c.grid.samples(); ++k) {
      double x[3]{}, angle = 0;
      c.grid.place(p, k, x, angle);
      const std::vector<double> at(x, x + c.grid.axes.size());
      samples.push_back({at, angle, part_of(c, at, p)});
    }
    truth.push_back(direct::fields(c.frame, q, samples));
  }
  std::set<std::string> left;
  for (const auto& [name, values] : truth[0]) left.insert(name);
  for (const Field& f : table.fields) {
    ASSERT_EQ(left.erase(f.name), 1u) << f.name;
    if (!gradient && (f.name == "shear_rate" || f.name == "inertial_number" || f.name == "velocity_gradient")) {
      for (const double value : f.values) EXPECT_TRUE(std::isnan(value)) << what << " " << f.name;
      continue;
    }
    double scale = largest_of(truth, f.name);
    // what a balance leaves is compared with its terms
    if (f.name == "continuity_residual") scale = largest_of(truth, "density_rate");
    if (f.name == "momentum_residual")
      for (const char* term : {"momentum_rate", "flux_divergence", "stress_divergence", "body_force", "wall_force"})
        scale = std::max(scale, largest_of(truth, term));
    for (std::size_t p = 0; p < c.grid.size(); ++p)
      for (std::size_t k = 0; k < f.width(); ++k) {
        const double ours = f.values[p * f.width() + k], theirs = truth[p].at(f.name)[k];
        if (!std::isfinite(theirs)) {
          EXPECT_FALSE(std::isfinite(ours)) << what << " " << f.name;
          continue;
        }
        // of I and mu near zero pressure the rounding of P is all there is
        double allowed = tolerance * scale;
        if (f.name == "mu" || f.name == "inertial_number") {
          if (truth[p].at("pressure")[0] <= 0) {
            EXPECT_TRUE(std::isnan(ours));
            continue;
          }
          allowed = std::max(allowed, tolerance * std::abs(theirs) * largest_of(truth, "pressure") / truth[p].at("pressure")[0]);
        }
        EXPECT_NEAR(ours, theirs, allowed) << what << ", " << f.name << "_" << f.components[k] << " at point " << p;
      }
  }
  // nothing is left that the library does not have
  for (const std::string& name : left) {
    const bool of_balance = name.ends_with("_rate") || name.ends_with("_divergence") || name.ends_with("_residual") || name == "body_force";
    EXPECT_TRUE(name == "wall_force" ? c.settings.border != Border::wall : of_balance && !c.settings.balance) << what << ": no " << name;
  }
}

Grid box_grid(const std::string& coordinates, int dim, double lo, double hi, std::size_t n) {
  Grid g = make_grid(coordinates, dim);
  for (std::size_t k = 0; k < g.names.size(); ++k) g.ticks.push_back(middles(lo, hi, n + k));
  return g;
}

struct Treatment {
  Border border;
  Region domain;
  std::string text() const { return std::string(name_of(border)) + " " + domain.text(); }
};

/// All there are, of fields over the given axes.
std::vector<Treatment> treatments(const Grid& grid) {
  const auto seen = [&](int axis) { return std::find(grid.axes.begin(), grid.axes.end(), axis) != grid.axes.end(); };
  std::array<double, 3> oblique{0.3, 1, -0.5};
  for (int a = 0; a < 3; ++a)
    if (!seen(a)) oblique[static_cast<std::size_t>(a)] = 0;
  if (grid.axes.empty()) oblique = {0, 1, 0};
  const Region plane = Region::half_plane({0.1, 0.15, 0.4}, oblique), straight = Region::half_plane({0.1, 0.1, 0.1}, [&] {
    std::array<double, 3> n{};
    n[grid.axes.empty() ? 1 : static_cast<std::size_t>(grid.axes.back())] = 1;
    return n;
  }());
  const Region box = Region::box({0.05, 0, -0.02}, {1, 0.97, 1.1});
  std::vector<Treatment> all{{Border::none, {}},        {Border::wall, {}},          {Border::normalised, box}, {Border::normalised, plane},
                             {Border::normalised, straight}, {Border::mirror, box},  {Border::mirror, plane}};
  if (seen(0) && seen(1)) {
    all.push_back({Border::normalised, Region::disc(0.5, 0.45, 0.55)});
    all.push_back({Border::normalised, Region::annulus(0.5, 0.5, 0.15, 0.6)});
  }
  return all;
}

/// A grid of few points, some near the borders above.
Grid few_points(const std::string& coordinates, int dim) {
  if (coordinates == "xyz") return scattered_grid(3, {0.2, 0.3, 0.25, 0.55, 0.25, 0.85, 0.8, 0.6, 0.5});
  Grid g = make_grid(coordinates, dim);
  g.centre = {0.5, 0.5};
  if (coordinates == "r-theta") g.ticks = {{0.22, 0.4}, {0.7, 2.2, 4.4}};
  else if (coordinates == "r") g.ticks = {{0.22, 0.4}}, g.angles = 5;
  else
    for (std::size_t k = 0; k < g.names.size(); ++k) g.ticks.push_back(middles(0.15, 0.85, 2 + k));
  if (static_cast<int>(g.axes.size()) < dim) g.measure = 0.7;
  return g;
}

/// Every field by every kernel with every treatment of the border, over every set of coordinates: with held grains, contacts with a
/// wall, gravity and damping, and all terms of the balances where they are defined.
void every_treatment(int dim) {
  clouds::Recipe recipe;
  recipe.dim = dim;
  recipe.held = 5;
  recipe.walls = true;
  recipe.grains = dim == 2 ? 40 : 70;
  recipe.radius = dim == 2 ? 0.08 : 0.11;
  const Frame frame = clouds::cloud(recipe);
  for (const std::string& name : coordinate_names(dim)) {
    const Grid grid = few_points(name, dim);
    for (const Treatment& treatment : treatments(grid)) {
      Case c{frame, grid, {}, {}};
      c.around.dim = dim;
      c.around.gravity = {0.7, -9.81, dim == 3 ? 1.5 : 0};
      c.around.damping = 0.6;
      c.settings.border = treatment.border;
      c.settings.domain = treatment.domain;
      const double reach = 0.36;
      if (treatment.border == Border::normalised && grid.axes.size() == 3)
        for (std::size_t p = 0; p < grid.size(); ++p) {
          direct::Vec3 x{};
          grid.coordinates_of(p, x.data());
          c.shells.push_back(direct::shells(treatment.domain, x, reach));
        }
      for (const KernelKind kernel : kernels) {
        c.settings.kernel = kernel;
        c.settings.width = kernel == KernelKind::gauss ? reach / 3 : reach;
        compare(c, fmt::format("{} {} in {}, {}", name_of(kernel), name, dim, treatment.text()));
      }
    }
  }
}

TEST(FieldsDirect, EveryFieldKernelAndTreatmentInThePlane) { every_treatment(2); }
TEST(FieldsDirect, EveryFieldKernelAndTreatmentInSpace) { every_treatment(3); }

TEST(FieldsDirect, PeriodicImagesAndAWidthBeyondTheBox) {
  clouds::Recipe recipe;
  recipe.periodic = true;
  recipe.grains = 25;
  recipe.radius = 0.12;
  const Frame frame = clouds::cloud(recipe);
  for (const double width : {0.4, 1.6})
    for (const double shear : {0.0, 0.37}) {
      Case c{frame, box_grid("xy", 2, 0.05, 0.95, 3), {}, {}};
      c.around.period = {1, 1, 0};
      c.around.shear_rate = shear;
      c.settings.kernel = KernelKind::lucy;
      c.settings.width = width;
      compare(c, fmt::format("period, w = {}, shear {}", width, shear));
    }
}

/// The mean over the angle of all linear fields, and quotients of means.
TEST(FieldsDirect, ARadialProfileIsTheMeanOfAPolarGrid) {
  const Frame frame = clouds::cloud({});
  Grid polar = make_grid("r-theta", 2), radial = make_grid("r", 2);
  polar.centre = radial.centre = {0.5, 0.5};
  radial.angles = 8;
  radial.ticks = {{0.2, 0.35}};
  polar.ticks = {{0.2, 0.35}, middles(0, 2 * std::numbers::pi, 8)};
  Settings settings;
  settings.width = 0.3;
  const CoarseGrainer fine(polar, settings, {}), coarse(radial, settings, {});
  Averager all(fine), mean(coarse);
  all.add(frame);
  mean.add(frame);
  const FieldTable grid = all.result(), profile = mean.result();
  for (const char* name : {"volume_density", "density", "momentum", "contact_stress", "fabric", "spin_density"}) {
    const Field &f = *find_field(grid.fields, name), &g = *find_field(profile.fields, name);
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t k = 0; k < f.width(); ++k) {
        double sum = 0, scale = 0;
        for (std::size_t t = 0; t < 8; ++t) {
          sum += f.values[(8 * r + t) * f.width() + k];
          scale = std::max(scale, std::abs(f.values[(8 * r + t) * f.width() + k]));
        }
        EXPECT_NEAR(g.values[r * g.width() + k], sum / 8, 1e-14 * scale) << name;
      }
  }
  // the kinetic stress is that about the mean velocity of the ring: Σ m v v phi - rho V V is the same both ways
  const auto second = [](const FieldTable& t, std::size_t p, std::size_t a, std::size_t b) {
    return -find_field(t.fields, "kinetic_stress")->values[4 * p + 2 * a + b] +
           find_field(t.fields, "density")->values[p] * find_field(t.fields, "velocity")->values[2 * p + a] *
               find_field(t.fields, "velocity")->values[2 * p + b];
  };
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b) {
        double sum = 0;
        for (std::size_t t = 0; t < 8; ++t) sum += second(grid, 8 * r + t, a, b) / 8;
        EXPECT_NEAR(second(profile, r, a, b), sum, 1e-13 * std::abs(sum) + 1e-14);
      }
}

}  // namespace
}  // namespace scree::fields
