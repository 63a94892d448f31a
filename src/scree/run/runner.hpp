// SPDX-License-Identifier: BSD-3-Clause
/// Runs a scene into a folder: preparation (cached), snapshots, checkpoints, progress, faults,
/// interrupts, resuming, and the summary at the end.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/run/scene.hpp"

namespace scree {

struct RunOptions {
  std::filesystem::path out;  // empty: out/NAME-OF-THE-SCENE-FILE
  bool force = false;         // overwrite what is in `out`
  bool resume = false;        // go on from its last checkpoint
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  bool progress = true;
  bool pictures = true;
};

struct RunReport {
  int exit_code = 0;                          // 0 done, 1 failed, 130 interrupted
  std::string message;                        // of a failure or an interrupt
  std::vector<std::filesystem::path> files;   // run file first, then pictures
};

/// The folder a run goes to.
std::filesystem::path output_folder(const std::string& scene_file, const std::filesystem::path& wanted);

/// Throws InputError before anything is written; failures of the run come back in the report.
RunReport run_scene(AnyScene& scene, const RunOptions& options, nlohmann::json& summary);

}  // namespace scree
