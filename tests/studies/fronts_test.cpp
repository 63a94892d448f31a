// SPDX-License-Identifier: BSD-3-Clause
/// The fronts of the logarithmic equations: reference values, the differential equation itself, and the limit of strong
/// damping, in which one becomes the other.
#include "scree/studies/fronts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

/// Computed outside Scree in high precision.
constexpr double places[] = {-10, -8, -6, -5, -4, -3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3};
constexpr double half[] = {1.042314381665695,  1.0064165032364756,  0.870334186174912,   0.9327828486598015,
                           1.1118713555910376, 1.2643032963627574,  1.1679064404177237,  0.7894566752171595,
                           0.5660147507379925, 0.3678794411714416,  0.21595094039491536, 0.11415925572514193,
                           0.05422010696185665, 0.02309291657849501, 0.003002724717594286};
constexpr double one[] = {1.0014653686750505, 0.9898429891010573,  0.9977176949654761,  1.0329189837074797,
                          1.075586141702054,  1.068184316822508,   0.9366621621149959,  0.6708326013107683,
                          0.5153769366369683, 0.3678794411714426,  0.2426227222887227,  0.14714182963449077,
                          0.08172552816839472, 0.04142767945343144, 0.008000200670548989};

TEST(LogKdvBurgersFront, HasTheReferenceValues) {
  const LogKdvBurgersFront weak(0.5), stronger(1);
  for (std::size_t k = 0; k < std::size(places); ++k) {
    EXPECT_NEAR(weak(places[k]), half[k], 1e-9) << places[k];
    EXPECT_NEAR(stronger(places[k]), one[k], 1e-9) << places[k];
  }
  EXPECT_NEAR(weak.highest(), 1.2705706231309435, 1e-7);  // the highest of points 1/1024 apart
  EXPECT_NEAR(stronger.highest(), 1.0832354039317833, 1e-7);
}

TEST(LogKdvBurgersFront, SolvesItsEquationAndJoinsOneToZero) {
  for (const double mu : {0.3, 1.0, 2.0, 5.0}) {
    const LogKdvBurgersFront y(mu, 60);
    const double h = 1.0 / 64;
    for (double s = -20; s < 5; s += 0.37) {
      const double second = (y(s + h) - 2 * y(s) + y(s - h)) / (h * h), first = (y(s + h) - y(s - h)) / (2 * h);
      EXPECT_NEAR(second, mu * first - y(s) * std::log(y(s)), 1e-4) << mu << " " << s;  // h²/12 y'''' and h²/6 μ y'''
    }
    EXPECT_NEAR(y(-60), 1, std::exp(-60 * std::min(mu / 2, 0.19))) << mu;
    EXPECT_LT(y(15), 1e-5);  // exp(-e^{15/mu}) or less
    EXPECT_EQ(y.highest() > 1 + 1e-9, mu < 1.8) << mu;  // it turns where μ < 2, exponentially little near 2
  }
}

/// For μ → ∞ the third derivative does not count: with s = μ ξ the front is that of Burgers' equation, up to O(1/μ²).
TEST(LogKdvBurgersFront, BecomesThatOfBurgersEquation) {
  const auto distance = [](double mu) {
    const LogKdvBurgersFront y(mu, 10 * mu);
    double worst = 0;
    for (double xi = -6; xi < 2; xi += 0.01) worst = std::max(worst, std::abs(y(mu * xi) - log_burgers_front(xi)));
    return worst;
  };
  EXPECT_LT(distance(20), 3e-3);
  EXPECT_NEAR(distance(20) / distance(40), 4, 0.2);
  EXPECT_NEAR(distance(25) / distance(LogKdvBurgersFront::largest_mu), 4, 0.2);
}

/// Behind a front of the chain: for a → 1 the border is that of the equation, μ = 2/√a up to O(a - 1). At the exponents of the
/// study an independent search for the roots (outside Scree) gave the numbers below.
TEST(ChainCrossover, IsThatOfTheTailOfAFront) {
  EXPECT_NEAR(chain_crossover(1.001), 2 / std::sqrt(1.001), 1e-3);
  EXPECT_NEAR(chain_crossover(1.01), 2 / std::sqrt(1.01), 1e-2);
  const double known[][2] = {{1.05, 1.92110}, {1.1, 1.84336}, {1.25, 1.60638}, {1.5, 1.57947}};
  for (const auto& [a, mu] : known) EXPECT_NEAR(chain_crossover(a), mu, 1e-4) << a;
  EXPECT_THROW(chain_crossover(1.0), InputError);
}

TEST(LogKdvBurgersFront, RefusesDampingItCannotShootWith) {
  for (const double mu : {0.0, -1.0, 1.01 * LogKdvBurgersFront::largest_mu, double(NAN)}) EXPECT_THROW(LogKdvBurgersFront{mu}, InputError) << mu;
}

}  // namespace
}  // namespace scree
