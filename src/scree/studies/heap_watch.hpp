// SPDX-License-Identifier: BSD-3-Clause
/// How a heap of the plane goes on moving when it should stand: the height of its centre of mass and its kinetic
/// energy against time.
///
/// The heap is the largest cluster of grains that touch each other at the first frame. Grains that have rolled away and
/// lie alone on a flat floor are no part of it: a grain on one contact slides on its friction spring and rocks
/// about the middle of its chord, which no dashpot sees, and would hide what the heap does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/run/scene.hpp"

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

  /// How far the centre sinks between two windows of two fifths of the time each, the last of which ends with it: means with
  /// the weights of Blackman and Harris (F. J. Harris, Proc. IEEE 66, 51 (1978)), of which a swing with four periods or more in a window
  /// keeps less than 10^(-92/20) and a steady sinking all. In Sauter diameters.
  double drift() const { return drift_between(1, 0, 0); }
  /// How far it may be off: the largest difference from it of the drifts that windows four fifths as long give, at the beginning, in the middle or at the end of
  /// either, in proportion to the time between them. What swings get through the weights is more the shorter the window. In Sauter diameters.
  double drift_error() const;
  /// The highest less the lowest centre in both windows, from the line through their means, so that a drift by itself does not
  /// count. In Sauter diameters.
  double swing() const;
  /// Are the windows long enough to tell drift from swings? Of those with some three periods or fewer in a window whole and shorter windows let through
  /// alike, and much: the error is then a part of the swings, and too small.
  bool swings_are_resolved() const { return drift_error() < 0.025 * std::max(swing(), std::abs(drift())); }
  bool drift_is_seen() const { return swings_are_resolved() && drift_error() < std::abs(drift()); }
  /// Kinetic energies, mean over the last fifth of the time. J.
  double rest() const { return last_fifth(kinetic); }
  double rest_outside() const { return last_fifth(outside); }
  double rest_of_all() const { return rest() + rest_outside(); }
  /// What the energy cannot fall below but by chance: a speed of less than half a unit in the last place of x per step h moves
  /// nothing. Σ m/2 (2⁻⁵³ |x|/h)², in J.
  double round_off(double h) const;

 private:
  static constexpr double window = 0.4;                 // of the time
  /// From windows of a part of that length, each at a place in the whole one: 0 at its beginning, 1 at its end.
  double drift_between(double part, double place, double other) const;
  double mean_height(double from, double until) const;  // between parts of the time, weighted
  double last_fifth(const std::vector<double>& of) const;

  double mass_per_area_;
  bool of_all_;
  std::vector<std::uint8_t> in_heap_;  // by id
  std::size_t members_ = 0;
  double diameter_ = 1, start_ = 0, moment_ = 0;  // m, m, Σ m |x|² in kg m²
};

/// By id: which grains are in the largest cluster of those that touch; of two as large the one with the smallest id.
std::vector<std::uint8_t> largest_cluster(const Frame& frame);

/// "Stalls orders of magnitude higher": all grains together keep a hundred times the energy of those of `other`, or more.
bool stalls_above(const HeapWatch& one, const HeapWatch& other);

/// Of the prisms or discs of a scene, by its first grain: density times height, kg/m².
double mass_per_area(const AnyScene& scene);

/// Steps of h in a time; throws InputError naming the option if they are too few for means over its windows.
std::int64_t steps_to_watch(const std::string& option, double time, double h);

}  // namespace scree
