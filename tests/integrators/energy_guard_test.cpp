// SPDX-License-Identifier: BSD-3-Clause
/// The guard of kk-theta: as printed and split, energy never grows from one step to the next, whatever the step, in chains,
/// a cradle and crowds; the reference errors stay what they are; and what is taken out is taken as it is said to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/integrators/energy_course.hpp"
#include "tests/support/chain_reference.hpp"

namespace scree {
namespace {

using namespace test;
using Theta = MethodSettings::Theta;

TEST(EnergyGuard, KeepsEnergyFromGrowingOnChainsWhateverTheStep) {
  std::uint32_t seed = 2000;
  double unguarded = 0;
  for (const Theta theta : {Theta::seed, Theta::split})
    for (const double a : {1.1, 1.5, 2.0, 3.0})
      for (const double gamma : {0.003, 0.05, 0.5})
        for (const double h : {0.02, 0.1, 0.4, 1.6}) {
          ++seed;
          auto scene = random_chain(seed, gamma, a, seed % 2 == 0, seed % 3 == 0);
          scene.run.method.theta = theta;
          if (seed % 5 == 0) scene.world.groups[0].attachment = 0.2;
          if (seed % 7 == 0) scene.world.groups[0].drag = 0.01;
          auto free = scene;
          EXPECT_LT(follow<2>(scene, h, 200, energy<2>).rise, round_off)
              << static_cast<int>(theta) << ", a = " << a << ", gamma = " << gamma << ", h = " << h;
          free.run.method.guard = false;
          unguarded = std::max(unguarded, follow<2>(free, h, 200, energy<2>, true).rise);
        }
  EXPECT_GT(unguarded, 0.1);  // which is what there is to be kept from growing
}

TEST(EnergyGuard, KeepsEnergyFromGrowingInACradle) {
  for (const Theta theta : {Theta::seed, Theta::split, Theta::third})
    for (const double part : {1.0, 2.0, 4.0, 8.0, 16.0}) {
      auto scene = bead_chain(5, 0.05);
      scene.world.groups[0].attachment = 0.01;
      scene.run.method.theta = theta;
      scene.run.method.guard = true;  // third has none of its own accord
      EXPECT_LT(follow<2>(scene, part * 0.05, static_cast<int>(130 / (part * 0.05)), energy<2>).rise, round_off) << part;
    }
}

TEST(EnergyGuard, KeepsEnergyFromGrowingInThePlaneAndInSpace) {
  const auto above_ground = [](auto& sim) { return sim.energies().mechanical() + 0.2; };
  for (const Theta theta : {Theta::seed, Theta::split})
    for (const double gamma : {2e-6, 2e-5})
      for (const double h : {2e-5, 1e-4}) {
        for (const bool ring : {false, true}) {
          auto scene = crowd<2>(3, gamma, ring);
          scene.run.method.theta = theta;
          EXPECT_LT(follow<2>(scene, h, 200, above_ground).rise, round_off) << "gamma = " << gamma << ", h = " << h << (ring ? ", ring" : "");
        }
        auto scene = crowd<3>(4, gamma, false);
        scene.run.method.theta = theta;
        EXPECT_LT(follow<3>(scene, h, 60, above_ground).rise, round_off) << "gamma = " << gamma << ", h = " << h;
      }
}

/// Discs that meet and part, at steps at which nothing is to be mended but what rounding leaves: a grain that has parted from
/// its last neighbour must not be kicked once more, or every parting would cost all grains a second try.
TEST(EnergyGuard, DoesNotDoStepsAgainBecauseGrainsPart) {
  for (const Theta theta : {Theta::seed, Theta::split}) {
    auto scene = crowd<2>(3, 2e-5, false);
    scene.run.method.theta = theta;
    scene.world.domain.gravity = {};
    Simulation<2, double> sim(scene, 2e-5, 0.0);  // h = gamma
    sim.start();
    int partings = 0;
    for (int k = 0; k < 600; ++k) {
      const std::size_t before = sim.engine().contacts();
      sim.step();
      partings += sim.engine().contacts() < before;
    }
    EXPECT_GT(partings, 30);
    EXPECT_LE(sim.integrator().redone, partings / 10) << static_cast<int>(theta);
  }
}

/// The ten beads, whose errors at h = 8, 4, 2 and 1 γ were computed elsewhere for the scheme without a guard.
TEST(EnergyGuard, LeavesTheReferenceErrorsWithinAPercent) {
  for (const ThetaReference& one : theta_references) {
    const auto guarded = run_chain(bead_chain(10, 0.05), one.h, 40);
    EXPECT_NEAR(largest_difference(guarded.v, kk_velocities), one.error, 0.01 * one.error) << one.h;
    if (one.h > 2 * 0.05 * (1 + 1e-9)) continue;
    auto plain = bead_chain(10, 0.05);
    plain.run.method.guard = false;
    EXPECT_EQ(guarded.v, run_chain(plain, one.h, 40).v) << one.h << ": where nothing is gained nothing is changed";
  }
}

/// Two runs of a scene, one guarded, up to the first step in which the guard acts: there the two differ by nothing else.
template <int D>
struct Act {
  std::vector<Vec<D, double>> x, plain, guarded;  // by id
  std::vector<double> m;
  double before = 0, after = 0;
};
template <int D>
Act<D> first_act(Scene<D, double> scene, double h, int steps) {
  Scene<D, double> free = scene;
  free.run.method.guard = false;
  Simulation<D, double> a(scene, h, 0.0), b(free, h, 0.0);
  a.start();
  b.start();
  Act<D> act;
  for (int k = 0; k < steps; ++k) {
    act.before = a.energies().mechanical();
    a.step();
    b.step();
    if (a.integrator().guarded == 0) continue;
    EXPECT_EQ(a.integrator().redone, 0);
    act.after = a.energies().mechanical();
    EXPECT_NEAR(a.integrator().taken, b.energies().mechanical() - act.after, 1e-12 * std::abs(act.before));
    for (std::uint32_t id = 0; id < scene.world.grains.size(); ++id) {
      const std::size_t i = place(scene, id), j = place(free, id);
      EXPECT_EQ(scene.world.state.x[i], free.world.state.x[j]);
      act.x.push_back(scene.world.state.x[i]);
      act.guarded.push_back(scene.world.state.v[i]);
      act.plain.push_back(free.world.state.v[j]);
      act.m.push_back(scene.world.grains.m[i]);
    }
    return act;
  }
  ADD_FAILURE() << "the guard never acted";
  return act;
}

/// On a line impulses can change all but the velocity of the cluster's centre: the others are scaled about it, so that the
/// energy is what it was.
TEST(EnergyGuard, ScalesVelocitiesAboutTheCentreOfACluster) {
  auto scene = bead_chain(10, 0.05);
  for (std::size_t k = 0; k < 10; ++k) scene.world.grains.m[k] = 1 + 0.02 * static_cast<double>(k % 2);
  const auto act = first_act<2>(scene, 0.4, 100);
  EXPECT_NEAR(act.after, act.before, 1e-13);
  double mass = 0, momentum = 0;
  int touched = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    if (act.guarded[k] == act.plain[k]) continue;
    mass += act.m[k];
    momentum += act.m[k] * act.plain[k][0];
    ++touched;
  }
  ASSERT_GT(touched, 2);
  const double centre = momentum / mass;
  double factor = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    if (act.guarded[k] == act.plain[k]) continue;
    const double one = (act.guarded[k][0] - centre) / (act.plain[k][0] - centre);
    if (factor == 0) factor = one;
    EXPECT_NEAR(one, factor, 1e-6 * (1 - factor)) << k;  // the plastic impact is one up to 1e-8
  }
  EXPECT_GT(factor, 0.9);
  EXPECT_LT(factor, 1);
}

