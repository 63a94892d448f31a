// SPDX-License-Identifier: BSD-3-Clause
/// The momentum-shifted scheme has order 2 on plain Kuwabara-Kono: at table 3.1, on bounces that no
/// step is aligned with, on six discs, at walls, in space, with the pull cut, and with friction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scree/laws/collision.hpp"
#include "tests/support/scenes.hpp"

namespace scree {
namespace {

using namespace test;

const KuwabaraKono stiff{4.4e10, 1.1e9}, softer{4.4e10, 5e8};

ContactLaws laws_of(const AnyNormal& normal, bool attraction = true) {
  ContactLaws laws;
  laws.normal = normal;
  laws.attraction = attraction;
  return laws;
}

/// Slope of the errors at h 2^-first … h 2^-last.
double order_of(const std::function<double(int)>& error, int first, int last) {
  std::vector<double> h, e;
  for (int k = first; k <= last; ++k) {
    h.push_back(std::ldexp(1.0, -k));
    e.push_back(error(k));
  }
  return slope(h, e);
}

// --- table 3.1 -------------------------------------------------------------------------------------

/// Error of the overlap at 105 2^-13 s, against a reference of 18 digits.
template <class T>
double table_error(bool extrapolate, int k) {
  auto scene = empty_scene<2, T>(laws_of(stiff), "kk-shifted");
  scene.run.method.extrapolate = extrapolate;
  scene.world.materials[0].density = 19300;
  add_grain(scene, {T(-2), T(0)}, {}, 1, 0, true);
  add_grain(scene, {T(0), T(0)}, {T(-1), T(0)}, 1);
  run(scene, std::ldexp(1.0, -k), 105LL << (k - 13));
  const T xi = -scene.world.state.x[place(scene, 1)][0];
  return std::abs(static_cast<double>(xi) - 0.00158018826290454971);
}

TEST(KKShifted, HasOrderTwoOnTable31) {
  EXPECT_NEAR(order_of([](int k) { return table_error<double>(false, k); }, 16, 20), 2.0, 0.03);
  EXPECT_NEAR(order_of([](int k) { return table_error<double>(true, k); }, 21, 24), 2.0, 0.03);
  EXPECT_NEAR(order_of([](int k) { return table_error<dd>(false, k); }, 16, 20), 2.0, 0.03);
  // the errors of an independent implementation: 1.3e-10 at 2^-18, where damped-verlet has 2.1e-8
  EXPECT_NEAR(table_error<double>(false, 18), 1.3e-10, 0.1e-10);
}

// --- bounces ---------------------------------------------------------------------------------------

/// Mean error of the velocity after a bounce off a fixed grain (or, in space, off a wall), over several
/// places of first touch within a step, against collide().
template <int D>
double bounce_error(const ContactLaws& laws, bool extrapolate, bool wall, int k) {
  const double h = std::ldexp(1.0, -k), mass = 4.0 / 3 * pi * 19300;
  const Collision exact = collide(laws, wall ? 1.0 : 0.5, mass, 1.0);
  double sum = 0;
  constexpr int places = 6;
  for (int p = 0; p < places; ++p) {
    auto scene = empty_scene<D>(laws, "kk-shifted");
    scene.run.method.extrapolate = extrapolate;
    scene.world.materials[0].density = 19300;
    const double gap = (p + 0.37) / places * h;
    Vec<D, double> x{}, v{}, n{};
    n[0] = 0.6;
    n[1] = 0.8;  // along no axis
    x = n * ((wall ? 1.0 : 2.0) + gap);
    v = n * -1.0;
    if (wall) add_plane(scene, Vec<D, double>{}, n);
    else add_grain(scene, {}, {}, 1, 0, true);
    const auto id = add_grain(scene, x, v, 1);
    run(scene, h, static_cast<std::int64_t>(1.1 * exact.duration / h) + 3);
    sum += std::abs(dot(scene.world.state.v[place(scene, id)], n) - exact.restitution);
  }
  return sum / places;
}

TEST(KKShifted, HasOrderTwoOnUnalignedBounces) {
  // With an extrapolated drift the next term is sqrt(h) smaller only: steps as much finer.
  for (const bool extrapolate : {false, true}) {
    const int first = extrapolate ? 16 : 13;
    EXPECT_NEAR(order_of([&](int k) { return bounce_error<2>(laws_of(softer), extrapolate, false, k); }, first, first + 4), 2.0, 0.03)
        << (extrapolate ? "ab2" : "midpoint");
  }
}

TEST(KKShifted, HasOrderTwoAtWallsAndInSpace) {
  EXPECT_NEAR(order_of([](int k) { return bounce_error<3>(laws_of(softer), false, true, k); }, 13, 17), 2.0, 0.03);
}

TEST(KKShifted, KeepsOrderTwoWhereThePullIsCut) {
  // The step in which N vanishes leaves an error of order h² that depends on where in the step it does:
  // the mean over six places still varies by some per cent from one h to the next.
  for (const bool wall : {false, true})
    EXPECT_NEAR(order_of([&](int k) { return bounce_error<2>(laws_of(softer, false), false, wall, k); }, 13, 18), 2.0, 0.1);
}

TEST(KKShifted, RunsEveryLawAtOrderTwo) {
  // With pull, a dashpot that does not fade at touch would hold the grains together: cut it there.
  for (const auto& [law, attraction] :
       {std::pair{AnyNormal(HertzLinear{4.4e10, 2e7}), false}, std::pair{AnyNormal(Linear{4e8, 2e6}), false},
        std::pair{AnyNormal(KKMollified{4.4e10, 5e8, 1e-4}), true}, std::pair{AnyNormal(KKMollifiedFull{4.4e10, 5e8, 1e-4}), true},
        std::pair{AnyNormal(HertzTsuji{4.4e10, 0.1}), true}})
    EXPECT_NEAR(order_of([&](int k) { return bounce_error<2>(laws_of(law, attraction), false, false, k); }, 14, 18), 2.0, 0.1)
        << std::visit([](const auto& l) { return l.name; }, law);
}

// --- six discs -------------------------------------------------------------------------------------

constexpr double X0[6][2] = {{-0.13, 0.04}, {1.02, 0.11}, {0.93, -0.95}, {1.97, -0.43}, {2.02, 0.61}, {2.93, 0.12}};
constexpr double V0[6][2] = {{1, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {-0.4, 0.05}};
/// The end state at 1.5 s, computed independently, to 1e-10.
constexpr double X1[6][2] = {{0.15018679449068684, -0.05190054606187226}, {1.244982762697871, 0.021525781716023647},
                             {0.93, -0.95}, {2.114434849364398, -0.8174351615133595},
                             {2.2826116036905644, 1.247924217029494}, {2.9177839897564435, 0.12488570882972407}};
constexpr double V1[6][2] = {{-0.03912374439298176, -0.07851634139422388}, {0.12941227690383583, -0.08177724583798253},
                             {0.0, 0.0}, {0.1080471749950298, -0.3757259367424464},
                             {0.296873581721442, 0.5467330136205313}, {0.10479071077267316, 0.03928651035412195}};

double discs_error(bool extrapolate, int k, double* velocity = nullptr) {
  auto scene = empty_scene<2>(laws_of(KuwabaraKono{1000, 15}), "kk-shifted");
  scene.run.method.extrapolate = extrapolate;
  for (int i = 0; i < 6; ++i) add_grain(scene, {X0[i][0], X0[i][1]}, {V0[i][0], V0[i][1]}, 0.5, 1.0);
  run(scene, std::ldexp(1.0, -k), 3LL << (k - 1));
  double worst = 0, worst_v = 0;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::size_t p = place(scene, i);
    for (int c = 0; c < 2; ++c) {
      worst = std::max(worst, std::abs(scene.world.state.x[p][c] - X1[i][c]));
      worst_v = std::max(worst_v, std::abs(scene.world.state.v[p][c] - V1[i][c]));
    }
  }
  if (velocity) *velocity = worst_v;
  return worst;
}

TEST(KKShifted, HasOrderTwoOnSixDiscs) {
  for (const bool extrapolate : {false, true})
    EXPECT_NEAR(order_of([&](int k) { return discs_error(extrapolate, k); }, 11, 16), 2.0, 0.03)
        << (extrapolate ? "ab2" : "midpoint");
  double velocity = 0;
  EXPECT_LT(discs_error(false, 18, &velocity), 2e-9);  // 2^-4 of the error at 2^-16, and the reference's 1e-10
  EXPECT_LT(velocity, 2e-8);
}

// --- friction --------------------------------------------------------------------------------------

/// End state of an oblique bounce with friction that does not begin on a step, summed over places of
/// touch (so that errors of either sign would cancel: differences are taken place by place).
/// In space the grains pass each other aslant and one of them spins about an axis of its own, so that the spring
/// turns in its plane.
template <int D = 2, class T = double>
std::vector<double> oblique(const std::string& integrator, double mu, bool attraction, int k, int places = 6) {
  const double h = std::ldexp(1.0, -k);
  std::vector<double> ends;
  for (int p = 0; p < places; ++p) {
    ContactLaws laws = laws_of(softer, attraction);
    laws.tangential = CundallStrack{2.4e9, mu};
    auto scene = empty_scene<D, T>(laws, integrator);
    scene.world.materials[0].density = 19300;
    // 2^-11 s: a multiple of all steps used, so that the same places belong to every step
    Vec<D, T> x{T(2.0006 + 0x1p-11 * (p + 0.37) / places), T(0.3)}, v{T(-1), T(0.5)};
    if constexpr (D == 3) x[2] = T(0.1), v[2] = T(-0.2);
    add_grain(scene, {}, {}, 1);
    add_grain(scene, x, v, 1);
    if constexpr (D == 3) scene.world.state.w[1] = {T(0.4), T(-0.3), T(0.2)};
    run(scene, h, 0.1 / h);
    const auto& s = scene.world.state;
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::size_t at = place(scene, i);
      for (int c = 0; c < D; ++c) ends.push_back(static_cast<double>(s.v[at][c]));
      for (int c = 0; c < (D == 2 ? 1 : 3); ++c) ends.push_back(static_cast<double>(s.w[at][c]));
    }
  }
  return ends;
}

template <int D = 2, class T = double>
double oblique_order(const std::string& integrator, double mu, bool attraction, int first, int last, int places = 6) {
  const auto reference = oblique<D, T>("kk-shifted", mu, attraction, last + 3, places);
  return order_of(
      [&](int k) {
        const auto ends = oblique<D, T>(integrator, mu, attraction, k, places);
        double sum = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) sum += std::abs(ends[i] - reference[i]);
        return sum;
      },
      first, last);
}

