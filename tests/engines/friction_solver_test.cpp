// SPDX-License-Identifier: BSD-3-Clause
/// The solver by itself, held against the conditions that define its answer.
#include "scree/engines/friction_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/core/reals.hpp"

namespace scree {
namespace {

constexpr double h = 1e-3;

/// Grains with any contacts among them and with a wall: geometry does not matter to the solver.
struct Network {
  Column<double> inverse_mass, inverse_inertia;
  Column<Vec2<double>> a;
  Column<Vec<1, double>> alpha;
  std::vector<RubbingContact<double>> contacts;

  explicit Network(std::uint32_t seed, std::uint32_t grains = 40, std::uint32_t number = 120) {
    Random draw(seed, 0, 0);
    for (std::uint32_t i = 0; i < grains; ++i) {
      const bool held = draw.uniform() < 0.1;
      inverse_mass.push_back(held ? 0 : draw.uniform(0.5, 5));
      inverse_inertia.push_back(held ? 0 : draw.uniform(10, 90));
      a.push_back({draw.uniform(-9, 9), draw.uniform(-9, 9)});
      alpha.push_back({draw.uniform(-90, 90)});
      if (held) a.back() = {}, alpha.back() = {};
    }
    for (std::uint32_t k = 0; k < number; ++k) {
      RubbingContact<double> c;
      c.key = k;
      c.i = static_cast<std::uint32_t>(draw.uniform() * grains);
      c.wall = draw.uniform() < 0.1;
      do c.j = static_cast<std::uint32_t>(draw.uniform() * grains);
      while (!c.wall && c.j == c.i);
      const double angle = draw.uniform(0, 7);
      c.t = {std::cos(angle), std::sin(angle)};
      c.arm_i = draw.uniform(-0.2, 0.2);
      c.arm_j = draw.uniform(-0.2, 0.2);
      c.slip = draw.uniform(-0.01, 0.01);
      c.limit = draw.uniform() < 0.2 ? 0 : std::pow(10, draw.uniform(-2, 2));
      contacts.push_back(c);
    }
  }
  /// Slip of a contact at the end of the step, from the accelerations alone.
  double slip_after(const RubbingContact<double>& c) const {
    double u = c.slip + h * (dot(c.t, a[c.i]) + c.arm_i * alpha[c.i][0]);
    if (!c.wall) u -= h * (dot(c.t, a[c.j]) + c.arm_j * alpha[c.j][0]);
    return u;
  }
  /// It sticks, or slides at its limit against the slip; counted.
  template <class Count>
  void expect_coulomb(const RubbingContact<double>& c, Count& stick, Count& slide) const {
    const double u = slip_after(c);
    if (std::abs(c.force) < c.limit * (1 - 1e-9)) {
      ++stick;
      ASSERT_NEAR(u, 0, 1e-9);
    } else {
      ++slide;
      ASSERT_LE(u * c.force, 1e-9 * c.limit);
    }
  }
  FrictionEffort solve(const FrictionSettings& settings = {1e-13, 100000}) {
    FrictionSolver<double> solver;
    return solver.solve(contacts, h, inverse_mass, inverse_inertia, settings, a, alpha);
  }
};

TEST(FrictionSolver, EveryContactSticksOrSlidesAtItsLimitAgainstTheSlip) {
  int stick = 0, slide = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Network net(seed);
    ASSERT_TRUE(net.solve().converged) << seed;
    for (const auto& c : net.contacts) {
      if (net.inverse_mass[c.i] == 0 && (c.wall || net.inverse_mass[c.j] == 0)) continue;
      ASSERT_LE(std::abs(c.force), c.limit * (1 + 1e-14));
      ASSERT_NO_FATAL_FAILURE(net.expect_coulomb(c, stick, slide)) << seed;
    }
  }
  EXPECT_GT(stick, 1000);
  EXPECT_GT(slide, 1000);
}

TEST(FrictionSolver, FrictionMovesNoCentreOfMassAndTakesWhatTheGrainsLose) {
  Network net(3);
  net.contacts.erase(std::remove_if(net.contacts.begin(), net.contacts.end(),
                                    [&](const auto& c) {
                                      return c.wall || net.inverse_mass[c.i] == 0 || net.inverse_mass[c.j] == 0;
                                    }),
                     net.contacts.end());
  // velocities from which the slips follow
  std::vector<Vec2<double>> v;
  std::vector<double> w;
  Random draw(4, 0, 0);
  for (std::size_t i = 0; i < net.a.size(); ++i) {
    v.push_back({draw.uniform(-1, 1), draw.uniform(-1, 1)});
    w.push_back(draw.uniform(-5, 5));
    net.a[i] = {};
    net.alpha[i] = {};
  }
  for (auto& c : net.contacts)
    c.slip = dot(c.t, v[c.i] - v[c.j]) + c.arm_i * w[c.i] - c.arm_j * w[c.j];
  net.solve();
  Vec2<double> force{};
  double lost = 0, taken = 0;
  for (std::size_t i = 0; i < net.a.size(); ++i) {
    if (net.inverse_mass[i] == 0) continue;
    force += net.a[i] * (1 / net.inverse_mass[i]);
    const Vec2<double> after = v[i] + net.a[i] * h;
    const double spin = w[i] + net.alpha[i][0] * h;
    lost += (norm2(v[i]) - norm2(after)) / net.inverse_mass[i] / 2 + (w[i] * w[i] - spin * spin) / net.inverse_inertia[i] / 2;
  }
  for (const auto& c : net.contacts) taken += c.work * h;
  EXPECT_LT(norm(force), 1e-9);
  EXPECT_GT(lost, 0);
  EXPECT_NEAR(taken, lost, 1e-12 * lost);
}

TEST(FrictionSolver, TheOrderInWhichContactsComeDoesNotMatter) {
  Network one(5), other(5);
  std::reverse(other.contacts.begin(), other.contacts.end());
  std::swap(other.contacts[3], other.contacts[70]);
  const FrictionSettings some{1e-15, 7};  // not converged: the path is the same, not only its end
  one.solve(some);
  other.solve(some);
  for (std::size_t i = 0; i < one.a.size(); ++i) {
    EXPECT_EQ(one.a[i], other.a[i]);
    EXPECT_EQ(one.alpha[i], other.alpha[i]);
  }
}

TEST(FrictionSolver, StartsFromTheAnswerItIsGiven) {
  Network net(6);
  const FrictionEffort cold = net.solve({1e-9, 100000});
  ASSERT_TRUE(cold.converged);
  const Column<Vec2<double>> a = net.a;
  // the accelerations hold the friction found: nothing is left to do
  const FrictionEffort warm = net.solve({1e-8, 100000});
  EXPECT_EQ(warm.sweeps, 1);
  EXPECT_GT(cold.sweeps, 10);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(norm(net.a[i] - a[i]), 1e-4);
}

TEST(FrictionSolver, SaysWhenItHasNotFinished) {
  Network net(7);
  const FrictionEffort effort = net.solve({1e-12, 3});
  EXPECT_FALSE(effort.converged);
  EXPECT_EQ(effort.sweeps, 3);
  EXPECT_GT(effort.residual, 1e-12);
  Network none(8, 10, 0);
  EXPECT_TRUE(none.solve().converged);
}

/// Bricks side by side that cannot turn, the first against a wall, squeezed so that friction holds them up: contact k carries all bricks from k on.
/// Sweeps pass the load on by one brick each, so they need some N² of them.
template <class T>
struct Cantilever {
  static constexpr int bricks = 300;
  static constexpr double m = 0.5, g = 9.81;
  Column<T> inverse_mass, inverse_inertia;
  Column<Vec2<T>> a;
  Column<Vec<1, T>> alpha;
  std::vector<RubbingContact<T>> contacts;

