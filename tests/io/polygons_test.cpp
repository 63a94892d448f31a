// SPDX-License-Identifier: BSD-3-Clause
/// Angular grains on disk: the run file keeps their outlines, and what is exported has their corners.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "scree/analysis/outline.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/run_file.hpp"
#include "scree/io/vtk.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("scree_polygons_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

/// A disk and a triangle, turned by a right angle.
Frame two_grains() {
  Frame f;
  f.id = {0, 1};
  f.x = {0, 0, 1, 2};
  f.v = {0, 0, 3, 4};
  f.q = {0, std::acos(0.0)};
  f.w = {0, 0};
  f.radius = {0.5, 0.1};
  f.mass = {1, 1};
  f.shape = {0, 2};
  return f;
}
const std::vector<std::vector<Vec<2, double>>> shapes{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, {{1, 0}, {-0.5, 0.5}, {-0.5, -0.5}}};

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

RunInfo info() {
  RunInfo i;
  i.name = "polygons";
  i.shapes = shapes;
  return i;
}

TEST(PolygonFiles, OutlinesAreTurnedScaledAndPlaced) {
  const auto corners = outline_of(two_grains(), 1, shapes);
  ASSERT_EQ(corners.size(), 3U);
  EXPECT_NEAR(corners[0][0], 1, 1e-15);
  EXPECT_NEAR(corners[0][1], 2.1, 1e-15);
  EXPECT_NEAR(corners[1][0], 1 - 0.05, 1e-15);
  EXPECT_NEAR(corners[1][1], 2 - 0.05, 1e-15);
  EXPECT_EQ(outline_of(two_grains(), 0, shapes, 8).size(), 8U);  // a disk
}

TEST(PolygonFiles, TheRunFileKeepsShapesWhileItGrowsAndWhenItIsDone) {
  const Folder folder;
  RunWriter writer = RunWriter::create(folder.path, info());
  writer.append(two_grains());
  const auto look = [&] {
    const RunReader run(folder.path);
    ASSERT_EQ(run.info().shapes.size(), 2U);
    EXPECT_EQ(run.info().shapes[1], shapes[1]);
    EXPECT_EQ(run.frame(0).shape, two_grains().shape);
  };
  look();
  writer.finish();
  look();
}

TEST(PolygonFiles, ExportsHaveThem) {
  const Folder folder;
  RunWriter writer = RunWriter::create(folder.path, info());
  writer.append(two_grains());
  writer.finish();
  const RunReader run(folder.path);
  export_run(run, ExportKind::vtk, folder.path, {});
  const std::string cells = text_of(folder.path / "vtk" / "outlines_00000000.vtp");
  EXPECT_NE(cells.find("NumberOfPoints=\"35\""), std::string::npos);  // 32 of the disk, 3
  EXPECT_NE(cells.find("NumberOfPolys=\"2\""), std::string::npos);
  EXPECT_TRUE(fs::exists(folder.path / "outlines.pvd"));
  export_run(run, ExportKind::csv, folder.path, {});
  const std::string grains = text_of(folder.path / "grains.csv");
  EXPECT_EQ(grains.substr(0, grains.find('\n')), "frame,time,id,x,y,vx,vy,w,radius,angle,shape");
  EXPECT_NE(text_of(folder.path / "shapes.csv").find("2,-0.5,0.5"), std::string::npos);
  export_run(run, ExportKind::lammps, folder.path, {});
  EXPECT_NE(text_of(folder.path / "run.lammpstrj").find("angle shape"), std::string::npos);
}

TEST(PolygonFiles, ARunOfDisksSaysNothingOfShapes) {
  const Folder folder;
  Frame f = two_grains();
  f.shape.clear();
  RunInfo plain;
  RunWriter writer = RunWriter::create(folder.path, plain);
  writer.append(f);
  writer.finish();
  const RunReader run(folder.path);
  EXPECT_TRUE(run.frame(0).shape.empty());
  export_run(run, ExportKind::csv, folder.path, {});
  const std::string grains = text_of(folder.path / "grains.csv");
  EXPECT_EQ(grains.substr(0, grains.find('\n')), "frame,time,id,x,y,vx,vy,w,radius");
  EXPECT_FALSE(fs::exists(folder.path / "shapes.csv"));
}

}  // namespace
}  // namespace scree
