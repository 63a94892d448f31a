// SPDX-License-Identifier: BSD-3-Clause
/// scree reproduce [NAME…]: the studies of all figures of the seeds, and a page that shows them.
#include "scree/studies/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "verbs.hpp"
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include "scree/core/names.hpp"
#include "scree/run/progress.hpp"

namespace scree {
namespace {

struct Options {
  std::vector<std::string> names;
  std::string out = "reproduction";
  bool quick = false, force = false, list = false, json = false, quiet = false;
  int threads = 0;
};

/// What a line may be called: its name, its study ("order"), its seeds ("004").
std::vector<std::string> words_of(const Reproduction& one) {
  std::vector<std::string> words = seeds_of(one);
  words.insert(words.begin(), {one.name, one.study});
  return words;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Reproduction> chosen(const Options& o) {
  const auto all = reproductions();
  if (o.names.empty()) return all;
  std::vector<Reproduction> lines;
  std::vector<std::string> valid;
  for (const Reproduction& one : all)
    for (const std::string& word : words_of(one))
      if (!has(valid, word)) valid.push_back(word);
  for (const std::string& name : o.names)
    if (!has(valid, name))
      throw InputError(fmt::format("reproduce: nothing is called {}; expected some of {}{}",
                                   in_quotes(name), join(valid), did_you_mean(name, valid)));
  for (const Reproduction& one : all) {
    const auto words = words_of(one);
    if (std::any_of(o.names.begin(), o.names.end(), [&](const std::string& name) { return has(words, name); }))
      lines.push_back(one);
  }
  return lines;
}

void list(const std::vector<Reproduction>& lines, const Options& o) {
  for (const Reproduction& one : lines)
    fmt::print("{:<22} {:<7} {:<40} {}\n", one.name, one.seed, one.items, command_of(one, o.quick));
}

void run(const Options& o, Exit& exit) {
  const auto lines = chosen(o);
  if (o.list) return list(lines, o);
  if (o.threads > 0) omp_set_num_threads(o.threads);
  const bool terminal = isatty(STDERR_FILENO) == 1;
  auto last = std::chrono::steady_clock::now();
  const auto tell = [&](std::size_t number, std::size_t of, const Reproduction& one,
                        double fraction, const std::string& what) {
    if (o.quiet) return;
    const auto now = std::chrono::steady_clock::now();
    const bool edge = fraction == 0 || fraction == 1;  // reproduce() itself; studies are in between
    if (!edge && std::chrono::duration<double>(now - last).count() < (terminal ? 0.3 : 15.0))
      return;
    last = now;
    const std::string line =
        fmt::format("[{}/{}] {}  {:3.0f} %  {}", number + 1, of, one.name, 100 * fraction, what);
    if (terminal)
      fmt::print(stderr, "\r{:<78.78}", line);
    else if (fraction < 1 || !what.empty())
      fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
  };
  const auto done = reproduce(lines, {o.out, o.quick, o.force}, tell);
  if (terminal && !o.quiet) fmt::print(stderr, "\r{:78}\r", "");

  int holds = 0, differs = 0, beyond = 0;
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Reproduced& one : done) {
    int own[3] = {0, 0, 0};
    if (one.json.contains("findings"))
      for (const auto& f : one.json["findings"])
        ++own[f["verdict"] == "holds" ? 0 : f["verdict"] == "differs" ? 1 : 2];
    holds += own[0], differs += own[1], beyond += own[2];
    const char* state = one.state == Reproduced::State::done   ? "done"
                        : one.state == Reproduced::State::kept ? "kept"
                                                               : "failed";
    if (one.state == Reproduced::State::failed) exit.code = 1;
    if (o.json) {
      nlohmann::ordered_json entry{{"name", one.name}, {"state", state}, {"seconds", one.seconds}};
      if (!one.message.empty()) entry["message"] = one.message;
      if (one.json.contains("findings") && one.state != Reproduced::State::failed)
        entry["findings"] = one.json["findings"];
      entries.push_back(entry);
    } else {
      fmt::print("{:<22} {:<7} {:>12}   {} hold, {} differ, {} beyond{}\n", one.name, state,
                 duration_text(one.seconds), own[0], own[1], own[2],
                 one.message.empty() ? "" : ": " + one.message);
    }
  }
  const std::string page = (std::filesystem::path(o.out) / "index.html").string();
  if (o.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"page", page},
                                              {"quick", o.quick},
                                              {"holds", holds},
                                              {"differs", differs},
                                              {"beyond", beyond},
                                              {"entries", entries}}
                           .dump(2));
  else
    fmt::print("{} claims hold, {} differ, {} beyond the seeds\n  results  {}\n", holds, differs,
               beyond, page);
}

}  // namespace

void add_reproduce(CLI::App& app, Exit& exit) {
  auto* verb = app.add_subcommand("reproduce",
                                  "All figures of the seeds, on one page with claims and verdicts");
  auto o = std::make_shared<Options>();
  verb->add_option("names", o->names,
                   "Only these: names of the list, of studies, or of seeds (default: all)");
  verb->add_option("--out", o->out, "Folder for the page and its studies")->capture_default_str();
  verb->add_option("--threads", o->threads, "Number of threads (default: all cores)")
      ->check(CLI::Range(1, 4096));
  verb->add_flag("--quick", o->quick, "Fewer points and shorter runs");
  verb->add_flag("--force", o->force, "Run again what is already there");
  verb->add_flag("--list", o->list, "Say what would be run, and do nothing");
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->add_flag("--quiet", o->quiet, "No progress");
  verb->footer(
      "A run that was stopped goes on where it was when called again.\nExample:  scree reproduce "
      "--quick");
  verb->callback([o, &exit] { run(*o, exit); });
}

}  // namespace scree
