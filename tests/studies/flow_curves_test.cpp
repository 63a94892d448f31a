// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/flow_curves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"

namespace scree {
namespace {

/// 20 rings and 24 snapshots with mu(r) and I(r) given, and noise of 5 % on shear stress and rate.
template <class Mu, class Inertial> CellProfile made(std::uint64_t seed, Mu mu, Inertial inertial) {
  CellProfile c;
  Random random(seed, 1, 1);
  c.diameter = 1;
  c.snapshots = 24;
  c.clear = 2;
  c.sheared = 18;
  for (std::size_t k = 0; k < 20; ++k) c.r.push_back(10.0 + 0.25 * static_cast<double>(k));
  c.density.assign(20, 1.0);
  c.phi.assign(20, 1.0);
  for (std::size_t t = 0; t < 24; ++t) {
    c.snapshot_pressure.emplace_back(20, 1.0);
    c.snapshot_tau.emplace_back();
    c.snapshot_rate.emplace_back();
    for (const double r : c.r) {
      c.snapshot_tau.back().push_back(mu(r) * (1 + 0.05 * random.normal()));
      c.snapshot_rate.back().push_back(-inertial(r) * (1 + 0.05 * random.normal()));
    }
  }
  return c;
}

double falling(double r) { return 1e-3 * std::exp(-(r - 10)); }

// mu(r) does not know the wall's speed, I is five times as large: at equal I the faster cell is ln 5 farther out, where mu = 25/r² is lower.
// With I = 1e-3 exp(-(r - 10)) and 16 rings from 10.5 on, those of the slower cell are met from the faster one's lowest I on.
TEST(FlowCurves, TellThatQuasiStaticFlowHasNoFunction) {
  const auto mu = [](double r) { return 25 / (r * r); };
  const CellProfile slow = made(1, mu, falling), fast = made(2, mu, [](double r) { return 5 * falling(r); });
  const CurveDifference d = compare_curves(slow, fast, 3);
  double expected = 0, rings = 0;
  for (std::size_t k = 2; k < 18; ++k)
    if (const double r = slow.r[k] + std::log(5.0); r <= slow.r[17]) expected += mu(r) - mu(slow.r[k]), rings += 1;
  EXPECT_NEAR(static_cast<double>(d.rings), rings, 1);  // the last one by chance
  EXPECT_NEAR(d.difference, expected / rings, 5 * d.stderr_);
  EXPECT_NEAR(d.inertial_ratio, 5, 0.1);
  EXPECT_NEAR(d.mu_change, 0, 4 * d.mu_change_error);
  // noise of 5 % on 24 snapshots and some ten rings of mu ~ 0.22: 0.001 for either cell, and less from the rates
  EXPECT_LT(d.stderr_, 0.003);
  EXPECT_STREQ(verdict(d), "not a function");
}

// A cell that has mu = 25/r² where its grains in plane shear have 0.26: the mean over the rings is known.
TEST(FlowCurves, TellACellFromPlaneShear) {
  const auto mu = [](double r) { return 25 / (r * r); };
  CellProfile c = made(1, mu, falling);
  double expected = 0;
  for (std::size_t k = 0; k < 20; ++k) c.inertial.push_back(falling(c.r[k]));
  for (std::size_t k = 2; k < 18; ++k) expected += (mu(c.r[k]) - 0.26) / 16;
  const CurveDifference d = compare_law(c, FrictionFit{FrictionForm::constant, 0.26, 0, 0, 0}, 1e-6, 1, 0.002, 3);
  EXPECT_EQ(d.rings, 16u);
  EXPECT_NEAR(d.difference, expected, 5 * d.stderr_);
  EXPECT_GT(d.stderr_, 0.002);
  EXPECT_STREQ(verdict(d), "not a function");
}

// mu = 0.2 + 20 I in both: at equal I there is no difference.
TEST(FlowCurves, FindNoDifferenceWhereThereIsAFunction) {
  const auto law = [](double i) { return 0.2 + 20 * i; };
  const CellProfile slow = made(1, [&](double r) { return law(falling(r)); }, falling), fast = made(2, [&](double r) { return law(2 * falling(r)); }, [](double r) { return 2 * falling(r); });
  const CurveDifference d = compare_curves(slow, fast, 3);
  EXPECT_GT(d.rings, 8u);
  EXPECT_LT(std::abs(d.in_stderrs()), 3.5);
  EXPECT_STRNE(verdict(d), "not a function");
}

}  // namespace
}  // namespace scree
