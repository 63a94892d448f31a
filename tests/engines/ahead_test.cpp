// SPDX-License-Identifier: BSD-3-Clause
/// Several steps that go through a bed at once change no bit.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "tests/support/jostling_bed.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

/// Beds as small as these run ahead, too.
struct WithAhead : With<AheadSettings> {
  WithAhead(double cache, std::int64_t most) : With(ahead_settings, {0, cache, most}) {}
};

constexpr double r = jostling_radius, spacing = jostling_spacing;

template <int D>
Scene<D, double> bed(const std::array<int, D>& sides, const std::array<bool, D>& periodic, bool rolling = false) {
  ContactLaws laws = jostling_laws();
  if (rolling) laws.rolling = RollingSpring{1e-4, 0.05, 1e-8};
  return jostling_bed<D>(sides, periodic, laws, 0.05, 0.97);
}

/// Without wide kernels steps do not run into each other.
bool goes_on() { return kernels<3, double>().go_on != nullptr; }

/// Moves `scene` by so many steps, the last of which is looked at, and every `look`th.
template <int D>
std::int64_t move(Scene<D, double>& scene, int threads, std::int64_t steps, std::int64_t look, std::uint64_t& hash, std::int64_t* strips = nullptr,
                  std::int64_t* packed = nullptr) {
  const WithThreads with(threads);
  Simulation<D, double> sim(scene, 5e-6, 0.0);
  sim.start();
  std::size_t most = 0;
  while (sim.steps() < steps) {
    const std::int64_t left = look - 1 - sim.steps() % look;
    if (left == 0) sim.step();
    else sim.advance(left);
    EXPECT_FALSE(sim.engine().fault().has_value());
    most = std::max(most, sim.engine().contacts());
  }
  EXPECT_GT(sim.engine().rebuilds, 1);
  EXPECT_GT(most, scene.world.grains.size() / 2);
  hash = sim.hash();
  if (strips) *strips = sim.engine().slabs().strips;
  if (packed) *packed = sim.engine().packed;
  return sim.engine().at_once;
}

/// However it is run, hash and ledger are those of single steps. `least`: of the steps, so many go with others.
template <int D, class Make>
void expect_the_bits_of_single_steps(const Make& make, double cache, std::int64_t most, std::int64_t least, std::int64_t strips = 1) {
  auto plain = make();
  plain.run.ahead = false;
  std::uint64_t wanted = 0, hash = 0;
  constexpr std::int64_t steps = 240;
  EXPECT_EQ(move<D>(plain, 1, steps, 80, wanted), 0);
  const WithAhead small(cache, most);
  using Use = PackSettings::Use;
  for (const Use use : {Use::never, Use::always})  // contacts side by side (packs.hpp) or not
    for (const int threads : {1, 2, 3}) {
      const With<PackSettings> form(pack_settings, {0.0, 2, use});
      auto scene = make();
      const bool can = kernels<D, double>().press_packs && !plain.table.has_rolling() && use == Use::always;
      SCOPED_TRACE(std::to_string(threads) + " threads, " + (can ? "packs" : "batches"));
      std::int64_t cut = 0, packed = 0;
      EXPECT_GE(move<D>(scene, threads, steps, 80, hash, &cut, &packed), goes_on() ? least : 0);
      EXPECT_GE(cut, goes_on() ? strips : 1);
      if (strips == 1) EXPECT_EQ(cut, 1);
      if (can) EXPECT_GE(packed, steps * 9 / 10);
      EXPECT_EQ(hash, wanted);
      for (std::uint32_t id = 0; id < scene.world.grains.size(); ++id)
        ASSERT_EQ(scene.world.state.e[place(scene, id)], plain.world.state.e[place(plain, id)]) << "grain " << id;
    }
}

constexpr double whole_slabs = 3e5;

TEST(Ahead, AlongAPeriodInSpace) {
  for (const std::int64_t most : {2, 5, 8})
    expect_the_bits_of_single_steps<3>([] { return bed<3>({80, 4, 5}, {true, true, false}); }, whole_slabs, most, 60);
}

/// Threads whose slabs would not fit into the cache together take the steps in several passes.
TEST(Ahead, InSeveralPasses) {
  if (!goes_on()) GTEST_SKIP() << "no wide kernels here";
  const auto make = [] { return bed<3>({80, 4, 5}, {true, true, false}); };
  auto scene = make();
  Slabs slabs;
  {
    const WithAhead large(whole_slabs, 8);
    Simulation<3, double> sim(scene, 5e-6, 0.0);
    sim.start();
    for (int k = 0; k < 20; ++k) sim.advance(20);
    slabs = sim.engine().slabs();
  }
  const WithAhead small(24 * slabs.bytes, 8);
  ASSERT_EQ(steps_in_pass(slabs, 8, 1), 8);
  ASSERT_EQ(steps_in_pass(slabs, 8, 3), 4);
  expect_the_bits_of_single_steps<3>(make, 24 * slabs.bytes, 8, 60);
}

TEST(Ahead, AlongAnOpenAxisInSpace) {
  expect_the_bits_of_single_steps<3>([] { return bed<3>({60, 5, 4}, {false, true, false}); }, whole_slabs, 6, 60);
}