  /// `copies` contacts at each joint; `limit` is that of all together.
  explicit Cantilever(double limit, int copies = 1) {
    for (int k = 0; k < bricks; ++k) {
      inverse_mass.push_back(T(1) / T(m));
      inverse_inertia.push_back(T(0));
      a.push_back({T(0), T(-g)});
      alpha.push_back({T(0)});
      for (int copy = 0; copy < copies; ++copy) {
        RubbingContact<T> c;
        c.key = static_cast<std::uint64_t>(contacts.size());
        c.i = static_cast<std::uint32_t>(k);
        c.j = static_cast<std::uint32_t>(k > 0 ? k - 1 : 0);
        c.wall = k == 0;
        c.t = {T(0), T(1)};
        c.limit = T(limit / copies);
        contacts.push_back(c);
      }
    }
  }
  FrictionEffort solve(const FrictionSettings& settings) {
    FrictionSolver<T> solver;
    return solver.solve(contacts, T(h), inverse_mass, inverse_inertia, settings, a, alpha);
  }
};

TEST(FrictionSolver, NewtonsMethodHoldsALongCantileverWhereSweepsAloneDoNotFinish) {
  using One = Cantilever<double>;
  const double weight = One::m * One::g * One::bricks;
  One held(1.01 * weight), alone(1.01 * weight);
  const FrictionEffort effort = held.solve({1e-12, 1000});
  ASSERT_TRUE(effort.converged);
  EXPECT_GE(effort.newton, 1);
  EXPECT_LE(effort.sweeps, 40);
  for (int k = 0; k < One::bricks; ++k) {
    EXPECT_NEAR(held.contacts[static_cast<std::size_t>(k)].force, One::m * One::g * (One::bricks - k), 1e-9 * weight) << k;
    EXPECT_LT(norm(held.a[static_cast<std::size_t>(k)]), 1e-9 * One::g) << k;
  }
  const FrictionEffort slow = alone.solve({1e-12, 1000, false});
  EXPECT_FALSE(slow.converged);
  EXPECT_EQ(slow.newton, 0);
}

/// Too weak a wall: the whole slides down it as one, m N a = N m g - limit.
TEST(FrictionSolver, ACantileverThatIsTooHeavySlidesAsOne) {
  using One = Cantilever<double>;
  const double weight = One::m * One::g * One::bricks, limit = 0.9 * weight;
  One falling(limit);
  ASSERT_TRUE(falling.solve({1e-12, 1000}).converged);
  for (int k = 0; k < One::bricks; ++k) {
    EXPECT_NEAR(falling.a[static_cast<std::size_t>(k)][1], -0.1 * One::g, 1e-8 * One::g) << k;
    EXPECT_NEAR(falling.contacts[static_cast<std::size_t>(k)].force, limit * (One::bricks - k) / One::bricks, 1e-8 * weight) << k;
  }
}

/// Two contacts where one would do: how they share is open, W is singular, what they carry together is not open.
TEST(FrictionSolver, NewtonsMethodBearsFrictionsThatCanCancel) {
  using One = Cantilever<double>;
  const double weight = One::m * One::g * One::bricks;
  One held(1.01 * weight, 2);
  Random draw(11, 0, 0);
  for (auto& c : held.contacts) c.force = draw.uniform(-1, 1) * c.limit;  // friction of a step before, of which the accelerations know
  for (const auto& c : held.contacts) {
    held.a[c.i] += c.t * (c.force / One::m);
    if (!c.wall) held.a[c.j] -= c.t * (c.force / One::m);
  }
  const FrictionEffort effort = held.solve({1e-11, 1000});
  ASSERT_TRUE(effort.converged);
  EXPECT_GE(effort.newton, 1);
  for (int k = 0; k < One::bricks; ++k) {
    const std::size_t both = 2 * static_cast<std::size_t>(k);
    EXPECT_NEAR(held.contacts[both].force + held.contacts[both + 1].force, One::m * One::g * (One::bricks - k), 1e-8 * weight) << k;
  }
}

TEST(FrictionSolver, NewtonsMethodIsAsExactAsDoubleDoubles) {
  using One = Cantilever<dd>;
  const double weight = One::m * One::g * One::bricks;
  One held(1.01 * weight);
  const FrictionEffort effort = held.solve({1e-24, 1000});
  ASSERT_TRUE(effort.converged);
  EXPECT_GE(effort.newton, 1);
  for (int k = 0; k < One::bricks; ++k) {
    const dd off = held.contacts[static_cast<std::size_t>(k)].force - dd(One::m) * dd(One::g) * dd(One::bricks - k);
    EXPECT_LT(std::abs(static_cast<double>(off)), 1e-20 * weight) << k;
  }
}

/// A wall of bricks that cannot turn, in which some joints hold and some do not: the slips are unique, so sweeps alone, for as long as it
/// takes, find the same motion, and the conditions hold.
TEST(FrictionSolver, NewtonsMethodFindsTheMotionThatSweepsFind) {
  constexpr std::uint32_t side = 24;
  int stick = 0, slide = 0, steps = 0;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    Network net(seed, side * side, 0);
    Random draw(seed, 1, 0);
    std::fill(net.inverse_inertia.begin(), net.inverse_inertia.end(), 0.0);
    for (std::size_t i = 0; i < net.a.size(); ++i) {
      net.inverse_mass[i] = draw.uniform(0.5, 2);
      net.a[i] = {0, -9.81};
    }
    const auto join = [&](std::uint32_t i, std::uint32_t j, bool wall, double angle, double limit) {
      RubbingContact<double> c;
      c.key = net.contacts.size();
      c.i = i, c.j = j, c.wall = wall;
      c.t = {std::cos(angle), std::sin(angle)};
      c.limit = limit;
      net.contacts.push_back(c);
    };
    for (std::uint32_t row = 0; row < side; ++row)
      for (std::uint32_t k = 0; k < side; ++k) {
        const std::uint32_t i = row * side + k;
        const double upright = std::acos(-1) / 2 + draw.uniform(-0.6, 0.6), lying = draw.uniform(-0.6, 0.6);
        if (k == 0 || k + 1 == side) join(i, 0, true, upright, draw.uniform(20, 300));
        if (k + 1 < side) join(i, i + 1, false, upright, draw.uniform(20, 300));
        if (row + 1 < side) join(i, i + side, false, lying, draw.uniform(20, 300));
      }
    Network alone = net;
    FrictionSolver<double> solver;
    const FrictionEffort effort = net.solve({1e-12, 1000});
    ASSERT_TRUE(effort.converged) << seed;
    steps += effort.newton;
    ASSERT_TRUE(alone.solve({1e-14, 1000000, false}).converged) << seed;
    // What a sweep moves by is at most the tolerance times the largest h μ N W; what is still missing is more by the number of
    // sweeps that the slowest part of the error lasts for, some thousands.
    for (std::size_t i = 0; i < net.a.size(); ++i) ASSERT_LT(norm(net.a[i] - alone.a[i]), 1e-6) << seed;
    for (const auto& c : net.contacts) {
      ASSERT_NO_FATAL_FAILURE(net.expect_coulomb(c, stick, slide)) << seed;
    }
  }
  EXPECT_GE(steps, 3);
  EXPECT_GT(stick, 300);
  EXPECT_GT(slide, 100);
}

