// SPDX-License-Identifier: BSD-3-Clause
/// Tangential and rolling laws, and the limit that is common to them, in the plane and in space.
#include <numbers>

#include "tests/laws/formula.hpp"
#include "tests/laws/law_checks.hpp"

namespace scree {
namespace {

using namespace law_checks;

template <int N> Vec<N, double> random_vector(Dice& dice, double length) {
  Vec<N, double> v;
  for (int k = 0; k < N; ++k) v[k] = between(dice, -length, length);
  return v;
}

/// Calls f(law, dice, zero vector) for some random laws of both registries, in one and three
/// components.
template <class F> void for_each_random_friction(F&& f) {
  Dice dice(7);
  const auto each = [&]<class L>(const L&) {
    for (int i = 0; i < 200; ++i) {
      f(random_law<L>(dice), dice, Vec<1, double>{});
      f(random_law<L>(dice), dice, Vec<3, double>{});
    }
  };
  for_each_law<AnyTangential>(each);
  for_each_law<AnyRolling>(each);
}

template <int N> double apart(const Vec<N, double>& a, const Vec<N, double>& b) {
  return norm(a - b);
}

TEST(Friction, BelowTheLimitItIsSpringAndDashpot) {
  int seen = 0;
  for_each_random_friction([&]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    const Slip<double> c = random_slip(dice);
    const auto z = random_vector<N>(dice, 0.3), u = random_vector<N>(dice, 0.3);
    const double k = law.stiffness(c), g = law.dashpot(c);
    const auto free = -(z * (L::has_memory ? k : 0.0) + u * g);
    if (norm(free) > law.limit(c)) return;
    ++seen;
    const auto a = friction(law, c, z, u, false);
    EXPECT_LE(apart(a.force, free), few_roundings * norm(free)) << L::name;
    EXPECT_EQ(a.spring, z) << L::name << ": the spring is left alone";
    EXPECT_EQ(a.released, 0) << L::name;
  });
  EXPECT_GT(seen, 100);
}

TEST(Friction, AtTheLimitTheForceHasItsLengthAndTheSpringIsCut) {
  int seen = 0;
  for_each_random_friction([&]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    const Slip<double> c = random_slip(dice);
    const auto z = random_vector<N>(dice, 20), u = random_vector<N>(dice, 20);
    const double k = law.stiffness(c), g = law.dashpot(c), limit = law.limit(c);
    const auto free = -(z * (L::has_memory ? k : 0.0) + u * g);
    const double length = norm(free);
    if (length <= limit) return;
    ++seen;
    const auto a = friction(law, c, z, u, false);
    EXPECT_NEAR(norm(a.force), limit, few_roundings * limit) << L::name;
    EXPECT_LE(apart(a.force, free * (limit / length)), few_roundings * limit)
        << L::name << ": the direction stays";
    if constexpr (L::has_memory) {
      // k z + g u may cancel: roundings of the larger terms
      const double scale = k * norm(z) + g * norm(u);
      EXPECT_LE(apart(-(a.spring * k + u * g), a.force), few_roundings * scale) << L::name;
    } else {
      EXPECT_EQ(a.spring, z) << L::name;
    }
  });
  EXPECT_GT(seen, 100);
}

TEST(Friction, KeptSpringsAreLeftAloneAndTheForceIsTheSame) {
  for_each_random_friction([]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    const Slip<double> c = random_slip(dice);
    const auto z = random_vector<N>(dice, 2), u = random_vector<N>(dice, 2);
    const auto kept = friction(law, c, z, u, true), cut = friction(law, c, z, u, false);
    EXPECT_EQ(kept.spring, z) << L::name;
    EXPECT_EQ(kept.released, 0) << L::name;
    EXPECT_EQ(kept.force, cut.force) << L::name;
  });
}

TEST(Friction, NothingActsWithoutNormalForce) {
  for_each_random_friction([]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    Slip<double> c = random_slip(dice);
    c.normal = 0;
    const auto a = friction(law, c, random_vector<N>(dice, 2), random_vector<N>(dice, 2), false);
    EXPECT_EQ(norm(a.force), 0) << L::name;
  });
}

