// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/nodes.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <numeric>
#include <stdexcept>

namespace scree {
namespace {

TEST(Nodes, ReadsListsAsLinuxWritesThem) {
  EXPECT_EQ(processors_of("0-3,8,10-11"), (std::vector<int>{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(processors_of("7"), (std::vector<int>{7}));
  EXPECT_TRUE(processors_of("").empty());  // a node with memory alone
  for (const char* wrong : {"3-1", "a", "1,", "1-", ",1", "1 2", "-1"}) EXPECT_THROW(processors_of(wrong), std::invalid_argument) << wrong;
}

TEST(Nodes, AreThoseWithProcessorsThatTheProgramMayUse) {
  const auto system = std::filesystem::path(testing::TempDir()) / ("scree-nodes-" + std::to_string(getpid()));
  std::filesystem::remove_all(system);
  const auto add = [&](const char* name, const char* list) {
    std::filesystem::create_directories(system / name);
    std::ofstream(system / name / "cpulist") << list << "\n";
  };
  add("node0", "0-1,4-5");
  add("node1", "2-3,6-7");
  add("node2", "");
  add("node10", "8-9");
  add("power", "0-9");
  std::ofstream(system / "online") << "0-10\n";
  std::vector<int> allowed(10);
  std::iota(allowed.begin(), allowed.end(), 0);
  EXPECT_EQ(memory_nodes(allowed, system), (std::vector<std::vector<int>>{{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9}}));
  EXPECT_EQ(memory_nodes({1, 2}, system), (std::vector<std::vector<int>>{{1}, {2}}));
  EXPECT_TRUE(memory_nodes(allowed, system / "nothing").empty());
}

TEST(Nodes, GetThreadsInProportionToTheirProcessors) {
  const std::vector<std::vector<int>> nodes{{0, 1, 2, 3}, {4, 5, 6, 7, 8, 9, 10, 11}};
  for (const std::size_t threads : {2U, 3U, 6U, 12U, 24U}) {
    std::vector<std::size_t> got(2);
    std::size_t before = 0;
    for (std::size_t k = 0; k < threads; ++k) {
      const std::size_t node = node_of_thread(k, threads, nodes);
      ASSERT_LT(node, nodes.size());
      EXPECT_GE(node, before);  // neighbours together
      before = node;
      ++got[node];
    }
    EXPECT_NEAR(static_cast<double>(got[0]), static_cast<double>(threads) / 3, 0.5) << threads;
  }
}

TEST(Nodes, LeaveTheThreadsAsTheyWere) {
  const auto allowed = [] {
    cpu_set_t mask;
    return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : -1;
  };
  const int before = allowed();
  { const BoundThreads bound; }
  EXPECT_EQ(allowed(), before);
}

}  // namespace
}  // namespace scree
