// SPDX-License-Identifier: BSD-3-Clause
/// A closed wall of tangent discs: teeth at equal angles and so many discs of one other radius
/// between them.
///
/// Centres lie on a circle of radius R. Two tangent discs a and b of the wall are seen from its
/// centre under the angle 2 asin((a + b)/(2R)). With the radius t of the teeth and a suggested
/// spacing l there are N_t = floor(2 pi R/l) teeth, one every th = 2 pi/N_t, and between two of
/// them the N_w discs that fit at a suggested radius; their radius w is then the root of
///
///     4 asin((t + w)/(2R)) + 2 (N_w - 1) asin(w/R) = th
///
/// so that all neighbours are tangent. Formulas 7.1 to 7.6 of seed 003 approximate this root.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/core/vec.hpp"

namespace scree {

struct ToothedRing {
  double radius = 0;         // R, m
  std::int64_t teeth = 0;    // N_t
  std::int64_t between = 0;  // N_w
  double tooth = 0;          // t, m
  double small = 0;          // w, m

  std::int64_t discs() const { return teeth * (1 + between); }
  double largest() const { return tooth > small ? tooth : small; }
  /// Of all discs of the ring.
  double mean() const { return (tooth + double(between) * small) / double(1 + between); }
  /// The k-th disc, anticlockwise from a tooth on the x axis: its place about the ring's centre and
  /// its radius.
  struct Disc {
    Vec<2, double> x;
    double r;
  };
  Disc disc(std::int64_t k) const;
};

/// Throws BuildError that blames the key `tooth_spacing`, `tooth_radius` or `wall_radius`.
ToothedRing toothed_ring(double radius, double tooth, double spacing, double suggested);

}  // namespace scree
