// SPDX-License-Identifier: BSD-3-Clause
/// What is conserved: integrals of fields, the balances of mass and momentum, partial stresses.
#include <gtest/gtest.h>
#include <omp.h>

#include "scree/core/errors.hpp"
#include "scree/fields/average.hpp"
#include "scree/fields/derivatives.hpp"
#include "scree/fields/live.hpp"
#include "tests/fields/clouds.hpp"

namespace scree::fields {
namespace {

const std::vector<KernelKind> smooth_kernels{KernelKind::gauss, KernelKind::lucy, KernelKind::mollifier};

FieldTable table_of(const Frame& frame, const Grid& grid, const Settings& settings, const Surroundings& around = {}) {
  const CoarseGrainer grainer(grid, settings, around);
  Averager average(grainer);
  average.add(frame);
  return average.result();
}

double largest(const Field& f) {
  double most = 0;
  for (const double v : f.values)
    if (std::isfinite(v)) most = std::max(most, std::abs(v));
  return most;
}

const Field& field(const FieldTable& t, const char* name) {
  const Field* f = find_field(t.fields, name);
  if (!f) throw RunError(std::string("no field ") + name);
  return *f;
}

Grid cells(const std::string& coordinates, int dim, double lo, double hi, std::size_t n) {
  Grid g = make_grid(coordinates, dim);
  for (std::size_t k = 0; k < g.names.size(); ++k) g.ticks.push_back(middles(lo, hi, n));
  return g;
}

/// Two grains that touch, and nothing else.
Frame two_grains() {
  Frame f;
  f.has_contacts = true;
  f.id = {0, 1};
  f.x = {0.1, 0.2, 0.45, 0.4};
  f.v = {0.3, 0, -0.2, 0.1};
  f.w = {1, 2};
  f.q = {0, 0};
  f.radius = {0.22, 0.2};
  f.mass = {2, 1.5};
  f.inertia = {0.1, 0.1};
  f.material = f.group = {0, 0};
  f.held = {0, 0};
  f.contacts.id1 = {0};
  f.contacts.id2 = {1};
  f.contacts.overlap = {0.01};
  f.contacts.force = {-3, -1.25};
  f.contacts.branch = {0.35, 0.2};
  f.contacts.point = {0.28, 0.3};
  f.contacts.spring = {0};
  return f;
}

/// The trapezoidal rule on a smooth function that ends within the grid converges faster than any power: a hundred
/// points over a width leave rounding.
TEST(FieldBalance, TheContactStressOfTwoGrainsIntegratesToForceTimesBranch) {
  const Frame f = two_grains();
  Settings s;
  s.width = 0.5;
  const std::size_t n = 320;
  const double lo = -0.6, hi = 1.2, cell = std::pow((hi - lo) / static_cast<double>(n), 2);
  const FieldTable t = table_of(f, cells("xy", 2, lo, hi, n), s);
  const double expected[4]{-3 * 0.35, -3 * 0.2, -1.25 * 0.35, -1.25 * 0.2};
  double sum[4]{};
  const Field& stress = field(t, "contact_stress");
  for (std::size_t p = 0; p < n * n; ++p)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += stress.values[4 * p + k] * cell;
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(sum[k], expected[k], 1e-11);
  // and averaged over everything, whatever the kernel
  for (const KernelKind kernel : {KernelKind::heaviside, KernelKind::gauss, KernelKind::lucy, KernelKind::mollifier}) {
    s.kernel = kernel;
    const FieldTable whole = table_of(f, make_grid("0", 2), s);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(field(whole, "contact_stress").values[k], expected[k], 1e-15);
  }
}

/// Mass, momentum and Σ f (x) b of a periodic box, to 1e-10 of the sums of their sizes. The mollifier is flat enough at its edge for
/// a grid of an eightieth of its width.
TEST(FieldBalance, IntegralsGiveMassMomentumAndForcesBack) {
  clouds::Recipe recipe;
  recipe.periodic = true;
  const Frame f = clouds::cloud(recipe);
  Surroundings around;
  around.period = {1, 1, 0};
  Settings s;
  s.width = 0.8;
  const std::size_t n = 64;
  const FieldTable t = table_of(f, cells("xy", 2, 0, 1, n), s, around);
  const double cell = 1.0 / static_cast<double>(n * n);
  double mass = 0, px = 0, stress[4]{}, m = 0, mv = 0, fb[4]{}, size = 0;
  for (std::size_t p = 0; p < n * n; ++p) {
    mass += field(t, "density").values[p] * cell;
    px += field(t, "momentum").values[2 * p] * cell;
    for (std::size_t k = 0; k < 4; ++k) stress[k] += field(t, "contact_stress").values[4 * p + k] * cell;
  }
  for (std::size_t i = 0; i < f.size(); ++i) m += f.mass[i], mv += f.mass[i] * f.v[2 * i];
  for (std::size_t c = 0; c < f.contacts.size(); ++c)
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b) {
        fb[2 * a + b] += f.contacts.force[2 * c + a] * f.contacts.branch[2 * c + b];
        size += std::abs(f.contacts.force[2 * c + a] * f.contacts.branch[2 * c + b]);
      }
  EXPECT_NEAR(mass, m, 1e-10 * m);
  EXPECT_NEAR(px, mv, 1e-10 * mv);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(stress[k], fb[k], 1e-10 * size);
}

/// Of any kernel, along one axis, with w much larger than the period too.
TEST(FieldBalance, ProfilesOfAPeriodicBoxHoldItsMass) {
  clouds::Recipe recipe;
  recipe.periodic = true;
  const Frame f = clouds::cloud(recipe);
  Surroundings around;
  around.period = {1, 1, 0};
  double m = 0;
  for (const double one : f.mass) m += one;
  for (const double width : {0.7, 3.3}) {
    Settings s;
    s.width = width;
    Grid g = cells("y", 2, 0, 1, 256);
    const FieldTable t = table_of(f, g, s, around);
    double sum = 0;
    for (const double rho : field(t, "density").values) sum += rho / 256;
    EXPECT_NEAR(sum, m, 1e-10 * m) << width;
  }
}

struct Stage {
  const char* name;
  Frame frame;
  Grid grid;
  Surroundings around;
  Border border = Border::none;
  Region domain = {};
};

std::vector<Stage> stages() {
  std::vector<Stage> all;
  clouds::Recipe periodic;
  periodic.periodic = true;
  Surroundings box;
  box.period = {1, 1, 0};
  box.gravity = {0.5, -9.81, 0};
  box.damping = 0.7;
  all.push_back({"periodic", clouds::cloud(periodic), cells("xy", 2, 0, 1, 6), box});
  Surroundings sheared = box;
  sheared.shear_rate = 0.37;
  all.push_back({"sheared and damped", clouds::cloud(periodic), cells("xy", 2, 0, 1, 6), sheared});
  // the images of grains are drawn by the image of gravity
  Surroundings tilted;
  tilted.gravity = {3, -9.81, 0};
  tilted.damping = 0.4;
  all.push_back({"mirrored at a half-plane", clouds::cloud({}), cells("xy", 2, 0, 1, 6), tilted, Border::mirror,
                 Region::half_plane({0, 0, 0}, {0.6, 0.8, 0})});
  all.push_back({"mirrored at a box", clouds::cloud({}), cells("xy", 2, 0, 1, 6), tilted, Border::mirror, Region::box({0, 0, 0}, {1, 1, 0})});
  clouds::Recipe walled;
  walled.walls = true;
  walled.held = 8;
  Surroundings open;
  open.gravity = {0, -9.81, 0};
  all.push_back({"walls", clouds::cloud(walled), cells("xy", 2, -0.05, 1.05, 8), open, Border::wall});
  Grid radial = make_grid("r", 2);
  radial.centre = {0.5, 0.5};
  radial.ticks = {{0.1, 0.25, 0.4}};
  radial.angles = 12;
  all.push_back({"radial", clouds::cloud(walled), radial, open, Border::wall});
  all.push_back({"profile", clouds::cloud(walled), cells("y", 2, 0, 1, 9), open, Border::wall});
  clouds::Recipe space = walled;
  space.dim = 3;
  space.grains = 80;
  Surroundings open3 = open;
  open3.dim = 3;
  open3.gravity = {0, 0, -9.81};
  all.push_back({"space", clouds::cloud(space), cells("xyz", 3, 0, 1, 3), open3, Border::wall});
  return all;
}

/// With the gradient of the kernel and the recorded forces, away from walls and up to them.
TEST(FieldBalance, MassAndMomentumAreBalancedToRounding) {
  for (const KernelKind kernel : smooth_kernels)
    for (const Stage& stage : stages()) {
      Settings s;
      s.kernel = kernel;
      s.width = kernel == KernelKind::gauss ? 0.13 : 0.4;
      s.balance = true;
      s.border = stage.border;
      s.domain = stage.domain;
      const FieldTable t = table_of(stage.frame, stage.grid, s, stage.around);
      const double mass = std::max(largest(field(t, "density_rate")), largest(field(t, "momentum_divergence")));
      double force = 0;
      for (const char* name : {"momentum_rate", "flux_divergence", "stress_divergence", "body_force"})
        force = std::max(force, largest(field(t, name)));
      ASSERT_GT(mass, 0);
      ASSERT_GT(largest(field(t, "stress_divergence")), 0.01 * force) << stage.name;
      EXPECT_LT(largest(field(t, "continuity_residual")), 1e-12 * mass) << name_of(kernel) << " " << stage.name;
      EXPECT_LT(largest(field(t, "momentum_residual")), 1e-11 * force) << name_of(kernel) << " " << stage.name;
    }
}

/// Without the wall term the balance fails at walls: the test above could fail.
TEST(FieldBalance, WithoutTheWallTermItFailsAtWalls) {
  clouds::Recipe walled;
  walled.walls = true;
  walled.held = 8;
  Settings s;
  s.width = 0.4;
  s.balance = true;
  const FieldTable t = table_of(clouds::cloud(walled), cells("xy", 2, 0, 1, 8), s);
  EXPECT_GT(largest(field(t, "momentum_residual")), 0.01 * largest(field(t, "momentum_rate")));
}

/// The analytic terms are derivatives of the fields: differences of order 6 on a fine grid come to them. With h = w/100 and a mollifier, the
/// seventh derivative (some 1e7 in widths) leaves about 1e-5.
TEST(FieldBalance, AnalyticTermsAreTheDerivativesOfTheFields) {
  const Frame f = clouds::cloud({});
  Settings s;
  s.width = 0.4;
  s.balance = true;
  double before = 0;
  for (const std::size_t n : {15, 29}) {
    const Grid g = cells("xy", 2, 0.4, 0.4 + 0.004 * 29, n);
    const FieldTable t = table_of(f, g, s);
    const Field stress_x = derivative(g, field(t, "stress"), 0, 6), stress_y = derivative(g, field(t, "stress"), 1, 6);
    const Field p_x = derivative(g, field(t, "momentum"), 0, 6), p_y = derivative(g, field(t, "momentum"), 1, 6);
    const Field v_y = derivative(g, field(t, "velocity"), 1, 6);
    double worst = 0;
    for (std::size_t i = 3; i + 3 < n; ++i)
      for (std::size_t j = 3; j + 3 < n; ++j) {
        const std::size_t p = i * n + j;
        for (std::size_t a = 0; a < 2; ++a)
          worst = std::max(worst, std::abs(stress_x.values[4 * p + 2 * a] + stress_y.values[4 * p + 2 * a + 1] -
                                           field(t, "stress_divergence").values[2 * p + a]) / largest(field(t, "stress_divergence")));
        worst = std::max(worst, std::abs(p_x.values[2 * p] + p_y.values[2 * p + 1] - field(t, "momentum_divergence").values[p]) /
                                    largest(field(t, "momentum_divergence")));
        worst = std::max(worst, std::abs(v_y.values[2 * p] - field(t, "velocity_gradient").values[4 * p + 1]) /
                                    largest(field(t, "velocity_gradient")));
      }
    if (before > 0) {
      EXPECT_LT(worst, 1e-4);
      EXPECT_GT(before / worst, 10);  // 2^6 for ever smaller steps
    }
    before = worst;
  }
}

/// drho/dt and dp/dt from velocities and forces are what the fields do when the grains move a little.
TEST(FieldBalance, RatesAreTheChangeOfTheFields) {
  const Frame f = clouds::cloud({});
  Settings s;
  s.width = 0.4;
  s.balance = true;
  const Grid g = cells("xy", 2, 0.2, 0.8, 4);
  std::vector<FieldTable> series;
  std::vector<double> force(2 * f.size(), 0.0);
  for (std::size_t k = 0; k < f.contacts.size(); ++k)
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t a = 0; a < 2; ++a) {
        if (f.contacts.id1[k] == f.id[i]) force[2 * i + a] += f.contacts.force[2 * k + a];
        if (f.contacts.id2[k] == f.id[i]) force[2 * i + a] -= f.contacts.force[2 * k + a];
      }
  for (int step = -3; step <= 3; ++step) {
    const double dt = 2.5e-4 * step;  // (v dt/w)^6 of a steep kernel: some 1e-10
    Frame moved = f;
    moved.time = dt;
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t a = 0; a < 2; ++a) {
        moved.x[2 * i + a] += dt * f.v[2 * i + a] + 0.5 * dt * dt * force[2 * i + a] / f.mass[i];
        moved.v[2 * i + a] += dt * force[2 * i + a] / f.mass[i];
      }
    series.push_back(table_of(moved, g, s));
  }
  for (const auto& [rate, quantity] : {std::pair{"density_rate", "density"}, std::pair{"momentum_rate", "momentum"}}) {
    const Field ours = field(series[3], rate), found = time_derivative(series, quantity, 6)[3];
    for (std::size_t k = 0; k < ours.values.size(); ++k) EXPECT_NEAR(found.values[k], ours.values[k], 1e-8 * largest(ours)) << rate;
  }
}

