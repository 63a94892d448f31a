// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/read_scene.hpp"

#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/laws/collision.hpp"
#include "scree/laws/material.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;

/// A whole scene in the plane; blocks may be appended.
const std::string plane = R"(
[scene]
name = "plane"
dim = 2
seed = 5

[material.glass]
density = 2500.0
young = 1e7
poisson = 0.2

[material.steel]
young = 2e8
poisson = 0.3

[[grains]]
name = "pair"
build = "points"
material = "glass"
positions = [[0.0, 0.1], [0.5, 0.1]]
velocities = [[1.0, 0.0], [0.0, -2.0]]
spins = [3.0, -4.0]
radii = [0.01, 0.02]

[[walls]]
kind = "plane"
point = [0, 0]
normal = [0, 3]
material = "steel"

[contact]
normal = { law = "hertz-linear", k = 1e7, g = 0.5 }
tangential = { law = "cundall-strack", ratio = 0.25, mu = 0.5 }

[run]
dt = 1e-6
time = 0.01
)";

template <int D>
Scene<D, double> read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return std::get<Scene<D, double>>(read_scene_text(text, "test.toml", overrides));
}
std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read_scene_text(text, "test.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadScene, GrainsAreAsTheFileSays) {
  const auto scene = read<2>(plane);
  const auto& g = scene.world.grains;
  const auto& s = scene.world.state;
  ASSERT_EQ(g.size(), 2u);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(scene.name, "plane");
  EXPECT_EQ(scene.seed, 5u);
  EXPECT_EQ(scene.text, plane);
  EXPECT_EQ(g.id[1], 1u);
  EXPECT_EQ(g.r[1], 0.02);
  EXPECT_EQ(s.x[1], (Vec<2, double>{0.5, 0.1}));
  EXPECT_EQ(g.home[1], s.x[1]);
  EXPECT_EQ(s.v[1], (Vec<2, double>{0, -2}));
  EXPECT_EQ(s.w[1][0], -4);
  EXPECT_EQ(s.q[0][0], 0);
  EXPECT_EQ(g.held[0], 0);
  EXPECT_EQ(scene.world.groups.at(0).name, "pair");
  for (int k = 0; k < Ledger::size; ++k) EXPECT_EQ(s.e[0][k], 0);
}

TEST(ReadScene, SpheresHaveTheMassAndInertiaOfTheSpecification) {
  const auto scene = read<2>(plane);
  const double m = 4.0 / 3 * pi * 1e-6 * 2500;
  EXPECT_NEAR(scene.world.grains.m[0], m, 1e-15);
  EXPECT_NEAR(scene.world.grains.inertia[0], 0.4 * m * 1e-4, 1e-19);
}

TEST(ReadScene, DiscsHaveTheMassAndInertiaOfTheSpecification) {
  const auto scene = read<2>(plane, {"material.glass.body=disc", "material.glass.height=0.05"});
  const double m = pi * 1e-4 * 0.05 * 2500;
  EXPECT_NEAR(scene.world.grains.m[0], m, 1e-15);
  EXPECT_NEAR(scene.world.grains.inertia[0], 0.5 * m * 1e-4, 1e-18);
}

TEST(ReadScene, MassesMayBeGivenInPlaceOfADensity) {
  for (const bool disc : {false, true}) {
    std::vector<std::string> changes{"grains.0.mass=[3.0, 0.25]"};
    if (disc) changes.insert(changes.end(), {"material.glass.body=disc", "material.glass.height=0.05"});
    const auto scene = read<2>(plane, changes);
    EXPECT_EQ(scene.world.grains.m[0], 3);
    EXPECT_EQ(scene.world.grains.m[1], 0.25);
    EXPECT_NEAR(scene.world.grains.inertia[1], (disc ? 0.5 : 0.4) * 0.25 * 4e-4, 1e-18);
  }
  // a material without density will do then, and a pair's laws are those of its masses
  const auto light = read<2>(plane, {"grains.0.material=steel", "grains.0.mass=2.0",
                                     R"(contact.normal={ law = "hertz-linear", k = 1e7, restitution = 0.8, speed = 1.0 })"});
  const auto heavy = read<2>(plane, {"grains.0.material=steel", "grains.0.mass=8.0",
                                     R"(contact.normal={ law = "hertz-linear", k = 1e7, restitution = 0.8, speed = 1.0 })"});
  const auto g = [](const auto& scene) { return std::get<HertzLinear>(scene.table.laws[scene.table.index(1, 1)].normal).g; };
  EXPECT_NEAR(g(heavy) / g(light), std::pow(4.0, 0.6), 1e-6);  // g ~ (m k)^{1/2} ξ^{1/4}, ξ ~ m^{2/5}
  EXPECT_NE(message_of(plane, {"grains.0.mass=-1.0"}).find("grains.0.mass"), std::string::npos);
}

