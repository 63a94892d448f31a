// SPDX-License-Identifier: BSD-3-Clause
/// Small vectors of any number type, and the few products that mechanics needs.
///
/// A rotation vector (spin, torque) has one component in the plane and three in space, so the
/// plane's spin is a Vec<1>: integrators and stores then treat both dimensions alike.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "scree/core/config.hpp"

namespace scree {

using std::abs;
using std::sqrt;

template <int N, class T>
struct Vec {
  std::array<T, static_cast<std::size_t>(N)> c{};

  static constexpr int size = N;
  using Scalar = T;

  SCREE_FN constexpr T& operator[](int k) { return c[static_cast<std::size_t>(k)]; }
  SCREE_FN constexpr const T& operator[](int k) const { return c[static_cast<std::size_t>(k)]; }

  SCREE_FN constexpr Vec& operator+=(const Vec& b) {
    for (int k = 0; k < N; ++k) (*this)[k] += b[k];
    return *this;
  }
  SCREE_FN constexpr Vec& operator-=(const Vec& b) {
    for (int k = 0; k < N; ++k) (*this)[k] -= b[k];
    return *this;
  }
  SCREE_FN constexpr Vec& operator*=(const T& s) {
    for (int k = 0; k < N; ++k) (*this)[k] *= s;
    return *this;
  }
  SCREE_FN friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  SCREE_FN friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  SCREE_FN friend constexpr Vec operator*(Vec a, const T& s) { return a *= s; }
  SCREE_FN friend constexpr Vec operator*(const T& s, Vec a) { return a *= s; }
  SCREE_FN friend constexpr Vec operator-(Vec a) {
    for (int k = 0; k < N; ++k) a[k] = -a[k];
    return a;
  }
  SCREE_FN friend constexpr bool operator==(const Vec& a, const Vec& b) { return a.c == b.c; }
};

template <class T> using Vec2 = Vec<2, T>;
template <class T> using Vec3 = Vec<3, T>;

/// Components of a rotation vector in D dimensions.
template <int D> inline constexpr int spin_size = D == 2 ? 1 : 3;
/// Components of an orientation: an angle in the plane, a unit quaternion (w, x, y, z) in space.
template <int D> inline constexpr int turn_size = D == 2 ? 1 : 4;
/// Components of a tangential spring: along t = (n_y, -n_x) in the plane, a vector in space.
template <int D> inline constexpr int spring_size = D == 2 ? 1 : 3;

template <int D, class T> using Spin = Vec<spin_size<D>, T>;
template <int D, class T> using Turn = Vec<turn_size<D>, T>;
template <int D, class T> using Spring = Vec<spring_size<D>, T>;

template <int N, class T>
SCREE_FN constexpr T dot(const Vec<N, T>& a, const Vec<N, T>& b) {
  T s = a[0] * b[0];
  for (int k = 1; k < N; ++k) s = s + a[k] * b[k];
  return s;
}
template <int N, class T>
SCREE_FN constexpr T norm2(const Vec<N, T>& a) { return dot(a, a); }
template <int N, class T>
SCREE_FN T norm(const Vec<N, T>& a) { return sqrt(dot(a, a)); }

/// Spin × lever: the velocity that a rotation gives to a point.
template <class T>
SCREE_FN constexpr Vec<2, T> cross(const Vec<1, T>& w, const Vec<2, T>& r) {
  return {-(w[0] * r[1]), w[0] * r[0]};
}
/// Lever × force: a torque.
template <class T>
SCREE_FN constexpr Vec<1, T> cross(const Vec<2, T>& r, const Vec<2, T>& f) {
  return {r[0] * f[1] - r[1] * f[0]};
}
template <class T>
SCREE_FN constexpr Vec<3, T> cross(const Vec<3, T>& a, const Vec<3, T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// No rotation: angle 0, or the quaternion 1.
template <int D, class T>
SCREE_FN constexpr Turn<D, T> no_turn() {
  Turn<D, T> q{};
  if constexpr (D == 3) q[0] = T(1);
  return q;
}

/// Rate of an orientation under the spin w: θ' = w, or q' = ½ (0, w) q.
template <class T>
SCREE_FN constexpr Vec<1, T> turn_rate(const Vec<1, T>&, const Vec<1, T>& w) { return w; }
template <class T>
SCREE_FN constexpr Vec<4, T> turn_rate(const Vec<4, T>& q, const Vec<3, T>& w) {
  const T half = T(1) / 2;
  return Vec<4, T>{-(w[0] * q[1]) - w[1] * q[2] - w[2] * q[3],
                   w[0] * q[0] + w[1] * q[3] - w[2] * q[2],
                   w[1] * q[0] + w[2] * q[1] - w[0] * q[3],
                   w[2] * q[0] + w[0] * q[2] - w[1] * q[1]} * half;
}

/// Brings an orientation back to the unit sphere. After q + h q' with the spin of the middle of
/// the step this is the Cayley map, whose angle 2 atan(h w/2) is right to second order.
template <class T>
SCREE_FN Vec<1, T> unit_turn(const Vec<1, T>& q) { return q; }
template <class T>
SCREE_FN Vec<4, T> unit_turn(const Vec<4, T>& q) { return q * (T(1) / norm(q)); }

/// Rotates a vector by an orientation.
template <class T>
SCREE_FN Vec<2, T> rotate(const Vec<1, T>& q, const Vec<2, T>& r) {
  using std::cos;
  using std::sin;
  const T c = cos(q[0]), s = sin(q[0]);
  return {c * r[0] - s * r[1], s * r[0] + c * r[1]};
}
template <class T>
SCREE_FN Vec<3, T> rotate(const Vec<4, T>& q, const Vec<3, T>& r) {
  const Vec<3, T> u{q[1], q[2], q[3]};
  const Vec<3, T> t = cross(u, r) * T(2);
  return r + t * q[0] + cross(u, t);
}

template <class To, int N, class From>
SCREE_FN constexpr Vec<N, To> convert(const Vec<N, From>& a) {
  Vec<N, To> b{};
  for (int k = 0; k < N; ++k) b[k] = static_cast<To>(a[k]);
  return b;
}

template <int N, class T>
SCREE_FN bool is_finite(const Vec<N, T>& a) {
  using std::isfinite;
  for (int k = 0; k < N; ++k)
    if (!isfinite(a[k])) return false;
  return true;
}

}  // namespace scree
