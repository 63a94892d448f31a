// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "scree/scenes/overlap_grid.hpp"
#include "scree/scenes/registry.hpp"

namespace scree {
namespace {

using std::numbers::pi;

template <int D> Site<D> site(double min, double max, std::uint64_t seed = 1) {
  Site<D> one;
  one.radii = {min, max};
  one.seed = seed;
  return one;
}

template <int D, class B> Sketch<D> built(const B& builder, const Site<D>& where) {
  Sketch<D> sketch;
  builder.build(where, sketch);
  EXPECT_EQ(sketch.x.size(), sketch.r.size());
  for (const auto* list : {&sketch.fixed})
    EXPECT_TRUE(list->empty() || list->size() == sketch.size());
  EXPECT_TRUE(sketch.v.empty() || sketch.v.size() == sketch.size());
  EXPECT_TRUE(sketch.w.empty() || sketch.w.size() == sketch.size());
  return sketch;
}

/// By brute force: the deepest overlap of two grains that are not both fixed.
template <int D> double deepest(const Sketch<D>& s) {
  double depth = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = i + 1; j < s.size(); ++j) {
      if (!s.fixed.empty() && s.fixed[i] && s.fixed[j]) continue;
      depth = std::max(depth, s.r[i] + s.r[j] - norm(s.x[i] - s.x[j]));
    }
  return depth;
}

template <int D, class B> std::string reason(const B& builder, const Site<D>& where) {
  Sketch<D> sketch;
  try {
    builder.build(where, sketch);
  } catch (const BuildError& error) {
    return error.key + ": " + error.what();
  }
  return "";
}

TEST(Builders, HaveDistinctNamesAndAMeaning) {
  auto names = builder_names();
  for_each_builder<3>([](const auto& one) { EXPECT_FALSE(one.meaning.empty()); });
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  for (const char* name : {"points", "file", "lattice", "random", "column", "line", "chain",
                           "pyramid", "ring-cell", "heap"})
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
}

TEST(Radii, AreDrawnPerGrainWithinTheirBounds) {
  const auto where = site<2>(0.9, 1.1);
  double sum = 0;
  for (std::size_t k = 0; k < 10000; ++k) {
    const double r = where.radius(k);
    EXPECT_GE(r, 0.9);
    EXPECT_LE(r, 1.1);
    EXPECT_EQ(r, where.radius(k));  // not a stream: a function of the grain
    sum += r;
  }
  EXPECT_NEAR(sum / 10000, 1, 0.003);
  auto later = where;
  later.first_id = 7;
  EXPECT_EQ(later.radius(0), where.radius(7));
  EXPECT_NE(site<2>(0.9, 1.1, 2).radius(0), where.radius(0));
}

TEST(LatticeBuilder, CountsGiveAsManyGrainsJustApart) {
  Lattice<2> lattice;
  lattice.counts = {5, 7};
  const auto s = built<2>(lattice, site<2>(1, 1));
  EXPECT_EQ(s.size(), 35u);
  EXPECT_LE(deepest(s), 0);
  EXPECT_EQ(s.x[0], (Vec<2, double>{0, 0}));
}

TEST(LatticeBuilder, FillsABoxWithGrainsWhollyInside) {
  for (const char* kind : {"cubic", "hexagonal"}) {
    Lattice<3> lattice;
    lattice.kind = kind;
    lattice.jitter = 1;
    lattice.spacing = 2.3;
    lattice.box = {{-5, -5, 0}, {5, 5, 10}};
    const auto s = built<3>(lattice, site<3>(0.8, 1));
    EXPECT_GE(s.size(), 64u) << kind;
    EXPECT_LE(deepest(s), 0) << kind;
    for (std::size_t i = 0; i < s.size(); ++i)
      for (int k = 0; k < 3; ++k) EXPECT_GE(s.x[i][k], lattice.box[0][k] + 0.7) << kind;
  }
}

TEST(LatticeBuilder, HexagonalGrainsTouchSixNeighbours) {
  Lattice<2> lattice;
  lattice.kind = "hexagonal";
  lattice.counts = {5, 5};
  lattice.spacing = 2;
  const auto s = built<2>(lattice, site<2>(1, 1));
  int touching = 0;
  for (std::size_t j = 0; j < s.size(); ++j)
    if (j != 12 && norm(s.x[j] - s.x[12]) < 2 + 1e-9) ++touching;
  EXPECT_EQ(touching, 6);
}

TEST(LatticeBuilder, SaysWhenTheBoxIsTooSmall) {
  Lattice<2> lattice;
  lattice.box = {{0, 0}, {4.5, 4.5}};
  lattice.count = 5;
  EXPECT_EQ(reason<2>(lattice, site<2>(1, 1)), "count: only 4 of 5 grains fit into the box");
  lattice.box = {{0, 0}, {1, 1}};
  EXPECT_NE(reason<2>(lattice, site<2>(1, 1)), "");
}

TEST(ColumnBuilder, StandsInItsWidthAndOnItsFloor) {
  ColumnOfGrains<2> column;
  column.count = 500;
  column.width = 40;
  column.floor = true;
  column.floor_length = 120;
  const auto s = built<2>(column, site<2>(0.9, 1.1));
  EXPECT_LE(deepest(s), 1e-12);
  std::size_t free = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.fixed[i]) {
      EXPECT_LE(s.x[i][1] + s.r[i], 1e-12);
      continue;
    }
    ++free;
    EXPECT_GE(s.x[i][0] - s.r[i], -1e-12);
    EXPECT_LE(s.x[i][0] + s.r[i], 40 + 1e-12);
    EXPECT_GE(s.x[i][1] - s.r[i], -1e-12);
  }
  EXPECT_EQ(free, 500u);
  EXPECT_NEAR(double(s.size() - free), 60, 2);
}

