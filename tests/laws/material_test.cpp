// SPDX-License-Identifier: BSD-3-Clause
/// Coefficients from materials and from a wanted restitution.
#include "scree/laws/material.hpp"

#include <limits>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/laws/collision.hpp"

#include "tests/laws/law_checks.hpp"

namespace scree {
namespace {

using namespace law_checks;

/// The root finder meets e to round-off; the collision itself is good to 1e-12 of the impact speed.
constexpr double solved = 1e-12;

TEST(Material, EffectiveModuliOfEqualMaterials) {
  const Elastic glass{.young = 7e10, .poisson = 0.22};
  expect_close(effective_young(glass, glass), 7e10 / (2 * (1 - 0.22 * 0.22)), few_roundings, "E*");
  expect_close(effective_shear(glass, glass), 7e10 / (4 * (2 - 0.22) * (1 + 0.22)), few_roundings,
               "G*");
}

TEST(Material, EffectiveModuliAreSymmetricAndTendToTheSofterGrain) {
  const Elastic soft{.young = 1e6, .poisson = 0.45}, steel{.young = 2.1e11, .poisson = 0.3};
  EXPECT_EQ(effective_young(soft, steel), effective_young(steel, soft));
  EXPECT_EQ(effective_shear(soft, steel), effective_shear(steel, soft));
  // the hard one adds a compliance smaller by the ratio of the moduli, 5e-6
  expect_close(effective_young(soft, steel), 1e6 / (1 - 0.45 * 0.45), 1e-5, "E*");
  expect_close(effective_shear(soft, steel), 1e6 / (2 * (2 - 0.45) * (1 + 0.45)), 1e-5, "G*");
  const Elastic rigid{.young = std::numeric_limits<double>::infinity(), .poisson = 0.3};
  expect_close(effective_young(soft, rigid), 1e6 / (1 - 0.45 * 0.45), few_roundings, "E*");
}

TEST(Material, StiffnessIsHertzForEveryPair) {
  const Elastic a{.young = 5e7, .poisson = 0.3}, b{.young = 2e9, .poisson = 0.2};
  for (AnyNormal normal : {AnyNormal(Hertz{}), AnyNormal(HertzLinear{}), AnyNormal(HertzTsuji{}),
                           AnyNormal(KuwabaraKono{}), AnyNormal(KKMollified{.eps = 1e-6})}) {
    ContactLaws laws;
    laws.normal = normal;
    set_material_stiffness(laws, a, b);
    for (const double r : {1e-3, 0.2}) {
      const double k = 4.0 / 3 * effective_young(a, b) * std::sqrt(r), xi = 1e-3 * r;
      expect_close(normal_pair(laws, r, 1).elastic(xi), k * xi * std::sqrt(xi), few_roundings,
                   "force");
    }
  }
}

TEST(Material, StiffnessOfALawWithoutHertzElasticityIsAnError) {
  for (AnyNormal normal : {AnyNormal(Linear{}), AnyNormal(Power{})}) {
    ContactLaws laws;
    laws.normal = normal;
    EXPECT_THROW(set_material_stiffness(laws, {1e9, 0.3}, {1e9, 0.3}), InputError);
  }
}

TEST(Material, ViscousTimeSetsTheDashpotOfKuwabaraKono) {
  const double A = 3e-6, k = 2e8;
  ContactLaws laws;
  laws.normal = KuwabaraKono{.k = k};
  set_viscous_time(laws, A);
  EXPECT_EQ(std::get<KuwabaraKono>(laws.normal).g, 1.5 * A * k);
  EXPECT_TRUE(laws.scaling.plain());

  const Elastic glass{.young = 5e7, .poisson = 0.3};
  set_material_stiffness(laws, glass, glass);
  set_viscous_time(laws, A);
  const NormalPair pair = normal_pair(laws, 0.01, 1);
  // dashpot/elastic = (3/2) A/ξ for every pair
  expect_close(pair.dashpot(1e-5) / pair.elastic(1e-5), 1.5 * A / 1e-5, few_roundings, "material");

  laws.normal = HertzLinear{.k = 1};
  EXPECT_THROW(set_viscous_time(laws, A), InputError);
}

TEST(Material, TsujiDampingWithMaterialStiffnessFollowsTheStiffnessOfThePair) {
  ContactLaws laws;
  laws.normal = HertzTsuji{.alpha = 0.25225};
  set_material_stiffness(laws, {5e7, 0.3}, {5e7, 0.3});
  const double r = 0.5e-3, m = 5e-6, xi = 1e-6, young = 5e7 / (2 * (1 - 0.09));
  // α sqrt(m* (4/3) E* a), a = sqrt(r* ξ)
  expect_close(normal_pair(laws, r, m).dashpot(xi), 0.25225 * std::sqrt(m * 4 / 3 * young * std::sqrt(r * xi)),
               few_roundings, "dashpot");
}

/// gran/hooke/history and gran/hertz/history of LAMMPS, from their formulas.
TEST(Material, DampingPerMassIsThatOfLammps) {
  const double r = 0.5e-3, m = 5e-6, xi = 1e-6;
  ContactLaws hooke;
  hooke.normal = Linear{.k = 2000};
  set_damping_per_mass(hooke, 4409);
  expect_close(normal_pair(hooke, r, m).dashpot(xi), m * 4409, few_roundings, "hooke");
  hooke.attraction = true;  // b = γ/2, e = exp(-b π/w)
  const double w = std::sqrt(2000 / m - 4409.0 * 4409 / 4);
  expect_close(collide(hooke, r, m, 1).restitution, std::exp(-4409 * std::numbers::pi / (2 * w)), 1e-13, "e");

  ContactLaws hertz;
  hertz.normal = KuwabaraKono{};
  set_material_stiffness(hertz, {5e7, 0.3}, {5e7, 0.3});
  set_damping_per_mass(hertz, 1.2e8);
  const NormalPair pair = normal_pair(hertz, r, m);
  expect_close(pair.elastic(xi), std::sqrt(r * xi) * 3.6630036630036626e7 * xi, few_roundings, "k_n");
  expect_close(pair.dashpot(xi), std::sqrt(r * xi) * m * 1.2e8, few_roundings, "g_n");

  ContactLaws given;
  given.normal = KuwabaraKono{.k = 1e6};
  set_damping_per_mass(given, 3e6);
  expect_close(normal_pair(given, r, m).dashpot(xi), 3e6 * m * std::sqrt(xi), few_roundings, "g");
  given.normal = HertzTsuji{.k = 1};
  EXPECT_THROW(set_damping_per_mass(given, 1), InputError);
}

TEST(Material, LinearRestitutionHoldsForEveryPairAndSpeed) {
  for (const bool attraction : {true, false})
    for (const double e : {1.0, 0.999, 0.9, 0.5, 0.1353, 0.1, 1e-3}) {
      ContactLaws laws;
      laws.normal = Linear{.k = 3e5};
      laws.attraction = attraction;
      set_restitution(laws, {.restitution = e});
      for (const double m : {1e-6, 1.0, 400.0})
        for (const double v : {1e-3, 10.0})
          EXPECT_NEAR(collide(laws, 0.1, m, v).restitution, e, 1e-13) << e;
    }
}

TEST(Material, TsujiRestitutionHoldsForEveryPairAndSpeed) {
  for (const bool attraction : {true, false})
    for (const bool material : {true, false})
      for (const double e : {1.0, 0.999, 0.7, 0.2, 0.01}) {
        ContactLaws laws;
        laws.normal = HertzTsuji{.k = 1e8};
        laws.attraction = attraction;
        if (material) set_material_stiffness(laws, {5e7, 0.3}, {5e7, 0.3});
        set_restitution(laws, {.restitution = e});
        for (const double r : {1e-3, 0.5})
          for (const double v : {1e-3, 10.0})
            EXPECT_NEAR(collide(laws, r, r * r, v).restitution, e, solved) << e;
      }
}

/// Every law with a dashpot, the coefficient being called g or alpha.
TEST(Material, WantedBounceIsMetByEveryLawWithADashpot) {
  for_each_law<AnyNormal>([]<class L>(const L&) {
    for (const bool attraction : {true, false})
      for (const double e : {0.99, 0.8, 0.3}) {
        Dice dice(2);
        ContactLaws laws;
        laws.normal = random_law<L>(dice);
        laws.attraction = attraction;
        const Bounce wanted{.restitution = e, .speed = 4, .r_eff = 0.7, .m_eff = 2};
        if constexpr (std::is_same_v<L, Hertz>) {
          EXPECT_THROW(set_restitution(laws, wanted), InputError);
          EXPECT_FALSE(dashpot_for(laws, wanted).has_value());
        } else {
          set_restitution(laws, wanted);
          EXPECT_NEAR(collide(laws, wanted.r_eff, wanted.m_eff, wanted.speed).restitution, e,
                      solved)
              << L::name;
        }
      }
  });
}

TEST(Material, WantedBounceWithMaterialStiffnessFixesTheViscousTime) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{};
  set_material_stiffness(laws, {5e7, 0.3}, {5e7, 0.3});
  const Bounce wanted{.restitution = 0.6, .speed = 1, .r_eff = 2e-3, .m_eff = 1e-3};
  set_restitution(laws, wanted);
  EXPECT_NEAR(collide(laws, wanted.r_eff, wanted.m_eff, wanted.speed).restitution, 0.6, solved);
  const NormalPair small = normal_pair(laws, 1e-3, 1), large = normal_pair(laws, 1, 1);
  expect_close(small.dashpot(1e-5) / small.elastic(1e-5), large.dashpot(1e-5) / large.elastic(1e-5),
               few_roundings, "A");
}

TEST(Material, ElasticBounceNeedsNoDashpot) {
  for_each_law<AnyNormal>([]<class L>(const L&) {
    Dice dice(3);
    ContactLaws laws;
    laws.normal = random_law<L>(dice);
    set_restitution(laws, {.restitution = 1});
    EXPECT_EQ(normal_pair(laws, 1, 1).dashpot(0.5), 0) << L::name;
  });
}

TEST(Material, ImpossibleRestitutionsAreErrorsThatSayWhy) {
  const auto message = [](const AnyNormal& normal, double e, double speed) -> std::string {
    ContactLaws laws;
    laws.normal = normal;
    try {
      set_restitution(laws, {.restitution = e, .speed = speed});
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  for (const double e : {0.0, -0.5, 1.5, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(message(Linear{.k = 1}, e, 1).find("expected a number > 0 and <= 1"),
              std::string::npos)
        << e;
  EXPECT_NE(message(Hertz{.k = 1}, 0.5, 1).find("'hertz'"), std::string::npos);
  // Overlaps far below the mollifier's width never meet the dashpot.
  EXPECT_NE(message(KKMollified{.k = 1, .eps = 1e6}, 0.5, 1).find("'kk-mollified'"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
