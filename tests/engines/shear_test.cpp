// SPDX-License-Identifier: BSD-3-Clause
/// The sheared periodic box of Lees and Edwards.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

ContactLaws sticky() {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 30};
  laws.tangential = CundallStrack{5e3, 0.4, 0.01};
  return laws;
}

/// Two grains that meet across the border of the box do what they do in open space, where the upper one is faster
/// by γ' L and starts one period up. `up`: how fast the pair drifts through the border.
template <int D>
void expect_the_same_as_in_open_space(const std::string& integrator, double drift, double rate) {
  const double L = 0.1, r = 0.01, dt = 1e-6;
  Vec<D, double> xa{}, xb{}, va{}, vb{}, size{};
  for (int k = 0; k < D; ++k) size[k] = L;
  xa[0] = 0.097, xa[1] = 0.0899;  // under the top
  xb[0] = 0.002, xb[1] = 0.0108;  // over the bottom, beyond the border along x as well
  if constexpr (D == 3) xa[2] = 0.05, xb[2] = 0.053;
  va[0] = 0.1, va[1] = 0.6 + drift;
  vb[0] = -rate * L + 0.05, vb[1] = -0.2 + drift;

  auto box = empty_scene<D>(sticky(), integrator);
  for (int k = 0; k < D; ++k) box.world.domain.periodic[static_cast<std::size_t>(k)] = true;
  box.world.domain.hi = size;
  box.world.domain.shear.rate = rate;
  add_grain<D>(box, xa, va, r, 0.01);
  add_grain<D>(box, xb, vb, r, 0.01);
  auto open = empty_scene<D>(sticky(), integrator);
  add_grain<D>(open, xa, va, r, 0.01);
  Vec<D, double> image = xb, faster = vb;
  image[0] += L;
  image[1] += L;
  faster[0] += rate * L;
  add_grain<D>(open, image, faster, r, 0.01);

  Simulation<D, double> one(box, dt, 0.0), two(open, dt, 0.0);
  one.start();
  two.start();
  double strongest = 0;
  for (int n = 0; n < 4000; ++n) {
    one.step();
    two.step();
    if (n % 20 == 0)
      for (const double f : two.frame(true).contacts.force) strongest = std::max(strongest, std::abs(f));
  }
  ASSERT_GT(strongest, 0);
  EXPECT_EQ(two.engine().contacts(), 0U);  // met and parted
  const std::size_t a = place(box, 0), b = place(box, 1), A = place(open, 0), B = place(open, 1);
  const auto& s = box.world.state;
  const auto& o = open.world.state;
  const double t = 4000 * dt;
  const auto same = [&](std::size_t i, std::size_t j) {
    // by how many periods up the grain of the box stands below that of open space
    const double up = std::round((o.x[j][1] - s.x[i][1]) / L);
    EXPECT_NEAR(o.x[j][1] - s.x[i][1], up * L, 1e-12);
    EXPECT_NEAR(o.v[j][0] - s.v[i][0], up * rate * L, 1e-10);
    for (int k = 1; k < D; ++k) EXPECT_NEAR(o.v[j][k], s.v[i][k], 1e-10);
    const double along = (o.x[j][0] - s.x[i][0] - up * rate * L * t) / L;
    EXPECT_NEAR(along, std::round(along), 1e-10);
    for (int k = 0; k < spin_size<D>; ++k) EXPECT_NEAR(s.w[i][k], o.w[j][k], 1e-8);
  };
  same(a, A);
  same(b, B);
  // Work: in the box the shear did what in open space nobody had to.
  const Energies e = one.energies(), f = two.energies();
  EXPECT_NEAR(e.dissipated(), f.dissipated(), 1e-9 * f.dissipated());
  // Forces are booked for whole steps: where a grain changes its speed by γ' L while it is pushed, by half a step too
  // much or too little. Two grains cross, in the plane of the force.
  EXPECT_NEAR(e.balance_error(), f.balance_error(), 1e-10 * (e.kinetic + f.kinetic) + std::sqrt(2.0) * strongest * std::abs(rate) * L * dt);
  EXPECT_NE(e.work, 0);
}