TEST(ReadScene, GrainsThatDoNotRotateHaveNoInertia) {
  EXPECT_EQ(read<2>(plane, {"grains.0.rotate=false"}).world.grains.inertia[0], 0);
}

TEST(ReadScene, QuaternionsBeginWithoutTurn) {
  const auto scene = read<3>(R"(
    scene = { dim = 3 }
    material.a.density = 1.0
    run = { dt = 1e-3, time = 1.0 }
    [[grains]]
    build = "points"
    material = "a"
    positions = [[0, 0, 0]]
    spins = [[1, 2, 3]]
    radii = [1]
  )");
  EXPECT_EQ(scene.world.state.q[0], (Vec<4, double>{1, 0, 0, 0}));
  EXPECT_EQ(scene.world.state.w[0], (Vec<3, double>{1, 2, 3}));
  EXPECT_EQ(scene.name, "test");  // of the file
  EXPECT_EQ(scene.table.laws.size(), 1u);
}

TEST(ReadScene, NormalsAreMadeUnitAndWallsTakeTheirMaterial) {
  const auto scene = read<2>(plane);
  EXPECT_EQ(scene.world.walls.at(0).normal, (Vec<2, double>{0, 1}));
  EXPECT_EQ(scene.world.walls[0].material, 1);
  EXPECT_EQ(scene.world.walls[0].from, -forever);
  EXPECT_EQ(scene.world.walls[0].until, forever);
}

TEST(ReadScene, ABoxIsFourPlanesAndASideMayBeOpen) {
  const std::string box =
      plane +
      "[[walls]]\nname = \"cell\"\nkind = \"box\"\nbox = [[-1, 0], [1, 2]]\nopen = "
      "[\"top\"]\nuntil = 0\n"
      "motion = [{ move = \"oscillate\", amplitude = [0.1, 0], frequency = 2 }]\n";
  const auto walls = read<2>(box).world.walls;
  ASSERT_EQ(walls.size(), 4u);
  EXPECT_EQ(walls[1].name, "cell left");
  EXPECT_EQ(walls[1].point, (Vec<2, double>{-1, 0}));
  EXPECT_EQ(walls[1].normal, (Vec<2, double>{1, 0}));
  EXPECT_EQ(walls[2].name, "cell right");
  EXPECT_EQ(walls[2].normal, (Vec<2, double>{-1, 0}));
  EXPECT_EQ(walls[3].name, "cell bottom");
  EXPECT_EQ(walls[3].until, 0);
  ASSERT_EQ(walls[3].motion.size(), 1u);
  EXPECT_EQ(walls[3].motion[0].frequency, 2);
}

TEST(ReadScene, RingsSegmentsAndMotionsAreRead) {
  const auto walls = read<2>(plane + R"(
    [[walls]]
    kind = "ring"
    centre = [0.2, 0.1]
    radius = 2
    motion = [{ move = "rotate", rate = 2, from = 1, until = 3 }, { move = "shrink", rate = 0.5 },
              { move = "translate", velocity = [1, 2] }]
    [[walls]]
    kind = "segment"
    point = [1, 1]
    end = [1, 2]
  )")
                         .world.walls;
  ASSERT_EQ(walls.size(), 3u);
  EXPECT_EQ(walls[1].kind, WallKind::ring);
  EXPECT_TRUE(walls[1].inside);
  ASSERT_EQ(walls[1].motion.size(), 3u);
  EXPECT_EQ(walls[1].motion[0].kind, MoveKind::rotate);
  EXPECT_EQ(walls[1].motion[0].until, 3);
  EXPECT_EQ(walls[1].motion[1].kind, MoveKind::shrink);
  EXPECT_EQ(walls[1].motion[2].velocity, (Vec<2, double>{1, 2}));
  EXPECT_EQ(walls[2].kind, WallKind::segment);
  EXPECT_EQ(walls[2].end, (Vec<2, double>{1, 2}));
}

