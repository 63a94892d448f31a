// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/hash.hpp"
#include "scree/studies/reproduction_page.hpp"
#include "scree/studies/write_study.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

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
    json["figures"].push_back({{"name", figure.name},
                               {"title", figure.title},
                               {"panels", std::count_if(figure.panels.begin(), figure.panels.end(),
                                                        [](const Panel& p) { return !p.inset; })}});
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

std::vector<std::string> seeds_of(const Reproduction& one) {
  std::vector<std::string> seeds{one.seed};
  for (std::size_t end = one.items.find("; "); end != std::string::npos; end = one.items.find("; ", end + 2))
    if (const std::size_t comma = one.items.find(',', end); comma == end + 5)
      seeds.push_back(one.items.substr(end + 2, 3));
  return seeds;
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
      const StudyResult result = study.run(settings, [&](double part, const std::string& what) {
        progress(k, lines.size(), one, std::clamp(part, 1e-3, 0.999), what);
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
