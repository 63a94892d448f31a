// SPDX-License-Identifier: BSD-3-Clause
/// Profiles along the radius of a ring-shaped cell in the plane, averaged over angle and frames.
///
/// The annulus is cut into rings of equal width. A disc counts in a ring with the area that it has
/// there, exactly: with A(R), the area of the disc within the circle of radius R, that of a ring is
/// A(R2) - A(R1). The packing is the sum of these areas over that of the ring; velocities are means
/// with these areas as weights. Held grains do not count.
#pragma once

#include <cstddef>
#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

/// Area that a disc of radius r, its centre d from that of a circle of radius R, has within it.
double area_within(double d, double r, double R);

class RadialProfile {
 public:
  /// `bins` rings between lo and hi (m) about (x, y).
  RadialProfile(double x, double y, double lo, double hi, std::size_t bins);
  void observe(const Frame& frame);
  /// Takes over what another profile of the same rings has seen.
  void add(const RadialProfile& other);

  struct Row {
    double r = 0;        // m, middle of the ring
    double packing = 0;
    double tangential = 0, radial = 0;  // m/s, anticlockwise and outwards
    double rate = 0;     // rad/s: mean of v_t / distance from the centre
    double spin = 0;     // rad/s, of the discs themselves
  };
  std::vector<Row> rows() const;
  std::size_t frames() const { return frames_; }
  /// Of the free grains' centres so far: how near and how far from the centre.
  double nearest() const { return nearest_; }
  double farthest() const { return farthest_; }

 private:
  double x_, y_, lo_, width_;
  std::vector<Row> sums_;     // weighted with areas, `packing` the areas
  std::size_t frames_ = 0;
  double nearest_ = 0, farthest_ = 0;
};

/// The inner and the outer edge of what the free grains of a frame cover.
struct RadialExtent {
  double lo = 0, hi = 0;
};
RadialExtent radial_extent(const Frame& frame, double x, double y);

/// A fit of ln |v_t| = a - r/length by least squares, from `from` (m) as far as |v_t| stays above
/// `floor` times that of the first ring there.
struct Decay {
  double length = 0;     // m; 0: fewer than three rings
  double correlation = 0;
  double from = 0, to = 0;  // m
  std::size_t rings = 0;
};
Decay decay_of(const std::vector<RadialProfile::Row>& rows, double floor, double from = 0);

/// The middle 95 % of the lengths that profiles have which are made of as many blocks of frames drawn at random, with
/// replacement (a bootstrap over blocks: frames that follow each other are alike, blocks less so). A profile that does not
/// decay counts as endless. Both 0 with fewer than three blocks.
struct DecayInterval {
  double low = 0, high = 0;  // m
};
DecayInterval decay_interval(const std::vector<RadialProfile>& blocks, double floor, double from);

/// The mean of profiles of the same rings, of several cells say, each counting alike or as often as its weight says.
std::vector<RadialProfile::Row> mean_rows(const std::vector<std::vector<RadialProfile::Row>>& profiles, const std::vector<double>& weight = {});
/// The same bootstrap over such profiles in place of blocks.
DecayInterval decay_interval(const std::vector<std::vector<RadialProfile::Row>>& profiles, double floor, double from);

}  // namespace scree
