// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// Grains on a lattice: in a box, as many as fit or as many as are asked for, filled from the
/// bottom; or so many along each axis from an origin.
template <int D> struct Lattice {
  static constexpr std::string_view name = "lattice";
  static constexpr std::string_view meaning = "grains on a square, hexagonal or cubic lattice";
  std::string kind = D == 2 ? "square" : "cubic";
  double spacing = 0;
  double jitter = 0;
  Corners<D> box;
  std::vector<std::int64_t> counts;
  Vec<D, double> origin{};
  std::int64_t count = 0;

  static constexpr auto fields() {
    return std::tuple{
        field<&Lattice::kind>("kind", "", any,
                              D == 2 ? "square or hexagonal" : "cubic or hexagonal"),
        field<&Lattice::spacing>("spacing", "m", non_negative, "between centres; 0: just apart"),
        field<&Lattice::jitter>("jitter", "", fraction, "random displacement, in free gaps"),
        field<&Lattice::box>("box", "m", any, "region to fill, walls of grains inside"),
        field<&Lattice::counts>("counts", "", positive, "grains along each axis, in place of box"),
        field<&Lattice::origin>("origin", "m", any, "first centre, with counts"),
        field<&Lattice::count>("count", "", non_negative, "at most so many; 0: all that fit")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
