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
      const double u = net.slip_after(c);
      ASSERT_LE(std::abs(c.force), c.limit * (1 + 1e-14));
      if (std::abs(c.force) < c.limit * (1 - 1e-9)) {
        ++stick;
        ASSERT_NEAR(u, 0, 1e-9) << seed;
      } else {
        ++slide;
        ASSERT_LE(u * c.force, 1e-9 * c.limit) << seed;
      }
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