TEST(ColumnBuilder, InSpaceFillsASquareFoot) {
  ColumnOfGrains<3> column;
  column.count = 1000;
  column.aspect = 2;
  const auto s = built<3>(column, site<3>(0.9, 1.1));
  EXPECT_EQ(s.size(), 1000u);
  EXPECT_LE(deepest(s), 1e-12);
}

// The filled part of a square lattice inside a circle is that of the circle in its square, up to one row of
// lattice points on either side.
TEST(ColumnBuilder, RoundColumnsStayInTheirCylinder) {
  ColumnOfGrains<3> column;
  column.count = 3000;
  column.width = 40;
  column.origin = {-20, -20, 0};
  column.round = true;
  const auto s = built<3>(column, site<3>(0.9, 1.1));
  ASSERT_EQ(s.size(), 3000u);
  EXPECT_LE(deepest(s), 1e-12);
  double top = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    // jitter moves a grain by half of the free gap, 0.02 of the largest radius, along each axis
    EXPECT_LE(std::hypot(s.x[i][0], s.x[i][1]), 20 - 1.1 + std::sqrt(2.0) * 0.022 + 1e-12);
    top = std::max(top, s.x[i][2]);
  }
  const double layers = top / (2.04 * 1.1), per_layer = 3000 / layers, step = 2.04 * 1.1;
  EXPECT_GT(per_layer, pi * std::pow(18.9 / step - 1, 2));
  EXPECT_LT(per_layer, pi * std::pow(18.9 / step + 1, 2));
  column.width = 2 * 2.3;  // two by two, all in the corners
  EXPECT_THROW(built<3>(column, site<3>(1, 1.1)), BuildError);
  ColumnOfGrains<2> flat;
  flat.count = 10;
  flat.round = true;
  EXPECT_THROW(built<2>(flat, site<2>(1, 1)), BuildError);
}

TEST(ColumnBuilder, GivesTheWidthThatAnAspectRatioNeeds) {
  ColumnOfGrains<2> column;
  column.count = 1000;
  column.aspect = 2;
  const double width = column.width_for({1, 1});
  EXPECT_NEAR(width * width * 2 * 0.82, 1000 * pi, 1e-9);
}

TEST(LineBuilder, LaysTangentGrains) {
  Line<2> line;
  line.start = {0, 0};
  line.end = {100, 0};
  const auto s = built<2>(line, site<2>(0.8, 1.2));
  for (std::size_t k = 1; k < s.size(); ++k)
    EXPECT_NEAR(s.x[k][0] - s.x[k - 1][0], s.r[k] + s.r[k - 1], 1e-9);
  EXPECT_LE(s.x.back()[0], 100 + 1e-9);
  EXPECT_GT(s.x.back()[0], 97);
  line.spacing = 5;
  EXPECT_EQ(built<2>(line, site<2>(0.8, 1.2)).size(), 21u);
}

