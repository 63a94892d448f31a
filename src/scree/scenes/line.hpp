// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/core/numbers.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// A row of grains from one point to another, tangent or spaced: with `fixed = true` a rough floor.
template <int D> struct Line {
  static constexpr std::string_view name = "line";
  static constexpr std::string_view meaning =
      "a row of grains between two points, a rough floor if fixed";
  Vec<D, double> start = Vec<D, double>{} * std::nan("");
  Vec<D, double> end = Vec<D, double>{} * std::nan("");
  double spacing = 0;

  static constexpr auto fields() {
    return std::tuple{
        field<&Line::start>("start", "m", any, "first centre"),
        field<&Line::end>("end", "m", any, "no centre lies beyond"),
        field<&Line::spacing>("spacing", "m", non_negative, "between centres; 0: tangent")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

/// A chain of beads: a given number, in touch or a gap apart, the first ones moving.
template <int D> struct Chain {
  static constexpr std::string_view name = "chain";
  static constexpr std::string_view meaning =
      "a given number of beads in a row, the first ones moving";
  std::int64_t count = 0;
  Vec<D, double> start{};
  Vec<D, double> direction = [] {
    Vec<D, double> x{};
    x[0] = 1;
    return x;
  }();
  Numbers gap = 0;
  std::int64_t strikers = 1;
  double speed = 0;

  static constexpr auto fields() {
    return std::tuple{
        field<&Chain::count>("count", "", positive, "beads"),
        field<&Chain::start>("start", "m", any, "first centre"),
        field<&Chain::direction>("direction", "", any, "of the chain"),
        field<&Chain::gap>("gap", "m", non_negative, "between surfaces: of all, of each, or drawn"),
        field<&Chain::strikers>("strikers", "", non_negative, "beads that move at first"),
        field<&Chain::speed>("speed", "m/s", any, "of the strikers, along the chain")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
