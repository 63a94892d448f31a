// SPDX-License-Identifier: BSD-3-Clause
/// What a convex polygon shares with a half-plane: a wall.
///
/// With τ along the wall and d the depth under it, the area is ∫ d dτ along the sunk part of the
/// outline, a sum over edges; likewise its moments.
#pragma once

#include "scree/shapes/polygon.hpp"
#include "scree/shapes/shared_area.hpp"

namespace scree {

/// The wall is solid where (x - point)·outward < 0, `outward` being a unit vector; the sharing's
/// normal is -outward always, also when the polygon is wholly inside (contained).
template <class T>
SCREE_FN SharedArea<T> clip(const PolygonView<T>& a, const Vec2<T>& point, const Vec2<T>& outward) {
  const Vec2<T> along{outward[1], -outward[0]}, to_wall = point - a.offset;
  const T level = dot(outward, to_wall), zero(0);
  SharedArea<T> c;
  T twice{}, first_along{}, first_deep{}, from{}, to{};
  bool crossed = false, sunk = false;
  T d0 = level - dot(outward, a[a.count - 1]), s0 = dot(along, a[a.count - 1]);
  const auto cross_at = [&](const T& s) {
    if (!crossed || s < from) from = s;
    if (!crossed || s > to) to = s;
    crossed = true;
  };
  for (int k = 0; k < a.count; ++k) {
    const T d1 = level - dot(outward, a[k]), s1 = dot(along, a[k]);
    const bool in0 = d0 > zero, in1 = d1 > zero;
    if (in0 || in1) {
      sunk = true;
      T e0 = d0, e1 = d1, r0 = s0, r1 = s1;
      if (!in0) {
        r0 = s0 + (s1 - s0) * (d0 / (d0 - d1));
        e0 = zero;
        cross_at(r0);
      } else if (!in1) {
        r1 = s0 + (s1 - s0) * (d0 / (d0 - d1));
        e1 = zero;
        cross_at(r1);
      }
      const T w = r1 - r0;
      twice += w * (e0 + e1);
      first_along += w * (r0 * (e0 + e0 + e1) + r1 * (e0 + e1 + e1));
      first_deep += w * (e0 * e0 + e0 * e1 + e1 * e1);
    }
    d0 = d1;
    s0 = s1;
  }
  if (!sunk) return c;
  if (!crossed) {
    const MassProperties<T> m = mass_properties(a);
    c.sharing = Sharing::contained;
    c.area = m.area;
    c.point = c.s1 = c.s2 = m.centroid - a.offset;
    c.normal = -outward;
    return c;
  }
  if (!(twice > T(1e-280))) return c;
  const auto at = [&](const T& s, const T& deep) { return along * s + outward * (level - deep); };
  c.sharing = Sharing::regular;
  c.area = twice / 2;
  c.point = at(first_along / (twice * 3), first_deep / (twice * 3));
  c.s1 = at(from, zero);
  c.s2 = at(to, zero);
  c.normal = -outward;
  c.gradient = c.normal * (to - from);
  c.moment = cross((c.s1 + c.s2) * (T(1) / 2) - c.point, c.gradient)[0];
  return c;
}

}  // namespace scree