TEST(ChainBuilder, TheFirstBeadMoves) {
  Chain<3> chain;
  chain.count = 5;
  chain.direction = {0, 0, 2};
  chain.speed = 3;
  chain.gap = 0.5;
  const auto s = built<3>(chain, site<3>(1, 1));
  EXPECT_EQ(s.x[4], (Vec<3, double>{0, 0, 10}));
  EXPECT_EQ(s.v[0], (Vec<3, double>{0, 0, 3}));
  EXPECT_EQ(s.v[1], (Vec<3, double>{}));
}

TEST(PyramidBuilder, HasTheEnergyOfTheThesis) {
  // r = 0.1 m, aluminium: 13 spheres hold 207.0 J, 14 hold 249.5 J (specification, chapter 8)
  for (const auto& [levels, energy] : {std::pair{2, 207.0}, std::pair{3, 249.5}}) {
    Pyramid<3> pyramid;
    pyramid.levels = levels;
    const auto s = built<3>(pyramid, site<3>(0.1, 0.1));
    EXPECT_EQ(s.size(), levels == 2 ? 13u : 14u);
    EXPECT_LE(deepest(s), 1e-12);
    double sum = 0;
    for (const auto& x : s.x) sum += 4.0 / 3 * pi * 1e-3 * 2700 * 9.81 * x[2];
    EXPECT_NEAR(sum, energy, 0.05);
  }
}

TEST(PyramidBuilder, InThePlaneIsATriangle) {
  Pyramid<2> pyramid;
  pyramid.levels = 3;
  const auto s = built<2>(pyramid, site<2>(1, 1));
  EXPECT_EQ(s.size(), 6u);
  EXPECT_NEAR(s.x[5][1], 1 + 2 * std::sqrt(3.0), 1e-12);
}

TEST(RandomBuilder, PlacesGrainsInsideAndApart) {
  RandomBox<2> random;
  random.count = 300;
  random.box = {{0, 0}, {50, 50}};
  const auto s = built<2>(random, site<2>(0.5, 1.5));
  EXPECT_EQ(s.size(), 300u);
  EXPECT_LE(deepest(s), 0);
  for (std::size_t i = 0; i < s.size(); ++i)
    for (int k = 0; k < 2; ++k) {
      EXPECT_GE(s.x[i][k], s.r[i]);
      EXPECT_LE(s.x[i][k], 50 - s.r[i]);
    }
}

TEST(RandomBuilder, KeepsApartAcrossPeriods) {
  RandomBox<2> random;
  random.count = 100;
  random.box = {{0, 0}, {30, 30}};
  auto where = site<2>(1, 1);
  where.domain.periodic = {true, true};
  where.domain.hi = {30, 30};
  const auto s = built<2>(random, where);
  bool at_the_edge = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    at_the_edge = at_the_edge || s.x[i][0] < 1;
    for (std::size_t j = 0; j < i; ++j) {
      auto d = s.x[i] - s.x[j];
      for (int k = 0; k < 2; ++k) d[k] -= 30 * std::round(d[k] / 30);
      EXPECT_GE(norm(d), 2);
    }
  }
  EXPECT_TRUE(at_the_edge);
}

TEST(RandomBuilder, IsAFunctionOfTheSeed) {
  RandomBox<3> random;
  random.count = 100;
  random.box = {{0, 0, 0}, {20, 20, 20}};
  const auto a = built<3>(random, site<3>(0.5, 1, 3)), b = built<3>(random, site<3>(0.5, 1, 3));
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.r, b.r);
  EXPECT_NE(built<3>(random, site<3>(0.5, 1, 4)).x, a.x);
}

TEST(RandomBuilder, SaysHowFarItGot) {
  RandomBox<2> random;
  random.count = 500;
  random.box = {{0, 0}, {40, 40}};
  const std::string why = reason<2>(random, site<2>(1, 1));
  EXPECT_TRUE(why.starts_with("count: room for only ")) << why;
  random.count = 5000;
  EXPECT_TRUE(
      reason<2>(random, site<2>(1, 1)).starts_with("count: no room: 5000 grains would fill"));
}

