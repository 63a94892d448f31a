// SPDX-License-Identifier: BSD-3-Clause
/// The scheme whose own dissipation is that of Kuwabara-Kono contacts: reference values, an independent writing of the
/// authors' formula, orders along h = c γ and at fixed γ, bonds of several γ, discs, and clear failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "tests/integrators/bead_chain.hpp"
#include "tests/support/chain_reference.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;
using Theta = MethodSettings::Theta;

// --- the authors' scheme ---------------------------------------------------------------------------

TEST(KKTheta, HasTheVelocitiesOfAnIndependentComputation) {
  for (const ThetaReference& one : theta_references) {
    auto scene = bead_chain(10, 0.05);
    scene.run.method.guard = false;
    const auto chain = run_chain(scene, one.h, 40);
    EXPECT_LT(largest_difference(chain.v, one.v), 1e-10) << one.h;
    EXPECT_NEAR(largest_difference(chain.v, kk_velocities), one.error, 1e-10) << one.h;
    EXPECT_LT(chain.iterations_per_step, 5);
  }
}

/// Other schemes run the same scene: the tight direct integration has the reference's digits.
TEST(BeadChain, HasTheVelocitiesOfADirectIntegration) {
  auto hertz = bead_chain(10, 0);
  hertz.run.integrator = "yoshida4";
  EXPECT_LT(largest_difference(run_chain(hertz, 1.0 / 2048, 40).v, hertz_velocities), 1e-9);  // order 5/2 on contacts
  // order 5/2 in the shifted momentum
  auto direct = bead_chain(10, 0.05);
  direct.run.integrator = "kk-shifted-rk4";
  EXPECT_LT(largest_difference(run_chain(direct, 1.0 / 1024, 40).v, kk_velocities), 2e-9);
}

/// The scheme as printed (seed 002, eq. 4 and 8), with a Newton method of its own: a cradle with attachments, unequal
/// masses and any exponent. Gives X, and the velocity X' = V + γ/2 g.
struct Printed {
  std::vector<double> m, x, v;
  double a, gamma, tether;

  std::vector<double> contact_forces(const std::vector<double>& at) const {
    std::vector<double> f(at.size());
    for (std::size_t n = 0; n + 1 < at.size(); ++n) {
      const double d = at[n] - at[n + 1], push = d > 0 ? std::pow(d, a) : 0;
      f[n] -= push;
      f[n + 1] += push;
    }
    return f;
  }
  void run(double h, int steps) {
    const double theta = 0.5 + gamma / (2 * h), mu = theta;
    const std::size_t n = m.size();
    for (int k = 0; k < steps; ++k) {
      const std::vector<double> old = contact_forces(x), x0 = x, v0 = v;
      for (std::size_t i = 0; i < n; ++i) x[i] += h * v[i];
      for (int it = 0; it < 40; ++it) {
        const std::vector<double> f = contact_forces(x);
        std::vector<double> r(n), diagonal(n), off(n);
        for (std::size_t i = 0; i < n; ++i) {
          v[i] = v0[i] + h / m[i] * (-(1 - mu) * tether * x[i] + theta * f[i] - mu * tether * x0[i] + (1 - theta) * old[i]);
          r[i] = x[i] - x0[i] - h * (theta * v[i] + (1 - theta) * v0[i]);
          diagonal[i] = m[i] + h * h * theta * (1 - mu) * tether;
          r[i] *= m[i];
        }
        for (std::size_t i = 0; i + 1 < n; ++i) {
          const double d = x[i] - x[i + 1], slope = d > 0 ? h * h * theta * theta * a * std::pow(d, a - 1) : 0;
          diagonal[i] += slope;
          diagonal[i + 1] += slope;
          off[i] = -slope;
        }
        for (std::size_t i = 0; i + 1 < n; ++i) {
          const double w = off[i] / diagonal[i];
          diagonal[i + 1] -= w * off[i];
          r[i + 1] -= w * r[i];
        }
        for (std::size_t i = n; i-- > 0;) {
          if (i + 1 < n) r[i] -= off[i] * r[i + 1];
          r[i] /= diagonal[i];
          x[i] -= r[i];
        }
      }
    }
  }
  std::vector<double> velocity() const {
    const std::vector<double> f = contact_forces(x);
    std::vector<double> out(v);
    for (std::size_t i = 0; i < m.size(); ++i) out[i] += gamma / 2 * (f[i] - tether * x[i]) / m[i];
    return out;
  }
};

