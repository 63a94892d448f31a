// SPDX-License-Identifier: BSD-3-Clause
/// Progress on standard error: one line that renews itself on a terminal, plain lines every few
/// seconds elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace scree {

class Progress {
 public:
  /// `label` as in "settling" or the scene's name; `steps` in all, `done` so far.
  Progress(std::string label, std::int64_t steps, std::int64_t done, std::size_t grains, bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap; looks at the clock now and then. `kinetic` is asked only when a line is printed.
  void at(std::int64_t step, double time, const std::function<double()>& kinetic);
  /// Ends the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::int64_t step, double time, double kinetic);
  std::string label_;
  std::int64_t steps_, first_;
  std::size_t grains_;
  bool wanted_, terminal_;
  Clock::time_point start_, last_;
  std::size_t width_ = 0;
};

/// "1 h 02 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds);

}  // namespace scree
