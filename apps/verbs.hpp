// SPDX-License-Identifier: BSD-3-Clause
/// The verbs of the command line, one small file each. A verb adds its options and a callback that
/// sets the exit code.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace scree {

struct Exit {
  int code = 0;
};

void add_run(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit);
void add_new(CLI::App& app, Exit& exit);
void add_list(CLI::App& app, Exit& exit);
void add_info(CLI::App& app, Exit& exit);
void add_compare(CLI::App& app, Exit& exit);
void add_export(CLI::App& app, Exit& exit);

}  // namespace scree
