// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/instructions.hpp"

#include <omp.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace scree {

#if defined(__linux__)
namespace {

int open_counter() {
  perf_event_attr about{};
  about.type = PERF_TYPE_HARDWARE;
  about.size = sizeof about;
  about.config = PERF_COUNT_HW_INSTRUCTIONS;
  about.exclude_kernel = 1;
  about.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &about, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

InstructionCounter::InstructionCounter() : files_(static_cast<std::size_t>(omp_get_max_threads()), -1) {
  // a counter belongs to the thread that opens it
#pragma omp parallel
  files_[static_cast<std::size_t>(omp_get_thread_num())] = open_counter();
}

InstructionCounter::~InstructionCounter() {
  for (const int file : files_)
    if (file >= 0) close(file);
}

std::optional<std::uint64_t> InstructionCounter::count() const {
  std::uint64_t sum = 0;
  for (const int file : files_) {
    std::uint64_t one = 0;
    if (file < 0 || read(file, &one, sizeof one) != static_cast<ssize_t>(sizeof one)) return {};
    sum += one;
  }
  return sum;
}
#else
InstructionCounter::InstructionCounter() = default;
InstructionCounter::~InstructionCounter() = default;
std::optional<std::uint64_t> InstructionCounter::count() const { return {}; }
#endif

}  // namespace scree
