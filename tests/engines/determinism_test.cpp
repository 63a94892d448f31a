// SPDX-License-Identifier: BSD-3-Clause
/// One scene, many ways to run it, one hash.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "scree/integrators/registry.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;

/// A cloud that falls on a plane between walls (2D) or in a periodic box (3D), with friction, rolling
/// springs (unless told otherwise) and a moving wall: everything that carries memory.
template <int D>
Scene<D, double> cloud(const std::string& integrator, bool rolling = true) {
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 20};
  laws.tangential = CundallStrack{2e3, 0.4, 0.01};
  if (rolling) laws.rolling = RollingSpring{1e-4, 0.05, 1e-8};
  auto scene = empty_scene<D>(laws, integrator);
  const double r = 2e-3;
  const int side = D == 2 ? 14 : 6;
  std::uint32_t id = 0;
  const auto put = [&](Vec<D, double> x) {
    Random random(7, 1, id++);
    for (int k = 0; k < D; ++k) x[k] += random.uniform(-1e-4, 1e-4);
    Vec<D, double> v{};  // inwards, so that many touch soon
    for (int k = 0; k < D; ++k) v[k] = random.uniform(-0.1, 0.1) + 100 * (side * 1.1 * r - x[k]);
    add_grain<D>(scene, x, v, r * random.uniform(0.8, 1.0));
  };
  for (int a = 0; a < side; ++a)
    for (int b = 0; b < side; ++b)
      for (int c = 0; c < (D == 2 ? 1 : side); ++c) {
        Vec<D, double> x{};
        x[0] = (a + 0.5) * 2.2 * r;
        x[1] = (b + 0.5) * 2.2 * r;
        if constexpr (D == 3) x[2] = (c + 0.5) * 2.2 * r;
        put(x);
      }
  const double width = side * 2.2 * r;
  Vec<D, double> up{};
  up[D - 1] = 1;
  add_plane<D>(scene, {}, up);
  scene.world.domain.gravity[D - 1] = -9.81;
  if constexpr (D == 2) {
    add_plane<2>(scene, {0, 0}, {1, 0});
    add_plane<2>(scene, {width, 0}, {-1, 0});
    Move<2> push;
    push.velocity = {-0.2, 0};
    push.until = 0.01;
    scene.world.walls.back().motion.push_back(push);
  } else {
    scene.world.domain.periodic = {true, true, false};
    scene.world.domain.hi = {width, width, 1};
  }
  return scene;
}

template <int D>
std::uint64_t hash_of(const std::string& integrator, const Way& way, std::int64_t steps, bool rolling = true) {
  return test::hash_of([&] { return cloud<D>(integrator, rolling); }, way, steps, 1e-5, 31);
}

template <int D>
void expect_one_hash(const std::string& integrator, std::int64_t steps, bool rolling = true) {
  const auto hash_when = [&](const Way& way) { return hash_of<D>(integrator, way, steps, rolling); };
  const std::uint64_t hash = hash_when({});
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash_when({threads}), hash) << threads << " threads";
  for (const char* name : {"brute", "corner-hash", "hierarchy"}) EXPECT_EQ(hash_when({2, name}), hash) << name;
  for (const double skin : {1e-5, 1e-4, 2e-3}) EXPECT_EQ(hash_when({1, "cells", skin}), hash) << skin;
  for (const std::int64_t split : {1, 97}) EXPECT_EQ(hash_when({2, "cells", 0, split}), hash) << "split every " << split;
  for (const int threads : {1, 3}) EXPECT_EQ(hash_when({threads, "cells", 1e-4, 0, 1000}), hash) << "nobody looks";
}

/// The same grains of two materials that are alike: laws are then looked up for each contact, and the loop for the usual
/// step, which knows only one of each, is not taken.
template <int D>
void look_up_laws(Scene<D, double>& scene) {
  scene.world.materials.push_back(scene.world.materials[0]);
  scene.table.laws.push_back(scene.table.laws[0]);
  scene.table.materials = 2;
  scene.table.of_pair = {0, 1, 1, 0};
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i) scene.world.grains.material[i] = static_cast<std::uint16_t>(i % 2);
}

