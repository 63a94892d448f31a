// SPDX-License-Identifier: BSD-3-Clause
/// Which laws act between which materials.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "scree/laws/registry.hpp"

namespace scree {

/// How a law's coefficients depend on the pair where they are derived rather than given: the law
/// holds the part that is common to all pairs, and the sweep multiplies by the rest.
struct Scaling {
  enum class Stiffness { given, root_radius };  // k: as given | (4/3) E*, times sqrt(r*)
  enum class Damping {
    given,
    root_radius,     // g of Kuwabara-Kono from a viscous time and a material k: times sqrt(r*)
    quarter_radius,  // Tsuji's with a material k: times r*^(1/4)
    root_mass,       // linear dashpot from a restitution: times sqrt(m*)
    mass,            // a dashpot given per reduced mass: times m*
    mass_root_radius // the same of Kuwabara-Kono with a material k: times m* sqrt(r*)
  };
  Stiffness stiffness = Stiffness::given;
  Damping damping = Damping::given;
  /// Where grains have stiffnesses of their own (Grains::stiffness), the largest; 0: none has.
  double stiffest = 0;

  template <class T> SCREE_FN T of_stiffness(const T& r_eff) const {
    return stiffness == Stiffness::given ? T(1) : sqrt(r_eff);
  }
  template <class T> SCREE_FN T of_damping(const T& r_eff, const T& m_eff) const {
    switch (damping) {
      case Damping::root_radius: return sqrt(r_eff);
      case Damping::quarter_radius: return sqrt(sqrt(r_eff));
      case Damping::root_mass: return sqrt(m_eff);
      case Damping::mass: return m_eff;
      case Damping::mass_root_radius: return m_eff * sqrt(r_eff);
      default: return T(1);
    }
  }
  bool of_grains() const { return stiffest > 0; }
  bool plain() const { return stiffness == Stiffness::given && damping == Damping::given && !of_grains(); }
};

/// What two grains with stiffnesses of their own make of a law's k and dashpot: they are multiplied by the harmonic
/// mean, as for two springs in a row, or moduli (1/E* = 1/E_i + 1/E_j). A wall leaves a grain its own.
template <class T> SCREE_FN T pair_stiffness(const T& a, const T& b) { return T(2) * a * b / (a + b); }

/// The laws of one pair of materials.
struct ContactLaws {
  AnyNormal normal;
  Scaling scaling;
  bool attraction = false;  // false: N is replaced by max(N, 0), in the sweep and nowhere else
  AnyTangential tangential;
  AnyRolling rolling;
  AnyRotational rotational;

  bool has_spring() const {
    return std::visit([](const auto& law) { return law.has_memory; }, tangential);
  }
  bool has_rolling_spring() const {
    return std::visit([](const auto& law) { return law.has_memory; }, rolling);
  }
  /// Does any of them look at the reduced radius or mass? They cost two divisions per contact. Laws
  /// need not say: they are asked with numbers that make everything computed from them a NaN.
  bool needs_effective() const {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const auto any_nan = [](auto... x) { return (std::isnan(x) || ...); };
    const Overlap<double> o{1, 1, unknown, unknown};
    const Slip<double> s{1, 1, unknown, unknown, 1, 1};
    const auto friction_looks = [&](const auto& law) {
      return any_nan(law.stiffness(s), law.stiffness_rate(s), law.dashpot(s), law.limit(s));
    };
    return !scaling.plain() || std::visit(friction_looks, tangential) || std::visit(friction_looks, rolling) ||
           std::visit([&](const auto& law) { return any_nan(law.elastic(o), law.damping(o), law.energy(o)); }, normal);
  }
};

struct ContactTable {
  std::vector<ContactLaws> laws;
  std::vector<std::uint16_t> of_pair;  // laws of materials a, b at [a * materials + b], symmetric
  std::uint16_t materials = 0;

  std::uint16_t index(std::uint16_t a, std::uint16_t b) const {
    return of_pair[static_cast<std::size_t>(a) * materials + b];
  }
  bool has_rolling() const {
    for (const auto& one : laws)
      if (one.rolling.index() != 0) return true;
    return false;
  }
  bool has_rotational() const {
    for (const auto& one : laws)
      if (one.rotational.index() != 0) return true;
    return false;
  }
};

}  // namespace scree
