// SPDX-License-Identifier: BSD-3-Clause
/// Names that people type: the nearest valid one, and how to print what they typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// The candidate that `name` was probably meant to be, or "" if none is near. The measure is the
/// number of letters to insert, drop, change or swap; case, '-' and '_' do not count, and a name
/// that begins like a candidate (or the other way round) is near it.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// `; did you mean "X"?`, or "" if nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c".
std::string join(const std::vector<std::string>& names);

/// `"text"` on one line: control characters escaped, the middle left out when it is long.
std::string in_quotes(std::string_view text);

/// The shortest decimal that reads back as x.
std::string shortest(double x);

/// A number for people: six digits at most.
std::string brief(double x);

}  // namespace scree
