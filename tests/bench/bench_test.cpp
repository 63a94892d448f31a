// SPDX-License-Identifier: BSD-3-Clause
/// The standard beds: their states, laws and statistics, and what a bench tells. Nothing here is timed.
#include "scree/bench/bench.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "scree/bench/peers.hpp"
#include "scree/bench/states.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/parallel.hpp"
#include "scree/laws/collision.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// An empty folder that goes with the test; caches are kept in it.
class Bench : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / (std::string("scree-test-bench-") + info->name() + std::to_string(getpid()));
    fs::create_directories(folder_);
    setenv("SCREE_CACHE", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

/// A pile of two touching grains and one apart, with numbers that are hard on decimals.
LammpsDump awkward() {
  LammpsDump dump;
  dump.step = 7;
  dump.bounds = {"pp", "pp", "fm"};
  dump.hi = {0.1 / 3, 0.1, 0.1};
  dump.grains = {{1, 1, {1.0 / 3e2, 0.01, 1e-3}, 1e-3 / 0.9, {1.0 / 7, -1e-17, 0}, {1e5 / 3, 0, 1}},
                 {2, 2, {1.0 / 3e2 + 2e-3, 0.01, 1e-3}, 1e-3, {}, {}},
                 {3, 1, {0.02, 0.05, 0.02}, 1.1e-3, {0, 2, 0}, {}}};
  return dump;
}

TEST_F(Bench, DumpsKeepEveryBit) {
  const LammpsDump dump = awkward();
  write_lammps_dump(folder_ / "a.dump", dump);
  const LammpsDump back = read_lammps_dump(folder_ / "a.dump");
  EXPECT_EQ(back.step, 7);
  EXPECT_EQ(back.bounds, dump.bounds);
  EXPECT_EQ(back.hi, dump.hi);
  ASSERT_EQ(back.grains.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(back.grains[k].id, dump.grains[k].id);
    EXPECT_EQ(back.grains[k].type, dump.grains[k].type);
    EXPECT_EQ(back.grains[k].x, dump.grains[k].x);
    EXPECT_EQ(back.grains[k].radius, dump.grains[k].radius);
    EXPECT_EQ(back.grains[k].v, dump.grains[k].v);
    EXPECT_EQ(back.grains[k].w, dump.grains[k].w);
  }
}

TEST_F(Bench, DumpsMayBePacked) {
  write_lammps_dump(folder_ / "a.dump", awkward());
  std::ifstream plain(folder_ / "a.dump");
  const std::string text{std::istreambuf_iterator<char>(plain), {}};
  const gzFile packed = gzopen((folder_ / "a.dump.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(packed, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(packed);
  EXPECT_EQ(read_lammps_dump(folder_ / "a.dump.gz").grains[2].v[1], 2);
}

TEST_F(Bench, DumpsMayHaveSeveralFrames) {
  LammpsDump dump = awkward();
  write_lammps_dump(folder_ / "a.dump", dump);
  dump.step = 9;
  dump.grains[2].v[1] = 3;
  write_lammps_dump(folder_ / "b.dump", dump);
  std::ofstream both(folder_ / "both.dump");
  for (const char* name : {"a.dump", "b.dump"}) both << std::ifstream(folder_ / name).rdbuf();
  both.close();
  std::vector<std::pair<std::int64_t, double>> seen;
  for_each_lammps_frame(folder_ / "both.dump", [&](const LammpsDump& frame) { seen.emplace_back(frame.step, frame.grains.at(2).v[1]); });
  EXPECT_EQ(seen, (std::vector<std::pair<std::int64_t, double>>{{7, 2.0}, {9, 3.0}}));
}

TEST_F(Bench, BrokenDumpsAreNamedWithTheLine) {
  const auto message = [&](const std::string& text) -> std::string {
    std::ofstream(folder_ / "b.dump") << text;
    try {
      read_lammps_dump(folder_ / "b.dump");
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 1\n0 1\n0 1\n";
  const std::string columns = "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz\n";
  EXPECT_NE(message("nonsense\n").find("b.dump:1: expected \"ITEM: TIMESTEP\""), std::string::npos);
  EXPECT_NE(message(head + "ITEM: ATOMS id x\n").find("b.dump:9: expected the columns"), std::string::npos);
  EXPECT_NE(message(head + columns).find("b.dump:10: the file ends here"), std::string::npos);
  EXPECT_NE(message(head + columns + "1 1 0 0 zero 1 0 0 0 0 0 0\n").find("b.dump:10: expected a number"), std::string::npos);
  EXPECT_NE(message(head + columns + "1 1 0 0 0 -1 0 0 0 0 0 0\n").find("expected a radius > 0"), std::string::npos);
  EXPECT_THROW(read_lammps_dump(folder_ / "nowhere.dump"), InputError);
}

TEST_F(Bench, DataFilesHoldDiametersAndTheThinBox) {
  write_lammps_data(folder_ / "a.data", awkward(), 2500, 1.2e-3);
  std::ifstream in(folder_ / "a.data");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find("3 atoms\n2 atom types"), std::string::npos);
  EXPECT_NE(text.find("-0.0011999999999999999 0.0011999999999999999 zlo zhi"), std::string::npos);
  EXPECT_NE(text.find("\n2 2 0.002 2500 "), std::string::npos);
  EXPECT_NE(text.find("\nVelocities\n\n1 0.14285714285714285 "), std::string::npos);
}

TEST_F(Bench, LatticesHaveTheStatedNumbers) {
  const std::vector<std::pair<std::string, std::size_t>> wanted{{"W1", 8000}, {"W2", 32000}, {"W3", 10000}, {"W4", 32000}};
  for (const auto& [name, size] : wanted) {
    const BedInfo& bed = find_bed(name);
    const LammpsDump dump = bed_lattice(bed, size);
    std::size_t mobile = 0;
    double volume = 0;
    for (const DumpGrain& g : dump.grains) {
      mobile += g.type != held_type;
      EXPECT_GE(g.radius, 0.9e-3);
      EXPECT_LE(g.radius, 1.1e-3);
      volume += 4.0 / 3 * std::numbers::pi * g.radius * g.radius * g.radius;
    }
    EXPECT_EQ(mobile, size) << name;
    EXPECT_EQ(dump.grains.size(), name == "W3" ? 10400U : size);
    if (name == "W4") EXPECT_NEAR(volume / (dump.hi[0] * dump.hi[1] * dump.hi[2]), 0.05, 0.0005);
    EXPECT_EQ(statistics_of(bed, dump).coordination, 0) << name << ": nobody touches yet";
  }
  // the first grain of the recipe, from the generator that it names
  EXPECT_EQ(bed_lattice(find_bed("W4"), 32000).grains[0].radius, bed_lattice(find_bed("W1"), 8000).grains[0].radius);
  EXPECT_THROW(bed_lattice(find_bed("W1"), 8001), InputError);
  EXPECT_THROW(find_bed("W5"), InputError);
  EXPECT_THROW(bed_law("hmtt"), InputError);
}

TEST_F(Bench, PolydisperseBedHasADecadeOfSizesWithEqualVolumes) {
  const LammpsDump dump = bed_lattice(find_bed("P1"), 4000);
  double least = 1, most = 0, lower = 0, all = 0;
  for (const DumpGrain& g : dump.grains) {
    least = std::min(least, g.radius);
    most = std::max(most, g.radius);
    const double volume = g.radius * g.radius * g.radius;
    all += volume;
    if (g.radius < 0.5e-3 * std::sqrt(10.0)) lower += volume;
  }
  EXPECT_GE(least, 0.5e-3);
  EXPECT_LE(most, 5e-3);
  EXPECT_GT(most / least, 7);  // the few largest of a few thousand
  EXPECT_NEAR(lower / all, 0.5, 0.15);
}

TEST_F(Bench, TilesAreCopiesSideBySide) {
  const LammpsDump two = tiled(awkward(), 2, 3);
  ASSERT_EQ(two.grains.size(), 18U);
  EXPECT_DOUBLE_EQ(two.hi[0], 0.2 / 3);
  EXPECT_DOUBLE_EQ(two.hi[1], 0.3);
  EXPECT_EQ(two.grains[17].id, 18);
  EXPECT_DOUBLE_EQ(two.grains[17].x[0], 0.02 + 0.1 / 3);
  EXPECT_DOUBLE_EQ(two.grains[17].x[1], 0.25);
  LammpsDump open = awkward();
  open.bounds[0] = "ff";
  EXPECT_THROW(tiled(open, 2, 1), InputError);
}

TEST_F(Bench, StatisticsOfAFewGrains) {
  const BedStatistics s = statistics_of(find_bed("W1"), awkward());
  EXPECT_DOUBLE_EQ(s.coordination, 0.5);  // of two that may move, one touches the held one
  const auto mass = [](double r) { return 4.0 / 3 * std::numbers::pi * r * r * r * 2500; };
  const double a = mass(1e-3 / 0.9), b = mass(1.1e-3);
  EXPECT_NEAR(s.kinetic, 0.5 * a / 49 + 0.5 * b * 4, 1e-18);
  EXPECT_NEAR(s.height, (a * 1e-3 + b * 0.02) / (a + b), 1e-15);
}

TEST_F(Bench, CoordinationIsAMeanOverLooksAndTheRestIsOfTheEnd) {
  const LammpsDump end = awkward();
  LammpsDump later = end;
  later.grains[0].x[0] += 0.01;  // has left the held one
  later.grains[0].v = {};
  RunStatistics run(find_bed("W1"), end);
  run.look(later);
  run.look(later);
  run.look(end);
  EXPECT_DOUBLE_EQ(run.result().coordination, 0.25);
  EXPECT_EQ(run.result().kinetic, statistics_of(find_bed("W1"), end).kinetic);
}

/// Looks are as many steps as the timed loop, and few where files would be large.
TEST_F(Bench, LooksAreDealtOutOverAsManySteps) {
  const BedLooks gas = looks_of(find_bed("W4"), 32000, {500, 2000}), bed = looks_of(find_bed("W1"), 1000000, {160, 161}), tiny = looks_of(find_bed("W1"), 8000, {160, 1});
  EXPECT_EQ(gas.count, 50);
  EXPECT_EQ(gas.steps(), 2000);
  EXPECT_EQ(bed.count, 2);
  EXPECT_EQ(bed.every, 80);
  EXPECT_EQ(tiny.every, 1);
}

/// The coefficients of benchmarks/peers, from the formulas of LAMMPS.
TEST_F(Bench, LawsAreThoseOfThePeers) {
  const double r = 0.5e-3, m = 5e-6, xi = 1e-6, a = std::sqrt(r * xi);
  const ContactLaws hmt = bed_law("hmt"), kk = bed_law("kk"), lin = bed_law("lin");
  const double young = 5e7 / (2 * 0.91);
  EXPECT_NEAR(normal_pair(hmt, r, m).elastic(xi) / (4.0 / 3 * young * a * xi), 1, 1e-14);
  EXPECT_NEAR(normal_pair(hmt, r, m).dashpot(xi) / (0.25225 * std::sqrt(m * 4.0 / 3 * young * a)), 1, 1e-14);
  EXPECT_NEAR(collide(hmt, r, m, 0.3).restitution, 0.7, 1e-5);
  EXPECT_NEAR(normal_pair(kk, r, m).elastic(xi) / (a * 3.6630036630036626e7 * xi), 1, 1e-14);
  EXPECT_NEAR(normal_pair(kk, r, m).dashpot(xi) / (a * m * 1.2e8), 1, 1e-14);
  EXPECT_NEAR(8 * std::get<Mindlin>(kk.tangential).shear / 4.5248868778280547e7, 1, 1e-14);
  EXPECT_NEAR(normal_pair(lin, r, m).dashpot(xi) / (m * 4409), 1, 1e-14);
  for (const ContactLaws& one : {hmt, kk, lin}) EXPECT_TRUE(one.attraction);
}

TEST_F(Bench, StatesComeFromTheFolderAndTheirAbsenceIsTold) {
  write_lammps_dump(folder_ / "w1_320.dump", awkward());
  const BedState state = bed_state(find_bed("W1"), 320, {folder_, {}});
  EXPECT_EQ(state.dump.grains.size(), 3U);
  EXPECT_EQ(state.origin, "from w1_320.dump");
  EXPECT_THROW(bed_state(find_bed("W2"), 32000, {folder_, {}}), InputError);
  write_lammps_dump(folder_ / "w1_8000.dump", awkward());
  EXPECT_EQ(bed_state(find_bed("W1"), 24000, {folder_, {}}).dump.grains.size(), 9U);
}

/// A small bed by the whole recipe, and a bench of it: settled, the same bits on any number of threads, and a JSON
/// object with the keys that others rely on.
TEST_F(Bench, ASmallBedSettlesAndItsBenchHoldsTheContract) {
#if defined(SCREE_TSAN)
  GTEST_SKIP() << "settling takes too long under the sanitizer";
#endif
  small_system = 0;
  BenchOptions o;
  o.beds = {"W1"};
  o.sizes = {320};
  o.laws = {"hmt", "kk"};
  o.threads = {1, 2};
  o.repeats = 2;
  o.steps = 20;
  o.export_to = folder_ / "out";
  const BenchResult result = run_bench(o, [](double, const std::string&) {});
  small_system = 4000;
  EXPECT_TRUE(result.problems.empty()) << result.problems.front();
  ASSERT_EQ(result.rows.size(), 4U);
  for (const BenchRow& row : result.rows) {
    ASSERT_TRUE(row.statistics);
    EXPECT_NEAR(row.statistics->coordination, 4.6, 0.5);
    EXPECT_EQ(row.speeds.size(), 2U);
    EXPECT_EQ(row.hashes[0], result.rows[row.law == "hmt" ? 0 : 2].hashes[0]);
  }
  EXPECT_TRUE(fs::exists(folder_ / "out" / "w1_320.dump"));
  EXPECT_TRUE(fs::exists(folder_ / "out" / "w1_320.data"));
  EXPECT_EQ(bed_state(find_bed("W1"), 320, {}).origin, "from the cache");

  const nlohmann::json j = bench_json(result);
  for (const auto& row : j["rows"])
    for (const char* key : {"code", "law", "bed", "grains", "threads", "grain_steps_per_s", "spread", "bytes_per_grain", "contacts_per_grain"})
      EXPECT_TRUE(row.contains(key)) << key;
  EXPECT_TRUE(j["ratios"].is_object());
  EXPECT_NE(bench_text(result, false).find("state_hash"), std::string::npos);

  const fs::path csv = write_bench_csv(folder_ / "results", result);
  const auto lines = [&] {
    std::ifstream in(csv);
    std::string line;
    int count = 0;
    while (std::getline(in, line)) ++count;
    return count;
  };
  EXPECT_EQ(csv.extension(), ".csv");
  EXPECT_EQ(lines(), 5);
  write_bench_csv(folder_ / "results", result);
  EXPECT_EQ(lines(), 5) << "measuring again replaces";
}

TEST_F(Bench, ProgramsAreRunAndTheirLastWordsKept) {
  const ProcessResult said = run_process({"sh", "-c", "pwd; echo $WORD; echo no >&2; exit 3"}, folder_, {"WORD=yes"});
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_EQ(said.output, fs::canonical(folder_).string() + "\nyes\nno\n");
  EXPECT_GT(said.peak_bytes, 0);
  EXPECT_EQ(run_process({"scree-no-such-program"}, folder_).exit_code, 127);
  EXPECT_FALSE(installed("scree-no-such-program"));
  EXPECT_TRUE(installed("sh"));
}

}  // namespace
}  // namespace scree
