// SPDX-License-Identifier: BSD-3-Clause
/// `scree bench`: Scree and its peers on the standard beds, from the same states, turn by turn.
///
/// A case is a bed, a size and a law; in every case each code runs `repeats` times on each number of
/// cores, one after the other in turns, so that a machine that slows down slows down everybody. The
/// speed of a code is the median of its repeats.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/bench/measure.hpp"
#include "scree/bench/statistics.hpp"

namespace scree {

struct BenchOptions {
  std::vector<std::string> beds;   // empty: W1 … W4
  std::vector<std::size_t> sizes;  // of W1; empty: 8000, 32000, 100000
  std::vector<std::string> laws;   // empty: those of each bed
  std::vector<int> threads;        // empty: one and all cores
  int repeats = 0;                 // 0: 3, with peers 5
  std::int64_t steps = 0;          // timed ones; 0: the bed's own
  double skin = 0;                 // m; 0: the bed's own
  std::filesystem::path states;    // folder of start states
  std::filesystem::path export_to; // folder to write them to
  bool peers = false;
  bool searches = false;           // compare the neighbour searches instead
};

/// One code in one case on some cores.
struct BenchRow {
  std::string code;  // "scree", "lammps-granular", "liggghts", …
  std::string bed, law, search;
  std::size_t grains = 0;
  int threads = 1;
  double skin = 0;
  std::vector<double> speeds;  // grain-steps per second of each repeat
  std::vector<std::uint64_t> hashes;
  Timing timing;  // the repeat with the median speed
  std::optional<BedStatistics> statistics;
  std::string failed;  // why there are no speeds

  double speed() const;   // the median
  double lowest() const;
  double highest() const;
  double per_core() const { return speed() / threads; }
};

/// Scree against a peer in one case on some cores: the ratio of the medians, and the least and the largest
/// ratio of two repeats of the same turn.
struct Comparison {
  std::string peer, bed, law;
  std::size_t grains = 0;
  int threads = 1;
  double ratio = 0, low = 0, high = 0;
};

/// A statistic of the final state, for every code that left one; `agrees` is the verdict on Scree: no further from
/// LAMMPS or LIGGGHTS than these from each other, or than 1 %.
struct Agreement {
  std::string bed, law, quantity;
  std::size_t grains = 0;
  std::vector<std::pair<std::string, double>> values;  // by code
  bool agrees = true;
};

struct BenchResult {
  std::string machine;
  std::vector<std::string> states;  // what each bed was made of
  std::vector<BenchRow> rows;
  std::vector<Comparison> comparisons;
  std::vector<Agreement> agreements;
  std::vector<std::string> problems;  // hashes that differ, and the like: the exit code is then 1
  std::vector<std::string> notes;     // peers that are missing or failed
};

/// Told how far the whole is. Throws InputError and RunError.
BenchResult run_bench(const BenchOptions& options, const std::function<void(double, const std::string&)>& progress);

/// The tables for people.
std::string bench_text(const BenchResult& result, bool searches);
nlohmann::json bench_json(const BenchResult& result);

/// "AMD EPYC (family 25, model 17), 2 cores".
std::string machine_name();
/// Writes the rows as CSV, in place of those of the same code, bed, law, size, threads and search that the
/// file holds. A folder: the file is named after the machine. Returns the file.
std::filesystem::path write_bench_csv(const std::filesystem::path& to, const BenchResult& result);

}  // namespace scree
