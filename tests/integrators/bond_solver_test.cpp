// SPDX-License-Identifier: BSD-3-Clause
/// The solver over bonds against a dense factorization: chains, trees, rings, packings, held ends.
#include "scree/integrators/bond_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "scree/core/random.hpp"

namespace scree {
namespace {

template <int D>
struct Problem {
  std::vector<double> diagonal;
  std::vector<typename BondSolver<D>::Link> links;
  std::vector<Vec<D, double>> r;
  Random random{3, 1, 0};

  explicit Problem(std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
      diagonal.push_back(random.uniform(0.5, 2));
      Vec<D, double> one{};
      for (int c = 0; c < D; ++c) one[c] = random.uniform(-1, 1);
      r.push_back(one);
    }
  }
  /// K = s n n^T - c (1 - n n^T), as of a contact.
  void add(std::uint32_t i, std::uint32_t j) {
    Vec<D, double> n{};
    for (int c = 0; c < D; ++c) n[c] = random.uniform(-1, 1);
    n *= 1 / norm(n);
    const double s = random.uniform(0, 20), turn = random.uniform(0, 0.02);
    typename BondSolver<D>::Block k{};
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) k[static_cast<std::size_t>(a * D + b)] = (s + turn) * n[a] * n[b] - (a == b ? turn : 0);
    links.push_back({i, j, k});
  }
  /// The largest difference from the dense solution.
  double error(BondSolver<D>& solver) const {
    const auto n = static_cast<Eigen::Index>(diagonal.size());
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n * D, n * D);
    Eigen::VectorXd b(n * D);
    const auto add = [&](std::uint32_t i, std::uint32_t j, const auto& k, double sign) {
      for (int a = 0; a < D; ++a)
        for (int c = 0; c < D; ++c) m(Eigen::Index(i) * D + a, Eigen::Index(j) * D + c) += sign * k[static_cast<std::size_t>(a * D + c)];
    };
    for (const auto& l : links) {
      add(l.i, l.i, l.k, 1);
      if (l.j == BondSolver<D>::nobody) continue;
      add(l.j, l.j, l.k, 1);
      add(l.i, l.j, l.k, -1);
      add(l.j, l.i, l.k, -1);
    }
    for (Eigen::Index k = 0; k < n; ++k)
      for (int a = 0; a < D; ++a) {
        const Eigen::Index row = k * D + a;
        const double mass = diagonal[static_cast<std::size_t>(k)];
        b[row] = r[static_cast<std::size_t>(k)][a];
        m(row, row) += mass;
        if (mass > 0) continue;
        m.row(row).setZero();
        m.col(row).setZero();
        m(row, row) = 1;
        b[row] = 0;
      }
    const Eigen::VectorXd exact = m.partialPivLu().solve(b);
    auto d = r;
    EXPECT_TRUE(solver.solve(diagonal, links, d));
    double worst = 0;
    for (Eigen::Index k = 0; k < n; ++k)
      for (int a = 0; a < D; ++a) worst = std::max(worst, std::abs(d[static_cast<std::size_t>(k)][a] - exact[k * D + a]));
    return worst;
  }
};

template <int D>
void expect_all() {
  constexpr std::uint32_t nobody = BondSolver<D>::nobody;
  BondSolver<D> solver;
  {
    Problem<D> chain(40);  // in pieces, with a wall at one end and a held bead in the middle
    for (std::uint32_t k = 0; k + 1 < 40; ++k)
      if (k != 11 && k != 12) chain.add(k, k + 1);
    chain.add(39, nobody);
    chain.diagonal[25] = 0;
    EXPECT_LT(chain.error(solver), 1e-12);
    EXPECT_EQ(solver.core(), 0U);
    EXPECT_EQ(solver.analyses, 1);
    chain.diagonal[3] += 1;  // other numbers, the same graph
    EXPECT_LT(chain.error(solver), 1e-12);
    EXPECT_EQ(solver.analyses, 1);
  }
  {
    Problem<D> tree(60);
    for (std::uint32_t k = 1; k < 60; ++k) tree.add(static_cast<std::uint32_t>(tree.random.uniform(0, k)), k);
    EXPECT_LT(tree.error(solver), 1e-12);
    EXPECT_EQ(solver.core(), 0U);
  }
  {
    Problem<D> ring(30);  // with a tail, and the same pair twice
    for (std::uint32_t k = 0; k < 20; ++k) ring.add(std::min(k, (k + 1) % 20), std::max(k, (k + 1) % 20));
    for (std::uint32_t k = 19; k < 29; ++k) ring.add(k, k + 1);
    ring.add(28, 29);
    EXPECT_LT(ring.error(solver), 1e-12);
    EXPECT_EQ(solver.core(), 30U);
  }
  {
    Problem<D> packing(80);
    for (std::uint32_t i = 0; i < 80; ++i)
      for (std::uint32_t j = i + 1; j < 80; ++j)
        if (packing.random.uniform(0, 1) < 0.06) packing.add(i, j);
    packing.diagonal[7] = packing.diagonal[50] = 0;
    EXPECT_LT(packing.error(solver), 1e-11);
    EXPECT_GT(solver.core(), 60U);
  }
}

TEST(BondSolver, AgreesWithADenseSolutionInThePlane) { expect_all<2>(); }
TEST(BondSolver, AgreesWithADenseSolutionInSpace) { expect_all<3>(); }

TEST(BondSolver, TellsOfASingularMatrix) {
  BondSolver<2> solver;
  std::vector<Vec<2, double>> r{{1, 1}};
  EXPECT_FALSE(solver.solve({1}, {{0, BondSolver<2>::nobody, {-1, 0, 0, -1}}}, r));
}

}  // namespace
}  // namespace scree
