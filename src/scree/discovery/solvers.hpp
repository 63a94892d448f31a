// SPDX-License-Identifier: BSD-3-Clause
/// Sparse regression: solvers of A x ≈ b with few x that are not zero. Each is a function of a
/// (small, condensed) problem; the registry gives each as a path of supports from sparse to full,
/// of which model selection takes one.
///
/// Columns are scaled to length one, and b too, before thresholds are applied (`normalise`): a
/// threshold then is about the share of a term in b. The coefficients given back are those of plain
/// least squares on the support, without ridge or shrinking.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scree/discovery/factors.hpp"

namespace scree {

/// Terms that are in, rising.
using Support = std::vector<std::size_t>;

struct SparseSettings {
  double ridge = 0;         // of the fits while terms are being chosen, relative to columns of length one
  bool normalise = true;
  std::size_t most = 0;     // terms of stepwise and best-subset solvers at most; 0: all (best subset: 6)
  double nu = 1;            // of sr3
};

/// Least squares on the support; zeros elsewhere. Support columns that depend on each other get the
/// solution of least norm.
std::vector<double> least_squares(const Problem& p, const Support& support);
/// |A x - b|².
double squared_error(const Problem& p, const std::vector<double>& x);

/// Sequentially thresholded least squares: fit, drop what is below the threshold, again until
/// nothing changes (Brunton, Proctor and Kutz, PNAS 113, 3932, 2016).
Support stlsq(const Problem& p, double threshold, const SparseSettings& s = {});

/// min ½ |A x - b|² + λ |x|₁ by coordinate descent on normalised columns, from `start` (normalised
/// scale). Returns x on the normalised scale.
std::vector<double> lasso(const Problem& p, double lambda, std::vector<double> start = {});

/// Sparse relaxed regularised regression (Zheng et al., IEEE Access 7, 1404, 2019):
/// min ½ |A x - b|² + λ |w|₀ + |x - w|²/(2ν); the support of w. The threshold is sqrt(2 λ ν).
Support sr3(const Problem& p, double threshold, const SparseSettings& s = {});

/// The named solver ("stlsq", "lasso", "sr3", "ssr", "frols", "best-subset") as supports, each
/// once, by size. ssr drops the term of the smallest normalised coefficient, one after the other
/// (Boninsegna, Nüske and Clementi, J. Chem. Phys. 148, 241723, 2018); frols takes the term that
/// reduces the error most (Billings, 2013); best-subset has the best of every size.
std::vector<Support> support_path(std::string_view solver, const Problem& p, const SparseSettings& s);

/// The support of one given threshold (of lasso: λ). InputError for a solver without one.
Support support_at(std::string_view solver, const Problem& p, double threshold, const SparseSettings& s);

const std::vector<std::string>& solver_names();

/// The best `keep` supports of exactly `size` terms by squared error, all of which contain
/// `forced`, by exhaustion. InputError beyond `subset_limit` of them.
inline constexpr double subset_limit = 2e6;
std::vector<Support> best_subsets(const Problem& p, std::size_t size, std::size_t keep, const Support& forced = {});

/// Columns that are combinations of earlier ones to `tolerance` of their length, with those of the
/// earlier ones that make them up.
struct Dependence {
  std::size_t term;
  std::vector<std::size_t> on;
};
std::vector<Dependence> dependent_columns(const Matrix& a, double tolerance);

}  // namespace scree