TEST(Friction, NothingActsWithoutSpringAndSlip) {
  for_each_random_friction([]<class L, int N>(const L& law, Dice& dice, Vec<N, double> zero) {
    Slip<double> c = random_slip(dice);
    const auto a = friction(law, c, zero, zero, false);
    EXPECT_EQ(norm(a.force), 0) << L::name;
    EXPECT_EQ(a.power, 0) << L::name;
    c.normal = 0;  // 0 is not beyond a limit of 0
    EXPECT_EQ(norm(friction(law, c, zero, zero, false).force), 0) << L::name;
  });
}

/// Without dashpot only the cut dissipates; a dashpot and no memory dissipates by itself.
TEST(Friction, TakesEnergyAndNeverGivesIt) {
  const auto without_dashpot = []<class L>(L law) {
    if constexpr (requires { law.g_t; }) {
      if constexpr (L::has_memory) law.g_t = 0;
    }
    if constexpr (requires { law.g_r; }) {
      if constexpr (L::has_memory) law.g_r = 0;
    }
    if constexpr (requires { law.damping; }) law.damping = 0;
    return law;
  };
  for_each_random_friction([&]<class L, int N>(const L& random, Dice& dice, Vec<N, double>) {
    const L law = without_dashpot(random);
    Slip<double> c = random_slip(dice);
    c.rate = 0;  // a stiffness that grows under a spring puts energy into it
    const auto z = random_vector<N>(dice, 2), u = random_vector<N>(dice, 2);
    const auto a = friction(law, c, z, u, false);
    const double scale = law.stiffness(c) * norm(z) * norm(u) + law.limit(c) * norm(u);
    EXPECT_GE(a.power, -few_roundings * scale) << L::name;
    EXPECT_GE(a.released, -few_roundings * law.stiffness(c) * norm2(z)) << L::name;
  });
}

/// Around a closed path of the surfaces, work equals what was dissipated plus what is left in the
/// spring. The spring advances by half a step on either side of the force, as in the engine.
template <class L, int N> double loop_error(const L& law, double amplitude, int steps) {
  const double period = 2, h = period / steps;
  Slip<double> c{.xi = 0.3, .rate = 0, .r_eff = 1, .m_eff = 1, .normal = 1, .damping = 0.1};
  Vec<N, double> z{};
  double work = 0, lost = 0, stored = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = (i + 0.5) * h, w = std::numbers::pi;
    c = c.at(0.3 + 0.1 * std::sin(2 * w * t));  // the load breathes
    c.rate = 0.2 * w * std::cos(2 * w * t);
    c.normal = c.xi;
    Vec<N, double> u{};
    u[0] = amplitude * std::cos(w * t);
    if constexpr (N == 3) u[1] = amplitude * std::sin(w * t);
    if constexpr (L::has_memory) z += u * (h / 2);
    const auto a = friction(law, c, z, u, false, h);
    work -= dot(a.force, u) * h;
    lost += a.power * h + a.released;
    if constexpr (L::has_memory) z = a.spring + u * (h / 2);
    stored = law.stiffness(c) * norm2(z) / 2;
  }
  EXPECT_GT(lost, 0) << L::name;
  return std::abs(work - lost - stored) / work;
}

