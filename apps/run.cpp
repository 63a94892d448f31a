// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <omp.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scree/core/errors.hpp"
#include "scree/core/nodes.hpp"
#include "scree/run/progress.hpp"
#include "scree/run/runner.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

struct Options {
  std::string scene, out;
  std::vector<std::string> set;
  int threads = 0;
  std::int64_t steps = -1;
  double time = -1;
  bool resume = false, force = false, json = false, quiet = false, no_pictures = false;
};

void print_table(const nlohmann::json& j) {
  const auto& e = j["energy"];
  fmt::print("{}: {} grains in {}D, {} steps of {:.4g} s to t = {:.4g} s\n", j["scene"].get<std::string>(),
             j["grains"].get<std::size_t>(), j["dim"].get<int>(), j["steps"].get<std::int64_t>(),
             j["dt"].get<double>(), j["time"].get<double>());
  fmt::print("  contacts      {} ({:.2f} per grain), largest overlap {:.2g} radii\n", j["contacts"].get<std::size_t>(),
             j["coordination"].get<double>(), j["max_overlap"].get<double>());
  fmt::print("  energy (J)    kinetic {:.4g}, rotational {:.4g}, potential {:.4g}, elastic {:.4g}\n",
             e["kinetic"].get<double>(), e["rotational"].get<double>(), e["potential"].get<double>(),
             e["elastic"].get<double>());
  fmt::print("                dissipated {:.4g}, work {:.4g}, balance error {:.2g}\n", e["dissipated"].get<double>(),
             e["work"].get<double>(), e["balance_error"].get<double>());
  fmt::print("  speed         {:.3g} million grain-steps/s on {} threads, {} list rebuilds, {} in all\n",
             j["grain_steps_per_s"].get<double>() / 1e6, j["threads"].get<int>(), j["rebuilds"].get<std::int64_t>(),
             duration_text(j["wall_s"].get<double>()));
  fmt::print("  state_hash    {}\n", j["state_hash"].get<std::string>());
}

void run(const Options& o, Exit& exit) {
  if (o.threads > 0) omp_set_num_threads(o.threads);
  const BoundThreads bound;
  AnyScene scene = read_scene(o.scene, o.set);
  RunOptions options;
  options.out = o.out;
  options.force = o.force;
  options.resume = o.resume;
  options.progress = !o.quiet;
  options.pictures = !o.no_pictures;
  if (o.steps >= 0) options.steps = o.steps;
  if (o.time >= 0) options.time = o.time;
  for (const std::string& warning : header(scene).warnings) fmt::print(stderr, "warning: {}\n", warning);
  const std::size_t told = header(scene).warnings.size();
  nlohmann::json summary;
  const RunReport report = run_scene(scene, options, summary);
  const auto& warnings = header(scene).warnings;
  for (std::size_t k = told; k < warnings.size(); ++k) fmt::print(stderr, "warning: {}\n", warnings[k]);
  exit.code = report.exit_code;
  if (report.exit_code != 0) {
    fmt::print(stderr, "{}{}\n", report.exit_code == 130 ? "" : "scree: ", report.message);
    if (o.json) {
      summary["error"] = report.message;
      fmt::print("{}\n", summary.dump(2));
    }
    return;
  }
  if (o.json) {
    fmt::print("{}\n", summary.dump(2));
    return;
  }
  print_table(summary);
  fmt::print("  results       {}\n", report.files.front().string());
  for (std::size_t k = 1; k < report.files.size(); ++k) fmt::print("                {}\n", report.files[k].string());
}

}  // namespace

void add_run(CLI::App& app, Exit& exit) {
  auto* verb = app.add_subcommand("run", "Run a scene");
  auto o = std::make_shared<Options>();
  verb->add_option("scene", o->scene, "Scene file (TOML)")->required();
  verb->add_option("--out", o->out, "Folder for the results (default: out/NAME)");
  verb->add_option("--set", o->set, "Change a value of the scene: --set run.dt=1e-6 (may be repeated)")
      ->type_size(1)->allow_extra_args(false);
  verb->add_option("--threads", o->threads, "Number of threads (default: all cores); the result does not depend on it")
      ->check(CLI::Range(1, 4096));
  verb->add_option("--steps", o->steps, "Number of steps, in place of the scene's time")->check(CLI::NonNegativeNumber);
  verb->add_option("--time", o->time, "Simulated time in s, in place of the scene's")->check(CLI::NonNegativeNumber);
  verb->add_flag("--resume", o->resume, "Go on from the last checkpoint in the folder");
  verb->add_flag("--force", o->force, "Replace what is in the folder");
  verb->add_flag("--json", o->json, "Print the summary as one JSON object");
  verb->add_flag("--quiet", o->quiet, "No progress");
  verb->add_flag("--no-pictures", o->no_pictures, "Draw no pictures at the end");
  verb->footer("Example:  scree run scenes/column-collapse.toml --set run.time=0.5 --out out/short");
  verb->callback([o, &exit] { run(*o, exit); });
}

}  // namespace scree