TEST(KKShifted, KeepsOrderTwoWithFriction) {
  // sticking at first and sliding later, with and without pull; the reference is 64 times better
  for (const bool attraction : {true, false})
    EXPECT_NEAR(oblique_order("kk-shifted", 0.3, attraction, 13, 16), 2.0, 0.15) << attraction;
  EXPECT_NEAR(oblique_order("kk-shifted", 0.1, true, 13, 16), 2.0, 0.15);
}

TEST(KKShifted, KeepsOrderTwoWithFrictionInSpaceAndInDoubleDouble) {
  const double in_double = oblique_order<3>("kk-shifted", 0.3, true, 13, 16);
  EXPECT_NEAR(in_double, 2.0, 0.15);
  // the errors are far above round-off, so that the order is the same to some digits
  EXPECT_NEAR((oblique_order<3, dd>("kk-shifted", 0.3, true, 13, 16)), in_double, 1e-3);
  // The same steps in either number type differ by round-off: of some 10^3 steps of contact and forces of
  // 10^7 N on 10^5 kg, 1e3 h F/m u = 1e-12 at most; sliding keeps springs on their limit and lets nothing grow.
  for (const char* integrator : {"kk-shifted", "damped-verlet", "rk4"}) {
    const auto a = oblique<3>(integrator, 0.3, false, 14, 2), b = oblique<3, dd>(integrator, 0.3, false, 14, 2);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << integrator;
    EXPECT_GT(std::abs(b[3]) + std::abs(b[4]) + std::abs(b[5]), 1e-3) << integrator;  // friction turns the grain that was at rest
  }
}

