// SPDX-License-Identifier: BSD-3-Clause
/// Angular grains in the engine: conservation, closed forms of blocks on inclines, orders of integrators, one hash.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/integrators/registry.hpp"
#include "tests/support/polygons.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double Y = 1e7, gamma_n = 0.5;

ContactLaws laws_of(double mu, double gamma = gamma_n) {
  ContactLaws laws;
  laws.normal = OverlapArea{Y, gamma};
  if (mu > 0) laws.tangential = CundallStrack{2.0 / 7 * Y, mu, 0, 0};
  return laws;
}

const Outline hexagon = regular_polygon(6, 0.05);

/// How long two grains of the cluster touch, π sqrt(m*/Y) with half the mass of the smallest grain, s. The ledger adds up
/// powers at the ends of steps: where a contact comes or goes within a step it errs by up to h/contact_time of what the
/// contact turns over.
const double contact_time = pi * std::sqrt(0.5 * 5000 * 0.04 * 0.04 / Y);

/// Polygons and a disk thrown at each other; nothing else acts.
template <class T = double>
Scene<2, T> cluster(const ContactLaws& laws, const std::string& integrator = "damped-verlet") {
  auto scene = layer<T>(laws, integrator);
  RandomPolygons kind{0.04, 0.05, 1.6, 4, 8, 0.7};
  for (std::uint32_t i = 0; i < 12; ++i) {
    Random random(5, 1, i);
    const Vec<2, double> at{(i % 4) * 0.12 - 0.18, (i / 4) * 0.12 - 0.12};
    add_polygon(scene, i % 5 == 2 ? Outline{} : random_polygon(kind, 3, i), at, random.uniform(0, 6), at * -25.0,
                random.uniform(-5, 5), false, 0.05);
  }
  return scene;
}

TEST(Polygons, MomentumAndAngularMomentumOfAClosedClusterAreKeptToRoundOff) {
  // Force and torque on j are made of the force on i, so the sums cancel but for the rounding of 12 grains times a few
  // operations per step; a leapfrog keeps x × v too.
  auto scene = cluster(laws_of(0.5));
  Simulation<2, double> sim(scene, 2e-5, 0.0);
  sim.start();
  struct Sums { Vec<2, double> p; double l, size; };
  const auto total = [&] {
    Sums s{};
    const auto& w = scene.world;
    for (std::size_t i = 0; i < w.grains.size(); ++i) {
      s.p += w.state.v[i] * w.grains.m[i];
      s.l += cross(w.state.x[i], w.state.v[i])[0] * w.grains.m[i] + w.state.w[i][0] * w.grains.inertia[i];
      s.size += norm(w.state.v[i]) * w.grains.m[i];
    }
    return s;
  };
  const Sums before = total();
  std::size_t contacts = 0;
  for (int k = 0; k < 1500; ++k) {
    sim.step();
    contacts = std::max(contacts, sim.engine().contacts());
  }
  EXPECT_GE(contacts, 6U);
  const Sums after = total();
  EXPECT_LT(norm(after.p - before.p), 1500 * 12 * 2.2e-16 * before.size);
  EXPECT_LT(std::abs(after.l - before.l), 1500 * 12 * 2.2e-16 * before.size * 0.2);
}

TEST(Polygons, RotationalDampingActsOnTheSpinAloneAndTheLedgerHasIt) {
  auto laws = laws_of(0.5);
  laws.rotational = MatrixDamping{0.1, Y};
  auto scene = cluster(laws);
  Simulation<2, double> sim(scene, 1e-5, 0.0);
  sim.start();
  Vec<2, double> p{};
  for (int k = 0; k < 3000; ++k) sim.step();
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i) p += scene.world.state.v[i] * scene.world.grains.m[i];
  Vec<2, double> p0{};
  double size = 0;
  const auto fresh = cluster(laws);
  for (std::size_t i = 0; i < fresh.world.grains.size(); ++i) {
    p0 += fresh.world.state.v[i] * fresh.world.grains.m[i];
    size += norm(fresh.world.state.v[i]) * fresh.world.grains.m[i];
  }
  EXPECT_LT(norm(p - p0), 3000 * 12 * 2.2e-16 * size);
  const Energies e = sim.energies();
  EXPECT_GT(std::abs(e.rolling), 0);
  EXPECT_LT(std::abs(e.balance_error()), 1e-5 / contact_time * e.initial);
}

