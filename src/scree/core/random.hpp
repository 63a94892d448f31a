// SPDX-License-Identifier: BSD-3-Clause
/// Counter-based random numbers: the value is a function of (seed, stream, key, counter) and of
/// nothing else, so grain 17 draws the same numbers whatever was drawn before, on any thread.
///
/// Philox4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC'11. The test compares with the known-answer vectors of their Random123 library.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace scree {

inline std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                               std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = 0xD2511F53ULL * counter[0];
    const std::uint64_t p1 = 0xCD9E8D57ULL * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

/// A stream of random numbers that belongs to one grain (or any other key) and one purpose.
class Random {
 public:
  Random(std::uint64_t seed, std::uint32_t purpose, std::uint32_t key)
      : seed_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        purpose_(purpose), key_(key) {}

  std::uint64_t bits() {
    const auto r = philox4x32({static_cast<std::uint32_t>(count_),
                               static_cast<std::uint32_t>(count_ >> 32), purpose_, key_}, seed_);
    ++count_;
    return (static_cast<std::uint64_t>(r[0]) << 32) | r[1];
  }
  /// Uniform in [0, 1), all 53 bits used.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  /// Standard normal: the sum of twelve uniforms would do for jitter, but tails matter to users
  /// who draw speeds, so Box and Muller.
  double normal() {
    const double u = 1.0 - uniform();
    const double phi = 6.283185307179586476925286766559 * uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(phi);
  }

 private:
  std::array<std::uint32_t, 2> seed_;
  std::uint32_t purpose_, key_;
  std::uint64_t count_ = 0;
};

}  // namespace scree
