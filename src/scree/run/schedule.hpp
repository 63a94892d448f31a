// SPDX-License-Identifier: BSD-3-Clause
/// When something happens during a run.
#pragma once

#include <cmath>
#include <cstdint>

namespace scree {

/// Steps at which something happens every `every` seconds: the k-th at the step nearest to k every.
struct Schedule {
  double every = 0;             // s
  std::int64_t every_steps = 0;
  double dt = 0;
  bool due(std::int64_t step) const {
    if (every_steps > 0) return step % every_steps == 0;
    if (!(every > 0)) return false;
    const double k = std::round(static_cast<double>(step) * dt / every);
    return static_cast<std::int64_t>(std::llround(k * every / dt)) == step;
  }
};

}  // namespace scree
