// SPDX-License-Identifier: BSD-3-Clause
/// Field lists: a settings struct names its members once, and the scene reader (types, units,
/// bounds, nearest valid key), the help, `check`, the output header and the docs all read that list.
///
///     struct Hertz {
///       double k = 0;
///       static constexpr auto fields() { return std::tuple{field<&Hertz::k>("k", "N m^-3/2", positive)}; }
///     };
#pragma once

#include <cmath>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace scree {

/// What a number may be. Non-finite numbers are never allowed.
enum class Bound { any, positive, non_negative, fraction, integer };

inline constexpr Bound any = Bound::any;
inline constexpr Bound positive = Bound::positive;          // > 0
inline constexpr Bound non_negative = Bound::non_negative;  // >= 0
inline constexpr Bound fraction = Bound::fraction;          // 0 <= x <= 1

constexpr std::string_view expected(Bound b) {
  switch (b) {
    case Bound::positive: return "a number > 0";
    case Bound::non_negative: return "a number >= 0";
    case Bound::fraction: return "a number between 0 and 1";
    default: return "a finite number";
  }
}
inline bool within(Bound b, double x) {
  if (!std::isfinite(x)) return false;
  switch (b) {
    case Bound::positive: return x > 0;
    case Bound::non_negative: return x >= 0;
    case Bound::fraction: return x >= 0 && x <= 1;
    default: return true;
  }
}

template <class C, class M>
struct Field {
  M C::*member;
  std::string_view name;
  std::string_view unit;  // "" for a pure number
  Bound bound;
  std::string_view meaning;  // one short sentence, may be empty
  using Class = C;
  using Member = M;
};

template <class P> struct MemberOf;
template <class C, class M> struct MemberOf<M C::*> {
  using Class = C;
  using Member = M;
};

template <auto P>
constexpr auto field(std::string_view name, std::string_view unit = "", Bound bound = any,
                     std::string_view meaning = "") {
  using M = MemberOf<decltype(P)>;
  return Field<typename M::Class, typename M::Member>{P, name, unit, bound, meaning};
}

/// Calls f(field) for every field of S, in order.
template <class S, class F>
constexpr void for_each_field(F&& f) {
  std::apply([&](const auto&... one) { (f(one), ...); }, S::fields());
}

}  // namespace scree
