// SPDX-License-Identifier: BSD-3-Clause
/// Mathematical constants to the last bit of a double-double, for any number type that one converts
/// to: constant::pi<double>(), constant::pi<T>(). T(std::numbers::pi) would stop at 16 digits.
#pragma once

#include "scree/core/dd.hpp"

namespace scree::constant {

template <class T> SCREE_FN constexpr T pi() {
  return static_cast<T>(dd(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53));
}
template <class T> SCREE_FN constexpr T two_pi() {
  return static_cast<T>(dd(0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52));
}
template <class T> SCREE_FN constexpr T half_pi() {
  return static_cast<T>(dd(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54));
}
template <class T> SCREE_FN constexpr T e() {
  return static_cast<T>(dd(0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53));
}
template <class T> SCREE_FN constexpr T ln2() {
  return static_cast<T>(dd(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56));
}
template <class T> SCREE_FN constexpr T ln10() {
  return static_cast<T>(dd(0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53));
}
template <class T> SCREE_FN constexpr T sqrt2() {
  return static_cast<T>(dd(0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54));
}
template <class T> SCREE_FN constexpr T sqrt_pi() {
  return static_cast<T>(dd(0x1.c5bf891b4ef6bp+0, -0x1.618f13eb7ca89p-54));
}

}  // namespace scree::constant
