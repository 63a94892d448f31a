// SPDX-License-Identifier: BSD-3-Clause
/// The standard beds: what they are, which laws act in them, and how one becomes a scene. All numbers that
/// a race depends on (materials, step, warm-up, timed steps, skins) stand here and nowhere else.
///
///   W1  settled bed in space, 20 layers, periodic sides, floor z = 0; about 4.6 contacts a grain
///   W2  chute: 32 000 spheres, the lowest ones held, gravity tilted by 25 degrees; about 2.05
///   W3  collapse of a column in the plane: 10 000 spheres and 400 held ones; about 2.2
///   W4  dilute gas, periodic, volume fraction 0.05: nearly all is search
///   P1  settled bed of sizes from 1 to 10, the same volume in every part of a decade: only for `--searches`
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/io/lammps.hpp"
#include "scree/run/scene.hpp"

namespace scree {

inline constexpr double bed_density = 2500;  // kg/m^3
inline constexpr double bed_dt = 5e-6;       // s
inline constexpr double bed_gravity = 9.81;  // m/s^2
inline constexpr int held_type = 2;          // dump type of grains that do not move

struct BedInfo {
  std::string_view name;
  std::string_view summary;
  int dim;
  std::vector<std::size_t> sizes;      // grains that move or are held by a rough base; the first is the default
  std::vector<std::string_view> laws;  // the laws it is raced with
  double skin;                         // m: the default, for the search `cells`
};

/// W1 … W4, P1 last.
const std::vector<BedInfo>& beds();
/// Throws InputError, with the nearest name.
const BedInfo& find_bed(std::string_view name);

/// Steps in which springs form, and in which Scree finds out which form of contacts is the faster one (engines/packs.hpp).
inline constexpr std::int64_t least_warm_up = 160;

/// Steps of a measurement: enough for springs and lists to form, then a few seconds at most.
struct BedSteps {
  std::int64_t warm, timed;
};
BedSteps steps_of(const BedInfo& bed, std::size_t grains);

/// After the timed loop codes go on for as long, in the first repeat, and are looked at so many times: whenever their steps are a multiple
/// of `every`. What they have in common at a single instant is up to chance, above all in a gas.
struct BedLooks {
  std::int64_t every, count;
  std::int64_t steps() const { return every * count; }
};
BedLooks looks_of(const BedInfo& bed, std::size_t grains, const BedSteps& steps);

/// "hmt", "kk", "lin".
const std::vector<std::string>& bed_laws();
/// The law as LAMMPS has it:
///
///   hmt  `granular`: hertz/material, mindlin, damping tsuji; E = 5e7 Pa, ν = 0.3, α = 0.25225, the tangential
///        dashpot 0.90749 of the normal one
///   kk   `gran/hertz/history`: k_n = (4/3) E*, k_t = 8 G*, γ_n = 1.2e8 1/(m s), half of it along the contact
///   lin  `gran/hooke/history`: k_n = 2000 N/m, k_t = 2/7 of it, γ_n = 4409 1/s, half of it along the contact
///
/// μ = 0.5 in all, and none cuts attraction: the peers do not. Throws InputError for another name.
ContactLaws bed_law(std::string_view name);

struct BedOptions {
  std::string law = "hmt";
  std::string search = "cells";
  double skin = 0;  // m; 0: the bed's own
};

using BedScene = std::variant<Scene<2, double>, Scene<3, double>>;

/// The bed as a scene: velocity-verlet, dt = bed_dt.
BedScene bed_scene(const BedInfo& bed, const LammpsDump& state, const BedOptions& options);

/// The present state of a scene's world, with the box of the dump that it came from.
template <int D> LammpsDump dump_of(const Scene<D, double>& scene, const LammpsDump& like, std::int64_t step);

}  // namespace scree
