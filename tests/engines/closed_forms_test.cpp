// SPDX-License-Identifier: BSD-3-Clause
/// Motions with a closed form, run through the whole engine.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

/// A grain of mass m hits a fixed one with the linear law; returns e and the time of the contact.
struct Bounce { double e, duration, force_until; };  // until the gap opens; until the force has vanished

Bounce bounce(double k, double g, bool attraction, double h, const std::string& integrator = "damped-verlet") {
  ContactLaws laws;
  laws.normal = Linear{k, g};
  laws.attraction = attraction;
  auto scene = empty_scene<2>(laws, integrator);
  const double m = 0.000147026536188002324, r = 3e-3;
  add_grain<2>(scene, {0, 0}, {0, 0}, r, m, true);
  add_grain<2>(scene, {2 * r, 0}, {-1, 0}, r, m);
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  double gap = 0, v = -1, time = 0, force_until = 0;
  while (time < 1e-4) {
    const double before = gap;
    sim.step();
    const std::size_t i = place(scene, 1);
    gap = scene.world.state.x[i][0] - 2 * r;
    const double v_before = v;
    v = scene.world.state.v[i][0];
    time = sim.time();
    if (v != v_before) force_until = time;
    if (before < 0 && gap >= 0) {  // the free flight after the last contact tells when it ended
      time -= gap / v;
      break;
    }
  }
  sim.step();
  return {scene.world.state.v[place(scene, 1)][0], time, force_until};
}

// Values of the closed forms for k = 7.32e6 N/m, g = 2.06 kg/s, m = 1.47e-4 kg, from an independent
// computation in high precision.
constexpr double k = 7.32e6, g = 2.06;
constexpr double e_attraction = 0.906028739782789703, e_clipped = 0.907817918018670519;
constexpr double t_attraction = 0.0000140866055558583592, t_clipped = 0.0000138049997041522069;

TEST(LinearCollision, HasTheRestitutionAndContactTimeOfTheClosedForm) {
  const Bounce b = bounce(k, g, true, 2e-10);
  EXPECT_NEAR(b.e / e_attraction, 1, 1e-6);
  EXPECT_NEAR(b.duration / t_attraction, 1, 1e-6);
}

TEST(LinearCollision, WithoutAttractionHasTheRestitutionAndContactTimeOfSchwagerAndPoeschel) {
  // The force ends before the overlap does; its end is known to a step, 1e-11 s of 1.4e-5.
  const Bounce b = bounce(k, g, false, 1e-11);
  EXPECT_NEAR(b.e / e_clipped, 1, 1e-6);
  EXPECT_NEAR(b.force_until / t_clipped, 1, 1e-6);
}

TEST(LinearCollision, ConvergesAtTheSchemesOrderInsideTheContact) {
  // From an overlap of 1 µm on: at first touch the dashpot jumps, and a jump inside a step would cost
  // every scheme an order. ξ(t) = exp(-b t) (ξ0 cos wt + (v0 + b ξ0)/w sin wt).
  const double m = 0.000147026536188002324, r = 3e-3, xi0 = 1e-6, v0 = 1, t = 9e-6;
  const double b = g / (2 * m), w = std::sqrt(k / m - b * b);
  const double xi = std::exp(-b * t) * (xi0 * std::cos(w * t) + (v0 + b * xi0) / w * std::sin(w * t));
  const std::pair<const char*, double> schemes[] = {
      {"euler", 1}, {"symplectic-euler", 1}, {"velocity-verlet", 1}, {"damped-verlet", 2}, {"taylor", 2}, {"rk4", 4}};
  for (const auto& [name, order] : schemes) {
    std::vector<double> h, e;
    // enough steps to be asymptotic, few enough to stay above round-off
    for (const int steps : order == 1 ? std::vector{1000, 2000, 4000} : order == 2 ? std::vector{400, 800, 1600} : std::vector{40, 80, 160}) {
      ContactLaws laws;
      laws.normal = Linear{k, g};
      laws.attraction = true;
      auto scene = empty_scene<2>(laws, name);
      add_grain<2>(scene, {0, 0}, {0, 0}, r, m, true);
      add_grain<2>(scene, {2 * r - xi0, 0}, {-v0, 0}, r, m);
      run(scene, t / steps, steps);
      h.push_back(t / steps);
      e.push_back(std::abs(2 * r - scene.world.state.x[place(scene, 1)][0] - xi));
    }
    EXPECT_NEAR(slope(h, e), order, 0.05) << name;
  }
}

