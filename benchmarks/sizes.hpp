// SPDX-License-Identifier: BSD-3-Clause
/// The command line of the benchmarks that measure one case at several sizes.
#pragma once

#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>
#include <vector>

/// Reads --sizes, --threads and --steps (and what `more` adds), sets the threads and calls measure(size, steps) for each size, after
/// `begin`. Returns the exit code.
inline int for_sizes(int argc, char** argv, std::vector<std::size_t> sizes, int steps, const std::function<void()>& begin,
                     const std::function<void(std::size_t, int)>& measure, const std::function<void(CLI::App&)>& more = {}) {
  CLI::App app;
  int threads = 1;
  app.add_option("--sizes", sizes, "Numbers of grains")->delimiter(',')->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--threads", threads, "Number of threads")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--steps", steps, "Timed steps")->check(CLI::PositiveNumber)->capture_default_str();
  if (more) more(app);
  CLI11_PARSE(app, argc, argv);
  omp_set_num_threads(threads);
  begin();
  for (const std::size_t size : sizes) measure(size, steps);
  return 0;
}