TEST(ReadScene, ASheetHasAHole) {
  const auto walls = read<2>(plane + "[[walls]]\nkind = \"sheet\"\npoint = [1, 1]\nnormal = [0, 2]\nhole = 0.3\n").world.walls;
  ASSERT_EQ(walls.size(), 2u);
  EXPECT_EQ(walls[1].kind, WallKind::sheet);
  EXPECT_EQ(walls[1].normal, (Vec<2, double>{0, 1}));
  EXPECT_EQ(walls[1].radius, 0.3);
}

TEST(ReadScene, WhatAGroupSharesIsRead) {
  const auto scene = read<2>(
      plane, {"grains.0.push={ force = [1, 2], torque_amplitude = 3, frequency = 4 }",
              "grains.0.attachment=5", "grains.0.drag=6", "grains.0.from=1", "grains.0.until=7"});
  const auto& group = scene.world.groups[0];
  ASSERT_EQ(group.pushes.size(), 1u);
  EXPECT_EQ(group.pushes[0].force, (Vec<2, double>{1, 2}));
  EXPECT_EQ(group.pushes[0].torque_amplitude[0], 3);
  EXPECT_EQ(group.attachment, 5);
  EXPECT_EQ(group.drag, 6);
  EXPECT_EQ(group.from, 1);
  EXPECT_EQ(group.until, 7);
}

TEST(ReadScene, GrainsWithAMotionAreHeld) {
  const auto scene =
      read<2>(plane, {"grains.0.motion=[{ move = \"translate\", velocity = [1, 0] }]",
                      "grains.0.velocities=[[0,0],[0,0]]"});
  EXPECT_EQ(scene.world.grains.held[0], 1);
  EXPECT_EQ(scene.world.grains.held[1], 1);
}

TEST(ReadScene, PairsWithoutLawsOfTheirOwnShareTheGeneralOnes) {
  const auto scene = read<2>(plane);
  EXPECT_EQ(scene.table.laws.size(), 1u);
  EXPECT_EQ(scene.table.index(0, 1), scene.table.index(0, 0));
  const auto& laws = scene.table.laws[0];
  EXPECT_EQ(std::get<HertzLinear>(laws.normal).k, 1e7);
  EXPECT_EQ(std::get<CundallStrack>(laws.tangential).k_t, 0.25 * 1e7);
  EXPECT_FALSE(laws.attraction);
  EXPECT_TRUE(std::holds_alternative<Frictionless>(laws.rolling));
}

TEST(ReadScene, APairMayHaveLawsOfItsOwnAndInheritsTheRest) {
  const auto scene = read<2>(plane +
                             "[contact.steel-glass]\ntangential = { law = \"none\" }\nrolling = { "
                             "law = \"constant\", mu_r = 0.1, g_r = 1e-6 }\n");
  EXPECT_EQ(scene.table.laws.size(), 2u);
  const auto& own = scene.table.laws[scene.table.index(0, 1)];
  EXPECT_EQ(scene.table.index(0, 1), scene.table.index(1, 0));
  EXPECT_EQ(std::get<HertzLinear>(own.normal).g, 0.5);
  EXPECT_TRUE(std::holds_alternative<Frictionless>(own.tangential));
  EXPECT_EQ(std::get<RollingConstant>(own.rolling).mu_r, 0.1);
}

TEST(ReadScene, StiffnessFromTheMaterialsDiffersFromPairToPair) {
  const auto scene = read<2>(
      plane,
      {R"(contact.normal={ law = "hertz-tsuji", k = "material", restitution = 0.7, attraction = true })",
       R"(contact.tangential={ law = "mindlin", mu = 0.5 })"});
  ASSERT_EQ(scene.table.laws.size(), 2u);
  const Elastic glass{1e7, 0.2}, steel{2e8, 0.3};
  const auto& gg = scene.table.laws[scene.table.index(0, 0)];
  const auto& gs = scene.table.laws[scene.table.index(0, 1)];
  EXPECT_DOUBLE_EQ(std::get<HertzTsuji>(gg.normal).k,
                   hertz_stiffness(effective_young(glass, glass)));
  EXPECT_DOUBLE_EQ(std::get<HertzTsuji>(gs.normal).k,
                   hertz_stiffness(effective_young(glass, steel)));
  EXPECT_DOUBLE_EQ(std::get<Mindlin>(gs.tangential).shear, effective_shear(glass, steel));
  EXPECT_EQ(gg.scaling.stiffness, Scaling::Stiffness::root_radius);
  EXPECT_NEAR(collide(gs, 0.01, 1e-3, 2).restitution, 0.7, 1e-6);
}