TEST(HertzCollision, HasTheOverlapAndContactTimeOfTheClosedForm) {
  const double stiffness = 9e7, m = 1.47e-4, r = 3e-3, v = 1;
  ContactLaws laws;
  laws.normal = Hertz{stiffness};
  auto scene = empty_scene<3>(laws);
  add_grain<3>(scene, {0, 0, 0}, {0, 0, 0}, r, m, true);
  add_grain<3>(scene, {0, 2 * r, 0}, {0, -v, 0}, r, m);
  const double xi_max = std::pow(5 * m * v * v / (4 * stiffness), 0.4), t_c = 2.943275 * xi_max / v;
  const double h = t_c / 20000;
  Simulation<3, double> sim(scene, h, 0.0);
  sim.start();
  double largest = 0, ended = 0, before = 0;
  while (ended == 0) {
    sim.step();
    const std::size_t i = place(scene, 1);
    const double gap = scene.world.state.x[i][1] - 2 * r;
    largest = std::max(largest, -gap);
    if (before < 0 && gap >= 0) ended = sim.time() - gap / scene.world.state.v[i][1];
    before = gap;
  }
  EXPECT_NEAR(largest / xi_max, 1, 1e-6);
  EXPECT_NEAR(ended / t_c, 1, 1e-6);
  EXPECT_NEAR(scene.world.state.v[place(scene, 1)][1], v, 1e-7);
}

TEST(FreeFall, IsExactForVerletAndFollowsTheParabola) {
  ContactLaws laws;
  laws.normal = Hertz{1e7};
  for (const char* name : {"leapfrog", "velocity-verlet", "damped-verlet", "taylor", "rk4"}) {
    auto scene = empty_scene<3>(laws, name);
    scene.world.domain.gravity = {0, 0, -9.81};
    add_grain<3>(scene, {0, 0, 0}, {3, 1, 4}, 0.01);
    run(scene, 1e-3, 1000);
    const Vec<3, double> x = scene.world.state.x[0];
    EXPECT_NEAR(x[0], 3.0, 1e-12) << name;
    EXPECT_NEAR(x[1], 1.0, 1e-12) << name;
    EXPECT_NEAR(x[2], 4.0 - 9.81 / 2, 1e-11) << name;
    EXPECT_NEAR(scene.world.state.v[0][2], 4.0 - 9.81, 1e-11) << name;
  }
}

TEST(Rotation, TurnsAGrainByItsSpinInPlaneAndSpace) {
  ContactLaws laws;
  laws.normal = Hertz{1e7};
  auto flat = empty_scene<2>(laws);
  add_grain<2>(flat, {0, 0}, {0, 0}, 0.01);
  flat.world.state.w[0] = {2.0};
  run(flat, 1e-3, 1000);
  EXPECT_NEAR(flat.world.state.q[0][0], 2.0, 1e-12);

  std::vector<double> h, e;
  for (const int n : {500, 1000, 2000}) {
    auto space = empty_scene<3>(laws);
    add_grain<3>(space, {0, 0, 0}, {0, 0, 0}, 0.01);
    space.world.state.w[0] = {0, 0, 2.0};
    run(space, 1.0 / n, n);
    const Vec<3, double> turned = rotate(space.world.state.q[0], Vec<3, double>{1, 0, 0});
    EXPECT_NEAR(norm(turned), 1, 1e-13);
    h.push_back(1.0 / n);
    e.push_back(norm(turned - Vec<3, double>{std::cos(2.0), std::sin(2.0), 0}));
  }
  EXPECT_NEAR(slope(h, e), 2.0, 0.02);
}