TEST(FieldBalance, PartialStressesOfTwoSpeciesAddUp) {
  const Frame f = clouds::cloud({});
  const Grid g = cells("xy", 2, 0, 1, 5);
  Settings s;
  s.width = 0.3;
  const FieldTable all = table_of(f, g, s);
  s.selection.materials = {0};
  const FieldTable one = table_of(f, g, s);
  s.selection.materials = {1};
  const FieldTable other = table_of(f, g, s);
  for (const char* name : {"density", "momentum", "contact_stress", "fabric", "volume_density"}) {
    const Field &a = field(all, name), &b = field(one, name), &c = field(other, name);
    for (std::size_t k = 0; k < a.values.size(); ++k) EXPECT_NEAR(a.values[k], b.values[k] + c.values[k], 1e-12 * largest(a)) << name;
  }
}

TEST(FieldBalance, SelectionsByGroupSizeAndRegion) {
  const Frame f = clouds::cloud({});
  Settings s;
  s.selection.groups = {1};
  s.selection.smallest = 0.075;
  s.selection.largest = 0.09;
  s.selection.region = Region::disc(0.5, 0.5, 0.4);
  const FieldTable t = table_of(f, make_grid("0", 2), s);
  double mass = 0;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (f.group[i] == 1 && f.radius[i] >= 0.075 && f.radius[i] <= 0.09 && std::hypot(f.x[2 * i] - 0.5, f.x[2 * i + 1] - 0.5) <= 0.4)
      mass += f.mass[i];
  ASSERT_GT(mass, 0);
  EXPECT_NEAR(field(t, "density").values[0], mass, 1e-14 * mass);
}

