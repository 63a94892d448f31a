// SPDX-License-Identifier: BSD-3-Clause
/// The studies of single collisions: restitution, force, impact.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

#include "tests/laws/reference_values.hpp"
#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

using test::run_study;

constexpr double pi = 3.14159265358979323846;

// collide() integrates to 1e-13 of the speed and of the undamped overlap; the end of a contact,
// where both vanish, costs a few digits of its time.
TEST(RestitutionStudy, AgreesWithTheReferenceValues) {
  for (const auto& one : reference::impacts) {
    const auto r = run_study("restitution", {{"law", std::string(one.law)},
                                             {"eps", shortest(one.eps > 0 ? one.eps : 1e-5)},
                                             {"speeds", shortest(one.speed)}});
    const auto& p = r.json["points"].at(0);
    EXPECT_NEAR(p["e"].get<double>(), one.restitution, 1e-11)
        << one.law << " " << one.eps << " " << one.speed;
    EXPECT_NEAR(p["overlap"].get<double>() / one.max_overlap, 1, 1e-11)
        << one.law << " " << one.speed;
    EXPECT_NEAR(p["duration"].get<double>() / one.duration, 1, 1e-9) << one.law << " " << one.speed;
  }
}

TEST(RestitutionStudy, CutsAttractionWhenTold) {
  for (const auto& one : reference::impacts) {
    if (one.clipped == 0 || one.law == "kk-mollified-full") continue;
    const auto r = run_study("restitution",
                             {{"law", std::string(one.law)},
                              {"eps", shortest(one.eps > 0 ? one.eps : 1e-5)},
                              {"speeds", shortest(one.speed)}},
                             {"contact.normal.attraction=false"});
    EXPECT_NEAR(r.json["points"].at(0)["e"].get<double>(), one.clipped, 1e-11)
        << one.law << " " << one.speed;
  }
}

TEST(RestitutionStudy, KnowsItsPartner) {
  const auto e = [](const char* partner) {
    return run_study("restitution", {{"law", "linear"}, {"speeds", "1"}, {"partner", partner}})
        .json["points"]
        .at(0)["e"]
        .get<double>();
  };
  EXPECT_NEAR(e("fixed"), reference::linear_impacts[0].restitution, 1e-12);
  EXPECT_NEAR(e("free"), reference::linear_impacts[1].restitution, 1e-12);
  EXPECT_EQ(e("wall"), e("fixed"));  // the linear law does not look at the radius
  EXPECT_THROW(run_study("restitution", {{"partner", "water"}}), InputError);
}

TEST(RestitutionStudy, PrintsWhatTheContractSays) {
  const auto one = run_study("restitution", {{"law", "kk"}, {"speeds", "0.1,1"}}).json["points"];
  ASSERT_EQ(one.size(), 2u);
  std::vector<std::string> keys;
  for (const auto& [key, value] : one.at(0).items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"v", "e", "duration", "overlap", "force"}));
  const auto several =
      run_study("restitution", {{"law", "kk,kk-mollified"}, {"eps", "1e-6,1e-5"}, {"speeds", "1"}})
          .json["points"];
  ASSERT_EQ(several.size(), 3u);
  EXPECT_EQ(several.at(2)["law"], "kk-mollified");
  EXPECT_EQ(several.at(2)["eps"], 1e-5);
}

/// What a study says of the claim that has these words.
Finding finding_of(const StudyResult& result, const std::string& words) {
  for (const Finding& one : result.findings)
    if (one.claim.find(words) != std::string::npos) return one;
  ADD_FAILURE() << "no finding says " << words;
  return {};
}

// The sentences of section 4.3.2, each by the verdict and again by the numbers themselves.
TEST(RestitutionStudy, SaysThatCollisionsBecomeMoreElasticAndDeeperAsTheMollifierWidens) {
  const auto r = run_study(
      "restitution",
      {{"law", "kk,kk-mollified"}, {"eps", "1e-7,1e-6,1e-5"}, {"speeds", "0.01,0.1,1,10"}});
  const auto& points = r.json["points"];
  ASSERT_EQ(points.size(), 16U);  // four speeds of the law, then of each width
  for (std::size_t v = 0; v < 4; ++v)
    for (std::size_t width = 1; width < 4; ++width)
      for (const char* what : {"e", "overlap"})
        EXPECT_GT(points[4 * width + v][what].get<double>(),
                  points[4 * (width - 1) + v][what].get<double>())
            << what << v << width;
  const Finding elastic = finding_of(r, "more elastic as"),
                deeper = finding_of(r, "largest overlap grows");
  EXPECT_EQ(elastic.verdict, Finding::Verdict::holds) << elastic.ours;
  EXPECT_EQ(deeper.verdict, Finding::Verdict::holds) << deeper.ours;
  EXPECT_NE(deeper.ours.find("at 31 of 31 speeds"), std::string::npos) << deeper.ours;
}

