// SPDX-License-Identifier: BSD-3-Clause
/// Other codes on the standard beds, as Debian packages them: their inputs lie in benchmarks/peers (installed:
/// share/scree/peers), their programs on the PATH.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/bench/measure.hpp"

namespace scree {

/// One race: where the exported states lie, and what is to be run.
struct PeerTask {
  const BedInfo& bed;
  std::size_t size;
  std::string law;
  BedSteps steps;
  int threads;
  std::filesystem::path folder;  // of export_state(); states are written there as well
  std::optional<BedLooks> looks;
};

class Peer {
 public:
  virtual ~Peer() = default;
  /// "lammps-granular" and so on: the code, and what it calls the law.
  virtual std::string name(const std::string& law) const = 0;
  virtual std::string program() const = 0;
  virtual std::string package() const = 0;
  /// Whether it has the bed and the law.
  virtual bool knows(const BedInfo& bed, std::size_t size, const std::string& law) const = 0;
  /// Throws RunError with the last line of what it said.
  virtual Timing run(const PeerTask& task) const = 0;
};

/// LAMMPS, LIGGGHTS, YADE.
const std::vector<const Peer*>& peers();

/// Whether there is such a program on the PATH.
bool installed(const std::string& program);

/// What a program said, how it ended, and the most memory it (or any program it waited for) had.
struct ProcessResult {
  int exit_code = 0;
  std::string output;  // standard output and error
  double peak_bytes = 0;
};
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const std::vector<std::string>& environment = {});

}  // namespace scree
