// SPDX-License-Identifier: BSD-3-Clause
/// Which of many supports: by errors on data held out. Blocks of rows form folds; each support is
/// fitted on the other folds and judged on the one left out.
///
///     loss   relative loss of the fit against the full library plus the part of the library that
///            is in use: |Θ (x - x_full)|/|Θ x_full| + |support|/|library| (Messenger and Bortz, J.
///            Comput. Phys. 443, 110525, 2021). Needs no folds.
///     cv     the sparsest whose held-out error is within one standard error of the smallest (one_standard_error)
///     bic    smallest n ln(E) + k ln(n), with E the held-out mean square and n the number of blocks
///            times their mean number of independent rows, here taken as one per term of the library
///     aic    the same with 2 k
///
/// With cv, bic and aic errors below `floor` of the left-hand side count as that: no criterion can
/// tell a law from the error of the derivatives.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/discovery/factors.hpp"
#include "scree/discovery/solvers.hpp"

namespace scree {

struct SelectionSettings {
  std::string by = "cv";
  std::size_t folds = 5;
  double floor = 3e-3;
};

struct Candidate {
  Support support;
  double held_out = 0;         // root mean square error over the root mean square of the side
  double held_out_stderr = 0;
  double loss = 0;
  double residual = 0;         // on all rows, over the side's root mean square
};

struct Choice {
  std::size_t chosen = 0;
  std::vector<Candidate> candidates;  // by size
  std::string by;
  bool held_out = true;  // false: nothing could be, and the errors of candidates are those of the fit
};

/// Judges supports for one side. Where nothing can be held out, or what is left has fewer rows than terms, the choice is by loss, which
/// holds out nothing: the errors of a fit on its own data would always take the fullest. InputError for an unknown criterion.
Choice choose_support(const Factors& factors, std::size_t side, const std::vector<Support>& path, const SelectionSettings& s);

const std::vector<std::string>& criterion_names();

/// Mean square errors on parts that are held out: their mean over the parts, and its standard error (0 for a single part).
struct HeldOutSquares {
  double mean = 0, stderr_ = 0;
};
HeldOutSquares held_out_squares(const std::vector<double>& of_parts);

/// The one-standard-error rule (Breiman et al. 1984): the first, in the order given, whose mean square is within one standard error of
/// the smallest. Those below `floor` count as that.
std::size_t one_standard_error(const std::vector<HeldOutSquares>& squares, double floor);

/// Where n ln(E) + k × penalty is smallest, with E the square of `error`, k the number of terms and n that of independent rows; the
/// penalty is ln(n) by bic and 2 by aic.
std::size_t least_information(const std::vector<double>& error, const std::vector<std::size_t>& terms, double n, const SelectionSettings& s);

/// Standard errors of the coefficients of a support that hold for rows which are correlated within
/// blocks: the sandwich over blocks (sandwich.hpp), times n_b/(n_b - 1). Zero off the support.
std::vector<double> block_errors(const Factors& factors, std::size_t side, const std::vector<double>& x, const Support& support);

/// Bootstrap over blocks, and over terms if wanted.
struct EnsembleSettings {
  std::size_t bags = 0;
  std::uint64_t seed = 1;
  double drop_terms = 0;     // part of the terms that each bag leaves out
  double cutoff = 0.6;       // inclusion from which on a term is in
};
struct Ensemble {
  std::vector<double> inclusion;  // by term: part of the bags that could have it and have it
  std::vector<double> stderr_;    // of coefficients, over the bags that have the term
};
/// What one bag has to choose from: the blocks that it drew, and one by one those that it did not.
struct Bag {
  Problem drawn;
  std::vector<Problem> left_out;
  std::vector<double> left_out_rows;
  double independent = 0;  // rows that bic and aic count
};
/// How often each block is drawn, as many times as there are blocks. Draws that leave nothing out are made again: they could not be judged.
std::vector<double> draw_blocks(Random& random, std::size_t blocks);

using BagSupport = std::function<Support(const Bag&)>;
/// `support` finds the support of a bag. Bags are done in parallel; which thread does which changes nothing.
Ensemble bootstrap(const Factors& factors, std::size_t side, const EnsembleSettings& s, const BagSupport& support);

/// The support that the criterion takes, with the blocks left out as held-out data.
std::size_t best_left_out(const Bag& bag, const std::vector<Support>& path, const SelectionSettings& s);

}  // namespace scree
