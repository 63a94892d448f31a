// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/many.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include <omp.h>

namespace scree {

void do_all(const std::vector<Task>& tasks, const StudyProgress& progress) {
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tasks[a].cost > tasks[b].cost; });
  double whole = 0, done = 0;
  for (const Task& one : tasks) whole += one.cost;

  std::vector<std::exception_ptr> trouble(tasks.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex telling;
  const auto worker = [&] {
    omp_set_num_threads(1);  // of this thread only
    while (!stop) {
      const std::size_t k = next++;
      if (k >= order.size()) return;
      const Task& one = tasks[order[k]];
      try {
        {
          const std::lock_guard lock(telling);
          progress(whole > 0 ? done / whole : 0, one.what);
        }
        one.work();
      } catch (...) {
        trouble[order[k]] = std::current_exception();
        stop = true;
      }
      const std::lock_guard lock(telling);
      done += one.cost;
    }
  };
  {
    const auto threads = std::min(static_cast<std::size_t>(omp_get_max_threads()),
                                  std::max<std::size_t>(tasks.size(), 1));
    std::vector<std::jthread> crew;
    for (std::size_t k = 0; k < threads; ++k) crew.emplace_back(worker);
  }
  for (const auto& one : trouble)
    if (one) std::rethrow_exception(one);
}

}  // namespace scree
