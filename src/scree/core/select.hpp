// SPDX-License-Identifier: BSD-3-Clause
/// The choice between two numbers, for physics that runs on single numbers and on packs of them alike
/// (core/pack.hpp): both are computed, one is taken, no branch.
#pragma once

#include "scree/core/config.hpp"

namespace scree {

template <class T>
SCREE_FN constexpr T select(bool which, const T& yes, const T& no) { return which ? yes : no; }

/// `and` and `or` that evaluate both sides, as packs must.
SCREE_FN constexpr bool both(bool a, bool b) { return static_cast<bool>(static_cast<int>(a) & static_cast<int>(b)); }
SCREE_FN constexpr bool either(bool a, bool b) { return static_cast<bool>(static_cast<int>(a) | static_cast<int>(b)); }

/// Is it true of some lane of a pack? A single number has one.
SCREE_FN constexpr bool some(bool a) { return a; }

/// What comparing two numbers gives: bool, or a mask.
template <class T> using Truth = decltype(T(0) < T(0));

}  // namespace scree
