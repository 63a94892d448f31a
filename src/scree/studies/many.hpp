// SPDX-License-Identifier: BSD-3-Clause
/// Many small runs at once. Systems below some thousand grains are serial, so a study with many of
/// them spreads the runs, not their loops, over the threads. Which thread does what does not
/// matter: each task writes its own place in the answer.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "scree/studies/study.hpp"

namespace scree {

/// One task: what it is, how long it takes in comparison with the others, and the work.
struct Task {
  std::string what;
  double cost = 1;
  std::function<void()> work;
};

/// Does all tasks, the longest first, on as many threads as OpenMP would use; within a task loops
/// are serial. An exception of a task ends the others that have not begun, and comes out here (the
/// one of the first such task in the list, so that it does not depend on the threads).
void do_all(const std::vector<Task>& tasks, const StudyProgress& progress);

}  // namespace scree