TEST(Shear, AContactAcrossTheBorderIsThatOfOpenSpace) {
  for (const char* name : {"velocity-verlet", "damped-verlet", "rk4", "leapfrog"})
    for (const double rate : {3.0, -7.0})
      for (const double drift : {0.0, 3.0, -3.0}) {
        SCOPED_TRACE(std::string(name) + ", rate " + std::to_string(rate) + ", drift " + std::to_string(drift));
        expect_the_same_as_in_open_space<2>(name, drift, rate);
        expect_the_same_as_in_open_space<3>(name, drift, rate);
      }
}

/// A gas in a sheared box, at random places.
template <int D>
Scene<D, double> gas(const std::string& integrator, const ContactLaws& laws, double rate, bool profile) {
  auto scene = empty_scene<D>(laws, integrator);
  const double r = 2e-3;
  const int side = D == 2 ? 14 : 6;
  std::uint32_t id = 0;
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b)
      for (int c = 0; c < (D == 2 ? 1 : side); ++c) {
        Random random(5, 1, id++);
        Vec<D, double> x{}, v{};
        const std::array<int, 3> cell{a, b, c};
        for (int k = 0; k < D; ++k) {
          x[k] = (cell[static_cast<std::size_t>(k)] + 0.5) * 2.5 * r + random.uniform(-4e-4, 4e-4);
          v[k] = random.uniform(-0.5, 0.5);
        }
        add_grain<D>(scene, x, v, r * random.uniform(0.8, 1.0));
      }
  for (int k = 0; k < D; ++k) scene.world.domain.periodic[static_cast<std::size_t>(k)] = true;
  for (int k = 0; k < D; ++k) scene.world.domain.hi[k] = side * 2.5 * r;
  scene.world.domain.shear.rate = rate;
  scene.world.domain.shear.profile = profile;
  return scene;
}

TEST(Shear, OneHashHoweverItIsRun) {
  const auto plane = [](const char* name) { return [=] { return gas<2>(name, sticky(), 30, true); }; };
  const std::uint64_t hash = hash_of(plane("velocity-verlet"), {}, 500);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(plane("velocity-verlet"), way, 500), hash) << way;
  for (const char* name : {"damped-verlet", "rk4", "ab2", "kk-shifted", "gear5"})
    EXPECT_EQ(hash_of(plane(name), another_way, 400), hash_of(plane(name), {}, 400)) << name;
  const auto space = [] { return gas<3>("velocity-verlet", sticky(), 30, true); };
  const std::uint64_t in_space = hash_of(space, {}, 250);
  for (const Way& way : some_ways) EXPECT_EQ(hash_of(space, way, 250), in_space) << way;
}

/// An elastic gas in homogeneous shear keeps v_x = γ' (y - middle), heats up by the work of the shear, and its books
/// balance to the error of the scheme.
TEST(Shear, AGasKeepsItsLinearProfileAndPaysForItsHeat) {
  ContactLaws laws;
  laws.normal = Linear{2e4, 0};
  const double rate = 20;
  auto scene = gas<2>("velocity-verlet", laws, rate, true);
  Simulation<2, double> sim(scene, 2e-6, 0.0);
  sim.start();
  const double height = scene.world.domain.hi[1];
  double syy = 0, svy = 0;
  for (int n = 0; n < 50000; ++n) {
    sim.step();
    if (n % 100 == 0)
      for (std::size_t i = 0; i < scene.world.grains.size(); ++i) {
        const double y = scene.world.state.x[i][1] - height / 2;
        syy += y * y;
        svy += y * scene.world.state.v[i][0];
      }
  }
  ASSERT_FALSE(sim.engine().fault().has_value());
  // 196 grains with a thermal speed of 0.5 m/s and a shear speed of 1.4 m/s, averaged over some ten collisions each:
  // a statistical error of 2 % of the slope, of which four are allowed
  EXPECT_NEAR(svy / syy, rate, 0.08 * rate);
  const Energies e = sim.energies();
  EXPECT_GT(e.work, 0.2 * e.initial);
  EXPECT_NEAR(e.balance_error(), 0, 1e-3 * e.work);
}

}  // namespace
}  // namespace scree
