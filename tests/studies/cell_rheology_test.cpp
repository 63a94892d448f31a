// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/cell_rheology.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "scree/core/errors.hpp"
#include "scree/io/hdf5.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A file of `scree fields` with 20 rings and three snapshots, the last of one frame and with another shear stress.
void write_cell(const fs::path& path, double gap) {
  hdf5::File h5 = hdf5::File::create(path);
  h5.set("format", std::string("scree fields 1"));
  h5.set("grain_radius", 0.5);
  h5.set("reach", 1.5);
  h5.write("time", std::vector<double>{1, 2, 3});
  h5.write("frames", std::vector<std::int64_t>{10, 10, 1});
  hdf5::Group grid = h5.create_group("grid"), fields = h5.create_group("fields");
  grid.set("scattered", std::int64_t{0});
  grid.write_texts("names", {"r"});
  std::vector<double> r, stress, one, velocity, gradient;
  for (int k = 0; k < 20; ++k) r.push_back(10.0 + k);
  for (int t = 0; t < 3; ++t)
    for (int k = 0; k < 20; ++k) {
      const double tau = t == 2 ? 100 : t == 0 ? 1.9 : 2.1;
      for (const double x : {-10.0, tau, tau, t == 1 && k == 4 ? gap : -10.0}) stress.push_back(x);
      one.push_back(1);
      for (const double x : {0.0, 1.0}) velocity.push_back(x);
      for (const double x : {0.0, 0.01, 0.0, 0.0}) gradient.push_back(x);
    }
  grid.write("r", r);
  fields.write("stress", stress, 4);
  fields.set("components", std::string("rr,rt,tr,tt"), "stress");
  fields.write("density", one);
  fields.write("volume_density", one);
  fields.write("velocity", velocity, 2);
  fields.set("components", std::string("r,t"), "velocity");
  fields.write("velocity_gradient", gradient, 4);
  fields.set("components", std::string("rr,rt,tr,tt"), "velocity_gradient");
  h5.close();
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

// I rises from 0.01 to 0.04 and falls to 0.0025: 0.01 comes again half way between 0.04 and 0.0025 on a logarithmic scale.
TEST(SameInertial, FindsTheOtherPlaceByInterpolation) {
  CellProfile cell;
  cell.r = {1, 2, 3, 4};
  cell.inertial = {0.01, 0.04, 0.0025, 0.001};
  cell.mu = {0.3, 0.4, 0.2, 0.1};
  cell.mu_spread = {0.03, 0.04, 0.04, 0.05};
  cell.sheared = 4;
  cell.snapshots = 10;
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