/// A grain that slides on a plane comes to roll: v = 5/7 u0 for a sphere, 2/3 u0 for a disc.
template <int D>
double rolling_speed(double inertia_factor) {
  ContactLaws laws;
  laws.normal = HertzLinear{1e8, 5};
  laws.tangential = CundallStrack{1e4, 0.3, 0.2};
  auto scene = empty_scene<D>(laws);
  const double r = 0.01, m = 0.01, xi = std::pow(m * 9.81 / 1e8, 2.0 / 3.0);
  Vec<D, double> x{}, v{}, up{};
  up[D - 1] = 1;
  x[D - 1] = r - xi;  // at rest on the plane
  v[0] = 1.0;
  add_grain<D>(scene, x, v, r, m);
  scene.world.grains.inertia[0] = inertia_factor * m * r * r;
  add_plane<D>(scene, {}, up);
  scene.world.domain.gravity[D - 1] = -9.81;
  run(scene, 2e-6, 200000);
  const auto& s = scene.world.state;
  // rolling: the surface does not slide, with the lever r - ξ of the contact
  const double lever = r - xi;
  const double slip = D == 2 ? s.v[0][0] + lever * s.w[0][0] : s.v[0][0] - lever * s.w[0][spin_size<D> > 1 ? 1 : 0];
  EXPECT_NEAR(slip, 0, 1e-6);
  const double gain = lever * lever / (inertia_factor * r * r);  // v = u0 gain/(1 + gain) with that lever
  EXPECT_NEAR(s.v[0][0], gain / (1 + gain), 1e-5);
  return s.v[0][0];
}

TEST(SlidingToRolling, LeavesFiveSeventhsOfTheSpeedToASphereAndTwoThirdsToADisc) {
  // The overlap makes the lever a little shorter than r: ξ/r is 1e-4 here, and v follows by 0.4 of that.
  EXPECT_NEAR(rolling_speed<2>(2.0 / 5), 5.0 / 7, 1e-4);
  EXPECT_NEAR(rolling_speed<3>(2.0 / 5), 5.0 / 7, 1e-4);
  EXPECT_NEAR(rolling_speed<2>(1.0 / 2), 2.0 / 3, 1e-4);
}

TEST(ObliqueImpact, InTheSlidingBranchTakesMuTimesOnePlusEOffTheTangentialVelocity) {
  const double mu = 0.1, vn = 1, vt = 1, r = 0.01, m = 0.01;
  ContactLaws laws;
  laws.normal = Linear{1e8, 20.0};  // overlaps up to r/1000, by which the lever is shorter than r
  laws.tangential = CundallStrack{1e8 * 2 / 7, mu, 0};
  for (const bool space : {false, true}) {
    const auto check = [&]<int D>(std::integral_constant<int, D>) {
      auto scene = empty_scene<D>(laws);
      Vec<D, double> x{}, v{}, up{};
      up[D - 1] = 1;
      x[D - 1] = r;
      v[0] = vt;
      v[D - 1] = -vn;
      add_grain<D>(scene, x, v, r, m);
      add_plane<D>(scene, {}, up);
      run(scene, 1e-9, 60000);
      const double e = scene.world.state.v[0][D - 1] / vn;
      EXPECT_GT(e, 0.9);
      const double change = mu * (1 + e) * vn;
      EXPECT_NEAR(scene.world.state.v[0][0], vt - change, 2e-4 * change) << D;
      // the same impulse turns the grain: I w = -(lever) x impulse, w = change m r/I = 5 change/(2 r)
      const double spin = D == 2 ? -scene.world.state.w[0][0] : scene.world.state.w[0][spin_size<D> > 1 ? 1 : 0];
      EXPECT_NEAR(spin * r, 2.5 * change, 1e-3 * 2.5 * change) << D;
    };
    if (space) check(std::integral_constant<int, 3>{});
    else check(std::integral_constant<int, 2>{});
  }
}

}  // namespace
}  // namespace scree
