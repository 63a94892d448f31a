// SPDX-License-Identifier: BSD-3-Clause
/// The blocks [[fields]] of a file, for a run that is over: the same as those of its scene.
#pragma once

#include <string>
#include <vector>

#include "scree/fields/live.hpp"

namespace scree {

/// Whatever else the file holds is not looked at, so a scene will do. InputError names the place.
std::vector<fields::LiveSettings> read_field_blocks(const std::string& file, const RunInfo& info);

}  // namespace scree
