// SPDX-License-Identifier: BSD-3-Clause
/// What counts as the heap, and how its drift is told from its swings.
#include "scree/studies/heap_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/run/read_scene.hpp"

namespace scree {
namespace {

/// Five grains of 2 kg; 1, 2 and 4 touch, 0 and 3 lie on the wall.
Frame frame_at(double time, double rise, double speed) {
  Frame f;
  f.time = time;
  f.id = {3, 0, 4, 1, 2};  // as they are stored
  f.mass.assign(5, 2.0);
  f.inertia.assign(5, 0.1);
  f.w.assign(5, 0.0);
  for (const std::int64_t id : f.id) {
    const bool in = id == 1 || id == 2 || id == 4;
    f.x.insert(f.x.end(), {static_cast<double>(id), in ? 1 + rise : 50.0});
    f.v.insert(f.v.end(), {0, in ? speed : 10.0});
  }
  f.contacts.id1 = {4, 1, 0, 3, 0};
  f.contacts.id2 = {1, 2, -1, -1, -2};
  f.contacts.overlap.assign(5, 1e-6);
  return f;
}

TEST(HeapWatch, TheHeapIsTheLargestClusterAndWallsJoinNobody) {
  EXPECT_EQ(largest_cluster(frame_at(0, 0, 0)), (std::vector<std::uint8_t>{0, 1, 1, 0, 1}));
}

TEST(HeapWatch, DriftIsThatOfTheMeanOverSwings) {
  // A swing about a sinking mean: with whole periods in every quarter it cancels to the spacing of frames.
  HeapWatch watch(2 / (std::numbers::pi / 4));  // a grain is as large as a circle of diameter 1
  const double sinking = 1e-3, swing = 0.1;
  const int frames = 4000;
  for (int k = 0; k <= frames; ++k) {
    const double t = 8.0 * k / frames;
    watch.look(frame_at(t, swing * std::sin(2 * std::numbers::pi * t) - sinking * t, 3));
  }
  EXPECT_EQ(watch.members(), 3U);
  // from the middle of the second quarter to that of the last are 4 s; one frame more than whole periods adds swing/frames
  EXPECT_NEAR(watch.drift(), 4 * sinking, swing / frames * 4);
  // the means of the two last quarters are off by swing/frames as well, which the line carries twice as far
  EXPECT_NEAR(watch.swing(), 2 * swing, swing / frames * 16);
  EXPECT_FALSE(watch.drift_is_seen());
  EXPECT_NEAR(watch.rest(), 3 * 0.5 * 2 * 9, 1e-12);
  EXPECT_NEAR(watch.rest_outside(), 2 * 0.5 * 2 * 100, 1e-12);
  // Σ m/2 (2⁻⁵³ |x|/h)² with |x|² = id² + 1
  const double unit = std::ldexp(1.0, -53) / 1e-5;
  EXPECT_NEAR(watch.round_off(1e-5), 0.5 * 2 * (2 + 5 + 17) * unit * unit, 1e-12 * unit * unit);
}

TEST(HeapWatch, ASteadyDriftIsNoSwing) {
  HeapWatch watch(2 / (std::numbers::pi / 4));
  const double sinking = 1e-3;
  for (int k = 0; k <= 80; ++k) watch.look(frame_at(0.1 * k, -sinking * 0.1 * k, 0));
  EXPECT_NEAR(watch.drift(), 4 * sinking, 1e-12);
  EXPECT_LT(watch.swing(), 0.1 * 4 * sinking);  // quarters share a frame at most
  EXPECT_TRUE(watch.drift_is_seen());
}

/// The energy of all grains counts, those outside of the heap too (2 of 2 kg at 10 m/s: 200 J).
TEST(HeapWatch, StallsAreJudgedByAllGrains) {
  const auto at_speed = [](double speed) {
    HeapWatch watch(1);
    for (int k = 0; k <= 8; ++k) watch.look(frame_at(k, 0, speed));
    return watch;
  };
  const HeapWatch slow = at_speed(1e-3), fast = at_speed(10), faster = at_speed(100);
  EXPECT_NEAR(fast.rest_of_all(), 300 + 200, 1e-9);
  EXPECT_FALSE(stalls_above(fast, slow));   // the heap's differ by 1e8, those of all by 2.5
  EXPECT_TRUE(stalls_above(faster, slow));  // 30200 J against 200 J
}

TEST(HeapWatch, TakesTheDensityOfTheScene) {
  const std::string text = "[scene]\nname = \"one\"\ndim = 2\n[material.m]\ndensity = 2500.0\nbody = \"disc\"\nheight = 0.5\n[[grains]]\nbuild = \"points\"\n"
                           "material = \"m\"\nradius = 1.0\npositions = [[0.0, 0.0]]\n[contact]\nnormal = { law = \"linear\", k = 1e5, g = 1.0 }\n[run]\ndt = 1e-3\ntime = 1.0\n";
  EXPECT_EQ(mass_per_area(read_scene_text(text, "one.toml")), 1250);
  EXPECT_EQ(mass_per_area(read_scene_text(text, "one.toml", {"material.m.density=4000.0"})), 2000);
}

TEST(HeapWatch, RefusesTimesTooShortForMeans) {
  EXPECT_EQ(steps_to_watch("time", 0.8, 0.1), 8);
  try {
    steps_to_watch("small-time", 0.3, 0.1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--small-time: 0.3 s are 3 steps of 0.1 s; expected at least 8");
  }
}

}  // namespace
}  // namespace scree
