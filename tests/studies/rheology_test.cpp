// SPDX-License-Identifier: BSD-3-Clause
/// The study on made-up flows whose laws are known.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "tests/io/synthetic.hpp"
#include "tests/studies/cell_file.hpp"
#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

/// 24 inertial numbers of mu(I) with mu_s = 0.26, mu_2 = 0.9, I_0 = 0.5 and phi = 0.81 - 0.3 I, with small errors.
std::string shear_table(const std::filesystem::path& path) {
  std::ofstream file(path);
  file << "I,mu,mu_stderr,packing\n";
  Random random(1, 2, 3);
  for (int k = 0; k < 24; ++k) {
    const double i = 1e-3 * std::pow(600.0, k / 23.0), mu = 0.26 + 0.64 / (1 + 0.5 / i);
    file << i << "," << mu + 0.003 * random.normal() << ",0.003," << 0.81 - 0.3 * i + 0.001 * random.normal() << "\n";
  }
  return path.string();
}

/// A quasi-static cell: mu = 0.24 (10/r)², the shear rate falls as exp(-r) and grows with the speed; snapshots scatter by 5 %. The stresses obey
/// tau' = -2 tau/r; s_rr = s_tt is constant.
/// From ring `high` on tau is five times as large, and mu above mu_s.
std::string cell(const std::filesystem::path& path, double speed, std::uint64_t seed, std::size_t high = 40) {
  Random random(seed, 4, 5);
  std::vector<double> factor;
  for (int t = 0; t < 12; ++t) factor.push_back(1 + 0.05 * random.normal());
  test::write_cell(path, 40, 0.25, std::vector<std::int64_t>(12, 10), [&](std::size_t t, std::size_t k) {
    const double r = 10.0 + 0.25 * static_cast<double>(k);
    return test::RingValues{-10, -10, (k < high ? 1 : 5) * 240 / (r * r) * factor[t], -speed * std::exp(10 - r) * (1 + 0.05 * random.normal())};
  });
  return path.string();
}

TEST(RheologyStudy, FindsTheLawOfPlaneShear) {
  const synthetic::Folder folder;
  const StudyResult result = test::run_study("rheology", {{"shear", shear_table(folder / "shear.csv")}});
  const auto& shear = result.json["plane_shear"];
  const auto within = [&](const char* name, double truth, double size) {
    const auto interval = shear[std::string(name) + "_interval"];
    EXPECT_LT(interval[0].get<double>(), truth + size) << name;
    EXPECT_GT(interval[1].get<double>(), truth - size) << name;
  };
  // a 95 % interval misses one time in twenty, and then by little
  within("mu_s", 0.26, 0.002);
  within("mu_2", 0.9, 0.05);
  within("I_0", 0.5, 0.05);
  within("phi_0", 0.81, 5e-4);
  within("phi_slope", -0.3, 5e-3);
  EXPECT_EQ(result.findings.at(0).verdict, Finding::Verdict::holds) << result.text;
  // the data are of mu(I), whose two-parameter rivals are off by many standard errors
  for (const auto& rival : shear["rivals"]) {
    const std::string form = rival["form"];
    if (form == "a + b I" || form == "a + b ln(I)" || form == "a + b sqrt(I)" || form == "constant") {
      EXPECT_GT(rival["held_out_in_sigmas"].get<double>(), 3) << rival.dump();
    }
    if (form == "mu(I)") {
      EXPECT_LT(rival["held_out_in_sigmas"].get<double>(), 2) << rival.dump();
    }
  }
}

