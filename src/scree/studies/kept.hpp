// SPDX-License-Identifier: BSD-3-Clause
/// Answers of single runs of a study, kept in the cache, so that a study that was killed goes on with the
/// runs it had not finished. An answer is kept under the scene (its text, and the files it names), the
/// question and the program, byte for byte: the cache can never give other bits than asking again would.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "scree/run/scene.hpp"

namespace scree {

class Kept {
 public:
  /// `kind` is the first word of the file's name; `question` all that the answer depends on but the scene.
  Kept(std::string_view kind, const AnyScene& scene, std::string_view question);

  /// Whether an answer is there and `read` took it. One that is damaged (`read` throws) counts as none.
  bool find(const std::function<void(const nlohmann::json&)>& read) const;
  /// Numbers keep all their bits (CBOR). A cache that cannot be written is no reason to stop.
  void keep(const nlohmann::json& answer) const;

 private:
  std::filesystem::path place_;  // empty: there is no place for a cache
};

}  // namespace scree
