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
/// c is the row sum of a. A pair has a second row of weights, `other`, of another order on the same
/// stages: the difference of the two results estimates the error of a step.
template <int S>
struct Tableau {
  static constexpr int stages = S;
  std::string_view name;
  int order = 0;
  std::array<std::array<Ratio, S>, S> a{};
  std::array<Ratio, S> b{};
  std::string_view source;
  std::array<Ratio, S> other{};
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

/// Fehlberg's 4(5): b is of order 4, other of order 5.
inline constexpr Tableau<6> fehlberg45{
    .name = "rkf45",
    .order = 4,
    .a = {{{},
           {{{1, 4}}},
           {{{3, 32}, {9, 32}}},
           {{{1932, 2197}, {-7200, 2197}, {7296, 2197}}},
           {{{439, 216}, {-8, 1}, {3680, 513}, {-845, 4104}}},
           {{{-8, 27}, {2, 1}, {-3544, 2565}, {1859, 4104}, {-11, 40}}}}},
    .b = {{{25, 216}, {}, {1408, 2565}, {2197, 4104}, {-1, 5}, {}}},
    .source = "Fehlberg, NASA TR R-315 (1969)",
    .other = {{{16, 135}, {}, {6656, 12825}, {28561, 56430}, {-9, 50}, {2, 55}}}};

/// The same pair, advancing the result of order 5.
inline constexpr Tableau<6> fehlberg54{.name = "rkf45n",
                                       .order = 5,
                                       .a = fehlberg45.a,
                                       .b = fehlberg45.other,
                                       .source = fehlberg45.source,
                                       .other = fehlberg45.b};

inline constexpr Tableau<7> dormand_prince{
    .name = "dormand-prince",
    .order = 5,
    .a = {{{},
           {{{1, 5}}},
           {{{3, 40}, {9, 40}}},
           {{{44, 45}, {-56, 15}, {32, 9}}},
           {{{19372, 6561}, {-25360, 2187}, {64448, 6561}, {-212, 729}}},
           {{{9017, 3168}, {-355, 33}, {46732, 5247}, {49, 176}, {-5103, 18656}}},
           {{{35, 384}, {}, {500, 1113}, {125, 192}, {-2187, 6784}, {11, 84}}}}},
    .b = {{{35, 384}, {}, {500, 1113}, {125, 192}, {-2187, 6784}, {11, 84}, {}}},
    .source = "Dormand and Prince, J. Comput. Appl. Math. 6, 19 (1980)",
    .other = {{{5179, 57600}, {}, {7571, 16695}, {393, 640}, {-92097, 339200}, {187, 2100}, {1, 40}}}};

}  // namespace scree
