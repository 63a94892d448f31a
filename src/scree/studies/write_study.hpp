// SPDX-License-Identifier: BSD-3-Clause
/// The files of a study: NAME.json (its result), scene.toml (what it started from), findings.json
/// (claims and what came of them), TABLE.csv with 17 digits, and per figure FIGURE.png, .svg, .gp
/// and .dat. Each file is old or new, never half.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/studies/study.hpp"

namespace scree {

struct WrittenStudy {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> warnings;
};

/// InputError if the folder holds something else than results of this study (a run, another study),
/// or is no folder. To be asked before the work.
void check_study_folder(const std::filesystem::path& folder, std::string_view name);

/// Throws RunError if a file cannot be written. That gnuplot is missing is only a warning.
WrittenStudy write_study(const StudyResult& result, const std::filesystem::path& folder,
                         std::string_view name, const std::string& scene = "");

/// A table as CSV text.
std::string csv_text(const StudyTable& table);

/// Findings as JSON: [{"where", "claim", "ours", "verdict", "why"}].
nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

}  // namespace scree