TEST(FrictionSolver, DoubleDoublesAgree) {
  Network net(9);
  FrictionSolver<dd> solver;
  Column<dd> inverse_mass, inverse_inertia;
  Column<Vec2<dd>> a;
  Column<Vec<1, dd>> alpha;
  std::vector<RubbingContact<dd>> contacts;
  for (std::size_t i = 0; i < net.a.size(); ++i) {
    inverse_mass.push_back(net.inverse_mass[i]);
    inverse_inertia.push_back(net.inverse_inertia[i]);
    a.push_back(convert<dd>(net.a[i]));
    alpha.push_back(convert<dd>(net.alpha[i]));
  }
  for (const auto& c : net.contacts) {
    RubbingContact<dd> d;
    d.key = c.key, d.i = c.i, d.j = c.j, d.wall = c.wall;
    d.t = convert<dd>(c.t), d.arm_i = c.arm_i, d.arm_j = c.arm_j, d.slip = c.slip, d.limit = c.limit;
    contacts.push_back(d);
  }
  net.solve();
  const FrictionEffort effort = solver.solve(contacts, dd(h), inverse_mass, inverse_inertia, {1e-22, 100000}, a, alpha);
  EXPECT_TRUE(effort.converged);
  for (std::size_t i = 0; i < net.a.size(); ++i) EXPECT_LT(norm(convert<double>(a[i]) - net.a[i]), 1e-6);
}

}  // namespace
}  // namespace scree
