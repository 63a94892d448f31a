// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/advisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/laws/collision.hpp"

namespace scree {
namespace {

constexpr double m = 80843.0;  // of table 3.1, kg: 19300 kg/m³ and 1 m
ContactLaws laws_of(const AnyNormal& normal, bool attraction = true) {
  ContactLaws laws;
  laws.normal = normal;
  laws.attraction = attraction;
  return laws;
}
const SchemeAdvice& of(const Advice& advice, const std::string& name) {
  return *std::find_if(advice.schemes.begin(), advice.schemes.end(), [&](const auto& s) { return s.integrator == name; });
}

TEST(Advisor, AdvisedStepsReachTheErrorAndAreNotSmallerThanNeedBe) {
  const auto laws = laws_of(KuwabaraKono{4.4e10, 5e8});
  const double wanted = 1e-4;
  const Advice advice = advise(laws, 1, m, 1, wanted);
  ASSERT_TRUE(advice.known);
  for (const char* name : {"damped-verlet", "kk-shifted", "velocity-verlet"}) {
    const SchemeAdvice& scheme = of(advice, name);
    ASSERT_TRUE(scheme.reaches) << name;
    // The step is interpolated between two that were tried, in a law that the place of touch disturbs.
    EXPECT_LT(collision_error(laws, 1, m, 1, name, scheme.step), 2 * wanted) << name;
    EXPECT_GT(collision_error(laws, 1, m, 1, name, 4 * scheme.step), wanted) << name;
  }
}

TEST(Advisor, FollowsTheOrderAndNamesTheCheapest) {
  const auto laws = laws_of(KuwabaraKono{4.4e10, 5e8});
  const Advice coarse = advise(laws, 1, m, 1, 1e-4), fine = advise(laws, 1, m, 1, 1e-6);
  // order 2: a hundred times smaller an error takes a tenth of the step
  EXPECT_NEAR(of(coarse, "kk-shifted").step / of(fine, "kk-shifted").step, 10, 1);
  for (const Advice* advice : {&coarse, &fine})
    for (const auto& scheme : advice->schemes)
      if (scheme.reaches) {
        EXPECT_GE(scheme.calls, of(*advice, advice->cheapest).calls);
        if (!scheme.adaptive) EXPECT_GE(scheme.calls, of(*advice, advice->cheapest_fixed).calls);
      }
  for (const Advice* advice : {&coarse, &fine}) EXPECT_FALSE(of(*advice, advice->cheapest_fixed).adaptive);
}

TEST(Advisor, HasNothingToSayOfGrainsThatStick) {
  EXPECT_FALSE(advise(laws_of(Linear{1e3, 1e6}), 0.01, 1e-3, 1, 1e-3).known);
}

TEST(Advisor, StepAndWidthOfTheMollifierAreInverse) {
  const auto laws = laws_of(KKMollified{9e7, 190, 1e-6});
  const double step = step_for_eps(laws, 3e-3, 1.48e-4, 0.5, 1e-6);
  EXPECT_NEAR(eps_for_step(laws, 3e-3, 1.48e-4, 0.5, step), 1e-6, 1e-12);
  // the fit itself, on the table that it was made on (one grain fixed: twice the mass of a free pair)
  const auto table = laws_of(KKMollified{4.4e10, 1.1e9, 1e-5});
  const double mass = 4.0 / 3 * std::acos(-1.0) * 19300;
  EXPECT_NEAR(step_for_eps(table, 1, 2 * mass, 1, 1e-5) / (2.50 * std::pow(1e-5, 1.18)), 1, 1e-6);
}

TEST(Advisor, StepForEpsScalesWithTheUnitsOfTheCollision) {
  // Lengths times 1000 at equal speed: stiffness in N m^{-3/2} and mass chosen so that the motion is the
  // same in these units. m ξ'' = k ξ^{3/2}: k ξ^{1/2} t²/m stays the same.
  const auto a = laws_of(KKMollified{1e9, 1e6, 1e-6}), b = laws_of(KKMollified{1e9 / std::pow(1000.0, 2.5), 1e6, 1e-3});
  EXPECT_NEAR(step_for_eps(b, 1, 1, 1, 1e-3) / step_for_eps(a, 1e-3, 1, 1, 1e-6), 1000, 1e-6);
}

}  // namespace
}  // namespace scree
