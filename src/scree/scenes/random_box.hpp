// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// Grains at random places of a box, none overlapping: each is tried anew until it finds room,
/// the largest first (random sequential insertion). That fills about 0.5 of the area in the plane
/// and 0.35 of the volume in space, no more.
template <int D> struct RandomBox {
  static constexpr std::string_view name = "random";
  static constexpr std::string_view meaning = "grains at random places of a box, without overlap";
  std::int64_t count = 0;
  Corners<D> box;
  std::int64_t tries = 2000;

  static constexpr auto fields() {
    return std::tuple{
        field<&RandomBox::count>("count", "", positive, "grains"),
        field<&RandomBox::box>("box", "m", any, "region to fill, grains wholly inside"),
        field<&RandomBox::tries>("tries", "", positive, "for one grain before giving up")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

/// Grains to be poured: at random places of a box over a foot of given width, as high as it takes.
template <int D> struct Heap {
  static constexpr std::string_view name = "heap";
  static constexpr std::string_view meaning =
      "grains to be poured: loose, over a foot of given width";
  std::int64_t count = 0;
  Vec<D, double> centre{};
  double width = 0;
  double fill = D == 2 ? 0.4 : 0.25;

  static constexpr auto fields() {
    return std::tuple{field<&Heap::count>("count", "", positive, "grains"),
                      field<&Heap::centre>("centre", "m", any, "middle of the foot"),
                      field<&Heap::width>("width", "m", positive, "of the foot, square in space"),
                      field<&Heap::fill>("fill", "", fraction, "filled part of the box")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
