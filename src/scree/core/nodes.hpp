// SPDX-License-Identifier: BSD-3-Clause
/// Machines with several memory nodes: threads stay on a node, and memory is touched first by the thread that will
/// use it, so that it lies there. Loops over grains are dealt out in the same way each time (parallel.hpp), so a
/// thread meets its own grains again. Neither can change a result.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace scree {

/// The processors of a list as Linux writes them: "0-3,8,10-11". Throws std::invalid_argument on anything else.
std::vector<int> processors_of(std::string_view list);

/// The processors of each memory node that are among `allowed`; nodes without any are left out.
std::vector<std::vector<int>> memory_nodes(const std::vector<int>& allowed,
                                           const std::filesystem::path& system = "/sys/devices/system/node");

/// The node of one of several threads: neighbouring threads share a node, and a node gets threads in proportion to
/// its processors.
std::size_t node_of_thread(std::size_t thread, std::size_t threads, const std::vector<std::vector<int>>& nodes);

/// For its lifetime, binds each OpenMP thread of the calling thread's team to the processors of its node, and leaves
/// it to the system which of them. Does nothing on one thread, on one node, or where OMP_PROC_BIND, OMP_PLACES or
/// GOMP_CPU_AFFINITY says what is wanted.
class BoundThreads {
 public:
  BoundThreads();
  ~BoundThreads();
  BoundThreads(const BoundThreads&) = delete;
  BoundThreads& operator=(const BoundThreads&) = delete;

 private:
  std::vector<int> before_;  // the processors that threads might use; empty if nothing was bound
};

/// Writes to every page of fresh memory from the thread that gets this part of a loop over all of it.
void touch_first(void* memory, std::size_t bytes);

}  // namespace scree