/// A mirrored box is half of one that is mirrored by hand.
TEST(FieldBalance, MirrorsAreGrainsBeyondTheWall) {
  clouds::Recipe recipe;
  recipe.grains = 20;
  const Frame f = clouds::cloud(recipe);
  Frame both = f;
  for (std::size_t i = 0; i < f.size(); ++i) {
    both.id.push_back(1000 + f.id[i]);
    both.x.insert(both.x.end(), {-f.x[2 * i], f.x[2 * i + 1]});
    both.v.insert(both.v.end(), {-f.v[2 * i], f.v[2 * i + 1]});
    both.w.push_back(-f.w[i]);
    both.q.push_back(0);
    both.radius.push_back(f.radius[i]);
    both.mass.push_back(f.mass[i]);
    both.inertia.push_back(f.inertia[i]);
    both.material.push_back(0);
    both.group.push_back(0);
    both.held.push_back(0);
  }
  for (std::size_t k = 0; k < f.contacts.size(); ++k) {
    FrameContacts& c = both.contacts;
    c.id1.push_back(1000 + f.contacts.id1[k]);
    c.id2.push_back(1000 + f.contacts.id2[k]);
    c.overlap.push_back(0);
    c.force.insert(c.force.end(), {-f.contacts.force[2 * k], f.contacts.force[2 * k + 1]});
    c.branch.insert(c.branch.end(), {-f.contacts.branch[2 * k], f.contacts.branch[2 * k + 1]});
    c.point.insert(c.point.end(), {-f.contacts.point[2 * k], f.contacts.point[2 * k + 1]});
    c.spring.push_back(0);
  }
  const Grid g = cells("xy", 2, 0.02, 0.5, 4);
  Settings s;
  s.width = 0.4;
  const FieldTable by_hand = table_of(both, g, s);
  for (const Region& wall : {Region::half_plane({0, 0, 0}, {1, 0, 0}), Region::box({0, -INFINITY, -INFINITY}, {50, INFINITY, INFINITY})}) {
    s.border = Border::mirror;
    s.domain = wall;
    const FieldTable t = table_of(f, g, s);
    for (const Field& one : t.fields)
      for (std::size_t k = 0; k < one.values.size(); ++k) {
        if (!std::isfinite(one.values[k])) continue;
        EXPECT_NEAR(one.values[k], field(by_hand, one.name.c_str()).values[k], 1e-12 * largest(one)) << one.name;
      }
  }
}

