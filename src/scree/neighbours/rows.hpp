// SPDX-License-Identifier: BSD-3-Clause
/// What every search needs: the test of a pair, and rows found by several threads put together in
/// storage order.
///
/// A partner is written as a key, id << 32 | storage index. Sorting keys sorts by id, comparing
/// the keys of two grains compares their ids, and a row is the lower halves of its sorted keys.
/// A row depends on the grains alone, hence so does the list, whatever the threads do.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <omp.h>

#include "scree/neighbours/search.hpp"

namespace scree {

/// A pair is listed if |d|² < (r_i + r_j + skin)², d being the shortest image of x_j - x_i. Both
/// sides are the same bits for (i, j) and for (j, i), so every method lists the same pairs. At skin
/// 0 no overlap is lost to the square: in IEEE arithmetic sqrt(s²) = s and the root is monotone, so
/// |d|² >= s² gives |d| >= s.
template <int D, class T> struct Near {
  Periods<D, T> periods;
  T skin;

  Near(const Domain<D>& domain, double skin_) : periods(domain), skin(skin_) {}

  template <bool Wraps>
  bool test(const Vec<D, T>& xi, const T& ri, const Vec<D, T>& xj, const T& rj) const {
    Vec<D, T> d = xj - xi;
    if constexpr (Wraps) d = periods.shortest(d);
    const T sum = ri + rj + skin;
    return norm2(d) < sum * sum;
  }
  /// The same where it is known by how many periods (-1, 0, 1) the partner is shifted.
  template <bool Wraps> bool test(const Vec<D, T>& xi, const T& ri, const Vec<D, T>& xj,
                                  const T& rj, const Vec<D, T>& shift) const {
    Vec<D, T> d = xj - xi;
    if constexpr (Wraps) d += shift;
    const T sum = ri + rj + skin;
    return norm2(d) < sum * sum;
  }
};

inline std::uint64_t pair_key(std::uint32_t id, std::size_t index) {
  return static_cast<std::uint64_t>(id) << 32 | static_cast<std::uint32_t>(index);
}

/// Keys of one row. Memory only grows; slots are written ahead and counted afterwards, because a
/// store that may be dropped is cheaper than a branch that cannot be predicted.
class RowKeys {
 public:
  /// Room for `more` keys after the first `count`.
  std::uint64_t* room(std::size_t count, std::size_t more) {
    if (keys_.size() < count + more) keys_.resize(2 * (count + more));
    return keys_.data();
  }
  void sort(std::size_t count) {
    constexpr std::size_t few = 16;
    std::uint64_t* k = keys_.data();
    if (count > few) {
      std::sort(k, k + count);
      return;
    }
    // A few keys in random order: counting the smaller ones takes no branch that could be missed.
    std::array<std::uint64_t, few> sorted;
    for (std::size_t a = 0; a < count; ++a) {
      std::size_t rank = 0;
      for (std::size_t b = 0; b < a; ++b) rank += k[b] <= k[a];
      for (std::size_t b = a + 1; b < count; ++b) rank += k[b] < k[a];
      sorted[rank] = k[a];
    }
    std::copy_n(sorted.begin(), count, k);
  }
  /// Drops repeated keys of a sorted row.
  std::size_t unique(std::size_t count) {
    return static_cast<std::size_t>(std::unique(keys_.data(), keys_.data() + count) - keys_.data());
  }
  /// Two held grains never feel each other: keeps the partners that are free.
  std::size_t drop_held(std::size_t count, const Column<std::uint8_t>& held) {
    const auto end = std::remove_if(keys_.data(), keys_.data() + count, [&](std::uint64_t key) {
      return held[static_cast<std::uint32_t>(key)] != 0;
    });
    return static_cast<std::size_t>(end - keys_.data());
  }
  std::uint32_t index(std::size_t a) const { return static_cast<std::uint32_t>(keys_[a]); }
  std::size_t bytes() const { return keys_.capacity() * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> keys_;
};

/// Threads worth waking for n grains.
inline int threads_for(std::size_t n) { return n < 2048 ? 1 : omp_get_max_threads(); }

/// Counters that several threads may share.
class Counters {
 public:
  explicit Counters(int threads) : alone_(threads == 1) {}
  /// Adds and gives the new value.
  std::uint32_t add(std::uint32_t& a, std::uint32_t b) const {
    if (alone_) return a += b;
    return std::atomic_ref(a).fetch_add(b, std::memory_order_relaxed) + b;
  }