TEST(KKTheta, IsTheSchemeOfTheAuthorsWithMassesAttachmentsAndExponents) {
  for (const double a : {1.1, 1.5, 2.0}) {
    const std::vector<double> masses{1, 0.5, 2, 1, 3};
    const double gamma = 0.08, tether = 0.3, h = 0.125;
    Printed printed{masses, std::vector<double>(5), {1, 0, 0, 0, -0.5}, a, gamma, tether};
    auto scene = bead_chain(5, gamma, a);
    for (std::size_t k = 0; k < 5; ++k) scene.world.grains.m[k] = masses[k];
    scene.world.state.v[4] = {-0.5, 0};
    scene.world.groups[0].attachment = tether;
    scene.run.method.guard = false;
    for (const int steps : {9, 40, 160}) {  // in contact, and later
      Printed one = printed;
      // V = v - γ/2 g, and there is no force at the start
      one.run(h, steps);
      const auto chain = run_chain(scene, h, steps * h);
      const auto v = one.velocity();
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_NEAR(chain.x[k], one.x[k], 2e-11) << a << " " << steps << " " << k;
        EXPECT_NEAR(chain.v[k], v[k], 2e-11) << a << " " << steps << " " << k;
      }
    }
  }
}

// --- orders ----------------------------------------------------------------------------------------

/// Order of errors at h, h/2, h/4 …. Local orders are those of the limit plus a term in h, which the last two remove.
double limiting_order(const std::vector<double>& errors) {
  const std::size_t n = errors.size();
  return 2 * std::log2(errors[n - 2] / errors[n - 1]) - std::log2(errors[n - 3] / errors[n - 2]);
}

/// Errors of the final velocities of five beads along h = c γ (c > 0), or at γ = 0.1 (c = 0).
std::vector<double> impact_errors(Theta theta, double c, int first, int last) {
  std::vector<double> e;
  for (int k = first; k <= last; ++k) {
    const double step = std::ldexp(1.0, -k), gamma = c > 0 ? step / c : 0.1;
    auto direct = bead_chain(5, gamma);
    direct.run.integrator = "kk-shifted-rk4";
    const auto exact = run_chain(direct, 1.0 / 1024, 15);
    auto scene = bead_chain(5, gamma);
    scene.run.method.theta = theta;
    const auto chain = run_chain(scene, step, 15);
    double error = 0;
    for (std::size_t i = 0; i < 5; ++i) error = std::max(error, std::abs(chain.v[i] - exact.v[i]));
    e.push_back(error);
  }
  return e;
}
double impact_order(Theta theta, double c, int first, int last) { return limiting_order(impact_errors(theta, c, first, last)); }

TEST(KKTheta, IsOfSecondOrderAlongStepsInProportionToGamma) {
  for (const double c : {1.0, 2.0, 4.0, 8.0}) EXPECT_NEAR(impact_order(Theta::seed, c, 5, 7), 2, 0.1) << c;
  EXPECT_NEAR(impact_order(Theta::split, 0.5, 5, 7), 2, 0.1);
  for (const double c : {0.5, 2.0}) EXPECT_NEAR(impact_order(Theta::energy, c, 5, 7), 2, 0.1) << c;
  // At touch F'' is infinite, which leaves 5/2 of every higher order, and less smoothly so; still, a good deal is gained.
  const auto second = impact_errors(Theta::split, 1, 4, 7), third = impact_errors(Theta::third, 1, 4, 7);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(third[k], second[k] / 4) << k;
  EXPECT_GT(std::log2(third[0] / third[3]) / 3, 2.2);
}

