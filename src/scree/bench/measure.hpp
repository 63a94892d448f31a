// SPDX-License-Identifier: BSD-3-Clause
/// One measurement: a bed, a law, a number of threads, one timed loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scree/bench/statistics.hpp"

namespace scree {

/// What a timed loop of any code tells. What a code does not tell is left out.
struct Timing {
  double seconds = 0;  // of the timed loop alone
  std::size_t grains = 0;
  std::int64_t steps = 0;
  std::optional<std::int64_t> rebuilds;   // of neighbour lists, in the timed loop
  std::optional<double> bytes;            // per grain
  std::optional<double> instructions;     // per grain and step
  std::optional<BedStatistics> statistics;  // if looks were asked for
  // Scree alone: seconds per phase of the engine, over the timed loop, and the bits at its end
  double refresh = 0, sweep = 0, gather = 0;
  std::uint64_t hash = 0;

  double speed() const { return static_cast<double>(grains) * static_cast<double>(steps) / seconds; }
};

/// Scree from the given state: warm-up steps, then the timed loop, then the looks, if any. Throws RunError if the run goes wrong.
Timing measure_scree(const BedInfo& bed, const LammpsDump& state, const BedOptions& options, const BedSteps& steps, int threads,
                     const std::optional<BedLooks>& looks);

}  // namespace scree
