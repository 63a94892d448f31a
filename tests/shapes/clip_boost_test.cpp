// SPDX-License-Identifier: BSD-3-Clause
/// The clip against Boost.Geometry on a million pairs.
///
/// Boost's default for doubles snaps to a grid of 1e-7, hence NO_ROBUSTNESS. Without it, some
/// tenths of a per cent of the slivers come out as a whole polygon or as nothing. Where Boost in
/// doubles and the clip differ, Boost in numbers of 300 bits decides; for pairs in general position
/// and on a lattice, whose coordinates doubles hold exactly, it is not asked.
#define BOOST_GEOMETRY_NO_ROBUSTNESS
#include <gtest/gtest.h>

// Boost's own headers include a deprecated one of Boost
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcpp"
#define BOOST_ALLOW_DEPRECATED_HEADERS
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/polygon.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scree/shapes/polygon_clip.hpp"

#include "tests/shapes/random_pairs.hpp"

namespace scree {
namespace {

namespace bg = boost::geometry;
namespace mp = boost::multiprecision;
using Big = mp::number<mp::cpp_bin_float<300, mp::digit_base_2>, mp::et_off>;

struct Reference {
  double area = 0;
  Vec2<double> centroid{};
};

template <class Number> Reference boost_shared(const testing::OutlinePair& pair) {
  using Point = bg::model::d2::point_xy<Number>;
  using Polygon = bg::model::polygon<Point, false, true>;
  const auto polygon = [](const Outline& outline) {
    Polygon p;
    for (std::size_t k = 0; k <= outline.size(); ++k) {
      const Vec2<double>& x = outline[k % outline.size()];
      p.outer().push_back(Point(Number(x[0]), Number(x[1])));
    }
    return p;
  };
  std::vector<Polygon> shared;
  bg::intersection(polygon(pair.a), polygon(pair.b), shared);
  Reference r;
  for (const Polygon& p : shared) {
    const double area = static_cast<double>(bg::area(p));
    Point c(Number(0), Number(0));
    if (area > 0) bg::centroid(p, c);
    r.area += area;
    r.centroid += Vec2<double>{static_cast<double>(c.x()), static_cast<double>(c.y())} * area;
  }
  if (r.area > 0) r.centroid *= 1 / r.area;
  return r;
}

/// Compares `count` pairs; returns how often Boost needed the long numbers.
template <class Pair> int compare(Pair pair, std::uint32_t count) {
  int asked = 0, bad = 0;
  for (std::uint32_t id = 0; id < count && bad < 5; ++id) {
    const testing::OutlinePair p = pair(id);
    const PolygonView<double> a = testing::view(p.a), b = testing::view(p.b);
    const SharedArea<double> c = clip(a, b);
    const double whole = std::min(mass_properties(a).area, mass_properties(b).area);
    const double size = bounding_radius(a) + bounding_radius(b);
    const auto agree = [&](const Reference& r) {
      if (!(std::abs(r.area - c.area) <= 1e-12 * whole)) return false;
      // the area is known to 1e-15 of the whole, so the centroid is to that over the area's part in
      // it
      return c.area < 1e-6 * whole || norm(r.centroid - c.point) <= 1e-14 * size * (whole / c.area);
    };
    Reference r = boost_shared<double>(p);
    if (!agree(r)) {
      ++asked;
      r = boost_shared<Big>(p);
    }
    bool good = agree(r) && is_finite(c.point) && is_finite(c.s1) && is_finite(c.s2);
    if (c)
      good = good && std::abs(norm(c.normal) - 1) < 1e-14 && std::isfinite(c.moment);
    else
      good = good && c.area == 0;
    if (!good) {
      ++bad;
      ADD_FAILURE() << "pair " << id << ": area " << c.area << ", Boost has " << r.area
                    << "; centroid " << c.point[0] << ", " << c.point[1] << ", Boost has "
                    << r.centroid[0] << ", " << r.centroid[1];
    }
  }
  return asked;
}

TEST(ClipAgainstBoost, PairsInGeneralPositionShareTheSameArea) {
  EXPECT_EQ(compare(testing::general_pair, 400000), 0);
}
TEST(ClipAgainstBoost, PairsOnALatticeShareTheSameArea) {
  EXPECT_EQ(compare(testing::lattice_pair, 200000), 0);
}
TEST(ClipAgainstBoost, SliversShareTheSameArea) {
  EXPECT_LT(compare(testing::sliver_pair, 200000), 2000);
}
TEST(ClipAgainstBoost, PairsARoundingErrorOffALatticeShareTheSameArea) {
  EXPECT_LT(compare(testing::shaken_pair, 200000), 2000);
}

}  // namespace
}  // namespace scree
