// SPDX-License-Identifier: BSD-3-Clause
/// The clip against closed forms and against its own derivative.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "scree/shapes/polygon_clip.hpp"
#include "scree/shapes/polygon_disk.hpp"
#include "scree/shapes/polygon_half_plane.hpp"

#include "tests/shapes/random_pairs.hpp"

namespace scree {
namespace {

using testing::view;

Vec2<double> direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// What two unit hexagons share in the three ways of a cannonball stack, δ deep.
struct HexagonCase {
  const char* name;
  double turn_a, turn_b, distance;  // angles of the first vertices from the line of centres
  double area, along, chord;        // along: of the centroid from a's centre
};

std::vector<HexagonCase> hexagon_cases(double d) {
  const double pi = constant::pi<double>(), root3 = std::sqrt(3.0), apothem = root3 / 2;
  return {
      // beside each other: between parallel sides, the neighbouring sides open by tan 30° on each
      // side
      {"side on side", pi / 6, pi / 6, 2 * apothem - d, d + d * d / (2 * root3), apothem - d / 2,
       1 + d / root3},
      // a rhombus of two wedges of 120°: diagonals d and d tan 60°
      {"vertex on vertex", 0, 0, 2 - d, root3 / 2 * d * d, 1 - d / 2, root3 * d},
      // a wedge of 120° cut by a side
      {"vertex on side", 0, pi / 6, 1 + apothem - d, root3 * d * d, 1 - 2 * d / 3, 2 * root3 * d},
  };
}

TEST(Clip, TwoHexagonsShareTheClosedForm) {
  for (const double d : {1e-9, 1e-4, 1e-2, 0.1})
    for (const HexagonCase& h : hexagon_cases(d))
      for (int k = 0; k < 97; ++k) {  // in all directions, the sweep's own among them
        const double angle = k * constant::two_pi<double>() / 96;
        const Vec2<double> e = direction(angle);
        const Outline a = regular_polygon(6, 1, h.turn_a + angle),
                      b = regular_polygon(6, 1, h.turn_b + angle);
        const SharedArea<double> c =
            clip(view(a, {3, -7}), view(b, Vec2<double>{3, -7} + e * h.distance));
        SCOPED_TRACE(::testing::Message() << h.name << ", " << d << " deep, turned by " << angle);
        ASSERT_EQ(c.sharing, Sharing::regular);
        const double whole = 1.5 * std::sqrt(3.0);
        EXPECT_NEAR(c.area, h.area, 1e-14 * whole);
        // a vertex rounded by 1e-15 moves P and turns the chord by that over the depth
        const double loose = std::max(1e-12, 1e-15 / d * 4);
        EXPECT_NEAR(c.point[0], e[0] * h.along, loose);
        EXPECT_NEAR(c.point[1], e[1] * h.along, loose);
        EXPECT_NEAR(c.normal[0], e[0], loose);
        EXPECT_NEAR(c.normal[1], e[1], loose);
        EXPECT_NEAR(norm(c.s2 - c.s1), h.chord, 1e-12);
      }
}

TEST(Clip, TouchingSharesNothing) {
  const Outline square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (const Vec2<double> to :
       {Vec2<double>{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0.5}, {1, 1}, {-1, 1}, {3, 0}})
    EXPECT_FALSE(clip(view(square), view(square, to))) << to[0] << ", " << to[1];
  const Outline wedge{{0, 0}, {1, -1}, {1, 1}};  // its tip on a side, on a vertex
  EXPECT_FALSE(clip(view(square), view(wedge, {1, 0.3})));
  EXPECT_FALSE(clip(view(square), view(wedge, {1, 1})));
}

TEST(Clip, AreaIsContinuousThroughTouch) {
  const Outline a = regular_polygon(6, 1, 0.3), b = regular_polygon(5, 1, 0.1);
  for (int k = 0; k < 200; ++k) {
    const Vec2<double> e = direction(0.0314 * k);
    const double touch = way_out(view(a), view(b)).depth;  // any first guess: bisection follows
    double in = 0, out = 2 + touch;
    for (int n = 0; n < 60; ++n) {
      const double mid = (in + out) / 2;
      (clip(view(a), view(b, e * mid)) ? in : out) = mid;
    }
    EXPECT_LT(clip(view(a), view(b, e * in)).area, 1e-14);
    EXPECT_LT(clip(view(a), view(b, e * (in - 1e-9))).area, 3e-9);
  }
}

TEST(Clip, ContainmentKeepsAreaAndGivesTheShortestWayOut) {
  const Outline big{{-4, -1}, {4, -1}, {4, 1}, {-4, 1}}, small = regular_polygon(7, 0.25, 0.2);
  const double whole = mass_properties(view(small)).area;
  for (const Vec2<double> at : {Vec2<double>{0, 0.1}, {1, 0.5}, {3.5, 0.1}, {0, -0.3}, {0, 0}}) {
    const SharedArea<double> c = clip(view(small, at), view(big)),
                             f = clip(view(big), view(small, at));
    EXPECT_EQ(c.sharing, Sharing::contained);
    EXPECT_EQ(f.sharing, Sharing::contained);
    EXPECT_NEAR(c.area, whole, 1e-15);
    EXPECT_NEAR(f.area, whole, 1e-15);
    EXPECT_NEAR(norm(c.point), 0, 1e-15);
    EXPECT_NEAR(norm(f.point - at), 0, 4e-15);
    EXPECT_EQ(area_rate(c, {1, 2}, {3}), 0);
    // b must be pushed away from the side through which the small one leaves
    const Vec2<double> out = 4 - at[0] < 1 - std::abs(at[1])
                                 ? Vec2<double>{1, 0}
                                 : Vec2<double>{0, at[1] < 0 ? -1.0 : 1.0};
    if (at[0] != 0 || at[1] != 0) {
      EXPECT_NEAR(dot(c.normal, out), -1, 1e-15);
      EXPECT_NEAR(dot(f.normal, out), 1, 1e-15);
    }
  }
  const SharedArea<double> same = clip(view(big), view(big));
  EXPECT_EQ(same.area, 16);
  EXPECT_EQ(std::abs(same.normal[1]), 1);
  const Outline upright{{-1, -4}, {1, -4}, {1, 4}, {-1, 4}};
  const SharedArea<double> crossed = clip(view(big), view(upright));
  EXPECT_EQ(crossed.area, 4);
  EXPECT_EQ(norm(crossed.normal), 1);
}

/// Distance of a point from an outline.
double off_outline(const PolygonView<double>& a, const Vec2<double>& x) {
  double best = 1e300;
  for (int k = 0; k < a.count; ++k) {
    const Vec2<double> p = a[k], d = a[a.next(k)] - p;
    const double t = std::clamp(dot(x - p, d) / norm2(d), 0.0, 1.0);
    best = std::min(best, norm(x - p - d * t));
  }
  return best;
}

TEST(Clip, CrossingsLieOnBothOutlinesAndSpanTheGradient) {
  int regular = 0;
  for (std::uint32_t id = 0; id < 50000; ++id) {
    const testing::OutlinePair p =
        id % 2 == 0 ? testing::general_pair(id) : testing::sliver_pair(id);
    const PolygonView<double> a = view(p.a), b = view(p.b);
    const SharedArea<double> c = clip(a, b);
    if (c.sharing != Sharing::regular) continue;
    ++regular;
    for (const Vec2<double>& s : {c.s1, c.s2}) {
      ASSERT_LT(off_outline(a, s), 1e-14) << id;
      ASSERT_LT(off_outline(b, s), 1e-14) << id;
    }
    const Vec2<double> chord = c.s2 - c.s1;
    ASSERT_LT(norm(Vec2<double>{chord[1], -chord[0]} - c.gradient), 1e-14) << id;
  }
  EXPECT_GT(regular, 30000);
}

TEST(Clip, BothSeeTheSame) {
  for (std::uint32_t id = 0; id < 50000; ++id) {
    const testing::OutlinePair p =
        id % 2 == 0 ? testing::general_pair(id) : testing::lattice_pair(id);
    const PolygonView<double> a = view(p.a), b = view(p.b);
    const SharedArea<double> c = clip(a, b), f = flip(clip(b, a), Vec2<double>{});
    const double size = bounding_radius(a) + bounding_radius(b);
    ASSERT_NEAR(c.area, f.area, 1e-15 * size * size) << id;
    if (c.area < 1e-3) continue;
    ASSERT_LT(norm(c.point - f.point), 1e-12 * size) << id;
    // coinciding sides belong to either: only without them is the normal the same
    if (id % 2 == 0 && c.sharing == Sharing::regular) {
      ASSERT_LT(norm(c.gradient - f.gradient), 1e-13 * size) << id;
      ASSERT_NEAR(c.moment, f.moment, 1e-12 * size * size) << id;
    }
  }
}

TEST(Clip, AWayOutExistsWhereNothingIsShared) {
  for (std::uint32_t id = 0; id < 50000; ++id) {
    const testing::OutlinePair p =
        id % 2 == 0 ? testing::general_pair(id) : testing::lattice_pair(id);
    const PolygonView<double> a = view(p.a), b = view(p.b);
    const WayOut<double> out = way_out(a, b);
    const bool shared = static_cast<bool>(clip(a, b));
    ASSERT_NEAR(depth_along(a, b, out.axis), out.depth,
                1e-14 * (bounding_radius(a) + bounding_radius(b)));
    if (std::abs(out.depth) > 1e-12) {
      ASSERT_EQ(shared, out.depth > 0) << id;
    }
  }
}

/// A'(0) of anything that gives the area at a time, by a central difference in double-doubles.
template <class Area> dd slope(const Area& area) {
  const dd h = dd(1e-9);
  return (area(h) - area(-h)) / (h * 2);
}

/// An outline that moves rigidly about its offset, at time t.
std::vector<Vec2<dd>> moved(const std::vector<Vec2<dd>>& a, const Vec2<dd>& v, double w,
                            const dd& t) {
  std::vector<Vec2<dd>> out;
  for (const Vec2<dd>& x : a) out.push_back(rotate(Vec<1, dd>{dd(w) * t}, x) + v * t);
  return out;
}

struct Motion {
  Vec2<dd> va, vb;
  double wa, wb;
  explicit Motion(std::uint32_t id) {
    Random draw(7, 0, id);
    va = {draw.uniform(-1, 1), draw.uniform(-1, 1)};
    vb = {draw.uniform(-1, 1), draw.uniform(-1, 1)};
    wa = draw.uniform(-1, 1);
    wb = draw.uniform(-1, 1);
  }
  /// v_a - v_b at x, both turning about the origin.
  Vec2<dd> at(const Vec2<dd>& x) const { return va - vb + cross(spin(), x); }
  Vec<1, dd> spin() const { return {dd(wa) - dd(wb)}; }
};

TEST(Clip, AreaRateIsTheDerivativeOfTheArea) {
  int several = 0;
  for (std::uint32_t id = 0; id < 2000; ++id) {
    const testing::OutlinePair p = testing::general_pair(id);
    const auto a = testing::in_dd(p.a), b = testing::in_dd(p.b);
    const SharedArea<dd> c = clip(view(a), view(b));
    if (!c) continue;
    if (c.sharing == Sharing::several) ++several;
    const Motion m(id);
    const dd exact = area_rate(c, m.at(c.point), m.spin());
    const dd difference = slope([&](const dd& t) {
      const auto at = moved(a, m.va, m.wa, t), bt = moved(b, m.vb, m.wb, t);
      return clip(view(at), view(bt)).area;
    });
    // the third derivative times h²: 1e-18 for sides that meet at angles of order one, more if
    // grazing
    ASSERT_NEAR(static_cast<double>(exact - difference), 0, 1e-12) << id;
    // and in doubles
    const SharedArea<double> d = clip(view(p.a), view(p.b));
    const double rate = area_rate(d, convert<double>(m.at(c.point)), convert<double>(m.spin()));
    ASSERT_NEAR(rate, static_cast<double>(exact), 1e-13) << id;
  }
  EXPECT_GT(several, 100);
}

TEST(Clip, ChordTimesSpeedIsTheAreaRateAtTheMiddleOfTheChord) {
  int regular = 0;
  double worst_at_point = 0;
  for (std::uint32_t id = 0; id < 2000; ++id) {
    const testing::OutlinePair p = testing::general_pair(id);
    const SharedArea<double> c = clip(view(p.a), view(p.b));
    if (c.sharing != Sharing::regular) continue;
    ++regular;
    const Motion m(id);
    const auto at = [&](const Vec2<double>& x) { return convert<double>(m.at(convert<dd>(x))); };
    const Vec2<double> middle = (c.s1 + c.s2) * 0.5, t = (c.s2 - c.s1) * (1 / norm(c.s2 - c.s1));
    const double rate = area_rate(c, at(c.point), convert<double>(m.spin()));
    ASSERT_NEAR(rate, area_rate_at_point(c, at(middle)), 1e-12);
    const double short_of = norm(c.s2 - c.s1) * (m.wa - m.wb) * dot(c.point - middle, t);
    ASSERT_NEAR(area_rate_at_point(c, at(c.point)) - rate, -short_of, 1e-12);
    worst_at_point = std::max(worst_at_point, std::abs(short_of));
    ASSERT_NEAR(area_rate_at_point(c, {0.3, 0.4}), area_rate(c, {0.3, 0.4}, {0.0}), 1e-12);
  }
  EXPECT_GT(regular, 500);
  EXPECT_GT(worst_at_point, 0.01);  // taken at P it is not the derivative
}

TEST(ClipHalfPlane, IsTheClipWithAVeryLargePolygon) {
  for (std::uint32_t id = 0; id < 20000; ++id) {
    const testing::OutlinePair p = testing::general_pair(id);
    Random draw(8, 0, id);
    const Vec2<double> out = direction(draw.uniform(0, 7)), along{out[1], -out[0]};
    const Vec2<double> at = out * draw.uniform(-1.2, 1.2);
    const Outline wall{at - along * 8 - out * 8, at + along * 8 - out * 8, at + along * 8,
                       at - along * 8};
    const PolygonView<double> a = view(p.a, {0.1, 0.2});
    const SharedArea<double> c = clip(a, at, out), r = clip(a, view(wall));
    ASSERT_NEAR(c.area, r.area, 1e-14) << id;
    ASSERT_EQ(c.sharing == Sharing::contained, r.sharing == Sharing::contained && r.area > 0) << id;
    if (!c) continue;
    ASSERT_EQ(c.normal, -out);
    if (c.area < 1e-3) continue;
    ASSERT_LT(norm(c.point - r.point), 1e-11) << id;
    ASSERT_LT(norm(c.gradient - r.gradient), 1e-13) << id;
    ASSERT_NEAR(c.moment, r.moment, 1e-11) << id;
    if (c.sharing == Sharing::regular) {
      ASSERT_LT(norm(c.s1 - r.s1), 1e-13) << id;
      ASSERT_LT(norm(c.s2 - r.s2), 1e-13) << id;
    }
  }
}

/// The usual sum of signed areas of (centre, p, q) ∩ disk, in double-doubles: another way to the
/// area.
dd by_sectors(const dd& r, const std::vector<Vec2<dd>>& b) {
  dd sum(0);
  const auto sector = [&](const Vec2<dd>& p, const Vec2<dd>& q) {
    return r * r * atan2(cross(p, q)[0], dot(p, q)) / 2;
  };
  for (std::size_t k = 0; k < b.size(); ++k) {
    const Vec2<dd> p = b[k], q = b[(k + 1) % b.size()], d = q - p;
    const dd pd = dot(p, d), dd2 = norm2(d), disc = pd * pd - dd2 * (norm2(p) - r * r);
    if (!(disc > dd(0))) {
      sum += sector(p, q);
      continue;
    }
    const dd root = sqrt(disc);
    dd t0 = (-pd - root) / dd2, t1 = (-pd + root) / dd2;
    if (t0 > dd(1) || t1 < dd(0)) {
      sum += sector(p, q);
      continue;
    }
    t0 = t0 < dd(0) ? dd(0) : t0;
    t1 = t1 > dd(1) ? dd(1) : t1;
    const Vec2<dd> e = p + d * t0, f = p + d * t1;
    sum += cross(e, f)[0] / 2;
    if (t0 > dd(0)) sum += sector(p, e);
    if (t1 < dd(1)) sum += sector(f, q);
  }
  return sum;
}

TEST(ClipDisk, HasTheAreaOfTheSumOverSectors) {
  int kinds[4] = {};
  for (std::uint32_t id = 0; id < 20000; ++id) {
    Outline b = testing::general_pair(id).b;
    Random draw(9, 0, id);
    const double r = draw.uniform(0.1, 1.5);
    const SharedArea<double> c = clip(DiskView<double>{{}, r}, view(b));
    ++kinds[static_cast<int>(c.sharing)];
    ASSERT_NEAR(c.area, static_cast<double>(by_sectors(dd(r), testing::in_dd(b))),
                1e-14 * (1 + r * r))
        << id;
    ASSERT_TRUE(!c || std::abs(norm(c.normal) - 1) < 1e-14) << id;
  }
  for (const int k : kinds) EXPECT_GT(k, 100);
}

TEST(ClipDisk, ShallowSegmentKeepsItsDigits) {
  const Outline block{{-3, -2}, {3, -2}, {3, 0}, {-3, 0}};
  for (const double deep : {1e-12, 1e-8, 1e-4, 1e-2, 0.1, 0.9, 1.0, 1.1, 1.9}) {
    for (const double r : {1.0, 0.9}) {
      if (deep >= 2 * r) continue;
      const Vec2<double> at{0.2, r - deep};
      const SharedArea<double> c = clip(DiskView<double>{at, r}, view(block));
      // by the half angle, in double-doubles: A = r²(φ - sin φ cos φ), centroid 2/3 r³ sin³φ / A
      // from the centre
      const dd down = dd(at[1]), half = sqrt(dd(r) * r - down * down), phi = atan2(half, down);
      const dd area = dd(r) * r * phi - half * down, below = half * half * half * 2 / 3 / area;
      ASSERT_EQ(c.sharing, Sharing::regular);
      // the side's distance is a difference of products of the size of the block: rounded by 1e-15
      EXPECT_NEAR(c.area / static_cast<double>(area), 1, 1e-14 + 1.5e-15 / deep) << deep;
      EXPECT_NEAR(c.point[0], 0, 1e-14);
      EXPECT_NEAR(c.point[1], static_cast<double>(-below), 2e-15) << deep;
      EXPECT_NEAR(norm(c.s2 - c.s1), static_cast<double>(half * 2),
                  1e-15 + 2e-15 / static_cast<double>(half));
      EXPECT_NEAR(c.normal[1], -1, 1e-15);
      EXPECT_NEAR(c.s1[1], -at[1], 2e-15);
    }
  }
}

TEST(ClipDisk, IsTheLimitOfPolygonsWithManyCorners) {
  const int n = 8192;  // an inscribed polygon lacks 1 - sin(2π/n) n/2π = 1e-7 of the disk
  const Outline circle = regular_polygon(n, 1);
  for (std::uint32_t id = 0; id < 300; ++id) {
    const Outline b = testing::general_pair(id).b;
    const SharedArea<double> c = clip(DiskView<double>{{}, 1}, view(b)),
                             r = clip(view(circle), view(b));
    ASSERT_NEAR(c.area, r.area, 1e-6) << id;
    if (c.area < 0.01) continue;
    ASSERT_LT(norm(c.point - r.point), 1e-5) << id;
    if (c.sharing == Sharing::regular) {
      ASSERT_LT(norm(c.s1 - r.s1), 1e-3) << id;
      ASSERT_LT(norm(c.s2 - r.s2), 1e-3) << id;
      ASSERT_LT(norm(c.normal - r.normal), 1e-2) << id;
    }
  }
}

TEST(ClipDisk, AreaRateIsTheDerivativeOfTheArea) {
  for (std::uint32_t id = 0; id < 1000; ++id) {
    const auto b = testing::in_dd(testing::general_pair(id).b);
    const SharedArea<dd> c = clip(DiskView<dd>{{}, dd(0.8)}, view(b));
    if (!c) continue;
    const Motion m(id);
    const dd exact = area_rate(c, m.at(c.point), m.spin());
    const dd difference = slope([&](const dd& t) {
      const auto bt = moved(b, m.vb, m.wb, t);
      return clip(DiskView<dd>{m.va * t, dd(0.8)}, view(bt)).area;
    });
    ASSERT_NEAR(static_cast<double>(exact - difference), 0, 1e-12) << id;
  }
}

TEST(ClipHalfPlane, AreaRateIsTheDerivativeOfTheArea) {
  for (std::uint32_t id = 0; id < 1000; ++id) {
    const auto a = testing::in_dd(testing::general_pair(id).a);
    const Vec2<dd> point{dd(0.1), dd(-0.3)}, out{dd(0), dd(1)};
    const SharedArea<dd> c = clip(view(a), point, out);
    if (!c) continue;
    Motion m(id);
    m.vb = {};
    m.wb = 0;
    const dd exact = area_rate(c, m.at(c.point), m.spin());
    const dd difference = slope([&](const dd& t) {
      const auto at = moved(a, m.va, m.wa, t);
      return clip(view(at), point, out).area;
    });
    ASSERT_NEAR(static_cast<double>(exact - difference), 0, 1e-12) << id;
  }
}

}  // namespace
}  // namespace scree
