// SPDX-License-Identifier: BSD-3-Clause
/// A step allocates nothing: counted by a global operator new, between two rebuilds of the list.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/support/scenes.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(SCREE_TSAN)
namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace scree {
namespace {

using namespace test;

TEST(Step, AllocatesNothingForAnyIntegrator) {
  for (const char* name : {"euler", "symplectic-euler", "leapfrog", "velocity-verlet", "staggered-verlet",
                           "damped-verlet", "taylor", "heun", "rk4"}) {
    ContactLaws laws;
    laws.normal = KuwabaraKono{1e6, 20};
    laws.tangential = CundallStrack{2e3, 0.4, 0.01};
    auto scene = empty_scene<2>(laws, name);
    scene.world.domain.gravity = {0, -9.81};
    for (int k = 0; k < 100; ++k)
      add_grain<2>(scene, {(k % 10) * 0.00401, 0.002 + (k / 10) * 0.00399}, {0, 0}, 0.002);
    add_plane<2>(scene, {0, 0}, {0, 1});
    scene.run.skin = 1e-3;
    Simulation<2, double> sim(scene, 1e-6, 0.0);
    sim.start();
    for (int k = 0; k < 3; ++k) sim.step();
    const std::int64_t rebuilds = sim.engine().rebuilds;
    const long before = allocations;
    for (int k = 0; k < 50; ++k) sim.step();
    const long after = allocations;
    ASSERT_EQ(sim.engine().rebuilds, rebuilds);
    EXPECT_GT(sim.engine().contacts(), 50U);
    EXPECT_EQ(after - before, 0) << name;
  }
}

}  // namespace
}  // namespace scree
#endif