/// Across an axis that is averaged over there is nothing to mirror: the mean over x of a box that is mirrored in x and y is the profile
/// of the same box mirrored in y, and the mean over everything holds the mass once.
TEST(FieldBalance, MirrorsLeaveAveragedAxesAlone) {
  const Frame f = clouds::cloud({});
  double mass = 0;
  for (const double m : f.mass) mass += m;
  Settings plain, s;
  plain.width = s.width = 0.4;
  s.border = Border::mirror;
  s.domain = Region::box({0, 0, 0}, {1, 1, 0});
  EXPECT_NEAR(field(table_of(f, make_grid("0", 2), s), "density").values[0], mass, 1e-13 * mass);
  // a kernel that does not reach out of the box integrates to what is inside, with what its images bring back from outside
  const FieldTable y = table_of(f, cells("y", 2, 0, 1, 400), s);
  double sum = 0;
  for (const double rho : field(y, "density").values) sum += rho / 400;
  EXPECT_NEAR(sum, mass, 1e-5 * mass);
  s.domain = Region::half_plane({0, 0, 0}, {1, 0, 0});
  const FieldTable across = table_of(f, cells("y", 2, 0, 1, 7), s), without = table_of(f, cells("y", 2, 0, 1, 7), plain);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(field(across, "density").values[k], field(without, "density").values[k]);
  s.domain = Region::half_plane({0, 0, 0}, {0.6, 0.8, 0});
  EXPECT_THROW(CoarseGrainer(cells("y", 2, 0, 1, 7), s, {}), InputError);
}

