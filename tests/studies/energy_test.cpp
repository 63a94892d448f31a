// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

const nlohmann::ordered_json& run_of(const StudyResult& r, const std::string& integrator,
                                     bool printed = false, const std::string& start = "") {
  for (const auto& one : r.json["runs"])
    if (one["integrator"] == integrator && one.value("as_printed", false) == printed &&
        one.value("start", "") == start)
      return one;
  throw std::logic_error("no run of " + integrator);
}

// Sum of m g z, to rounding.
TEST(EnergyStudy, StartsWithTheEnergyOfTheSeed) {
  const double r = 0.1, m = 4.0 / 3 * std::acos(-1.0) * r * r * r * 2700, g = 9.81,
               rise = 2 * r / std::sqrt(2.0);
  const auto start = [](const char* spheres) {
    return test::run_study("energy", {{"spheres", spheres},
                                      {"integrators", "leapfrog"},
                                      {"steps", "1e-3"},
                                      {"time", "0.01"}})
        .json["initial_energy"]
        .get<double>();
  };
  const double thirteen = m * g * (9 * r + 4 * (r + rise)),
               fourteen = thirteen + m * g * (r + 2 * rise);
  EXPECT_NEAR(start("13"), thirteen, 1e-12 * thirteen);
  EXPECT_NEAR(start("14"), fourteen, 1e-12 * fourteen);
  EXPECT_NEAR(fourteen, 249.5, 0.05);
  EXPECT_THROW(start("15"), InputError);
}

TEST(EnergyStudy, FailsWhereTheSeedFailed) {
  const auto r = test::run_study(
      "energy", {{"integrators", "rkf45,rkf45n,euler"}, {"steps", "1e-3"}, {"time", "0.5"}});
  EXPECT_EQ(run_of(r, "rkf45n")["status"],
            "failed");  // no step of 1e-3 s meets its tolerance at first touch
  EXPECT_EQ(run_of(r, "rkf45")["status"], "done");
  EXPECT_EQ(run_of(r, "rkf45")["calls"], 6 * 500);  // no step rejected, six calls each
  EXPECT_GT(run_of(r, "euler")["energy_ratio"].get<double>(), 1.05);
}

// With the printed sign the dashpot drives, with the right one it brakes. Gauss collocation
// conserves, so the sign of the change is the dashpot's: some 0.5 % in the first second, its own
// error a hundredth of that.
TEST(EnergyStudy, GrowsAsPrintedAndFallsAsMeant) {
  const auto r = test::run_study("energy", {{"integrators", "gauss4:zero,gauss4:previous"},
                                            {"steps", "1e-4"},
                                            {"time", "1"},
                                            {"as-printed", "1"}});
  for (const char* start : {"zero", "previous"}) {
    EXPECT_GT(run_of(r, "gauss4", true, start)["energy_ratio"].get<double>(), 1.002);
    EXPECT_LT(run_of(r, "gauss4", false, start)["energy_ratio"].get<double>(), 0.998);
  }
  EXPECT_LT(run_of(r, "gauss4", false, "previous")["iterations"].get<int>(),
            run_of(r, "gauss4", false, "zero")["iterations"].get<int>());
}

// The loss that each collision should cost, added up, is what the run loses: to some per cent of
// the loss, as the formula has the contact's attraction, which the run cuts, and spheres that hit
// two others at once.
TEST(EnergyStudy, ExpectsWhatHappens) {
  const auto r = test::run_study(
      "energy", {{"integrators", "staggered-verlet"}, {"steps", "1e-4"}, {"time", "2"}});
  const auto& one = run_of(r, "staggered-verlet");
  const double lost = 1 - one["energy_ratio"].get<double>(),
               expected = 1 - one["expected_ratio"].get<double>();
  EXPECT_GT(one["collisions"].get<int>(), 20);
  EXPECT_NEAR(lost / expected, 1, 0.15);
}

}  // namespace
}  // namespace scree