 private:
  bool alone_;
};

/// a[k] becomes a[0] + … + a[k]; gives the total. Blocks in parallel.
inline std::size_t accumulate(std::vector<std::uint32_t>& a, std::vector<std::size_t>& sums,
                              int threads) {
  constexpr std::size_t block = 1 << 14;
  const std::size_t n = a.size(), blocks = (n + block - 1) / block;
  sums.assign(blocks + 1, 0);
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (std::size_t b = 0; b < blocks; ++b) {
      std::size_t sum = 0;
      for (std::size_t c = b * block; c < std::min(n, (b + 1) * block); ++c) sum += a[c];
      sums[b + 1] = sum;
    }
#pragma omp single
    for (std::size_t b = 0; b < blocks; ++b) sums[b + 1] += sums[b];
#pragma omp for schedule(static)
    for (std::size_t b = 0; b < blocks; ++b) {
      auto sum = static_cast<std::uint32_t>(sums[b]);
      for (std::size_t c = b * block; c < std::min(n, (b + 1) * block); ++c) a[c] = sum += a[c];
    }
  }
  return sums.back();
}

inline void check_number_of_pairs(std::size_t pairs) {
  if (pairs > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("more than 2^32 neighbouring pairs");
}

/// Rows from searches that find the whole row of a grain at once. Threads take blocks of rows as
/// they come free, write them to memory of their own, and the blocks are then copied to where they
/// belong.
class RowBuilder {
 public:
  /// row(i, keys) finds the partners of grain i and gives their number; keys are sorted.
  template <class Row> void build(std::size_t grains, PairRows& rows, const Row& row) {
    const int threads = threads_for(grains);
    if (parts_.size() < static_cast<std::size_t>(threads))
      parts_.resize(static_cast<std::size_t>(threads));
    const std::size_t blocks = (grains + block - 1) / block;
    blocks_.resize(blocks);
    rows.begin.resize(grains + 1);

#pragma omp parallel num_threads(threads)
    {
      const int thread = omp_get_thread_num();
      Part& part = parts_[static_cast<std::size_t>(thread)];
      std::size_t used = 0;
#pragma omp for schedule(dynamic)
      for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t first = used, end = std::min(grains, (b + 1) * block);
        for (std::size_t i = b * block; i < end; ++i) {
          const std::size_t count = row(i, part.keys);
          if (part.partner.size() < used + count) part.partner.resize(2 * (used + count));
          for (std::size_t a = 0; a < count; ++a) part.partner[used + a] = part.keys.index(a);
          rows.begin[i] = static_cast<std::uint32_t>(used - first);
          used += count;
        }
        blocks_[b] = {static_cast<std::uint32_t>(thread), first, used - first, 0};
      }
    }

    std::size_t pairs = 0;
    for (Block& one : blocks_) {
      one.begin = pairs;
      pairs += one.count;
    }
    check_number_of_pairs(pairs);
    rows.partner.resize(pairs);
    rows.begin[grains] = static_cast<std::uint32_t>(pairs);

#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t b = 0; b < blocks; ++b) {
      const Block& one = blocks_[b];
      const std::uint32_t* from = parts_[one.thread].partner.data() + one.first;
      std::copy(from, from + one.count, rows.partner.data() + one.begin);
      for (std::size_t i = b * block; i < std::min(grains, (b + 1) * block); ++i)
        rows.begin[i] += static_cast<std::uint32_t>(one.begin);
    }
  }

  std::size_t bytes() const {
    std::size_t sum = blocks_.capacity() * sizeof(Block);
    for (const Part& part : parts_)
      sum += part.keys.bytes() + part.partner.capacity() * sizeof(std::uint32_t);
    return sum;
  }

 private:
  static constexpr std::size_t block = 256;
  struct alignas(64) Part {
    RowKeys keys;
    std::vector<std::uint32_t> partner;
  };
  struct Block {
    std::uint32_t thread;
    std::size_t first, count;  // in the thread's memory
    std::size_t begin;         // in the list
  };
  std::vector<Part> parts_;
  std::vector<Block> blocks_;
};

/// A pair of storage indices; the first has the lower id.
struct FoundPair {
  std::uint32_t lower, higher;
  auto operator<=>(const FoundPair&) const = default;
};

