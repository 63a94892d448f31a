// SPDX-License-Identifier: BSD-3-Clause
/// Beads that are not alike: masses, stiffnesses and gaps as lists, drawn, or from a table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

const std::string row = R"([scene]
name = "row"
dim = 2
seed = 4
[material.bead]
[[grains]]
build = "chain"
material = "bead"
count = 4
radius = 5.0
mass = [1.0, 2.0, 0.5, 3.0]
stiffness = [1.0, 4.0, 0.25, 2.0]
gap = [0.0, 0.1, 0.25]
speed = 1.0
[[walls]]
kind = "plane"
point = [35.5, 0.0]
normal = [-1.0, 0.0]
[contact]
normal = { law = "power", a = 1.5, k = 1.0, A = 0.05, attraction = true }
[run]
integrator = "kk-theta"
dt = 0.1
time = 10.0
)";

Scene<2, double> read(const std::string& text, const std::vector<std::string>& changes = {}) {
  return std::get<Scene<2, double>>(read_scene_text(text, "row.toml", changes));
}
std::string message_of(const std::vector<std::string>& changes, const std::string& text = row) {
  try {
    read(text, changes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OwnNumbers, AreReadAsLists) {
  const auto scene = read(row);
  EXPECT_EQ(scene.world.grains.m, (Column<double>{1.0, 2.0, 0.5, 3.0}));
  EXPECT_EQ(scene.world.grains.stiffness, (Column<double>{1.0, 4.0, 0.25, 2.0}));
  EXPECT_NEAR(scene.world.state.x[3][0], 30.35, 1e-12);
  EXPECT_EQ(scene.table.laws[0].scaling.stiffest, 4.0);
  // The shortest contact is that of the stiffest beads: a factor 4^-2/5.
  EXPECT_NEAR(advise_step(scene).contact_time / advise_step(read(row, {"grains.0.stiffness=1.0"})).contact_time,
              std::pow(4.0, -0.4), 1e-3);
}

/// What comes in later has stiffness 1, and counts among the stiffest.
TEST(OwnNumbers, StiffestIsWhatMayCome) {
  std::string text = row;
  text.replace(text.find("[1.0, 4.0, 0.25, 2.0]"), 21, "[0.5, 0.25, 0.25, 0.5]");
  const std::string inlet = "[[insert]]\nmaterial = \"heavy\"\nradius = 5.0\nrate = 0.1\nbox = [[-60.0, -6.0], [-40.0, 6.0]]\n[material.heavy]\ndensity = 1.0\n";
  EXPECT_EQ(read(text).table.laws[0].scaling.stiffest, 0.5);
  const auto scene = read(text + inlet);
  ASSERT_EQ(scene.world.inlets.size(), 1U);
  for (const ContactLaws& laws : scene.table.laws) EXPECT_EQ(laws.scaling.stiffest, 1.0);
  // and none has a stiffness of its own where the built ones have 1 as well
  EXPECT_EQ(read(text + inlet, {"grains.0.stiffness=1.0"}).table.laws[0].scaling.stiffest, read(text, {"grains.0.stiffness=1.0"}).table.laws[0].scaling.stiffest);
}

TEST(OwnNumbers, AreDrawnPerBead) {
  const auto scene = read(row, {"grains.0.count=20000", "grains.0.mass={ min = 1.0, max = 3.0 }",
                                "grains.0.stiffness={ mean = 2.0, spread = 0.5 }", "grains.0.gap={ min = 0.0, max = 0.2 }",
                                "walls.0.point=[300000.0, 0.0]"});
  double mass = 0, stiffness = 0, gap = 0;
  const std::size_t n = scene.world.grains.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double m = scene.world.grains.m[k], s = scene.world.grains.stiffness[k];
    EXPECT_TRUE(m >= 1 && m < 3 && s >= 1 && s < 3) << k;
    mass += m / static_cast<double>(n);
    stiffness += s / static_cast<double>(n);
  }
  gap = (scene.world.state.x[n - 1][0] - 10.0 * static_cast<double>(n - 1)) / static_cast<double>(n - 1);
  // standard deviations of the means: 2/√(12 n) = 0.004 and 0.2/√(12 n) = 0.0004
  EXPECT_NEAR(mass, 2, 0.02);
  EXPECT_NEAR(stiffness, 2, 0.02);
  EXPECT_NEAR(gap, 0.1, 0.002);
  EXPECT_NE(scene.world.grains.m[5], scene.world.grains.stiffness[5]);  // streams of their own
}

TEST(OwnNumbers, ComeFromATable) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("scree-own-numbers-{}.csv", ::getpid());
  std::ofstream(file) << "x,y,mass,stiffness\n0,0,1,1\n10,0,2,4\n20.1,0,0.5,0.25\n30.35,0,3,2\n";
  std::string text = row;
  const auto from = text.find("build = \"chain\""), to = text.find("[[walls]]");
  text.replace(from, to - from, fmt::format("build = \"file\"\nmaterial = \"bead\"\nradius = 5.0\npath = \"{}\"\n", file.string()));
  const auto listed = read(row), scene = read(text);
  EXPECT_EQ(scene.world.grains.m, listed.world.grains.m);
  EXPECT_EQ(scene.world.grains.stiffness, listed.world.grains.stiffness);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(scene.world.state.x[k][0], listed.world.state.x[k][0], 1e-12);
  const auto refused = [&](const std::vector<std::string>& changes, const std::string& why) {
    const std::string message = message_of(changes, text);
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  refused({"grains.0.mass=1.0"}, "given beside the file's column \"mass\"");
  std::ofstream(file) << "x,y,mass\n0,0,0\n";
  refused({}, ".csv:2: column mass: expected a number > 0, found 0");
  std::ofstream(file) << "x,y\n0,0\n";
  refused({}, "has no density, so its grains have no mass");
  std::filesystem::remove(file);
}

/// Two beads of stiffness s and s' press like beads of a material whose k is the harmonic mean, and a wall leaves a bead
/// its own: the same row with a material per bead is an independent way to say it.
TEST(OwnNumbers, StiffnessIsThatOfMaterialsInPairs) {
  const double s[] = {1.0, 4.0, 0.25, 2.0}, m[] = {1.0, 2.0, 0.5, 3.0}, x[] = {0, 10, 20.1, 30.35};
  std::string materials, grains, contacts;
  const auto law = [](double k) { return fmt::format("{{ law = \"power\", a = 1.5, k = {}, A = 0.05, attraction = true }}", k); };
  for (int k = 0; k < 4; ++k) {
    materials += fmt::format("[material.b{}]\n", k);
    grains += fmt::format("[[grains]]\nbuild = \"chain\"\nmaterial = \"b{}\"\ncount = 1\nstart = [{}, 0.0]\nradius = 5.0\nmass = {}\nspeed = {}\n", k,
                          x[k], m[k], k == 0 ? 1.0 : 0.0);
    contacts += fmt::format("[contact.b{}-wall]\nnormal = {}\n", k, law(s[k]));
    for (int j = 0; j < k; ++j) contacts += fmt::format("[contact.b{}-b{}]\nnormal = {}\n", j, k, law(2 * s[j] * s[k] / (s[j] + s[k])));
  }
  const std::string text = fmt::format(
      "[scene]\nname = \"row\"\ndim = 2\n{}[material.wall]\n{}[[walls]]\nkind = \"plane\"\nmaterial = \"wall\"\npoint = [35.5, 0.0]\n"
      "normal = [-1.0, 0.0]\n[contact]\nnormal = {}\n{}[run]\nintegrator = \"kk-theta\"\ndt = 0.1\ntime = 10.0\n",
      materials, grains, law(1), contacts);
  for (const char* how : {"damped-verlet", "rk4", "kk-shifted", "kk-theta", "kk-theta:energy"}) {
    const std::string name = how;
    std::vector<std::string> changes{"run.integrator=" + name.substr(0, name.find(':')), "run.dt=0.05"};
    if (name.find(':') != std::string::npos) changes.push_back("run.variant=energy");
    auto own = read(row, changes), paired = read(text, changes);
    test::run(own, 0.05, 300);
    test::run(paired, 0.05, 300);
    double most = 0;
    for (std::uint32_t id = 0; id < 4; ++id) {
      const std::size_t i = test::place(own, id), j = test::place(paired, id);
      EXPECT_NEAR(own.world.state.x[i][0], paired.world.state.x[j][0], 1e-11) << how << " " << id;
      EXPECT_NEAR(own.world.state.v[i][0], paired.world.state.v[j][0], 1e-11) << how << " " << id;
      most = std::max(most, std::abs(own.world.state.v[i][0]));
    }
    EXPECT_GT(most, 0.05);
    auto alike = read(row, {"grains.0.stiffness=1.0"});
    test::run(alike, 0.05, 300);
    EXPECT_GT(std::abs(alike.world.state.v[test::place(alike, 0)][0] - own.world.state.v[test::place(own, 0)][0]), 1e-3);
  }
}

/// Beads pressed together between two walls, of random mass and stiffness, in another order than
/// that of their ids; `alike`: without stiffnesses of their own.
Scene<2, double> pressed(int count, const std::string& integrator, bool alike = false) {
  ContactLaws laws;
  laws.normal = Power{1, 1.5 * 0.05, 1.5, 0.5};
  laws.attraction = true;
  if (!alike) laws.scaling.stiffest = 2;
  const auto colon = integrator.find(':');
  auto scene = test::empty_scene<2>(laws, integrator.substr(0, colon));
  if (colon != std::string::npos) scene.run.method.theta = MethodSettings::Theta::energy;
  scene.run.max_overlap = 1;
  Random random(3, 1, 0);
  const double apart = 9.7;
  for (int k = 0; k < count; ++k) {
    const int at = k * 7 % count;  // count is no multiple of 7
    test::add_grain(scene, {apart * at, 0.0}, {random.uniform(-0.05, 0.05), 0.0}, 5.0, random.uniform(0.5, 2));
    const double stiffness = random.uniform(0.5, 2);
    if (!alike) scene.world.grains.stiffness.push_back(stiffness);
  }
  test::add_plane(scene, {-4.7, 0}, {1, 0});
  test::add_plane(scene, {apart * (count - 1) + 4.7, 0}, {-1, 0});
  return scene;
}

TEST(OwnNumbers, GiveOneHashHoweverTheSceneIsRun) {
  for (const char* integrator : {"damped-verlet", "kk-shifted", "kk-theta", "kk-theta:energy"}) {
    const auto make = [&] { return pressed(41, integrator); };
    const std::uint64_t hash = test::hash_of(make, {}, 60, 0.05, 40);
    for (const test::Way& way : {test::Way{1, "brute"}, test::Way{2, "hierarchy", 0.02, 23}})
      EXPECT_EQ(test::hash_of(make, way, 60, 0.05, 40), hash) << integrator << ": " << way;
    EXPECT_NE(test::hash_of([&] { return pressed(41, integrator, true); }, {}, 60, 0.05, 40), hash) << integrator;
  }
}

TEST(OwnNumbers, TakeNoMemoryWhereAllAreAlike) {
  const auto bytes = [](bool reserved) {
    auto scene = pressed(400, "damped-verlet", true);
    auto& g = scene.world.grains;
    if (reserved) {
      g.stiffness.assign(g.size(), 1.0);
      g.calm.assign(g.size(), 0);
      g.shape.assign(g.size(), 0);
    }
    Simulation<2, double> sim(scene, 0.05, 0.0);
    sim.start();
    return sim.bytes();
  };
  EXPECT_EQ(bytes(true), bytes(false));
}

/// Beads that never part: forces are smooth, and what the books lack is the scheme's error, of second order. A spring or a
/// dashpot booked with another stiffness than it pushes with would leave an error that stays.
TEST(OwnNumbers, AreBookedAsTheyPush) {
  for (const char* integrator : {"damped-verlet", "kk-theta", "kk-theta:energy"}) {
    std::vector<double> errors;
    for (int k = 5; k <= 7; ++k) {
      auto scene = pressed(8, integrator);
      scene.run.method.beyond = true;
      // kk-theta as printed is of second order along h = c gamma only
      const double h = std::ldexp(1.0, -k), gamma = std::string(integrator) == "kk-theta" ? h : 0.05;
      scene.table.laws[0].normal = Power{1, 1.5 * gamma, 1.5, 0.5};
      Simulation<2, double> sim(scene, h, 0.0);
      sim.start();
      double most = 0;
      for (int n = 0; n < 4 << k; ++n) {
        sim.step();
        most = std::max(most, std::abs(sim.energies().balance_error()));
      }
      EXPECT_EQ(sim.engine().contacts(), 9U);
      errors.push_back(most);
    }
    EXPECT_GT(errors[0], 1e-9) << integrator;  // not round-off
    EXPECT_GT(2 * std::log2(errors[1] / errors[2]) - std::log2(errors[0] / errors[1]), 1.9) << integrator;
  }
}

TEST(OwnNumbers, AreRefusedWithTheKeyAndWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(message_of({"grains.0.stiffness=[1.0, 2.0]"}), "grains.0.stiffness")) << message_of({"grains.0.stiffness=[1.0, 2.0]"});
  EXPECT_TRUE(has(message_of({"grains.0.stiffness=0.0"}), "expected a number > 0"));
  EXPECT_TRUE(has(message_of({"grains.0.mass=[1.0, 2.0, 0.0, 1.0]"}), "expected a number > 0"));
  EXPECT_TRUE(has(message_of({"grains.0.gap=[0.0, 0.1]"}), "one entry per gap (3), found 2"));
  EXPECT_TRUE(has(message_of({"grains.0.gap=-0.1"}), "expected a number >= 0"));
  EXPECT_TRUE(has(message_of({"grains.0.mass={ min = 2.0, max = 1.0 }"}), "expected a number >= min = 2"));
  EXPECT_TRUE(has(message_of({"grains.0.mass={ mean = 2.0, spread = 1.0 }"}), "below 1"));
  EXPECT_TRUE(has(message_of({"grains.0.mass={ men = 2.0 }"}), "unknown key \"men\""));
  EXPECT_TRUE(has(message_of({"grains.0.mass=\"heavy\""}), "an array of them"));
}

}  // namespace
}  // namespace scree
