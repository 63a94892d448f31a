// SPDX-License-Identifier: BSD-3-Clause
/// How what a front has of its start dies out (chain_front_run.hpp), where damping is strong.
///
/// A small deviation φ from the front Y = exp(-exp ξ) of the logarithmic Burgers equation y_τ + (y ln y)_ξ = y_ξξ obeys
///
///     φ_τ + ((1 - e^ξ) φ)_ξ = φ_ξξ.
///
/// With φ = e^{(ξ - e^ξ)/2} ψ that is ψ_τ = ψ_ξξ - (1/4 - e^ξ + e^{2ξ}/4) ψ, a potential of Morse. It has one bound state,
/// of eigenvalue 0: φ = Y', the front shifted, which matching takes out. All else lies in the continuum above 1/4, and what
/// begins as a lump decays as
///
///     τ^{-3/2} e^{-τ/4},   τ = γ/2 ε² c² t = (1 - 1/a)²/(2 γ c) n
///
/// after n beads. So there is a limit for long chains, and it is met in a number of beads that grows as (a - 1)^-2.
#pragma once

#include <optional>

#include "scree/studies/chain_front_run.hpp"

namespace scree {

struct Transient {
  double limit = 0, amplitude = 0;  // sup = limit + amplitude τ^{-3/2} e^{-τ/4}
  double within = 0;                // largest |sup - that|
};

/// τ when the front has reached a bead.
double transient_time(const Front& f, double bead);
/// By least squares over the last factor of two of f.course, which has to have at least three beads there.
Transient fit_transient(const Front& f);
/// The bead at which sup falls to `level`; none if it does not.
std::optional<double> bead_of(const Front& f, double level);

}  // namespace scree
