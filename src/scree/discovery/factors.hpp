// SPDX-License-Identifier: BSD-3-Clause
/// A tall system of equations [Θ | B], condensed block by block: of each block of rows only the
/// triangular factor R of its QR decomposition is kept. |Θ ξ - b| over any set of blocks is the same
/// as over their factors, so least squares, held-out errors, bootstraps over blocks and their
/// covariances need no row again; and no digit is lost to normal equations. Blocks are fixed by the
/// data, not by threads.
#pragma once

#include <cstddef>
#include <vector>

#include "scree/discovery/matrix.hpp"

namespace scree {

class Factors {
 public:
  /// `terms` columns of Θ and `sides` columns of B.
  Factors(std::size_t terms, std::size_t sides) : terms_(terms), sides_(sides) {}

  struct Block {
    Matrix r;              // at most terms + sides rows
    std::size_t rows = 0;  // it stands for
    std::size_t sample = 0;  // whose rows they are
    std::size_t part = 0;    // of the sample, for what is held out: blocks of different parts share no data
  };
  /// Condenses rows of [Θ | B] to a block.
  static Block condense(const Matrix& rows);

  void add(Block block);
  std::size_t terms() const { return terms_; }
  std::size_t sides() const { return sides_; }
  std::size_t rows() const { return rows_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  /// The factor of blocks with weights (how often each counts); block k has weight[k].
  Matrix combined(const std::vector<double>& weight) const;
  Matrix combined() const;

  /// A block that shares data with several parts: it counts in the fit of all, and is neither held out nor fitted when something is.
  static constexpr std::size_t seam = static_cast<std::size_t>(-1);
  /// How many parts there are in all samples.
  std::size_t parts() const { return parts_; }
  /// Weights for the folds of a cross-validation: fold f holds the f-th share of the parts, in one
  /// piece, since what is near in time or space is not independent; and the f-th share of the samples,
  /// whole, where there are as many as folds.
  std::vector<double> fold(std::size_t f, std::size_t folds, bool held_out) const;
  /// How many rows stand behind weights.
  double rows(const std::vector<double>& weight) const;

 private:
  std::size_t terms_, sides_, rows_ = 0;
  std::vector<Block> blocks_;
  std::size_t parts_ = 0, samples_ = 0;  // so far; blocks come in the order of samples and of their parts
  std::vector<std::size_t> part_, sample_;  // of each block, counted through; seam
};

/// A least-squares problem A x = b, dense and small: columns of a factor, and one of its sides.
struct Problem {
  Matrix a;
  std::vector<double> b;
};
Problem problem_of(const Matrix& factor, std::size_t terms, std::size_t side);

}  // namespace scree