/// Runs both ways, on so many threads; hashes and ledgers must agree.
template <int D, class Make>
void expect_the_usual_step_changes_nothing(const Make& make, int threads, std::size_t contacts) {
  auto a = make(), b = make();
  look_up_laws(b);
  omp_set_num_threads(threads);
  Simulation<D, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
  one.start();
  two.start();
  std::size_t most = 0;
  for (int k = 1; k <= 240; ++k) {
    one.step(k % 80 == 0);
    two.step();
    most = std::max(most, two.engine().contacts());
  }
  omp_set_num_threads(omp_get_num_procs());
  EXPECT_GT(most, contacts);
  EXPECT_EQ(one.hash(), two.hash());
  for (std::uint32_t id = 0; id < a.world.grains.size(); ++id) EXPECT_EQ(a.world.state.e[place(a, id)], b.world.state.e[place(b, id)]) << id;
}

TEST(Determinism, OneHashInThePlaneHoweverItIsRun) { expect_one_hash<2>("damped-verlet", 400); }

TEST(Determinism, OneHashInPeriodicSpaceHoweverItIsRun) { expect_one_hash<3>("velocity-verlet", 400); }

TEST(Determinism, OneHashOfTheUsualStepHoweverItIsRun) {
  expect_one_hash<2>("damped-verlet", 300, false);
  expect_one_hash<3>("velocity-verlet", 300, false);
}

TEST(Determinism, TheUsualStepGivesTheBitsAndTheLedgerOfTheLongWay) {
  for (const int threads : {1, 3})
    for (const char* name : {"velocity-verlet", "damped-verlet"}) {
      expect_the_usual_step_changes_nothing<2>([&] { return cloud<2>(name, false); }, threads, 30);
      expect_the_usual_step_changes_nothing<3>([&] { return cloud<3>(name, false); }, threads, 30);
    }
}

TEST(Determinism, ABedOfWhichMostListedPairsTouchGivesTheSameBits) {
  // a lattice pressed together a little and shaken, so that contacts part, return and slide
  const auto make = [] {
    auto scene = cloud<3>("velocity-verlet", false);
    scene.run.skin = 2e-5;
    auto& state = scene.world.state;
    const double r = 2e-3, wide = 2.2 * r, narrow = 1.78 * r;
    for (std::size_t i = 0; i < state.size(); ++i) {
      Random random(5, 1, static_cast<std::uint32_t>(i));
      for (int k = 0; k < 3; ++k) {
        state.x[i][k] = (std::floor(state.x[i][k] / wide) + 0.5) * narrow + random.uniform(-1e-5, 1e-5);
        state.v[i][k] = random.uniform(-0.03, 0.03);
      }
      scene.world.grains.home[i] = state.x[i];
    }
    scene.world.domain.hi = {6 * narrow, 6 * narrow, 1};
    return scene;
  };
  {
    auto scene = make();
    Simulation<3, double> sim(scene, 1e-5, 0.0);
    sim.start();
    std::size_t most = 0, least = 1000000;
    for (int k = 0; k < 240; ++k) {
      sim.step();
      most = std::max(most, sim.engine().contacts());
      least = std::min(least, sim.engine().contacts());
    }
    EXPECT_LT(least + 20, most);  // contacts come and go
  }
  for (const int threads : {1, 3}) expect_the_usual_step_changes_nothing<3>(make, threads, 300);
}

