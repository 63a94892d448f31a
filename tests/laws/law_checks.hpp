// SPDX-License-Identifier: BSD-3-Clause
/// What every law must satisfy, whoever wrote it. The tests loop over the registry with these, so a
/// new law is tested before its author writes a test.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "scree/laws/contact_table.hpp"

namespace scree::law_checks {

/// Calls f(L{}) for every alternative L of a variant.
template <class Variant, class F, std::size_t... I>
void for_each_law(F&& f, std::index_sequence<I...>) {
  (f(std::variant_alternative_t<I, Variant>{}), ...);
}
template <class Variant, class F> void for_each_law(F&& f) {
  for_each_law<Variant>(f, std::make_index_sequence<std::variant_size_v<Variant>>{});
}

using Dice = std::mt19937_64;
inline double between(Dice& dice, double a, double b) {
  return a + (b - a) * (static_cast<double>(dice() >> 11) * 0x1p-53);
}

/// A law with all coefficients of the order of one, where one is allowed.
template <class L> L random_law(Dice& dice) {
  L law{};
  for_each_field<L>([&](const auto& f) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(law.*f.member)>, double>)
      law.*f.member = f.bound == fraction ? between(dice, 0.1, 0.9) : between(dice, 0.4, 1.8);
  });
  return law;
}

inline Overlap<double> random_overlap(Dice& dice) {
  return {.xi = std::exp(between(dice, -3, 1)),
          .rate = between(dice, -1, 1),
          .r_eff = between(dice, 0.5, 2),
          .m_eff = between(dice, 0.5, 2)};
}

inline Slip<double> random_slip(Dice& dice) {
  const Overlap<double> c = random_overlap(dice);
  return {c.xi, c.rate, c.r_eff, c.m_eff, between(dice, 0.1, 3), between(dice, 0, 1)};
}

/// f'(x) by central differences at steps h, h/2, h/4…, extrapolated (Ridders): the best of the
/// table.
template <class F> double derivative(F&& f, double x, double h) {
  constexpr int rows = 8;
  double table[rows][rows], best = 0, error = 1e300;
  for (int i = 0; i < rows; ++i, h /= 2) {
    table[i][0] = (f(x + h) - f(x - h)) / (2 * h);
    double power = 4;
    for (int j = 1; j <= i; ++j, power *= 4) {
      table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (power - 1);
      const double change = std::max(std::abs(table[i][j] - table[i][j - 1]),
                                     std::abs(table[i][j] - table[i - 1][j - 1]));
      if (change < error) error = change, best = table[i][j];
    }
  }
  return best;
}

/// A number type that is not double, whose functions are found by argument-dependent lookup: what
/// double-double will be to the laws.
struct Wide {
  long double value = 0;
  Wide() = default;
  Wide(double x) : value(x) {}  // implicit: coefficients are doubles
  static Wide of(long double x) {
    Wide w;
    w.value = x;
    return w;
  }
  explicit operator double() const { return static_cast<double>(value); }
  friend Wide operator+(const Wide& a, const Wide& b) { return of(a.value + b.value); }
  friend Wide operator-(const Wide& a, const Wide& b) { return of(a.value - b.value); }
  friend Wide operator*(const Wide& a, const Wide& b) { return of(a.value * b.value); }
  friend Wide operator/(const Wide& a, const Wide& b) { return of(a.value / b.value); }
  friend Wide operator-(const Wide& a) { return of(-a.value); }
  Wide& operator+=(const Wide& b) { return *this = *this + b; }
  Wide& operator-=(const Wide& b) { return *this = *this - b; }
  Wide& operator*=(const Wide& b) { return *this = *this * b; }
  friend bool operator<(const Wide& a, const Wide& b) { return a.value < b.value; }
  friend bool operator>(const Wide& a, const Wide& b) { return a.value > b.value; }
  friend bool operator<=(const Wide& a, const Wide& b) { return a.value <= b.value; }
  friend bool operator>=(const Wide& a, const Wide& b) { return a.value >= b.value; }
  friend bool operator==(const Wide& a, const Wide& b) { return a.value == b.value; }
  friend Wide sqrt(const Wide& a) { return of(std::sqrt(a.value)); }
  friend Wide pow(const Wide& a, const Wide& b) { return of(std::pow(a.value, b.value)); }
  // There is no table of the mollified root for this type.
  friend Wide mollified_root(const Wide& x, const Wide& eps) {
    return scree::mollified_root(static_cast<double>(x), static_cast<double>(eps));
  }
  friend Wide mollified_root_integral(const Wide& s) {
    return scree::mollified_root_integral(static_cast<double>(s));
  }
  friend Wide mollified_root_moment(const Wide& s) {
    return scree::mollified_root_moment(static_cast<double>(s));
  }
};