TEST(HeapBuilder, HangsOverItsFoot) {
  Heap<3> heap;
  heap.count = 500;
  heap.width = 20;
  heap.centre = {0, 0, 5};
  const auto s = built<3>(heap, site<3>(0.9, 1.1));
  EXPECT_EQ(s.size(), 500u);
  EXPECT_LE(deepest(s), 0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_LE(std::abs(s.x[i][0]), 10 - s.r[i]);
    EXPECT_GE(s.x[i][2], 5 + s.r[i]);
  }
}

TEST(RingCellBuilder, HasTwoClosedRingsAndGrainsBetween) {
  RingCell<2> cell;
  cell.inner = 10;
  cell.outer = 30;
  cell.count = 300;
  const auto s = built<2>(cell, site<2>(0.8, 1));
  EXPECT_LE(deepest(s), 1e-12);
  const auto walls = std::count(s.fixed.begin(), s.fixed.end(), 1);
  EXPECT_EQ(walls, std::int64_t(pi / std::asin(0.1)) + std::int64_t(pi / std::asin(1.0 / 30)));
  EXPECT_EQ(s.size(), std::size_t(walls) + 300);
  cell.parts = {"inner"};
  EXPECT_EQ(built<2>(cell, site<2>(0.8, 1)).size(), std::size_t(pi / std::asin(0.1)));
  RingCell<3> in_space;
  in_space.outer = 30;
  EXPECT_EQ(reason<3>(in_space, site<3>(1, 1)), "build: a ring-cell needs a scene with dim = 2");
}

/// The gap between the surfaces of two neighbours, all round: the worst one.
double worst_gap(const Sketch<2>& ring) {
  double worst = 0;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const std::size_t next = (k + 1) % ring.size();
    worst = std::max(worst, std::abs(norm(ring.x[k] - ring.x[next]) - ring.r[k] - ring.r[next]));
  }
  return worst;
}

TEST(RingCellBuilder, ToothedWallsAreTangentAllRound) {
  struct Case {
    double R, tooth, spacing, wall;
    std::size_t teeth, between;
  };
  // The inner and an outer wall of the shear cell, walls with many small discs between large teeth,
  // and rings of few discs, where chord and arc differ most.
  for (const Case& c : {Case{0.1042, 1e-3, 5e-3, 1.3e-3, 130, 1}, {0.2492, 1e-3, 5e-3, 1.3e-3, 313, 1},
                        {1.0, 0.02, 0.3, 0.011, 20, 12}, {1.0, 0.3, 1.2, 0.1, 5, 3},
                        {1.0, 0.1, 6.0, 0.4, 1, 7}}) {
    RingCell<2> cell;
    cell.inner = c.R;
    cell.outer = 3 * c.R;
    cell.wall_radius = c.wall;
    cell.tooth_radius = c.tooth;
    cell.tooth_spacing = c.spacing;
    cell.parts = {"inner"};
    const auto s = built<2>(cell, Site<2>{});
    ASSERT_EQ(s.size(), c.teeth * (1 + c.between)) << c.R << " " << c.spacing;
    // Places are rounded once each, to half a unit in the last place of R.
    EXPECT_LE(worst_gap(s), 1e-12 * c.R);
    for (std::size_t k = 0; k < s.size(); ++k) {
      EXPECT_NEAR(norm(s.x[k]), c.R, 1e-14 * c.R);
      if (k % (1 + c.between) == 0) {
        EXPECT_EQ(s.r[k], c.tooth);
      } else {  // not smaller than suggested, and one more would not have fitted
        EXPECT_GE(s.r[k], c.wall);
        EXPECT_EQ(s.r[k], s.r[1]);
      }
    }
    const double one_more =
        4 * std::asin((c.tooth + c.wall) / (2 * c.R)) + 2 * double(c.between) * std::asin(c.wall / c.R);
    EXPECT_GT(one_more, 2 * pi / double(c.teeth));
  }
}