TEST(Friction, EnergyIsBalancedOverAClosedLoop) {
  const auto check = []<class L>(const L& law) {
    for (const double amplitude : {0.5, 5.0}) {  // mostly sticking, mostly sliding
      for (const auto error : {loop_error<L, 1>, loop_error<L, 3>}) {
        // An identity for springs of constant stiffness, up to the roundings of 1000 steps; a
        // stiffness that follows the load is charged by its rate, once per step: first order.
        if constexpr (std::is_same_v<L, Mindlin>) {
          EXPECT_LT(error(law, amplitude, 1000), 1e-3) << L::name << " " << amplitude;
          EXPECT_LT(error(law, amplitude, 10000), 1e-4) << L::name << " " << amplitude;
        } else {
          EXPECT_LT(error(law, amplitude, 1000), 1e-12) << L::name << " " << amplitude;
        }
      }
    }
  };
  check(CundallStrack{.k_t = 2, .mu = 0.5, .g_t = 0});
  check(CundallStrack{.k_t = 2, .mu = 0.5, .g_t = 0.05});
  check(CundallStrack{.k_t = 2, .mu = 0.5, .g_t = 0, .damping = 0.5});
  check(Mindlin{.shear = 1, .mu = 0.5, .damping = 0.5});
  check(Viscous{.g_t = 0.3, .mu = 0.5});
  check(RollingConstant{.mu_r = 0.5, .g_r = 0.3});
  check(RollingSpring{.k_r = 2, .mu_r = 0.5, .g_r = 0.05});
}

/// Stages: calls with `keep` book the work done on a spring that overshoots, one cut ends the step.
TEST(Friction, EnergyIsBalancedWhenOnlyTheStepsAreCut) {
  const CundallStrack law{.k_t = 2, .mu = 0.5};
  const Slip<double> c{.xi = 0.3, .rate = 0, .r_eff = 1, .m_eff = 1, .normal = 1, .damping = 0};
  const double h = 0.1;
  Vec<1, double> z{};
  double work = 0, lost = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec<1, double> u{std::cos(0.05 * i)};
    for (const double part : {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)}) {  // Gauss
      const auto stage = friction(law, c, z + u * (part * h), u, true);
      work -= dot(stage.force, u) * h / 2;
      lost += stage.power * h / 2;
    }
    const auto end = friction(law, c, z + u * h, u, false);
    lost += end.released;
    z = end.spring;
  }
  EXPECT_GT(lost, 1);
  EXPECT_NEAR(work, lost + law.k_t * norm2(z) / 2, 1e-12 * work);
}

TEST(Friction, SpringRelaxesAtOnceWhenTheLoadFalls) {
  const CundallStrack law{.k_t = 100, .mu = 0.5};
  Slip<double> c{.xi = 1, .rate = 0, .r_eff = 1, .m_eff = 1, .normal = 10, .damping = 0};
  auto a = friction(law, c, Vec<1, double>{0.2}, Vec<1, double>{0.0}, false);
  EXPECT_NEAR(a.spring[0], 0.05, 1e-16);
  EXPECT_NEAR(a.released, 50 * (0.2 * 0.2 - 0.05 * 0.05), 1e-14);
  c.normal = 1;
  a = friction(law, c, a.spring, Vec<1, double>{0.0}, false);
  EXPECT_NEAR(a.force[0], -0.5, 1e-15);
  EXPECT_NEAR(a.spring[0], 0.005, 1e-17);
  c.normal = 10;  // the load is back, the spring is not
  a = friction(law, c, a.spring, Vec<1, double>{0.0}, false);
  EXPECT_NEAR(a.force[0], -0.5, 1e-15);
}

TEST(Friction, PlaneAndSpaceAgreeAlongALine) {
  for_each_random_friction([]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    const Slip<double> c = random_slip(dice);
    const double z = between(dice, -2, 2), u = between(dice, -2, 2);
    const auto plane = friction(law, c, Vec<1, double>{z}, Vec<1, double>{u}, false);
    const auto space = friction(law, c, Vec<3, double>{0, z, 0}, Vec<3, double>{0, u, 0}, false);
    EXPECT_EQ(plane.force[0], space.force[1]) << L::name;
    EXPECT_EQ(plane.spring[0], space.spring[1]) << L::name;
    EXPECT_EQ(plane.power, space.power) << L::name;
    EXPECT_EQ(plane.released, space.released) << L::name;
  });
}

