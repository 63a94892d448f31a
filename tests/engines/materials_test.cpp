// SPDX-License-Identifier: BSD-3-Clause
/// Laws per pair of materials, for grains and walls, each checked by the bounce it gives.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/laws/collision.hpp"
#include "scree/laws/material.hpp"
#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Materials, EachPairOfGrainsAndWallsHasItsOwnLaws) {
  ContactLaws soft, hard, wall;
  soft.normal = Linear{1e5, 5};
  hard.normal = Linear{4e5, 1};
  wall.normal = HertzLinear{1e7, 3};
  auto scene = empty_scene<2>(soft);
  scene.world.materials.push_back({"steel", 7800, Body::sphere, 0, 0, 0.3});
  scene.world.materials.push_back({"rubber", 0, Body::sphere, 0, 0, 0.5});
  scene.table.laws = {soft, hard, wall};
  scene.table.materials = 3;
  scene.table.of_pair = {0, 1, 2, 1, 0, 2, 2, 2, 2};
  const double r = 0.01, m = 0.01, v = 1;
  // far apart from each other: glass on glass, glass on steel, glass on a rubber wall
  add_grain<2>(scene, {0, 1.0}, {0, 0}, r, m);
  add_grain<2>(scene, {0, 1.0 + 2 * r + 1e-3}, {0, -v}, r, m);
  add_grain<2>(scene, {1, 1.0}, {0, 0}, r, m);
  add_grain<2>(scene, {1, 1.0 + 2 * r + 1e-3}, {0, -v}, r, m);
  scene.world.grains.material[3] = 1;
  add_grain<2>(scene, {2, r + 1e-3}, {0, -v}, r, m);
  add_plane<2>(scene, {0, 0}, {0, 1});
  scene.world.walls[0].material = 2;
  run(scene, 1e-7, 40000);
  const auto speed = [&](std::uint32_t id) { return scene.world.state.v[place(scene, id)][1]; };
  EXPECT_NEAR(speed(1) - speed(0), collide(soft, r / 2, m / 2, v).restitution, 1e-4);
  EXPECT_NEAR(speed(3) - speed(2), collide(hard, r / 2, m / 2, v).restitution, 1e-4);
  EXPECT_NEAR(speed(4), collide(wall, r, m, v).restitution, 1e-4);
}

TEST(Materials, DerivedStiffnessFollowsTheEffectiveRadiusOfThePair) {
  // Hertz from a material: k = (4/3) E* sqrt(r*), so the same wall stops a large grain by another law
  // than a small one.
  ContactLaws laws;
  laws.normal = Hertz{4.0 / 3 * 1e7};
  laws.scaling.stiffness = Scaling::Stiffness::root_radius;
  for (const double r : {0.005, 0.02}) {
    auto scene = empty_scene<3>(laws);
    add_grain<3>(scene, {0, 0, r}, {0, 0, -1}, r, 0.01);
    add_plane<3>(scene, {0, 0, 0}, {0, 0, 1});
    Simulation<3, double> sim(scene, 1e-7, 0.0);
    sim.start();
    double deepest = 0;
    while (sim.time() < 5e-3) {
      sim.step();
      deepest = std::max(deepest, r - scene.world.state.x[0][2]);
    }
    const double k = 4.0 / 3 * 1e7 * std::sqrt(r);
    EXPECT_NEAR(deepest / std::pow(5 * 0.01 / (4 * k), 0.4), 1, 1e-5) << r;
  }
}

/// Dashpots given per reduced mass, for pairs of unequal grains: the sweep must bounce as collide() does.
TEST(Materials, DampingPerMassFollowsTheReducedMassOfThePair) {
  ContactLaws linear, hertz;
  linear.normal = Linear{.k = 2000, .g = 0};
  set_damping_per_mass(linear, 2000);
  hertz.normal = KuwabaraKono{};
  set_material_stiffness(hertz, {5e7, 0.3}, {5e7, 0.3});
  set_damping_per_mass(hertz, 1.2e8);
  for (ContactLaws& laws : std::vector{linear, hertz}) {
    laws.attraction = true;
    auto scene = empty_scene<3>(laws);
    const double r1 = 1e-3, r2 = 2e-3, m1 = 1e-5, m2 = 8e-5, v = 0.5;
    add_grain<3>(scene, {0, 0, 0}, {v, 0, 0}, r1, m1);
    add_grain<3>(scene, {r1 + r2, 0, 0}, {0, 0, 0}, r2, m2);
    run(scene, 2e-8, 100000);
    const auto speed = [&](std::uint32_t id) { return scene.world.state.v[place(scene, id)][0]; };
    const double e = collide(laws, r1 * r2 / (r1 + r2), m1 * m2 / (m1 + m2), v).restitution;
    EXPECT_LT(e, 0.95);
    EXPECT_NEAR((speed(1) - speed(0)) / v, e, 1e-4);
  }
}

/// Every way to derive the coefficients of every law that takes its root from the contact: what the sweep folds into
/// the root must be what collide() multiplies by.
TEST(Materials, EveryScalingBouncesAsACollisionDoes) {
  const double r1 = 1e-3, r2 = 2e-3, m1 = 1e-5, m2 = 8e-5, v = 0.5, k = 3.66e7;
  const std::vector<AnyNormal> normals = {Hertz{k}, HertzLinear{k, 0.02}, HertzTsuji{k, 0.3}, KuwabaraKono{k, 500},
                                          KKMollified{k, 500, 1e-7}, KKMollifiedFull{k, 500, 1e-7}};
  for (const AnyNormal& normal : normals)
    for (const auto stiffness : {Scaling::Stiffness::given, Scaling::Stiffness::root_radius})
      for (const auto damping : {Scaling::Damping::given, Scaling::Damping::root_radius, Scaling::Damping::quarter_radius,
                                 Scaling::Damping::root_mass, Scaling::Damping::mass, Scaling::Damping::mass_root_radius}) {
        ContactLaws laws;
        laws.normal = normal;
        laws.scaling = {stiffness, damping};
        laws.attraction = true;
        auto scene = empty_scene<3>(laws);
        add_grain<3>(scene, {0, 0, 0}, {v, 0, 0}, r1, m1);
        add_grain<3>(scene, {r1 + r2, 0, 0}, {0, 0, 0}, r2, m2);
        const Collision c = collide(laws, r1 * r2 / (r1 + r2), m1 * m2 / (m1 + m2), v);
        const int steps = 4000;
        run(scene, 1.5 * c.duration / steps, steps);  // of first order where there is damping: some 1e-4
        const auto speed = [&](std::uint32_t id) { return scene.world.state.v[place(scene, id)][0]; };
        EXPECT_NEAR((speed(1) - speed(0)) / v, c.restitution, 1e-3)
            << std::visit([](const auto& law) { return law.name; }, normal) << ' ' << static_cast<int>(stiffness) << ' '
            << static_cast<int>(damping);
      }
}

}  // namespace
}  // namespace scree
