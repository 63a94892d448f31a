// SPDX-License-Identifier: BSD-3-Clause
/// Grains that come in and go out while a run goes on.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

Inlet<2> inlet_over(const Vec<2, double>& lo, const Vec<2, double>& hi, double rate, double r) {
  Inlet<2> inlet;
  inlet.name = "in";
  inlet.region.lo = lo;
  inlet.region.hi = hi;
  inlet.rate = rate;
  inlet.r_min = inlet.r_max = r;
  return inlet;
}

Outlet<2> outlet_below(double y) {
  Outlet<2> outlet;
  outlet.name = "out";
  outlet.region.half_space = true;
  outlet.region.point = {0, y};
  outlet.region.normal = {0, 1};
  return outlet;
}

TEST(Gates, GrainsAreDueAtMultiplesOfTheInverseRate) {
  Inlet<2> inlet = inlet_over({0, 0}, {1, 1}, 10, 0.01);
  inlet.from = 1;
  inlet.until = 2;
  EXPECT_EQ(inlet.due(0.99), 0);
  EXPECT_EQ(inlet.due(1.0), 1);
  EXPECT_EQ(inlet.due(1.0999), 1);
  EXPECT_EQ(inlet.due(1.1001), 2);
  EXPECT_EQ(inlet.due(50), 10);  // at 1.0, 1.1, … 1.9
  inlet.count = 3;
  EXPECT_EQ(inlet.due(50), 3);
}

/// Grains rain through free space: velocity-verlet is exact in constant gravity, so what is left in the ledger is
/// rounding, whoever comes and goes.
TEST(Gates, ARainBalancesItsBooksToRounding) {
  for (const char* name : {"velocity-verlet", "damped-verlet"}) {
    ContactLaws laws;
    laws.normal = Hertz{1e6};
    auto scene = empty_scene<2>(laws, name);
    scene.world.domain.gravity = {0, -9.81};
    Inlet<2> inlet = inlet_over({0, 0.9}, {1, 1}, 100, 0.005);
    inlet.velocity = {0.1, -1};
    scene.world.inlets.push_back(inlet);
    scene.world.outlets.push_back(outlet_below(0.7));
    Simulation<2, double> sim(scene, 1e-3, 0.0);
    sim.start();
    std::set<std::uint32_t> seen;
    for (int k = 0; k < 500; ++k) {
      sim.step();
      for (const std::uint32_t id : scene.world.grains.id) seen.insert(id);
    }
    const std::int64_t in = scene.world.let_in[0].count, out = scene.world.let_out[0].count;
    EXPECT_EQ(in, 51) << name;  // at 0, 0.01, … 0.5 s
    EXPECT_GT(out, 20) << name;
    EXPECT_EQ(static_cast<std::int64_t>(scene.world.grains.size()), in - out) << name;
    EXPECT_EQ(seen.size(), 51U) << name;  // no id is used twice
    EXPECT_EQ(*seen.rbegin(), 50U) << name;
    const Energies e = sim.energies();
    EXPECT_NEAR(e.balance_error(), 0, 1e-10 * std::abs(e.potential)) << name;
    EXPECT_NEAR(scene.world.let_out[0].mass, static_cast<double>(out) * 4 / 3 * pi * 1.25e-7 * 2500, 1e-15) << name;
    // A grain that leaves has fallen from 0.9 … 1 to 0.7 at least: 1 m/s at first, then free fall.
    for (std::size_t i = 0; i < scene.world.grains.size(); ++i)
      EXPECT_LT(std::abs(scene.world.state.v[i][1]), std::sqrt(1 + 2 * 9.81 * 0.3) + 9.81e-3) << name;
  }
}

TEST(Gates, AGrainThatLeavesWhilePressedTakesItsContactsAlong) {
  ContactLaws laws;
  laws.normal = Hertz{1e6};
  laws.tangential = CundallStrack{2e3, 0.4, 0};
  auto scene = empty_scene<2>(laws, "velocity-verlet");
  add_grain<2>(scene, {0, 0}, {0, 0}, 0.01, 0.01);
  add_grain<2>(scene, {0.0195, 0}, {0, 0.2}, 0.01, 0.01);
  add_grain<2>(scene, {0.0390, 0}, {0, 0}, 0.01, 0.01);
  Outlet<2> outlet;
  outlet.name = "out";
  outlet.from = 1e-4;
  outlet.region.lo = {0.015, -0.01};
  outlet.region.hi = {0.025, 0.01};
  scene.world.outlets.push_back(outlet);
  Simulation<2, double> sim(scene, 1e-6, 0.0);
  sim.start();
  const double initial = sim.energies().elastic;
  for (int k = 0; k < 99; ++k) sim.step();
  const Energies before = sim.energies();
  ASSERT_GT(before.elastic, 0.1 * initial);
  while (scene.world.let_out[0].count == 0) sim.step();
  const Energies after = sim.energies();
  EXPECT_EQ(after.elastic, 0);
  EXPECT_LT(after.work, -0.5 * initial);
  // The scheme's own error at this step is what it was before; springs may lag by half a step: h v k_t ζ.
  EXPECT_NEAR(after.balance_error(), before.balance_error(), 1e-3 * initial);
}

