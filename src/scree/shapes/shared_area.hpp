// SPDX-License-Identifier: BSD-3-Clause
/// What two outlines share: the answer of every pair of shapes whose force comes from an overlap
/// area.
///
/// Let a's arcs be those parts of a's outline that lie inside b, n the outward normal of a there,
/// and
///
///     G = ∫ n ds,   Q = ∫ (x - P) × n ds   over a's arcs.
///
/// The outlines move rigidly, so the field u = v_a - v_b + (w_a - w_b) × (x - P) has no divergence,
/// and the rate of the shared area A is, exactly,
///
///     A' = ∫ v_a·n ds over a's arcs + ∫ v_b·n ds over b's arcs = ∫ u·n ds over a's arcs
///        = G·(v_a - v_b)(P) + Q (w_a - w_b),
///
/// because the flux of v_b through the whole closed outline of what is shared is zero. For the same
/// reason each arc may be replaced by its chord. With one arc, from S1 to S2, and M the middle of
/// the chord,
///
///     G = |S1 S2| n,   A' = |S1 S2| n·(v_a - v_b)(M):
///
/// the textbook's |S1 S2| × approach speed is exact if the speed is taken at M. Taken at P it is
/// too small by |S1 S2| (w_a - w_b) (P - M)·t, t from S1 to S2, which vanishes if the grains do not
/// turn against one another or the shared area is symmetric about the normal through M.
///
/// G is also the derivative of A by a's position: the force -Y/l G has the direction n of the seed.
#pragma once

#include "scree/core/vec.hpp"

namespace scree {

enum class Sharing : unsigned char {
  nothing,    // apart, or touching without area
  regular,    // the outlines cross in two points
  several,    // they cross in four or more: n along the sum of the chords
  contained,  // they do not cross, or the chords add up to nothing: n along the shortest way out
};

/// All points are measured from the offset (centre) of the first shape, a.
template <class T> struct SharedArea {
  Sharing sharing = Sharing::nothing;
  T area{};         // A
  Vec2<T> point{};  // P, its centroid: the arm r_a of the force if the offset is the centre of mass
  Vec2<T> s1{}, s2{};  // a's arc begins in S1 and ends in S2, counter-clockwise. If there is not
                       // exactly one arc: the chord through P of length |G| (may be 0) across n
  Vec2<T> normal{};    // unit vector from a to b; always one where area > 0
  Vec2<T> gradient{};  // G = |S1 S2| n; zero if contained
  T moment{};          // Q

  SCREE_FN explicit operator bool() const { return sharing != Sharing::nothing; }
};

/// A' for v = (v_a - v_b) at P and w = w_a - w_b, exact for every kind of sharing.
template <class T>
SCREE_FN T area_rate(const SharedArea<T>& c, const Vec2<T>& v, const Vec<1, T>& w) {
  return dot(c.gradient, v) + c.moment * w[0];
}

/// |S1 S2| × approach speed at P: the textbook's A'.
template <class T> SCREE_FN T area_rate_at_point(const SharedArea<T>& c, const Vec2<T>& v) {
  return norm(c.s2 - c.s1) * dot(c.normal, v);
}

/// The same sharing seen from b; `from_b` is the way from b's offset to a's.
template <class T> SCREE_FN SharedArea<T> flip(const SharedArea<T>& c, const Vec2<T>& from_b) {
  SharedArea<T> f = c;
  f.point = c.point + from_b;
  f.s1 = c.s2 + from_b;
  f.s2 = c.s1 + from_b;
  f.normal = -c.normal;
  f.gradient = -c.gradient;
  f.moment = -c.moment;
  return f;
}

}  // namespace scree
