// SPDX-License-Identifier: BSD-3-Clause
/// What counts as the heap, and how its drift is told from its swings.
#include "scree/studies/heap_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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
  EXPECT_NEAR(watch.swing(), 2 * swing, 4 * sinking);  // and what it sinks in the second half
  EXPECT_NEAR(watch.rest(), 3 * 0.5 * 2 * 9, 1e-12);
  EXPECT_NEAR(watch.rest_outside(), 2 * 0.5 * 2 * 100, 1e-12);
  // Σ m/2 (2⁻⁵³ |x|/h)² with |x|² = id² + 1
  const double unit = std::ldexp(1.0, -53) / 1e-5;
  EXPECT_NEAR(watch.round_off(1e-5), 0.5 * 2 * (2 + 5 + 17) * unit * unit, 1e-12 * unit * unit);
}

}  // namespace
}  // namespace scree
