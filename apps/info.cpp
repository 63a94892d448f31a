// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "verbs.hpp"

namespace scree {

void add_info(CLI::App& app, Exit&) {
  struct Options {
    std::string run;
    bool json = false, scene = false;
  };
  auto* verb = app.add_subcommand("info", "Tell what a run file holds");
  auto o = std::make_shared<Options>();
  verb->add_option("run", o->run, "run.h5, or its folder")->required();
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->add_flag("--scene", o->scene, "Print the scene file of the run");
  verb->footer("Example:  scree info out/column-collapse");
  verb->callback([o] {
    const RunReader run = open_run(o->run);
    if (o->scene) {
      fmt::print("{}", run.info().scene);
      return;
    }
    const RunInfo& info = run.info();
    const Frame last = run.size() > 0 ? run.frame(run.size() - 1) : Frame{};
    const double first_time = run.size() > 0 ? run.times().front() : 0, last_time = run.size() > 0 ? run.times().back() : 0;
    if (o->json) {
      nlohmann::json j{{"file", run.path().string()}, {"scene", info.name}, {"version", info.version},
                       {"dim", info.dim}, {"real", info.real}, {"seed", info.seed}, {"finished", run.finished()},
                       {"frames", run.size()}, {"first_time", first_time}, {"last_time", last_time},
                       {"grains", last.size()}, {"contacts", last.has_contacts ? nlohmann::json(last.contacts.size()) : nlohmann::json()},
                       {"energy_rows", run.energies().size()}, {"scene_hash", fmt::format("{:016x}", run.scene_hash())}};
      fmt::print("{}\n", j.dump(2));
      return;
    }
    fmt::print("{}: {} ({}), written by Scree {}\n", run.path().string(), info.name,
               run.finished() ? "finished" : "not finished", info.version);
    fmt::print("  {} grains in {}D, {}, seed {}\n", last.size(), info.dim, info.real, info.seed);
    fmt::print("  {} frames from t = {:.6g} s to {:.6g} s{}\n", run.size(), first_time, last_time,
               last.has_contacts ? ", with contacts" : "");
    fmt::print("  {} rows of energies\n", run.energies().size());
    fmt::print("  the scene:  scree info {} --scene\n", o->run);
  });
}

}  // namespace scree