TEST(ReadScene, ARestitutionThatDependsOnSpeedHoldsForTheMeanPair) {
  const auto scene =
      read<2>(plane, {R"(contact.normal={ law = "kk", k = 1e7, restitution = 0.8, speed = 0.5 })"});
  const auto& g = scene.world.grains;
  const double r = 0.015, m = 4.0 / 3 * pi * r * r * r * 2500;
  EXPECT_NEAR(collide(scene.table.laws[scene.table.index(0, 0)], r / 2, m / 2, 0.5).restitution,
              0.8, 1e-6);
  EXPECT_GT(g.m[0], 0);
  EXPECT_NE(message_of(plane, {R"(contact.normal={ law = "kk", k = 1e7, restitution = 0.8 })"})
                .find("missing key \"speed\""),
            std::string::npos);
}

TEST(ReadScene, ADashpotPerReducedMassIsScaledToThePair) {
  const auto laws_of = [](const std::string& normal) {
    const auto scene = read<2>(plane, {"contact.normal=" + normal,
                                       R"(contact.tangential={ law = "cundall-strack", k_t = 500, mu = 0.5, damping = 0.5 })"});
    return scene.table.laws[scene.table.index(0, 0)];
  };
  const ContactLaws linear = laws_of(R"({ law = "linear", k = 2000, gamma = 4409 })");
  EXPECT_EQ(std::get<Linear>(linear.normal).g, 4409);
  EXPECT_EQ(linear.scaling.damping, Scaling::Damping::mass);
  EXPECT_EQ(std::get<CundallStrack>(linear.tangential).damping, 0.5);
  EXPECT_EQ(laws_of(R"({ law = "kk", k = "material", gamma = 1e8 })").scaling.damping, Scaling::Damping::mass_root_radius);
  EXPECT_EQ(laws_of(R"({ law = "hertz-tsuji", k = "material", alpha = 0.3 })").scaling.damping,
            Scaling::Damping::quarter_radius);
  EXPECT_NE(message_of(plane, {R"(contact.normal={ law = "linear", k = 1e7, g = 1, gamma = 1 })"}).find("another damping"),
            std::string::npos);
  EXPECT_NE(message_of(plane, {R"(contact.normal={ law = "hertz-tsuji", k = 1e7, alpha = 1, gamma = 1 })"}).find("gamma"),
            std::string::npos);
}

TEST(ReadScene, AViscousTimeGivesTheDashpotOfKuwabaraAndKono) {
  const auto scene = read<2>(plane, {R"(contact.normal={ law = "kk", k = 1e7, A = 1e-4 })"});
  EXPECT_DOUBLE_EQ(std::get<KuwabaraKono>(scene.table.laws[0].normal).g, 1.5 * 1e-4 * 1e7);
}

TEST(ReadScene, TheDashpotOfAPowerLawIsTheRateOfItsSpringUnlessItSaysOtherwise) {
  const auto law = [](const std::string& text) {
    return std::get<Power>(read<2>(plane, {"contact.normal={ law = \"power\", k = 1e7, " + text + " }"}).table.laws[0].normal);
  };
  EXPECT_DOUBLE_EQ(law("a = 1.25, A = 1e-4").g, 1.25 * 1e-4 * 1e7);
  EXPECT_DOUBLE_EQ(law("a = 1.25, A = 1e-4").b, 0.25);
  EXPECT_DOUBLE_EQ(law("a = 1.25, g = 3.0, b = 0.5").b, 0.5);
  EXPECT_DOUBLE_EQ(law("g = 3.0").b, 0.5);
}