TEST(RingCellBuilder, FindsTheOuterRingOfAPacking) {
  RingCell<2> cell;
  cell.inner = 0.1042;
  cell.packing = 0.83203;
  cell.wall_radius = 1.3e-3;
  cell.tooth_radius = 1e-3;
  cell.tooth_spacing = 5e-3;
  Site<2> where;
  where.solid = pi * (400 * 4.5e-3 * 4.5e-3 + 2511 * 3.7e-3 * 3.7e-3);
  const auto both = built<2>(cell, where);
  cell.parts = {"inner"};
  const std::size_t inner = built<2>(cell, where).size();
  const auto surface = [&](std::size_t first, std::size_t last, double side) {
    double sum = 0;
    for (std::size_t k = first; k < last; ++k) sum += norm(both.x[k]) + side * both.r[k];
    return sum / double(last - first);
  };
  const double lo = surface(0, inner, 1), hi = surface(inner, both.size(), -1);
  EXPECT_NEAR(where.solid / (pi * (hi * hi - lo * lo)), 0.83203, 1e-4);
  cell.parts = {"outer"};
  EXPECT_LE(worst_gap(built<2>(cell, where)), 1e-12 * hi);
  cell.packing = 0.95;
  EXPECT_NE(reason<2>(cell, where).find("packing: cannot be reached: expected at most 0.9069"), std::string::npos)
      << reason<2>(cell, where);
  cell.packing = 0.8;
  EXPECT_NE(reason<2>(cell, Site<2>{}).find("packing: no free grains"), std::string::npos);
  cell.outer = 1;
  EXPECT_EQ(reason<2>(cell, where), "outer: given beside \"packing\"; expected one of them");
}

TEST(RingCellBuilder, SaysWhyTeethDoNotFit) {
  RingCell<2> cell;
  cell.outer = 1;
  cell.wall_radius = 0.05;
  cell.tooth_radius = 0.05;
  const auto why = [&] { return reason<2>(cell, Site<2>{}); };
  EXPECT_NE(why().find("tooth_spacing: expected both"), std::string::npos);
  cell.tooth_spacing = 0.15;
  EXPECT_NE(why().find("tooth_spacing: no disc of wall_radius = 0.05 m fits"), std::string::npos) << why();
  cell.tooth_spacing = 7;
  EXPECT_NE(why().find("tooth_spacing: no tooth fits: expected at most the ring's length 6.28319"), std::string::npos);
  cell.tooth_radius = 0.96;
  EXPECT_NE(why().find("tooth_radius: expected discs smaller than the ring"), std::string::npos);
}

TEST(RingCellBuilder, MixesGrainsByCount) {
  RingCell<2> cell;
  cell.inner = 10;
  cell.outer = 30;
  cell.count = 300;
  auto where = site<2>(0.8, 1);
  where.radii.values = {1.0, 0.8};
  where.radii.counts = {100, 200};
  const auto s = built<2>(cell, where);
  EXPECT_LE(deepest(s), 1e-12);
  EXPECT_EQ(std::count(s.fixed.begin(), s.fixed.end(), 0), 300);
  std::int64_t big = 0, small = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    big += !s.fixed[i] && s.r[i] == 1.0;
    small += !s.fixed[i] && s.r[i] == 0.8;
  }
  EXPECT_EQ(big, 100);
  EXPECT_EQ(small, 200);
  where.radii.counts = {100, 199};
  EXPECT_NE(reason<2>(cell, where).find("radius: its counts are those of 299 grains"), std::string::npos);
}

TEST(RingCellBuilder, SaysHowFarItGotWhenThereIsNoMoreRoom) {
  RingCell<2> cell;
  cell.inner = 10;
  cell.outer = 20;
  cell.count = 400;
  cell.tries = 200;
  auto where = site<2>(0.8, 1);
  where.radii.values = {1.0, 0.8};
  where.radii.counts = {200, 200};
  const std::string why = reason<2>(cell, where);
  std::int64_t placed = 0, of = 0;
  double filled = 0;
  ASSERT_EQ(std::sscanf(why.c_str(), "count: room for only %ld of %ld grains, which fill %lf", &placed, &of, &filled), 3)
      << why;
  EXPECT_EQ(of, 400);
  // Random sequential addition of discs ends at 0.547 of an unbounded plane; large ones went first,
  // and two walls a few diameters apart keep more room empty.
  EXPECT_GT(filled, 0.3);
  EXPECT_LT(filled, 0.547);
  const double big = std::min<double>(200, double(placed)), small = double(placed) - big;
  EXPECT_NEAR(filled, (big + 0.64 * small) / (19 * 19 - 11 * 11), 1e-4);
}

