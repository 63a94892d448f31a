// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/hash.hpp"
#include "scree/studies/reproduction_page.hpp"
#include "scree/studies/write_study.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// The seeds, in order. The note says what to look at; the claims are in the studies themselves.
const std::vector<Reproduction>& all_lines() {
  const std::string three = "euler,symplectic-euler,damped-verlet";
  static const std::vector<Reproduction> lines{
      {"force", "003", "figures 1.6, 1.7, 1.8", "Force against time in a collision", "force", {}},
      {"restitution-schemes",
       "003",
       "figure 2.1, table 2.1",
       "Restitution as three schemes see it",
       "restitution",
       {{"law", "kk"}, {"integrators", three}}},
      {"impact",
       "003",
       "figure 2.3, table 2.1",
       "Oblique impacts",
       "impact",
       {{"integrators", "damped-verlet,euler,symplectic-euler"}, {"mindlin", "1"}}},
      {"order-single",
       "003",
       "figure 2.4, table 2.2",
       "Order on a single grain: position",
       "order",
       {{"case", "single"}, {"integrator", three}}},
      {"order-angle",
       "003",
       "figure 2.5, table 2.2",
       "Order on a single grain: angle",
       "order",
       {{"case", "single"}, {"of", "q"}, {"integrator", three}}},
      {"order-leapfrog",
       "003",
       "figure 2.7",
       "The half step back of the leapfrog",
       "order",
       {{"case", "single"}, {"integrator", "symplectic-euler,leapfrog"}}},
      {"order-binary",
       "003",
       "figure 2.6, table 2.3",
       "Order in a head-on collision",
       "order",
       {{"case", "normal"}, {"parameters", "table-2.3"}, {"law", "kk"}, {"integrator", three}}},
      {"order-bounce",
       "003",
       "figure 2.8",
       "Order when first touch lies between two steps",
       "order",
       {{"case", "bounce"}, {"law", "kk"}, {"integrator", "damped-verlet"}}},
      {"order-tangential",
       "003",
       "figure 2.9, table 2.3",
       "Order in an oblique collision",
       "order",
       {{"case", "tangential"}, {"law", "kk"}, {"integrator", three}}},
      {"order-kk",
       "003",
       "figure 3.1, table 3.1; 000, figure 1",
       "Hertz and Kuwabara-Kono: order 2 and order 1.5",
       "order",
       {{"case", "normal"}, {"law", "hertz,kk"}, {"integrator", "damped-verlet"}}},
      {"order-powerlaw",
       "003",
       "figure 3.2",
       "y'' = y^q: order 1 + q",
       "order",
       {{"case", "powerlaw"}, {"q", "0.25,0.5,0.75"}, {"integrator", "leapfrog"}}},
      {"mollifier",
       "003",
       "figures 4.1 to 4.4; 000, figure 2",
       "The mollified root and its quadratures",
       "mollifier",
       {}},
      {"order-mollified",
       "003",
       "figure 4.5; 000, figure 3",
       "Mollified Kuwabara-Kono: order 2 again",
       "order",
       {{"case", "normal"},
        {"law", "kk-mollified"},
        {"eps", "5e-7,1e-6,5e-6,1e-5,5e-5"},
        {"integrator", "damped-verlet"}},
       {},
       {{"eps", "5e-6,5e-5"}}},
      {"stepsize",
       "003",
       "figure 4.6; 000, figure 4",
       "The step that a mollifier allows",
       "stepsize",
       {}},
      {"restitution",
       "003",
       "figures 4.7 and 4.8, table 4.1",
       "What mollifying does to the bounce",
       "restitution",
       {}},
      {"trajectory",
       "003",
       "figures 5.1 and 5.3, table 5.1",
       "Trajectories of a collapse",
       "trajectory",
       {}},
      {"energy",
       "004",
       "figures 6, 8 to 14",
       "Energy of a pyramid of spheres",
       "energy",
       {{"as-printed", "1"}}},
      {"energy-13",
       "004",
       "section 3.1",
       "The same with thirteen spheres",
       "energy",
       {{"spheres", "13"},
        {"integrators", "taylor,staggered-verlet,rkf45n,gauss4:previous"},
        {"steps", "1e-3,1e-4"}}},
      {"energy-laws",
       "004",
       "figure 15",
       "Three laws of contact under the Taylor scheme",
       "energy",
       {{"law", "linear,kk,power"},
        {"integrators", "taylor"},
        {"steps", "1e-4,1e-5"},
        {"as-printed", "1"}},
       {},
       {{"steps", "1e-4"}}},
      {"order-all",
       "beyond",
       "spec of the integrators",
       "Every scheme on a smooth force, in double-double",
       "order",
       {{"case", "single"}, {"integrator", "all"}, {"real", "dd"}},
       {},
       {{"integrator", "rk4,gauss4,yoshida4"}}},
      {"cost", "beyond", "error against force calls", "Which scheme is cheapest?", "cost", {}},
      {"order-shifted",
       "beyond",
       "second order on plain Kuwabara-Kono",
       "The momentum-shifted scheme",
       "order",
       {{"case", "normal"}, {"law", "kk"}, {"integrator", "damped-verlet,kk-shifted"}},
       {},
       {},
       "",
       "kk-shifted"},
      {"order-shifted-discs",
       "beyond",
       "second order on plain Kuwabara-Kono",
       "The momentum-shifted scheme on six discs",
       "order",
       {{"case", "discs"}, {"law", "kk"}, {"integrator", "damped-verlet,kk-shifted"}},
       {},
       {},
       "",
       "kk-shifted"},
      {"trajectory-order",
       "beyond",
       "section 5.3.2 of 003, future work",
       "Order and the time for which trajectories coincide",
       "trajectory",
       {{"integrators", "euler,damped-verlet,rk4"},
        {"law", "kk-mollified-full"},
        {"eps", "5e-3"},
        {"grains", "250"},
        {"time", "4"},
        {"steps", "2.44140625e-4,1.220703125e-4,6.103515625e-5"},
        {"thresholds", "1e-6,1e-4,1e-2"}},
       {"contact.tangential.mu=0"},
       {{"grains", "100"},
        {"time", "2"},
        {"steps", "4.8828125e-4,2.44140625e-4,1.220703125e-4"},
        {"thresholds", "1e-6,1e-4"}},
       "A law that is smooth everywhere (ε = 5 mm, larger than the overlaps) and no friction, so "
       "that each scheme has the order of the books. Nearby collapses then part at a rate "
       "λ that hardly depends on the scheme, and each halving of the step buys p ln 2/λ of "
       "coincidence: the thesis' trend goes on at order 4."},
      {"trajectory-dd",
       "beyond",
       "section 5.3.2 of 003, future work",
       "Fourth order on a collapse, in double-double",
       "trajectory",
       {{"integrators", "damped-verlet,rk4"},
        {"law", "kk-mollified-full"},
        {"eps", "5e-3"},
        {"real", "dd"},
        {"grains", "80"},
        {"time", "2"},
        {"steps", "4.8828125e-4,2.44140625e-4,1.220703125e-4,6.103515625e-5"},
        {"thresholds", "1e-6,1e-4"}},
       {"contact.tangential.mu=0"},
       {{"grains", "24"},
        {"time", "1"},
        {"steps", "4.8828125e-4,2.44140625e-4,1.220703125e-4"},
        {"thresholds", "1e-9,1e-6"}},
       "The same without round-off: in double the fine steps of rk4 begin at 1e-13 radii, where "
       "rounding is as large as their error."}};
  return lines;
}

