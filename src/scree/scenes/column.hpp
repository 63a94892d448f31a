// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// A column of grains at rest in the making: a loose, jittered lattice of a given width, filled
/// from the bottom. It still has to settle ([prepare]).
template <int D> struct ColumnOfGrains {
  static constexpr std::string_view name = "column";
  static constexpr std::string_view meaning = "a loose column of a given width, to settle first";
  std::int64_t count = 0;
  double width = 0;
  double aspect = 0;
  double depth = 0;
  Vec<D, double> origin{};
  double jitter = 0.5;
  bool round = false;
  bool floor = false;
  double floor_length = 0;

  static constexpr auto fields() {
    return std::tuple{
        field<&ColumnOfGrains::count>("count", "", positive, "grains in the column"),
        field<&ColumnOfGrains::width>("width", "m", non_negative, "along x; or give aspect"),
        field<&ColumnOfGrains::aspect>("aspect", "", non_negative,
                                       "height over width once settled; 1 if neither is given"),
        field<&ColumnOfGrains::depth>("depth", "m", non_negative,
                                      "along y, in space; 0: the width"),
        field<&ColumnOfGrains::origin>("origin", "m", any, "low corner"),
        field<&ColumnOfGrains::jitter>("jitter", "", fraction, "random displacement, in free gaps"),
        field<&ColumnOfGrains::round>("round", "", any,
                                      "in space: a round column, width and depth across"),
        field<&ColumnOfGrains::floor>("floor", "", any, "lay a floor of fixed grains under it"),
        field<&ColumnOfGrains::floor_length>("floor_length", "m", non_negative,
                                             "along x from the origin")};
  }
  /// The width that is given, or that follows from the aspect ratio and the usual packing.
  double width_for(const Radii&) const;
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
