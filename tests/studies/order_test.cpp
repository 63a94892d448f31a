// SPDX-License-Identifier: BSD-3-Clause
/// The orders of the seeds, from both sides, through the study that users run.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "scree/core/errors.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/studies/convergence.hpp"
#include "scree/studies/study.hpp"

#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

StudyResult result_of(const std::string& name, const Options& options, const std::vector<std::string>& set = {}) {
  return test::run_study(name, options, set);
}
nlohmann::ordered_json run(const std::string& name, const Options& options, const std::vector<std::string>& set = {}) {
  return result_of(name, options, set).json;
}

/// Within 0.05, as theory has it; the fit must be a power law, and its error small against that.
void expect_order(double order, const Options& options, const std::vector<std::string>& set = {}) {
  const auto j = run("order", options, set);
  std::string what;
  for (const auto& [key, value] : options) what += key + "=" + value + " ";
  EXPECT_NEAR(j["order"].get<double>(), order, 0.05) << what;
  EXPECT_TRUE(j["consistent"].get<bool>()) << what;
  EXPECT_LT(j["stderr"].get<double>(), 0.02) << what;
}

TEST(OrderStudy, OfEulerIsOneOnHertzAndOnKuwabaraKono) {
  expect_order(1, {{"integrator", "euler"}, {"law", "hertz"}});
  expect_order(1, {{"integrator", "euler"}, {"law", "kk"}});
}

TEST(OrderStudy, OfSchemesThatForgetVelocityIsTwoOnHertzAndOneOnKuwabaraKono) {
  for (const char* name : {"symplectic-euler", "leapfrog", "velocity-verlet", "staggered-verlet"}) {
    expect_order(2, {{"integrator", name}, {"law", "hertz"}});
    expect_order(1, {{"integrator", name}, {"law", "kk"}});
  }
}

TEST(OrderStudy, OfDampedVerletIsTwoOnSmoothLawsAndThreeHalvesOnKuwabaraKono) {
  expect_order(2, {{"law", "hertz"}});
  // The dashpot of the linear law jumps at touch, where the first force is not yet seen: from there
  // the order is 1, from inside the contact it is 2.
  expect_order(2, {{"law", "linear"}}, {"grains.0.positions=[[-1.999, 0.0], [0.0, 0.0]]"});
  expect_order(1, {{"law", "linear"}});
  expect_order(2, {{"law", "kk-mollified"}});
  expect_order(2, {{"law", "kk-mollified"}, {"eps", "5e-5"}});
  expect_order(2, {{"law", "kk-mollified-full"}});
  expect_order(1.5, {{"law", "kk"}});
}

TEST(OrderStudy, OnKuwabaraKonoIsThreeHalvesForEverySchemeOfHigherOrder) {
  for (const Method& method : methods())
    if (method.order_if_damped >= 2 && method.name != "damped-verlet" && !method.name.starts_with("kk-"))
      expect_order(1.5, {{"integrator", std::string(method.name)}, {"law", "kk"}});
}

TEST(OrderStudy, OnKuwabaraKonoIsTwoAndFiveHalvesInTheShiftedMomentum) {
  expect_order(2, {{"integrator", "kk-shifted"}, {"law", "kk"}});
  expect_order(2, {{"integrator", "kk-shifted"}, {"law", "kk"}, {"real", "dd"}});
  expect_order(2.5, {{"integrator", "kk-shifted-rk4"}, {"law", "kk"}, {"real", "dd"}});
}

TEST(OrderStudy, OfTheShiftedMomentumIsTwoWithinThreeHundredthsOnACollisionABounceAndSixDiscs) {
  // The midpoint, down to the steps that a full study takes where it needs them: the drift "ab2" comes
  // to its order as sqrt(h), and six discs touch between steps, at a single place for every touch.
  const auto order = [](const Options& options, const std::vector<std::string>& set, bool quick) {
    Options all{{"integrator", "kk-shifted"}, {"law", "kk"}};
    all.insert(all.end(), options.begin(), options.end());
    return test::run_study("order", all, set, quick).json;
  };
  for (const auto& j : {order({{"case", "normal"}}, {}, true), order({{"case", "normal"}}, {"run.drift=ab2"}, false),
                        order({{"case", "bounce"}}, {}, true), order({{"case", "discs"}}, {}, false),
                        order({{"case", "discs"}}, {"run.drift=ab2"}, false)}) {
    EXPECT_NEAR(j["order"].get<double>(), 2, 0.03) << j["case"];
    EXPECT_LT(j["stderr"].get<double>(), 0.01) << j["case"];
    EXPECT_TRUE(j["consistent"].get<bool>()) << j["case"];
  }
}

TEST(OrderStudy, OfLeapfrogOnThePowerLawIsOnePlusQ) {
  for (const double q : {0.25, 0.5, 0.75})
    expect_order(1 + q, {{"case", "powerlaw"}, {"integrator", "leapfrog"}, {"q", std::to_string(q)}});
}

