// SPDX-License-Identifier: BSD-3-Clause
/// The ways in which a scene may be run, all of which must give one hash.
#pragma once

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "tests/support/scenes.hpp"

namespace scree::test {

/// Threads, and parallel loops even for few grains; restored at the end.
class WithThreads {
 public:
  explicit WithThreads(int n) : threads_(omp_get_max_threads()), small_(small_system) {
    omp_set_num_threads(n);
    small_system = 1;
  }
  ~WithThreads() {
    omp_set_num_threads(threads_);
    small_system = small_;
  }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int threads_;
  std::int64_t small_;
};

struct Way {
  int threads = 1;
  std::string neighbours = "cells";
  double skin = 0;
  std::int64_t split = 0;  // checkpoint and resume every so many steps
  std::int64_t look = 1;   // somebody looks at the state every so many steps, and at the end
  friend std::ostream& operator<<(std::ostream& out, const Way& w) {
    return out << w.threads << " threads, " << w.neighbours << ", skin " << w.skin << ", split every " << w.split << ", looked at every " << w.look;
  }
};

inline const std::vector<Way> some_ways{{3}, {1, "brute"}, {1, "corner-hash"}, {1, "hierarchy"}, {1, "cells", 2e-3},
                                        {1, "cells", 1e-5}, {1, "cells", 0, 97}, {1, "cells", 0, 0, 13}};
/// One that differs in everything.
inline const Way another_way{2, "hierarchy", 3e-4, 53, 7};

/// The hash after so many steps of a fresh scene; at some time it must have had `contacts` contacts.
template <class Make>
std::uint64_t hash_of(const Make& make, const Way& way, std::int64_t steps, double dt = 1e-5, std::size_t contacts = 5) {
  const WithThreads threads(way.threads);
  auto scene = make();
  auto other = make();
  scene.run.neighbours = other.run.neighbours = way.neighbours;
  scene.run.skin = other.run.skin = way.skin;
  const auto fresh = other;
  using Sim = std::remove_cvref_t<decltype(Simulation(scene, dt, {}))>;
  auto sim = std::make_unique<Sim>(scene, dt, 0.0);
  sim->start();
  bool in_other = false;
  std::size_t most = 0;
  for (std::int64_t k = 1; k <= steps; ++k) {
    sim->step(k == steps || k % way.look == 0 || k % 50 == 0 || (way.split > 0 && k % way.split == 0));
    if (k % 50 == 0) most = std::max(most, sim->engine().contacts());
    if (way.split > 0 && k % way.split == 0) {
      const Checkpoint c = sim->save();
      sim.reset();
      in_other = !in_other;
      (in_other ? other : scene) = fresh;
      sim = std::make_unique<Sim>(in_other ? other : scene, dt, 0.0);
      sim->load(c);
    }
  }
  EXPECT_FALSE(sim->engine().fault().has_value());
  EXPECT_GE(most, contacts);
  return sim->hash();
}

}  // namespace scree::test
