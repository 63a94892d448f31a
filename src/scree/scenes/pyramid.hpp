// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// A pyramid of equal grains: level k (from below) is a square (in the plane a row) of base - k
/// grains along each side, each in the hollow of those below. In space, base 3 gives 9 + 4 = 13
/// grains with two levels and 14 with three.
template <int D> struct Pyramid {
  static constexpr std::string_view name = "pyramid";
  static constexpr std::string_view meaning = "levels of grains in the hollows of those below";
  std::int64_t base = 3;
  std::int64_t levels = 2;
  Vec<D, double> centre{};
  double gap = 0;
  double height = 0;

  static constexpr auto fields() {
    return std::tuple{
        field<&Pyramid::base>("base", "", positive, "grains along a side of the lowest level"),
        field<&Pyramid::levels>("levels", "", positive, "at most as many as base"),
        field<&Pyramid::centre>("centre", "m", any, "middle of the base, on the floor"),
        field<&Pyramid::gap>("gap", "m", non_negative, "between surfaces"),
        field<&Pyramid::height>("height", "m", non_negative,
                                "of the lowest surfaces over the floor")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