/// Largest |balance error| over the initial energy in a run of the cluster.
double imbalance(const std::string& integrator, double dt) {
  auto scene = cluster(laws_of(0.4), integrator);
  Simulation<2, double> sim(scene, dt, 0.0);
  sim.start();
  double worst = 0;
  const auto steps = static_cast<int>(std::lround(0.02 / dt));
  for (int k = 0; k < steps; ++k) {
    sim.step();
    if (k % (steps / 20) == 0) worst = std::max(worst, std::abs(sim.energies().balance_error()));
  }
  return worst / sim.energies().initial;
}

TEST(Polygons, TheLedgerBalancesBetterWithSmallerSteps) {
  const double coarse = imbalance("damped-verlet", 4e-5), fine = imbalance("damped-verlet", 1e-5);
  EXPECT_LT(coarse, 4e-5 / contact_time);
  EXPECT_LT(fine, 0.5 * coarse);  // at least first order, a quarter, since contacts come and go; up to twice that by chance
}

/// A block on a plane that is tilted slowly, seen along it: gravity turns. Gives the tangent of the slope at which `gone`
/// says that the block is.
template <class Gone>
double tilt(const ContactLaws& laws, double width, double height, double stiffness, double tangent, double rate, double dt, const Gone& gone) {
  auto scene = layer(laws);
  const double angle = std::atan(tangent), weight = 5000 * width * height * 9.81;
  const double depth = 2 * height * weight * std::cos(angle) / (stiffness * width);  // Y A/l with l = 4 (height/2)
  add_polygon(scene, box(width, height), {0, height / 2 - depth});
  add_plane(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {9.81 * std::sin(angle), -9.81 * std::cos(angle)};
  scene.world.domain.gravity_rate = rate;
  Simulation<2, double> sim(scene, dt, 0.0);
  sim.start();
  while (!gone(scene.world.state) && sim.time() < 0.5 / rate) sim.step();
  return std::tan(angle + rate * sim.time());
}

TEST(Polygons, ABlockSlidesWhereTheSlopeExceedsFrictionAndNotBefore) {
  // Dampers for the spring and for rocking: what swings would slide before its mean load does. Once over the limit the
  // block has the acceleration g rate t/cos θ, and has gone 0.5 mm after 0.38 s, 0.5 % further on.
  auto laws = laws_of(0.5);
  laws.tangential = CundallStrack{2.0 / 7 * Y, 0.5, 0, 1};
  laws.rotational = ChordDamping{1, Y};
  const double slope = tilt(laws, 0.2, 0.05, Y, 0.45, 0.005, 1e-4, [](const auto& s) { return s.x[0][0] > 6e-4; });
  EXPECT_GT(slope, 0.5);
  EXPECT_LT(slope, 0.5 * 1.01);
}

TEST(Polygons, ATallBlockTopplesWhenItsCentreIsBeyondItsFoot) {
  // Turned by φ it stands on a triangle of area A = N l/Y and width b = sqrt(2 A/φ), whose centroid is b/3 from the edge,
  // and its centre has moved by φ h/2: it can bear slopes up to the largest of (w/2 - b/3 - φ h/2)/(h/2) over φ, which goes to
  // w/h as Y grows. Falling by 0.1 rad takes some 0.7 s, in which the plane tilts by 1 % more.
  const double stiff = 1e10, w = 0.1, h = 0.3;
  ContactLaws laws;
  laws.normal = OverlapArea{stiff, 1};
  laws.tangential = CundallStrack{2.0 / 7 * stiff, 5, 0, 1};
  laws.rotational = ChordDamping{2, stiff};
  const double weight = 5000 * w * h * 9.81 * std::cos(std::atan(w / h)), l = 2 * std::hypot(w, h), area = weight * l / stiff;
  double most = 0;
  for (double phi = 1e-4; phi < 0.1; phi *= 1.01) most = std::max(most, (w / 2 - std::sqrt(2 * area / phi) / 3 - phi * h / 2) / (h / 2));
  const double slope = tilt(laws, w, h, stiff, 0.97 * most, 0.004, 2e-5, [](const auto& s) { return s.q[0][0] < -0.1; });
  EXPECT_NEAR(most, w / h, 0.07 * w / h);
  EXPECT_NEAR(slope, most, 0.02 * most);
}

TEST(Polygons, AHexagonOnThePlaneWeighsWhatItWeighs) {
  // At rest Y A/l = m g with l = 4 r: the depth of a flat side of length R, A = R δ, is 4 (R √3/2 - δ) m g/(Y R).
  auto scene = layer(laws_of(0.5));
  const double R = 0.05, m = 5000 * 1.5 * std::sqrt(3.0) * R * R;
  add_polygon(scene, hexagon, {0, R * std::sqrt(3.0) / 2});
  add_plane(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -9.81};
  scene.world.domain.damping = 50;
  Simulation<2, double> sim(scene, 5e-5, 0.0);
  sim.start();
  while (sim.time() < 1) sim.step();
  const double depth = R * std::sqrt(3.0) / 2 - scene.world.state.x[0][1];
  // P lies at half the depth, and A counts the widening of the outline, 2 δ/√3 at most, over R
  const double expected = 4 * (R * std::sqrt(3.0) / 2) * m * 9.81 / (Y * R);
  EXPECT_NEAR(depth, expected, 2 * expected * expected / R);
}

TEST(Polygons, DisksAndPolygonsMeetInOneScene) {
  // A disk falls on a fixed square: force of the circular segment, straight up.
  auto scene = layer(laws_of(0));
  const double r = 0.05;
  add_polygon(scene, box(0.4, 0.1), {0, -0.05}, 0, {}, 0, true);
  const double depth = 1e-3;
  add_polygon(scene, {}, {0.03, r - depth}, 0, {}, 0, false, r);
  Simulation<2, double> sim(scene, 1e-6, 0.0);
  const Frame f = sim.frame(true);
  ASSERT_EQ(f.contacts.size(), 1U);
  const double angle = 2 * std::acos(1 - depth / r), area = r * r / 2 * (angle - std::sin(angle));
  const double arm = std::pow(2 * r * std::sin(angle / 2), 3) / (12 * area);  // centroid of a segment
  const double other = std::hypot(0.03, 0.05 + (r - depth) - arm);
  const double l = 4 * arm * other / (arm + other);
  EXPECT_NEAR(f.contacts.force[1], -Y * area / l, 1e-9 * Y * area / l);
  EXPECT_NEAR(f.contacts.force[0], 0, 1e-9 * Y * area / l);
}

TEST(Polygons, AMovingFloorDoesTheWorkThatTheLedgerSays) {
  auto scene = layer(laws_of(0.5));
  add_polygon(scene, hexagon, {0, 0.0433});
  add_plane(scene, {0, 0}, {0, 1});
  Move<2> up;
  up.velocity = {0.3, 0.5};
  scene.world.walls.back().motion.push_back(up);
  scene.world.domain.gravity = {0, -9.81};
  Simulation<2, double> sim(scene, 1e-5, 0.0);
  sim.start();
  while (sim.time() < 0.3) sim.step();
  const Energies e = sim.energies();
  EXPECT_GT(e.work, 0.1);
  EXPECT_LT(std::abs(e.balance_error()), 1e-5 / contact_time * e.work);
}

/// Two hexagons, side to side and off centre, without friction or dashpots: a smooth force while they touch all along.
double turned(const std::string& integrator, double dt) {
  auto scene = layer(laws_of(0, 0), integrator);
  const double d = 0.05 * std::sqrt(3.0);
  add_polygon(scene, hexagon, {0, 0}, 0, {0, 0.05}, 0.0);
  add_polygon(scene, hexagon, {0.013, d - 1e-4}, 0.002, {0, -0.05}, 0.0);
  run(scene, dt, std::lround(4e-4 / dt));
  return scene.world.state.q[place(scene, 0)][0] + scene.world.state.x[place(scene, 1)][1];
}

/// A block that leaves while its springs are stretched takes their energy along, which the ledger says: one block slides
/// on the floor, another one on a held block.
TEST(Polygons, ABlockThatLeavesTakesTheEnergyOfItsSpringsAlong) {
  const double k = 1e5, speed = 0.05;
  for (const bool on_block : {false, true}) {
    ContactLaws laws;
    laws.normal = OverlapArea{1e7, 0.5};
    laws.tangential = CundallStrack{k, 0.5, 0};
    auto scene = layer(laws, "velocity-verlet");
    scene.world.domain.gravity = {0, -9.81};
    if (on_block) add_polygon(scene, box(0.3, 0.05), {0, -0.025}, 0, {}, 0, true);
    else add_plane<2>(scene, {0, 0}, {0, 1});
    add_polygon(scene, box(0.1, 0.05), {0, 0.025}, 0, {speed, 0});
    Outlet<2> outlet;
    outlet.name = "out";
    outlet.from = 0.02;  // a fifth of the period 2π √(m/k)
    outlet.region.lo = {-0.1, 0.01};
    outlet.region.hi = {0.1, 0.1};
    scene.world.outlets.push_back(outlet);
    Simulation<2, double> sim(scene, 1e-5, 0.0);
    sim.start();
    while (sim.time() < 0.0199) sim.step();
    const Energies before = sim.energies();
    while (scene.world.let_out[0].count == 0) sim.step();
    const Energies after = sim.energies();
    const double stored = 0.5 * 25 * speed * speed;  // J: nearly all of the motion is in the springs
    EXPECT_GT(before.elastic, 0.5 * stored);
    EXPECT_EQ(after.elastic, 0);
    // springs may lag by half a step, h v k_t ζ, some 5e-5 J; the ten steps in between err by as much
    EXPECT_NEAR(after.balance_error(), before.balance_error(), 0.02 * stored) << on_block;
  }
}

TEST(Polygons, IntegratorsKeepTheirOrderOnASmoothContact) {
  const double exact = turned("rk4", 4e-4 / 512);
  for (const auto& [name, order] : {std::pair{"velocity-verlet", 2.0}, {"damped-verlet", 2.0}, {"rk4", 4.0}}) {
    std::vector<double> h, error;
    for (const int n : {4, 8, 16, 32}) {
      h.push_back(4e-4 / n);
      error.push_back(std::abs(turned(name, h.back()) - exact));
    }
    EXPECT_NEAR(slope(h, error), order, 0.25) << name;
  }
}

TEST(Polygons, EveryIntegratorTakesThemToTheSamePlace) {
  // F = Y A/l is some 370 N: a = 11 m/s², and 71 rad/s² for an arm of 6.5 mm. A scheme of first order errs by a t h/2 for each,
  // 1e-7 together, and twice that is allowed; without the contact q would be off by 6e-6.
  const double exact = turned("rk4", 4e-4 / 512);
  for (const Method& method : methods()) {
    if (method.of_bonds) continue;  // for round grains without friction
    EXPECT_NEAR(turned(std::string(method.name), 4e-4 / 64), exact, 2e-7) << method.name;
  }
}

TEST(Polygons, OneHashForEveryIntegratorHoweverItIsRun) {
  auto laws = laws_of(0.5);
  laws.rotational = MatrixDamping{0.1, Y};
  for (const Method& method : methods()) {
    if (method.of_bonds) continue;  // for round grains without friction
    const std::string name(method.name);
    const auto make = [&] {
      auto scene = cluster(laws, name);
      add_plane(scene, {0, -0.2}, {0, 1});
      scene.world.domain.gravity = {0, -9.81};
      return scene;
    };
    const std::int64_t steps = 150;  // 15 ms: the cluster has met and is on its way out
    const double dt = 1e-4;
    const std::uint64_t hash = hash_of(make, {}, steps, dt, 4);
    EXPECT_EQ(hash_of(make, {1, "hierarchy", 3e-4, 53}, steps, dt, 4), hash) << name;
    if (name == "rk4") {
      EXPECT_EQ(hash_of(make, another_way, steps, dt, 4), hash);
    }
    if (name == "damped-verlet")
      for (const Way& way : some_ways) EXPECT_EQ(hash_of(make, way, steps, dt, 4), hash) << way;
  }
}

TEST(Polygons, ContactsGoAcrossPeriodicBorders) {
  const auto make = [](double shift) {
    auto scene = layer(laws_of(0.4));
    scene.world.domain.periodic = {true, true};
    scene.world.domain.hi = {1, 1};
    const double d = 0.05 * std::sqrt(3.0);
    add_polygon(scene, hexagon, {0.5, 0.5}, 0, {0.01, 0.05}, 0.1);
    add_polygon(scene, hexagon, {0.51, 0.5 + d - 1e-4}, 0.01, {0, -0.05}, 0.0);
    for (auto& x : scene.world.state.x) x[1] = std::fmod(x[1] + shift, 1.0);
    return scene;
  };
  auto inside = make(0), across = make(0.4375);  // a sum of few powers of two moves all alike
  run(inside, 2e-5, 200);
  run(across, 2e-5, 200);
  // A rounding of a place, 2⁻⁵³ m, is one of a force by at most Y times that, and acts for the 4 ms that are left: in 200
  // steps Y 200 2⁻⁵³ 4e-3/m, and for the spin 12/(5 R) times that, the arm being at most R and I = 5/12 m R².
  const double m = 5000 * 1.5 * std::sqrt(3.0) * 0.0025, v = Y * 200 * 1.2e-16 * 4e-3 / m;
  for (std::uint32_t id = 0; id < 2; ++id) {
    EXPECT_NEAR(inside.world.state.v[place(inside, id)][1], across.world.state.v[place(across, id)][1], v);
    EXPECT_NEAR(inside.world.state.w[place(inside, id)][0], across.world.state.w[place(across, id)][0], v * 12 / (5 * 0.05));
  }
}

TEST(Polygons, DoubleDoubleAgreesWithDouble) {
  auto a = cluster<double>(laws_of(0.4));
  auto b = cluster<dd>(laws_of(0.4));
  run(a, 2e-5, 150);
  run(b, 2e-5, 150);
  // Areas are good to 1e-12 R² (clip_boost_test.cpp), forces to Y/l times that, 3e-7 N of some 10 kg: in 3 ms 1e-13 m. A
  // collision of convex grains stretches what is between two courses by the way to the next over R, a few; two in a row are had here.
  for (std::uint32_t id = 0; id < 12; ++id)
    EXPECT_NEAR(a.world.state.x[place(a, id)][0], static_cast<double>(b.world.state.x[place(b, id)][0]), 1e-11);
}

TEST(MatrixDamping, BringsATwirlingDiskToRestInItsMatrixAndNotBeyond) {
  // A disk held between two plates spins; friction springs without dashpot swing for long, damping ends it sooner.
  const auto spin_after = [](double gamma) {
    auto laws = laws_of(0.6);
    if (gamma > 0) laws.rotational = MatrixDamping{gamma, Y};
    auto scene = layer(laws);
    const double r = 0.05, depth = 1e-4;
    add_polygon(scene, {}, {0, r - depth}, 0, {}, 0.02, false, r);
    add_plane(scene, {0, 0}, {0, 1});
    add_plane(scene, {0, 2 * (r - depth)}, {0, -1});
    Simulation<2, double> sim(scene, 1e-5, 0.0);
    sim.start();
    double largest = 0;
    for (int k = 0; k < 20000; ++k) {
      sim.step();
      if (k > 18000) largest = std::max(largest, std::abs(scene.world.state.w[0][0]));
    }
    return largest;
  };
  const double without = spin_after(0), with = spin_after(0.1);
  // Two contacts, v_T = w r at both: M = -2 γ_T sqrt(I Y) r w, so that swings die out as exp(-γ_T sqrt(Y/I) r t), exp(-14) here.
  EXPECT_GT(without, 0.25 * 0.02);  // it goes on swinging
  EXPECT_LT(with, 1e-3 * without);
}

/// Largest kinetic energy in the last tenth of 2 s of a hexagon that rocks on a floor.
double rocking(const AnyRotational& law) {
  auto laws = laws_of(0.6);
  laws.rotational = law;
  auto scene = layer(laws);
  const double R = 0.03;
  add_polygon(scene, regular_polygon(6, R), {0, R * std::sqrt(3.0) / 2}, 0, {}, 0.2);
  add_plane(scene, {0, 0}, {0, 1});
  scene.world.domain.gravity = {0, -9.81};
  Simulation<2, double> sim(scene, 2e-5, 0.0);
  sim.start();
  double most = 0;
  for (int k = 0; k < 100000; ++k) {
    sim.step();
    if (k > 90000) most = std::max(most, sim.kinetic());
  }
  return most;
}

TEST(RotationalDamping, QuietsARockingBlockButForTheSignAsPrinted) {
  // Turning about the middle of its chord, a block changes no area: nothing but these laws sees it. Of these the chord's has the
  // moment g w, g = γ sqrt(m Y) R³/(12 l) = 0.12 N m s, and I + m (R √3/2)² = 0.012 kg m² about its foot: the energy
  // goes as exp(-g t/I), exp(-19) in 2 s, of which 1e-6 is asked.
  const double none = rocking(Frictionless{});
  EXPECT_GT(none, 0.2 * 9e-5);  // of the I w²/2 = 9e-5 J that it began with
  EXPECT_LT(rocking(MatrixDamping{0.1, Y}), 0.9 * none);
  EXPECT_GT(rocking(MatrixDampingAsPrinted{0.1, Y}), 5 * none);
  EXPECT_LT(rocking(ChordDamping{0.5, Y}), 1e-6 * none);
}

TEST(MatrixDamping, StopsNoGrainInLessThanAStep) {
  // However large gamma: the cut-off leaves at most the torque that ends the relative spin in one step.
  auto laws = laws_of(0.6);
  laws.rotational = MatrixDamping{1e6, Y};
  auto scene = layer(laws);
  add_polygon(scene, {}, {0, 0.05 - 1e-4}, 0, {}, 0.02, false, 0.05);
  add_plane(scene, {0, 0}, {0, 1});
  add_plane(scene, {0, 0.0998}, {0, -1});
  Simulation<2, double> sim(scene, 1e-5, 0.0);
  sim.start();
  for (int k = 0; k < 2000; ++k) {
    sim.step();
    ASSERT_LE(std::abs(scene.world.state.w[0][0]), 0.0201) << k;
  }
}

}  // namespace
}  // namespace scree