TEST(KKTheta, AtOneGammaConvergesSplitButNotAsPrinted) {
  EXPECT_NEAR(impact_order(Theta::split, 0, 5, 7), 2, 0.1);
  EXPECT_NEAR(impact_order(Theta::energy, 0, 5, 7), 2, 0.1);
  EXPECT_NEAR(impact_order(Theta::third, 0, 5, 7), 2, 0.2);  // γ h²/12 F''' is left
  EXPECT_LT(impact_order(Theta::seed, 0, 6, 8), 0.3);        // γ²/4 F'' stays
}

/// Four beads that never part, between walls: forces are smooth, and orders those of the modified equation.
double smooth_error(Theta theta, double h, double gamma, const std::string& integrator, std::vector<double>* exact, bool mixed) {
  auto scene = bead_chain(4, gamma);
  if (mixed) {
    scene.world.materials = {{"a", 1}, {"b", 1}, {"wall", 1}};
    scene.table.materials = 3;
    scene.table.laws = {power_law(gamma, 1.5, 1), power_law(3 * gamma, 1.5, 2), power_law(0, 1.5, 0.5)};
    scene.table.of_pair = {0, 1, 2, 1, 0, 2, 2, 2, 2};
    scene.world.grains.material[1] = scene.world.grains.material[2] = 1;
  }
  const double squeeze = 0.3;
  for (std::size_t k = 0; k < 4; ++k) {
    scene.world.state.x[k][0] -= squeeze * static_cast<double>(k);
    scene.world.state.v[k] = {};
  }
  scene.world.state.x[1][0] += 0.1;
  scene.world.state.x[2][0] += 0.05;
  add_plane(scene, {-bead_radius + squeeze, 0}, {1, 0});
  add_plane(scene, {(2 * 3 + 1) * bead_radius - 4 * squeeze, 0}, {-1, 0});
  for (auto& wall : scene.world.walls) wall.material = mixed ? 2 : 0;
  scene.run.method.theta = theta;
  scene.run.integrator = integrator;
  const auto chain = run_chain(scene, h, 4);
  if (exact->empty()) {
    *exact = chain.x;
    return 0;
  }
  double error = 0;
  for (std::size_t k = 0; k < 4; ++k) error = std::max(error, std::abs(chain.x[k] - (*exact)[k]));
  return error;
}

double smooth_order(Theta theta, double c, bool mixed = false) {
  std::vector<double> es;
  for (int k = 5; k <= 7; ++k) {
    const double h = std::ldexp(1.0, -k), gamma = c > 0 ? h / c : 0.1;
    std::vector<double> exact;
    smooth_error(theta, 1.0 / 1024, gamma, "rk4", &exact, mixed);  // its error is some 1e-13
    es.push_back(smooth_error(theta, h, gamma, "kk-theta", &exact, mixed));
  }
  return limiting_order(es);
}

TEST(KKTheta, HasItsThirdOrderWhereForcesAreSmooth) {
  EXPECT_NEAR(smooth_order(Theta::third, 1), 3, 0.1);
  EXPECT_NEAR(smooth_order(Theta::third, 2), 3, 0.1);
  EXPECT_NEAR(smooth_order(Theta::third, 0), 2, 0.1);
  EXPECT_NEAR(smooth_order(Theta::seed, 1), 2, 0.1);
  EXPECT_NEAR(smooth_order(Theta::split, 1), 2, 0.1);
  EXPECT_NEAR(smooth_order(Theta::energy, 1), 2, 0.1);
}

// --- several γ, walls, the plane and space ---------------------------------------------------------

/// Contacts of three kinds, with γ, 3 γ and (the walls) none: each has its own θ, and the order is the same.
TEST(KKTheta, TakesBondsOfSeveralGamma) {
  EXPECT_NEAR(smooth_order(Theta::seed, 2, true), 2, 0.1);
  EXPECT_NEAR(smooth_order(Theta::split, 2, true), 2, 0.1);
  EXPECT_NEAR(smooth_order(Theta::third, 2, true), 3, 0.1);
  EXPECT_NEAR(smooth_order(Theta::energy, 2, true), 2, 0.1);
}

