// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/solvers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/discovery/selection.hpp"

namespace scree {
namespace {

/// b = 3 a_2 - 0.4 a_5 + noise; columns of very different units.
Matrix planted(std::size_t n, std::size_t p, double noise, std::uint32_t seed = 1) {
  Matrix m(n, p + 1);
  Random random(seed, 1, 1);
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t i = 0; i < n; ++i) m(i, j) = std::pow(10.0, static_cast<double>(j) - 3) * random.normal();
  for (std::size_t i = 0; i < n; ++i) m(i, p) = 30 * m(i, 2) - 0.004 * m(i, 5) + noise * random.normal();  // 3 and 0.4 in units of the columns
  return m;
}

TEST(Solvers, AllFindThePlantedTerms) {
  const std::size_t p = 8;
  const Matrix m = planted(400, p, 0.05);
  const Problem problem = problem_of(Factors::condense(m).r, p, 0);
  for (const std::string& solver : solver_names()) {
    const auto path = support_path(solver, problem, {});
    EXPECT_NE(std::find(path.begin(), path.end(), Support{2, 5}), path.end()) << solver;
    Factors factors(p, 1);
    for (std::size_t b = 0; b < 20; ++b) {
      Matrix part(20, p + 1);
      for (std::size_t j = 0; j <= p; ++j)
        for (std::size_t i = 0; i < 20; ++i) part(i, j) = m(20 * b + i, j);
      Factors::Block block = Factors::condense(part);
      block.part = b;
      factors.add(std::move(block));
    }
    for (const std::string& criterion : criterion_names()) {
      const Choice choice = choose_support(factors, 0, path, {.by = criterion});
      EXPECT_EQ(choice.candidates[choice.chosen].support, (Support{2, 5})) << solver << ", " << criterion;
    }
  }
}

TEST(Solvers, CoefficientsArePlainLeastSquaresOnTheSupport) {
  const Matrix m = planted(300, 8, 0.2);
  const Problem whole = problem_of(m, 8, 0);
  const auto x = least_squares(whole, {2, 5});
  // normal equations: the residual is orthogonal to both columns
  for (const std::size_t j : {2u, 5u}) {
    double dot = 0, length = 0;
    for (std::size_t i = 0; i < m.rows; ++i) {
      dot += m(i, j) * (m(i, 8) - x[2] * m(i, 2) - x[5] * m(i, 5));
      length += m(i, j) * m(i, j);
    }
    EXPECT_LT(std::abs(dot), 1e-10 * std::sqrt(length));
  }
}

// |a_jᵀ (b - A x)| = λ where x_j is not zero, and at most λ elsewhere (columns and b of length one).
TEST(Lasso, FulfilsItsOptimalityConditions) {
  const Problem p = problem_of(planted(200, 8, 0.3), 8, 0);
  const double lambda = 0.05;
  const auto x = lasso(p, lambda);
  std::vector<double> length(8);
  double side = 0;
  for (const double b : p.b) side += b * b;
  side = std::sqrt(side);
  for (std::size_t j = 0; j < 8; ++j) {
    for (std::size_t i = 0; i < 200; ++i) length[j] += p.a(i, j) * p.a(i, j);
    length[j] = std::sqrt(length[j]);
  }
  bool some = false;
  for (std::size_t j = 0; j < 8; ++j) {
    double slope = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      double rest = p.b[i] / side;
      for (std::size_t k = 0; k < 8; ++k) rest -= x[k] * p.a(i, k) / length[k];
      slope += p.a(i, j) / length[j] * rest;
    }
    some |= x[j] != 0;
    if (x[j] != 0) {
      EXPECT_NEAR(slope, x[j] > 0 ? lambda : -lambda, 1e-6);
    } else {
      EXPECT_LE(std::abs(slope), lambda + 1e-6);
    }
  }
  EXPECT_TRUE(some);
}

TEST(BestSubset, AgreesWithTryingAll) {
  Matrix m(60, 8);
  Random random(4, 1, 1);
  for (double& x : m.data) x = random.normal();
  const Problem p = problem_of(m, 7, 0);
  double least = INFINITY;
  Support best;
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = i + 1; j < 7; ++j)
      for (std::size_t k = j + 1; k < 7; ++k)
        if (const double e = squared_error(p, least_squares(p, {i, j, k})); e < least) least = e, best = {i, j, k};
  EXPECT_EQ(best_subsets(p, 3, 2).front(), best);
  EXPECT_THROW(best_subsets(problem_of(Matrix(80, 61), 60, 0), 20, 1), InputError);
}

TEST(Factors, LoseNothingOfTheRows) {
  const Matrix m = planted(333, 6, 0.1);
  Factors factors(6, 1);
  for (std::size_t first = 0; first < 333;) {
    const std::size_t n = std::min<std::size_t>(first == 0 ? 3 : 50, 333 - first);  // one block of fewer rows than columns
    Matrix part(n, 7);
    for (std::size_t j = 0; j < 7; ++j)
      for (std::size_t i = 0; i < n; ++i) part(i, j) = m(first + i, j);
    factors.add(Factors::condense(part));
    first += n;
  }
  EXPECT_EQ(factors.rows(), 333u);
  const Problem whole = problem_of(m, 6, 0), small = problem_of(factors.combined(), 6, 0);
  const Support all{0, 1, 2, 3, 4, 5};
  const auto x = least_squares(whole, all), y = least_squares(small, all);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(y[j] / x[j], 1, 1e-9);
  EXPECT_NEAR(squared_error(small, y) / squared_error(whole, x), 1, 1e-9);
}

// For independent rows the sandwich estimates σ/sqrt(n) (of a column of unit variance); 100 blocks leave it uncertain by some 7 %.
TEST(BlockErrors, AreTheStandardErrorsOfIndependentRows) {
  Factors factors(2, 1);
  Random random(9, 1, 1);
  for (std::size_t b = 0; b < 100; ++b) {
    Matrix m(100, 3);
    for (std::size_t i = 0; i < 100; ++i) {
      m(i, 0) = random.normal();
      m(i, 1) = random.normal();
      m(i, 2) = 2 * m(i, 0) + 0.5 * random.normal();
    }
    factors.add(Factors::condense(m));
  }
  const auto x = least_squares(problem_of(factors.combined(), 2, 0), {0});
  const auto e = block_errors(factors, 0, x, {0});
  EXPECT_NEAR(e[0] / (0.5 / 100), 1, 0.25);
  EXPECT_LT(std::abs(x[0] - 2), 4 * e[0]);
  EXPECT_EQ(e[1], 0);
}

TEST(DependentColumns, AreNamedWithWhatTheyDependOn) {
  Matrix m(50, 4);
  Random random(2, 1, 1);
  for (std::size_t i = 0; i < 50; ++i) {
    m(i, 0) = 1;
    m(i, 1) = random.normal();
    m(i, 2) = 3 * m(i, 1) - 2;
    m(i, 3) = random.normal();
  }
  const auto found = dependent_columns(m, 1e-10);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].term, 2u);
  EXPECT_EQ(found[0].on, (std::vector<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace scree
