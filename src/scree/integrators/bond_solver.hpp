// SPDX-License-Identifier: BSD-3-Clause
/// The linear equations of a Newton step over bonds:
///
///     a_i d_i + Σ_bonds w K (d_i - d_j) = r_i
///
/// a_i are numbers (a mass, and the stiffness of an attachment), K the stiffness of a bond, w its weight.
///
/// Grains are eliminated from the ends of the graph of bonds inwards: one that has a single bond left is put into its
/// partner, and so on. A chain is then solved as a band, in O(N), and so is every tree; what has no ends (rings,
/// packings) is left to a sparse LDL^T factorization, whose symbolic part is kept as long as the bonds last. What is
/// eliminated when depends on ranks alone, hence so does every bit of the answer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "scree/core/vec.hpp"

namespace scree {

template <int D>
class BondSolver {
 public:
  using Block = std::array<double, static_cast<std::size_t>(D * D)>;
  struct Link {
    std::uint32_t i, j;  // ranks; j == nobody: i alone
    Block k;             // w K
  };
  static constexpr std::uint32_t nobody = 0xFFFFFFFFU;

  BondSolver();
  ~BondSolver();
  BondSolver(BondSolver&&) noexcept;

  /// Solves for as many grains as `diagonal` has; r becomes d. Those with a diagonal of 0 are held: links treat them as
  /// nobody. False if the matrix is singular.
  bool solve(const std::vector<double>& diagonal, const std::vector<Link>& links, std::vector<Vec<D, double>>& r);

  std::int64_t analyses = 0;     // of the graph, so far
  std::size_t core() const { return core_.size(); }  // grains that elimination from the ends left, last time

 private:
  struct Eliminated {
    std::uint32_t grain, into;  // `into` nobody: the last of its tree
    std::uint32_t link;         // between the two
  };
  struct Sparse;

  void analyse(const std::vector<double>& diagonal, const std::vector<Link>& links);
  bool solve_core(const std::vector<Link>& links, std::vector<Vec<D, double>>& r);

  // the graph, as of the last analysis
  std::vector<std::uint32_t> ends_;    // i and j of every link
  std::vector<std::uint8_t> free_;     // of every grain
  std::vector<Eliminated> sequence_;
  std::vector<std::uint32_t> core_, core_links_, place_;  // what is left, by rank; place_ in it
  std::vector<Block> blocks_, inverses_;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace scree