/// Six discs that collide obliquely: positions and velocities at t = 1.5 computed outside Scree.
constexpr double disc_places[6][2] = {{0.15018679449068684, -0.05190054606187226}, {1.244982762697871, 0.021525781716023647},
                                      {0.93, -0.95},                               {2.114434849364398, -0.8174351615133595},
                                      {2.2826116036905644, 1.247924217029494},     {2.9177839897564435, 0.12488570882972407}};

double disc_error(Theta theta, double h) {
  const double x[6][2] = {{-0.13, 0.04}, {1.02, 0.11}, {0.93, -0.95}, {1.97, -0.43}, {2.02, 0.61}, {2.93, 0.12}};
  ContactLaws laws;
  laws.normal = KuwabaraKono{1000, 15};
  laws.attraction = true;
  auto scene = empty_scene<2>(laws, "kk-theta");
  for (const auto& one : x) add_grain(scene, {one[0], one[1]}, {}, 0.5, 1.0);
  scene.world.state.v[0] = {1, 0};
  scene.world.state.v[5] = {-0.4, 0.05};
  scene.run.method.theta = theta;
  run(scene, h, std::llround(1.5 / h));
  double error = 0;
  for (std::uint32_t k = 0; k < 6; ++k)
    for (int c = 0; c < 2; ++c)
      error = std::max(error, std::abs(scene.world.state.x[place(scene, k)][c] - disc_places[k][c]));
  return error;
}

TEST(KKTheta, IsOfSecondOrderOnDiscsWhoseNormalsTurn) {
  for (const Theta theta : {Theta::split, Theta::energy}) {
    std::vector<double> hs, es;
    for (int k = 7; k <= 11; ++k) {
      hs.push_back(1.5 * std::ldexp(1.0, -k));
      es.push_back(disc_error(theta, hs.back()));
    }
    EXPECT_NEAR(slope(hs, es), 2, 0.15);
    EXPECT_LT(es.back(), 1e-5);
  }
}

/// Discs or spheres that fall into a box, frictionless, with packings that have rings.
template <int D>
Scene<D, double> heap(double gamma) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 1.5e6 * gamma};
  laws.attraction = true;
  auto scene = empty_scene<D>(laws, "kk-theta");
  Random random(7, 1, 0);
  const int side = D == 2 ? 6 : 3;
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b)
      for (int c = 0; c < (D == 2 ? 1 : 3); ++c) {
        Vec<D, double> x{}, v{};
        x[0] = 0.0101 + 0.0202 * a + random.uniform(-1e-4, 1e-4);
        x[1] = 0.0101 + 0.0202 * b;
        if constexpr (D == 3) x[2] = 0.0101 + 0.0202 * c + random.uniform(-1e-4, 1e-4);
        v[0] = random.uniform(-0.3, 0.3);
        v[1] = -0.5;
        add_grain(scene, x, v, 0.01);
      }
  scene.world.domain.gravity[1] = -9.81;
  const double wide = 0.0202 * side;
  for (int k = 0; k < D; ++k) {
    Vec<D, double> low{}, high{}, n{};
    high[k] = k == 1 ? 10 : wide;
    n[k] = 1;
    add_plane(scene, low, n);
    add_plane(scene, high, -n);
  }
  scene.run.skin = 1e-3;
  return scene;
}

TEST(KKTheta, HasOneHashHoweverItIsRun) {
  const auto plane = [] { return heap<2>(5e-6); };
  const auto space = [] { return heap<3>(5e-6); };
  const auto means = [] {
    auto scene = heap<2>(5e-6);
    scene.run.method.theta = Theta::energy;
    return scene;
  };
  EXPECT_EQ(hash_of(means, another_way, 150, 2e-5, 20), hash_of(means, {}, 150, 2e-5, 20));
  const std::uint64_t hash = hash_of(plane, {}, 150, 2e-5, 20);
  for (const Way& way : {Way{3, "cells", 1e-4}, Way{1, "brute"}, Way{1, "hierarchy", 3e-3, 53}})
    EXPECT_EQ(hash_of(plane, way, 150, 2e-5, 20), hash) << way;
  EXPECT_EQ(hash_of(space, another_way, 100, 2e-5, 20), hash_of(space, {}, 100, 2e-5, 20));
}