TEST(FileBuilder, ReadsAFrameOfACsvFile) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("scree-grains-" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path)
      << "frame,time,id,x,y,vx,vy,w,radius\n0,0,0,1,2,3,4,5,0.5\n0,0,1,5,5,0,0,0,0.5\n"
         "1,0.1,0,1.25,2,3,4,5,0.5\n1,0.1,1,5,5.5,0,0,-1,0.5\n";
  FromFile<2> file;
  file.path = path.filename().string();
  Site<2> where;
  where.folder = path.parent_path().string();
  auto s = built<2>(file, where);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s.x[0], (Vec<2, double>{1.25, 2}));
  EXPECT_EQ(s.w[1][0], -1);
  file.frame = 0;
  s = built<2>(file, where);
  EXPECT_EQ(s.x[0], (Vec<2, double>{1, 2}));
  EXPECT_EQ(s.v[0], (Vec<2, double>{3, 4}));
  file.frame = 9;
  EXPECT_NE(reason<2>(file, where).find("no grains in frame 9"), std::string::npos);

  for (const auto& [text, why] :
       {std::pair{"x,z,radius\n", "unknown column \"z\""},
        std::pair{"x,radius\n", "missing column \"y\""},
        std::pair{"x,y,radius\n1,2\n", ":2: expected 3 columns, found 2"},
        std::pair{"x,y,radius\n1,2,-1\n", "expected a number > 0"},
        std::pair{"x,y,radius\n1,b,1\n", "column y: expected a finite number, found \"b\""},
        std::pair{"x,y\n1,2\n", "radius"}, std::pair{"", "empty file"}}) {
    std::ofstream(path) << text;
    EXPECT_NE(reason<2>(FromFile<2>{file.path, -1}, where).find(why), std::string::npos) << text;
  }
  std::filesystem::remove(path);
}

TEST(Builders, KeepToTheLimitOfGrains) {
  auto where = site<2>(1e-6, 1e-6);
  where.limit = 1000;
  const auto refused = [&](auto builder, auto... set) {
    (set(builder), ...);
    EXPECT_NE(reason<2>(builder, where).find("too many grains"), std::string::npos) << builder.name;
  };
  refused(ColumnOfGrains<2>{}, [](auto& b) { b.count = 2000, b.width = 1; });
  refused(ColumnOfGrains<2>{},
          [](auto& b) { b.count = 10, b.width = 1, b.floor = true, b.floor_length = 1; });
  refused(Lattice<2>{}, [](auto& b) { b.box = {{0, 0}, {1, 1}}; });
  refused(Lattice<2>{}, [](auto& b) { b.counts = {1LL << 62, 1LL << 62}; });
  refused(Line<2>{}, [](auto& b) { b.start = {0, 0}, b.end = {1, 0}; });
  refused(RandomBox<2>{}, [](auto& b) { b.count = 2000, b.box = {{0, 0}, {1, 1}}; });
  refused(Heap<2>{}, [](auto& b) { b.count = 2000, b.width = 1; });
  refused(Chain<2>{}, [](auto& b) { b.count = 2000; });
  refused(Pyramid<2>{}, [](auto& b) { b.base = 1LL << 62, b.levels = 1LL << 61; });
  refused(RingCell<2>{}, [](auto& b) { b.outer = 1; });
}

TEST(OverlapGrid, FindsWhatBruteForceFinds) {
  Domain<2> domain;
  std::vector<Vec<2, double>> x;
  std::vector<double> r;
  for (std::uint32_t k = 0; k < 400; ++k) {
    Random random(9, 1, k);
    x.push_back({random.uniform(-10, 10), random.uniform(-10, 10)});
    r.push_back(std::exp(random.uniform(-5, 0.5)));
  }
  OverlapGrid<2> grid(domain, x.size());
  for (std::uint32_t k = 0; k < x.size(); ++k) grid.add(x[k], r[k], k);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found, wanted;
  for (std::uint32_t i = 0; i < x.size(); ++i)
    grid.near(x[i], r[i], [&](std::uint32_t j, double gap) {
      if (i != j && gap < 0) found.emplace_back(std::min(i, j), std::max(i, j));
      return false;
    });
  for (std::uint32_t i = 0; i < x.size(); ++i)
    for (std::uint32_t j = i + 1; j < x.size(); ++j)
      if (norm(x[i] - x[j]) < r[i] + r[j]) wanted.emplace_back(i, j);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  EXPECT_EQ(found, wanted);
  EXPECT_GT(wanted.size(), 100u);
}

}  // namespace
}  // namespace scree
