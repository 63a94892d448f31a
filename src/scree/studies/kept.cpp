// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/kept.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>

#include "scree/io/atomic_file.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/hash.hpp"

namespace scree {

Kept::Kept(std::string_view kind, const AnyScene& scene, std::string_view question) {
  const std::filesystem::path root = cache_folder();
  if (root.empty()) return;
  const SceneHeader& h = header(scene);
  const std::string whole = fmt::format("{:016x} {:016x} {}", hash_of_program(), h.start_hash, question);
  place_ = root / fmt::format("{}-{:016x}.cbor", kind, hash_bytes(h.text, hash_bytes(whole)));
}

bool Kept::find(const std::function<void(const nlohmann::json&)>& read) const {
  if (place_.empty()) return false;
  std::ifstream file(place_, std::ios::binary);
  if (!file) return false;
  try {
    read(nlohmann::json::from_cbor(file));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void Kept::keep(const nlohmann::json& answer) const {
  if (place_.empty()) return;
  try {
    std::string bytes;
    nlohmann::json::to_cbor(answer, nlohmann::detail::output_adapter<char>(bytes));
    make_folder(place_.parent_path());
    write_file(place_, bytes);
  } catch (const std::exception&) {
  }
}

}  // namespace scree