TEST(KKShifted, RungeKuttaInTheShiftedMomentumHasOrderTwoOrMoreWithFrictionFromTouch) {
  const auto end = [](int k) {
    ContactLaws laws = laws_of(softer);
    laws.tangential = CundallStrack{2.4e9, 0.6};
    auto scene = empty_scene<2>(laws, "kk-shifted-rk4");
    scene.world.materials[0].density = 19300;
    add_grain(scene, {0, 0}, {0, 0}, 1);
    add_grain(scene, {std::sqrt(3.0) * (1 - 1e-15), 1}, {-1, 0}, 1);
    run(scene, std::ldexp(1.0, -k), 1LL << (k - 9));
    return scene.world.state.w[0][0];
  };
  const double best = end(20);
  EXPECT_GT(order_of([&](int k) { return std::abs(end(k) - best); }, 13, 16), 1.95);
}

TEST(KKShifted, WhereOtherSchemesHaveOrderOne) {
  // Their springs are born half a step old, whatever part of the step the contact has lasted.
  EXPECT_NEAR(oblique_order("damped-verlet", 0.3, true, 13, 16), 1.0, 0.15);
}

// --- energy, and walls that go ---------------------------------------------------------------------

TEST(KKShifted, BooksWhatTheDashpotTakes) {
  const ContactLaws laws = laws_of(softer);
  auto scene = empty_scene<2>(laws, "kk-shifted");
  scene.world.materials[0].density = 19300;
  add_grain(scene, {0, 0}, {0, 0}, 1, 0, true);
  add_grain(scene, {2.0001, 0}, {-1, 0}, 1);
  const double mass = 4.0 / 3 * pi * 19300;
  const Collision exact = collide(laws, 0.5, mass, 1.0);
  Simulation<2, double> sim(scene, 0x1p-15, 0.0);
  sim.start();
  while (static_cast<double>(sim.time()) < 1.1 * exact.duration) sim.step();
  const Energies e = sim.energies();
  const double lost = 0.5 * mass * (1 - exact.restitution * exact.restitution);
  EXPECT_NEAR(e.normal / lost, 1, 1e-3);
  EXPECT_NEAR(e.balance_error() / lost, 0, 1e-3);
}

TEST(KKShifted, AWallThatGoesTakesItsImpulseAlong) {
  // The shift of a contact that is no more must not stay in the momentum: v goes on, without a jump.
  auto scene = empty_scene<2>(laws_of(softer), "kk-shifted");
  scene.world.materials[0].density = 19300;
  add_plane(scene, {0, 0}, {1, 0});
  scene.world.walls[0].until = 0.005;
  add_grain(scene, {1.0, 0}, {-1, 0}, 1);
  const double h = 0x1p-15;
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  double v_before = 0, before = 0;
  while (static_cast<double>(sim.time()) < 0.005 - h) {
    before = v_before;
    sim.step();
    v_before = scene.world.state.v[0][0];
  }
  const double change = std::abs(v_before - before);  // in one step of the contact
  ASSERT_GT(change, 0);
  for (int k = 0; k < 40; ++k) sim.step();
  EXPECT_LT(std::abs(scene.world.state.v[0][0] - v_before), 2.5 * change);
}

}  // namespace
}  // namespace scree
