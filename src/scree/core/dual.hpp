// SPDX-License-Identifier: BSD-3-Clause
/// Dual numbers a + b ε with ε² = 0: a function of one, evaluated at x + ε, gives f(x) + f'(x) ε. The laws
/// are templates over their number type, so their exact slopes cost no second formula.
#pragma once

#include <cmath>
#include <concepts>

#include "scree/core/reals.hpp"

namespace scree {

template <class T>
struct Dual {
  T value{}, slope{};

  constexpr Dual() = default;
  template <class U>
    requires std::convertible_to<U, T>
  constexpr Dual(const U& a) : value(a) {}  // NOLINT: a constant is a dual number
  constexpr Dual(const T& a, const T& b) : value(a), slope(b) {}

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
  }
  /// Of a positive number.
  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const T root = sqrt(a.value);
    return {root, a.slope / (root + root)};
  }
  /// Of a positive number, to a constant power.
  friend Dual pow(const Dual& a, const Dual& b) {
    using std::pow;
    const T power = pow(a.value, b.value);
    return {power, b.value * power / a.value * a.slope};
  }
};

}  // namespace scree
