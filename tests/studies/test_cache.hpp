// SPDX-License-Identifier: BSD-3-Clause
/// A cache of a test's own: SCREE_CACHE for the length of a test, and answers kept there (studies/kept.hpp) changed.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

namespace scree::test {

class CacheSetting {
 public:
  explicit CacheSetting(const std::string& value) {
    if (const char* now = std::getenv("SCREE_CACHE")) before_ = now;
    setenv("SCREE_CACHE", value.c_str(), 1);
  }
  ~CacheSetting() {
    if (before_.empty())
      unsetenv("SCREE_CACHE");
    else
      setenv("SCREE_CACHE", before_.c_str(), 1);
  }
  CacheSetting(const CacheSetting&) = delete;
  CacheSetting& operator=(const CacheSetting&) = delete;

 private:
  std::string before_;
};

template <class Change> void change_kept(const std::filesystem::path& path, const Change& change) {
  std::ifstream in(path, std::ios::binary);
  auto answer = nlohmann::json::from_cbor(in);
  change(answer);
  std::ofstream out(path, std::ios::binary);
  nlohmann::json::to_cbor(answer, nlohmann::detail::output_adapter<char>(out));
}

}  // namespace scree::test