TEST(OrderStudy, OfASingleGrainIsThatOfTheScheme) {
  // Positions and angles under 1 + sin t, as in the thesis; velocities and spins as well.
  expect_order(1, {{"case", "single"}, {"integrator", "euler"}});
  expect_order(1, {{"case", "single"}, {"integrator", "symplectic-euler"}});
  for (const char* of : {"x", "q", "v", "w"}) expect_order(2, {{"case", "single"}, {"of", of}});
  // Sixteen thousand times as long a run makes the error of the fourth order large enough to see.
  expect_order(4, {{"case", "single"}, {"integrator", "rk4"}}, {"run.time=15.0"});
}

TEST(OrderStudy, InDoubleDoubleIsThatOfEveryMethodOnASmoothForce) {
  for (const Method& method : methods()) {
    const std::string name(method.name);
    const auto j = run("order", {{"case", "single"}, {"integrator", name}, {"real", "dd"}}, {"run.time=15.0"});
    EXPECT_NEAR(j["order"].get<double>(), method.order, 0.05) << name;
    EXPECT_EQ(j["real"], "dd");
    if (method.name == "rk4" || method.name == "gauss4" || method.name == "yoshida4") {
      const double decades = method.order * std::log10(j["window"][1].get<double>() / j["window"][0].get<double>());
      EXPECT_GE(decades, 6) << name;
    }
  }
}

TEST(OrderStudy, WithFrictionIsTwoOnHertzAndThreeHalvesOnKuwabaraKono) {
  expect_order(2, {{"case", "tangential"}, {"law", "hertz"}});
  expect_order(1.5, {{"case", "tangential"}, {"law", "kk"}});
}

TEST(OrderStudy, OfABounceBetweenStepsIsTwoOnHertz) {
  const auto j = run("order", {{"case", "bounce"}, {"law", "hertz"}});
  // Touch falls between steps: the error is a mean over four places, and scatters by some 10 %.
  EXPECT_NEAR(j["order"].get<double>(), 2, 0.1);
  EXPECT_EQ(j["reference"], "independent integration");
}

TEST(OrderStudy, PrintsTheContract) {
  const auto j = run("order", {{"finest", "17"}});
  std::vector<std::string> keys;
  for (const auto& [key, value] : j.items()) keys.push_back(key);
  const std::vector<std::string> wanted{"study", "case", "law", "integrator", "real", "order", "stderr", "window", "reference", "points"};
  ASSERT_GE(keys.size(), wanted.size());
  EXPECT_EQ(std::vector<std::string>(keys.begin(), keys.begin() + 10), wanted);
  EXPECT_EQ(j["study"], "order");
  EXPECT_EQ(j["case"], "normal");
  EXPECT_EQ(j["law"], "kk");
  EXPECT_EQ(j["integrator"], "damped-verlet");
  EXPECT_EQ(j["real"], "double");
  EXPECT_EQ(j["reference"], "independent integration");
  ASSERT_EQ(j["window"].size(), 2U);
  EXPECT_LT(j["window"][0].get<double>(), j["window"][1].get<double>());
  for (const auto& p : j["points"]) {
    // the end of the run, xi = 0.00158018826290455 (reference.json), within its error
    EXPECT_NEAR(p["value"].get<double>(), -0.00158018826290455, 1.001 * p["error"].get<double>());
    // exact in binary, a divisor of the time
    const double n = std::ldexp(105.0, -13) / p["h"].get<double>();
    EXPECT_EQ(n, std::round(n));
  }
  EXPECT_EQ(run("order", {{"case", "single"}, {"finest", "17"}})["reference"], "closed form");
  EXPECT_EQ(run("order", {{"case", "tangential"}, {"finest", "20"}})["reference"], "finest step");
}

TEST(OrderStudy, TakesAnotherReferenceWhenTheSceneIsChanged) {
  // Gravity bends the collision: no closed form, no line.
  EXPECT_EQ(run("order", {{"finest", "17"}}, {"domain.gravity=[0.0, -9.81]"})["reference"], "finest step");
}

TEST(OrderStudy, ListsSeveralLawsAsRuns) {
  const auto j = run("order", {{"law", "hertz,kk"}, {"finest", "17"}});
  ASSERT_EQ(j["runs"].size(), 2U);
  EXPECT_EQ(j["runs"][1]["law"], "kk");
}

TEST(OrderStudy, TellsWhatNoSeedHas) {
  const auto shifted = result_of("order", {{"integrator", "kk-shifted"}, {"case", "bounce"}, {"attraction", "false"}}).findings;
  ASSERT_EQ(shifted.size(), 1U);
  EXPECT_EQ(shifted[0].verdict, Finding::Verdict::beyond);
  EXPECT_NE(shifted[0].claim.find("attraction cut"), std::string::npos) << shifted[0].claim;
  EXPECT_NE(shifted[0].ours.find("kk-shifted: 2.0"), std::string::npos) << shifted[0].ours;
  const auto fourth = result_of("order", {{"case", "single"}, {"integrator", "rk4"}, {"real", "dd"}, {"finest", "17"}}).findings;
  ASSERT_EQ(fourth.size(), 1U);
  EXPECT_NE(fourth[0].ours.find("decades"), std::string::npos) << fourth[0].ours;
}

