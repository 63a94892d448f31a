// SPDX-License-Identifier: BSD-3-Clause
/// What can be said against settings of fields before there is any work.
#pragma once

#include "scree/fields/live.hpp"

namespace scree::fields {

/// InputError if width, domain, balances and grid do not go together.
void check(const Grid& grid, const Settings& settings);

/// InputError for settings that no first frame could make good.
void check_plan(const LiveSettings& settings, const RunInfo& info);

}  // namespace scree::fields
