// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>

namespace scree {

using Clock = std::chrono::steady_clock;

/// The time, if there are grains enough. With a few looking at the clock would cost as much as the force: nobody profiles these.
inline Clock::time_point now(std::size_t grains) { return grains > 100 ? Clock::now() : Clock::time_point{}; }
inline double seconds(Clock::time_point from, Clock::time_point to) { return std::chrono::duration<double>(to - from).count(); }

/// Adds the time that it lives to `total`.
class Stopwatch {
 public:
  Stopwatch(double& total, std::size_t grains) : total_(total), grains_(grains), start_(now(grains)) {}
  ~Stopwatch() { total_ += seconds(start_, now(grains_)); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  std::size_t grains_;
  Clock::time_point start_;
};

}  // namespace scree
