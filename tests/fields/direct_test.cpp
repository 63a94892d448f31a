// SPDX-License-Identifier: BSD-3-Clause
/// Every field, kernel, border and set of coordinates against sums by definition (direct.hpp), to 1e-12 of the largest
/// value of the field: sums of a hundred terms in another order differ by some 1e-15, line integrals are good to that.
#include <gtest/gtest.h>

#include <fmt/format.h>

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
};

double shear_ahead(const Surroundings& s, double t) {
  const double way = s.shear_rate * s.period[1] * (t - s.shear_from);
  return way - s.period[0] * std::floor(way / s.period[0] + 0.5);
}

/// Turns Cartesian components to those along r and t.
void turn(std::vector<double>& v, std::size_t dim, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  std::array<std::array<double, 3>, 3> Q{{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
  std::vector<double> out(v.size(), 0.0);
  if (v.size() == dim) {
    for (std::size_t a = 0; a < dim; ++a)
      for (std::size_t b = 0; b < dim; ++b) out[a] += Q[a][b] * v[b];
  } else if (v.size() == dim * dim) {
    for (std::size_t a = 0; a < dim; ++a)
      for (std::size_t b = 0; b < dim; ++b)
        for (std::size_t p = 0; p < dim; ++p)
          for (std::size_t q = 0; q < dim; ++q) out[dim * a + b] += Q[a][p] * Q[b][q] * v[dim * p + q];
  } else {
    return;
  }
  v = out;
}

void compare(const Case& c, const std::string& what, double tolerance = 1e-12) {
  const CoarseGrainer grainer(c.grid, c.settings, c.around);
  Averager average(grainer);
  average.add(c.frame);
  const FieldTable table = average.result();
  direct::Question q{c.settings.kernel, c.settings.width, c.settings.border, c.settings.domain, c.grid.axes, c.grid.measure,
                     c.around.period, 0, 0, {}};
  if (c.around.shear_rate != 0) {
    q.ahead = shear_ahead(c.around, c.frame.time);
    q.speed = c.around.shear_rate * c.around.period[1];
  }
  ASSERT_EQ(c.grid.samples(), 1u);
  std::vector<std::map<std::string, std::vector<double>>> truth;
  for (std::size_t p = 0; p < c.grid.size(); ++p) {
    double x[3]{}, angle = 0;
    c.grid.place(p, 0, x, angle);
    truth.push_back(direct::fields(c.frame, q, {x, x + c.grid.axes.size()}));
    if (c.grid.polar())
      for (auto& [name, values] : truth.back()) turn(values, static_cast<std::size_t>(c.grid.dim), angle);
  }
  std::size_t seen = 0;
  for (const Field& f : table.fields) {
    ASSERT_TRUE(truth[0].contains(f.name)) << f.name;
    if (c.settings.kernel == KernelKind::heaviside && (f.name == "shear_rate" || f.name == "inertial_number" || f.name == "velocity_gradient")) {
      for (const double value : f.values) EXPECT_EQ(std::isnan(value), !c.grid.axes.empty()) << what << " " << f.name;
      continue;
    }
    double scale = 0;
    for (const auto& one : truth)
      for (const double value : one.at(f.name))
        if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
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
          double pressures = 0;
          for (const auto& one : truth) pressures = std::max(pressures, std::abs(one.at("pressure")[0]));
          if (truth[p].at("pressure")[0] <= 0) {
            EXPECT_TRUE(std::isnan(ours));
            continue;
          }
          allowed = std::max(allowed, tolerance * std::abs(theirs) * pressures / truth[p].at("pressure")[0]);
        }
        EXPECT_NEAR(ours, theirs, allowed) << what << ", " << f.name << "_" << f.components[k] << " at point " << p;
        ++seen;
      }
  }
  EXPECT_GT(seen, c.grid.size() * 20) << what;
}

Grid box_grid(const std::string& coordinates, int dim, double lo, double hi, std::size_t n) {
  Grid g = make_grid(coordinates, dim);
  for (std::size_t k = 0; k < g.names.size(); ++k) g.ticks.push_back(middles(lo, hi, n + k));
  return g;
}