TEST(RestitutionStudy, SaysThatLowSpeedsAreWorstDownToWhereTheWorstSpeedLies) {
  // v* where the excess is largest: it falls with the width, and far below it the excess falls
  // again, since Kuwabara-Kono itself becomes elastic. That is what qualifies "especially at very
  // low speeds".
  const Finding f =
      finding_of(run_study("restitution", {{"law", "kk,kk-mollified"}, {"speeds", "1"}}),
                 "especially at very low speeds");
  double narrow = 0, wide = 0;
  const auto at = f.ours.find("is largest at ");
  ASSERT_NE(at, std::string::npos) << f.ours;
  ASSERT_EQ(std::sscanf(f.ours.c_str() + at, "is largest at %lf m/s for ε = 1e-7 m and at %lf m/s",
                        &narrow, &wide),
            2)
      << f.ours;
  EXPECT_LT(narrow, wide / 10);
  const auto excess = [](double eps, double v) {
    const auto e = [&](const char* law) {
      return run_study("restitution",
                       {{"law", law}, {"eps", shortest(eps)}, {"speeds", shortest(v)}})
          .json["points"][0]["e"]
          .get<double>();
    };
    return e("kk-mollified") / e("kk") - 1;
  };
  for (const auto& [eps, worst] : {std::pair{1e-7, narrow}, {1e-5, wide}}) {
    EXPECT_GT(excess(eps, worst), excess(eps, 10)) << eps;  // low speeds are worse than high ones
    EXPECT_GT(excess(eps, worst), excess(eps, worst / 10)) << eps;  // but not the lowest
  }
  EXPECT_NE(f.why.find("becomes elastic"), std::string::npos) << f.why;
}

TEST(RestitutionStudy, SaysThatMollifyingTheElasticRootTooLiesCloserToKuwabaraKono) {
  const auto r = run_study(
      "restitution",
      {{"law", "kk,kk-mollified,kk-mollified-full"}, {"eps", "1e-5"}, {"speeds", "0.01,0.1,1,10"}});
  const auto& points = r.json["points"];
  ASSERT_EQ(points.size(), 12U);
  for (std::size_t v = 0; v < 4; ++v) {
    const double kk = points[v]["e"].get<double>();
    EXPECT_LT(std::abs(points[8 + v]["e"].get<double>() - kk),
              std::abs(points[4 + v]["e"].get<double>() - kk))
        << points[v];
  }
  const Finding f = finding_of(r, "closer to Kuwabara-Kono");
  EXPECT_EQ(f.verdict, Finding::Verdict::holds) << f.ours;
  EXPECT_NE(f.ours.find("closer at 31 of 31 speeds"), std::string::npos) << f.ours;
}

TEST(RestitutionStudy, SaysThatExplicitEulerInjectsEnergy) {
  const auto r = run_study("restitution", {{"law", "kk"}, {"integrators", "euler"}});
  const Finding f = finding_of(r, "injects energy");
  EXPECT_EQ(f.verdict, Finding::Verdict::holds) << f.ours;
}

// The engine as the other witness. Damped Verlet has order 1.5 on Kuwabara-Kono; an error of
// (h/t_c)^1.5 is ten times what it makes.
TEST(RestitutionStudy, IsWhatTheEngineDoes) {
  for (const char* partner : {"fixed", "free", "wall"}) {
    const auto r = run_study("restitution", {{"law", "kk"},
                                             {"speeds", "0.1,1,10"},
                                             {"integrators", "damped-verlet,rk4"},
                                             {"partner", partner}});
    ASSERT_EQ(r.json["schemes"].size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) {
      const auto& s = r.json["schemes"].at(k);
      const double contact = r.json["points"].at(k % 3)["duration"].get<double>();
      EXPECT_NEAR(s["e"].get<double>(), s["exact"].get<double>(), std::pow(0x1p-23 / contact, 1.5))
          << partner << " " << s;
    }
  }
}

