// SPDX-License-Identifier: BSD-3-Clause
/// The page of a reproduction, from what reproduction.json says of each study. One file: styles
/// inside, pictures by relative links, no script.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace scree {

std::string reproduction_page(const std::vector<nlohmann::ordered_json>& entries, bool quick);

}  // namespace scree