TEST(ReadScene, EveryLawCanBeNamed) {
  for (const char* law :
       {R"({ law = "linear", k = 1e4, g = 0 })", R"({ law = "hertz", k = 1e7 })",
        R"({ law = "hertz-linear", k = 1e7, g = 0.5 })",
        R"({ law = "hertz-tsuji", k = 1e7, alpha = 0.1 })", R"({ law = "kk", k = 1e7, g = 1 })",
        R"({ law = "kk-mollified", k = 1e7, g = 1, eps = 1e-6 })",
        R"({ law = "kk-mollified-full", k = 1e7, g = 1, eps = 1e-6 })",
        R"({ law = "power", k = 1e7, g = 1, a = 1.5, b = 0.5 })"})
    EXPECT_EQ(message_of(plane, {std::string("contact.normal=") + law}), "") << law;
  for (const char* law :
       {R"({ law = "none" })", R"({ law = "cundall-strack", k_t = 1e4, mu = 0.5, g_t = 0.1 })",
        R"({ law = "viscous", g_t = 0.1, mu = 0.5 })",
        R"({ law = "mindlin", shear = 1e6, mu = 0.5, damping = 1 })"})
    EXPECT_EQ(message_of(plane, {std::string("contact.tangential=") + law}), "") << law;
  for (const char* law : {R"({ law = "none" })", R"({ law = "constant", mu_r = 0.1, g_r = 1e-6 })",
                          R"({ law = "spring", k_r = 1, mu_r = 0.1 })"})
    EXPECT_EQ(message_of(plane, {std::string("contact.rolling=") + law}), "") << law;
}

TEST(ReadScene, ContactsOfNeighboursInTouchDoNotCountAsOverlap) {
  EXPECT_EQ(message_of(plane, {"grains.0.positions=[[0, 0.1], [0.03, 0.1]]"}), "");
  EXPECT_NE(message_of(plane, {"grains.0.positions=[[0, 0.1], [0.029, 0.1]]"}), "");
  EXPECT_EQ(message_of(plane, {"grains.0.positions=[[0, 0.1], [0.029, 0.1]]",
                               "grains.0.allow_overlap=true"}),
            "");
  EXPECT_EQ(message_of(plane, {"grains.0.positions=[[0, 0.1], [0.029, 0.1]]", "grains.0.fixed=true",
                               "grains.0.velocities=[[0,0],[0,0]]"}),
            "");
}

TEST(ReadScene, OverlapsAcrossAPeriodAreFound) {
  const std::vector<std::string> periodic{"domain.periodic=[true, false]",
                                          "domain.box=[[0, 0], [0.6, 1]]"};
  auto set = periodic;
  set.push_back("grains.0.positions=[[0.005, 0.1], [0.59, 0.1]]");
  EXPECT_NE(message_of(plane, set).find("overlap at the start by 0.015 m"), std::string::npos);
  set = periodic;
  set.push_back("grains.0.positions=[[0.005, 0.1], [0.5, 0.1]]");
  EXPECT_EQ(message_of(plane, set), "");
}

TEST(ReadScene, OverlapsOfVeryDifferentGrainsAreFound) {
  EXPECT_NE(message_of(plane, {"grains.0.radii=[1.0, 1e-5]",
                               "grains.0.positions=[[0, 1.1], [0.7, 1.8]]", "run.dt=1e-12"})
                .find("overlap"),
            std::string::npos);
  EXPECT_EQ(message_of(plane, {"grains.0.radii=[1.0, 1e-5]",
                               "grains.0.positions=[[0, 1.1], [0.7, 1.82]]", "run.dt=1e-12"}),
            "");
}

TEST(ReadScene, TheStepMayBeLeftToTheProgram) {
  const auto scene = read<2>(plane, {"run.dt=auto"});
  EXPECT_EQ(scene.run.dt, 0);
  const auto advice = advise_step(scene);
  EXPECT_DOUBLE_EQ(advice.recommended, scene.run.fraction * advice.contact_time);
  EXPECT_DOUBLE_EQ(step_of(scene), advice.recommended);
  EXPECT_NE(message_of(plane, {"run.dt=" + brief(advice.stable * 1.01)}).find("too large"),
            std::string::npos);
  EXPECT_EQ(message_of(plane, {"run.dt=" + brief(advice.stable * 0.99)}), "");
}

TEST(ReadScene, TheAdviceIsTheContactTimeOfTheLightestPair) {
  // linear, no friction: a closed form, pi sqrt(m/k) of the smaller grain on the wall or of the
  // pair
  const auto scene =
      read<2>(plane, {R"(contact={ normal = { law = "linear", k = 1e4, g = 0.0 } })"});
  const auto& g = scene.world.grains;
  const double pair = g.m[0] / 2;  // two of the smaller kind could meet
  EXPECT_NEAR(advise_step(scene).contact_time, pi * std::sqrt(pair / 1e4),
              1e-3 * pi * std::sqrt(pair / 1e4));
}

