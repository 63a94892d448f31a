// SPDX-License-Identifier: BSD-3-Clause
/// Convex polygons: the outline in the frame of its body, the same outline placed in the world, its
/// mass properties, and the check that a list of vertices is one.
///
/// An outline goes counter-clockwise, no three neighbours on a line. The number of vertices is
/// limited by nothing here: no function over outlines needs a buffer.
#pragma once

#include <string>
#include <vector>

#include "scree/core/reals.hpp"
#include "scree/core/vec.hpp"

namespace scree {

/// An outline somewhere in the plane: vertex k is at `offset` + `vertices[k]`. Give the vertices
/// turned but measured from the grain's centre, and the centre as offset: what two grains share is
/// then found with the digits of their distance, not of their distance from the origin, and a
/// periodic image is another offset.
template <class T> struct PolygonView {
  const Vec2<T>* vertices = nullptr;
  int count = 0;
  Vec2<T> offset{};

  SCREE_FN const Vec2<T>& operator[](int k) const { return vertices[k]; }
  SCREE_FN int next(int k) const { return k + 1 < count ? k + 1 : 0; }
  SCREE_FN int before(int k) const { return k > 0 ? k - 1 : count - 1; }
};

/// Area, centre and polar second moment about that centre, all for density 1, so that the mass is
/// σ `area` and the moment of inertia σ `second_moment`.
template <class T> struct MassProperties {
  T area{};
  Vec2<T> centroid{};
  T second_moment{};
};

/// Triangles fanned out from the first vertex, with edges p and q and c = p × q: area c/2, centroid
/// (p + q)/3, second moment about the first vertex c/12 (p·p + p·q + q·q). All of them are positive
/// in a convex outline, so nothing cancels; the second moment then moves to the centroid (Steiner).
template <class T> SCREE_FN MassProperties<T> mass_properties(const PolygonView<T>& a) {
  T twice{}, polar{};
  Vec2<T> first{};
  for (int k = 1; k + 1 < a.count; ++k) {
    const Vec2<T> p = a[k] - a[0], q = a[k + 1] - a[0];
    const T c = cross(p, q)[0];
    twice += c;
    first += (p + q) * c;
    polar += (norm2(p) + dot(p, q) + norm2(q)) * c;
  }
  MassProperties<T> m;
  m.area = twice / 2;
  const Vec2<T> arm = first * (T(1) / (twice * 3));
  m.centroid = a.offset + a[0] + arm;
  m.second_moment = polar / 12 - m.area * norm2(arm);
  return m;
}

/// Radius of the circle about `offset` that holds the outline.
template <class T> SCREE_FN T bounding_radius(const PolygonView<T>& a) {
  T far2{};
  for (int k = 0; k < a.count; ++k) {
    const T d2 = norm2(a[k]);
    far2 = d2 > far2 ? d2 : far2;
  }
  return sqrt(far2);
}

/// Turns an outline by its orientation, once per step and grain: out[k] = size R(q) body[k].
template <class T>
SCREE_FN void turn_outline(const Vec2<T>* body, int count, const T& size, const Vec<1, T>& q, Vec2<T>* out) {
  using std::cos;
  using std::sin;
  const T c = cos(q[0]) * size, s = sin(q[0]) * size;
  for (int k = 0; k < count; ++k)
    out[k] = {c * body[k][0] - s * body[k][1], s * body[k][0] + c * body[k][1]};
}

/// What became of a list of vertices.
struct CheckedOutline {
  std::vector<Vec2<double>>
      vertices;         // as given, mended: counter-clockwise, convex; empty if refused
  std::string problem;  // why it was refused: "vertices 2 and 4 …"; empty if it is good
  std::vector<std::string> mended;  // what was changed, a sentence each
  explicit operator bool() const { return problem.empty(); }
};

/// Refuses what is not a convex polygon: numbers that are not finite, fewer than three vertices, no
/// area, self-crossing, not convex. Mends what means the same outline: clockwise order is reversed;
/// vertices that repeat their neighbour, or lie on the line between their neighbours, are dropped.
/// Vertices are named by their place in the list as given, the first being 1. `tolerance` is the
/// length, in units of the outline's extent, below which two points are one.
CheckedOutline check_outline(const std::vector<Vec2<double>>& given, double tolerance = 1e-12);

/// Moves an outline so that its centroid is the origin of the body's frame.
void centre_outline(std::vector<Vec2<double>>& vertices);

}  // namespace scree
