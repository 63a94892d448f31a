// SPDX-License-Identifier: BSD-3-Clause
/// `check` claims of energy what is proved, and no more: each condition of the proofs (docs/chains.md) by itself.
#include "scree/run/energy_proof.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "scree/core/errors.hpp"
#include "scree/run/check.hpp"
#include "scree/run/read_scene.hpp"

namespace scree {
namespace {

const std::string row = R"([scene]
name = "row"
dim = 2
[domain]
gravity = [-1.0, 0.0]
[material.bead]
[material.other]
[[grains]]
build = "chain"
material = "bead"
count = 3
start = [5.0, 0.0]
radius = 5.0
mass = 1.0
speed = 1.0
[[grains]]
build = "points"
material = "other"
radius = 5.0
mass = 1.0
positions = [[40.0, 0.0]]
[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [1.0, 0.0]
[contact]
normal = { law = "power", a = 1.5, k = 1.0, A = 0.05, attraction = true }
[run]
integrator = "kk-theta"
dt = 0.1
time = 0.2
)";

EnergyProof proof_of(const std::string& variant, std::vector<std::string> changes = {}, bool guard = false) {
  changes.push_back("run.variant=" + variant);
  changes.push_back(guard ? "run.guard=true" : "run.guard=false");
  const auto scene = std::get<Scene<2, double>>(read_scene_text(row, "row.toml", changes));
  return energy_proof(scene, *bond_times(scene));
}

TEST(EnergyProof, HoldsOnALineUpToTwiceGamma) {
  for (const char* variant : {"theta", "split"}) {
    EXPECT_NEAR(proof_of(variant).up_to, 0.1, 1e-9) << variant;
    EXPECT_EQ(proof_of(variant).why_not, "") << variant;
  }
  EXPECT_TRUE(std::isinf(proof_of("energy").up_to));
  EXPECT_EQ(proof_of("third").up_to, 0);
  EXPECT_NE(proof_of("third").why_not, "");
}

/// With the guard energy never grows but where it is brought in, or may be by what the guard turns to.
TEST(EnergyProof, HoldsForEveryStepWithTheGuard) {
  const std::string moving = "walls.0.motion=[{ move = \"translate\", velocity = [1.0, 0.0] }]";
  const std::string edge = "walls.0={ kind = \"segment\", point = [0.0, -9.0], end = [0.0, 9.0] }";
  const std::string elastic = "contact.bead-other={ normal = { law = \"power\", a = 1.5, k = 1.0, A = 0.0, attraction = true } }";
  for (const char* variant : {"theta", "split", "third"}) {
    for (const char* change : {"run.dt=0.1", "run.dt=1.0", "grains.1.positions=[[40.0, 0.1]]", "walls.0.normal=[0.8, 0.6]", "grains.0.attachment=1.0",
                               "grains.1.drag=0.1"})
      EXPECT_TRUE(std::isinf(proof_of(variant, {change}, true).up_to)) << variant << ", " << change;
    for (const std::string& change : {moving, edge, elastic}) {
      EXPECT_EQ(proof_of(variant, {change}, true).up_to, 0) << variant << ", " << change;
      EXPECT_NE(proof_of(variant, {change}, true).why_not, "") << variant << ", " << change;
    }
  }
}

TEST(EnergyProof, IsNotClaimedWhereAConditionFails) {
  const std::string moving = "walls.0.motion=[{ move = \"translate\", velocity = [1.0, 0.0] }]", pushed = "grains.0.push=[{ force = [1.0, 0.0] }]";
  const std::string edge = "walls.0={ kind = \"segment\", point = [0.0, -9.0], end = [0.0, 9.0] }";
  struct Case {
    std::string change;
    bool split, energy;  // still proved; as printed none is
  };
  const std::string law = "contact.bead-other={ normal = { law = \"power\", a = 1.5, k = 1.0, A = 0.04, attraction = true } }";
  for (const Case& one : {Case{"grains.1.positions=[[40.0, 0.1]]", false, true}, Case{"grains.1.velocity=[0.0, 0.1]", false, true},
                          Case{"domain.gravity=[-1.0, -0.1]", false, true}, Case{"walls.0.normal=[0.8, 0.6]", false, true},
                          Case{law, true, true}, Case{"grains.0.attachment=1.0", false, true}, Case{"grains.1.drag=0.1", false, true},
                          Case{"domain.damping=0.1", false, true}, Case{edge, false, false}, Case{moving, false, false}, Case{pushed, false, false},
                          Case{"walls.0.until=1.0", false, false}, Case{"grains.1.until=1.0", false, false}}) {
    EXPECT_EQ(proof_of("theta", {one.change}).up_to, 0) << one.change;
    EXPECT_EQ(proof_of("split", {one.change}).up_to > 0, one.split) << one.change;
    EXPECT_EQ(proof_of("energy", {one.change}).up_to > 0, one.energy) << one.change;
    EXPECT_NE(proof_of("theta", {one.change}).why_not, "") << one.change;
  }
  EXPECT_NEAR(proof_of("split", {law}).up_to, 0.08, 1e-9);  // of the least
}

nlohmann::json said(const std::vector<std::string>& changes) {
  AnyScene scene = read_scene_text(row, "row.toml", changes);
  return check_scene(scene)["theta"];
}

TEST(EnergyProof, IsWhatCheckSays) {
  const auto guarded = said({"run.dt=0.4"});
  EXPECT_TRUE(guarded["guard"].get<bool>());
  EXPECT_TRUE(guarded["energy_never_grows"].get<bool>());
  EXPECT_TRUE(guarded["energy_falls_up_to_dt"].is_null());
  const auto line = said({"run.guard=false"});
  EXPECT_FALSE(line["guard"].get<bool>());
  EXPECT_TRUE(line["energy_never_grows"].get<bool>());
  EXPECT_NEAR(line["energy_falls_up_to_dt"].get<double>(), 0.1, 1e-9);
  EXPECT_FALSE(said({"run.guard=false", "run.dt=0.11"})["energy_never_grows"].get<bool>());
  const auto third = said({"run.variant=third"});
  EXPECT_FALSE(third["energy_never_grows"].get<bool>());
  EXPECT_NE(third["energy_not_proved"].get<std::string>().find("third"), std::string::npos);
  const auto means = said({"run.variant=energy", "run.dt=1.0"});
  EXPECT_TRUE(means["energy_never_grows"].get<bool>());
  EXPECT_TRUE(means["energy_falls_up_to_dt"].is_null());
}

/// A bead alone has no contacts, so no γ to be above of; and a sheared box has no variant "energy" to be sent to.
TEST(EnergyProof, WarnsOfLargeStepsOnlyWhereSomethingMeets) {
  const auto warnings = [](const std::string& text, const std::vector<std::string>& changes) {
    std::string all;
    const AnyScene scene = read_scene_text(text, "row.toml", changes);
    for (const auto& one : header(scene).warnings) all += one + "\n";
    return all;
  };
  EXPECT_NE(warnings(row, {"run.dt=0.4", "run.guard=false"}).find("variant = \"energy\""), std::string::npos);
  EXPECT_EQ(warnings(row, {"run.dt=0.4"}).find("2 gamma"), std::string::npos);  // guarded
  std::string alone = row;
  const auto from = alone.find("[[grains]]\nbuild = \"points\""), to = alone.find("[contact]");
  alone.erase(from, to - from);
  EXPECT_EQ(warnings(alone, {"run.dt=0.4", "run.guard=false", "grains.0.count=1"}).find("2 gamma"), std::string::npos);
  std::string sheared = alone;
  sheared.replace(sheared.find("gravity = [-1.0, 0.0]"), 21, "box = [[-5.0, -20.0], [35.0, 20.0]]\nperiodic = [true, true]\nshear = { rate = 0.1 }");
  const std::string warned = warnings(sheared, {"run.dt=0.4"});
  EXPECT_NE(warned.find("2 gamma"), std::string::npos);
  EXPECT_EQ(warned.find("variant = \"energy\""), std::string::npos);
}

/// Held grains jump by a period when they reach the border, within a step: over which no mean is to be had.
TEST(EnergyProof, MeansOverAStepAreRefusedWhereHeldGrainsCrossABorder) {
  std::string text = row;
  text.replace(text.find("gravity = [-1.0, 0.0]"), 21, "box = [[-5.0, -20.0], [55.0, 20.0]]\nperiodic = [false, true]");
  const std::string moves = "grains.1.motion=[{ move = \"translate\", velocity = [0.0, 1.0] }]";
  EXPECT_NO_THROW(read_scene_text(text, "row.toml", {"run.variant=energy"}));
  EXPECT_NO_THROW(read_scene_text(text, "row.toml", {moves, "run.variant=split"}));
  EXPECT_NO_THROW(read_scene_text(row, "row.toml", {moves, "run.variant=energy"}));
  try {
    read_scene_text(text, "row.toml", {moves, "run.variant=energy"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("run.variant: \"energy\" is not there for held grains that move in a periodic box"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace scree