TEST(Ahead, InThePlane) {
  expect_the_bits_of_single_steps<2>([] { return bed<2>({90, 12}, {true, false}); }, 2e5, 5, 60);
  expect_the_bits_of_single_steps<2>([] { return bed<2>({90, 12}, {false, false}); }, 2e5, 5, 60);
}

TEST(Ahead, WithRollingSprings) {
  expect_the_bits_of_single_steps<3>([] { return bed<3>({60, 4, 4}, {true, true, false}, true); }, whole_slabs, 5, 60);
}

/// So little room that slabs are cut into strips.
TEST(Ahead, InStrips) {
  expect_the_bits_of_single_steps<2>([] { return bed<2>({48, 48}, {true, true}); }, 1.5e5, 4, 60, 2);
  expect_the_bits_of_single_steps<2>([] { return bed<2>({48, 48}, {true, false}); }, 1.5e5, 4, 60, 2);
  expect_the_bits_of_single_steps<2>([] { return bed<2>({48, 47}, {false, true}); }, 1.5e5, 4, 40, 2);
  expect_the_bits_of_single_steps<2>([] { return bed<2>({48, 48}, {false, false}); }, 1.5e5, 4, 40, 2);
  expect_the_bits_of_single_steps<3>([] { return bed<3>({38, 37, 2}, {true, true, false}); }, 3e5, 4, 60, 2);
}

TEST(Ahead, AFlowThroughTheSlabsSortsThemAnew) {
  const auto make = [] {
    auto scene = bed<3>({60, 4, 5}, {true, true, false});
    for (auto& v : scene.world.state.v) v[0] += 1;
    return scene;
  };
  expect_the_bits_of_single_steps<3>(make, whole_slabs, 4, 20);
}

TEST(Ahead, GoesOnAfterACheckpoint) {
  if (!goes_on()) GTEST_SKIP() << "no wide kernels here";
  const auto make = [] {
    return bed<3>({60, 4, 4}, {true, true, false});
  };
  const auto run_to = [](Simulation<3, double>& sim, std::int64_t end) {
    while (sim.steps() + 1 < end) sim.advance(end - 1 - sim.steps());
    sim.step();
  };
  auto whole = make(), first = make(), second = make();
  whole.run.ahead = false;
  Simulation<3, double> plain(whole, 5e-6, 0.0), one(first, 5e-6, 0.0), two(second, 5e-6, 0.0);
  plain.start();
  run_to(plain, 160);
  const WithAhead small(whole_slabs, 6);
  one.start();
  run_to(one, 80);
  two.load(one.save());
  run_to(two, 160);
  EXPECT_GT(one.engine().at_once, 30);
  EXPECT_GT(two.engine().at_once, 30);
  EXPECT_EQ(two.hash(), plain.hash());
}

/// A bed with a gap in its middle, a grain far away, and borders that nobody may cross.
TEST(Ahead, AroundAHoleInABoundedBox) {
  const auto make = [] {
    auto scene = bed<2>({90, 12}, {false, false});
    for (std::size_t i = 0; i < scene.world.grains.size(); ++i) {
      auto& x = scene.world.state.x[i];
      if (x[0] > 60 * spacing) x[0] += 0.02;
    }
    add_grain<2>(scene, {0.1, 5.0}, {0, 0.1}, r);
    scene.world.domain.bounded = true;
    scene.world.domain.lo = {-1, -1};
    scene.world.domain.hi = {10, 10};
    return scene;
  };
  expect_the_bits_of_single_steps<2>(make, 2e5, 5, 60);
}

/// A contact far too stiff for the step, which begins amid eight of them: who falls on a grain that is held bounces off forty times as
/// fast. Nothing foretells that, and what could have been missed is seen afterwards.
TEST(Ahead, WhatWasNotForeseenStopsTheRun) {
  if (!goes_on()) GTEST_SKIP() << "no wide kernels here";
  const auto make = [] {
    auto scene = empty_scene<3>({}, "velocity-verlet");
    scene.table.laws[0].normal = HertzTsuji{8e9, 0.0};
    for (int a = 0; a < 60; ++a)
      for (int b = 0; b < 20; ++b) add_grain<3>(scene, {a * 2.1 * r, b % 4 * 2.1 * r, b / 4 * 2.1 * r}, {}, r);
    add_grain<3>(scene, {2.1 * r, 0, 10.4 * r + 15e-6}, {0, 0, -1}, r);
    scene.world.grains.held[place(scene, 36)] = 1;  // the topmost below it
    scene.run.skin = 2e-4;
    return scene;
  };
  const auto run = [](Scene<3, double> scene, std::int64_t& steps) {
    Simulation<3, double> sim(scene, 5e-6, 0.0);
    sim.start();
    while (sim.steps() < 9 && !sim.engine().fault()) sim.advance(9 - sim.steps());
    steps = sim.engine().at_once;
    return sim.engine().fault() ? sim.engine().fault()->what : std::string();
  };
  const WithAhead small(whole_slabs, 8);
  std::int64_t steps = 0;
  const std::string fault = run(make(), steps);
  EXPECT_GT(steps, 4);
  EXPECT_NE(fault.find("grain 1200 was hurled"), std::string::npos) << fault;
  auto scene = make();
  scene.run.ahead = false;
  EXPECT_EQ(run(scene, steps), "");
  EXPECT_EQ(steps, 0);
}

}  // namespace
}  // namespace scree
