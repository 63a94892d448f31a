// SPDX-License-Identifier: BSD-3-Clause
/// The matrix W = Hᵀ M⁻¹ H of contacts that stick (friction_solver.hpp), factored: what Newton's method for friction
/// divides by. Two contacts share an entry if they share a grain, so W is as sparse as the contacts of the plane, and so are
/// its factors (a heap of 1600 polygons: 3000 contacts, 20 000 entries of W, 25 000 of the factors).
///
/// W is singular where frictions can cancel, so a small part of the diagonal is added: the factors are for W + δ diag W and
/// precondition conjugate gradients, which need a few steps. What is found depends on the matrix alone; of the
/// last one only the order of elimination is kept, for as long as the same contacts touch the same grains.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace scree {

class StickingFactors {
 public:
  StickingFactors();
  ~StickingFactors();
  StickingFactors(StickingFactors&&) noexcept;
  StickingFactors& operator=(StickingFactors&&) noexcept;

  /// One end of a contact: what an impulse of 1 does to a grain, each over the root of its mass or inertia.
  struct End {
    std::uint32_t grain;
    double x, y, spin;
  };
  static constexpr std::uint32_t nobody = 0xFFFFFFFFU;  // a wall, or a grain that is held
  struct Contact {
    End i, j;
  };

  /// Contacts in an order that does not depend on how grains are stored. False if the matrix cannot be factored.
  bool factor(const std::vector<Contact>& contacts, std::size_t grains);
  /// r becomes (W + δ diag W)⁻¹ r.
  void solve(std::vector<double>& r);

  static constexpr double added = 1e-10;  // δ: far above round-off of the pivots, far below what matters to the rates of convergence
  std::int64_t analyses = 0;              // of the graph, so far

 private:
  struct Sparse;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace scree
