// SPDX-License-Identifier: BSD-3-Clause
/// A look at a TOML text before it is parsed.
///
/// The parser (toml++ 3.3.0, as in Debian 12) recurses once per dot of a key and steps back further
/// than it remembers in a long number; neither can be mended from outside. What would lead it there
/// is refused here, together with a few mistakes on which its own message is of little help. One
/// pass, which knows strings, comments and brackets and nothing else: valid TOML within the limits
/// below passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scree {

inline constexpr std::size_t toml_depth_limit = 32;   // of brackets [ { within each other
inline constexpr std::size_t toml_dots_limit = 32;    // in one key
inline constexpr std::size_t toml_value_limit = 120;  // characters of a number, date or word

/// What is wrong, and where (from 1; columns count code points).
struct TomlRefusal {
  std::uint32_t line = 1, column = 1;
  std::string reason;
};

/// Why the text must not be parsed, if it must not.
std::optional<TomlRefusal> toml_guard(std::string_view text);

}  // namespace scree
