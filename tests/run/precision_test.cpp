// SPDX-License-Identifier: BSD-3-Clause
/// Scenes in double-double: digits come in, survive checkpoints, and go out again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scree/core/dd_text.hpp"
#include "scree/io/csv.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

const std::string text = R"(
[scene]
name = "three"
dim = 2
real = "dd"

[domain]
gravity = [0.0, -9.81]

[material.glass]
density = 2500.0

[[grains]]
build = "points"
material = "glass"
positions = [["0.1234567890123456789012345678901", 0.0125], [0.1448, "0.0123"], [0.1251, 0.0327]]
velocities = [["1e-1", 0.0], [0.0, 0.0], [0.0, "-0.33333333333333333333333333333333"]]
radii = [0.01, "0.0111111111111111111111111111111", 0.01]

[[walls]]
kind = "plane"
point = [0, 0]
normal = [0.1, 1]

[contact]
normal = { law = "kk", k = 1e7, g = 1e3 }
tangential = { law = "cundall-strack", ratio = 0.25, mu = 0.5 }

[run]
integrator = "damped-verlet"
dt = 1e-5
time = 0.01
)";

Scene<2, dd> scene_of(const std::vector<std::string>& overrides = {}) {
  return std::get<Scene<2, dd>>(read_scene_text(text, "three.toml", overrides));
}

TEST(Precision, DigitsGivenAsTextReachTheState) {
  const auto scene = scene_of();
  const auto& s = scene.world.state;
  EXPECT_EQ(s.x[0][0], *parse_dd("0.1234567890123456789012345678901"));
  EXPECT_EQ(s.v[0][0], dd(1) / dd(10));
  EXPECT_NE(s.v[0][0], dd(0.1));
  EXPECT_EQ(s.x[1][0], dd(0.1448));  // a TOML number is a double
  EXPECT_EQ(scene.world.grains.r[1], *parse_dd("0.0111111111111111111111111111111"));
  // constants too have every digit: m = 4/3 pi r³ rho, some operations of 4 u² or less each
  const dd pi = *parse_dd("3.14159265358979323846264338327950288419716939937510");
  const dd r = dd(0.01), m = dd(4) / dd(3) * pi * r * r * r * dd(2500);
  EXPECT_LT(std::abs(double(scene.world.grains.m[0] / m - dd(1))), 1e-30);
}

TEST(Precision, ADoubleSceneKeepsTheHighWords) {
  const auto scene = std::get<Scene<2, double>>(read_scene_text(text, "three.toml", {"scene.real=double"}));
  EXPECT_EQ(scene.world.state.x[0][0], 0.1234567890123456789012345678901);
  EXPECT_EQ(scene.world.state.v[2][1], -1.0 / 3);
}

TEST(Precision, ACheckpointKeepsEveryBit) {
  for (const char* integrator : {"run.integrator=damped-verlet", "run.integrator=rk4", "run.integrator=gear5"}) {
    auto a = scene_of({integrator}), b = scene_of({integrator});
    Simulation<2, dd> whole(a, 1e-5, dd(0)), first(b, 1e-5, dd(0));
    whole.start();
    first.start();
    for (int k = 0; k < 400; ++k) whole.step();
    for (int k = 0; k < 150; ++k) first.step();
    const Checkpoint middle = first.save();
    auto c = scene_of({integrator});
    Simulation<2, dd> second(c, 1e-5, dd(0));
    second.load(middle);
    for (int k = 150; k < 400; ++k) second.step();
    EXPECT_GT(whole.engine().contacts(), 0U);
    EXPECT_EQ(second.hash(), whole.hash()) << integrator;
  }
}

TEST(Precision, ACheckpointOfAnotherNumberTypeIsRefused) {
  auto a = scene_of();
  Simulation<2, dd> sim(a, 1e-5, dd(0));
  sim.start();
  auto b = std::get<Scene<2, double>>(read_scene_text(text, "three.toml", {"scene.real=double"}));
  Simulation<2, double> other(b, 1e-5, 0.0);
  EXPECT_THROW(other.load(sim.save()), RunError);
}

TEST(Precision, AnExportReadsBackWithoutLosingABit) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("scree-precision-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  auto scene = scene_of();
  Simulation<2, dd> sim(scene, 1e-5, dd(0));
  sim.start();
  for (int k = 0; k < 300; ++k) sim.step();
  {
    AtomicFile out(folder / "grains.csv");
    write_grains_header(out, 2);
    write_grains_rows(out, 0, sim.frame(false));
    out.commit();
  }
  const std::size_t from = text.find("positions"), until = text.find("[[walls]]");
  std::string again = text.substr(0, from) + "path = \"grains.csv\"\n" + text.substr(until);
  again.replace(again.find("points"), 6, "file");
  const auto back = std::get<Scene<2, dd>>(read_scene_text(again, (folder / "again.toml").string(), {}));
  for (std::uint32_t id = 0; id < 3; ++id) {
    std::size_t i = 0;
    while (scene.world.grains.id[i] != id) ++i;
    EXPECT_EQ(back.world.state.x[id], scene.world.state.x[i]);
    EXPECT_EQ(back.world.state.v[id], scene.world.state.v[i]);
    EXPECT_EQ(back.world.state.w[id], scene.world.state.w[i]);
    EXPECT_EQ(back.world.grains.r[id], scene.world.grains.r[i]);
    EXPECT_NE(scene.world.state.x[i][0].lo, 0.0);
  }
  fs::remove_all(folder);
}

/// What double-double is for: the same collision, closer to its reference by ten digits and more.
TEST(Precision, ARunInDoubleDoubleFollowsTheRunInDouble) {
  auto a = scene_of();
  auto b = std::get<Scene<2, double>>(read_scene_text(text, "three.toml", {"scene.real=double"}));
  Simulation<2, dd> fine(a, 1e-5, dd(0));
  Simulation<2, double> coarse(b, 1e-5, 0.0);
  fine.start();
  coarse.start();
  for (int k = 0; k < 200; ++k) {
    fine.step();
    coarse.step();
  }
  for (std::uint32_t id = 0; id < 3; ++id) {
    std::size_t i = 0, j = 0;
    while (a.world.grains.id[i] != id) ++i;
    while (b.world.grains.id[j] != id) ++j;
    for (int k = 0; k < 2; ++k) {
      const double difference = std::abs(double(a.world.state.x[i][k] - dd(b.world.state.x[j][k])));
      // 200 steps of round-off in x (1e-17 each) and in v (1e-16 h each), hardly amplified
      EXPECT_LT(difference, 1e-14);
    }
  }
}

}  // namespace
}  // namespace scree