/// In a packing with rings the sparse solver takes over. Newton's method converges fast only with the right Jacobian.
TEST(KKTheta, NeedsFewIterationsInPackings) {
  const auto count = [](auto scene) {
    constexpr int D = std::remove_cvref_t<decltype(scene.world.state.x[0])>::size;
    Simulation<D, double> sim(scene, 2e-5, 0.0);
    sim.start();
    std::size_t contacts = 0;
    double energy = sim.energies().mechanical();
    for (int k = 0; k < 600; ++k) {
      sim.step();
      contacts = std::max(contacts, sim.engine().contacts());
    }
    EXPECT_GT(contacts, scene.world.grains.size());  // more bonds than a tree has
    EXPECT_LT(sim.energies().mechanical(), energy);
    EXPECT_LT(std::abs(sim.energies().balance_error()), 0.01);
    return static_cast<double>(sim.integrator().iterations) / 600;
  };
  for (const Theta theta : {Theta::seed, Theta::energy}) {
    auto plane = heap<2>(1e-5);
    plane.run.method.theta = theta;
    EXPECT_LT(count(plane), 4);
    auto space = heap<3>(1e-5);
    space.run.method.theta = theta;
    EXPECT_LT(count(space), 4);
  }
}

TEST(KKTheta, HasTheDigitsOfDoubleDouble) {
  const auto in = [](auto number) {
    using T = decltype(number);
    auto scene = bead_chain<T>(4, 0.05);
    run(scene, 0.125, 80);
    return scene.world.state.v[place(scene, 3)][0];
  };
  const dd fine = in(dd{});
  EXPECT_NEAR(in(0.0), static_cast<double>(fine), 1e-13);
  // With 1e-24 in place of 1e-28 each of the 80 steps may be off by that much, in sum by some 1e-22.
  auto loose = bead_chain<dd>(4, 0.05);
  loose.run.method.tolerance = 1e-24;
  run(loose, 0.125, 80);
  EXPECT_LT(std::abs(static_cast<double>(loose.world.state.v[place(loose, 3)][0] - fine)), 1e-22);
}

/// Without dashpot variant "energy" keeps ½ Σ v² + 2/5 Σ D^{5/2}, to as many digits as a step is solved: 80 of 1e-22.
TEST(KKTheta, KeepsEnergyInDoubleDouble) {
  auto scene = bead_chain<dd>(4, 0);
  scene.run.method.theta = Theta::energy;
  Simulation<2, dd> sim(scene, 0.125, dd(0));
  sim.start();
  double most = 0, pressed = 0;
  for (int k = 0; k < 80; ++k) {
    sim.step();
    dd energy = dd(0);
    for (std::uint32_t id = 0; id < 4; ++id) {
      const dd v = scene.world.state.v[place(scene, id)][0];
      energy += v * v * dd(0.5);
      if (id == 3) continue;
      const dd overlap = dd(2 * bead_radius) - (scene.world.state.x[place(scene, id + 1)][0] - scene.world.state.x[place(scene, id)][0]);
      if (overlap > dd(0)) energy += overlap * overlap * sqrt(overlap) * dd(2) / dd(5);
      pressed = std::max(pressed, static_cast<double>(overlap));
    }
    most = std::max(most, std::abs(static_cast<double>(energy - dd(0.5))));
  }
  EXPECT_GT(pressed, 0.1);
  EXPECT_LT(most, 1e-20);
  // and it is the run that doubles do, but for their digits
  auto plain = bead_chain(4, 0);
  plain.run.method.theta = Theta::energy;
  EXPECT_NEAR(run_chain(plain, 0.125, 10).v[3], static_cast<double>(scene.world.state.v[place(scene, 3)][0]), 1e-11);
}

// --- what goes wrong -------------------------------------------------------------------------------

