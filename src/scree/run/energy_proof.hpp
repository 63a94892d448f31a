// SPDX-License-Identifier: BSD-3-Clause
/// Up to which step kk-theta is proved never to gain energy in a scene, and why not (docs/chains.md has the proofs).
#pragma once

#include <string>

#include "scree/run/scene.hpp"

namespace scree {

struct EnergyProof {
  double up_to = 0;     // s; 0: nothing is proved, infinite: for every step
  std::string why_not;  // where nothing is proved: what stands against it
};

/// Of a scene whose integrator is one of bonds; `times` are bond_times() of it.
template <int D, class T> EnergyProof energy_proof(const Scene<D, T>& scene, const BondTimes& times);

}  // namespace scree
