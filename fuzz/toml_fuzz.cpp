// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a scene file, and as the value of --set: an InputError or a document, never a crash.
// And what toml_guard() refuses, other than for its limits, is not TOML for the parser either.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/io/toml.hpp"
#include "scree/io/toml_reader.hpp"

namespace {

void read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    const auto document = scree::TomlDocument::parse(text, "scene", overrides);
    (void)document.canonical();
  } catch (const scree::InputError&) {
  }
}

bool is_toml(const std::string& text) {
  try {
    (void)toml::parse(text);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto refusal = scree::toml_guard(text);
      refusal && !refusal->reason.starts_with("nested too deeply") &&
      !refusal->reason.starts_with("expected a value of at most") && is_toml(text)) {
    std::fprintf(stderr, "refused, but valid: %u:%u: %s\n", refusal->line, refusal->column,
                 refusal->reason.c_str());
    std::abort();
  }
  read(text);
  if (size <= 400) read("a = 1\n", {"b.c=" + text});  // no one types more
  return 0;
}