TEST(Friction, NumberTypesAgree) {
  for_each_random_friction([]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    const Slip<double> c = random_slip(dice);
    const Slip<Wide> w{c.xi, c.rate, c.r_eff, c.m_eff, c.normal, c.damping};
    const auto z = random_vector<N>(dice, 2), u = random_vector<N>(dice, 2);
    const auto a = friction(law, c, z, u, false);
    const auto b = friction(law, w, convert<Wide>(z), convert<Wide>(u), false);
    const double k = law.stiffness(c), g = law.dashpot(c);
    const double scale = k * norm(z) + g * norm(u) + law.limit(c);
    EXPECT_LE(apart(a.force, convert<double>(b.force)), few_roundings * scale) << L::name;
    EXPECT_LE(k * apart(a.spring, convert<double>(b.spring)), few_roundings * scale) << L::name;
    // products of forces and velocities, or of forces and springs
    EXPECT_NEAR(
        a.power, double(b.power),
        few_roundings * (scale * norm(u) + std::abs(law.stiffness_rate(c)) * norm2(z) +
                         scale * scale * (k > 0 ? std::abs(law.stiffness_rate(c)) / (k * k) : 0)))
        << L::name;
    EXPECT_NEAR(a.released, double(b.released),
                few_roundings * (k > 0 ? scale * scale / k + k * norm2(z) : 0))
        << L::name;
  });
}

TEST(Friction, StiffnessRateIsTheRateOfTheStiffness) {
  for_each_random_friction([]<class L, int N>(const L& law, Dice& dice, Vec<N, double>) {
    const Slip<double> c = random_slip(dice);
    const auto stiffness = [&](double t) { return law.stiffness(c.at(c.xi + c.rate * t)); };
    const double h = 0.01 * c.xi / (std::abs(c.rate) + 0.01);
    // extrapolated differences of a square root: 1e-9 is ample
    EXPECT_NEAR(law.stiffness_rate(c), derivative(stiffness, 0, h), 1e-9 * law.stiffness(c) / h)
        << L::name;
  });
  const Slip<double> touch{};
  EXPECT_EQ((Mindlin{.shear = 1}.stiffness_rate(touch)), 0);
}

TEST(Friction, MindlinStiffnessFollowsTheContactRadius) {
  const Mindlin law{.shear = 3e7, .mu = 0.4, .damping = 0.5};
  const Slip<double> c{.xi = 2e-5, .rate = 0, .r_eff = 1e-3, .m_eff = 1, .normal = 5, .damping = 7};
  expect_close(law.stiffness(c), 8 * 3e7 * std::sqrt(1e-3 * 2e-5), few_roundings, "8 G* a");
  EXPECT_EQ(law.dashpot(c), 3.5);
  EXPECT_EQ(law.limit(c), 2);
}

TEST(Friction, ADashpotMayGoWithTheNormalOne) {
  const CundallStrack law{.k_t = 100, .mu = 0.5, .g_t = 2, .damping = 0.5};
  const Slip<double> c{.xi = 1, .rate = 0, .r_eff = 1, .m_eff = 1, .normal = 1000, .damping = 7};
  EXPECT_EQ(law.dashpot(c), 5.5);
  EXPECT_EQ(friction(law, c, Vec<1, double>{0.1}, Vec<1, double>{2.0}, false).force[0], -21);
}

TEST(Friction, LimitsAreCoulombsWithALeverForRolling) {
  const Slip<double> c{.xi = 1, .rate = 0, .r_eff = 0.2, .m_eff = 1, .normal = 5, .damping = 0};
  EXPECT_EQ((CundallStrack{.k_t = 1, .mu = 0.4}.limit(c)), 2);
  EXPECT_EQ((Viscous{.g_t = 1, .mu = 0.4}.limit(c)), 2);
  EXPECT_EQ((RollingSpring{.k_r = 1, .mu_r = 0.5}.limit(c)), 0.5);
  EXPECT_EQ((RollingConstant{.mu_r = 0.5, .g_r = 1}.limit(c)), 0.5);
}

