// SPDX-License-Identifier: BSD-3-Clause
/// The published examples (PySINDy's and PDE-FIND's notebooks): the same terms, and coefficients as near or nearer.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "scree/discovery/discover.hpp"
#include "scree/discovery/examples.hpp"
#include "scree/discovery/report.hpp"

namespace scree {
namespace {

std::map<std::string, double> terms_of(const FoundEquation& e) {
  std::map<std::string, double> all;
  for (const FoundTerm& t : e.terms) all[t.term] = t.coefficient;
  return all;
}

/// The terms of the truth and no others, each within an absolute error of the true coefficient.
void expect_truth(const Discovery& found, const Example& example, const std::vector<std::vector<double>>& within) {
  ASSERT_EQ(found.equations.size(), example.truth.size());
  for (std::size_t e = 0; e < found.equations.size(); ++e) {
    const auto terms = terms_of(found.equations[e]);
    EXPECT_EQ(found.equations[e].lhs, example.truth[e].lhs);
    EXPECT_EQ(terms.size(), example.truth[e].terms.size()) << discovery_text(found);
    for (std::size_t k = 0; k < example.truth[e].terms.size(); ++k) {
      const auto& [term, value] = example.truth[e].terms[k];
      ASSERT_TRUE(terms.contains(term)) << term << " is missing in\n" << discovery_text(found);
      EXPECT_NEAR(terms.at(term), value, within[e][k]) << term;
    }
  }
}

DiscoverySettings for_example(const Example& x) {
  DiscoverySettings s;
  s.degree = x.degree;
  s.derivatives = x.derivatives;
  return s;
}

// PySINDy prints -9.999 x + 9.999 y, 27.992 x - 0.999 y - 1.000 x z, -2.666 z + 1.000 x y: errors of 1e-3 and 1e-3; 8e-3, 1e-3 and, by
// rounding, 5e-4; 6.7e-4 and 5e-4. Half a unit of the last printed digit is unknown of each.
TEST(KnownEquations, LorenzAtThresholdATenthBySecondOrderDifferences) {
  const Example x = make_example("lorenz");
  DiscoverySettings s = for_example(x);
  s.threshold = 0.1;
  s.sparse.normalise = false;
  s.time_method = "fd2";
  const Discovery found = discover(x.data, s);
  expect_truth(found, x, {{1.5e-3, 1.5e-3}, {8.5e-3, 1.5e-3, 5e-4}, {1.2e-3, 5e-4}});
  // the same method on the same data: the same digits
  EXPECT_NEAR(terms_of(found.equations[0]).at("y"), 9.999, 5e-4);
  EXPECT_NEAR(terms_of(found.equations[1]).at("x"), 27.992, 5e-4);
  EXPECT_NEAR(terms_of(found.equations[2]).at("z"), -2.666, 5e-4);
}

TEST(KnownEquations, LorenzByDefaultSettings) {
  const Example x = make_example("lorenz");
  const Discovery found = discover(x.data, DiscoverySettings{});
  expect_truth(found, x, {{1e-3, 1e-3}, {2.8e-3, 1e-3, 1e-4}, {2.7e-4, 1e-4}});
}

// PDE-FIND: -1.001 u u_x + 0.100 u_xx: errors of 1e-3, and of half a digit.
TEST(KnownEquations, Burgers) {
  const Example x = make_example("burgers");
  expect_truth(discover(x.data, for_example(x)), x, {{1e-3, 5e-4}});
}

// PySINDy: -5.967 u u_x - 0.992 u_xxx: errors of 0.033 and 0.008.
TEST(KnownEquations, KortewegDeVries) {
  const Example x = make_example("kdv");
  expect_truth(discover(x.data, for_example(x)), x, {{0.033, 0.008}});
}

// PySINDy: -0.993 u u_x - 0.995 u_xx - 0.997 u_xxxx.
TEST(KnownEquations, KuramotoSivashinsky) {
  const Example x = make_example("kuramoto-sivashinsky");
  expect_truth(discover(x.data, for_example(x)), x, {{7e-3, 5e-3, 3e-3}});
}

// PySINDy: -0.997 u u_x + 0.096 u_xx at 20 % noise, from one draw: errors of 0.003 and 0.004. Ours: the same terms in every draw, and the
// means over the draws within these errors; half a unit of the last printed digit is unknown.
TEST(KnownEquations, WeakBurgersAtTwentyPercentNoise) {
  const Example clean = make_example("burgers");
  double advection = 0, diffusion = 0;
  const int draws = 8;
  for (int seed = 1; seed <= draws; ++seed) {
    Example x = clean;
    add_noise(x.data, 0.2, static_cast<std::uint64_t>(seed));
    DiscoverySettings s = for_example(x);
    s.weak = true;
    const Discovery found = discover(x.data, s);
    const auto terms = terms_of(found.equations.at(0));
    ASSERT_EQ(terms.size(), 2u) << discovery_text(found);
    advection += terms.at("u u_x") / draws;
    diffusion += terms.at("u_xx") / draws;
  }
  EXPECT_NEAR(advection, -1, 3.5e-3);
  EXPECT_NEAR(diffusion, 0.1, 4.5e-3);
}

TEST(KnownEquations, MichaelisMentenByTheImplicitForm) {
  const Example x = make_example("michaelis-menten");
  DiscoverySettings s;
  s.degree = 4;
  s.implicit = true;
  const Discovery found = discover(x.data, s);
  expect_truth(found, x, {{5e-4, 5e-4, 5e-4}});
  EXPECT_EQ(equation_text(found.equations[0]), "x' = 0.6000 - 3.000 x - 3.333 x x'");
}

}  // namespace
}  // namespace scree
