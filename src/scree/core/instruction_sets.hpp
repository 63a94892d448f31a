// SPDX-License-Identifier: BSD-3-Clause
/// Which instruction sets kernels are compiled for, and which of them to use: the widest that the machine
/// has, or what SCREE_SIMD=plain|v3|v4 asks for, which is there to show that the bits stay the same.
#pragma once

#include <cstdlib>
#include <string_view>

// Wide kernels read whole vectors where a row is shorter, and throw the rest away, which another thread may be
// writing: a race in form only, but ThreadSanitizer cannot know.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(SCREE_TSAN)
#define SCREE_WIDE_KERNELS 1
#else
#define SCREE_WIDE_KERNELS 0
#endif

namespace scree {

enum class InstructionSet { plain, v3, v4 };  // x86-64, with AVX2 and FMA, with AVX-512

inline InstructionSet instruction_set() {
#if SCREE_WIDE_KERNELS
  static const InstructionSet chosen = [] {
    const char* value = std::getenv("SCREE_SIMD");
    const std::string_view wanted = value ? value : "v4";
    if (wanted == "v4" && __builtin_cpu_supports("x86-64-v4")) return InstructionSet::v4;
    if (wanted != "plain" && __builtin_cpu_supports("x86-64-v3")) return InstructionSet::v3;
    return InstructionSet::plain;
  }();
  return chosen;
#else
  return InstructionSet::plain;
#endif
}

}  // namespace scree