TEST(KKTheta, SaysWhereItFindsNoSolution) {
  auto scene = bead_chain(10, 0.05);
  scene.run.method.iterations = 1;
  scene.run.method.tolerance = 1e-15;
  try {
    run_chain(scene, 0.4, 40);
    FAIL();
  } catch (const StepError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("did not converge in step "), std::string::npos) << text;
    EXPECT_NE(text.find("t = "), std::string::npos) << text;
  }
}

TEST(KKTheta, RefusesContactsThatAreNoBonds) {
  const auto refuses = [](const ContactLaws& laws, const std::string& why) {
    auto scene = bead_chain(3, 0);
    scene.table.laws = {laws};
    try {
      run_chain(scene, 0.1, 1);
      ADD_FAILURE() << why;
    } catch (const RunError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  ContactLaws laws = power_law(0.05, 1.5, 1);
  laws.attraction = false;
  refuses(laws, "attraction = true");
  laws = power_law(0.05, 1.5, 1);
  laws.tangential = Viscous{1, 0.5};
  refuses(laws, "without friction");
  laws = power_law(0.05, 1.5, 1);
  laws.normal = HertzLinear{1, 0.1};
  refuses(laws, "the rate of the spring");
  laws.normal = Power{1, 0, 0.8, 0.5};
  refuses(laws, "a >= 1");
}

/// Two beads on strings, each of a material of its own: what beads of one material would do to each other is nobody's
/// business. Neither friction nor a smaller γ there changes a bit, and the step need not be above a larger one.
TEST(KKTheta, AsksNothingOfPairsThatNeverMeet) {
  auto scene = bead_chain(2, 0.05);
  scene.world.groups[0].attachment = 0.3;
  const auto plain = run_chain(scene, 0.1, 20);
  scene.world.materials = {{"a", 1}, {"b", 1}};
  scene.world.grains.material[1] = 1;
  ContactLaws rubbing = power_law(0.05, 1.5, 1);
  rubbing.tangential = Viscous{1, 0.5};
  scene.table.materials = 2;
  scene.table.of_pair = {1, 0, 0, 2};
  for (const ContactLaws& other : {rubbing, power_law(0.01, 1.5, 1), power_law(7, 1.5, 1)}) {
    scene.table.laws = {power_law(0.05, 1.5, 1), other, power_law(0.02, 1.5, 1)};
    const auto mixed = run_chain(scene, 0.1, 20);
    EXPECT_EQ(mixed.x, plain.x);
    EXPECT_EQ(mixed.v, plain.v);
    EXPECT_NEAR(bond_times(scene)->least, 0.05, 1e-9);
    EXPECT_NEAR(bond_times(scene)->most, 0.05, 1e-9);
  }
  // a wall of bead a's material is met by both
  add_plane(scene, {-50, 0}, {1, 0});
  EXPECT_NEAR(bond_times(scene)->most, 7, 1e-6);
}

/// γ = (g/k) m*/√r* of a linear law, where the small grains are the heavy ones: all pairs are between the extremes that
/// `check` names, and some reach them.
TEST(KKTheta, KnowsTheExtremesOfGammaWhereMassesDoNotFollowRadii) {
  ContactLaws laws;
  laws.normal = Linear{10, 1};
  laws.attraction = true;
  laws.scaling = {Scaling::Stiffness::root_radius, Scaling::Damping::mass};
  auto scene = empty_scene<2, double>(laws, "kk-theta");
  const double radii[] = {1, 1, 4, 4}, masses[] = {4, 4, 1, 1};
  for (int k = 0; k < 4; ++k) add_grain(scene, {20.0 * k, 0.0}, {0.0, 0.0}, radii[k], masses[k]);
  double least = INFINITY, most = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      const double r = radii[i] * radii[j] / (radii[i] + radii[j]), m = masses[i] * masses[j] / (masses[i] + masses[j]);
      least = std::min(least, 0.1 * m / std::sqrt(r));
      most = std::max(most, 0.1 * m / std::sqrt(r));
    }
  EXPECT_NEAR(bond_times(scene)->least, least, 1e-9);
  EXPECT_NEAR(bond_times(scene)->most, most, 1e-9);
}

}  // namespace
}  // namespace scree
