// SPDX-License-Identifier: BSD-3-Clause
/// Files, settings and single runs of studies.
#include "scree/studies/write_study.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "scree/core/errors.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/figure.hpp"
#include "scree/studies/pair_scene.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

class StudyFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("scree-study-test-" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string text(const std::string& name) const {
    std::ifstream in(folder_ / name);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  static StudyResult result() {
    StudyResult r;
    r.json = {{"study", "order"}, {"x", 0.1}};
    r.tables.push_back({"numbers", {"name", "x", "n"}, {{std::string("a,\"b\""), 0.1, std::int64_t{3}}}});
    Panel panel{"a title", "x", "y", true, true, {}, {}, {}, {}, false};
    panel.series.push_back({"data's own", {1e-6, 1e-4, 1e-2, 1}, {1e-9, 1e-6, -1, 1e-1}, Series::Style::line_points, 0});
    panel.series.push_back({"fit", {1e-6, 1e-2}, {1e-9, 1e-3}, Series::Style::dashed, 0});
    panel.bands.emplace_back(1e-6, 1e-4);
    Panel inset = panel;
    inset.inset = true;
    r.figures.push_back({"picture", "", {panel, inset}});
    r.findings.push_back({"000, figure 1", "a claim", "a number", Finding::Verdict::differs, "a reason"});
    return r;
  }
  fs::path folder_;
};

TEST_F(StudyFiles, HoldEverythingToSeventeenDigits) {
  const WrittenStudy written = write_study(result(), folder_, "order", "[scene]\n");
  EXPECT_EQ(text("numbers.csv"), "name,x,n\n\"a,\"\"b\"\"\",0.10000000000000001,3\n");
  EXPECT_EQ(nlohmann::json::parse(text("order.json"))["x"], 0.1);
  EXPECT_EQ(nlohmann::json::parse(text("findings.json"))[0]["verdict"], "differs");
  EXPECT_EQ(text("scene.toml"), "[scene]\n");
  for (const char* name : {"picture.png", "picture.svg", "picture.gp", "picture.dat"})
    EXPECT_GT(fs::file_size(folder_ / name), 100U) << name;
  // the point that a logarithm cannot show is told, in the panel and in its inset
  ASSERT_EQ(written.warnings.size(), 2U);
  EXPECT_NE(written.warnings[0].find("1 of 4 points"), std::string::npos) << written.warnings[0];
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

/// Tics of an axis over several powers of ten are counted from one of them: gnuplot by itself begins an axis from 80 to 50000
/// at its end, and calls 580 10^2.
TEST_F(StudyFiles, LabelPowersOfTenWhereTheyAre) {
  StudyResult r = result();
  r.figures[0].panels = {{"", "x", "y", true, true, {}, {}, {}, {}, false}};
  r.figures[0].panels[0].series.push_back({"data", {80, 50000}, {7e-9, 1e3}, Series::Style::line, 0});
  write_study(r, folder_, "order", "[scene]\n");
  const std::string script = text("picture.gp");
  EXPECT_NE(script.find("set xtics 1e1,1e1\n"), std::string::npos) << script;
  EXPECT_NE(script.find("set ytics 1e-9,1e2\n"), std::string::npos) << script;  // twelve powers and the margins: every other
}

TEST_F(StudyFiles, AreWrittenWithoutGnuplotToo) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const WrittenStudy written = write_study(result(), folder_, "order");
  setenv("PATH", path.c_str(), 1);
  ASSERT_EQ(written.warnings.size(), 3U);
  EXPECT_NE(written.warnings.back().find("gnuplot cannot be started"), std::string::npos) << written.warnings.back();
  EXPECT_FALSE(fs::exists(folder_ / "picture.png"));
  EXPECT_TRUE(fs::exists(folder_ / "picture.gp"));
  EXPECT_TRUE(fs::exists(folder_ / "order.json"));
}

TEST_F(StudyFiles, DoNotReplaceARunOrAnotherStudy) {
  EXPECT_NO_THROW(check_study_folder(folder_, "order"));
  write_study(result(), folder_, "order");
  EXPECT_NO_THROW(check_study_folder(folder_, "order"));
  EXPECT_THROW(check_study_folder(folder_, "cost"), InputError);
  std::ofstream(folder_ / "summary.json") << "{}";
  EXPECT_THROW(check_study_folder(folder_, "order"), InputError);
  EXPECT_THROW(check_study_folder(folder_ / "summary.json", "order"), InputError);
}

TEST_F(StudyFiles, RefuseTablesAndSeriesThatDoNotFit) {
  EXPECT_THROW(csv_text({"t", {"a", "b"}, {{1.0}}}), std::logic_error);
  EXPECT_THROW(draw_figure({"f", "", {{"", "", "", false, false, {{"s", {1, 2}, {1}, Series::Style::line, 0}}, {}, {}, {}, false}}}, folder_),
               std::logic_error);
}

/// Errors are drawn as bars, of points and of lines with points, and the axis has room for them.
TEST_F(StudyFiles, HaveBarsWhereErrorsAreGiven) {
  Panel panel{"", "x", "y", false, false, {}, {}, {}, {}, false};
  panel.series.push_back({"points", {1, 2}, {1, 2}, Series::Style::points, 0, {3, 0.5}});
  panel.series.push_back({"line", {1, 2}, {1, 2}, Series::Style::line_points, 1, {0.1, 0.2}});
  fs::create_directories(folder_);
  draw_figure({"bars", "", {panel}}, folder_);
  EXPECT_EQ(text("bars.dat").find("# 0: points\n1 1 3\n2 2 0.5\n"), 0u) << text("bars.dat");
  const std::string script = text("bars.gp");
  EXPECT_NE(script.find("index 0 using 1:2:3 with yerrorbars"), std::string::npos) << script;
  EXPECT_NE(script.find("index 1 using 1:2:3 with yerrorlines"), std::string::npos) << script;
  EXPECT_NE(script.find("set yrange [-2.3:4.3]"), std::string::npos) << script;  // from 1 - 3 to 1 + 3, and a twentieth of that on either side
  panel.series[0].error.pop_back();
  EXPECT_THROW(draw_figure({"bars", "", {panel}}, folder_), std::logic_error);
}

TEST(StudySettings, SplitListsIntoGroups) {
  StudySettings s({{"runs", "", ""}});
  EXPECT_TRUE(s.groups("runs").empty());
  s.set("runs", "a+b,c");
  EXPECT_EQ(s.groups("runs"), (std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}}));
  for (const char* bad : {"a++b", "a+", "+a,b", "a,,b"}) {
    s.set("runs", bad);
    EXPECT_THROW(s.groups("runs"), InputError) << bad;
  }
}