template <class Variant> void expect_printed_formulas(const std::string& folder) {
  Dice dice(11);
  for_each_law<Variant>([&]<class L>(const L&) {
    if constexpr (!std::is_same_v<L, Frictionless>) {
      const auto path = std::filesystem::path(SCREE_SOURCE_DIR) / "src/scree/laws" / folder;
      const std::string line = printed_formula(path, L::name);
      ASSERT_FALSE(line.empty()) << L::name << " prints no formula";
      const Formula formula(line);
      for (int i = 0; i < 200; ++i) {
        const L law = random_law<L>(dice);
        const Slip<double> c = random_slip(dice);
        const double z = between(dice, -1, 1), u = between(dice, -1, 1);
        Symbols s = symbols_of(law);
        s["ξ"] = c.xi;
        s["r*"] = c.r_eff;
        s["m*"] = c.m_eff;
        s["N"] = c.normal;
        s["c_n"] = c.damping;
        s["ζ"] = s["θ"] = z;
        s["u_t"] = s["w"] = u;
        const auto a = friction(law, c, Vec<1, double>{z}, Vec<1, double>{u}, false);
        const double scale = law.stiffness(c) * std::abs(z) + law.dashpot(c) * std::abs(u);
        EXPECT_NEAR(a.force[0], formula.value(folder == "rolling" ? "M" : "T", s),
                    few_roundings * scale)
            << line;
      }
    }
  });
}

TEST(Friction, CodeEqualsThePrintedFormula) {
  expect_printed_formulas<AnyTangential>("tangential");
  expect_printed_formulas<AnyRolling>("rolling");
}

TEST(ContactTable, KnowsWhichLawsLookAtReducedRadiusAndMass) {
  const auto needs = [](const AnyNormal& n, const AnyTangential& t, const AnyRolling& r) {
    ContactLaws laws;
    laws.normal = n;
    laws.tangential = t;
    laws.rolling = r;
    return laws.needs_effective();
  };
  const Frictionless none;
  EXPECT_FALSE(needs(Linear{.k = 1, .g = 1}, none, none));
  EXPECT_FALSE(
      needs(KKMollifiedFull{.k = 1, .g = 1, .eps = 1}, CundallStrack{.k_t = 1, .mu = 1}, none));
  EXPECT_FALSE(needs(Power{.k = 1, .g = 1}, Viscous{.g_t = 1, .mu = 1}, none));
  EXPECT_TRUE(needs(HertzTsuji{.k = 1, .alpha = 0}, none, none));
  EXPECT_TRUE(needs(Linear{.k = 1}, Mindlin{.shear = 1, .mu = 1}, none));
  EXPECT_TRUE(needs(Linear{.k = 1}, none, RollingConstant{.mu_r = 1, .g_r = 1}));
  EXPECT_TRUE(needs(Linear{.k = 1}, none, RollingSpring{.k_r = 1, .mu_r = 1}));
  ContactLaws scaled;
  scaled.normal = Linear{.k = 1};
  scaled.scaling.damping = Scaling::Damping::root_mass;
  EXPECT_TRUE(scaled.needs_effective());
}

TEST(ContactTable, AnswersForEveryPairAndKnowsWhoRemembers) {
  ContactLaws sliding, rolling;
  sliding.tangential = CundallStrack{.k_t = 1, .mu = 0.5};
  rolling.rolling = RollingSpring{.k_r = 1, .mu_r = 0.1};
  ContactTable table{.laws = {sliding, rolling}, .of_pair = {0, 1, 1, 0}, .materials = 2};
  EXPECT_EQ(table.index(0, 0), 0);
  EXPECT_EQ(table.index(0, 1), 1);
  EXPECT_EQ(table.index(1, 0), 1);
  EXPECT_TRUE(table.has_rolling());
  EXPECT_TRUE(sliding.has_spring());
  EXPECT_FALSE(sliding.has_rolling_spring());
  EXPECT_FALSE(rolling.has_spring());
  EXPECT_TRUE(rolling.has_rolling_spring());
  table.laws = {sliding};
  EXPECT_FALSE(table.has_rolling());
  EXPECT_FALSE(ContactLaws{}.attraction) << "attraction is cut unless asked for";
}

}  // namespace
}  // namespace scree
