// SPDX-License-Identifier: BSD-3-Clause
/// What two convex polygons share, in O(n_a + n_b), without a buffer.
///
/// Of the linear methods the sweep by slabs (Shamos and Hoey, FOCS 1976) is the one without special
/// cases: above each x a convex polygon has one lower and one upper side, l(x) and u(x), and what
/// two polygons share is max(l_a, l_b) < y < min(u_a, u_b). Between neighbouring vertices all four
/// are straight, so a slab is cut at most where u_a = u_b, where l_a = l_b and where the height
/// reaches zero, and each piece is a trapezoid of positive area. No orientation predicate decides
/// which way to go on (the weakness of the advancing edges of O'Rourke et al. 1982); a rounding
/// error shifts a side by some 1e-16 of its length and the area by as much: area and centroid are
/// continuous through touching, parallel and coinciding edges, vertex on vertex and containment.
///
/// Whose side bounds a piece is known, so G and Q of shared_area.hpp are sums over pieces as well,
/// and S1, S2 are where the owner of the boundary changes.
#pragma once

#include "scree/shapes/polygon.hpp"
#include "scree/shapes/shared_area.hpp"

namespace scree {

/// How far b must move along `axis` (of any length, from a to b) to part from a, times that length;
/// not positive if they are apart. An axis that parted two grains a step ago mostly still does, and
/// asking it costs a fraction of the clip.
template <class T>
SCREE_FN T depth_along(const PolygonView<T>& a, const PolygonView<T>& b, const Vec2<T>& axis) {
  T far_a = dot(axis, a[0]), near_b = dot(axis, b[0]);
  for (int k = 1; k < a.count; ++k) {
    const T s = dot(axis, a[k]);
    far_a = s > far_a ? s : far_a;
  }
  for (int k = 1; k < b.count; ++k) {
    const T s = dot(axis, b[k]);
    near_b = s < near_b ? s : near_b;
  }
  return far_a - near_b - dot(axis, b.offset - a.offset);
}

/// The shortest way out.
template <class T> struct WayOut {
  Vec2<T> axis{};  // unit vector from a to b
  T depth{};       // how far b must move along it; negative if they are apart
};

namespace polygon_detail {

/// The least depth along the outward normals of a's sides. As the side walks round a, the vertex of
/// b that reaches deepest walks round b the same way, so both are walked once.
template <class T>
SCREE_FN WayOut<T> way_out_of_sides(const PolygonView<T>& a, const PolygonView<T>& b) {
  const Vec2<T> shift = b.offset - a.offset;
  WayOut<T> best;
  bool found = false;
  int deepest = 0;
  for (int k = 0; k < a.count; ++k) {
    const Vec2<T> side = a[a.next(k)] - a[k];
    const Vec2<T> n = Vec2<T>{side[1], -side[0]} * (T(1) / norm(side));
    T reach = dot(n, b[deepest]);
    for (int walked = 0, far = 0; walked < b.count; ++walked) {
      // the first side looks at all vertices; later ones stop where the way turns up
      far = b.next(k == 0 ? walked : deepest);
      const T s = dot(n, b[far]);
      if (s <= reach) {
        reach = s;
        deepest = far;
      } else if (k > 0) {
        break;
      }
    }
    const T depth = dot(n, a[k] - shift) - reach;
    if (!found || depth < best.depth) {
      best = {n, depth};
      found = true;
    }
  }
  return best;
}

}  // namespace polygon_detail

/// The separating axes of two convex polygons are normals of their sides: the least depth along
/// these, in O(n_a + n_b).
template <class T> SCREE_FN WayOut<T> way_out(const PolygonView<T>& a, const PolygonView<T>& b) {
  const WayOut<T> of_a = polygon_detail::way_out_of_sides(a, b);
  WayOut<T> of_b = polygon_detail::way_out_of_sides(b, a);
  of_b.axis = -of_b.axis;
  return of_b.depth < of_a.depth ? of_b : of_a;
}

namespace polygon_detail {

/// The lower (`forward`: with the outline's sense) or upper side of an outline, walked towards
/// larger x.
template <class T> class Side {
 public:
  SCREE_FN Side(const PolygonView<T>& a, const Vec2<T>& shift, int leftmost, bool forward)
      : outline_(a), shift_(shift), at_(leftmost), forward_(forward) {
    end_ = outline_[at_] + shift_;
  }
  /// Walks on to the edge that leads beyond x. Vertical edges, which lead nowhere, are stepped
  /// over, and so is what the rounding of a nearly vertical one has turned back.
  SCREE_FN void advance(const T& x) {
    begin_ = end_;
    for (int walked = 0; walked < outline_.count && !(end_[0] > x); ++walked) {
      at_ = forward_ ? outline_.next(at_) : outline_.before(at_);
      begin_ = end_;
      end_ = outline_[at_] + shift_;
    }
    const T run = end_[0] - begin_[0];
    slope_ = run > T(tiny) ? (end_[1] - begin_[1]) / run : T(0);
  }
  SCREE_FN T end() const { return end_[0]; }
  SCREE_FN T height(const T& x) const {
    if (!(x < end_[0])) return end_[1];
    if (!(x > begin_[0])) return begin_[1];
    return begin_[1] + (x - begin_[0]) * slope_;
  }

 private:
  static constexpr double tiny = 1e-290;  // narrower edges are vertical: their slope is infinite
  PolygonView<T> outline_;
  Vec2<T> shift_;
  int at_;
  bool forward_;
  Vec2<T> begin_{}, end_{};
  T slope_{};
};

template <class T> struct Extent {
  T low{}, high{};
  int lowest = 0;
};

template <class T> SCREE_FN Extent<T> extent(const PolygonView<T>& a, int axis) {
  Extent<T> e{a[0][axis], a[0][axis], 0};
  for (int k = 1; k < a.count; ++k) {
    const T s = a[k][axis];
    if (s < e.low) {
      e.low = s;
      e.lowest = k;
    }
    if (s > e.high) e.high = s;
  }
  return e;
}

enum class Owner : unsigned char { none, a, b };

/// Adds up the pieces of what is shared, from left to right.
template <class T> class Sum {
 public:
  /// The trapezoid between x0 and x1 whose lower edge goes from l0 to l1 and whose upper one from
  /// u0 to u1.
  SCREE_FN void add(const T& x0, const T& x1, const T& l0, const T& l1, const T& u0, const T& u1,
                    Owner lower, Owner upper) {
    const T w = x1 - x0, h0 = u0 - l0, h1 = u1 - l1;
    area_ += w * (h0 + h1);
    // centroid: ∫ x h dx and ∫ (u² - l²)/2 dx over the piece, of two triangles
    first_[0] += w * (x0 * (h0 + h0 + h1) + x1 * (h0 + h1 + h1));
    first_[1] +=
        w *
        ((l0 + l0 + u0 + u0) * h0 + (l0 + u0) * h1 + (l1 + u1) * h0 + (l1 + l1 + u1 + u1) * h1) / 2;
    const T middle = x0 + x1;
    if (lower == Owner::a) bound(Vec2<T>{l1 - l0, -w}, Vec2<T>{middle, l0 + l1});
    if (upper == Owner::a) bound(Vec2<T>{u0 - u1, w}, Vec2<T>{middle, u0 + u1});
    if (lower_ != Owner::none) {
      change({x0, l0}, lower_, lower);
      change({x0, u0}, upper, upper_);
    }
    lower_ = lower;
    upper_ = upper;
    right_ = {x1, l1, u1};
  }
  SCREE_FN bool empty() const { return lower_ == Owner::none; }
  /// The boundary at the left and at the right end of what is shared: a point, or a vertical edge
  /// of the polygon that ends there (`edge`; none if both do).
  SCREE_FN void open(const T& x, const T& l, const T& u, Owner lower, Owner upper, Owner edge) {
    if (u > l) {
      if (edge == Owner::none) edge = upper;
      if (edge == Owner::a) bound(Vec2<T>{l - u, T(0)}, Vec2<T>{x + x, l + u});
      change({x, u}, upper, edge);
      change({x, l}, edge, lower);
    } else {
      change({x, l}, upper, lower);
    }
  }
  SCREE_FN void close(Owner edge) {
    if (right_.u > right_.l) {
      if (edge == Owner::none) edge = upper_;
      if (edge == Owner::a)
        bound(Vec2<T>{right_.u - right_.l, T(0)},
              Vec2<T>{right_.x + right_.x, right_.l + right_.u});
      change({right_.x, right_.l}, lower_, edge);
      change({right_.x, right_.u}, edge, upper_);
    } else {
      change({right_.x, right_.l}, lower_, upper_);
    }
  }
  SCREE_FN Owner lower() const { return lower_; }
  SCREE_FN Owner upper() const { return upper_; }

  SCREE_FN SharedArea<T> result() const {
    SharedArea<T> c;
    if (!(area_ > T(1e-280))) return c;
    c.area = area_ / 2;
    c.point = first_ * (T(1) / (area_ * 3));
    c.gradient = gradient_;
    c.moment = moment_ / 2 - cross(c.point, gradient_)[0];
    c.s1 = s1_;
    c.s2 = s2_;
    c.sharing = starts_ == 1 && ends_ == 1 ? Sharing::regular
                : starts_ > 0              ? Sharing::several
                                           : Sharing::contained;
    return c;
  }

 private:
  /// An edge of a bounds what is shared: `normal` has its length, `middle` is twice its middle.
  SCREE_FN void bound(const Vec2<T>& normal, const Vec2<T>& middle) {
    gradient_ += normal;
    moment_ += cross(middle, normal)[0];
  }
  /// The boundary, walked counter-clockwise, changes its owner here.
  SCREE_FN void change(const Vec2<T>& at, Owner from, Owner to) {
    if (from == to) return;
    if (to == Owner::a) {
      s1_ = at;
      ++starts_;
    } else {
      s2_ = at;
      ++ends_;
    }
  }

  T area_{}, moment_{};
  Vec2<T> first_{}, gradient_{}, s1_{}, s2_{};
  Owner lower_ = Owner::none, upper_ = Owner::none;
  struct {
    T x{}, l{}, u{};
  } right_;
  int starts_ = 0, ends_ = 0;
};

/// Gives a sharing its normal; without chords to speak of, along the shortest way out. A needle of
/// angle α has |G|² = 4 A tan(α/2): only if the outlines do not cross, or cross symmetrically (a
/// cross of two bars), is |G|² a millionth of a millionth of A.
template <class T, class Fallback>
SCREE_FN void set_normal(SharedArea<T>& c, const Fallback& fallback) {
  if (c.sharing == Sharing::regular) {
    // one arc: its chord says all, and says it also where sides coincide but for rounding
    const Vec2<T> chord = c.s2 - c.s1;
    c.gradient = {chord[1], -chord[0]};
    c.moment = cross((c.s1 + c.s2) * (T(1) / 2) - c.point, c.gradient)[0];
  }
  const T g2 = norm2(c.gradient);
  if (g2 > c.area * T(1e-12)) {
    c.normal = c.gradient * (T(1) / sqrt(g2));
  } else {
    c.normal = fallback();
    c.sharing = Sharing::contained;
    c.gradient = {};
    c.moment = T(0);
  }
  if (c.sharing != Sharing::regular) {
    // S2 - S1 turned clockwise is G, so that a chord tells the same whatever the sharing
    const Vec2<T> half = Vec2<T>{-c.gradient[1], c.gradient[0]} * (T(1) / 2);
    c.s1 = c.point - half;
    c.s2 = c.point + half;
  }
}

}  // namespace polygon_detail

/// Outlines must be counter-clockwise and convex (check_outline); a NaN among the vertices gives
/// nothing or a NaN, never an endless loop.
template <class T> SCREE_FN SharedArea<T> clip(const PolygonView<T>& a, const PolygonView<T>& b) {
  using namespace polygon_detail;
  const Vec2<T> shift = b.offset - a.offset;
  if (depth_along(a, b, shift) < T(0)) return {};  // most neighbours that do not touch
  const Extent<T> xa = extent(a, 0), xb = extent(b, 0);
  const T left_b = xb.low + shift[0], right_b = xb.high + shift[0];
  const T from = xa.low > left_b ? xa.low : left_b, to = xa.high < right_b ? xa.high : right_b;
  if (!(from < to)) return {};

  Side<T> lower_a(a, {}, xa.lowest, true), upper_a(a, {}, xa.lowest, false);
  Side<T> lower_b(b, shift, xb.lowest, true), upper_b(b, shift, xb.lowest, false);
  Sum<T> sum;
  T x0 = from, la0{}, ua0{}, lb0{}, ub0{};
  bool first = true;
  const int most = 2 * (a.count + b.count);
  for (int slab = 0; slab < most && x0 < to; ++slab) {
    if (first || !(lower_a.end() > x0)) lower_a.advance(x0), la0 = lower_a.height(x0);
    if (first || !(upper_a.end() > x0)) upper_a.advance(x0), ua0 = upper_a.height(x0);
    if (first || !(lower_b.end() > x0)) lower_b.advance(x0), lb0 = lower_b.height(x0);
    if (first || !(upper_b.end() > x0)) upper_b.advance(x0), ub0 = upper_b.height(x0);
    first = false;
    T x1 = to;
    x1 = lower_a.end() < x1 ? lower_a.end() : x1;
    x1 = upper_a.end() < x1 ? upper_a.end() : x1;
    x1 = lower_b.end() < x1 ? lower_b.end() : x1;
    x1 = upper_b.end() < x1 ? upper_b.end() : x1;
    const T la1 = lower_a.height(x1), ua1 = upper_a.height(x1);
    const T lb1 = lower_b.height(x1), ub1 = upper_b.height(x1);

    // where the two lower, and the two upper sides cross
    const T l_0 = la0 - lb0, l_1 = la1 - lb1, u_0 = ua0 - ub0, u_1 = ua1 - ub1;
    const bool l_cross = (l_0 < T(0) && l_1 > T(0)) || (l_0 > T(0) && l_1 < T(0));
    const bool u_cross = (u_0 < T(0) && u_1 > T(0)) || (u_0 > T(0) && u_1 < T(0));
    const T low0 = l_0 > T(0) ? la0 : lb0, low1 = l_1 > T(0) ? la1 : lb1;
    const T up0 = u_0 < T(0) ? ua0 : ub0, up1 = u_1 < T(0) ? ua1 : ub1;
    if (l_cross || u_cross || up0 > low0 || up1 > low1) {
      T cuts[4] = {T(0), T(1), T(1), T(1)};
      int pieces = 1;
      if (l_cross) cuts[pieces++] = l_0 / (l_0 - l_1);
      if (u_cross) cuts[pieces++] = u_0 / (u_0 - u_1);
      if (pieces == 3 && cuts[2] < cuts[1]) {
        const T t = cuts[1];
        cuts[1] = cuts[2];
        cuts[2] = t;
      }
      const T w = x1 - x0;
      for (int k = 0; k < pieces; ++k) {
        const T t0 = cuts[k], t1 = k + 1 < pieces ? cuts[k + 1] : T(1), tm = (t0 + t1) / 2;
        if (!(t1 > t0)) continue;
        const T l_m = l_0 + tm * (l_1 - l_0), u_m = u_0 + tm * (u_1 - u_0);
        const Owner lower = l_m > T(0)    ? Owner::a
                            : l_m < T(0)  ? Owner::b
                            : sum.empty() ? Owner::a
                                          : sum.lower();
        const Owner upper = u_m < T(0)    ? Owner::a
                            : u_m > T(0)  ? Owner::b
                            : sum.empty() ? Owner::a
                                          : sum.upper();
        const bool al = lower == Owner::a, au = upper == Owner::a;
        const auto along = [](const T& y0, const T& y1, const T& t) { return y0 + t * (y1 - y0); };
        const auto low = [&](const T& t) {
          return t > T(0) ? t < T(1) ? (al ? along(la0, la1, t) : along(lb0, lb1, t))
                            : al     ? la1
                                     : lb1
                 : al     ? la0
                          : lb0;
        };
        const auto up = [&](const T& t) {
          return t > T(0) ? t < T(1) ? (au ? along(ua0, ua1, t) : along(ub0, ub1, t))
                            : au     ? ua1
                                     : ub1
                 : au     ? ua0
                          : ub0;
        };
        T s0 = x0 + t0 * w, s1 = t1 < T(1) ? x0 + t1 * w : x1;
        T l0 = low(t0), l1 = low(t1), u0 = up(t0), u1 = up(t1);
        const T h0 = u0 - l0, h1 = u1 - l1;
        if (!(h0 > T(0)) && !(h1 > T(0))) continue;
        if (h0 < T(0)) {
          const T t = h0 / (h0 - h1);
          l0 = u0 = l0 + t * (l1 - l0);
          s0 = s0 + t * (s1 - s0);
        } else if (h1 < T(0)) {
          const T t = h0 / (h0 - h1);
          l1 = u1 = l0 + t * (l1 - l0);
          s1 = s0 + t * (s1 - s0);
        }
        if (sum.empty()) {
          const Owner edge = xa.low > left_b ? Owner::a : xa.low < left_b ? Owner::b : Owner::none;
          sum.open(s0, l0, u0, lower, upper, edge);
        }
        sum.add(s0, s1, l0, l1, u0, u1, lower, upper);
      }
    }
    x0 = x1;
    la0 = la1, ua0 = ua1, lb0 = lb1, ub0 = ub1;
  }
  if (sum.empty()) return {};
  sum.close(xa.high < right_b ? Owner::a : xa.high > right_b ? Owner::b : Owner::none);
  SharedArea<T> c = sum.result();
  if (c) set_normal(c, [&] { return way_out(a, b).axis; });
  return c;
}

}  // namespace scree
