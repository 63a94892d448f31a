// SPDX-License-Identifier: BSD-3-Clause
/// Runge-Kutta methods as data: exact rationals, so that every number type gets every digit.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace scree {

/// n/d, exactly.
struct Ratio {
  std::int64_t n = 0, d = 1;
  constexpr bool zero() const { return n == 0; }
  template <class T> constexpr T as() const { return T(static_cast<double>(n)) / T(static_cast<double>(d)); }
};

/// An explicit method of S stages: k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j), y += h sum b_i k_i.
/// c is the row sum of a.
template <int S>
struct Tableau {
  static constexpr int stages = S;
  std::string_view name;
  int order = 0;
  std::array<std::array<Ratio, S>, S> a{};
  std::array<Ratio, S> b{};
  std::string_view source;
};

inline constexpr Tableau<4> rk4{.name = "rk4",
                                .order = 4,
                                .a = {{{}, {{{1, 2}}}, {{{}, {1, 2}}}, {{{}, {}, {1, 1}}}}},
                                .b = {{{1, 6}, {1, 3}, {1, 3}, {1, 6}}},
                                .source = "Kutta, Z. Math. Phys. 46, 435 (1901)"};

inline constexpr Tableau<2> heun{.name = "heun",
                                 .order = 2,
                                 .a = {{{}, {{{1, 1}}}}},
                                 .b = {{{1, 2}, {1, 2}}},
                                 .source = "Heun, Z. Math. Phys. 45, 23 (1900)"};

}  // namespace scree
