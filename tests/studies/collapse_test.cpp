// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/collapse_scene.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include "scree/core/errors.hpp"
#include "scree/run/read_scene.hpp"

#include "tests/studies/run_study.hpp"
#include "tests/studies/test_cache.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Options = std::vector<std::pair<std::string, std::string>>;

/// Soft grains: a hundred times the step of the thesis. The machinery is the same.
Options soft(Options more) {
  more.insert(more.begin(), {"soften", "10000"});
  return more;
}

class Collapse : public ::testing::Test {
 private:
  test::CacheSetting off_{"off"};
};

double area_under(const std::vector<Point2>& line) {
  double area = line.front().s * line.front().z;
  for (std::size_t k = 1; k < line.size(); ++k) area += (line[k].s - line[k - 1].s) * (line[k].z + line[k - 1].z) / 2;
  return area;
}

// The thesis' preparation: trimmed to the height that is asked for, about as many grains as asked for, at rest
// with the gate in place; and a deposit that holds what the column held. Its packing is looser by some per
// cent, its surface is measured at the tops of grains, and some grains are left out: within a quarter.
TEST_F(Collapse, TrimsAColumnAndKeepsItsGrains) {
  CollapseCase one;
  one.grains = 150;
  one.aspect = 1.5;
  const CollapseOrder order = collapse_order(one);
  const Collapsed c = collapse(read_scene_text(collapse_scene(one), "test"), order);
  EXPECT_NEAR(order.height / order.foot, 1.5, 1e-12);
  EXPECT_NEAR(static_cast<double>(c.grains), 150, 15);
  EXPECT_LE(c.h0, order.height + 0.1 * c.mean_radius);  // it may swell when its top is taken away
  EXPECT_GT(c.h0, order.height - 2.2 * c.mean_radius);  // the highest that stays is within a diameter
  EXPECT_TRUE(c.rests);
  EXPECT_GT(c.l_inf, c.l0);
  EXPECT_LT(c.h_inf, c.h0);
  EXPECT_NEAR(area_under(c.surface), area_under(c.column), 0.25 * area_under(c.column));
}

TEST_F(Collapse, TallerColumnsRunFartherAndTheJsonIsAsPromised) {
  const auto r = test::run_study("collapse", soft({{"aspects", "0.5,1,2,4"}, {"grains", "150"}, {"wall-mu", "0,0.5"}}));
  ASSERT_EQ(r.json["columns"].size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    const auto& c = r.json["columns"][k];
    for (const char* key : {"a", "grains", "head", "runout", "shape"}) EXPECT_TRUE(c.contains(key)) << key;
    EXPECT_GE(c["head"].get<double>(), 0.9);
    if (k % 4 < 2) continue;  // four times as high, and farther by far more than few grains scatter
    EXPECT_GT(c["runout"].get<double>(), r.json["columns"][k - 2]["runout"].get<double>()) << k;
  }
  for (const char* key : {"exponent", "stderr", "prefactor"}) {
    EXPECT_TRUE(r.json["head"].contains(key)) << key;
    EXPECT_TRUE(r.json["runout"].contains(key)) << key;
    EXPECT_TRUE(r.json["runout_triangles"].contains(key)) << key;
  }
  EXPECT_EQ(r.json["walls"].size(), 2U);
  EXPECT_EQ(r.figures.size(), 2U);
}

TEST_F(Collapse, InSpaceHasTheSameObservables) {
  for (const char* geometry : {"dam", "cylinder"}) {
    const auto r = test::run_study("collapse", soft({{"geometry", geometry}, {"aspects", "1"}, {"grains", "150"}}));
    ASSERT_EQ(r.json["columns"].size(), 1U) << geometry;
    const auto& c = r.json["columns"][0];
    EXPECT_NEAR(c["grains"].get<double>(), 150, 40) << geometry;
    EXPECT_GT(c["head"].get<double>(), 1) << geometry;
    EXPECT_GT(c["runout"].get<double>(), 0.2) << geometry;
    EXPECT_LT(c["runout"].get<double>(), 4) << geometry;
  }
}

