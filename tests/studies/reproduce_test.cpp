// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/reproduce.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "scree/studies/reproduction_page.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

class ReproduceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("scree-reproduce-" + std::to_string(::getpid()));
    fs::remove_all(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  static std::string text(const fs::path& path) {
    std::ifstream in(path);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  std::vector<Reproduced> go(const std::vector<Reproduction>& lines, bool again = false) {
    return reproduce(
        lines, {folder, true, again},
        [](std::size_t, std::size_t, const Reproduction&, double, const std::string&) {});
  }
  static Reproduction line(const std::string& name) {
    for (const Reproduction& one : reproductions())
      if (one.name == name) return one;
    throw std::logic_error("no reproduction is called " + name);
  }
  fs::path folder;
};

TEST_F(ReproduceTest, KeepsWhatIsDoneAndGoesOnAfterAKill) {
  const auto lines = std::vector<Reproduction>{line("force")};
  EXPECT_EQ(go(lines)[0].state, Reproduced::State::done);
  EXPECT_EQ(go(lines)[0].state, Reproduced::State::kept);
  EXPECT_EQ(go(lines, true)[0].state, Reproduced::State::done);
  fs::remove(folder / "force" / "reproduction.json");  // killed before the last file
  EXPECT_EQ(go(lines)[0].state, Reproduced::State::done);
  auto other = lines;
  other[0].options.push_back({"speed", "0.5"});
  EXPECT_EQ(go(other)[0].state, Reproduced::State::done);  // other settings
}

TEST_F(ReproduceTest, AFailureDoesNotStopTheOthers) {
  Reproduction bad = line("force");
  bad.name = "bad";
  bad.options.push_back({"speed", "-1"});
  const auto done = go({bad, line("force")});
  EXPECT_EQ(done[0].state, Reproduced::State::failed);
  EXPECT_NE(done[0].message.find("--speed"), std::string::npos);
  EXPECT_EQ(done[1].state, Reproduced::State::done);
}

TEST_F(ReproduceTest, ThePageShowsFiguresClaimsAndVerdicts) {
  go({line("force")});
  const std::string page = text(folder / "index.html");
  for (const char* part :
       {"force/force-kk.svg", "003, figure 1.8", "class=\"verdict holds\"", "scree study force"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("http"), std::string::npos);  // nothing comes from a network
  EXPECT_TRUE(fs::exists(folder / "force" / "force-kk.dat"));
}

TEST(ReproductionPage, EscapesWhatStudiesSay) {
  const nlohmann::ordered_json entry{
      {"name", "a"},
      {"seed", "003"},
      {"title", "<b>"},
      {"findings", {{{"verdict", "differs"}, {"ours", "x < 1 & 10^{-3}"}}}}};
  const std::string page = reproduction_page({entry}, false);
  EXPECT_EQ(page.find("<b>x"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;"), std::string::npos);
  EXPECT_NE(page.find("x &lt; 1 &amp; 10<sup>-3</sup>"), std::string::npos);
}

TEST(ReproductionPage, ShowsFiguresOfSeveralPanelsWideAndCaptionsAll) {
  const nlohmann::ordered_json entry{
      {"name", "a"},
      {"seed", "003"},
      {"title", "Of the line"},
      {"figures", {{{"name", "one"}, {"title", ""}, {"panels", 1}}, {{"name", "two"}, {"title", "Own"}, {"panels", 2}}}}};
  const std::string page = reproduction_page({entry}, false);
  EXPECT_NE(page.find("<figcaption>Of the line"), std::string::npos);
  EXPECT_NE(page.find("<figcaption>Own"), std::string::npos);
  EXPECT_NE(page.find("<figure><a href=\"a/one.svg"), std::string::npos);
  EXPECT_NE(page.find("<figure class=\"wide\"><a href=\"a/two.svg"), std::string::npos);
}

// The list is data: every line must name a study, its options and integrators that exist.
TEST(ReproductionList, NamesWhatExists) {
  std::vector<std::string> names;
  for (const Reproduction& one : reproductions()) {
    EXPECT_EQ(std::count(names.begin(), names.end(), one.name), 0) << one.name;
    names.push_back(one.name);
    const Study* study = find_study(one.study);
    ASSERT_NE(study, nullptr) << one.study;
    for (const auto& options : {one.options, one.quick})
      for (const auto& [name, value] : options) {
        const auto all = study->options();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                                [&](const StudyOption& o) { return o.name == name; }))
            << one.name << " --" << name;
      }
  }
  EXPECT_GE(names.size(), 10u);
}

}  // namespace
}  // namespace scree
