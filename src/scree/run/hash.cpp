// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/hash.hpp"

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace scree {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  return XXH64(bytes.data(), bytes.size(), seed);
}

}  // namespace scree