TEST(Gates, AFullBoxLetsNobodyInAndNobodyOverlaps) {
  ContactLaws laws;
  laws.normal = Hertz{1e6};
  auto scene = empty_scene<2>(laws, "velocity-verlet");
  scene.world.inlets.push_back(inlet_over({0, 0}, {0.1, 0.1}, 1e5, 0.01));
  Simulation<2, double> sim(scene, 1e-4, 0.0);
  sim.start();
  for (int k = 0; k < 50; ++k) sim.step();
  const std::int64_t in = scene.world.let_in[0].count;
  EXPECT_LT(in, scene.world.inlets[0].due(5e-3));
  EXPECT_GT(in, 8);   // a random loose packing holds 0.5 of 25 and more
  EXPECT_LT(in, 25);  // a square lattice
  EXPECT_EQ(sim.frame(true).contacts.size(), 0U);
}

/// Rain into a box with an outlet in its floor, with springs, and everything that the hash may depend on.
template <class T>
Scene<2, T> box_with_a_hole(const std::string& integrator) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 20};
  laws.tangential = CundallStrack{2e3, 0.4, 0.01};
  laws.rolling = RollingSpring{1e-4, 0.05, 1e-8};
  auto scene = empty_scene<2, T>(laws, integrator);
  scene.world.domain.gravity = {0, -9.81};
  const double r = 2e-3;
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < 3; ++b) add_grain<2>(scene, {(2.2 * a + 1.2) * r, (2.2 * b + 1.2) * r}, {0.1, -0.3}, r);
  for (int a = 0; a < 2; ++a) {  // a floor with a hole
    Wall<2> floor;
    floor.kind = WallKind::segment;
    floor.name = "floor";
    floor.point = {a == 0 ? 0.0 : 17 * r, 0};
    floor.end = {a == 0 ? 9 * r : 26.4 * r, 0};
    scene.world.walls.push_back(floor);
  }
  add_plane<2>(scene, {0, 0}, {1, 0});
  add_plane<2>(scene, {26.4 * r, 0}, {-1, 0});
  scene.world.groups.push_back({});
  Inlet<2> inlet = inlet_over({0, 8 * r}, {26.4 * r, 12 * r}, 5e3, r);
  inlet.r_min = 0.7 * r;
  inlet.velocity = {0, -1};
  inlet.group = 1;
  inlet.seed = 3;
  scene.world.inlets.push_back(inlet);
  Outlet<2> outlet = outlet_below(-2 * r);
  scene.world.outlets.push_back(outlet);
  outlet.region.half_space = false;
  outlet.name = "a bird";
  outlet.region.lo = {3 * r, 3 * r};
  outlet.region.hi = {5 * r, 5 * r};
  outlet.every = 7e-3;
  scene.world.outlets.push_back(outlet);
  return scene;
}

TEST(Gates, OneHashHoweverItIsRun) {
  const auto make = [](const char* name) { return [=] { return box_with_a_hole<double>(name); }; };
  const std::uint64_t hash = hash_of(make("damped-verlet"), {}, 1000);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(make("damped-verlet"), way, 1000), hash) << way;
  for (const char* name : {"velocity-verlet", "rk4", "kk-shifted", "gear5", "dormand-prince"})
    EXPECT_EQ(hash_of(make(name), another_way, 700), hash_of(make(name), {}, 700)) << name;
}

TEST(Gates, WorkInDoubleDoubles) {
  const auto make = [] { return box_with_a_hole<dd>("velocity-verlet"); };
  EXPECT_EQ(hash_of(make, {1, "brute", 0, 100}, 300), hash_of(make, {}, 300));
}

}  // namespace
}  // namespace scree
