// SPDX-License-Identifier: BSD-3-Clause
/// Head-on collisions: against values computed elsewhere, closed forms, and a scheme of brute
/// force.
#include "scree/laws/collision.hpp"

#include <numbers>
#include <vector>

#include "tests/laws/law_checks.hpp"
#include "tests/laws/reference_values.hpp"

namespace scree {
namespace {

using namespace law_checks;
using std::numbers::pi;

/// What the integrator promises: some ten steps of 1e-14 each, and round-off.
constexpr double integrated = 1e-12;

ContactLaws laws_of(const AnyNormal& normal, bool attraction) {
  ContactLaws laws;
  laws.normal = normal;
  laws.attraction = attraction;
  return laws;
}

AnyNormal law_named(std::string_view name, double k, double g, double eps) {
  if (name == "hertz") return Hertz{.k = k};
  if (name == "kk") return KuwabaraKono{.k = k, .g = g};
  if (name == "kk-mollified") return KKMollified{.k = k, .g = g, .eps = eps};
  return KKMollifiedFull{.k = k, .g = g, .eps = eps};
}

TEST(Collision, ImpactsMatchReferenceValues) {
  for (const auto& r : reference::impacts) {
    const auto normal = law_named(r.law, reference::impact_k, reference::impact_g, r.eps);
    const std::string what =
        std::string(r.law) + " eps " + std::to_string(r.eps) + " v " + std::to_string(r.speed);
    const Collision c = collide(laws_of(normal, true), 1, reference::impact_mass, r.speed);
    expect_close(c.restitution, r.restitution, integrated, what);
    expect_close(c.max_overlap, r.max_overlap, integrated, what);
    expect_close(c.duration, r.duration, integrated, what);
    EXPECT_FALSE(c.sticks);
    if (r.clipped > 0) {
      const Collision d = collide(laws_of(normal, false), 1, reference::impact_mass, r.speed);
      expect_close(d.restitution, r.clipped, integrated, what);
      expect_close(d.max_overlap, r.max_overlap, integrated, what);
      EXPECT_LE(d.duration, c.duration);
    }
  }
}

TEST(Collision, PassagesMatchReferenceValues) {
  for (const auto& r : reference::passages) {
    const auto laws = laws_of(law_named(r.law, reference::passage_k, r.g, r.eps), true);
    const Collision c = collide(laws, 1, reference::passage_mass, 1);
    const HeadOn now = head_on(laws, 1, reference::passage_mass, 1, reference::passage_time);
    const std::string what(r.law);
    expect_close(c.max_overlap, r.max_overlap, integrated, what);
    expect_close(c.rise, r.rise, integrated, what);
    expect_close(now.xi, r.xi, integrated, what);
    expect_close(now.rate, r.rate, integrated, what);
  }
}

TEST(Collision, LinearImpactsMatchReferenceValues) {
  const Linear linear{.k = reference::linear_k, .g = reference::linear_g};
  for (const auto& r : reference::linear_impacts) {
    const double v = 3;
    const Collision pulled = collide(laws_of(linear, true), 1, r.mass, v);
    const Collision cut = collide(laws_of(linear, false), 1, r.mass, v);
    // closed forms; an exponent of about 0.1 leaves few roundings
    expect_close(pulled.restitution, r.restitution, few_roundings, "restitution");
    expect_close(pulled.duration, r.duration, few_roundings, "duration");
    expect_close(cut.restitution, r.clipped, few_roundings, "restitution, cut");
    expect_close(cut.duration, r.clipped_duration, few_roundings, "duration, cut");
    expect_close(cut.max_overlap, v * r.max_overlap_per_speed, few_roundings, "overlap");
    expect_close(pulled.max_overlap, v * r.max_overlap_per_speed, few_roundings, "overlap");
  }
}

/// e = exp(-(b/w)(π - atan2(2 b w, w² - b²))) as Schwager and Pöschel write it.
TEST(Collision, LinearRestitutionWithoutAttractionEqualsSchwagerAndPoschel) {
  for (const double z : {0.01, 0.1, 0.5, 0.7071, 0.9, 0.999}) {
    const double b = z, w = std::sqrt(1 - z * z);
    const double e = std::exp(-b / w * (pi - std::atan2(2 * b * w, w * w - b * b)));
    const Collision c = collide(laws_of(Linear{.k = 1, .g = 2 * z}, false), 1, 1, 1);
    expect_close(c.restitution, e, 1e-13, std::to_string(z));
  }
}

/// The integrator knows nothing of the closed forms; `power` with exponents 1 and 0 is the linear
/// law.
TEST(Collision, IntegratedLinearLawEqualsItsClosedForm) {
  for (const bool attraction : {true, false}) {
    for (const double z : {0.0, 0.03, 0.3, 0.49, 0.51, 0.9, 0.99, 1.0, 1.01, 3.0, 30.0}) {
      const double m = 0.02, k = 3e4, g = 2 * z * std::sqrt(k * m), v = 0.7;
      const Collision exact = collide(laws_of(Linear{.k = k, .g = g}, attraction), 1, m, v);
      const Collision c =
          collide(laws_of(Power{.k = k, .g = g, .a = 1, .b = 0}, attraction), 1, m, v);
      const std::string what = "damping ratio " + std::to_string(z) + (attraction ? "" : ", cut");
      EXPECT_EQ(c.sticks, exact.sticks) << what;
      EXPECT_EQ(exact.sticks, attraction && z >= 1) << what;
      EXPECT_EQ(std::isinf(exact.duration), exact.sticks) << what;
      // Errors are absolute, in units of the speed and of the undamped overlap: strong damping
      // leaves little of either, and the end of a cut contact comes when a slow creep has lost its
      // speed.
      const double little = exact.max_overlap / (v * std::sqrt(m / k)),
                   slow = attraction ? 1 : exact.restitution;
      EXPECT_NEAR(c.restitution, exact.restitution, integrated) << what;
      if (!exact.sticks) expect_close(c.duration, exact.duration, integrated / slow, what);
      expect_close(c.max_overlap, exact.max_overlap, integrated / little, what);
      expect_close(c.rise, exact.rise, integrated / little, what);
      expect_close(c.max_force, exact.max_force, integrated, what);
    }
  }
}

TEST(Collision, HertzContactMatchesClosedForms) {
  const double k = 4.2e9, m = 0.031;
  // t_c = (4/5) B(2/5, 1/2) ξ_m/v = 2.943275 ξ_m/v
  const double factor = 0.8 * std::tgamma(0.4) * std::sqrt(pi) / std::tgamma(0.9);
  EXPECT_NEAR(factor, 2.943275, 5e-7);
  for (const double v : {1e-6, 1e-3, 1.0, 50.0}) {
    const Collision c = collide(laws_of(Hertz{.k = k}, false), 1, m, v);
    const double xi = std::pow(5 * m * v * v / (4 * k), 0.4);
    expect_close(c.restitution, 1, integrated, "restitution");
    expect_close(c.max_overlap, xi, integrated, "overlap");
    expect_close(c.duration, factor * xi / v, integrated, "duration");
    expect_close(c.rise, c.duration / 2, integrated, "rise");
    expect_close(c.max_force, k * std::pow(xi, 1.5), integrated, "force");
  }
}

/// e = 1 - C1 x + C2 x² - …, x = (3/2) A (k/m)^{2/5} v^{1/5}. C1 is given to 7 digits, and the next
/// term is smaller than x³.
TEST(Collision, KuwabaraKonoFollowsItsSeriesForWeakDamping) {
  const double k = 7e8, m = 0.4, v = 0.3;
  for (const double x : {1e-4, 1e-3, 1e-2, 3e-2}) {
    const double A = x / (1.5 * std::pow(k / m, 0.4) * std::pow(v, 0.2));
    const Collision c = collide(laws_of(KuwabaraKono{.k = k, .g = 1.5 * A * k}, true), 1, m, v);
    EXPECT_NEAR(c.restitution, 1 - 1.153449 * x + 0.798267 * x * x,
                x * x * x + 5e-7 * x + integrated)
        << x;
  }
}

/// e = exp(-π a/sqrt(1 - a²)), a = α/sqrt(5), at every speed, mass and stiffness; sticks from α =
/// sqrt(5) on.
TEST(Collision, TsujiRestitutionDependsOnAlphaAlone) {
  for (const double alpha : {0.01, 0.3, 1.0, 2.0}) {
    const double a = alpha / std::sqrt(5.0), e = std::exp(-pi * a / std::sqrt(1 - a * a));
    for (const double v : {1e-4, 2.0})
      for (const double m : {1e-6, 30.0}) {
        const Collision c = collide(laws_of(HertzTsuji{.k = 5e6, .alpha = alpha}, true), 1, m, v);
        EXPECT_NEAR(c.restitution, e, integrated) << alpha;
      }
  }
  EXPECT_TRUE(
      collide(laws_of(HertzTsuji{.k = 1, .alpha = std::sqrt(5.0) + 1e-3}, true), 1, 1, 1).sticks);
  EXPECT_FALSE(collide(laws_of(HertzTsuji{.k = 1, .alpha = 2.2}, true), 1, 1, 1).sticks);
}

/// Far beyond critical damping Kuwabara-Kono grains creep out of contact, yet never stick: inertia
/// wins at last, at a speed that falls with the fifth power of g. A plain dashpot holds them.
TEST(Collision, PlainDashpotsCaptureAndKuwabaraKonoDoesNot) {
  const auto restitution = [](double g) {
    return collide(laws_of(KuwabaraKono{.k = 1, .g = g}, true), 1, 1, 1);
  };
  EXPECT_FALSE(restitution(20).sticks);
  // absolute error of a speed, over the smaller speed
  expect_close(restitution(10).restitution, 32 * restitution(20).restitution, 1e-8, "fifth power");

  const auto plain = [](double g, bool attraction) {
    return collide(laws_of(HertzLinear{.k = 1, .g = g}, attraction), 1, 1, 1);
  };
  EXPECT_FALSE(plain(1, true).sticks);
  EXPECT_TRUE(plain(2, true).sticks);
  EXPECT_FALSE(plain(2, false).sticks);
  EXPECT_GT(plain(2, false).restitution, 0);
}

/// Rk4 with small steps, the cut applied at every evaluation: first order at worst where forces
/// jump.
Collision brute_force(const NormalPair& pair, double speed, double h) {
  const auto force = [&](double xi, double v) {
    if (xi <= 0) return 0.0;
    const double f = pair.elastic(xi) + pair.dashpot(xi) * v;
    return pair.attraction ? f : std::max(f, 0.0);
  };
  const auto a = [&](double xi, double v) { return -force(xi, v) / pair.m_eff; };
  Collision c;
  double xi = 1e-30, v = speed, t = 0;
  while (xi > 0 && t < 1e7 * h) {
    const double f = force(xi, v);
    if (f != 0) c.duration = t;
    c.max_force = std::max(c.max_force, f);
    if (xi > c.max_overlap) c.max_overlap = xi, c.rise = t;
    const double k1 = a(xi, v), v1 = v + h / 2 * k1;
    const double k2 = a(xi + h / 2 * v, v1), v2 = v + h / 2 * k2;
    const double k3 = a(xi + h / 2 * v1, v2), v3 = v + h * k3;
    const double k4 = a(xi + h * v2, v3);
    xi += h / 6 * (v + 2 * v1 + 2 * v2 + v3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
  }
  c.restitution = -v / speed;
  return c;
}

TEST(Collision, AgreesWithBruteForceForEveryLaw) {
  Dice dice(5);
  for_each_law<AnyNormal>([&]<class L>(const L&) {
    for (int i = 0; i < 4; ++i) {
      const L law = random_law<L>(dice);
      const double r = between(dice, 0.5, 2), m = between(dice, 0.5, 2),
                   speed = between(dice, 0.5, 3);
      for (const bool attraction : {true, false}) {
        const NormalPair pair(law, r, m, attraction);
        const Collision c = collide(pair, speed);
        const std::string what = std::string(L::name) + (attraction ? "" : ", cut");
        if (c.sticks) continue;  // brute force would not end
        const double h = c.rise / 4000;
        const Collision b = brute_force(pair, speed, h);
        // One step of time either way, and one step's change of everything else: 1/4000 of the
        // whole.
        EXPECT_NEAR(c.restitution, b.restitution, 5e-4) << what;
        EXPECT_NEAR(c.rise, b.rise, 1.5 * h) << what;
        // A root ξ^{1/4} at touch costs the first step h^{5/4} = 3e-5 of its own small part.
        EXPECT_NEAR(c.max_overlap, b.max_overlap, 1e-5 * c.max_overlap) << what;
        EXPECT_NEAR(c.max_force, b.max_force, 1e-3 * c.max_force) << what;
        EXPECT_GE(c.max_force, b.max_force * (1 - 1e-5)) << what;
        if (c.restitution > 0.05) {
          EXPECT_NEAR(c.duration, b.duration, 3 * h) << what;
        }
      }
    }
  });
}

TEST(Collision, HeadOnFollowsTheMotionAndTheFlightAfterIt) {
  const double k = 50, g = 3, m = 2, v = 0.4, b = g / (2 * m), w = std::sqrt(k / m - b * b);
  const auto laws = laws_of(Linear{.k = k, .g = g}, true);
  const Collision c = collide(laws, 1, m, v);
  for (const double part : {0.01, 0.3, 0.77, 0.999}) {
    const double t = part * c.duration;
    const HeadOn now = head_on(laws, 1, m, v, t);
    EXPECT_NEAR(now.xi, v / w * std::exp(-b * t) * std::sin(w * t), integrated * c.max_overlap);
    EXPECT_NEAR(now.rate, v * std::exp(-b * t) * (std::cos(w * t) - b / w * std::sin(w * t)),
                integrated * v);
  }
  const HeadOn after = head_on(laws, 1, m, v, c.duration + 2);
  expect_close(after.rate, -c.restitution * v, integrated, "speed after");
  expect_close(after.xi, 2 * after.rate, integrated, "gap");
  // Attraction cut: the force vanishes first, the overlap later, and in between nothing acts.
  const auto cut = laws_of(Linear{.k = k, .g = g}, false);
  const Collision d = collide(cut, 1, m, v);
  const HeadOn released = head_on(cut, 1, m, v, d.duration * (1 + 1e-3));
  EXPECT_GT(released.xi, 0);
  expect_close(released.rate, -d.restitution * v, integrated, "speed");
}

/// A mollified dashpot fades faster than the spring, so the cut force comes back before the grains
/// part (kk-mollified), unless spring and dashpot fade alike (kk-mollified-full).
TEST(Collision, RepulsionResumesAfterTheCutOfAMollifiedDashpot) {
  const auto ends = [](const AnyNormal& law) {
    const auto laws = laws_of(law, false);
    const Collision c = collide(laws, 1, reference::impact_mass, 10);
    return head_on(laws, 1, reference::impact_mass, 10, c.duration).xi;
  };
  EXPECT_NEAR(ends(KKMollified{.k = 9e7, .g = 190, .eps = 1e-6}), 0, 1e-12);
  EXPECT_GT(ends(KKMollifiedFull{.k = 9e7, .g = 190, .eps = 1e-6}), 1e-6);
  EXPECT_GT(ends(KuwabaraKono{.k = 9e7, .g = 190}), 1e-6);
}

TEST(Collision, ScalingMultipliesTheCoefficientsOfThePair) {
  const double r = 0.003, m = 2e-4, v = 0.8;
  ContactLaws scaled = laws_of(KuwabaraKono{.k = 6e9, .g = 5e4}, true);
  scaled.scaling = {Scaling::Stiffness::root_radius, Scaling::Damping::root_radius};
  const double root = std::sqrt(r);
  const auto plain = laws_of(KuwabaraKono{.k = 6e9 * root, .g = 5e4 * root}, true);
  expect_close(collide(scaled, r, m, v).restitution, collide(plain, r, m, v).restitution,
               integrated, "kk");

  ContactLaws tsuji = laws_of(HertzTsuji{.k = 6e9, .alpha = 0.5}, true);
  tsuji.scaling = {Scaling::Stiffness::root_radius, Scaling::Damping::quarter_radius};
  const auto given = laws_of(HertzTsuji{.k = 6e9 * root, .alpha = 0.5}, true);
  expect_close(collide(tsuji, r, m, v).restitution, collide(given, r, m, v).restitution, integrated,
               "tsuji");
  expect_close(collide(tsuji, r, m, v).max_force, collide(given, r, m, v).max_force, integrated,
               "tsuji");

  ContactLaws linear = laws_of(Linear{.k = 1e5, .g = 40}, true);
  linear.scaling.damping = Scaling::Damping::root_mass;
  const auto by_hand = laws_of(Linear{.k = 1e5, .g = 40 * std::sqrt(m)}, true);
  expect_close(collide(linear, r, m, v).restitution, collide(by_hand, r, m, v).restitution,
               few_roundings, "linear");
}

TEST(Collision, ContactTimeOfGrainsThatStickIsThatOfTheUndampedPair) {
  const auto sticky = laws_of(Linear{.k = 100, .g = 1000}, true);
  expect_close(contact_time(sticky, 1, 4, 1), pi * std::sqrt(4.0 / 100), integrated, "linear");
  const auto gentle = laws_of(Linear{.k = 100, .g = 4}, true);
  expect_close(contact_time(gentle, 1, 4, 1), pi / std::sqrt(100.0 / 4 - 0.25), few_roundings,
               "linear");
}

TEST(Collision, TimeScalesKnowEverySpringAndDashpot) {
  const double r = 0.5, m = 4, v = 0.1;
  ContactLaws laws = laws_of(Linear{.k = 100, .g = 0}, false);
  TimeScales t = time_scales(laws, r, m, v);
  expect_close(t.normal, pi * std::sqrt(m / 100), integrated, "spring");
  EXPECT_TRUE(std::isinf(t.tangential));
  EXPECT_TRUE(std::isinf(t.rolling));
  EXPECT_EQ(shortest_contact_time(laws, r, m, v), t.normal);

  laws.normal = Linear{.k = 100, .g = 1000};
  expect_close(time_scales(laws, r, m, v).normal, 2 * pi * m / 1000, integrated, "dashpot");

  laws.normal = Hertz{.k = 100};
  const double xi = std::pow(5 * m * v * v / 400, 0.4);
  laws.tangential = Mindlin{.shear = 1e6, .mu = 0.5};
  laws.rolling = RollingSpring{.k_r = 3e7, .mu_r = 0.1};
  t = time_scales(laws, r, m, v);
  expect_close(t.normal, 2.943275 * xi / v, 2e-7, "Hertz");
  expect_close(t.tangential, pi * std::sqrt(m * 2 / 7 / (8e6 * std::sqrt(r * xi))), integrated,
               "Mindlin");
  expect_close(t.rolling, pi * std::sqrt(0.4 * m * r * r / 3e7), integrated, "rolling");
  EXPECT_EQ(shortest_contact_time(laws, r, m, v), t.rolling);

  laws.tangential = Viscous{.g_t = 7e5, .mu = 0.5};
  expect_close(time_scales(laws, r, m, v).tangential, 2 * pi * m * 2 / 7 / 7e5, integrated,
               "viscous");
}

}  // namespace
}  // namespace scree
