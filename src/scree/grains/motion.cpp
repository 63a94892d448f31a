// SPDX-License-Identifier: BSD-3-Clause
#include "scree/grains/motion.hpp"

#include <algorithm>

#include "scree/core/reals.hpp"

namespace scree {
namespace {

/// Rotation by an angle about an axis (the plane's axis is z).
template <class T>
Vec<1, T> turn_about(const Vec<3, double>&, const T& angle, Vec<1, T>*) { return {angle}; }

template <class T>
Vec<4, T> turn_about(const Vec<3, double>& axis, const T& angle, Vec<4, T>*) {
  using std::cos;
  using std::sin;
  const T half = angle * T(0.5);
  const T s = sin(half) / norm(convert<T>(axis));
  return {cos(half), s * T(axis[0]), s * T(axis[1]), s * T(axis[2])};
}

template <class T>
Vec<1, T> compose(const Vec<1, T>& outer, const Vec<1, T>& inner) { return outer + inner; }

template <class T>
Vec<4, T> compose(const Vec<4, T>& a, const Vec<4, T>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

template <class T>
Vec<1, T> spin_about(const Vec<3, double>&, const T& rate, Vec<1, T>*) { return {rate}; }
template <class T>
Vec<3, T> spin_about(const Vec<3, double>& axis, const T& rate, Vec<3, T>*) {
  return convert<T>(axis) * (rate / norm(convert<T>(axis)));
}

}  // namespace

template <int D, class T>
Carried<D, T> carry(const std::vector<Move<D>>& moves, const Vec<D, T>& home, const T& t) {
  using std::cos;
  using std::sin;
  Carried<D, T> c;
  c.x = home;
  for (const Move<D>& move : moves) {
    if (!(t > T(move.from))) continue;
    const bool running = t < T(move.until);
    const T elapsed = (running ? t : T(move.until)) - T(move.from);
    switch (move.kind) {
      case MoveKind::translate:
        c.x += convert<T>(move.velocity) * elapsed;
        if (running) c.v += convert<T>(move.velocity);
        break;
      case MoveKind::rotate: {
        const Turn<D, T> q = turn_about(move.axis, T(move.rate) * elapsed, static_cast<Turn<D, T>*>(nullptr));
        const Vec<D, T> centre = convert<T>(move.centre);
        const Vec<D, T> arm = rotate(q, c.x - centre);
        c.x = centre + arm;
        c.v = rotate(q, c.v);
        c.q = compose(q, c.q);
        if (running) {
          const Spin<D, T> w = spin_about(move.axis, T(move.rate), static_cast<Spin<D, T>*>(nullptr));
          c.v += cross(w, arm);
          c.w += w;
        }
        break;
      }
      case MoveKind::shrink: {
        // A point keeps its direction from the centre and comes closer at the given rate.
        const Vec<D, T> centre = convert<T>(move.centre);
        const Vec<D, T> arm = c.x - centre;
        const T distance = norm(arm);
        const T way = T(move.rate) * elapsed;
        c.shrunk += way;
        if (running) c.shrink_rate += T(move.rate);
        if (!(distance > T(0))) break;
        const Vec<D, T> e = arm * (T(1) / distance);
        const T left = distance - way;
        const T radial = dot(c.v, e);
        c.v = e * radial + (c.v - e * radial) * (left / distance);
        if (running) c.v -= e * T(move.rate);
        c.x = centre + e * left;
        break;
      }
      case MoveKind::oscillate: {
        const T omega = constant::two_pi<T>() * T(move.frequency);
        c.x += convert<T>(move.amplitude) * sin(omega * elapsed);
        if (running) c.v += convert<T>(move.amplitude) * (omega * cos(omega * elapsed));
        break;
      }
    }
  }
  return c;
}

#define SCREE_INSTANTIATE(D, T) template Carried<D, T> carry(const std::vector<Move<D>>&, const Vec<D, T>&, const T&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