TEST(StudySettings, ReadNumbersListsAndNamesOrSayWhatIsWrong) {
  StudySettings s({{"a", "1.5", ""}, {"list", "1,2e-3", ""}, {"law", "kk", ""}, {"on", "", "", true}});
  EXPECT_EQ(s.number("a"), 1.5);
  EXPECT_EQ(s.numbers("list"), (std::vector<double>{1, 2e-3}));
  EXPECT_FALSE(s.given("a"));
  EXPECT_FALSE(s.flag("on"));
  s.set("a", "1.5x");
  s.set("list", "1,,2");
  s.set("law", "kkk");
  EXPECT_TRUE(s.given("a"));
  EXPECT_THROW(s.number("a"), InputError);
  EXPECT_THROW(s.integer("a"), InputError);
  EXPECT_THROW(s.numbers("list"), InputError);
  EXPECT_THROW(s.one_of("law", "a law", {"kk", "hertz"}), InputError);
  for (const char* bad : {"", "nan", "inf", "1e999", "0x10", " 1"}) {
    s.set("a", bad);
    EXPECT_THROW(s.number("a"), InputError) << bad;
  }
  EXPECT_THROW(s.text("other"), std::logic_error);  // a bug in a study, not of the user
  EXPECT_THROW(s.set("other", "1"), std::logic_error);
}

AnyScene pair(const std::string& law) {
  PairScene scene = head_on_scene(parameter_set("table-3.1"), law, 1e-5, true);
  scene.dt = scene.time / 1024;
  return read_scene_text(scene.text(), "test");
}

TEST(PairScene, IsASceneForEveryLaw) {
  for (const std::string& law : normal_law_names())
    for (const ParameterSet& set : parameter_sets()) {
      PairScene scene = head_on_scene(set, law, 1e-5, false);
      scene.dt = scene.time / 4096;
      EXPECT_NO_THROW(read_scene_text(scene.text(), "test")) << law << " " << set.name;
    }
}

TEST(PairScene, KeepsEveryDigit) {
  PairScene scene = head_on_scene(parameter_set("table-3.1"), "kk", 1e-5, true);
  scene.dt = 1e-5;
  scene.grains[1].x[0] = 0.1 + 1e-16;
  scene.grains[1].v[1] = -1.0 / 3;
  const AnyScene any = read_scene_text(scene.text(), "test");
  const auto& state = std::get<Scene<2, double>>(any).world.state;
  EXPECT_EQ(state.x[1][0], 0.1 + 1e-16);
  EXPECT_EQ(state.v[1][1], -1.0 / 3);
}

TEST(Experiment, LeavesItsSceneAloneAndIsTheSameEachTime) {
  const AnyScene scene = pair("kk");
  const Outcome a = run_experiment(scene, 1e-5, 100), b = run_experiment(scene, 1e-5, 100);
  EXPECT_EQ(static_cast<double>(a.x[2]), static_cast<double>(b.x[2]));
  EXPECT_EQ(std::get<0>(scene).world.state.x[1][0], 0);
  EXPECT_EQ(a.steps, 100);
  EXPECT_EQ(a.force_calls, 2 * 100 + 3);  // damped-verlet: two a step, three to start
  EXPECT_EQ(a.x.size(), 4U);
  EXPECT_EQ(a.q.size(), 2U);
  EXPECT_TRUE(a.fault.empty());
}

TEST(Experiment, ShowsFramesAndStopsWhenTold) {
  int seen = 0;
  Observer observer{10, [&](const Frame& f) {
                      EXPECT_EQ(f.step, 10 * seen);
                      EXPECT_TRUE(f.has_contacts);
                      return ++seen < 4;
                    }, true};
  const Outcome o = run_experiment(pair("kk"), 1e-5, 100, observer);
  EXPECT_EQ(seen, 4);
  EXPECT_EQ(o.steps, 30);
}

TEST(Experiment, TellsWhyARunStopped) {
  // A step of 0.6 m takes the grain deeper into the other one than half a radius.
  const Outcome o = run_experiment(pair("hertz"), 0.6, 10);
  EXPECT_NE(o.fault.find("overlap"), std::string::npos) << o.fault;
  EXPECT_LT(o.steps, 10);
}

}  // namespace
}  // namespace scree
