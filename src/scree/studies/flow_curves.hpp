// SPDX-License-Identifier: BSD-3-Clause
/// Two cells of the same grains at two speeds of the wall: is mu a function of I? In quasi-static flow the stresses and the profile of
/// velocities over that of the wall do not depend on its speed, so at every radius mu stays and I grows with the speed: then no function
/// I -> mu fits both.
#pragma once

#include <cstdint>

#include "scree/studies/cell_rheology.hpp"
#include "scree/studies/friction_law.hpp"

namespace scree {

struct CurveDifference {
  std::size_t rings = 0;               // of the slower cell, clear of the wall and known to be sheared, whose I the faster one has too
  double lo = 0, hi = 0;               // their inertial numbers
  double difference = 0, stderr_ = 0;  // mean of mu_fast - mu_slow at equal I
  // at equal radius, over the rings that are clear and sheared in both
  std::size_t common = 0;
  double inertial_ratio = 0;                // geometric mean of I_fast/I_slow
  double mu_change = 0, mu_change_error = 0;  // mean of mu_fast - mu_slow
  double in_stderrs() const { return stderr_ > 0 ? difference / stderr_ : 0; }
};
/// Standard errors are those of `draws` bootstraps over the units of the profiles, larger by sqrt(n/(n - 1)) for n of them. As many units are drawn
/// together in both: cells of the same start, or the same part of the turn from there, may have fluctuations in common.
CurveDifference compare_curves(const CellProfile& slow, const CellProfile& fast, std::uint64_t seed, int draws = 400);

/// Against the mu(I) of another flow of the same grains: mean of mu - mu(I) over the rings that are clear and sheared, with I from `lo` to `hi`, where the
/// law was measured. The error is that of the cell and that of the law at these I, by fits of it to data drawn anew (friction_draws).
CurveDifference compare_law(const CellProfile& cell, const FrictionFit& law, const std::vector<FrictionFit>& laws_drawn, double lo, double hi, std::uint64_t seed, int draws = 400);

/// "not a function" from five standard errors on, "no difference" below two, else "undecided".
const char* verdict(const CurveDifference& d);

/// The standard deviation of values: of bootstraps, the standard error. 0 for fewer than two.
double deviation(const std::vector<double>& values);

/// Weights of a bootstrap: how often each of n is drawn in n draws.
std::vector<double> drawn(std::size_t n, std::uint64_t seed, std::uint32_t stream, std::uint32_t draw);

/// By how much the deviation of bootstraps over n units is too small.
double few_units(std::size_t n);

}  // namespace scree