TEST(ForceStudy, JumpsWhereTheDashpotJumps) {
  const auto r = run_study("force", {{"law", "linear,kk"}, {"points", "400"}});
  const auto& linear = r.json["curves"].at(0);
  const auto& ref = reference::linear_impacts[0];
  EXPECT_NEAR(linear["first"].get<double>(), reference::linear_g, 1e-12);
  EXPECT_NEAR(linear["last"].get<double>(), -reference::linear_g * ref.restitution, 1e-12);
  EXPECT_NEAR(linear["duration"].get<double>() / ref.duration, 1, 1e-12);
  const auto& cut = r.json["curves"].at(1);
  EXPECT_NEAR(cut["duration"].get<double>() / ref.clipped_duration, 1, 1e-12);
  EXPECT_EQ(cut["lowest"].get<double>(), 0);
  const auto& kk = r.json["curves"].at(2);
  EXPECT_EQ(kk["first"].get<double>(), 0);
  EXPECT_EQ(kk["last"].get<double>(), 0);
  EXPECT_LT(kk["lowest"].get<double>(), 0);  // the residual attraction of figure 1.8
  // Momentum: the force, integrated over the contact, is m v (1 + e). The rule is the trapezoidal
  // one on 400 points, with an error of (1/400)² times a curvature of about ten, and the jumps are
  // exact.
  for (std::size_t which : {std::size_t{0}, std::size_t{2}}) {
    const auto& c = r.json["curves"].at(which);
    double impulse = 0, t_before = 0, n_before = 0;
    bool begun = false;
    for (const auto& row : r.tables[0].rows) {
      if (std::get<std::string>(row[0]) != c["law"] || std::get<std::int64_t>(row[1]) != 1)
        continue;
      const double t = std::get<double>(row[2]), n = std::get<double>(row[3]);
      if (begun) impulse += (t - t_before) * (n + n_before) / 2;
      t_before = t, n_before = n, begun = true;
    }
    EXPECT_NEAR(impulse / (reference::impact_mass * (1 + c["restitution"].get<double>())), 1, 1e-4)
        << c["law"];
  }
}

// Without losses a contact that slides throughout has the impulse μ 2 m u_n. The normal turns by
// about ψ v t_c/(2 r) meanwhile, 5e-4 here, and changes ψ by ψ times as much.
TEST(ImpactStudy, SlidesAsTheClosedFormSays) {
  const auto r = run_study("impact", {{"psi", "3,4"}, {"speed", "0.001"}, {"constant-normal", "1"}},
                           {"contact.normal.g=0"});
  for (const auto& p : r.json["points"])
    EXPECT_NEAR(p["psi_f"].get<double>(), p["psi_i"].get<double>() - 3.5 * 0.25 * 2, 5e-3);
}

// A spring along a wall, never cut (μ = 1e6), and a linear elastic contact of t_c = π sqrt(m/k):
// half a swing of the mass, part of a swing along it. Damped Verlet with a step of 1/118 of the
// contact: (w h)²/24 of the phase w t_c, 3e-4; the last step of the contact, 1/118, moves the phase
// by up to w h = 0.03 at a cosine of slope |sin|.
TEST(ImpactStudy, SticksAsTheClosedFormSays) {
  const double k = 7.32e6, m = reference::impact_mass, contact = pi * std::sqrt(m / k);
  for (const double k_t : {0.25 * k, 2.0 / 7 * k}) {
    const auto r = run_study(
        "impact", {{"psi", "0.5"}, {"law", "linear"}, {"speed", "0.01"}, {"partner", "wall"}},
        {"contact.normal.g=0", "contact.tangential.mu=1000000.0",
         "contact.tangential.k_t=" + shortest(k_t)});
    const double w = std::sqrt(3.5 * k_t / m);
    EXPECT_NEAR(r.json["points"].at(0)["psi_f"].get<double>(), 0.5 * std::cos(w * contact),
                0.5 * (w * 0x1p-23 * (std::abs(std::sin(w * contact)) + w * 0x1p-23)) + 1e-3)
        << k_t;
  }
}

TEST(ImpactStudy, PrintsWhatTheContractSays) {
  const auto r = run_study("impact", {{"psi", "0,1"}});
  ASSERT_EQ(r.json["points"].size(), 2u);
  EXPECT_NEAR(r.json["points"].at(0)["psi_f"].get<double>(), 0, 1e-15);  // head on: nothing turns
  EXPECT_EQ(r.json["points"].at(0).size(), 2u);
}

}  // namespace
}  // namespace scree
