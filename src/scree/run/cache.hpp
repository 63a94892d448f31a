// SPDX-License-Identifier: BSD-3-Clause
/// Settled starts, kept between runs. The key is everything that the start depends on: the scene
/// (less its output and duration) and the program itself, byte for byte, so that the cache can
/// never give other bits than settling again would.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "scree/io/checkpoint.hpp"

namespace scree {

class StartCache {
 public:
  explicit StartCache(std::uint64_t start_hash);
  std::optional<Checkpoint> find() const;
  /// A cache that cannot be written is no reason to stop.
  void keep(const Checkpoint& rested) const;

 private:
  std::filesystem::path folder_;  // empty: there is no place for a cache
};

/// XXH64 of the running program, byte for byte: results kept under it are never those of another program.
std::uint64_t hash_of_program();

/// $SCREE_CACHE, $XDG_CACHE_HOME/scree or ~/.cache/scree; empty if none of these is set. SCREE_CACHE=off
/// turns the cache off.
std::filesystem::path cache_folder();

}  // namespace scree
