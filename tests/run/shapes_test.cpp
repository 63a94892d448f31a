// SPDX-License-Identifier: BSD-3-Clause
/// shape = { … } in a scene: what it makes of grains.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

std::string text_with(const std::string& grains, const std::string& more = "") {
  return R"([scene]
name = "shapes"
dim = 2
[domain]
gravity = [0.0, -9.81]
[material.stone]
density = 2000.0
body = "disc"
height = 0.5
[[grains]]
material = "stone"
)" + grains + R"(
[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [0.0, 1.0]
[contact]
normal = { law = "overlap-area", Y = 1e6, gamma = 0.5 }
tangential = { law = "cundall-strack", mu = 0.6 }
)" + more + R"(
[run]
dt = 1e-5
time = 0.01
)";
}
Scene<2, double> scene_of(const std::string& text, const std::string& name = "shapes.toml") {
  return std::get<Scene<2, double>>(read_scene_text(text, name));
}
std::string message_of(const std::string& text) {
  try {
    read_scene_text(text, "shapes.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Shapes, RegularPolygonsHaveTheirMassAndInertia) {
  const auto scene = scene_of(text_with("build = \"points\"\npositions = [[0, 1], [1, 1]]\nradius = 0.1\nshape = { kind = \"polygon\", sides = 6 }\nangles = [0.5, 0.0]\n"));
  const auto& g = scene.world.grains;
  const double m = 1000 * 1.5 * std::sqrt(3.0) * 0.01;
  EXPECT_NEAR(g.m[0], m, 1e-13 * m);
  EXPECT_NEAR(g.inertia[0], m * 0.01 * 5 / 12, 1e-13 * m);  // of a hexagon: 5/12 m R²
  EXPECT_EQ(g.shape[0], g.shape[1]);                         // one outline for both
  EXPECT_EQ(scene.world.state.q[0][0], 0.5);
  EXPECT_NEAR(scene.world.shapes[0].inner, std::sqrt(3.0) / 2, 1e-15);
  EXPECT_NEAR(std::get<CundallStrack>(scene.table.laws[0].tangential).k_t, 2e6 / 7, 1e-6);
}

TEST(Shapes, ListedCornersBringTheirSizeAndAreCentred) {
  const auto scene = scene_of(text_with("build = \"points\"\npositions = [[3, 1]]\nshape = { kind = \"polygon\", vertices = [[0, 0], [0.3, 0], [0, 0.3]] }\n"));
  EXPECT_NEAR(scene.world.grains.r[0], std::hypot(0.2, 0.1), 1e-15);  // from the centroid (0.1, 0.1)
  EXPECT_NEAR(scene.world.grains.m[0], 1000 * 0.045, 1e-12);
}

TEST(Shapes, ClockwiseIsMendedAndSaid) {
  const auto scene = scene_of(text_with("build = \"points\"\npositions = [[3, 1]]\nshape = { kind = \"polygon\", vertices = [[0, 0], [0, 0.3], [0.3, 0]] }\n"));
  EXPECT_GT(scene.world.shapes[0].area, 0);
  ASSERT_FALSE(scene.warnings.empty());
  EXPECT_NE(scene.warnings[0].find("grain 0"), std::string::npos) << scene.warnings[0];
}

TEST(Shapes, RandomPolygonsDifferAndDependOnIdAndSeedAlone) {
  const std::string grains = "build = \"random\"\ncount = 30\nbox = [[0, 0.1], [2, 2]]\nradius = { min = 0.02, max = 0.04 }\nshape = { kind = \"random-polygon\", vertices = [5, 7] }\nangle = \"random\"\n";
  const auto a = scene_of(text_with(grains)), b = scene_of(text_with(grains));
  ASSERT_EQ(a.world.shapes.size(), 30U);
  EXPECT_EQ(a.world.shapes[7].corners, b.world.shapes[7].corners);
  EXPECT_NE(a.world.shapes[7].corners, a.world.shapes[8].corners);
  EXPECT_EQ(a.world.state.q[7][0], b.world.state.q[7][0]);
  for (const GrainShape& shape : a.world.shapes) {
    EXPECT_GE(shape.corners.size(), 5U);
    EXPECT_LE(shape.corners.size(), 7U);
    double far = 0;
    for (const auto& corner : shape.corners) far = std::max(far, norm(corner));
    EXPECT_NEAR(far, 1, 1e-14);
  }
}

TEST(Shapes, OutlinesComeFromAFileBesideTheScene) {
  const auto folder = std::filesystem::temp_directory_path() / ("scree_shapes_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "stones.csv") << "shape,x,y\nflat,0,0\nflat,0.2,0\nflat,0.2,0.1\nflat,0,0.1\nwedge,0,0\nwedge,0.1,0\nwedge,0,0.1\n";
  const auto scene = scene_of(text_with("build = \"points\"\npositions = [[0, 1], [1, 1], [2, 1]]\nshape = { kind = \"file\", file = \"stones.csv\" }\n"),
                              (folder / "scene.toml").string());
  EXPECT_EQ(scene.world.shapes.size(), 2U);
  EXPECT_EQ(scene.world.grains.shape[0], scene.world.grains.shape[2]);
  EXPECT_NEAR(scene.world.grains.m[0], 1000 * 0.02, 1e-12);
  EXPECT_NEAR(scene.world.grains.m[1], 1000 * 0.005, 1e-12);
  std::filesystem::remove_all(folder);
}

TEST(Shapes, BadOutlinesOfAFileAreRefusedAndMendedOnesSaidWithTheGrainNamed) {
  const auto folder = std::filesystem::temp_directory_path() / ("scree_bad_shapes_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string text = text_with("build = \"points\"\npositions = [[0, 1]]\nshape = { kind = \"file\", file = \"stones.csv\" }\n");
  const auto read = [&] { return std::get<Scene<2, double>>(read_scene_text(text, (folder / "scene.toml").string())); };
  const auto write = [&](const std::string& rows) { std::ofstream(folder / "stones.csv") << "x,y\n" << rows; };
  for (const auto& [rows, why] : {std::pair{"0,0\n1,1\n1,0\n0,1\n", "crosses itself"},
                                  {"0,0\n1,0\n0.2,0.2\n0,1\n", "not convex"},
                                  {"0,0\n1,0\n2,0\n", "no area"},
                                  {"0,0\n1,0\n", "three vertices"},
                                  {"0,0\n1,nan\n0,1\n", "finite"}}) {
    write(rows);
    try {
      read();
      ADD_FAILURE() << why;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("grain 0: "), std::string::npos) << message;
      EXPECT_NE(message.find("stones.csv"), std::string::npos) << message;
      EXPECT_NE(message.find(why), std::string::npos) << message;
    }
  }
  write("0,0\n0,1\n1,0\n");
  const auto clockwise = read();
  ASSERT_FALSE(clockwise.warnings.empty());
  EXPECT_NE(clockwise.warnings[0].find("grain 0"), std::string::npos) << clockwise.warnings[0];
  std::filesystem::remove_all(folder);
}

TEST(Shapes, PolygonsComeInThroughAnInletWithTheSameBitsAfterARestart) {
  const std::string text = text_with("build = \"points\"\npositions = [[0, 0.05]]\nradius = 0.05\nshape = { kind = \"polygon\", sides = 4 }\nangle = 0.7853981633974483\n",
                                     "[[insert]]\nmaterial = \"stone\"\nbox = [[-0.2, 0.3], [0.2, 0.5]]\nrate = 2000.0\ncount = 4\nradius = { min = 0.03, max = 0.05 }\n"
                                     "shape = { kind = \"random-polygon\" }\nangle = \"random\"\nvelocity = [0.0, -8.0]\n");
  auto whole = scene_of(text), first = scene_of(text), second = scene_of(text);
  Simulation<2, double> sim(whole, 1e-5, 0.0), one(first, 1e-5, 0.0), two(second, 1e-5, 0.0);
  sim.start();
  one.start();
  for (int k = 0; k < 4000; ++k) sim.step();
  for (int k = 0; k < 1700; ++k) one.step();
  two.load(one.save());
  for (int k = 0; k < 2300; ++k) two.step();
  EXPECT_EQ(whole.world.grains.size(), 5U);
  EXPECT_GT(sim.engine().contacts(), 0U);
  EXPECT_EQ(sim.hash(), two.hash());
  EXPECT_LT(std::abs(sim.energies().balance_error()), 1e-2 * sim.energies().work);
}

TEST(Shapes, TheStepIsThatOfTheStiffestContact) {
  const auto scene = scene_of(text_with("build = \"points\"\npositions = [[0, 1], [1, 1]]\nradius = 0.1\nshape = { kind = \"polygon\", sides = 6 }\n"));
  // π sqrt(m*/(Y κ)) with κ = R/r_in = 2/√3
  const double m = 1000 * 1.5 * std::sqrt(3.0) * 0.01 / 2;
  EXPECT_LE(advise_step(scene).contact_time, 3.1416 * std::sqrt(m / (1e6 * 2 / std::sqrt(3.0))) * 1.0001);
}

TEST(Shapes, TouchingHexagonsMayBeListedThoughTheirCirclesOverlap) {
  const auto at = [](double x) {
    return text_with("build = \"points\"\npositions = [[0, 0.1], [" + std::to_string(x) + ", 0.1]]\nradius = 0.1\nangle = 0.5235987755982988\nshape = { kind = \"polygon\", sides = 6 }\n");
  };
  EXPECT_EQ(message_of(at(0.1733)), "");
  EXPECT_NE(message_of(at(0.15)).find("grains 0 and 1 overlap at the start"), std::string::npos);
}

}  // namespace
}  // namespace scree
