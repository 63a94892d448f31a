// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// A shear cell: rings of discs as rough walls, and grains at random between them. Motion belongs
/// to a block, so a cell with a turning wall is three blocks, one part each.
///
/// With `tooth_radius` and `tooth_spacing` the rings are toothed and closed (toothed_ring.hpp).
/// With `packing` in place of `outer` the outer ring has the radius at which the free grains of the
/// blocks before this one fill that part of the annulus between the walls,
///
///     packing = sum of pi r^2 / (pi ((R_o - r_o)^2 - (R_i + r_i)^2))
///
/// with the mean radii r_i and r_o of the walls' discs.
template <int D> struct RingCell {
  static constexpr std::string_view name = "ring-cell";
  static constexpr std::string_view meaning =
      "rings of fixed discs, and discs between them (dim = 2)";
  double inner = 0;
  double outer = 0;
  double packing = 0;
  Vec<D, double> centre{};
  double wall_radius = 0;
  double tooth_radius = 0;
  double tooth_spacing = 0;
  std::vector<std::string> parts;
  std::int64_t count = 0;
  std::int64_t tries = 2000;

  static constexpr auto fields() {
    return std::tuple{
        field<&RingCell::inner>("inner", "m", non_negative,
                                "radius of the inner ring's centres; 0: none"),
        field<&RingCell::outer>("outer", "m", non_negative, "radius of the outer ring's centres"),
        field<&RingCell::packing>("packing", "", non_negative,
                                  "in place of outer: of the grains of the blocks before"),
        field<&RingCell::centre>("centre", "m", any, "of the rings"),
        field<&RingCell::wall_radius>("wall_radius", "m", non_negative,
                                      "of the wall discs; 0: the largest grain's"),
        field<&RingCell::tooth_radius>("tooth_radius", "m", non_negative,
                                       "of the teeth of the rings; 0: no teeth"),
        field<&RingCell::tooth_spacing>("tooth_spacing", "m", non_negative,
                                        "suggested distance of teeth along the ring"),
        field<&RingCell::parts>("parts", "", any, "some of inner, outer, fill; all if left out"),
        field<&RingCell::count>("count", "", non_negative, "grains between the rings"),
        field<&RingCell::tries>("tries", "", positive, "for one grain before giving up")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