TEST(FieldsDirect, EveryKernelAndBorderInThePlane) {
  clouds::Recipe recipe;
  recipe.held = 6;
  recipe.walls = true;
  const Frame frame = clouds::cloud(recipe);
  for (const KernelKind kernel : kernels)
    for (const Border border : {Border::none, Border::normalised, Border::wall}) {
      Case c{frame, box_grid("xy", 2, 0.05, 0.95, 4), {}, {}};
      c.settings.kernel = kernel;
      c.settings.width = kernel == KernelKind::gauss ? 0.11 : 0.3;
      c.settings.border = border;
      c.settings.domain = Region::box({0, 0, -1e9}, {1, 1, 1e9});
      compare(c, fmt::format("{} {}", name_of(kernel), name_of(border)));
    }
}

TEST(FieldsDirect, EveryDomainOfTheNormalisation) {
  const Frame frame = clouds::cloud({});
  const std::vector<Region> domains{Region::disc(0.5, 0.45, 0.55), Region::annulus(0.5, 0.5, 0.2, 0.6),
                                    Region::half_plane({0.1, 0.05, 0}, {0.3, 1, 0}), Region::half_plane({0.1, 0.05, 0}, {0, 1, 0}),
                                    Region::box({0.1, 0.2, -1e9}, {0.6, 0.8, 1e9})};
  for (const KernelKind kernel : kernels)
    for (const Region& domain : domains) {
      Case c{frame, box_grid("xy", 2, 0.2, 0.9, 3), {}, {}};
      c.settings.kernel = kernel;
      c.settings.width = kernel == KernelKind::gauss ? 0.1 : 0.37;
      c.settings.border = Border::normalised;
      c.settings.domain = domain;
      compare(c, fmt::format("{} {}", name_of(kernel), domain.text()));
    }
}

TEST(FieldsDirect, EveryAxisIsAveragedOver) {
  clouds::Recipe recipe;
  recipe.dim = 3;
  recipe.grains = 60;
  recipe.radius = 0.12;
  const Frame space = clouds::cloud(recipe);
  recipe.dim = 2;
  const Frame plane = clouds::cloud(recipe);
  for (const KernelKind kernel : kernels)
    for (const int dim : {2, 3})
      for (const std::string& name : coordinate_names(dim)) {
        if (name[0] == 'r') continue;
        Case c{dim == 2 ? plane : space, box_grid(name, dim, 0.1, 0.9, 3), {}, {}};
        c.grid.measure = 0.7;
        c.settings.kernel = kernel;
        c.settings.width = kernel == KernelKind::gauss ? 0.1 : 0.31;
        compare(c, fmt::format("{} {} in {}", name_of(kernel), name, dim));
      }
}

TEST(FieldsDirect, BordersInSpaceAndAlongOneAxis) {
  clouds::Recipe recipe;
  recipe.dim = 3;
  recipe.held = 5;
  recipe.walls = true;
  recipe.grains = 90;
  recipe.radius = 0.1;
  const Frame frame = clouds::cloud(recipe);
  for (const KernelKind kernel : kernels)
    for (const char* name : {"z", "y", "xyz"}) {
      Case c{frame, box_grid(name, 3, 0.1, 0.8, 2), {}, {}};
      c.settings.kernel = kernel;
      c.settings.width = kernel == KernelKind::gauss ? 0.12 : 0.35;
      c.settings.border = Border::wall;
      compare(c, fmt::format("{} {} wall", name_of(kernel), name));
      if (std::string(name) == "xyz") continue;  // the mass in space has a test of its own
      c.settings.border = Border::normalised;
      c.settings.domain = Region::box({0, 0, 0}, {1, 1, 1});
      compare(c, fmt::format("{} {} box", name_of(kernel), name));
    }
}

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

TEST(FieldsDirect, PolarGridsHavePolarComponents) {
  const Frame frame = clouds::cloud({});
  for (const KernelKind kernel : kernels) {
    Case c{frame, make_grid("r-theta", 2), {}, {}};
    c.grid.centre = {0.5, 0.5};
    c.grid.ticks = {{0.1, 0.3}, {0.2, 2.2, 4.4}};
    c.settings.kernel = kernel;
    c.settings.width = kernel == KernelKind::gauss ? 0.1 : 0.3;
    compare(c, fmt::format("{} polar", name_of(kernel)));
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
