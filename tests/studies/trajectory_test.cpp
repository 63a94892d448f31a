// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <omp.h>

#include "scree/core/errors.hpp"

#include "tests/studies/run_study.hpp"
#include "tests/studies/test_cache.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Without a cache, from which a second run would be taken.
class TrajectoryStudy : public ::testing::Test {
 private:
  test::CacheSetting off_{"off"};
};

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
TEST_F(TrajectoryStudy, ShowsTheOrderOfEachScheme) {
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

TEST_F(TrajectoryStudy, DoesNotDependOnThreads) {
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

// What a killed study had finished is taken from the cache: the runs that are missing or damaged are done, to
// the same bits, and a run that was changed there turns up in the result.
TEST_F(TrajectoryStudy, GoesOnFromTheRunsItHas) {
  const fs::path cache = fs::temp_directory_path() / ("scree-trajectory-" + std::to_string(::getpid()));
  const auto options = with(small, {{"integrators", "damped-verlet@kk,euler@kk-mollified"},
                                    {"steps", "4.8828125e-4,2.44140625e-4"}});
  const auto kept = [&] {
    std::vector<fs::path> files;
    for (const auto& one : fs::directory_iterator(cache))
      if (one.path().extension() == ".cbor") files.push_back(one.path());
    std::sort(files.begin(), files.end());
    return files;
  };
  for (const char* real : {"double", "dd"}) {
    const auto own = with(options, {{"real", real}});
    const auto answer = [&] {
      const StudyResult r = test::run_study("trajectory", own);
      return std::pair(r.json.dump() + r.text, r.tables.back().rows);  // the distances, to every bit
    };
    const auto alone = answer();
    const test::CacheSetting here(cache);
    EXPECT_TRUE(answer() == alone);
    ASSERT_EQ(kept().size(), 6u) << real;  // two schemes, two steps and the reference of each
    EXPECT_TRUE(answer() == alone);
    fs::remove(kept()[1]);  // as if killed
    fs::remove(kept()[3]);
    fs::resize_file(kept()[0], fs::file_size(kept()[0]) / 2);
    EXPECT_TRUE(answer() == alone);
    ASSERT_EQ(kept().size(), 6u);
    test::change_kept(kept()[2], [](nlohmann::json& run) {
      for (auto& number : run["x"].back()) number = 1e6;
    });
    EXPECT_FALSE(answer() == alone);
    fs::remove_all(cache);
  }
}

TEST_F(TrajectoryStudy, RefusesWhatCannotBeCompared) {
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
TEST_F(TrajectoryStudy, TakesTheLawThatIsGiven) {
  const auto r = test::run_study("trajectory", with(small, {{"steps", "4.8828125e-4,2.44140625e-4"}}));
  std::set<std::string> schemes;
  for (const auto& one : r.json["fits"]) {
    EXPECT_EQ(one["law"], "kk-mollified-full");
    EXPECT_TRUE(schemes.insert(one["integrator"].get<std::string>()).second) << one["integrator"];
  }
}

}  // namespace
}  // namespace scree