/// The radius of an angular grain is that of the circle about it: a square of radius r has 2 r², not π r².
TEST(FieldBalance, SquaresHaveTheAreaOfSquares) {
  Frame f = two_grains();
  f.shape = {0, 1};
  RunInfo info;
  info.shapes = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  Settings s;
  s.width = 0.5;
  const FieldTable t = table_of(f, make_grid("0", 2), s, surroundings_of(info));
  const double disc = M_PI * 0.22 * 0.22, square = 2 * 0.2 * 0.2;
  EXPECT_NEAR(field(t, "volume_density").values[0], disc + square, 1e-15);
  // n (x) n of the one contact that both have, weighted by their areas
  EXPECT_NEAR(field(t, "fabric").values[0], (disc + square) * 0.35 * 0.35 / (0.35 * 0.35 + 0.2 * 0.2), 1e-15);
}

/// The exact terms are those of Σ m φ; divided by a part of the kernel that depends on the place they would be of nothing.
TEST(FieldBalance, NormalisedFieldsHaveNoExactTerms) {
  Settings s;
  s.width = 0.4;
  s.balance = true;
  s.border = Border::normalised;
  s.domain = Region::box({0, 0, 0}, {1, 1, 0});
  EXPECT_THROW(CoarseGrainer(cells("xy", 2, 0, 1, 4), s, {}), InputError);
  s.balance = false;
  EXPECT_NO_THROW(CoarseGrainer(cells("xy", 2, 0, 1, 4), s, {}));
}