/// The options with which a line is run.
Reproduction::Options options_of(const Reproduction& one, bool quick) {
  Reproduction::Options all = one.options;
  if (quick)
    for (const auto& change : one.quick) {
      const auto at = std::find_if(all.begin(), all.end(),
                                   [&](const auto& o) { return o.first == change.first; });
      if (at == all.end())
        all.push_back(change);
      else
        at->second = change.second;
    }
  return all;
}

StudySettings settings_of(const Study& study, const Reproduction& one, bool quick) {
  StudySettings settings(study.options());
  for (const auto& [name, value] : options_of(one, quick)) settings.set(name, value);
  settings.overrides = one.overrides;
  settings.quick = quick;
  return settings;
}

/// Everything the result depends on.
std::string key_of(const Study& study, const Reproduction& one, const StudySettings& settings) {
  std::string text = fmt::format("{}\n{}\n{}\n", SCREE_VERSION, one.study, settings.quick);
  for (const StudyOption& option : study.options())
    text += option.name + "=" + settings.text(option.name) + "\n";
  for (const std::string& override_text : settings.overrides) text += "set " + override_text + "\n";
  return fmt::format("{:016x}-{:016x}", hash_bytes(text), hash_of_program());
}

nlohmann::ordered_json read_json(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return {};
  auto json = nlohmann::ordered_json::parse(in, nullptr, false);
  return json.is_object() ? json : nlohmann::ordered_json();
}

