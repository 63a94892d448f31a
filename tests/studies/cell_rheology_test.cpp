// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/cell_rheology.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "scree/core/errors.hpp"
#include "scree/io/run_file.hpp"
#include "tests/studies/cell_file.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// 20 rings and three snapshots, the last of one frame and with another shear stress.
void write_cell(const fs::path& path, double gap) {
  test::write_cell(path, 20, 1.0, {10, 10, 1}, [gap](std::size_t t, std::size_t k) {
    return test::RingValues{-10, t == 1 && k == 4 ? gap : -10, t == 2 ? 100 : t == 0 ? 1.9 : 2.1, 0.01};
  });
}

class CellRheology : public ::testing::Test {
 protected:
  CellRheology() : path(fs::temp_directory_path() / ("scree-cell-" + std::to_string(::getpid()) + ".h5")) {}
  ~CellRheology() override { fs::remove(path); }
  fs::path path;
};

TEST_F(CellRheology, LeavesOutSnapshotsOfFewerFrames) {
  write_cell(path, -10);
  const CellProfile cell = read_cell(path.string());
  EXPECT_EQ(cell.snapshots, 2u);
  EXPECT_EQ(cell.left_out, 1u);
  EXPECT_DOUBLE_EQ(cell.mu[3], 0.2);
  EXPECT_NEAR(cell.mu_spread[3], 0.01, 1e-9);
  EXPECT_EQ(cell.data.samples.size(), 2u);
}

TEST_F(CellRheology, SaysWhereAValueIsMissing) {
  write_cell(path, NAN);
  try {
    read_cell(path.string());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("snapshot 2, ring 5"), std::string::npos) << error.what();
  }
}

// Discs turn about the centre with ω = 0.2 - 0.005 r, so γ' = r |dω/dr| = 0.005 r, while their velocities say something else. Discs of every
// radius are there, so what a ring averages over lies about its middle, to (radius/r)² = 0.3 %; displacements along chords to (ω dt)²/24.
TEST_F(CellRheology, TakesShearRatesFromDisplacements) {
  write_cell(path, -10);
  CellProfile cell = read_cell(path.string());
  const fs::path folder = path.string() + "-run";
  RunInfo info;
  info.name = "turning";
  info.materials = {"glass"};
  info.groups = {"discs"};
  RunWriter writer = RunWriter::create(folder, info);
  for (int t = 0; t <= 40; ++t) {
    Frame f;
    f.time = 0.1 * t;
    f.step = t;
    for (int i = 0; i < 240; ++i) {
      const double r = 9.0 + 22.0 * i / 240, angle = 2.4 * i + (0.2 - 0.005 * r) * f.time;
      f.id.push_back(i);
      for (const double x : {r * std::cos(angle), r * std::sin(angle)}) f.x.push_back(x);
      for (const double v : {7.0, -3.0}) f.v.push_back(v);
      f.q.push_back(0);
      f.w.push_back(0);
      f.radius.push_back(0.5);
      f.mass.push_back(1);
      f.inertia.push_back(1);
      f.material.push_back(0);
      f.group.push_back(0);
      f.held.push_back(0);
    }
    writer.append(f);
  }
  writer.finish();
  take_rates(cell, folder.string());
  EXPECT_EQ(cell.snapshot_rate.size(), 2u);
  for (std::size_t k = 2; k < 18; ++k) EXPECT_NEAR(cell.rate[k], 0.005 * cell.r[k], 0.02 * 0.005 * cell.r[k]) << k;
  EXPECT_THROW(take_rates(cell, (folder / "none").string()), std::exception);
  fs::remove_all(folder);
}

// I rises from 0.01 to 0.04 and falls to 0.0025: 0.01 comes again half way between 0.04 and 0.0025 on a logarithmic scale.
TEST(SameInertial, FindsTheOtherPlaceByInterpolation) {
  CellProfile cell;
  cell.r = {1, 2, 3, 4};
  cell.inertial = {0.01, 0.04, 0.0025, 0.001};
  cell.mu = {0.3, 0.4, 0.2, 0.1};
  cell.mu_error = {0.01, 0.04 / 3, 0.04 / 3, 0.05 / 3};
  cell.sheared = 4;
  const auto found = same_inertial(cell);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].inertial, 0.01);
  EXPECT_NEAR(found[0].r[1], 2.5, 1e-12);
  EXPECT_NEAR(found[0].mu[1], 0.3, 1e-12);
  EXPECT_NEAR(found[0].error[0], 0.01, 1e-12);
  EXPECT_NEAR(found[0].error[1], 0.04 / 3 / std::sqrt(2.0), 1e-12);
  cell.sheared = 2;  // without rings beyond, nothing comes twice
  EXPECT_TRUE(same_inertial(cell).empty());
}

}  // namespace
}  // namespace scree