/// Of files whose program did not write how strong drag, pushes and attachments were.
TEST(FieldBalance, OtherForcesOfOldFilesAreSaidWithTheBalances) {
  RunInfo info;
  info.materials = {"a", "b"};
  Plan plan;
  plan.width = 0.3;
  plan.balance = true;
  const auto warned = [&] {
    const auto notes = resolve(plan, info, clouds::cloud({})).notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return note.find("drag") != std::string::npos; });
  };
  EXPECT_FALSE(warned());
  info.extra["other_forces"] = "drag";
  EXPECT_TRUE(warned());
  info.forces = "[]";
  EXPECT_FALSE(warned());
  info.forces.clear();
  plan.balance = false;
  EXPECT_FALSE(warned());
}

TEST(FieldBalance, AveragesAndVariancesOverFrames) {
  std::vector<Frame> frames;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    clouds::Recipe r;
    r.seed = seed;
    frames.push_back(clouds::cloud(r));
    frames.back().time = seed;
  }
  const Grid g = cells("xy", 2, 0.2, 0.8, 3);
  Settings s;
  s.width = 0.5;
  const CoarseGrainer grainer(g, s, {});
  Averager average(grainer);
  std::vector<FieldTable> single;
  for (const Frame& f : frames) {
    average.add(f);
    single.push_back(table_of(f, g, s));
  }
  const FieldTable mean = average.result();
  EXPECT_EQ(mean.frames, 4);
  EXPECT_EQ(mean.from, 1);
  EXPECT_EQ(mean.to, 4);
  for (std::size_t p = 0; p < 9; ++p) {
    double rho = 0, px = 0, xx = 0, sum = 0, square = 0;
    for (const FieldTable& t : single) {
      const double r = field(t, "density").values[p], vx = field(t, "velocity").values[2 * p], nu = field(t, "volume_density").values[p];
      rho += r / 4;
      px += r * vx / 4;
      xx += (-field(t, "kinetic_stress").values[4 * p] + r * vx * vx) / 4;
      sum += nu / 4;
      square += nu * nu;
    }
    EXPECT_NEAR(field(mean, "density").values[p], rho, 1e-14 * rho);
    EXPECT_NEAR(field(mean, "velocity").values[2 * p], px / rho, 1e-14);
    EXPECT_NEAR(-field(mean, "kinetic_stress").values[4 * p], xx - px * px / rho, 1e-13 * xx);
    EXPECT_NEAR(find_field(mean.variances, "volume_density")->values[p], (square - 4 * sum * sum) / 3, 1e-12 * square);
  }
  // saved in the middle and taken up again: the same bits
  Averager first(grainer), second(grainer);
  first.add(frames[0]);
  first.add(frames[1]);
  second.load(first.save());
  second.add(frames[2]);
  second.add(frames[3]);
  const FieldTable resumed = second.result();
  for (std::size_t k = 0; k < mean.fields.size(); ++k)
    for (std::size_t q = 0; q < mean.fields[k].values.size(); ++q) {
      const double a = mean.fields[k].values[q], b = resumed.fields[k].values[q];
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
    }
}

/// Five frames by twos: the last table has one frame, no variance, and the columns of the others.
TEST(FieldBalance, ASeriesThatEndsInOneFrameKeepsItsVariances) {
  LiveSettings live;
  live.plan.counts = {3, 3};
  live.plan.width = 0.5;
  live.each = 2;
  RunInfo info;
  LiveFields fields(live, info, clouds::cloud({}));
  for (unsigned seed = 1; seed <= 5; ++seed) {
    clouds::Recipe r;
    r.seed = seed;
    fields.add(clouds::cloud(r));
  }
  const RunFields f = fields.result("");
  ASSERT_EQ(f.tables.size(), 3u);
  for (const FieldTable& t : f.tables) ASSERT_EQ(t.variances.size(), t.fields.size());
  EXPECT_TRUE(std::isfinite(find_field(f.tables[1].variances, "density")->values[4]));
  for (const Field& one : f.tables[2].variances)
    for (const double value : one.values) EXPECT_TRUE(std::isnan(value));
}

