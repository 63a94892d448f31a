// SPDX-License-Identifier: BSD-3-Clause
/// The verbs of the command line, one small file each. A verb adds its options and a callback that
/// sets the exit code.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/io/run_file.hpp"

namespace scree {

struct Exit {
  int code = 0;
};

/// A run file that the user named: one that cannot be read is bad input, not a failed run.
inline RunReader open_run(const std::string& path) {
  try {
    return RunReader(path);
  } catch (const RunError& error) {
    throw InputError(error.what());
  }
}

void add_run(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit);
void add_new(CLI::App& app, Exit& exit);
void add_list(CLI::App& app, Exit& exit);
void add_study(CLI::App& app, Exit& exit);
void add_reproduce(CLI::App& app, Exit& exit);
void add_info(CLI::App& app, Exit& exit);
void add_compare(CLI::App& app, Exit& exit);
void add_export(CLI::App& app, Exit& exit);
void add_fields(CLI::App& app, Exit& exit);
void add_discover(CLI::App& app, Exit& exit);
void add_bench(CLI::App& app, Exit& exit);

}  // namespace scree