TEST(RheologyStudy, TellsThatAQuasiStaticCellHasNoFunction) {
  const synthetic::Folder folder;
  const StudyResult result = test::run_study("rheology", {{"shear", shear_table(folder / "shear.csv")}, {"cell", cell(folder / "slow.h5", 1e-3, 1) + "," + cell(folder / "fast.h5", 5e-3, 2)}});
  ASSERT_EQ(result.json["cell"].size(), 2u);
  const auto& pair = result.json["same_I_other_speed"][0];
  EXPECT_EQ(pair["verdict"], "not a function") << result.text;
  EXPECT_NEAR(pair["I_ratio"].get<double>(), 5, 0.3);
  // g = γ'/mu falls as exp(-r) r², whose ∇²g/g = 1 - 5/r + 4/r² rises from 0.54 at r = 10 d to 0.76 at 20 d: lengths of 1.36 to 1.15 d, and
  // A² = (mu_s - mu)/(∇²g/g) of 0.19² to 0.51². A single value is between
  const auto& models = result.json["nonlocal"]["models"];
  ASSERT_EQ(models.size(), 2u);
  EXPECT_GT(models[0]["value"].get<double>(), 0.19);
  EXPECT_LT(models[0]["value"].get<double>(), 0.52);
  EXPECT_GT(models[1]["value"].get<double>(), 1.14);
  EXPECT_LT(models[1]["value"].get<double>(), 1.37);
  for (const auto& one : models) EXPECT_FALSE(one["at_end"].get<bool>());
  const auto& angular = result.json["cell"][0]["balances"][0]["equations"][0]["terms"];
  ASSERT_EQ(angular.size(), 1u) << result.text;
  EXPECT_NEAR(angular[0]["coefficient"].get<double>(), -2, 0.01);  // of tau/r; differences of fourth order
}

// Cells of the same speed are joined: two of each tell the same, and count twice the snapshots.
TEST(RheologyStudy, JoinsCellsOfOneSpeed) {
  const synthetic::Folder folder;
  const std::string slow = cell(folder / "slow1.h5", 1e-3, 1) + "+" + cell(folder / "slow2.h5", 1e-3, 3), fast = cell(folder / "fast1.h5", 5e-3, 2) + "+" + cell(folder / "fast2.h5", 5e-3, 4);
  const std::string shear = shear_table(folder / "shear.csv");
  const StudyResult result = test::run_study("rheology", {{"shear", shear}, {"cell", slow + "," + fast}});
  ASSERT_EQ(result.json["cell"].size(), 2u);
  EXPECT_EQ(result.json["cell"][0]["cells"], 2);
  EXPECT_EQ(result.json["cell"][0]["snapshots"], 24);
  const auto& pair = result.json["same_I_other_speed"][0];
  EXPECT_NEAR(pair["I_ratio"].get<double>(), 5, 0.3);
  EXPECT_LT(pair["mu_difference"].get<double>(), 0);
  EXPECT_THROW(test::run_study("rheology", {{"shear", shear}, {"cell", slow}, {"runs", "a"}}), InputError);
  EXPECT_THROW(test::run_study("rheology", {{"shear", shear}, {"cell", slow + "+"}}), InputError);
}

// Creep ends where mu reaches mu_s again: beyond, a nonlocal law without a local one has nothing to say.
TEST(RheologyStudy, CreepEndsWhereTheStressIsHigh) {
  const synthetic::Folder folder;
  const StudyResult result = test::run_study("rheology", {{"shear", shear_table(folder / "shear.csv")}, {"cell", cell(folder / "one.h5", 1e-3, 1, 30)}});
  const auto& nonlocal = result.json["nonlocal"];
  EXPECT_LT(nonlocal["rings"].get<double>(), 30) << result.text;
  EXPECT_GE(nonlocal["rings"].get<double>(), 5);
  for (const auto& one : nonlocal["models"]) EXPECT_LT(one["error_of_ln_g"].get<double>(), 1) << result.text;  // infinite with them
}

TEST(RheologyStudy, RefusesFilesThatDoNotFitTogether) {
  const synthetic::Folder folder;
  const std::string shear = shear_table(folder / "shear.csv"), one = cell(folder / "one.h5", 1e-3, 1);
  EXPECT_THROW(test::run_study("rheology", {{"shear", shear}, {"cell", one}, {"runs", "a,b"}}), std::exception);
  EXPECT_THROW(test::run_study("rheology", {{"shear", shear}, {"cell", one}, {"runs", (folder / "nowhere").string()}}), InputError);
  EXPECT_THROW(test::run_study("rheology", {{"shear", shear}, {"grains", shear}}), InputError);
  test::write_cell(folder / "other.h5", 30, 0.25, {10, 10, 10}, [](std::size_t, std::size_t) { return test::RingValues{}; });
  EXPECT_THROW(test::run_study("rheology", {{"shear", shear}, {"cell", one + "," + (folder / "other.h5").string()}}), std::exception);
}

}  // namespace
}  // namespace scree
