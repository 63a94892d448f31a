// SPDX-License-Identifier: BSD-3-Clause
/// LAMMPS text dump, which OVITO opens: id type x y z radius vx vy vz omegax omegay omegaz. The
/// type is the material's number plus one; in the plane z = 0.
#pragma once

#include "scree/analysis/frame.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/run_file.hpp"

namespace scree {

void write_lammps_frame(AtomicFile& out, const Frame& frame, const RunInfo& info);

}  // namespace scree
