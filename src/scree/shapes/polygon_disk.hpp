// SPDX-License-Identifier: BSD-3-Clause
/// What a disk shares with a convex polygon: exact, circular segments and all.
///
/// Its boundary is made of pieces of the polygon's outline inside the disk and arcs of the circle
/// inside the polygon. The area is that of the polygon through all their ends, plus a circular
/// segment for every arc: only positive terms, so that the area of an overlap ξ deep is wrong by
/// 1e-16 r/ξ of itself, what the rounding of a vertex costs; the usual sum of signed sectors about
/// the centre loses (r/ξ)^(3/2).
#pragma once

#include "scree/shapes/polygon.hpp"
#include "scree/shapes/polygon_clip.hpp"
#include "scree/shapes/shared_area.hpp"

namespace scree {

template <class T> struct DiskView {
  Vec2<T> offset{};
  T radius{};
};

namespace polygon_detail {

/// Area of the circular segment over the arc that goes from p to q, counter-clockwise about the
/// centre, which is the origin: r²/2 (θ - sin θ). With σ = sin(θ/2), half the chord in radii, this
/// is
///
///     r² (arcsin σ - σ √(1 - σ²)) = r² Σ_k 2 c_k σ^(2k+3) / (2k+3),  c_0 = 1, c_(k+1) = c_k
///     (2k+1)/(2k+2),
///
/// which keeps its digits where θ and sin θ are almost the same.
template <class T> SCREE_FN T segment_area(const T& r, const Vec2<T>& p, const Vec2<T>& q) {
  using std::atan2;
  const Vec2<T> chord = q - p;
  const T turned = cross(p, chord)[0], sigma2 = norm2(chord) / (r * r * 4);
  if (turned > T(0) && sigma2 < T(1) / 16) {
    T power = sigma2 * sqrt(sigma2) * 2, sum = power / 3;
    const T enough = is_dd<T> ? T(0x1p-106) : T(0x1p-54);
    for (int k = 0; k < 40; ++k) {
      power = power * sigma2 * T(2 * k + 1) / T(2 * k + 2);
      const T term = power / T(2 * k + 5);
      sum += term;
      if (!(term > sum * enough)) break;
    }
    return sum * r * r;
  }
  T angle = atan2(turned, dot(p, q));
  if (angle < T(0)) angle += constant::two_pi<T>();
  return (angle * r * r - turned) / 2;
}

/// What is shared, gathered by walking the polygon's outline; points from the disk's centre.
template <class T> class DiskSum {
 public:
  SCREE_FN explicit DiskSum(const T& radius) : r_(radius) {}

  /// The boundary goes straight to x.
  SCREE_FN void go(const Vec2<T>& x) {
    if (!begun_) {
      begun_ = true;
      first_point_ = x;
    } else {
      const T t = cross(last_ - first_point_, x - first_point_)[0] / 2;
      area_ += t;
      first_ += (first_point_ + last_ + x) * (t / 3);
    }
    last_ = x;
  }
  SCREE_FN void leave_disk(const Vec2<T>& x) {
    go(x);
    left_ = x;
    outside_ = true;
  }
  SCREE_FN void enter_disk(const Vec2<T>& x) {
    if (outside_)
      arc(left_, x);
    else
      open_ = x;
    outside_ = false;
    go(x);
  }
  /// Back at the beginning.
  SCREE_FN void close() {
    if (outside_) arc(left_, open_);
  }
  SCREE_FN bool begun() const { return begun_; }
  SCREE_FN SharedArea<T> result() const {
    SharedArea<T> c;
    if (!(area_ > T(1e-280))) return c;
    c.sharing = arcs_ == 1 ? Sharing::regular : arcs_ > 1 ? Sharing::several : Sharing::contained;
    c.area = area_;
    c.point = first_ * (T(1) / area_);
    c.s1 = s1_;
    c.s2 = s2_;
    c.gradient = gradient_;
    c.moment = -cross(c.point, gradient_)[0];  // about the centre the circle's normals have none
    return c;
  }

 private:
  /// An arc of the circle bounds what is shared. Its segment's moment about the centre is
  /// 2/3 (chord/2)³ along the chord's normal.
  SCREE_FN void arc(const Vec2<T>& p, const Vec2<T>& q) {
    const Vec2<T> chord = q - p, normal{chord[1], -chord[0]};
    area_ += segment_area(r_, p, q);
    first_ += normal * (norm2(chord) / 12);
    gradient_ += normal;
    s1_ = p;
    s2_ = q;
    ++arcs_;
  }

  T r_, area_{};
  Vec2<T> first_{}, gradient_{}, s1_{}, s2_{}, first_point_{}, last_{}, left_{}, open_{};
  bool begun_ = false, outside_ = false;
  int arcs_ = 0;
};

}  // namespace polygon_detail

/// a is the disk, and points are measured from its centre; flip() gives the polygon's view.
template <class T> SCREE_FN SharedArea<T> clip(const DiskView<T>& a, const PolygonView<T>& b) {
  using polygon_detail::DiskSum;
  const Vec2<T> shift = b.offset - a.offset;
  const T r2 = a.radius * a.radius, zero(0);
  DiskSum<T> sum(a.radius);
  Vec2<T> p = b[b.count - 1] + shift, nearest{};
  bool p_in = norm2(p) < r2, centre_in = true;
  T least{};  // how deep the centre is under the nearest side (its outward normal: nearest)
  for (int k = 0; k < b.count; ++k) {
    const Vec2<T> q = b[k] + shift, d = q - p;
    const bool q_in = norm2(q) < r2;
    const T inverse = T(1) / norm(d);
    const Vec2<T> n = Vec2<T>{d[1], -d[0]} * inverse;
    const T deep = cross(p, d)[0] * inverse;  // of the centre under this side
    if (!(deep > zero)) centre_in = false;
    if (k == 0 || deep < least) {
      least = deep;
      nearest = n;
    }
    if (p_in && q_in) {
      sum.go(q);
    } else {
      const T half2 = (a.radius - deep) * (a.radius + deep);
      const bool through = !p_in && !q_in;
      if (!through || (half2 > zero && dot(p, d) < zero && dot(q, d) > zero)) {
        // the line of this side meets the circle in its foot ± half the chord
        const Vec2<T> foot = n * deep, half = d * (half2 > zero ? sqrt(half2) * inverse : zero);
        if (!p_in) sum.enter_disk(foot - half);
        if (q_in)
          sum.go(q);
        else
          sum.leave_disk(foot + half);
      }
    }
    p = q;
    p_in = q_in;
  }
  SharedArea<T> c;
  if (sum.begun()) {
    sum.close();
    c = sum.result();
    if (!c) return c;
  } else if (centre_in) {
    c.sharing = Sharing::contained;
    c.area = constant::pi<T>() * r2;
  } else {
    return c;
  }
  polygon_detail::set_normal(c, [&] {
    const T far = norm(c.point);  // a polygon within the disk leaves it along the line of centres
    return sum.begun() && far > a.radius * T(1e-9) ? c.point * (T(1) / far) : -nearest;
  });
  return c;
}

}  // namespace scree
