// SPDX-License-Identifier: BSD-3-Clause
/// Instructions retired in user mode by all threads of the OpenMP team, where the kernel lets us count.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace scree {

class InstructionCounter {
 public:
  /// Begins to count.
  InstructionCounter();
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;
  /// Since the beginning; none where counting is forbidden or unknown (virtual machines, containers).
  std::optional<std::uint64_t> count() const;

 private:
  std::vector<int> files_;  // one per thread
};

}  // namespace scree
