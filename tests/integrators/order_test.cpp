// SPDX-License-Identifier: BSD-3-Clause
/// Orders of all registered integrators on a whole scene, from both sides: too low is a bug, too
/// high means that the test does not measure what it says.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/integrators/registry.hpp"
#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

/// Error of the overlap at T = 105 2^-13 s for the collision of table 3.1 (one grain fixed), against
/// reference values that were computed independently in high precision.
double collision_error(const std::string& integrator, const AnyNormal& law, double expected, int k) {
  ContactLaws laws;
  laws.normal = law;
  laws.attraction = true;
  auto scene = empty_scene<2>(laws, integrator);
  scene.world.materials[0].density = 19300;
  add_grain<2>(scene, {0, 0}, {0, 0}, 1, 0, true);
  add_grain<2>(scene, {2, 0}, {-1, 0}, 1);
  run(scene, std::ldexp(1.0, -k), 105LL << (k - 13));
  const auto& x = scene.world.state.x;
  return std::abs(2 - (x[place(scene, 1)][0] - x[place(scene, 0)][0]) - expected);
}

double collision_order(const std::string& integrator, const AnyNormal& law, double expected, int first, int last) {
  std::vector<double> h, e;
  for (int k = first; k <= last; ++k) {
    h.push_back(std::ldexp(1.0, -k));
    e.push_back(collision_error(integrator, law, expected, k));
  }
  return slope(h, e);
}

constexpr double hertz_end = 0.00336507184249800475, kk_end = 0.00158018826290454971,
                 mollified_end = 0.00158567246247011379;
const Hertz hertz{4.4e10};
const KuwabaraKono kk{4.4e10, 1.1e9};
const KKMollified mollified{4.4e10, 1.1e9, 1e-5};

TEST(CollisionOrder, IsOneForEulerOnHertzAndOnKuwabaraKono) {
  EXPECT_NEAR(collision_order("euler", hertz, hertz_end, 16, 20), 1.0, 0.03);
  EXPECT_NEAR(collision_order("euler", kk, kk_end, 17, 21), 1.0, 0.05);
}

TEST(CollisionOrder, IsTwoOnHertzAndOneOnKuwabaraKonoForSchemesThatForgetVelocity) {
  // Grains that start in touch feel no force at first, so even the staggered start is second order.
  for (const char* name : {"symplectic-euler", "leapfrog", "velocity-verlet", "staggered-verlet"}) {
    EXPECT_NEAR(collision_order(name, hertz, hertz_end, 15, 19), 2.0, 0.03) << name;
    EXPECT_NEAR(collision_order(name, kk, kk_end, 17, 21), 1.0, 0.05) << name;
  }
}

TEST(CollisionOrder, OfDampedVerletIsTwoOnHertzThreeHalvesOnKuwabaraKonoAndTwoAgainWhenMollified) {
  EXPECT_NEAR(collision_order("damped-verlet", hertz, hertz_end, 15, 19), 2.0, 0.03);
  EXPECT_NEAR(collision_order("damped-verlet", kk, kk_end, 17, 21), 1.5, 0.05);
  // The window begins where v h is well below eps = 1e-5 m.
  EXPECT_NEAR(collision_order("damped-verlet", mollified, mollified_end, 18, 21), 2.0, 0.05);
}

TEST(CollisionOrder, OfTaylorIsTwoOnHertzAndThreeHalvesOnKuwabaraKono) {
  EXPECT_NEAR(collision_order("taylor", hertz, hertz_end, 15, 19), 2.0, 0.03);
  EXPECT_NEAR(collision_order("taylor", kk, kk_end, 16, 20), 1.5, 0.05);
}

TEST(CollisionOrder, OfRungeKutta4IsThreeHalvesOnKuwabaraKono) {
  // No order of a scheme helps against the root at touch. (The 5/2 that it has on Hertz is below
  // round-off in double precision.)
  EXPECT_NEAR(collision_order("rk4", kk, kk_end, 16, 20), 1.5, 0.05);
}

/// A bead that hangs on a spring (an attachment) in a drag: smooth, with a closed form.
template <int D, class T = double>
double oscillator_error(const std::string& integrator, double drag, double h) {
  using std::cos;
  using std::exp;
  using std::sin;
  ContactLaws laws;
  laws.normal = hertz;
  auto scene = empty_scene<D, T>(laws, integrator);
  // With a force at the start: one that vanishes there flatters the schemes with a crude start.
  Vec<D, T> x0{}, v0{};
  x0[0] = T(0.25);
  x0[1] = T(0.125);
  v0[0] = T(1);
  v0[1] = T(0.5);
  add_grain(scene, x0, v0, 0x1p-7, 1.0);
  // An adaptive method that is content with everything takes the run's step.
  if (find_method(integrator)->adaptive) scene.run.method.tolerance = 1e30;
  scene.world.grains.home[0] = {};
  scene.world.groups[0].attachment = 4.0;
  scene.world.groups[0].drag = drag * 0x1p7;  // kg/s, per metre of radius
  const T b = T(drag) / T(2), w = sqrt(T(4) - b * b), t = T(2);
  run(scene, h, std::llround(2 / h));
  const T x = exp(-b * t) * (T(0.25) * cos(w * t) + (T(1) + b * T(0.25)) / w * sin(w * t));
  const Vec<D, T>& end = scene.world.state.x[0];
  return std::abs(double(end[0] - x)) + std::abs(double(end[1] - x * T(0.5)));
}

TEST(SmoothOrder, OfEveryMethodIsWhatItClaims) {
  for (const Method& method : methods()) {
    for (const bool damped : {false, true}) {
      const std::string name(method.name);
      const int order = damped ? method.order_if_damped : method.order;
      if (order > 3) continue;  // double has too few digits for a window: see below
      std::vector<double> h, e;
      // small enough to be asymptotic
      for (int k = 0; k < 4; ++k) {
        h.push_back(std::ldexp(1.0, -8 - k));
        e.push_back(oscillator_error<2>(name, damped ? 0.75 : 0.0, h.back()));
      }
      EXPECT_NEAR(slope(h, e), order, 0.05) << name << (damped ? " with drag" : "");
    }
  }
}

TEST(SmoothOrder, OfHighOrderMethodsHoldsOverSixDecadesOfErrorInDoubleDouble) {
  for (const Method& method : methods()) {
    for (const bool damped : {false, true}) {
      const std::string name(method.name);
      const int order = damped ? method.order_if_damped : method.order;
      if (order < 4) continue;
      std::vector<double> h, e;
      for (const int k : {7, 8, 10, order == 5 ? 11 : 12}) {
        h.push_back(std::ldexp(1.0, -k));
        e.push_back(oscillator_error<2, dd>(name, damped ? 0.75 : 0.0, h.back()));
      }
      EXPECT_NEAR(slope(h, e), order, 0.05) << name << (damped ? " with drag" : "");
      EXPECT_GT(e.front() / e.back(), 0.9e6) << name;       // 2^20 = 1.05e6 by theory
      EXPECT_LT(e.back(), 1e-13) << name;                   // below what double could show
    }
  }
}

TEST(SmoothOrder, IsTheSameInSpace) {
  for (const char* name : {"damped-verlet", "rk4", "gauss4", "gear5"}) {
    const double coarse = oscillator_error<3, dd>(name, 0.75, 0x1p-8), fine = oscillator_error<3, dd>(name, 0.75, 0x1p-9);
    EXPECT_NEAR(std::log2(coarse / fine), find_method(name)->order, 0.05) << name;
  }
}

}  // namespace
}  // namespace scree