TEST(ReadScene, StepsGiveTheTime) {
  auto text = plane;
  text.replace(text.find("time = 0.01"), 11, "steps = 300");
  EXPECT_DOUBLE_EQ(read<2>(text).run.time, 300e-6);
}

TEST(ReadScene, AnOverdampedLinearPairIsAWarning) {
  const auto scene =
      read<2>(plane, {R"(contact={ normal = { law = "linear", k = 10.0, g = 10.0 } })"});
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].find("over-damped"), std::string::npos);
}

TEST(ReadScene, PhasesFollowEachOtherAndWindowsNameThem) {
  const std::string phases = plane + R"(
    [[prepare]]
    name = "press"
    time = 0.5
    rest = 0
    [[prepare]]
    time = 2e-6
    [[prepare]]
    name = "last"
    time = 0.25
    dt = 1e-5
    damping = 3
    [[walls]]
    kind = "ring"
    radius = 2
    until = "last"
    motion = [{ move = "shrink", onto = "wall", from = "press", until = "last" }]
    [[grains]]
    name = "wall"
    build = "points"
    material = "glass"
    positions = [[1.0, 0.0], [0.0, 1.2]]
    radii = [0.1, 0.2]
    fixed = true
    from = "last"
    until = "run"
  )";
  const auto scene = read<2>(phases);
  ASSERT_EQ(scene.prepare.phases.size(), 3u);
  const auto& [press, unnamed, last] = std::tie(scene.prepare.phases[0], scene.prepare.phases[1], scene.prepare.phases[2]);
  // Whole steps: 0.25 s are 25000 of 1e-5 s, 2e-6 s are two of 1e-6 s.
  EXPECT_EQ(last.end, 0);
  EXPECT_NEAR(unnamed.end, -0.25, 1e-15);
  EXPECT_NEAR(press.end, -0.250002, 1e-15);
  EXPECT_EQ(press.rest, 0);
  const Wall<2>& ring = scene.world.walls[1];
  EXPECT_EQ(ring.until, unnamed.end);
  ASSERT_EQ(ring.motion.size(), 1u);
  EXPECT_NEAR(ring.motion[0].from, -0.750002, 1e-6);
  EXPECT_EQ(ring.motion[0].until, unnamed.end);
  // from 2 m to the mean surface of the two grains, (0.9 + 1.0)/2 m
  const auto carried = carry<2, double>(ring.motion, ring.point, unnamed.end);
  EXPECT_NEAR(carried.shrunk, 1.05, 1e-15);
  EXPECT_EQ(scene.world.groups[1].from, unnamed.end);
  EXPECT_EQ(scene.world.groups[1].until, 0);
  EXPECT_TRUE(scene.warnings.size() == 1 && scene.warnings[0].find("something moves while preparing") == 0);

  const auto says = [&](const char* change, const char* what) {
    EXPECT_NE(message_of(phases, {change}).find(what), std::string::npos) << message_of(phases, {change});
  };
  says("walls.1.until=lsat", "walls.1.until: expected a number in s, or a phase (press, last, run), found \"lsat\"; did you mean");
  says("prepare.2.name=press", "prepare.2.name: there is a phase \"press\" already");
  says("prepare.2.name=run", "expected another name");
  says("walls.1.motion.0.onto=wal", "no grains named \"wal\"; expected one of pair, wall; did you mean \"wall\"?");
  says("walls.1.motion.0.rate=1", "given beside \"onto\"");
  says("walls.1.motion.0.until=inf", "found inf");
  says("walls.1.radius=0.9", "expected a smaller one: a ring shrinks");
  says("prepare.0.must_rest=true", "nobody asks whether grains rest");
}

