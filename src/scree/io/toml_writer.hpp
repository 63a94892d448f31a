// SPDX-License-Identifier: BSD-3-Clause
/// TOML out of a document's tree.
#pragma once

#include <string>
#include <vector>

#include "scree/io/toml_reader.hpp"

namespace scree {

/// A text that reads back as the same tree, in the order of the file.
std::string write_toml(const TomlNode& root);

/// The same for documents that say the same: keys sorted, numbers in one spelling, and without the
/// given dotted keys.
std::string canonical_toml(const TomlNode& root, const std::vector<std::string>& without);

/// A number as TOML spells it.
std::string toml_number(double x);

}  // namespace scree
