// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/check.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scree/run/progress.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

double number(const nlohmann::json& j) { return j.is_number() ? j.get<double>() : 0.0; }

void print(const nlohmann::json& j) {
  fmt::print("{}: {} grains ({} of them held) and {} walls in {}D\n", j["scene"].get<std::string>(),
             j["grains"].get<std::size_t>(), j["held"].get<std::size_t>(), j["walls"].get<std::size_t>(),
             j["dim"].get<int>());
  fmt::print("  radius        {:.4g} to {:.4g} m, mean {:.4g} m; free mass {:.4g} kg\n", number(j["radius"]["min"]),
             number(j["radius"]["max"]), number(j["radius"]["mean"]), number(j["mass"]));
  for (const auto& c : j["collisions"]) {
    fmt::print("  normal        {}{}\n", c["normal"].get<std::string>(),
               c["attraction"].get<bool>() ? "" : ", attraction clipped");
    fmt::print("  tangential    {}\n", c["tangential"].get<std::string>());
    if (c["rolling"] != "none") fmt::print("  rolling       {}\n", c["rolling"].get<std::string>());
    fmt::print("    a mean pair: {:>12} {:>12} {:>14} {:>14} {:>12}\n", "v (m/s)", "restitution", "duration (s)",
               "overlap (m)", "force (N)");
    for (const auto& p : c["points"])
      fmt::print("                 {:12.4g} {:12.6f} {:>14} {:14.4g} {:12.4g}\n", number(p["v"]), number(p["e"]),
                 p["duration"].is_number() ? fmt::format("{:.4g}", number(p["duration"])) : "sticks",
                 number(p["overlap"]), number(p["force"]));
  }
  const auto& s = j["step"];
  if (s["contact_time"].is_number())
    fmt::print("  contact time  {:.4g} s, the shortest at {:.3g} m/s; step at most {:.4g} s, recommended {:.4g} s\n",
               number(s["contact_time"]), number(s["speed"]), number(s["largest"]), number(s["recommended"]));
  const auto& i = j["integrator"];
  fmt::print("  integrator    {}, order {} ({} with velocity-dependent forces), {} force calls a step\n",
             i["name"].get<std::string>(), i["order"].get<int>(), i["order_if_damped"].get<int>(),
             i["force_calls"].get<int>());
  const auto& c = j["cost"];
  fmt::print("  run           {} steps of {:.4g} s to t = {:.4g} s: about {} on {} threads, {:.1f} MB of memory "
             "({:.0f} B a grain)\n",
             j["steps"].get<std::int64_t>(), number(s["dt"]), number(j["time"]), duration_text(number(c["seconds"])),
             c["threads"].get<int>(), number(c["memory_bytes"]) / 1e6, number(c["bytes_per_grain"]));
  fmt::print("  output        {:.0f} frames, at most {:.1f} MB\n", number(j["output"]["frames"]),
             number(j["output"]["bytes"]) / 1e6);
  for (const auto& w : j["warnings"]) fmt::print("  warning       {}\n", w.get<std::string>());
}

}  // namespace

void add_check(CLI::App& app, Exit&) {
  struct Options {
    std::string scene;
    std::vector<std::string> set;
    bool json = false;
  };
  auto* verb = app.add_subcommand("check", "Validate and explain a scene without running it");
  auto o = std::make_shared<Options>();
  verb->add_option("scene", o->scene, "Scene file (TOML)")->required();
  verb->add_option("--set", o->set, "Change a value of the scene: --set run.dt=1e-6 (may be repeated)")
      ->type_size(1)->allow_extra_args(false);
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree check scenes/column-collapse.toml");
  verb->callback([o] {
    AnyScene scene = read_scene(o->scene, o->set);
    const nlohmann::json j = check_scene(scene);
    if (o->json) fmt::print("{}\n", j.dump(2));
    else print(j);
  });
}

}  // namespace scree