TEST(ReadScene, StartsFromAnotherRunOrABase) {
  const fs::path folder = fs::temp_directory_path() / ("scree-base-" + std::to_string(::getpid()));
  fs::create_directories(folder / "deep");
  std::ofstream(folder / "base.toml") << plane << "[output]\nsnapshots = { steps = 7 }\ncontacts = true\n";
  std::ofstream(folder / "middle.toml") << "[scene]\nbase = \"base.toml\"\n[domain]\ndamping = 4\n";
  const auto with = [&](const std::string& text, const std::vector<std::string>& overrides = {}) {
    return read_scene_text(text, (folder / "deep" / "mine.toml").string(), overrides);
  };
  const std::string mine = "[scene]\nbase = \"../middle.toml\"\nname = \"mine\"\n[start]\nrun = \"there\"\ntime = 0.5\n"
                           "[output]\nsnapshots = { every = 0.1 }\n";
  const auto scene = std::get<Scene<2, double>>(with(mine, {"grains.0.radii.0=0.015"}));
  EXPECT_EQ(scene.name, "mine");
  EXPECT_EQ(scene.seed, 5u);
  EXPECT_EQ(scene.world.domain.damping, 4);
  EXPECT_EQ(scene.output.snapshot_every, 0.1);
  EXPECT_EQ(scene.output.snapshot_steps, 0);  // a table in one line is replaced as a whole
  EXPECT_TRUE(scene.output.contacts);
  EXPECT_EQ(scene.start.run, "there");
  EXPECT_EQ(scene.start.time, 0.5);
  EXPECT_EQ(double(scene.world.grains.r[0]), 0.015);
  // what is recorded needs no base any more
  const AnyScene alone = read_scene_text(scene.text, "alone.toml");
  EXPECT_EQ(header(alone).name, "mine");
  EXPECT_EQ(header(alone).start_hash, scene.start_hash);
  const auto message = [&](const std::string& text) -> std::string {
    try {
      with(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("[scene]\nbase = \"nowhere.toml\"\n").find("mine.toml:2:1: scene.base: "), std::string::npos);
  EXPECT_NE(message("[scene]\nbase = 3\n").find("expected a string"), std::string::npos);
  EXPECT_NE(message("[scene]\nbase = \"mine.toml\"\n").find("no such file"), std::string::npos);
  std::ofstream(folder / "deep" / "mine.toml") << "[scene]\nbase = \"mine.toml\"\n";
  EXPECT_NE(message("[scene]\nbase = \"mine.toml\"\n").find("is one based on itself?"), std::string::npos);
  std::ofstream(folder / "middle.toml") << "[scene]\nbase = \"base.toml\"\n[run]\ndtt = 1\n";
  EXPECT_NE(message(mine).find("middle.toml:4:1: run: unknown key \"dtt\""), std::string::npos) << message(mine);
  fs::remove_all(folder);
}

TEST(ReadScene, SettingsHaveTheirDefaultsAndAreRead) {
  auto scene = read<2>(plane);
  EXPECT_EQ(scene.run.integrator, "damped-verlet");
  EXPECT_EQ(scene.run.neighbours, "cells");
  EXPECT_FALSE(scene.prepare.wanted);
  EXPECT_EQ(scene.output.checkpoint_every, 60);
  scene = read<2>(plane + R"(
    [prepare]
    time = 2
    damping = 3
    must_rest = true
    [output]
    snapshots = { steps = 7 }
    energy = { every = 0.5 }
    checkpoints = { every = 10 }
    contacts = true
    pictures = false
    [domain]
    gravity = [1, 2]
    gravity_rate = 3
    damping = 4
  )");
  EXPECT_TRUE(scene.prepare.wanted);
  ASSERT_EQ(scene.prepare.phases.size(), 1u);
  EXPECT_EQ(scene.prepare.phases[0].time, 2);
  EXPECT_EQ(scene.prepare.phases[0].damping, 3);
  EXPECT_TRUE(scene.prepare.phases[0].must_rest);
  EXPECT_EQ(scene.output.snapshot_steps, 7);
  EXPECT_EQ(scene.output.energy_every, 0.5);
  EXPECT_EQ(scene.output.checkpoint_every, 10);
  EXPECT_TRUE(scene.output.contacts);
  EXPECT_FALSE(scene.output.pictures);
  EXPECT_EQ(scene.world.domain.gravity, (Vec<2, double>{1, 2}));
  EXPECT_EQ(scene.world.domain.gravity_rate, 3);
  EXPECT_EQ(scene.world.domain.damping, 4);
}

TEST(ReadScene, TheRecordedTextHoldsTheOverridesAndReadsTheSame) {
  const std::vector<std::string> overrides{
      "run.time=0.5", "scene.name=a b", "grains.0.radii.0=0.011", "prepare.time=0.25",
      "walls.0.motion=[{ move = \"translate\", velocity = [0, 1] }]"};
  const auto scene = read<2>(plane, overrides);
  const auto again = read<2>(scene.text);
  EXPECT_EQ(again.text, scene.text);
  EXPECT_EQ(again.hash, scene.hash);
  EXPECT_EQ(again.start_hash, scene.start_hash);
  EXPECT_EQ(again.name, "a b");
  EXPECT_EQ(again.run.time, 0.5);
  EXPECT_EQ(again.prepare.phases.at(0).time, 0.25);
  EXPECT_EQ(again.world.grains.r[0], 0.011);
  EXPECT_EQ(again.world.walls[0].motion.size(), 1u);
}

TEST(ReadScene, TheStartHashForgetsWhatThePreparedStateDoesNotDependOn) {
  const auto hash = [&](const std::vector<std::string>& set, const std::string& more = "") {
    return read<2>(plane + more, set).start_hash;
  };
  const auto base = hash({});
  EXPECT_EQ(hash({}, "# a comment\n"), base);
  EXPECT_EQ(hash({"run.time=2"}), base);
  EXPECT_EQ(hash({"scene.name=other"}), base);
  EXPECT_EQ(hash({}, "[output]\nvtk = true\n"), base);
  EXPECT_EQ(hash({"walls.0.normal=[0.0, 3.0]"}), base);
  EXPECT_NE(hash({"scene.seed=6"}), base);
  EXPECT_NE(hash({"run.dt=1.1e-6"}), base);
  EXPECT_NE(hash({"grains.0.radii.0=0.011"}), base);
  EXPECT_NE(hash({"contact.tangential.mu=0.4"}), base);
}

TEST(ReadScene, TheScenesThatComeWithTheProgramRead) {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SCREE_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    ++seen;
    const auto scene = read_scene(entry.path().string());
    EXPECT_TRUE(header(scene).warnings.empty()) << entry.path();
    const double dt = std::visit([](const auto& s) { return step_of(s); }, scene);
    const double most =
        std::visit([](const auto& s) { return advise_step(s).contact_time; }, scene) / 10;
    EXPECT_LT(dt, most) << entry.path();
  }
  EXPECT_GE(seen, 6);
}

TEST(ReadScene, TheExampleOfTheContractReads) {
  const auto scene = read<2>(R"(
[scene]                 # what it is called, dimension, number type, seed
name = "column collapse"
dim = 2                 # 2 or 3
real = "double"         # double | dd
seed = 1

[domain]                # open by default
periodic = [false, false]
gravity = [0.0, -9.81]

[material.glass]
density = 2500.0
body = "sphere"         # sphere | disc (with height)
young = 5e7             # only where a law derives its stiffness from the material
poisson = 0.3

[[grains]]              # any number of these: a builder and its settings
build = "column"        # column | lattice | random | ring-cell | chain | pyramid | heap | file | points
count = 1000
radius = { mean = 3e-3, spread = 0.1 }
material = "glass"

[[grains]]              # explicit grains, for small set-ups (or build = "file" with a CSV of the same columns)
build = "points"
positions = [[0.0, 0.3], [0.1, 0.3]]
velocities = [[1.0, 0.0], [0.0, 0.0]]
spins = [0.0, 0.0]      # 3D: vectors
radii = [0.01, 0.01]
fixed = [false, true]
material = "glass"

[[walls]]               # plane | box | ring | fixed grains | moving, turning, removed at a time
kind = "plane"
point = [0, 0]
normal = [0, 1]

[contact]               # or [contact.glass-steel] per pair of materials
normal = { law = "hertz-linear", k = 7.3e7, g = 0.35, attraction = false }
tangential = { law = "cundall-strack", ratio = 0.2857, mu = 0.5 }

[run]
integrator = "damped-verlet"
dt = 1.5e-6             # or "auto": a stated fraction of the shortest contact time
time = 2.0
neighbours = "cells"

[output]
snapshots = { every = 0.01 }    # s; or steps = N
checkpoints = { every = 60.0 }  # wall-clock s
vtk = false
)");
  EXPECT_EQ(scene.world.grains.size(), 1002u);
  EXPECT_EQ(scene.warnings.size(),
            1u);  // k_t in N/m as the number of Hertz' k is a very stiff spring
}

TEST(ReadScene, HostileCountsAreCapped) {
  const std::string text = R"(
    scene = { dim = 3 }
    material.a.density = 1.0
    run = { dt = 1e-3, time = 1.0 }
    [[grains]]
    build = "lattice"
    material = "a"
    radius = 1e-3
    counts = [100, 100, 100]
  )";
  EXPECT_THROW(read_scene_text(text, "big.toml", {}, {.grains = 1000}), InputError);
}

}  // namespace
}  // namespace scree
