// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/bench.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scree/run/progress.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

struct Options {
  BenchOptions bench;
  std::string states, export_to, out;
  bool json = false, quiet = false;
};

void run(Options& o, Exit& exit) {
  o.bench.states = o.states;
  o.bench.export_to = o.export_to;
  if (o.bench.peers && o.bench.searches) throw InputError("--peers and --searches are two tables: expected one of them");
  BenchResult result;
  {
    StudyLine line("bench", !o.quiet);
    result = run_bench(o.bench, [&](double fraction, const std::string& what) { line.at(fraction, what); });
  }
  if (o.json) fmt::print("{}\n", bench_json(result).dump(2));
  else fmt::print("{}", bench_text(result, o.bench.searches));
  if (!o.out.empty()) fmt::print(stderr, "results in {}\n", write_bench_csv(o.out, result).string());
  for (const std::string& problem : result.problems) fmt::print(stderr, "scree: {}\n", problem);
  exit.code = result.problems.empty() ? 0 : 1;
}

}  // namespace

void add_bench(CLI::App& app, Exit& exit) {
  auto* verb = app.add_subcommand("bench", "Speed of this machine on the standard beds, alone or against other codes");
  auto o = std::make_shared<Options>();
  BenchOptions& b = o->bench;
  verb->add_option("--beds", b.beds, "W1 (settled bed), W2 (chute), W3 (collapse), W4 (gas), P1 (sizes 1 to 10); default: W1 to W4")->delimiter(',');
  verb->add_option("--sizes", b.sizes, "Grains of W1 (default: 8000,32000,100000; also 1000000)")->delimiter(',')->check(CLI::PositiveNumber);
  verb->add_option("--laws", b.laws, "hmt (Hertz-Mindlin-Tsuji), kk (Kuwabara-Kono), lin (linear); default: those of each bed")->delimiter(',');
  verb->add_option("--threads", b.threads, "Numbers of threads (default: 1 and all cores)")->delimiter(',')->check(CLI::Range(1, 4096));
  verb->add_option("--repeats", b.repeats, "Timed loops of each code (default: 3, with --peers 5)")->check(CLI::Range(1, 1000));
  verb->add_option("--steps", b.steps, "Timed steps, after a quarter of them, at least 160, to warm up (default: by bed, about a second)")->check(CLI::PositiveNumber);
  verb->add_option("--skin", b.skin, "Skin of the neighbour list in m (default: by bed)")->check(CLI::PositiveNumber);
  verb->add_option("--states", o->states, "Folder of start states, LAMMPS dumps like w1_8000.dump[.gz] (default: made once and kept)");
  verb->add_option("--export", o->export_to, "Write the start states there, for other codes");
  verb->add_flag("--peers", b.peers, "Also run LAMMPS, LIGGGHTS and YADE, where installed, in turns with Scree");
  verb->add_flag("--searches", b.searches, "Compare the neighbour searches instead");
  verb->add_option("--out", o->out, "Write CSV there; a folder: into a file named after the processor");
  verb->add_flag("--json", o->json, "Print the result as one JSON object");
  verb->add_flag("--quiet", o->quiet, "No progress");
  verb->footer("Example:  scree bench --peers --beds W1,W3 --sizes 8000 --out benchmarks/results");
  verb->callback([o, &exit] { run(*o, exit); });
}

}  // namespace scree
