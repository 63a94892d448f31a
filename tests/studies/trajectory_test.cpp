// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <omp.h>

#include "scree/core/errors.hpp"

#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

const std::vector<std::pair<std::string, std::string>> small{{"grains", "24"},
                                                             {"time", "0.5"},
                                                             {"frames", "16"},
                                                             {"thresholds", "1e-6"},
                                                             {"law", "kk-mollified-full"},
                                                             {"eps", "5e-3"}};

auto with(std::vector<std::pair<std::string, std::string>> options,
          std::vector<std::pair<std::string, std::string>> more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

// A smooth law and no friction: each scheme has its order in a collapse of many contacts. The steps
// are a fiftieth of a contact and less; the next term of the error moves the fit by some per cent.
TEST(TrajectoryStudy, ShowsTheOrderOfEachScheme) {
  const auto r =
      test::run_study("trajectory",
                      with(small, {{"integrators", "euler,damped-verlet,rk4"},
                                   {"steps", "2.44140625e-4,1.220703125e-4,6.103515625e-5"}}),
                      {"contact.tangential.mu=0"});
  const double wanted[] = {1, 2, 4}, within[] = {0.1, 0.15, 0.6};
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(r.json["fits"].at(k)["order"].get<double>(), wanted[k], within[k])
        << r.json["fits"].at(k);
}

TEST(TrajectoryStudy, DoesNotDependOnThreads) {
  const auto options = with(small, {{"integrators", "damped-verlet@kk,euler@kk-mollified"},
                                    {"steps", "4.8828125e-4,2.44140625e-4"}});
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string one = test::run_study("trajectory", options).json.dump();
  omp_set_num_threads(3);
  const std::string three = test::run_study("trajectory", options).json.dump();
  omp_set_num_threads(before);
  EXPECT_EQ(one, three);
}

TEST(TrajectoryStudy, RefusesWhatCannotBeCompared) {
  EXPECT_THROW(test::run_study("trajectory", with(small, {{"steps", "3e-4"}})),
               InputError);  // no common times
  EXPECT_THROW(test::run_study("trajectory", with(small, {{"integrators", "eulr"}})),
               InputError);  // no such scheme
  EXPECT_THROW(test::run_study("trajectory", with(small, {{"reference", "rk4"}})),
               InputError);  // no step
  EXPECT_THROW(test::run_study("trajectory", with(small, {{"law", "kkk"}})),
               InputError);  // no such law
}

// Schemes of the default name laws of their own; a law that is asked for goes before them.
TEST(TrajectoryStudy, TakesTheLawThatIsGiven) {
  const auto r = test::run_study("trajectory", with(small, {{"steps", "4.8828125e-4,2.44140625e-4"}}));
  std::set<std::string> schemes;
  for (const auto& one : r.json["fits"]) {
    EXPECT_EQ(one["law"], "kk-mollified-full");
    EXPECT_TRUE(schemes.insert(one["integrator"].get<std::string>()).second) << one["integrator"];
  }
}

}  // namespace
}  // namespace scree
