// SPDX-License-Identifier: BSD-3-Clause
/// The figures and tables of the seeds, as a list of studies to run; and running them into a
/// folder, one after the other, with a page that shows each figure beside the seed's claim, our
/// number and a verdict.
///
///     DIR/index.html             the page; all links are relative, nothing comes from a network
///     DIR/NAME/                  the study's files, as `study --out` writes them
///     DIR/NAME/reproduction.json what it was run with, and what the page needs of it; written last
///
/// A study whose reproduction.json has the same key (settings and program, byte for byte) is not
/// run again, so a run that was killed goes on where it was.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "scree/studies/study.hpp"

namespace scree {

/// One line of the list.
struct Reproduction {
  using Options = std::vector<std::pair<std::string, std::string>>;
  std::string name;   // of its folder
  std::string seed;   // "003"; "beyond" for what no seed has
  std::string items;  // "figures 1.6, 1.7 and 1.8"
  std::string title;
  std::string study;
  Options options;                       // of the study; a flag has the value "1"
  std::vector<std::string> overrides{};  // as of --set
  Options quick{};                       // options that differ with --quick
  std::string note{};                    // shown on the page: what to look at, in a sentence or two
  std::string needs{};                   // an integrator without which the line is left out
};

/// All (reproduction_list.cpp), in the order of the page. Lines whose study or integrator this version does not have are
/// not in it.
std::vector<Reproduction> reproductions();

/// The seeds a line shows something of: its own, and those its items name, as in "figure 3.1; 000, figure 1".
std::vector<std::string> seeds_of(const Reproduction& one);

/// The command that does the same by hand.
std::string command_of(const Reproduction& one, bool quick);

struct ReproduceOptions {
  std::filesystem::path folder = "reproduction";
  bool quick = false;
  bool again = false;  // run what is already there, too
};

/// What became of one line.
struct Reproduced {
  std::string name;
  enum class State { done, kept, failed } state = State::done;
  double seconds = 0;
  std::string message;          // of a failure
  nlohmann::ordered_json json;  // as in reproduction.json
};

/// Told before, during and after each: its number among all, its name, the study's own progress.
using ReproduceProgress =
    std::function<void(std::size_t number, std::size_t of, const Reproduction&, double fraction,
                       const std::string& what)>;

/// Runs those lines. A study that fails is told and does not stop the others. The page is written
/// anew after each, and shows all that is in the folder. Throws RunError if the folder cannot be
/// written to.
std::vector<Reproduced> reproduce(const std::vector<Reproduction>& lines,
                                  const ReproduceOptions& options,
                                  const ReproduceProgress& progress);

}  // namespace scree
