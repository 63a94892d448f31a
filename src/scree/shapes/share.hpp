// SPDX-License-Identifier: BSD-3-Clause
/// What two grains share, whatever their shapes.
#pragma once

#include "scree/shapes/polygon_clip.hpp"
#include "scree/shapes/polygon_disk.hpp"

namespace scree {

/// A grain about its own centre: corners that are turned and sized, or none and the radius of a disk.
template <class T> struct PlacedShape {
  const Vec2<T>* corners = nullptr;
  int count = 0;
  T radius{};

  SCREE_FN PolygonView<T> polygon(const Vec2<T>& offset) const { return {corners, count, offset}; }
  SCREE_FN DiskView<T> disk(const Vec2<T>& offset) const { return {offset, radius}; }
};

/// What a and b share, b's centre being d away from a's, measured from a's; the normal points from a to b. At
/// least one of them is a polygon.
template <class T>
SCREE_FN SharedArea<T> share(const PlacedShape<T>& a, const PlacedShape<T>& b, const Vec2<T>& d) {
  if (a.count == 0) return clip(a.disk({}), b.polygon(d));
  if (b.count == 0) return flip(clip(b.disk(d), a.polygon({})), d);
  return clip(a.polygon({}), b.polygon(d));
}

}  // namespace scree