TEST(FieldBalance, ThreadsChangeNoBit) {
  clouds::Recipe r;
  r.grains = 120;
  const Frame f = clouds::cloud(r);
  Settings s;
  s.width = 0.2;
  s.balance = true;
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const FieldTable one = table_of(f, cells("xy", 2, 0, 1, 20), s);
  omp_set_num_threads(5);
  const FieldTable five = table_of(f, cells("xy", 2, 0, 1, 20), s);
  omp_set_num_threads(threads);
  for (std::size_t k = 0; k < one.fields.size(); ++k)
    for (std::size_t q = 0; q < one.fields[k].values.size(); ++q) {
      const double a = one.fields[k].values[q], b = five.fields[k].values[q];
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << one.fields[k].name;
    }
}

TEST(FieldBalance, NothingIsDividedByZero) {
  Frame f = two_grains();
  Settings s;
  s.width = 0.3;
  const FieldTable t = table_of(f, cells("xy", 2, -5, 5, 5), s);
  EXPECT_EQ(t.empty, 24u);
  for (const Field& one : t.fields)
    for (std::size_t p = 0; p < 25; ++p)
      for (std::size_t k = 0; k < one.width(); ++k) EXPECT_FALSE(std::isinf(one.values[p * one.width() + k])) << one.name;
  EXPECT_EQ(field(t, "density").values[0], 0);
  EXPECT_TRUE(std::isnan(field(t, "velocity").values[0]));
  // without contacts there is no stress, but all the rest
  f.has_contacts = false;
  f.contacts = {};
  const FieldTable bare = table_of(f, cells("xy", 2, 0, 0.5, 3), s);
  EXPECT_FALSE(bare.has_contacts);
  EXPECT_TRUE(std::isnan(field(bare, "stress").values[0]));
  EXPECT_TRUE(std::isnan(field(bare, "coordination").values[0]));
  EXPECT_TRUE(std::isfinite(field(bare, "kinetic_stress").values[16]));
  // points outside a domain
  s.border = Border::normalised;
  s.domain = Region::disc(0, 0, 0.5);
  const CoarseGrainer outside(cells("xy", 2, 2, 3, 2), s, {});
  EXPECT_EQ(outside.outside(), 4u);
  EXPECT_TRUE(std::isnan(outside(f).values[0]));
}

TEST(FieldDerivatives, AreExactForPolynomialsOfTheirOrder) {
  for (const int order : {2, 4, 6}) {
    std::vector<double> ticks, values, slope;
    for (int k = 0; k < 12; ++k) {
      ticks.push_back(0.1 * k + 0.02 * std::sin(k));
      values.push_back(std::pow(ticks.back(), order));
    }
    slope.resize(12);
    differentiate(ticks, order, values.data(), 1, slope.data());
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(slope[k], order * std::pow(ticks[k], order - 1), 1e-11) << order;
  }
}

TEST(FieldDerivatives, AreRefusedBeforeTheWork) {
  EXPECT_NO_THROW(check_derivatives(cells("xy", 2, 0, 1, 4), 0));
  EXPECT_NO_THROW(check_derivatives(cells("xy", 2, 0, 1, 5), 4));
  EXPECT_THROW(check_derivatives(cells("xy", 2, 0, 1, 4), 4), InputError);
  EXPECT_THROW(check_derivatives(scattered_grid(2, {0, 0, 1, 1}), 2), InputError);
  Grid line = cells("xy", 2, 0, 1, 5);
  line.ticks[1] = {0.5};  // nothing to differentiate along
  EXPECT_NO_THROW(check_derivatives(line, 4));
}

TEST(FieldDerivatives, HaveTheirOrder) {
  for (const int order : {2, 4, 6}) {
    double errors[2]{};
    for (int fine = 0; fine < 2; ++fine) {
      const std::size_t n = fine ? 41 : 21;
      const std::vector<double> ticks = spread(0, 1, n);
      std::vector<double> values(n), slope(n);
      for (std::size_t k = 0; k < n; ++k) values[k] = std::sin(3 * ticks[k]);
      differentiate(ticks, order, values.data(), 1, slope.data());
      for (std::size_t k = 0; k < n; ++k) errors[fine] = std::max(errors[fine], std::abs(slope[k] - 3 * std::cos(3 * ticks[k])));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.35) << order;
  }
}

}  // namespace
}  // namespace scree::fields