TEST(Determinism, ARowLongerThanABatchGivesTheSameBits) {
  // a large grain of the lowest id, which has all its contacts in one row, and small ones that fall on it from everywhere
  const auto make = [] {
    ContactLaws laws;
    laws.normal = KuwabaraKono{1e6, 20};
    laws.tangential = CundallStrack{2e3, 0.4, 0.01};
    auto scene = empty_scene<3>(laws, "velocity-verlet");
    const double r = 1e-3, large = 12e-3;
    add_grain<3>(scene, {0, 0, 0}, {0, 0, 0}, large);
    constexpr int n = 2 * batch_size + 60;
    for (int k = 0; k < n; ++k) {  // on a spiral over the sphere
      const double z = 1 - (2 * k + 1.0) / n, angle = 2.399963229728653 * k, rho = std::sqrt(1 - z * z);
      const Vec<3, double> out{rho * std::cos(angle), rho * std::sin(angle), z};
      add_grain<3>(scene, out * (large + 0.9995 * r), out * -0.05 + Vec<3, double>{0.01, 0, 0}, r);
    }
    return scene;
  };
  for (const int threads : {1, 2}) expect_the_usual_step_changes_nothing<3>(make, threads, 2 * batch_size);
}

TEST(Determinism, ASparseBedWithAClumpGivesTheSameBits) {
  // A gas, most of whose rows are empty, so that batches are made up by owners; the rows of a clump in it have more pairs than a
  // batch has room for.
  constexpr double r = 1e-3, skin = 1e-4;
  const auto make = [] {
    ContactLaws laws;
    laws.normal = KuwabaraKono{1e6, 20};
    laws.tangential = CundallStrack{2e3, 0.4, 0.01};
    auto scene = empty_scene<3>(laws, "velocity-verlet");
    std::uint32_t id = 0;
    const auto lattice = [&](int side, double spacing, const Vec<3, double>& corner, double speed) {
      for (int a = 0; a < side; ++a)
        for (int b = 0; b < side; ++b)
          for (int c = 0; c < side; ++c) {
            Random random(11, 1, id++);
            Vec<3, double> v;
            for (int k = 0; k < 3; ++k) v[k] = random.uniform(-speed, speed);
            add_grain<3>(scene, corner + Vec<3, double>{a * spacing, b * spacing, c * spacing}, v, r);
          }
    };
    lattice(6, 1.998 * r, {-20e-3, 0, 0}, 0.01);
    lattice(10, 4 * r, {0, 0, 0}, 1.0);
    return scene;
  };
  const auto scene = make();
  const auto& x = scene.world.state.x;
  std::size_t listed = 0, in_clump = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (norm(x[i] - x[j]) < 2 * r + skin) ++(i < 216 ? in_clump : listed);
  ASSERT_LT(listed + in_clump, x.size());
  ASSERT_GT(in_clump, 2 * static_cast<std::size_t>(batch_size));
  const std::uint64_t hash = test::hash_of(make, {1, "brute", 1e-12}, 300);  // so thin a skin is listed anew in every step
  for (const double thick : {2e-5, skin})
    for (const int threads : {1, 3})
      for (const std::int64_t look : {1, 1000})
        EXPECT_EQ(test::hash_of(make, {threads, "cells", thick, 0, look}, 300), hash) << thick << ", " << threads << ", " << look;
}

/// Grains that fall and bounce, far apart: most touch nothing, and are not asked in that step. Some spin, one is held.
template <int D>
Scene<D, double> make_rain() {
  constexpr double r = 1e-3;
  ContactLaws laws;
  laws.normal = KuwabaraKono{1e6, 20};
  laws.tangential = CundallStrack{2e3, 0.4, 0.01};
  auto scene = empty_scene<D>(laws, "velocity-verlet");
  scene.world.domain.gravity[D - 1] = -9.81;
  std::uint32_t id = 0;
  const int side = D == 2 ? 24 : 9;
  for (int k = 0; k < side * side * (D == 2 ? 1 : side); ++k) {
    Random random(5, 1, id++);
    Vec<D, double> x, v;
    for (int a = 0, rest = k; a < D; ++a, rest /= side) {
      x[a] = 1.02 * r + rest % side * 3.0 * r;
      v[a] = random.uniform(-1.0, 1.0);
    }
    add_grain<D>(scene, x, v, r, 0, k == side * side / 2);
    for (int a = 0; a < spin_size<D>; ++a) scene.world.state.w.back()[a] = random.uniform(-100.0, 100.0);
  }
  Vec<D, double> up{}, right{};
  up[D - 1] = 1;
  right[0] = 1;
  add_plane<D>(scene, {}, up);
  add_plane<D>(scene, {}, right);
  return scene;
}

