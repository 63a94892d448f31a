// SPDX-License-Identifier: BSD-3-Clause
/// The profile of a run across one axis as a table: analysis/profile.hpp over its frames.
#pragma once

#include <filesystem>

#include "scree/analysis/profile.hpp"
#include "scree/analysis/steady.hpp"
#include "scree/io/csv.hpp"

namespace scree {

struct ProfileOptions {
  int axis = 1;
  std::size_t bins = 48;        // slabs over the extent of the free grains
  bool steady_only = false;     // leave out frames before the flow has become steady
};

struct ProfileResult {
  std::filesystem::path file;   // profile.csv: z, packing, vx, vy[, vz], temperature
  std::vector<Profile::Row> rows;
  std::size_t frames = 0;
  Steady steady;                // of the kinetic energy, over the whole run
  double steady_from = 0;       // s
};

/// Across the other axes a slab is as wide as the period, or as the grains reach. InputError if the run has no free
/// grains, no such axis, or is to be steady and is not.
ProfileResult write_profile_csv(const RunReader& run, const std::filesystem::path& dir, const ExportOptions& frames,
                                const ProfileOptions& options);

}  // namespace scree
