// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/check.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scree/run/progress.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

/// More free grains than this mostly have several contacts at once.
constexpr std::size_t few_grains = 10;

double number(const nlohmann::json& j) { return j.is_number() ? j.get<double>() : 0.0; }

void print(const nlohmann::json& j) {
  fmt::print("{}: {} grains ({} of them held) and {} walls in {}D\n", j["scene"].get<std::string>(),
             j["grains"].get<std::size_t>(), j["held"].get<std::size_t>(), j["walls"].get<std::size_t>(),
             j["dim"].get<int>());
  fmt::print("  radius        {:.4g} to {:.4g} m, mean {:.4g} m; free mass {:.4g} kg\n", number(j["radius"]["min"]),
             number(j["radius"]["max"]), number(j["radius"]["mean"]), number(j["mass"]));
  if (j.contains("polygons"))
    fmt::print("  polygons      {} of the grains, {} to {} corners; collisions below are those of disks of their radius\n",
               j["polygons"]["count"].get<std::size_t>(), j["polygons"]["fewest_corners"].get<std::size_t>(),
               j["polygons"]["most_corners"].get<std::size_t>());
  for (const auto& c : j["collisions"]) {
    fmt::print("  normal        {}{}\n", c["normal"].get<std::string>(),
               c["attraction"].get<bool>() ? "" : ", attraction clipped");
    fmt::print("  tangential    {}\n", c["tangential"].get<std::string>());
    if (c["rolling"] != "none") fmt::print("  rolling       {}\n", c["rolling"].get<std::string>());
    if (c["rotational"] != "none") fmt::print("  rotational    {}\n", c["rotational"].get<std::string>());
    fmt::print("    a mean pair: {:>12} {:>12} {:>14} {:>14} {:>12}\n", "v (m/s)", "restitution", "duration (s)",
               "overlap (m)", "force (N)");
    for (const auto& p : c["points"])
      fmt::print("                 {:12.4g} {:12.6f} {:>14} {:14.4g} {:12.4g}\n", number(p["v"]), number(p["e"]),
                 p["duration"].is_number() ? fmt::format("{:.4g}", number(p["duration"])) : "sticks",
                 number(p["overlap"]), number(p["force"]));
  }
  if (j.contains("gates"))
    for (const auto& gate : j["gates"]) fmt::print("  gate          {}\n", gate.get<std::string>());
  const auto& s = j["step"];
  if (s["contact_time"].is_number())
    fmt::print("  contact time  {:.4g} s, the shortest at {:.3g} m/s; step at most {:.4g} s, recommended {:.4g} s\n",
               number(s["contact_time"]), number(s["speed"]), number(s["largest"]), number(s["recommended"]));
  const auto& i = j["integrator"];
  fmt::print("  integrator    {}, order {} ({} with velocity-dependent forces), {} force calls a step\n",
             i["name"].get<std::string>(), i["order"].get<int>(), i["order_if_damped"].get<int>(),
             i["force_calls"].get<int>());
  if (j.contains("theta")) {
    const auto& k = j["theta"];
    const auto range = [&](const char* key) {
      const double a = number(k[key][0]), b = number(k[key][1]);
      return a == b ? fmt::format("{:.4g}", a) : fmt::format("{:.4g} to {:.4g}", a, b);
    };
    if (k["variant"] == "theta")
      fmt::print("  theta         1/2 + gamma/(2 dt) = {}, with gamma = {} s; theta <= 1 means dt >= {:.4g} s\n", range("theta"),
                 range("gamma"), number(k["least_dt"]));
    else
      fmt::print("  theta         variant \"{}\", for any dt; gamma = {} s\n", k["variant"].get<std::string>(), range("gamma"));
    const std::string why = k["energy_not_proved"].get<std::string>();
    if (!why.empty())
      fmt::print("  energy        not proved never to grow: {}\n", why);
    else if (k["energy_falls_up_to_dt"].is_null())
      fmt::print("  energy        never grows, whatever dt{}\n", k["guard"].get<bool>() ? ": the guard takes out what a step gains" : "");
    else
      fmt::print("  energy        {}\n", !k["energy_never_grows"].get<bool>() ? "may grow by a step's error: proved not to for dt <= 2 gamma"
                                       : k["variant"] == "theta"              ? "never grows: dt <= 2 gamma (from a moment without contacts to any later one)"
                                                                              : "never grows: dt <= 2 gamma");
  }
  const bool many = j["grains"].get<std::size_t>() - j["held"].get<std::size_t>() > few_grains;
  for (const auto& a : j["advice"]) {
    fmt::print("  advice        for an error of {:.1g} of the speed in a collision at {:.3g} m/s ({}):\n", number(a["error"]),
               number(a["speed"]), a["law"].get<std::string>());
    for (const auto& scheme : a["schemes"]) {
      const bool yours = scheme["integrator"] == i["name"], best = scheme["integrator"] == a["cheapest"],
                 fixed = many && scheme["integrator"] == a["cheapest_fixed"] && !best;
      if (!yours && !best && !fixed) continue;
      const std::string which = scheme["integrator"].get<std::string>() + (yours ? " (yours)" : "") + (best ? " (cheapest)" : "") +
                                (fixed ? " (cheapest fixed step)" : "");
      if (!scheme["reaches"].get<bool>()) fmt::print("    {:<30} does not reach it with 8192 steps a contact\n", which);
      else if (scheme.contains("tolerance"))
        fmt::print("    {:<30} tolerance = {:.3g} m, {:.0f} force calls a contact\n", which, number(scheme["tolerance"]), number(scheme["calls"]));
      else
        fmt::print("    {:<30} dt = {:.3g} s, {:.0f} force calls a contact\n", which, number(scheme["step"]), number(scheme["calls"]));
    }
    if (many && a["cheapest"] != a["cheapest_fixed"])
      fmt::print("    one collision is counted; an adaptive step gets shorter for all grains whenever any two touch: its calls grow with\n"
                 "    the number of grains, those of a fixed step do not\n");
    if (a["error_now"].is_number()) fmt::print("    with dt = {:.3g} s as it stands the error is {:.2g}\n", number(s["dt"]), number(a["error_now"]));
    if (a.contains("step_for_eps"))
      fmt::print("    eps = {:.3g} m: second order up to dt = {:.3g} s; this dt wants eps = {:.3g} m\n", number(a["eps"]),
                 number(a["step_for_eps"]), number(a["eps_for_step"]));
    else if (a.contains("eps_for_step"))
      fmt::print("    mollified (kk-mollified) this dt wants eps = {:.3g} m; kk-shifted has order 2 without\n", number(a["eps_for_step"]));
  }
  for (const auto& phase : j["prepare"])
    fmt::print("  prepare       {}{} steps, {:.4g} s at most\n",
               phase["name"].get<std::string>().empty() ? "" : phase["name"].get<std::string>() + ": ",
               phase["steps"].get<std::int64_t>(), number(phase["time"]));
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
    double error = usual_error;
    bool json = false;
  };
  auto* verb = app.add_subcommand("check", "Validate and explain a scene without running it");
  auto o = std::make_shared<Options>();
  verb->add_option("scene", o->scene, "Scene file (TOML)")->required();
  verb->add_option("--set", o->set, "Change a value of the scene: --set run.dt=1e-6 (may be repeated)")
      ->type_size(1)->allow_extra_args(false);
  verb->add_option("--error", o->error,
                   "Error of the speed after a collision, over the speed before, that you can bear: the advisor says "
                   "which scheme and step reach it (default 1e-3)")
      ->check(CLI::Range(1e-10, 0.5));
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree check scenes/column-collapse.toml");
  verb->callback([o] {
    AnyScene scene = read_scene(o->scene, o->set);
    const nlohmann::json j = check_scene(scene, o->error);
    if (o->json) fmt::print("{}\n", j.dump(2));
    else print(j);
  });
}

}  // namespace scree
