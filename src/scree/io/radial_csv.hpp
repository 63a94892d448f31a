// SPDX-License-Identifier: BSD-3-Clause
/// The radial profile of a run in the plane as a table: analysis/radial_profile.hpp over its frames.
#pragma once

#include <filesystem>

#include "scree/analysis/radial_profile.hpp"
#include "scree/io/csv.hpp"

namespace scree {

struct RadialOptions {
  double x = 0, y = 0;    // m, the centre
  std::size_t bins = 48;  // rings between the edges of what the free grains cover
  double skip = -1;       // m off the inner edge, where the decay is not fitted; negative: a layer of grains, which the wall carries along
  double floor = 0.02;    // of the speed at the beginning of the fit: how far it goes
};

struct RadialResult {
  std::filesystem::path file;  // radial.csv: r, packing, v_t, v_r, rate, spin
  std::vector<RadialProfile::Row> rows;
  Decay decay;
  DecayInterval interval;            // of its length, by ten blocks of frames
  double nearest = 0, farthest = 0;  // m, of the free grains' centres
  std::size_t frames = 0;
};

/// InputError if the run is not in the plane or has no free grains.
RadialResult write_radial_csv(const RunReader& run, const std::filesystem::path& dir, const ExportOptions& frames,
                              const RadialOptions& options);

}  // namespace scree
