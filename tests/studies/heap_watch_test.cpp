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

/// A swing about a sinking mean, in 10 s: the two windows last for 4 s each.
HeapWatch swinging(double sinking, double swing, double period, double ripple = 0, int frames = 5000, double phase = 0.4) {
  HeapWatch watch(2 / (std::numbers::pi / 4));  // a grain is as large as a circle of diameter 1
  for (int k = 0; k <= frames; ++k) {
    const double t = 10.0 * k / frames, turn = 2 * std::numbers::pi * t / period;
    watch.look(frame_at(t, swing * std::sin(turn + phase) + ripple * std::sin(17.3 * turn) - sinking * t, 3));
  }
  return watch;
}

TEST(HeapWatch, DriftIsThatOfTheMeanOverSwings) {
  const double sinking = 1e-5, swing = 0.1, ripple = 0.01, leak = std::pow(10, -92.0 / 20);
  for (const double period : {0.79, 0.6, 0.31}) {  // 5.1, 6.7 and 12.9 periods in a window, 4 and more in four fifths of it
    const HeapWatch watch = swinging(sinking, swing, period, ripple);
    // from the middle of one window to that of the other are 4 s; of every swing the weights leave so much in each mean
    EXPECT_NEAR(watch.drift(), 4 * sinking, 2 * (swing + ripple) * leak) << period;
    EXPECT_LT(watch.drift_error(), 5 * (swing + ripple) * leak) << period;  // two drifts, one of them over four fifths of the time
    EXPECT_NEAR(watch.swing(), 2 * swing, 2 * ripple + 1e-4) << period;
    EXPECT_TRUE(watch.drift_is_seen()) << period;
    EXPECT_TRUE(watch.swings_are_resolved()) << period;
  }
}

/// With fewer periods in a window swings get through. Where there is no drift none is seen, whatever their phase: either the error covers
/// what gets through, or the swings are not resolved.
TEST(HeapWatch, SwingsAreNotTakenForDrift) {
  for (const double period : {0.9, 1.1, 1.3, 1.7, 2.1, 2.9, 4.0, 6.0})
    for (int k = 0; k < 20; ++k) {
      const HeapWatch watch = swinging(0, 0.1, period, 0, 1000, 0.05 + 0.31 * k);
      EXPECT_FALSE(watch.drift_is_seen()) << period << ' ' << k;
      if (period > 1.5 && period < 5) {  // six seconds, with windows 4 s apart, may go up as they go down
        EXPECT_FALSE(watch.swings_are_resolved()) << period << ' ' << k;
      }
    }
}

TEST(HeapWatch, EnergiesAreMeansOfTheLastFifth) {
  const HeapWatch watch = swinging(1e-3, 0, 1);
  EXPECT_EQ(watch.members(), 3U);
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
  // from 3.2 s to 6.4 s, of 8 s; a frame at an end of a window, of weight 6e-5 in 32 × 0.36, may be in or out, 1.6 s from its middle
  const double edge = 6e-5 / (32 * 0.36) * 1.6 * sinking;
  EXPECT_NEAR(watch.drift(), 3.2 * sinking, 4 * edge);
  EXPECT_LT(watch.swing(), 8 * edge);
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
