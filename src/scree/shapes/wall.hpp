// SPDX-License-Identifier: BSD-3-Clause
/// Where a round grain meets a wall: one function per kind of wall, all giving the same answer,
/// the distance of the grain's centre from the surface and the direction towards it.
#pragma once

#include "scree/grains/world.hpp"

namespace scree {

/// A wall at one instant.
template <int D, class T>
struct WallPose {
  WallKind kind = WallKind::plane;
  bool present = true;
  bool inside = true;
  Vec<D, T> point{}, normal{}, end{};
  Vec<3, T> axis{};
  T radius{};
  Vec<D, T> v{};    // velocity of `point`
  Spin<D, T> w{};   // rotation about `point`
  T radius_rate{};  // of a ring

  WallPose() = default;
  WallPose(const Wall<D>& wall, const T& t) {
    kind = wall.kind;
    inside = wall.inside;
    const Carried<D, T> c = carry(wall.motion, convert<T>(wall.point), t);
    point = c.x;
    v = c.v;
    w = c.w;
    normal = rotate(c.q, convert<T>(wall.normal));
    end = point + rotate(c.q, convert<T>(wall.end) - convert<T>(wall.point));
    axis = convert<T>(wall.axis);
    if constexpr (D == 3) axis = rotate(c.q, axis);
    if constexpr (is_dd<T>) {  // a scene gives directions in doubles, of length 1 to their digits only
      if (norm2(normal) > T(0)) normal = normal * (T(1) / norm(normal));
      axis = axis * (T(1) / norm(axis));
    }
    radius = T(wall.radius);
    if (kind == WallKind::ring) {
      radius -= c.shrunk;
      radius_rate = -c.shrink_rate;
    }
  }
};

/// The meeting of a grain's centre with a wall.
template <int D, class T>
struct Meeting {
  T distance{};  // of the centre from the surface; negative beyond it
  Vec<D, T> n{}; // unit vector from the centre to the surface
  Vec<D, T> v{}; // velocity of the surface there
};

template <int D, class T>
SCREE_FN Meeting<D, T> meet_plane(const WallPose<D, T>& wall, const Vec<D, T>& x) {
  const T distance = dot(x - wall.point, wall.normal);
  return {distance, -wall.normal, {}};
}

template <int D, class T>
SCREE_FN Meeting<D, T> meet_ring(const WallPose<D, T>& wall, const Vec<D, T>& x) {
  Vec<D, T> arm = x - wall.point;
  if constexpr (D == 3) arm -= wall.axis * dot(arm, wall.axis);
  const T rho = norm(arm);
  Vec<D, T> e = rho > T(0) ? arm * (T(1) / rho) : Vec<D, T>{};
  if (wall.inside) return {wall.radius - rho, e, {}};
  return {rho - wall.radius, -e, {}};
}

template <int D, class T>
SCREE_FN Meeting<D, T> meet_segment(const WallPose<D, T>& wall, const Vec<D, T>& x) {
  const Vec<D, T> along = wall.end - wall.point;
  T s = dot(x - wall.point, along) / norm2(along);
  s = s < T(0) ? T(0) : (s > T(1) ? T(1) : s);
  const Vec<D, T> d = wall.point + along * s - x;
  const T distance = norm(d);
  return {distance, distance > T(0) ? d * (T(1) / distance) : Vec<D, T>{}, {}};
}

/// The arm from the middle of a sheet's hole to x, in the sheet's plane, and the height of x over that plane.
template <int D, class T>
struct OverSheet {
  Vec<D, T> across;
  T height, rho;
  SCREE_FN OverSheet(const WallPose<D, T>& wall, const Vec<D, T>& x) {
    const Vec<D, T> arm = x - wall.point;
    height = dot(arm, wall.normal);
    across = arm - wall.normal * height;
    rho = norm(across);
  }
};

/// Solid on both sides; over the hole the nearest point is on its rim.
template <int D, class T>
SCREE_FN Meeting<D, T> meet_sheet(const WallPose<D, T>& wall, const Vec<D, T>& x) {
  const OverSheet<D, T> over(wall, x);
  if (!(over.rho < wall.radius)) return over.height < T(0) ? Meeting<D, T>{-over.height, wall.normal, {}} : Meeting<D, T>{over.height, -wall.normal, {}};
  const T short_of = over.rho > T(0) ? wall.radius / over.rho - T(1) : T(0);
  Vec<D, T> d = over.across * short_of - wall.normal * over.height;
  const T distance = over.rho > T(0) ? norm(d) : sqrt(wall.radius * wall.radius + over.height * over.height);
  if (!(over.rho > T(0)) || !(distance > T(0))) return {distance, {}, {}};  // right over the middle: no direction is nearest
  return {distance, d * (T(1) / distance), {}};
}

template <int D, class T>
SCREE_FN Meeting<D, T> meet(const WallPose<D, T>& wall, const Vec<D, T>& x) {
  Meeting<D, T> m;
  switch (wall.kind) {
    case WallKind::plane: m = meet_plane(wall, x); break;
    case WallKind::ring: m = meet_ring(wall, x); break;
    case WallKind::segment: m = meet_segment(wall, x); break;
    case WallKind::sheet: m = meet_sheet(wall, x); break;
  }
  const Vec<D, T> at = x + m.n * m.distance;
  m.v = wall.v + cross(wall.w, at - wall.point);
  if (wall.kind == WallKind::ring) m.v += m.n * (wall.inside ? wall.radius_rate : -wall.radius_rate);
  return m;
}

/// Rate at which the unit vector `n` from a grain to the wall turns, for a grain at x with velocity v.
template <int D, class T>
Vec<D, T> turning(const WallPose<D, T>& wall, const Vec<D, T>& n, const Vec<D, T>& x, const Vec<D, T>& v) {
  // part of a rate across a direction of unit length, for an arm of that direction and given length
  const auto across = [](const Vec<D, T>& rate, const Vec<D, T>& e, const T& length) {
    return length > T(0) ? (rate - e * dot(rate, e)) * (T(1) / length) : Vec<D, T>{};
  };
  switch (wall.kind) {
    case WallKind::plane: return cross(wall.w, n);
    case WallKind::ring: {
      Vec<D, T> arm = x - wall.point, rate = v - wall.v;
      if constexpr (D == 3) {
        const Vec<3, T> turned = cross(wall.w, wall.axis);
        const T along = dot(arm, wall.axis);
        rate -= turned * along + wall.axis * (dot(rate, wall.axis) + dot(arm, turned));
        arm -= wall.axis * along;
      }
      const T rho = norm(arm);
      const Vec<D, T> e = wall.inside ? n : -n;
      const Vec<D, T> e_rate = across(rate, e, rho);
      return wall.inside ? e_rate : -e_rate;
    }
    case WallKind::segment: {
      const Vec<D, T> along = wall.end - wall.point, arm = x - wall.point;
      const T length2 = norm2(along), s = dot(arm, along) / length2;
      const bool inside = s > T(0) && s < T(1);
      const T at = inside ? s : s > T(0) ? T(1) : T(0);
      const Vec<D, T> along_rate = cross(wall.w, along), d = wall.point + along * at - x;
      Vec<D, T> rate = wall.v + along_rate * at - v;
      if (inside) rate += along * ((dot(v - wall.v, along) + dot(arm, along_rate)) / length2);
      return across(rate, n, norm(d));
    }
    case WallKind::sheet: {
      const OverSheet<D, T> over(wall, x);
      if (!(over.rho < wall.radius) || !(over.rho > T(0))) return cross(wall.w, n);
      // the point of the rim that is nearest goes round with the grain: p = point + radius e, e = across/rho
      const Vec<D, T> normal_rate = cross(wall.w, wall.normal), arm_rate = v - wall.v, e = over.across * (T(1) / over.rho);
      const T height_rate = dot(arm_rate, wall.normal) + dot(x - wall.point, normal_rate);
      const Vec<D, T> across_rate = arm_rate - normal_rate * over.height - wall.normal * height_rate;
      const Vec<D, T> rim_rate = wall.v + across(across_rate, e, over.rho) * wall.radius;
      return across(rim_rate - v, n, norm(e * wall.radius - (x - wall.point)));
    }
  }
  return {};
}

/// A bound on how far any point of the surface that a grain within `extent` of the wall's point can
/// meet has moved between two poses.
template <int D, class T>
T displacement(const WallPose<D, T>& a, const WallPose<D, T>& b, const T& extent) {
  T d = norm(b.point - a.point);
  switch (a.kind) {
    case WallKind::plane:
    case WallKind::sheet: d += norm(b.normal - a.normal) * extent; break;
    case WallKind::ring: {
      const T change = b.radius - a.radius;
      d += change < T(0) ? -change : change;
      if constexpr (D == 3) d += norm(b.axis - a.axis) * extent;
      break;
    }
    case WallKind::segment: {
      const T e = norm(b.end - a.end);
      d = d > e ? d : e;
      break;
    }
  }
  return d;
}

}  // namespace scree