TEST_F(Collapse, DoesNotDependOnThreads) {
  const Options options = soft({{"aspects", "0.5,1,2"}, {"grains", "80"}});
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string one = test::run_study("collapse", options).json.dump();
  omp_set_num_threads(3);
  const std::string three = test::run_study("collapse", options).json.dump();
  omp_set_num_threads(before);
  EXPECT_EQ(one, three);
}

// What a killed study had finished is taken from the cache: a value changed there turns up in the result, a
// damaged file is measured again, to the same bits.
TEST_F(Collapse, GoesOnFromTheColumnsItHas) {
  const fs::path cache = fs::temp_directory_path() / ("scree-collapse-" + std::to_string(::getpid()));
  const test::CacheSetting here(cache);
  const Options options = soft({{"aspects", "1"}, {"grains", "80"}});
  const auto first = test::run_study("collapse", options).json;
  fs::path kept;
  for (const auto& one : fs::directory_iterator(cache))
    if (one.path().extension() == ".cbor") kept = one.path();
  ASSERT_FALSE(kept.empty());
  EXPECT_EQ(test::run_study("collapse", options).json.dump(), first.dump());
  test::change_kept(kept, [](nlohmann::json& answer) { answer["h_inf"] = 1.0; });
  EXPECT_EQ(test::run_study("collapse", options).json["columns"][0]["h_inf"], 1.0);
  std::ofstream(kept) << "{";
  EXPECT_EQ(test::run_study("collapse", options).json.dump(), first.dump());
  fs::remove_all(cache);
}

// The top of a column of height 1 and width 10 that is cut off by a slope of 1 from s = 6 on: it has sunk by 0.5
// at 6.5. Lines with many points hardly feel the smoothing: their corner is blurred by sqrt(s (L - s)/n) = 0.25.
TEST_F(Collapse, FindsThePlateau) {
  std::vector<Point2> column, deposit, slope;
  for (int k = 0; k <= 400; ++k) {
    const double s = k / 40.0;
    column.push_back({s, 1});
    deposit.push_back({s, std::min(1.0, 7 - s)});
    slope.push_back({s, 0.3 - 0.03 * s});
  }
  EXPECT_NEAR(plateau_of(column, deposit, 0.5, 10), 6.5, 0.1);
  EXPECT_NEAR(plateau_of(column, deposit, 0.5, 6), 6, 0.05);
  EXPECT_EQ(plateau_of(column, slope, 0.5, 10), 0);
}

// k/f with g/f^{2/5} has the restitution of k with g at every speed, since contacts last f^{2/5} as long; the
// coefficients of the scene are the thesis' for f = 1.
TEST_F(Collapse, SoftensAtTheSameRestitution) {
  CollapseCase one;
  one.soften = 1;
  EXPECT_NE(collapse_scene(one).find("k = 7.3e+07, g = 0.35"), std::string::npos) << collapse_scene(one);
  one.soften = 1024;
  EXPECT_NE(collapse_scene(one).find("k = 71289.0625, g = 0.02187"), std::string::npos) << collapse_scene(one);
  EXPECT_NE(collapse_scene(one).find("ratio = 0.02,"), std::string::npos) << collapse_scene(one);  // 0.005 f^{1/5}
  one.table_springs = true;
  EXPECT_NE(collapse_scene(one).find("ratio = 0.00892857"), std::string::npos) << collapse_scene(one);  // 2/7 f^{-1/2}
}

TEST_F(Collapse, RefusesWhatMakesNoColumn) {
  const auto refuses = [](const Options& options) {
    EXPECT_THROW(test::run_study("collapse", options), InputError) << options[0].first << "=" << options[0].second;
  };
  refuses({{"aspects", "0"}});
  refuses({{"aspects", "1,x"}});
  refuses({{"grains", "5"}});
  refuses({{"aspects", "50"}, {"grains", "60"}});  // a needle
  refuses({{"geometry", "sphere"}});
  refuses({{"wall-mu", "-1"}});
  refuses({{"soften", "0.5"}});
  refuses({{"repeats", "0"}});
  refuses({{"extra", "1"}});
  refuses({{"extra", "1:2x"}});
  EXPECT_THROW(test::run_study("collapse", soft({}), {"contact.normal.kk=1"}), InputError);
}

}  // namespace
}  // namespace scree
