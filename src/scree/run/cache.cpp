// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/cache.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace scree {

std::uint64_t hash_of_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return XXH64(bytes.data(), bytes.size(), 0);
}

std::filesystem::path cache_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (const std::string own = variable("SCREE_CACHE"); !own.empty()) return own == "off" ? "" : own;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return std::filesystem::path(xdg) / "scree";
  if (const std::string home = variable("HOME"); !home.empty())
    return std::filesystem::path(home) / ".cache" / "scree";
  return {};
}

StartCache::StartCache(std::uint64_t start_hash) {
  const std::filesystem::path root = cache_folder();
  if (!root.empty()) folder_ = root / fmt::format("start-{:016x}-{:016x}", start_hash, hash_of_program());
}

std::optional<Checkpoint> StartCache::find() const {
  if (folder_.empty()) return {};
  try {
    if (auto found = read_checkpoint(folder_)) return std::move(found->checkpoint);
  } catch (const std::exception&) {
    // damaged: settle again
  }
  return {};
}

void StartCache::keep(const Checkpoint& rested) const {
  if (folder_.empty()) return;
  try {
    write_checkpoint(folder_, rested);
  } catch (const std::exception&) {
  }
}

}  // namespace scree
