// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/flow_curves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

/// 20 rings and 24 snapshots with mu(r) and I(r) given, and noise of 5 % on shear stress and rate.
template <class Mu, class Inertial> CellProfile made(std::uint64_t seed, Mu mu, Inertial inertial) {
  CellProfile c;
  Random random(seed, 1, 1);
  c.diameter = 1;
  c.snapshots = c.units = 24;
  for (std::size_t t = 0; t < 24; ++t) c.unit.push_back(t);  // each draws its noise for itself
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
  const auto constant = [](double value) { return FrictionFit{FrictionForm::constant, value, 0, 0, 0}; };
  const CurveDifference sure = compare_law(c, constant(0.26), {}, 1e-6, 1, 3);
  EXPECT_EQ(sure.rings, 16u);
  EXPECT_NEAR(sure.difference, expected, 5 * sure.stderr_);
  EXPECT_STREQ(verdict(sure), "not a function");
  // a law that is itself 0.26 ± 0.01: deviation of two draws, sqrt(2) 0.01
  const CurveDifference unsure = compare_law(c, constant(0.26), {constant(0.25), constant(0.27)}, 1e-6, 1, 3);
  EXPECT_NEAR(unsure.stderr_, std::hypot(sure.stderr_, std::sqrt(2.0) * 0.01), 1e-12);
  EXPECT_EQ(unsure.difference, sure.difference);
}

// An error of the law counts where the cell is. With mu_2 uncertain by 0.1 and I_0 = 1, that of mu(I) at I is 0.1/(1 + 1/I).
TEST(FlowCurves, TakeTheErrorOfTheLawAtTheirOwnInertialNumbers) {
  CellProfile c = made(1, [](double) { return 0.2; }, [](double) { return 0.25; });
  c.inertial.assign(20, 0.25);
  for (auto& snapshot : c.snapshot_rate) snapshot.assign(20, 0.25);
  for (auto& snapshot : c.snapshot_tau) snapshot.assign(20, 0.2);
  const auto law = [](double mu_2) { return FrictionFit{FrictionForm::mu_of_i, 0.25, mu_2 - 0.25, 1, 0}; };
  const CurveDifference d = compare_law(c, law(0.8), {law(0.7), law(0.9)}, 1e-6, 1, 3);
  EXPECT_NEAR(d.stderr_, std::sqrt(2.0) * 0.1 / (1 + 1 / 0.25), 1e-12);
}

// Four cells that differ from each other by 0.01 and not within: the standard error of their mean is that of four numbers, however many
// snapshots there are. (A bootstrap over snapshots would find 0.01/sqrt(96) and less.)
TEST(FlowCurves, CountCellsNotSnapshots) {
  std::vector<CellProfile> slow, fast;
  const double mu[4] = {0.19, 0.21, 0.20, 0.20};
  for (std::size_t k = 0; k < 4; ++k) {
    slow.push_back(made(1, [&](double) { return mu[k]; }, falling));
    fast.push_back(made(1, [&](double) { return 0.3; }, [](double r) { return 2 * falling(r); }));
    for (auto* cell : {&slow.back(), &fast.back()})
      for (auto& snapshot : cell->snapshot_tau) snapshot.assign(20, cell == &slow.back() ? mu[k] : 0.3);
    for (auto* cell : {&slow.back(), &fast.back()}) {
      cell->pressure.assign(20, 1.0);
      cell->velocity.assign(20, 0.0);
      cell->tau = cell->snapshot_tau[0];
      cell->snapshot_mu = cell->snapshot_inertial = cell->snapshot_tau;
    }
  }
  const CellProfile a = pool_cells(slow), b = pool_cells(fast);
  EXPECT_EQ(a.units, 4u);
  EXPECT_EQ(a.snapshots, 96u);
  const double exact = std::sqrt(2e-4 / 3 / 4);  // Σ (mu - mean)²/(n - 1)/n
  EXPECT_NEAR(a.mu_error[5], exact, 1e-12);
  EXPECT_NEAR(a.mu[5], 0.2, 1e-12);
  const CurveDifference d = compare_curves(a, b, 3, 4000);
  EXPECT_NEAR(d.mu_change, 0.1, 1e-12);
  EXPECT_NEAR(d.mu_change_error, exact, 0.05 * exact);  // of 4000 draws: 1.1 % each way
  // a single cell: its sixths
  EXPECT_EQ(pool_cells({slow[0]}).units, slow[0].units);
  slow[1].r[3] += 0.1;
  EXPECT_THROW(pool_cells(slow), InputError);
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