/// Rows from searches that meet each pair once, from either side: pairs are kept as found, counted
/// by row, dealt out to the rows, and each row is sorted.
///
/// Rows are divided into as many shares as there are threads, and only one thread at a time touches
/// the rows of a share, so that nothing has to be atomic. A pair mostly belongs to the share of the
/// grain that found it, for neighbours in space are neighbours in storage; those that do not are
/// handed over.
class PairSorter {
 public:
  /// find(begin, end, pairs, found) writes the pairs that these grains find behind the first
  /// `found` and gives the new number; it makes the room it needs.
  template <class Find>
  void build(const Column<std::uint32_t>& id, PairRows& rows, const Find& find) {
    const std::size_t grains = id.size(), blocks = (grains + block - 1) / block;
    const int threads = threads_for(grains);
    const auto shares = static_cast<std::size_t>(threads);
    const std::size_t share_blocks = std::max<std::size_t>((blocks + shares - 1) / shares, 1);
    parts_.resize(std::max(parts_.size(), shares));
    blocks_.resize(blocks);
    rows.begin.resize(grains + 1);
    std::uint32_t* const begin = rows.begin.data();
    begin[grains] = 0;

#pragma omp parallel num_threads(threads)
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      auto& chunks = parts_[thread].chunks;
      std::size_t chunk = 0, found = 0;
#pragma omp for schedule(dynamic)
      for (std::size_t b = 0; b < blocks; ++b) {
        if (found > chunk_size) {
          ++chunk;
          found = 0;
        }
        if (chunk == chunks.size()) chunks.emplace_back(2 * chunk_size);
        const std::size_t before = found;
        found = find(b * block, std::min(grains, (b + 1) * block), chunks[chunk], found);
        blocks_[b] = {thread, chunk, before, found};
      }
#pragma omp for schedule(static, 1)
      for (std::size_t share = 0; share < shares; ++share) {
        auto& strangers = parts_[share].strangers;
        strangers.resize(std::max(strangers.size(), shares));
        for (auto& pairs : strangers) pairs.clear();
        const Range own = rows_of(share, share_blocks, grains);
        std::fill(begin + own.first, begin + own.last, 0);
        for_each_pair(share * share_blocks, std::min(blocks, (share + 1) * share_blocks),
                      [&](const FoundPair& pair) {
                        if (own.has(pair.lower))
                          ++begin[pair.lower];
                        else
                          strangers[pair.lower / block / share_blocks].push_back(pair);
                      });
      }
#pragma omp for schedule(static, 1)
      for (std::size_t share = 0; share < shares; ++share)
        for (std::size_t from = 0; from < shares; ++from)
          for (const FoundPair& pair : parts_[from].strangers[share]) ++begin[pair.lower];
    }
    const std::size_t pairs = accumulate(rows.begin, sums_, threads);
    check_number_of_pairs(pairs);
    rows.partner.resize(pairs);

#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
      for (std::size_t share = 0; share < shares; ++share) {
        const Range own = rows_of(share, share_blocks, grains);
        const auto deal = [&](const FoundPair& pair) {
          rows.partner[--begin[pair.lower]] = pair.higher;
        };
        for_each_pair(share * share_blocks, std::min(blocks, (share + 1) * share_blocks),
                      [&](const FoundPair& pair) {
                        if (own.has(pair.lower)) deal(pair);
                      });
        for (std::size_t from = 0; from < shares; ++from)
          for (const FoundPair& pair : parts_[from].strangers[share]) deal(pair);
      }
      RowKeys& keys = parts_[static_cast<std::size_t>(omp_get_thread_num())].keys;
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < grains; ++i) {
        std::uint32_t* partner = rows.partner.data() + begin[i];
        const std::size_t count = begin[i + 1] - begin[i];
        std::uint64_t* key = keys.room(0, count);
        for (std::size_t a = 0; a < count; ++a) key[a] = pair_key(id[partner[a]], partner[a]);
        keys.sort(count);
        for (std::size_t a = 0; a < count; ++a) partner[a] = keys.index(a);
      }
    }
  }

  std::size_t bytes() const {
    std::size_t sum = sums_.capacity() * sizeof(std::size_t) + blocks_.capacity() * sizeof(Block);
    for (const Part& part : parts_) {
      sum += part.keys.bytes();
      for (const auto& chunk : part.chunks) sum += chunk.capacity() * sizeof(FoundPair);
      for (const auto& pairs : part.strangers) sum += pairs.capacity() * sizeof(FoundPair);
    }
    return sum;
  }

 private:
  static constexpr std::size_t block = 256;
  static constexpr std::size_t chunk_size = 1 << 15;  // pairs; one long array would be copied as it grows
  struct alignas(64) Part {
    std::vector<Room<FoundPair>> chunks;            // found by a thread
    std::vector<std::vector<FoundPair>> strangers;  // found in a share, by the share of their row
    RowKeys keys;
  };
  struct Block {
    std::size_t thread, chunk, first, last;  // who found its pairs, and where they are
  };
  struct Range {
    std::size_t first, last;
    bool has(std::size_t i) const { return i - first < last - first; }
  };
  static Range rows_of(std::size_t share, std::size_t share_blocks, std::size_t grains) {
    const std::size_t rows = share_blocks * block;
    return {std::min(grains, share * rows), std::min(grains, (share + 1) * rows)};
  }
  template <class F> void for_each_pair(std::size_t first_block, std::size_t last_block, F&& f) {
    for (std::size_t b = first_block; b < last_block; ++b) {
      const FoundPair* const pairs = parts_[blocks_[b].thread].chunks[blocks_[b].chunk].data();
      for (std::size_t a = blocks_[b].first; a < blocks_[b].last; ++a) f(pairs[a]);
    }
  }

  std::vector<Part> parts_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> sums_;
};

}  // namespace scree
