// SPDX-License-Identifier: BSD-3-Clause
/// The distance of two histories of the same grains, as a function of time:
///
///     d(H1, H2)(t) = mean over grains of |x1(t) - x2(t)| / mean radius
///
/// over grains of the same id that are not held. On periodic axes the shortest distance counts.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

/// A history, frame by frame. RunReader::trajectory makes one of a file.
struct Trajectory {
  std::string name;  // for messages
  int dim = 2;
  std::vector<double> times;
  std::vector<double> period;  // dim numbers, 0: open axis; may be empty
  std::function<Frame(std::size_t)> frame;
};

/// One common instant. Distances in mean radii.
struct DistanceRow {
  double time = 0;
  double mean = 0;
  double largest = 0;
  std::int64_t farthest = -1;  // id of the grain with the largest distance
};

/// InputError if the ids differ.
DistanceRow frame_distance(const Frame& a, const Frame& b, const std::vector<double>& period = {});

/// All common times: those of `a` that have a time of `b` within `tolerance` (s; negative: a
/// millionth of the spacing of the frames). InputError if ids, dimensions or periods differ, or if
/// there is no common time.
std::vector<DistanceRow> compare(const Trajectory& a, const Trajectory& b, double tolerance = -1);

}  // namespace scree
