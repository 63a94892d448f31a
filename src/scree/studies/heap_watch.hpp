// SPDX-License-Identifier: BSD-3-Clause
/// How a heap of the plane goes on moving when it should stand: the height of its centre of mass and its kinetic
/// energy against time.
///
/// The heap is the largest cluster of grains that touch each other at the first frame. Grains that have rolled away and
/// lie alone on a flat floor are no part of it: a grain on one contact slides on its friction spring and rocks
/// about the middle of its chord, which no dashpot sees, and would hide what the heap does.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

class HeapWatch {
 public:
  /// `of_all`: every grain counts, whether it touches or not.
  explicit HeapWatch(double mass_per_area, bool of_all = false) : mass_per_area_(mass_per_area), of_all_(of_all) {}

  /// The first frame needs contacts, unless all grains count.
  void look(const Frame& frame);

  std::vector<double> time, height, kinetic;  // s, Sauter diameters above the start, J
  std::vector<double> outside;                // J: kinetic energy of the grains that are no part of the heap
  std::size_t members() const { return members_; }

  /// How far the centre sinks from the second quarter of the time to the last, means of both, so that swings about a
  /// mean do not count. In Sauter diameters.
  double drift() const;
  /// The highest less the lowest centre in the second half of the time: a drift of less is hidden. In Sauter diameters.
  double swing() const;
  /// Kinetic energies, mean over the last fifth of the time. J.
  double rest() const { return last_fifth(kinetic); }
  double rest_outside() const { return last_fifth(outside); }
  /// What the energy cannot fall below but by chance: a speed of less than half a unit in the last place of x per step h moves
  /// nothing. Σ m/2 (2⁻⁵³ |x|/h)², in J.
  double round_off(double h) const;

 private:
  double last_fifth(const std::vector<double>& of) const;

  double mass_per_area_;
  bool of_all_;
  std::vector<std::uint8_t> in_heap_;  // by id
  std::size_t members_ = 0;
  double diameter_ = 1, start_ = 0, moment_ = 0;  // m, m, Σ m |x|² in kg m²
};

/// By id: which grains are in the largest cluster of those that touch; of two as large the one with the smallest id.
std::vector<std::uint8_t> largest_cluster(const Frame& frame);

}  // namespace scree
