// SPDX-License-Identifier: BSD-3-Clause
/// Exact motions to measure errors against, in double-double, found without any of the integrators
/// that are measured. Which one applies is read off the scene itself, so a scene changed by --set
/// gets the right reference or none.
///
/// Closed form: free grains under prescribed forces constant + amplitude sin(ω t + φ).
///
/// Independent integration: two grains on one line. Overlap and rate obey m* ξ'' = -N(ξ, ξ'), which
/// is not smooth at ξ = 0 (ξ^{1/2}, ξ^{3/2}). With
///
///     ξ = w⁴,  dt = w³ dτ:   w' = u/4,  u' = -(w³/m*) N(w⁴, u),  t' = w³   (' = d/dτ, u = dξ/dt)
///
/// every law with powers of ξ^{1/4} becomes a polynomial (the idea, with ξ = w², is in spec 08; the
/// fourth root also takes Tsuji's law). These are integrated by extrapolation of the midpoint rule
/// (Gragg, Bulirsch and Stoer; Hairer, Nørsett and Wanner, Solving ODEs I, II.9), with first touch,
/// last touch and the points where attraction is cut located to the last digit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/studies/experiment.hpp"

namespace scree {

/// Coordinates as in Outcome.
struct Reference {
  std::string kind;  // "closed form", "independent integration", "finest step"
  std::vector<dd> x, v, q, w;
  double accuracy = 0;  // its own error, relative
};

std::optional<Reference> closed_form(const AnyScene& scene, double time);
std::optional<Reference> independent_integration(const AnyScene& scene, double time);

/// Closed form or independent integration, if one applies.
std::optional<Reference> exact_reference(const AnyScene& scene, double time);

/// Overlap (negative: gap) and its rate.
struct Approach {
  dd xi, rate;
};
/// m ξ'' = -N(ξ, ξ') while ξ > 0 (with `attraction` false: -max(N, 0)), ξ'' = 0 otherwise, after
/// `time`.
Approach integrate_approach(const std::function<dd(const dd&, const dd&)>& force, const dd& mass, bool attraction,
                            Approach start, const dd& time);

}  // namespace scree
