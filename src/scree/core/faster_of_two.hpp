// SPDX-License-Identifier: BSD-3-Clause
/// Which of two ways to do the same is the faster one here, on this machine and with this work?
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace scree {

/// They are tried in turns, some goes each time, and the quickest go of each counts: what slows a machine down for a moment may
/// come in either's turn, and nothing makes a go quicker than it is. The faster way is then taken for many goes, and both are tried
/// again.
class FasterOfTwo {
 public:
  static constexpr int goes = 8, turns = 4;        // in a turn, or two of several at once; half of the turns are each one's
  static constexpr std::int64_t for_many = 20000;  // goes
  static constexpr double favoured = 1.1;          // the second way may seem so much slower: it is the one that mostly wins, and machines are noisy

  /// Is the next go to be done the second way?
  bool second() const { return trying() ? done_ / goes % 2 == 1 : best_[1] < favoured * best_[0]; }
  /// Is it to be timed?
  bool trying() const { return done_ < goes * turns; }
  /// It was, and took so long; several at once took so long each.
  void took(double seconds, std::int64_t at_once = 1) {
    double& best = best_[second() ? 1 : 0];
    best = std::min(best, seconds);
    done_ += std::clamp<std::int64_t>(at_once, 1, goes / 2);  // two a turn, or the first, which finds the caches cold, would be all
  }
  /// It was not.
  void passed() {
    if (++done_ >= goes * turns + for_many) *this = {};
  }

 private:
  std::int64_t done_ = 0;
  double best_[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

}  // namespace scree
