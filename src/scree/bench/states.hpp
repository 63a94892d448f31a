// SPDX-License-Identifier: BSD-3-Clause
/// Where the start states of the standard beds come from: a folder of dumps (`w1_8000.dump`, plain or .gz),
/// the user's cache, or their recipe, which Scree follows once and keeps. All are LAMMPS text dumps, so
/// that every code can start from the same bits.
///
/// The recipe: a perturbed lattice settles under gravity with a little drag, then without; W2 and W3 then
/// flow for a while. W1 beyond its three sizes is the settled bed of 8000 laid side by side, which its
/// periodic sides allow.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scree/bench/beds.hpp"

namespace scree {

/// Told what is being made and how far it is.
using StateProgress = std::function<void(double fraction, const std::string& what)>;

/// "w1_8000": the name of a state's file, without ending.
std::string state_name(const BedInfo& bed, std::size_t size);

/// The lattice that a recipe begins with: radii 1 mm ± 10 %, places and speeds jittered. Sizes of W1 other
/// than the standard ones must be 20 layers of a near-square base. Throws InputError.
LammpsDump bed_lattice(const BedInfo& bed, std::size_t size);

/// `tiles_x` × `tiles_y` copies side by side. Both axes must be periodic.
LammpsDump tiled(const LammpsDump& bed, std::size_t tiles_x, std::size_t tiles_y);

struct StateSource {
  std::filesystem::path folder;  // of dumps; empty: the cache, or the recipe
  StateProgress progress;
};

struct BedState {
  LammpsDump dump;
  std::string origin;  // a sentence for the reader
};

/// Throws InputError if the folder has no such state, or if there is no such size.
BedState bed_state(const BedInfo& bed, std::size_t size, const StateSource& source);

/// Writes NAME.dump and NAME.data (and NAME_thin.data of W3) for other codes.
void export_state(const std::filesystem::path& folder, const BedInfo& bed, std::size_t size, const LammpsDump& dump);

}  // namespace scree