/// Equal up to some roundings: each function of a law is a handful of operations.
inline constexpr double few_roundings = 1e-14;

inline void expect_close(double a, double b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a, b, tolerance * std::max(std::abs(a), std::abs(b))) << what;
}

/// dE/dξ = elastic force. The extrapolated difference of an energy good to 1e-13 over a step of
/// ξ/64 or less is good to about 1e-11 of the force; 1e-9 leaves room for steep laws.
template <NormalLaw L> void energy_differentiates_to_elastic_force(const L& law, Dice& dice) {
  for (int i = 0; i < 200; ++i) {
    Overlap<double> c = random_overlap(dice);
    const auto energy = [&](double xi) {
      Overlap<double> d = c;
      d = d.at(xi);
      return law.energy(d);
    };
    expect_close(derivative(energy, c.xi, c.xi / 64), law.elastic(c), 1e-9,
                 std::string(L::name) + " at xi = " + std::to_string(c.xi));
  }
}

/// dψ/dξ = dashpot coefficient, and ψ(0) = 0.
template <NormalLaw L> void impulse_differentiates_to_damping(const L& law, Dice& dice) {
  for (int i = 0; i < 200; ++i) {
    Overlap<double> c = random_overlap(dice);
    const auto impulse = [&](double xi) {
      Overlap<double> d = c;
      d = d.at(xi);
      return law.impulse(d);
    };
    expect_close(derivative(impulse, c.xi, c.xi / 64), law.damping(c), 1e-9,
                 std::string(L::name) + " at xi = " + std::to_string(c.xi));
    EXPECT_EQ(impulse(0), 0) << L::name;
  }
}

/// At touch there is no force on grains at rest and no stored energy, and both fade continuously.
template <NormalLaw L> void nothing_acts_at_touch(const L& law) {
  Overlap<double> c{.xi = 0, .rate = 0, .r_eff = 1, .m_eff = 1};
  EXPECT_EQ(law.elastic(c), 0) << L::name;
  EXPECT_EQ(law.energy(c), 0) << L::name;
  EXPECT_EQ(force(law, c), 0) << L::name;
  c = c.at(1e-12);
  EXPECT_LT(std::abs(law.elastic(c)), 1e-3) << L::name;
  EXPECT_LT(std::abs(law.energy(c)), 1e-6) << L::name;
}

/// A dashpot takes energy, never gives it; and the force does not depend on the rate otherwise.
template <NormalLaw L> void dashpot_dissipates(const L& law, Dice& dice) {
  for (int i = 0; i < 200; ++i) {
    const Overlap<double> c = random_overlap(dice);
    Overlap<double> still = c;
    still.rate = 0;
    EXPECT_GE(law.damping(c), 0) << L::name;
    EXPECT_TRUE(std::isfinite(law.damping(c))) << L::name;
    EXPECT_EQ(law.damping(c), law.damping(still))
        << L::name << ": the form is elastic + damping * rate";
    EXPECT_EQ(law.elastic(c), law.elastic(still))
        << L::name << ": the form is elastic + damping * rate";
    expect_close(force(law, c), law.elastic(c) + law.damping(c) * c.rate, 0, std::string(L::name));
  }
}

/// The same formula in another number type.
template <NormalLaw L> void number_types_agree(const L& law, Dice& dice) {
  for (int i = 0; i < 200; ++i) {
    const Overlap<double> c = random_overlap(dice);
    const Overlap<Wide> w{c.xi, c.rate, c.r_eff, c.m_eff};
    const std::string name(L::name);
    expect_close(law.elastic(c), double(law.elastic(w)), few_roundings, name);
    expect_close(law.damping(c), double(law.damping(w)), few_roundings, name);
    expect_close(law.energy(c), double(law.energy(w)), few_roundings, name);
    expect_close(law.impulse(c), double(law.impulse(w)), few_roundings, name);
  }
}

template <NormalLaw L> void check_normal_law(Dice& dice) {
  const L law = random_law<L>(dice);
  energy_differentiates_to_elastic_force(law, dice);
  impulse_differentiates_to_damping(law, dice);
  nothing_acts_at_touch(law);
  dashpot_dissipates(law, dice);
  number_types_agree(law, dice);
}

}  // namespace scree::law_checks