nlohmann::ordered_json describe(const Reproduction& one, const StudyResult& result, bool quick,
                                double seconds, const std::string& key) {
  nlohmann::ordered_json json{{"name", one.name},   {"seed", one.seed},
                              {"items", one.items}, {"title", one.title},
                              {"study", one.study}, {"command", command_of(one, quick)},
                              {"note", one.note},   {"quick", quick},
                              {"seconds", seconds}, {"version", SCREE_VERSION}};
  json["figures"] = nlohmann::ordered_json::array();
  for (const Figure& figure : result.figures)
    json["figures"].push_back({{"name", figure.name}, {"title", figure.title}});
  json["tables"] = nlohmann::ordered_json::array();
  for (const StudyTable& table : result.tables) json["tables"].push_back(table.name);
  json["findings"] = findings_json(result.findings);
  json["text"] = result.text;
  json["key"] = key;
  return json;
}

void write_page(const fs::path& folder, bool quick) {
  std::vector<nlohmann::ordered_json> entries;
  for (const Reproduction& one : reproductions())
    if (auto json = read_json(folder / one.name / "reproduction.json"); !json.empty())
      entries.push_back(std::move(json));
  write_file(folder / "index.html", reproduction_page(entries, quick));
}

}  // namespace

std::vector<Reproduction> reproductions() {
  std::vector<Reproduction> there;
  for (const Reproduction& one : all_lines()) {
    if (!find_study(one.study)) continue;
    if (!one.needs.empty() && !find_method(one.needs)) continue;
    there.push_back(one);
  }
  return there;
}

std::string command_of(const Reproduction& one, bool quick) {
  std::string text = "scree study " + one.study;
  const Study* study = find_study(one.study);
  for (const auto& [name, value] : options_of(one, quick)) {
    bool flag = false;
    if (study)
      for (const StudyOption& option : study->options())
        flag = flag || (option.name == name && option.flag);
    text += " --" + name + (flag ? "" : " " + value);
  }
  for (const std::string& one_override : one.overrides) text += " --set " + one_override;
  return text + (quick ? " --quick" : "");
}

std::vector<Reproduced> reproduce(const std::vector<Reproduction>& lines,
                                  const ReproduceOptions& options,
                                  const ReproduceProgress& progress) {
  make_folder(options.folder);
  std::vector<Reproduced> done;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Reproduction& one = lines[k];
    const Study& study = *find_study(one.study);
    const fs::path folder = options.folder / one.name, record = folder / "reproduction.json";
    Reproduced r{one.name, Reproduced::State::done, 0, "", {}};
    const auto start = std::chrono::steady_clock::now();
    try {
      const StudySettings settings = settings_of(study, one, options.quick);
      const std::string key = key_of(study, one, settings);
      r.json = read_json(record);
      if (!options.again && !r.json.empty() && r.json.value("key", "") == key) {
        r.state = Reproduced::State::kept;
        r.seconds = r.json.value("seconds", 0.0);
        done.push_back(std::move(r));
        continue;
      }
      progress(k, lines.size(), one, 0, "");
      const StudyResult result = study.run(settings, [&](double fraction, const std::string& what) {
        progress(k, lines.size(), one, std::clamp(fraction, 1e-3, 0.999), what);
      });
      r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      // Should the writing be cut short, the old record must not vouch for new files.
      std::error_code ignored;
      fs::remove(record, ignored);
      const std::string scene = study.scene(settings);
      write_study(
          result, folder, one.study,
          scene.empty() ? scene : TomlDocument::parse(scene, one.study, settings.overrides).text());
      r.json = describe(one, result, options.quick, r.seconds, key);
      write_file(record, r.json.dump(2) + "\n", true);
    } catch (const std::exception& error) {
      r.state = Reproduced::State::failed;
      r.message = error.what();
      r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    write_page(options.folder, options.quick);
    progress(k, lines.size(), one, 1, r.message);
    done.push_back(std::move(r));
  }
  write_page(options.folder, options.quick);
  return done;
}

}  // namespace scree
