// SPDX-License-Identifier: BSD-3-Clause
/// LAMMPS text files. Frames of a run become a text dump, which OVITO opens: id type x y z radius vx vy vz
/// omegax omegay omegaz; the type is the material's number plus one; in the plane z = 0.
///
/// The same dump carries whole states between Scree and other codes (`scree bench`): read and written
/// with 17 digits, so that a round trip keeps every bit.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/run_file.hpp"

namespace scree {

void write_lammps_frame(AtomicFile& out, const Frame& frame, const RunInfo& info);

/// One grain of a dump.
struct DumpGrain {
  std::int64_t id = 0;
  int type = 1;
  std::array<double, 3> x{};
  double radius = 0;
  std::array<double, 3> v{}, w{};
};

/// One frame of a dump: the box, its boundaries ("pp": periodic) and the grains by id.
struct LammpsDump {
  std::int64_t step = 0;
  std::array<std::string, 3> bounds{"ff", "ff", "ff"};
  std::array<double, 3> lo{}, hi{};
  std::vector<DumpGrain> grains;

  bool periodic(std::size_t axis) const { return bounds[axis] == "pp"; }
};

/// The first frame of a text dump, plain or packed (gzip), with the columns named above. Throws
/// InputError with file and line.
LammpsDump read_lammps_dump(const std::filesystem::path& path);
/// f(frame) for all of them, one after the other.
void for_each_lammps_frame(const std::filesystem::path& path, const std::function<void(const LammpsDump&)>& f);
void write_lammps_dump(const std::filesystem::path& path, const LammpsDump& dump);

/// What `read_data` of LAMMPS and LIGGGHTS takes (atom style sphere), for grains of one density and two
/// types. `half_depth` replaces the extent of the box in z: a plane as a box one grain thick.
void write_lammps_data(const std::filesystem::path& path, const LammpsDump& dump, double density,
                       std::optional<double> half_depth = {});

}  // namespace scree