TEST(OrderStudy, QuotesTheFigureOfTheQuantity) {
  for (const auto& [of, figure] : {std::pair{"x", "003, figure 2.4"}, {"q", "003, figure 2.5"}}) {
    const auto findings = result_of("order", {{"case", "single"}, {"of", of}, {"finest", "17"}}).findings;
    ASSERT_EQ(findings.size(), 1U) << of;
    EXPECT_EQ(findings[0].where, figure);
  }
}

TEST(OrderStudy, CallsTheOrderOfSymplecticEulerInAShortRunAnArtefact) {
  const auto findings = result_of("order", {{"parameters", "table-2.3"}, {"integrator", "symplectic-euler"}}).findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].why.find("asymptotically the order is 1"), std::string::npos) << findings[0].why;
}

TEST(OrderStudy, CallsItsOrderInAnObliqueCollisionOneTooAndFindsTheSlopeOfTheThesis) {
  const auto findings = result_of("order", {{"case", "tangential"}, {"integrator", "symplectic-euler"}}).findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].where, "003, figure 2.9");
  EXPECT_EQ(findings[0].verdict, Finding::Verdict::holds) << findings[0].ours;
  EXPECT_NE(findings[0].why.find("asymptotically the order is 1"), std::string::npos) << findings[0].why;
}

TEST(OrderStudy, SaysHowErraticABounceBetweenStepsIs) {
  const auto findings = result_of("order", {{"case", "bounce"}}).findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].where, "003, figure 2.8");
  EXPECT_EQ(findings[0].verdict, Finding::Verdict::holds) << findings[0].ours;
  // A mean over four places scatters less than one of them.
  double single = 0, mean = 0;
  ASSERT_EQ(std::sscanf(findings[0].ours.c_str(),
                        "at a single place of touch the errors scatter by a factor of %lf about a power of h, the root mean square "
                        "over 4 places by %lf", &single, &mean), 2) << findings[0].ours;
  EXPECT_GT(single, mean);
  EXPECT_GT(mean, 1);
}

TEST(OrderStudy, FindsScenesByName) {
  const auto j = run("order", {{"scene", "oblique-bounce"}, {"integrator", "kk-shifted"}});
  EXPECT_EQ(j["case"], "scene");
  EXPECT_NEAR(j["order"].get<double>(), 2, 0.1);
}

TEST(OrderStudy, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(run("order", {{"case", "powerlaw"}}, {"run.time=2"}), InputError);
  EXPECT_THROW(run("order", {{"law", "herz"}}), InputError);
  EXPECT_THROW(run("order", {{"case", "nothing"}}), InputError);
  EXPECT_THROW(run("order", {{"integrator", "rk5"}}), InputError);
  EXPECT_THROW(run("order", {{"eps", "-1"}}), InputError);
  EXPECT_THROW(run("order", {{"case", "scene"}}), InputError);
  try {
    run("order", {{"law", "herz"}});
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"hertz\""), std::string::npos) << error.what();
  }
}

TEST(CostStudy, FindsEveryMethodAndThatErrorsFallWithCost) {
  const auto j = run("cost", {});
  // but for kk-theta, whose error has a limit of its own as h → 0 alone
  ASSERT_EQ(j["curves"].size(), methods().size() - 1);
  for (const auto& c : j["curves"]) {
    ASSERT_GE(c["points"].size(), 8U) << c["integrator"];
    const auto& first = c["points"].front();
    const auto& last = c["points"].back();
    EXPECT_GT(last["force_calls"].get<double>(), first["force_calls"].get<double>());
    EXPECT_LT(last["error"].get<double>(), first["error"].get<double>() / 100) << c["integrator"];
  }
  EXPECT_GE(j["cheapest"].size(), 2U);
}

TEST(StepSizeStudy, FindsThePowerLawOfTheSeedsAndAConstantErrorConstant) {
  const auto j = run("stepsize", {});
  // Seed 000: 2.50 eps^1.18. At five widths within a decade and a half, h_eps jumps between steps
  // that lie up to a factor 1.4 apart, so the exponent is uncertain by some ln(1.2)/ln(16) = 0.07
  // and the line by a factor 1.4.
  EXPECT_NEAR(j["fit"]["exponent"].get<double>(), 1.18, 0.15);
  ASSERT_EQ(j["points"].size(), 5U);
  for (const auto& p : j["points"]) {
    const double seed = 2.5 * std::pow(p["eps"].get<double>(), 1.18), ratio = p["h"].get<double>() / seed;
    EXPECT_GT(ratio, 0.6);
    EXPECT_LT(ratio, 1.7);
    EXPECT_GE(p["h"].get<double>() * (1 + 1e-12), j["safe"]["constant"].get<double>() * std::pow(p["eps"].get<double>(), j["safe"]["exponent"].get<double>()));
  }
  for (const auto& c : j["error_constants"]) EXPECT_NEAR(c["constant"].get<double>(), 50, 1);  // spec 08
}

}  // namespace
}  // namespace scree
