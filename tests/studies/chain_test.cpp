// SPDX-License-Identifier: BSD-3-Clause
/// Chains of beads: final velocities and errors of the seed's scheme, a cradle, and fronts against the closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/studies/chain_crossover.hpp"
#include "tests/studies/run_study.hpp"
#include "tests/support/chain_reference.hpp"

namespace scree {
namespace {

TEST(ChainStudy, HasTheErrorsOfTheReferenceOnAnAlignment) {
  const auto j = test::run_study("chain", {{"schemes", "kk-theta:printed,kk-theta"}, {"steps", "0.4,0.2,0.1,0.05"}}, {"run.dt=0.1"}).json;
  EXPECT_EQ(j["scheme"], "kk-theta");
  EXPECT_DOUBLE_EQ(j["h"].get<double>(), 0.1);
  ASSERT_EQ(j["velocities"].size(), 10U);
  EXPECT_LT(test::largest_difference(j["velocities"], test::theta_references[2].v), 1e-10);
  const double accuracy = j["reference"]["accuracy"].get<double>();
  EXPECT_LT(accuracy, 1e-8);
  EXPECT_LT(test::largest_difference(j["reference"]["velocities"], test::kk_velocities), 4 * accuracy);
  for (std::size_t k = 0; k < 4; ++k) {  // steps of 8, 4, 2 and 1 times gamma
    const auto &printed = j["runs"][k], &guarded = j["runs"][4 + k];
    EXPECT_EQ(printed["scheme"], "kk-theta:printed");
    EXPECT_EQ(guarded["scheme"], "kk-theta");
    EXPECT_NEAR(printed["error"].get<double>(), test::theta_references[k].error, 0.001 * test::theta_references[k].error);
    EXPECT_NEAR(guarded["error"].get<double>(), test::theta_references[k].error, 0.01 * test::theta_references[k].error);
    EXPECT_LT(guarded["energy_growth"].get<double>(), 1e-15);
    EXPECT_EQ(printed["energy_growth"].get<double>() > 1e-15, k < 2);  // beyond 2 gamma
    EXPECT_EQ(guarded["guard"]["steps"].get<int>() > 0, k < 2);
    EXPECT_EQ(printed["guard"]["steps"].get<int>(), 0);
    for (const auto* one : {&printed, &guarded}) EXPECT_LT((*one)["iterations_per_step"].get<double>(), 5);
  }
  double energy = 0;  // all beads fly freely
  for (const double v : test::kk_velocities) energy += v * v / 2;
  EXPECT_NEAR(j["energy"].get<double>(), energy, 0.02);
}

TEST(ChainStudy, RunsWhatIsSet) {
  const auto j = test::run_study("chain", {{"schemes", "kk-theta:split"}, {"steps", "0.1"}},
                                 {"grains.0.count=4", "contact.normal.a=1.2", "contact.normal.A=0.0", "run.integrator=yoshida4", "run.dt=0.0125"})
                     .json;
  EXPECT_EQ(j["scheme"], "yoshida4");
  EXPECT_NEAR(j["a"].get<double>(), 1.2, 1e-9);
  // without a dashpot momentum and energy are what they were
  double momentum = 0;
  for (const auto& v : j["velocities"]) momentum += v.get<double>();
  EXPECT_NEAR(momentum, 1, 1e-11);
  EXPECT_NEAR(j["energy"].get<double>(), 0.5, std::pow(0.0125, 2.2));  // of order 1 + a at touch
}

/// On strings the beads come back: momentum is not kept, energy falls, and the striker's turn comes again.
TEST(ChainStudy, SwingsACradle) {
  const auto r = test::run_study("chain", {{"case", "cradle"}, {"schemes", "kk-theta"}, {"steps", "0.05"}});
  EXPECT_LT(r.json["error"].get<double>(), 0.02);
  EXPECT_LT(r.json["energy"].get<double>(), 0.45);
  EXPECT_LT(r.json["energy_growth"].get<double>(), 1e-6);
  ASSERT_EQ(r.figures.size(), 2U);
  const Series& first = r.figures[0].panels[0].series[0];
  double back = 0;  // the first bead is hit by the others after half a swing, and flies to the left
  for (std::size_t k = 0; k < first.x.size(); ++k)
    if (first.x[k] > 25 && first.x[k] < 45) back = std::min(back, first.y[k]);
  EXPECT_LT(back, -0.6);
}

TEST(ChainStudy, HasFrontsThatApproachTheClosedForms) {
  // in full length: what is left of the start of a strongly damped front dies out slowly
  const auto j = test::run_study("chain", {{"case", "front"}, {"exponents", "1.25,1.5"}, {"mu", "2,0.5"}, {"schemes", "kk-theta:third"},
                                           {"within", "0.05"}}, {}, false).json;
  const auto of = [&](const std::string& equation, double a, double mu) {
    for (const auto& f : j["fronts"])
      if (f["equation"] == equation && f["a"] == a && (mu == 0 || f["mu"] == mu)) return f;
    throw std::logic_error("no such front");
  };
  // sup norms as known from an independent computation: some 0.05 to 0.11 at a = 1.5
  EXPECT_NEAR(of("log-Burgers", 1.5, 0)["sup"].get<double>(), 0.05, 0.01);
  EXPECT_NEAR(of("log-KdV-Burgers", 1.5, 0.5)["sup"].get<double>(), 0.11, 0.01);
  for (const double mu : {2.0, 0.5})
    EXPECT_LT(of("log-KdV-Burgers", 1.25, mu)["sup"].get<double>(), 0.7 * of("log-KdV-Burgers", 1.5, mu)["sup"].get<double>());
  EXPECT_LT(of("log-KdV-Burgers", 1.5, 2)["highest"].get<double>(), 1.001);
  EXPECT_GT(of("log-KdV-Burgers", 1.5, 0.5)["highest"].get<double>(), 1.2);
  for (const auto& f : j["fronts"]) EXPECT_NEAR(f["speed"].get<double>(), 1, 0.01);  // c, by conservation
  // An overshoot of 1e-3 ends before oscillations do: e^{-π μ/√(4 - μ²)} is the overshoot of the equation's tail.
  ASSERT_EQ(j["crossover"].size(), 2U);
  for (const auto& c : j["crossover"]) {
    EXPECT_LT(c["mu"].get<double>(), c["linear"].get<double>());
    EXPECT_GT(c["mu"].get<double>(), 0.85 * c["linear"].get<double>());
    EXPECT_LE(c["within"].get<double>(), 0.05);
  }
  // The strongly damped fronts have come to rest; their limits as an independent program finds them.
  ASSERT_EQ(j["transient"].size(), 2U);
  for (const auto& t : j["transient"]) {
    EXPECT_NEAR(t["limit"].get<double>(), t["a"] == 1.25 ? 0.0260 : 0.0460, 0.0005) << t;
    EXPECT_NEAR(t["limit"].get<double>(), t["sup"].get<double>(), 1e-3) << t;
    EXPECT_GT(t["tau"].get<double>(), 9) << t;
  }
  ASSERT_EQ(j["closeness"].size(), 3U);  // one for each regime: it falls with a - 1, about in proportion
  for (const auto& one : j["closeness"]) {
    EXPECT_TRUE(one["falls"].get<bool>()) << one;
    EXPECT_NEAR(one["power"].get<double>(), 1, 0.25) << one;
  }
}

/// A chain that is too short to be looked at halfway says so, and the rest of what it finds.
TEST(ChainStudy, HasFrontsOfShortChainsToo) {
  const auto j = test::run_study("chain", {{"case", "front"}, {"exponents", "1.25"}, {"mu", "1"}, {"schemes", "kk-theta:third"}, {"within", "0.2"}}).json;
  const auto& burgers = j["fronts"][0];
  EXPECT_TRUE(std::isnan(burgers["sup_before"].get<double>()));
  EXPECT_NEAR(burgers["speed"].get<double>(), 1, 0.02);
  EXPECT_GT(burgers["sup"].get<double>(), 0.026);  // its limit
  EXPECT_LT(burgers["course"].size(), 7U);
  EXPECT_GT(j["fronts"][1]["course"].size(), 6U);
}

TEST(ChainStudy, FindsACrossoverOnlyWhereThereIsOne) {
  for (const double at : {0.41, 1.7, 2.39}) {
    const auto found = falls_at(0.02, [at](double mu) { return mu < at; });
    ASSERT_TRUE(found) << at;
    EXPECT_LE(found->second, 0.02);
    EXPECT_LE(std::abs(found->first - at), found->second);
  }
  EXPECT_FALSE(falls_at(0.02, [](double) { return true; }));
  EXPECT_FALSE(falls_at(0.02, [](double) { return false; }));
}

/// Fronts are the chain's, not the scheme's: every scheme finds the same closeness to the closed form, and all tend to the direct
/// integration. As printed, in steps of γ, the scheme is off by its γ² (0.03 at μ = 1).
TEST(ChainStudy, FindsTheSameFrontsWithOtherSchemes) {
  const auto j = test::run_study("chain", {{"case", "front"}, {"exponents", "1.5"}, {"mu", "1"},
                                           {"schemes", "kk-theta:third,kk-shifted-rk4,kk-theta:energy,damped-verlet,kk-theta"}}).json;
  ASSERT_EQ(j["schemes"].size(), 10U);
  for (const auto& f : j["schemes"]) {
    ASSERT_FALSE(f.contains("fault")) << f;
    const bool printed = f["scheme"] == "kk-theta";
    EXPECT_LT(f["from_direct"].get<double>(), printed ? 0.1 : 0.01) << f;
    if (printed) EXPECT_GE(f["h"].get<double>(), f["gamma"].get<double>() * (1 - 1e-12));
  }
  EXPECT_EQ(j["schemes"][1]["from_direct"].get<double>(), 0) << "the direct one";
  EXPECT_LT(j["schemes"][0]["from_direct"].get<double>(), 2e-3);
}

/// A piston of another speed V: δ = V^{2/(a+1)} and c = δ^{(a-1)/2} are no longer 1, and the damping that μ stands for is another.
/// The equations of a chain in units of δ and δ/V are those of V = 1 with γ c in place of γ, so all that is measured stays.
TEST(ChainStudy, HasTheSameFrontsForEverySpeedOfThePiston) {
  const std::vector<std::pair<std::string, std::string>> options{{"case", "front"}, {"exponents", "1.5"}, {"mu", "1"},
                                                                    {"schemes", "kk-theta:third"}, {"within", "0.5"}};
  const auto one = test::run_study("chain", options).json["fronts"];
  const auto four = test::run_study("chain", options, {"walls.0.motion.0.velocity=[4.0, 0.0]"}).json["fronts"];
  const double c = std::pow(4.0, 0.5 / 2.5);
  EXPECT_NEAR(four[1]["gamma"].get<double>() * c, one[1]["gamma"].get<double>(), 1e-12);
  EXPECT_EQ(four[1]["mu"], 1.0);
  for (const char* key : {"speed", "highest", "sup", "sup_at_level"})
    EXPECT_NEAR(four[1][key].get<double>(), one[1][key].get<double>(), 1e-6) << key;
}

TEST(ChainStudy, DoesNotCallAFrontMeasuredThatHasNotPassed) {
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}, {"exponents", "1.5"}, {"mu", "1"}}, {"run.time=60.0"}), RunError);
}

TEST(ChainStudy, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(test::run_study("chain", {{"case", "alignmet"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"schemes", "kk-theta:fourth"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"steps", "-0.1"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}, {"exponents", "1"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}, {"mu", "0"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}, {"mu", "60"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}}, {"contact.normal.A=2.0"}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}}, {"run.integrator=rk4"}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}, {"schemes", "damped-verlet:mollified"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {{"case", "front"}, {"within", "0"}}), InputError);
  EXPECT_THROW(test::run_study("chain", {}, {"run.dt=0.01"}), InputError);  // below gamma
}

}  // namespace
}  // namespace scree
