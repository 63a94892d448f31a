// SPDX-License-Identifier: BSD-3-Clause
/// The number types that everything is compiled for. A template's own file instantiates it for all of
/// them with SCREE_FOR_REALS(F), which calls F(D, T) for every dimension and number type.
#pragma once

#include <type_traits>

#include "scree/core/constants.hpp"
#include "scree/core/dd.hpp"
#include "scree/core/dd_math.hpp"

#define SCREE_FOR_REALS(F) F(2, double) F(3, double) F(2, dd) F(3, dd)

namespace scree {

template <class T> inline constexpr bool is_dd = std::is_same_v<T, dd>;

/// The number hi + lo, of which `double` keeps hi.
template <class T> T join_words(double hi, double lo) {
  if constexpr (is_dd<T>) return dd(hi, lo);
  else return hi;
}
inline double low_word(double) { return 0; }
inline double low_word(const dd& x) { return x.lo; }

}  // namespace scree
