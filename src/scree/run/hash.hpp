// SPDX-License-Identifier: BSD-3-Clause
/// XXH64 of texts.
#pragma once

#include <cstdint>
#include <string_view>

namespace scree {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace scree
