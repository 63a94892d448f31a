// SPDX-License-Identifier: BSD-3-Clause
/// What becomes of data: layouts, several grids, flaws.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/discovery/discover.hpp"
#include "scree/discovery/examples.hpp"
#include "scree/discovery/read_data.hpp"
#include "scree/discovery/report.hpp"
#include "scree/discovery/request.hpp"
#include "scree/discovery/simulate.hpp"
#include "scree/io/hdf5.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

class Folder : public ::testing::Test {
 protected:
  Folder() : path(fs::temp_directory_path() / ("scree-discovery-" + std::to_string(::getpid()) + ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(path);
  }
  ~Folder() override { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  fs::path path;
};
using ReadData = Folder;

std::string reason(const DataSettings& s) {
  try {
    read_data(s);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}
std::string reason(const Dataset& d, const DiscoverySettings& s) {
  try {
    discover(d, s);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}
bool says(const Discovery& d, const std::string& what) {
  for (const std::string& note : d.notes)
    if (note.find(what) != std::string::npos) return true;
  return false;
}

TEST_F(ReadData, SortsRowsIntoAGridAndFillsGaps) {
  const auto file = write("a.csv", "x,t,u\n1,0,3\n0,0,1\n0,1,2\n2,0,5\n1,1,4\n");
  const Dataset d = read_data({.files = {file}, .time = "t", .space = {"x"}});
  ASSERT_EQ(d.samples.size(), 1u);
  EXPECT_EQ(d.samples[0].axes[1].at, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(d.samples[0].fields[0][1], 3);
  EXPECT_EQ(d.samples[0].fields[0][4], 4);
  EXPECT_TRUE(std::isnan(d.samples[0].fields[0][5]));
  EXPECT_EQ(d.notes.size(), 1u);
}

TEST_F(ReadData, TellsTrajectoriesApartByAColumnOrByTime) {
  const auto by = write("a.csv", "t,x,run\n0,1,7\n1,2,7\n0,5,8\n2,6,8\n4,7,8\n");
  const Dataset one = read_data({.files = {by}, .by = "run"});
  ASSERT_EQ(one.samples.size(), 2u);
  EXPECT_DOUBLE_EQ(one.samples[1].axes[0].step(), 2);
  const auto back = write("b.csv", "t,x\n0,1\n1,2\n2,3\n3,4\n0,5\n1,6\n");
  EXPECT_EQ(read_data({.files = {back}}).samples.size(), 2u);
}

TEST_F(ReadData, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(reason({.files = {(path / "none.csv").string()}}).find("no such file"), std::string::npos);
  EXPECT_NE(reason({.files = {write("a.csv", "t,x\n0,1\n1,two\n")}}).find("a.csv:3: column x"), std::string::npos);
  EXPECT_NE(reason({.files = {write("b.csv", "t,x\n0,1\n1\n")}}).find("b.csv:3"), std::string::npos);
  EXPECT_NE(reason({.files = {write("c.csv", "t,velocity\n0,1\n")}, .variables = {"velocty"}}).find("did you mean \"velocity\""), std::string::npos);
  EXPECT_NE(reason({.files = {write("d.csv", "0,1\n1,2\n")}}).find("names of the columns"), std::string::npos);
  EXPECT_NE(reason({.files = {write("e.csv", "t,x,u\n0,0,1\n0,1,1\n1,0,1\n1,1,1\n1,1,1\n")}, .space = {"x"}}).find("do not form a grid"), std::string::npos);
  EXPECT_FALSE(reason({.files = {write("f.h5", "no such thing")}}).empty());
}

TEST_F(ReadData, ReadsFieldsOfHdf5) {
  const fs::path file = path / "u.h5";
  {
    hdf5::File h5 = hdf5::File::create(file);
    for (const char* name : {"first", "second"}) {
      hdf5::Group g = h5.create_group(name);
      const bool first = std::string(name) == "first";
      g.write("t", std::vector<double>{0, 1});
      g.write("x", first ? std::vector<double>{0, 1, 2} : std::vector<double>{0, 0.5, 1, 1.5});
      g.set("periodic", std::int64_t{1}, "x");
      std::vector<double> u(first ? 6 : 8, 2.0);
      u.back() = 9;
      g.write("u", u, first ? 3 : 4);
    }
    h5.close();
  }
  const Dataset d = read_data({.files = {file.string()}});
  ASSERT_EQ(d.samples.size(), 2u);
  EXPECT_EQ(d.names.coordinates, (std::vector<std::string>{"t", "x"}));
  EXPECT_EQ(d.names.fields, std::vector<std::string>{"u"});
  EXPECT_TRUE(d.samples[1].axes[1].periodic);
  EXPECT_EQ(d.samples[1].fields[0].back(), 9);
}

// x, y and z of a trajectory have the shape of the time, and there is no dataset on a grid of them.
TEST_F(ReadData, TakesXYZOfATrajectoryAsVariables) {
  const fs::path file = path / "lorenz.h5";
  {
    hdf5::File h5 = hdf5::File::create(file);
    for (const char* name : {"t", "x", "y", "z"}) h5.write(name, std::vector<double>{0, 1, 2, 4});
    h5.close();
  }
  const Dataset d = read_data({.files = {file.string()}});
  EXPECT_EQ(d.names.coordinates, std::vector<std::string>{"t"});
  EXPECT_EQ(d.names.fields, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(read_data({.files = {file.string()}, .variables = {"x"}}).names.fields, std::vector<std::string>{"x"});
}

TEST_F(ReadData, TakesSettingsFromAFile) {
  write("data.csv", "t,x\n0,1\n1,2\n");
  const auto file = write("s.toml", "files = [\"data.csv\"]\ndegree = 3\nthreshold = { x = 0.2 }\nweak = true\nterms = [\"x\", \"sin(x)\"]\n");
  Request r;
  apply_file(r, file);
  EXPECT_EQ(r.data.files.at(0), (path / "data.csv").string());
  EXPECT_EQ(r.settings.degree, 3);
  EXPECT_DOUBLE_EQ(r.settings.thresholds.at("x"), 0.2);
  EXPECT_EQ(r.settings.library.terms.size(), 2u);
  try {
    apply_file(r, write("bad.toml", "degre = 3\n"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"degree\""), std::string::npos) << error.what();
  }
}

TEST(Discovery, TakesTrajectoriesOfDifferentSteps) {
  Example x = make_example("michaelis-menten");
  const auto rate = [](const std::vector<double>& p) { return std::vector<double>{0.6 - 1.5 * p[0] / (0.3 + p[0])}; };
  x.data.samples = {integrate_ode(rate, {0.55}, 0.02, 150), integrate_ode(rate, {0.01}, 0.035, 100)};
  DiscoverySettings s;
  s.degree = 4;
  s.implicit = true;
  const Discovery found = discover(x.data, s);
  ASSERT_EQ(found.equations[0].terms.size(), 3u);
  // x' changes over 0.1 s near x = 0: fd4 errs by (0.035/0.1)⁴/30 ~ 5e-4 there
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(found.equations[0].terms[k].term, x.truth[0].terms[k].first);
    EXPECT_NEAR(found.equations[0].terms[k].coefficient / x.truth[0].terms[k].second, 1, 1e-3);
  }
}

TEST(Discovery, LeavesOutRowsWithMissingValuesAndSaysSo) {
  Example x = make_example("lorenz");
  x.data.samples[0].fields[1][1000] = NAN;
  x.data.samples[0].fields[2][3000] = INFINITY;
  const Discovery found = discover(x.data, {});
  EXPECT_TRUE(says(found, "rows left out"));
  EXPECT_EQ(found.rows, 5000u - 10u);  // five points of a stencil of fourth order each
  EXPECT_EQ(found.equations[1].terms.size(), 3u);
}

TEST(Discovery, SetsConstantAndDependentTermsAside) {
  Example x = make_example("lorenz");
  x.data.names.fields.emplace_back("w");
  x.data.samples[0].fields.emplace_back(5000, 3.5);
  Discovery found = discover(x.data, {});
  EXPECT_TRUE(says(found, "w is constant"));
  ASSERT_EQ(found.equations.size(), 3u);
  // a fourth variable that is the sum of two
  for (std::size_t i = 0; i < 5000; ++i) x.data.samples[0].fields[3][i] = x.data.samples[0].fields[0][i] + x.data.samples[0].fields[1][i];
  found = discover(x.data, {});
  EXPECT_TRUE(says(found, "w is a combination of x, y"));
}

TEST(Discovery, RefusesWhatCannotWork) {
  Example x = make_example("lorenz");
  Dataset few = x.data;
  for (auto& f : few.samples[0].fields) f.resize(8);
  few.samples[0].axes[0].at.resize(8);
  EXPECT_NE(reason(few, {}).find("8 rows cannot determine 10 terms"), std::string::npos);
  Dataset uneven = x.data;
  uneven.samples[0].axes[0].at[10] += 1e-3;
  DiscoverySettings s;
  s.time_method = "sg";
  EXPECT_NE(reason(uneven, s).find("not evenly spaced"), std::string::npos);
  EXPECT_EQ(discover(uneven, {}).equations.size(), 3u);  // fd4 works on any spacing
  Dataset untimed = x.data;
  untimed.names.timed = false;
  untimed.names.coordinates.clear();
  EXPECT_NE(reason(untimed, {}).find("--time"), std::string::npos);
  Dataset falling = x.data;
  std::swap(falling.samples[0].axes[0].at[3], falling.samples[0].axes[0].at[4]);
  EXPECT_NE(reason(falling, {}).find("does not rise"), std::string::npos);
  DiscoverySettings wrong;
  wrong.library.terms = {"x", "q"};
  EXPECT_NE(reason(x.data, wrong).find("unknown name \"q\""), std::string::npos);
  DiscoverySettings lost;
  lost.thresholds["w"] = 0.1;
  EXPECT_NE(reason(x.data, lost).find("no equation is called"), std::string::npos);
}

TEST(Discovery, RefusesLibrariesThatAreTooLargeOrZero) {
  Dataset many;
  Sample s;
  s.name = "many";
  s.axes.resize(1);
  for (int i = 0; i < 50; ++i) s.axes[0].at.push_back(i);
  for (int f = 0; f < 40; ++f) {
    many.names.fields.emplace_back("v").append(std::to_string(f));
    s.fields.emplace_back();
    for (int i = 0; i < 50; ++i) s.fields.back().push_back(std::sin(0.1 * (f + 1) * i));
  }
  many.names.coordinates = {"t"};
  many.names.timed = true;
  many.samples = {s};
  DiscoverySettings high;
  high.degree = 6;  // C(46, 6)
  EXPECT_NE(reason(many, high).find("9366819 terms"), std::string::npos) << reason(many, high);
  DiscoverySettings zero;
  zero.library.terms = {"v1 - v1"};
  EXPECT_NE(reason(many, zero).find("zero on these data"), std::string::npos);
  DiscoverySettings nothing;
  nothing.lhs = {"v1 - v1"};
  nothing.degree = 0;
  EXPECT_NE(reason(many, nothing).find("nothing to explain"), std::string::npos);
}

// x' = -a x, where a is 1, 2 and 3 in three trajectories: a is no unknown, but explains.
TEST(Discovery, TakesWhatIsSteadyInEachTrajectoryAsAParameter) {
  Dataset d;
  d.names = {{"x", "a"}, {"t"}, true};
  for (const double a : {1.0, 2.0, 3.0}) {
    Sample s = integrate_ode([a](const std::vector<double>& p) { return std::vector<double>{-a * p[0]}; }, {1.0}, 0.01, 200);
    s.fields.emplace_back(s.points(), a);
    d.samples.push_back(s);
  }
  const Discovery found = discover(d, {});
  ASSERT_EQ(found.equations.size(), 1u);
  EXPECT_EQ(equation_text(found.equations[0]), "x' = -1.000 x a");
  EXPECT_TRUE(says(found, "a does not change in time"));
  DiscoverySettings s;
  s.lhs = {"a'"};
  EXPECT_NE(reason(d, s).find("nothing to explain"), std::string::npos);
}

// With as many samples as folds, each fold holds whole ones, whatever their lengths.
TEST(Discovery, HoldsOutWholeSamples) {
  Factors f(1, 1);
  const std::vector<std::size_t> samples{0, 0, 0, 0, 0, 0, 1, 3, 3, 4};
  for (std::size_t k = 0; k < samples.size(); ++k) f.add({Matrix(1, 2), 5, samples[k], k});
  EXPECT_EQ(f.fold(0, 4, true), (std::vector<double>{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(f.fold(1, 4, true), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(f.fold(2, 4, false), (std::vector<double>{1, 1, 1, 1, 1, 1, 1, 0, 0, 1}));
  EXPECT_EQ(f.fold(0, 5, true), (std::vector<double>{1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));  // fewer samples: equal parts
}

// Seams, which share data with what is held out, are neither held out nor fitted then.
TEST(Discovery, HoldsOutPartsWithoutTheirSeams) {
  Factors f(1, 1);
  for (const std::size_t part : {std::size_t{0}, std::size_t{0}, std::size_t{1}, std::size_t{2}, Factors::seam}) f.add({Matrix(1, 2), 5, 0, part});
  EXPECT_EQ(f.parts(), 3u);
  EXPECT_EQ(f.fold(0, 3, true), (std::vector<double>{1, 1, 0, 0, 0}));
  EXPECT_EQ(f.fold(0, 3, false), (std::vector<double>{0, 0, 1, 1, 0}));
}

// mean square and its standard error of 1, 2, 3: 2 and sqrt((1 + 0 + 1)/3/2); the rule takes the first within one of them.
TEST(Discovery, TakesTheSparsestWithinOneStandardError) {
  const HeldOutSquares h = held_out_squares({1, 2, 3});
  EXPECT_DOUBLE_EQ(h.mean, 2);
  EXPECT_DOUBLE_EQ(h.stderr_, std::sqrt(1.0 / 3));
  EXPECT_EQ(one_standard_error({{9, 1}, {2.5, 1}, {2, 0.6}, {2.1, 1}}, 0), 1u);
  EXPECT_EQ(one_standard_error({{9, 1}, {2.7, 1}, {2, 0.6}, {2.1, 1}}, 0), 2u);
  EXPECT_EQ(one_standard_error({{9, 1}, {2.7, 1}, {2, 0.6}, {2.1, 1}}, 2.8), 1u);
}

/// Tables of mu = (0.25 + 2 I)/(1 + 2.5 I) + noise, one per sample.
Dataset friction_tables(std::size_t samples, double noise) {
  Dataset d;
  d.names = {{"I", "mu"}, {}, false};
  for (std::size_t k = 0; k < samples; ++k) {
    Sample s;
    s.name = "table";
    s.axes.resize(1);
    s.fields.resize(2);
    Random random(1, 5, static_cast<std::uint32_t>(k));
    for (std::size_t i = 0; i < 12; ++i) {
      const double inertial = 0.4 * random.uniform();
      s.axes[0].at.push_back(static_cast<double>(i));
      s.fields[0].push_back(inertial);
      s.fields[1].push_back((0.25 + 2 * inertial) / (1 + 2.5 * inertial) + noise * random.normal());
    }
    d.samples.push_back(s);
  }
  return d;
}

DiscoverySettings friction_search() {
  DiscoverySettings s;
  s.lhs = {"mu"};
  s.implicit = true;
  s.implicit_most = 3;
  s.library.terms = {"1", "I", "I^2", "mu", "I mu"};
  return s;
}

// One of six samples has an offset, marked by c: rows held out are predicted by the others of their samples, but when that whole sample is
// held out nothing tells the factor of c. Its squared error, 2² of a w whose variance is 0.6, on a sixth of the rows makes the score negative.
TEST(Discovery, TheImplicitFormHoldsOutWholeSamples) {
  Dataset d;
  d.names = {{"c", "x", "w"}, {}, false};
  for (std::size_t k = 0; k < 6; ++k) {
    Sample s;
    s.name = "table";
    s.axes.resize(1);
    s.fields.resize(3);
    for (std::size_t i = 0; i < 10; ++i) {
      s.axes[0].at.push_back(static_cast<double>(i));
      s.fields[0].push_back(k == 5 ? 1 : 0);  // marks one sample, whose offset no other can tell
      s.fields[1].push_back(0.1 * static_cast<double>(i));
      s.fields[2].push_back((k == 5 ? 3.0 : 1.0) + 0.1 * static_cast<double>(i));
    }
    d.samples.push_back(s);
  }
  DiscoverySettings s;
  s.lhs = {"w"};
  s.implicit = true;
  s.implicit_most = 3;
  s.library.terms = {"1", "c", "x", "w"};
  s.selection.by = "aic";
  const double apart = discover(d, s).equations[0].score;
  s.selection.folds = 7;  // more folds than samples: stretches of samples are held out
  EXPECT_GT(discover(d, s).equations[0].score, 0.999);
  EXPECT_LT(apart, 0);
}

TEST(Discovery, TheImplicitFormHasInclusions) {
  DiscoverySettings s = friction_search();
  s.ensemble = {.bags = 20, .seed = 3};
  const Discovery found = discover(friction_tables(6, 0.003), s);
  ASSERT_EQ(found.equations[0].terms.size(), 3u);
  for (const FoundTerm& t : found.equations[0].terms) EXPECT_GT(t.inclusion, 0.6) << t.term;
  EXPECT_LT(found.equations[0].inclusion[2], 0.5);  // I^2
  EXPECT_TRUE(says(found, "of 20 bags come to exactly these terms"));
}

// Rows of a single sample leave nothing to hold out whole, whatever else the data hold.
TEST(Discovery, TheImplicitFormRefusesASingleSampleWithRows) {
  Dataset d = friction_tables(6, 0.001);
  for (std::size_t f = 0; f < 2; ++f) {
    auto& first = d.samples[0].fields[f];
    first.insert(first.end(), d.samples[1].fields[f].begin(), d.samples[1].fields[f].end());
    for (std::size_t k = 1; k < 6; ++k)
      for (std::size_t i = f; i < d.samples[k].fields[f].size(); i += 2) d.samples[k].fields[f][i] = NAN;  // no row is whole
  }
  while (d.samples[0].axes[0].at.size() < d.samples[0].fields[0].size()) d.samples[0].axes[0].at.push_back(static_cast<double>(d.samples[0].axes[0].at.size()));
  DiscoverySettings s = friction_search();
  EXPECT_NE(reason(d, s).find("nothing can be held out"), std::string::npos) << reason(d, s);
  s.selection.folds = 7;
  EXPECT_EQ(reason(d, s), "");
}

TEST(Discovery, TheImplicitFormSaysWhichRowsHaveNoWeight) {
  Dataset d = friction_tables(6, 0.001);
  d.names.fields.push_back("mu_stderr");
  for (Sample& s : d.samples) s.fields.emplace_back(s.fields[0].size(), 0.001);
  d.samples[0].fields[2][3] = 0;
  d.samples[1].fields[2][5] = -1;
  d.samples[2].fields[1][0] = NAN;
  const Discovery found = discover(d, friction_search());
  EXPECT_TRUE(says(found, "2 rows left out: their mu_stderr"));
  EXPECT_TRUE(says(found, "1 rows left out: a value in them is missing"));
}

// A bag that drew every block leaves nothing to judge by. Of two blocks every other bag would: of 64 none in 5e-20 tries.
TEST(Discovery, BagsLeaveSomethingOut) {
  for (std::uint32_t bag = 0; bag < 64; ++bag) {
    Random random(1, 2, bag);
    const std::vector<double> times = draw_blocks(random, 2);
    EXPECT_EQ(times[0] + times[1], 2);
    EXPECT_EQ(times[0] * times[1], 0);
    EXPECT_EQ(draw_blocks(random, 1), std::vector<double>{1});
  }
}

TEST(Discovery, TheImplicitFormRefusesWhatDoesNotApply) {
  const Dataset d = friction_tables(1, 0.001);
  for (const auto& spoil : std::vector<std::function<void(DiscoverySettings&)>>{[](auto& s) { s.solver = "lasso"; }, [](auto& s) { s.threshold = 0.1; },
                                                                                 [](auto& s) { s.selection.by = "loss"; }, [](auto& s) { s.ensemble.drop_terms = 0.2; }}) {
    DiscoverySettings s = friction_search();
    spoil(s);
    EXPECT_NE(reason(d, s).find("does not apply"), std::string::npos);
  }
  DiscoverySettings s = friction_search();
  s.solver = "best-subset";
  EXPECT_EQ(reason(friction_tables(2, 0.001), s), "");
}

// Every third row is the same point: rows at equal steps, three apart, would see nothing else.
TEST(Discovery, DrawsRowsOfLargeImplicitProblems) {
  Dataset d;
  d.names = {{"I", "mu"}, {}, false};
  Sample s;
  s.name = "table";
  s.axes.resize(1);
  s.fields.resize(2);
  for (std::size_t i = 0; i < 60000; ++i) {
    const double inertial = i % 3 == 0 ? 0.1 : 0.001 * static_cast<double>(i % 400);
    s.axes[0].at.push_back(static_cast<double>(i));
    s.fields[0].push_back(inertial);
    s.fields[1].push_back((0.25 + 2 * inertial) / (1 + 2.5 * inertial));
  }
  d.samples = {s};
  DiscoverySettings search;
  search.lhs = {"mu"};
  search.implicit = true;
  search.implicit_most = 3;
  search.library.terms = {"1", "I", "I^2", "mu", "I mu"};
  const Discovery found = discover(d, search);
  EXPECT_EQ(found.rows, 20000u);
  EXPECT_TRUE(says(found, "20000 of 60000 rows"));
  EXPECT_EQ(equation_text(found.equations[0]), "mu = 0.2500 + 2.000 I - 2.500 I mu");
}

TEST(Discovery, TakesAThresholdPerEquation) {
  const Example x = make_example("lorenz");
  DiscoverySettings s;
  s.threshold = 0.05;
  s.thresholds["y"] = 0.5;  // above the share of -y in y'
  const Discovery found = discover(x.data, s);
  EXPECT_EQ(found.equations[0].terms.size(), 2u);
  EXPECT_EQ(found.equations[1].terms.size(), 2u);
}

TEST(Discovery, FindsTermsThatTheUserWrote) {
  Dataset d;
  d.names = {{"x", "y"}, {"t"}, true};
  d.samples = {integrate_ode([](const std::vector<double>& p) { return std::vector<double>{p[1], -9.81 * std::sin(p[0]) - 0.2 * p[1] * std::abs(p[1])}; }, {2.5, 0}, 0.01, 1500)};
  DiscoverySettings s;
  s.library.waves = 2;
  s.library.add = {"y*abs(y)"};
  s.degree = 3;
  EXPECT_EQ(equation_text(discover(d, s).equations[1]), "y' = -9.810 sin(x) - 0.2000 y abs(y)");
}

TEST(Discovery, DoesNotDependOnThreads) {
  Example x = make_example("lorenz");
  add_noise(x.data, 0.02, 3);
  DiscoverySettings s;
  s.weak = true;
  s.ensemble = {.bags = 20, .seed = 5, .drop_terms = 0.1};
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string one = discovery_json(discover(x.data, s)).dump();
  omp_set_num_threads(4);
  const std::string four = discovery_json(discover(x.data, s)).dump();
  omp_set_num_threads(before);
  EXPECT_EQ(one, four);
  s.ensemble.seed = 6;
  EXPECT_NE(discovery_json(discover(x.data, s)).dump(), one);
}

TEST(Discovery, FieldsAndImplicitFormsDoNotDependOnThreads) {
  const int before = omp_get_max_threads();
  const auto same = [](const Dataset& d, const DiscoverySettings& s) {
    omp_set_num_threads(1);
    const std::string one = discovery_json(discover(d, s)).dump();
    omp_set_num_threads(3);
    return one == discovery_json(discover(d, s)).dump();
  };
  Example field = make_example("burgers");
  add_noise(field.data, 0.02, 3);
  DiscoverySettings pde;
  pde.degree = field.degree;
  pde.derivatives = field.derivatives;
  EXPECT_TRUE(same(field.data, pde));
  pde.weak = true;
  EXPECT_TRUE(same(field.data, pde));
  DiscoverySettings implicit;
  implicit.degree = 4;
  implicit.implicit = true;
  EXPECT_TRUE(same(make_example("michaelis-menten").data, implicit));
  omp_set_num_threads(before);
}

// aic charges 2 for a term, and cv wants an error that is lower by a standard error: bags that choose by aic keep more.
TEST(Discovery, EnsemblesChooseByTheCriterionAsked) {
  Example x = make_example("lorenz");
  add_noise(x.data, 0.05, 2);
  DiscoverySettings s;
  s.weak = true;
  s.ensemble = {.bags = 20, .seed = 1};
  const auto kept = [&](const char* by) {
    s.selection.by = by;
    double sum = 0;
    for (const FoundEquation& e : discover(x.data, s).equations)
      for (const double p : e.inclusion) sum += p;
    return sum;
  };
  EXPECT_GT(kept("aic"), kept("cv"));
}

TEST(Discovery, EnsemblesGiveInclusionsThatTellTrueTermsFromFalse) {
  Example x = make_example("lorenz");
  add_noise(x.data, 0.01, 2);
  DiscoverySettings s;
  s.weak = true;
  s.ensemble = {.bags = 30, .seed = 1};
  const Discovery found = discover(x.data, s);
  for (const FoundEquation& e : found.equations) {
    double in = 0;
    for (const FoundTerm& t : e.terms) EXPECT_GT(t.inclusion, 0.9);
    for (const double p : e.inclusion) in += p;
    EXPECT_LT(in, static_cast<double>(e.terms.size()) + 1.0);
  }
}

TEST(Simulation, FollowsTheClosedForm) {
  Dataset d;
  d.names = {{"x", "y"}, {"t"}, true};
  Sample s;
  s.name = "oscillator";
  s.axes.resize(1);
  s.fields.resize(2);
  for (int i = 0; i < 400; ++i) {
    const double t = 0.05 * i;
    s.axes[0].at.push_back(t);
    s.fields[0].push_back(std::cos(t));
    s.fields[1].push_back(-std::sin(t));
  }
  d.samples = {s};
  const Discovery found = discover(d, {});
  const auto runs = simulate(d, found);
  // fd4 errs by h⁴/30 ~ 2e-7 in the frequency, so by 4e-6 in the phase after 20 s
  EXPECT_LT(runs.at(0).error, 1e-5);
  EXPECT_DOUBLE_EQ(runs[0].valid_time, 0.05 * 399);
}

}  // namespace
}  // namespace scree
