// SPDX-License-Identifier: BSD-3-Clause
/// Which grains belong to which thread (territories.cpp): the same in each loop of a step and from step to step, so that a thread finds
/// them in its own cache. Results do not depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

struct Territory {
  std::size_t first = 0, last = 0;     // grains, as they are stored, and rows
  std::vector<std::uint8_t> outside;   // of its blocks of grains: has some grain to be brought back into the periods?
  std::vector<std::uint32_t> abroad;   // grains of others that its rows are listed with
  std::vector<std::uint32_t> visited;  // its grains that are abroad to others
};

}  // namespace scree