/// In the plane and in space it changes neither momentum nor angular momentum.
template <int D>
void expect_kept_momenta() {
  auto scene = crowd<D>(9, 2e-6, false);
  scene.world.walls.clear();
  scene.world.domain.gravity = {};
  const auto act = first_act<D>(scene, 4e-5, 400);
  Vec<D, double> p{};
  Spin<D, double> l{};
  double size = 0, arm = 0;
  for (std::size_t k = 0; k < act.x.size(); ++k) {
    const Vec<D, double> change = (act.guarded[k] - act.plain[k]) * act.m[k];
    p += change;
    l += cross(act.x[k], change);
    size += norm(change);
    arm = std::max(arm, norm(act.x[k]));
  }
  EXPECT_GT(size, 0);
  EXPECT_LT(norm(p), 1e-14 * size + 1e-16);
  EXPECT_LT(norm(l), 1e-13 * size * arm);
}
TEST(EnergyGuard, ChangesNeitherMomentumNorAngularMomentum) {
  expect_kept_momenta<2>();
  expect_kept_momenta<3>();
}

/// Without a dashpot the trapezoidal rule gains what it lost before; taking it out would be a loss for ever.
TEST(EnergyGuard, LeavesContactsWithoutDashpotAlone) {
  auto scene = bead_chain(10, 0);
  auto plain = scene;
  plain.run.method.guard = false;
  EXPECT_EQ(run_chain(scene, 0.2, 40).v, run_chain(plain, 0.2, 40).v);
}

/// A piston brings in energy, which is not the guard's to take.
TEST(EnergyGuard, LeavesWhatAMovingWallPushesAlone) {
  auto scene = bead_chain(10, 0.05);
  scene.world.state.v[place(scene, 0)] = {};
  add_plane(scene, {-bead_radius, 0}, {1, 0});
  Move<2> push;
  push.velocity = {1, 0};
  scene.world.walls[0].motion.push_back(push);
  auto plain = scene;
  plain.run.method.guard = false;
  const auto a = run_chain(scene, 0.4, 8), b = run_chain(plain, 0.4, 8);
  EXPECT_EQ(a.v, b.v);
  EXPECT_GT(a.v[0], 0.5);
}

}  // namespace
}  // namespace scree
