// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>

namespace scree {

/// Adds the time that it lives to `total`. With a few grains looking at the clock would cost as much
/// as the force: nobody profiles these.
class Stopwatch {
 public:
  Stopwatch(double& total, std::size_t grains) : total_(total), runs_(grains > 100) {
    if (runs_) start_ = std::chrono::steady_clock::now();
  }
  ~Stopwatch() {
    if (runs_) total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  bool runs_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace scree
