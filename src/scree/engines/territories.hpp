// SPDX-License-Identifier: BSD-3-Clause
/// Which grains belong to which thread (territories.cpp): the same in each loop of a step and from step to step, so that a thread finds
/// them in its own cache. Results do not depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/core/fetch.hpp"

namespace scree {

struct alignas(128) Territory {       // no two share a line
  std::size_t first = 0, last = 0;    // grains, as they are stored, and rows
  double share = 0;                   // of all rows and pairs
  double busy = 0;                    // s, with this list
  std::vector<std::uint8_t> outside;  // of its blocks of grains: has some grain to be brought back into the periods?

  // While contacts lie in packs, of several threads; what lies at the border of the territory comes last
  struct Run {
    std::uint32_t from, until;
  };
  std::vector<Run> windows;           // in this order they are swept
  std::vector<std::uint32_t> blocks;  // in this order its blocks go on
  std::size_t inner = 0;              // so many of them need nothing of others, nor are looked at by them
  std::vector<CacheLines> for_sweep, for_going_on;  // what others have written, or read and we shall write

  std::size_t bytes() const {
    return outside.capacity() + windows.capacity() * sizeof(Run) + blocks.capacity() * sizeof(std::uint32_t) +
           (for_sweep.capacity() + for_going_on.capacity()) * sizeof(CacheLines);
  }
};

}  // namespace scree
