// SPDX-License-Identifier: BSD-3-Clause
#include "scree/shapes/polygon.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"
#include "scree/shapes/polygon_library.hpp"

#include "tests/shapes/random_pairs.hpp"

namespace scree {
namespace {

using testing::view;

TEST(PolygonMass, RectangleHasItsClosedForm) {
  const Outline a{{1, 2}, {5, 2}, {5, 5}, {1, 5}};
  const MassProperties<double> m = mass_properties(view(a, {10, 20}));
  EXPECT_EQ(m.area, 12);
  EXPECT_EQ(m.centroid[0], 13);
  EXPECT_EQ(m.centroid[1], 23.5);
  EXPECT_NEAR(m.second_moment, 12 * (16 + 9) / 12.0, 1e-13);
}

TEST(PolygonMass, RegularPolygonHasItsClosedForm) {
  for (int n = 3; n <= 20; ++n) {
    const double r = 0.05, step = constant::two_pi<double>() / n;
    const MassProperties<double> m = mass_properties(view(regular_polygon(n, r, 0.3)));
    const double area = n * r * r * std::sin(step) / 2;
    EXPECT_NEAR(m.area / area, 1, 1e-14);
    EXPECT_NEAR(norm(m.centroid), 0, 1e-16);
    // I = A r²/6 (2 + cos(2π/n))... for the disk's limit A r²/2
    EXPECT_NEAR(m.second_moment / (area * r * r * (2 + std::cos(step)) / 6), 1, 1e-14);
    EXPECT_NEAR(bounding_radius(view(regular_polygon(n, r, 0.3))), r, 1e-17);
  }
}

TEST(PolygonMass, DoubleDoublesAgree) {
  for (std::uint32_t id = 0; id < 1000; ++id) {
    const Outline a = testing::general_pair(id).b;
    const auto m = mass_properties(view(a));
    const auto r = mass_properties(view(testing::in_dd(a)));
    EXPECT_NEAR(m.area, static_cast<double>(r.area), 1e-14);
    EXPECT_LT(norm(m.centroid - convert<double>(r.centroid)), 4e-15);
    EXPECT_NEAR(m.second_moment, static_cast<double>(r.second_moment), 2e-14);
  }
}

std::string problem(const Outline& a) { return check_outline(a).problem; }

TEST(CheckOutline, RefusesWhatIsNoConvexPolygon) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(problem({{0, 0}, {1, 0}}), "a polygon needs at least three vertices, not 2");
  EXPECT_EQ(problem({}), "a polygon needs at least three vertices, not 0");
  EXPECT_EQ(problem({{0, 0}, {1, nan}, {0, 1}}), "vertex 2 (1, nan) is not a finite point");
  EXPECT_EQ(problem({{0, 0}, {1, 0}, {1e308 * 10, 1}}), "vertex 3 (inf, 1) is not a finite point");
  EXPECT_EQ(problem({{2, 2}, {2, 2}, {2, 2}}), "all vertices are the same point: it has no area");
  EXPECT_EQ(problem({{0, 0}, {1, 1}, {2, 2}}), "all vertices lie on one line: it has no area");
  EXPECT_EQ(problem({{0, 0}, {1, 1}, {3, 3}, {2, 2}}),
            "all vertices lie on one line: it has no area");
  EXPECT_EQ(problem({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "the outline crosses itself: side 1-2 cuts side 3-4");
  EXPECT_EQ(problem({{0, 0}, {2, 0}, {2, 2}, {1, 0.5}, {0, 2}}),
            "the outline is not convex at vertex 4");
  EXPECT_EQ(problem({{0, 0}, {2, 0}, {2, 2}, {2, 1}, {0, 2}}),
            "the outline turns back on itself at vertex 3");
  Outline star;  // all turns to the left, twice round
  for (int k = 0; k < 5; ++k)
    star.push_back(regular_polygon(5, 1)[static_cast<std::size_t>(2 * k % 5)]);
  EXPECT_NE(problem(star).find("crosses itself"), std::string::npos);
  const Outline twice{{0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}};
  EXPECT_FALSE(check_outline(twice)) << "the same triangle twice round";
}

TEST(CheckOutline, MendsWhatMeansTheSameAndSaysSo) {
  const CheckedOutline clockwise = check_outline({{0, 0}, {0, 1}, {1, 1}, {1, 0}});
  ASSERT_TRUE(clockwise);
  EXPECT_EQ(clockwise.mended,
            std::vector<std::string>{"the vertices ran clockwise and were reversed"});
  EXPECT_EQ(mass_properties(view(clockwise.vertices)).area, 1);

  const CheckedOutline closed = check_outline({{0, 0}, {1, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}});
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed.vertices.size(), 4U);
  EXPECT_EQ(closed.mended,
            (std::vector<std::string>{"vertex 3 repeats its neighbour and was dropped",
                                      "vertex 6 repeats its neighbour and was dropped"}));

  const CheckedOutline straight =
      check_outline({{0.5, 0}, {1, 0}, {1, 0.5}, {1, 1}, {0, 1}, {0, 0}});
  ASSERT_TRUE(straight);
  EXPECT_EQ(straight.vertices.size(), 4U);
  EXPECT_EQ(straight.mended,
            (std::vector<std::string>{
                "vertex 1 lies on the line between its neighbours and was dropped",
                "vertex 3 lies on the line between its neighbours and was dropped"}));
  EXPECT_TRUE(check_outline(regular_polygon(64, 1e-3)).mended.empty());
}

TEST(PolygonLibrary, RandomPolygonsAreConvexCentredAndOnTheirEllipse) {
  const RandomPolygons kind{.radius_min = 0.02,
                            .radius_max = 0.03,
                            .aspect_max = 1.8,
                            .corners_min = 3,
                            .corners_max = 9,
                            .jitter = 0.9};
  std::vector<int> corners(10);
  for (std::uint32_t id = 0; id < 2000; ++id) {
    const Outline a = random_polygon(kind, 42, id);
    const CheckedOutline checked = check_outline(a);
    ASSERT_TRUE(checked) << checked.problem;
    ASSERT_TRUE(checked.mended.empty());
    ASSERT_LT(norm(mass_properties(view(a)).centroid), 1e-16);
    ASSERT_LT(mass_properties(view(a)).area, constant::pi<double>() * 0.03 * 0.03);
    ++corners[a.size()];
    ASSERT_EQ(a, random_polygon(kind, 42, id));
  }
  EXPECT_NE(random_polygon(kind, 42, 1), random_polygon(kind, 42, 2));
  EXPECT_NE(random_polygon(kind, 42, 1), random_polygon(kind, 43, 1));
  for (std::size_t n = 3; n <= 9; ++n)
    EXPECT_NEAR(corners[n], 2000 / 7.0, 5 * std::sqrt(2000 / 7.0));
}

class OutlineFile : public ::testing::Test {
 protected:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("scree-outlines-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
       ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv");
  void TearDown() override { std::filesystem::remove(path_); }
  std::vector<NamedOutline> read(const std::string& text,
                                 std::vector<std::string>* notes = nullptr) {
    std::ofstream(path_) << text;
    return read_outlines(path_, notes);
  }
  std::string error(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& e) {
      return std::string(e.what()).substr(path_.string().size());
    }
    return "no error";
  }
};

TEST_F(OutlineFile, ReadsOneOrSeveralOutlines) {
  EXPECT_EQ(read("x,y\n0,0\n2,0\n2,2\n0,2\n").at(0).vertices,
            (Outline{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}));
  std::vector<std::string> notes;
  const auto two = read(
      "# stones\nshape,x,y\nslab,0,0\nslab,4,0\nwedge, 0, "
      "0\nslab,4,2\nslab,0,2\r\nwedge,0,1\nwedge,1,0\n",
      &notes);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].name, "slab");
  EXPECT_EQ(two[0].vertices, (Outline{{-2, -1}, {2, -1}, {2, 1}, {-2, 1}}));
  EXPECT_EQ(two[1].vertices.size(), 3U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            path_.string() + ":5: shape \"wedge\": the vertices ran clockwise and were reversed");
}

TEST_F(OutlineFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error(""), ":0: empty file; expected the header \"x,y\" or \"shape,x,y\"");
  EXPECT_EQ(error("a,b\n1,2\n"), ":1: expected the header \"x,y\" or \"shape,x,y\", not \"a,b\"");
  EXPECT_EQ(error("x,y\n"), ":1: no vertices");
  EXPECT_EQ(error("x,y\n0,0\n1\n"), ":3: expected 2 fields, not 1");
  EXPECT_EQ(error("x,y\n0,0\n1,two\n"), ":3: expected a number for y, not \"two\"");
  EXPECT_EQ(error("shape,x,y\nbow,0,0\nbow,1,1\nbow,1,0\nbow,0,1\n"),
            ":2: shape \"bow\": the outline crosses itself: side 1-2 cuts side 3-4");
  EXPECT_EQ(error("x,y\n0,0\n1,0\n"),
            ":2: polygon: a polygon needs at least three vertices, not 2");
  EXPECT_THROW(read_outlines("/nowhere/at/all.csv"), InputError);
}

}  // namespace
}  // namespace scree