template <int D>
void rain() {
  const std::uint64_t hash = test::hash_of(make_rain<D>, {1, "brute", 1e-12}, 400);  // so thin a skin is listed anew in every step
  for (const double skin : {1e-5, 1e-4})
    for (const int threads : {1, 3})
      for (const std::int64_t look : {1, 1000})
        EXPECT_EQ(test::hash_of(make_rain<D>, {threads, "cells", skin, 0, look}, 400), hash) << skin << ", " << threads << ", " << look;
}

TEST(Determinism, GrainsThatTouchNothingNeedNotBeAskedInSpace) { rain<3>(); }
TEST(Determinism, GrainsThatTouchNothingNeedNotBeAskedInThePlane) { rain<2>(); }

TEST(Determinism, OneHashForEveryIntegrator) {
  for (const Method& method : methods()) {
    const std::string name(method.name);
    if (method.of_bonds) continue;  // without friction: tests/integrators/kk_theta_test.cpp
    const std::int64_t steps = method.force_calls > 2 ? 150 : 250;  // enough for contacts, springs and rebuilds
    const std::uint64_t hash = hash_of<2>(name, {}, steps);
    EXPECT_EQ(hash_of<2>(name, {3, "corner-hash"}, steps), hash) << name;
    EXPECT_EQ(hash_of<2>(name, {2, "brute", 1e-3, 97}, steps), hash) << name;
    EXPECT_EQ(hash_of<3>(name, {2, "cells", 1e-4, 60, 11}, 150), hash_of<3>(name, {}, 150)) << name;
  }
}

TEST(Determinism, AStepThatNobodyLooksAtRunsIntoTheNext) {
  auto a = cloud<3>("velocity-verlet"), b = cloud<3>("velocity-verlet");
  Simulation<3, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
  one.start();
  two.start();
  one.step();
  two.step(false);
  EXPECT_NE(a.world.state.v[0], b.world.state.v[0]);  // it is on its way, and where is in the records
  one.step();
  two.step();
  EXPECT_EQ(one.hash(), two.hash());
}

TEST(Determinism, RoundGrainsDoNotNoticeOrientations) {
  for (const char* name : {"velocity-verlet", "damped-verlet", "symplectic-euler"}) {
    auto a = cloud<3>(name), b = cloud<3>(name);
    b.world.state.turns = false;
    const auto q = b.world.state.q;
    Simulation<3, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
    one.start();
    two.start();
    for (int k = 0; k < 200; ++k) {
      one.step();
      two.step();
    }
    EXPECT_GT(two.engine().contacts(), 30U) << name;
    EXPECT_EQ(a.world.state.x, b.world.state.x) << name;
    EXPECT_EQ(a.world.state.v, b.world.state.v) << name;
    EXPECT_EQ(a.world.state.w, b.world.state.w) << name;
    EXPECT_EQ(b.world.state.q, q) << name;
    EXPECT_NE(a.world.state.q, q) << name;
  }
}

TEST(Determinism, TheHashSeesASingleBit) {
  auto a = cloud<2>("damped-verlet"), b = cloud<2>("damped-verlet");
  b.world.state.w[5][0] = 0x1p-1074;
  Simulation<2, double> one(a, 1e-5, 0.0), two(b, 1e-5, 0.0);
  one.start();
  two.start();
  EXPECT_NE(one.hash(), two.hash());
}

}  // namespace
}  // namespace scree
