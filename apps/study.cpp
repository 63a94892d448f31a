// SPDX-License-Identifier: BSD-3-Clause
/// scree study NAME …: each study brings its own options, so the rest of the command line is parsed
/// again once the name is known.
#include "scree/studies/study.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "scree/core/names.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/run/progress.hpp"
#include "scree/studies/write_study.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

constexpr std::size_t text_column = 21;

std::string study_list() {
  std::string text = "Studies (scree study NAME --help has the options of each):\n";
  for (const Study* one : studies()) text += fmt::format("  {:<{}}{}\n", one->name(), text_column - 2, one->summary());
  return text;
}

struct Options {
  std::string out;
  std::vector<std::string> set;
  int threads = 0;
  bool quick = false, json = false, force = false, quiet = false, print_scene = false;
};

const Study& named(const std::string& name) {
  if (const Study* study = find_study(name)) return *study;
  std::vector<std::string> names;
  for (const Study* one : studies()) names.emplace_back(one->name());
  if (name.starts_with("-")) throw InputError("study: expected the name of a study first (" + join(names) + ")");
  throw InputError(fmt::format("no study is called {}; expected one of {}{}", in_quotes(name), join(names),
                               did_you_mean(name, names)));
}

/// The word on the command line that is no option of this study, with the nearest that is.
void complain(const std::vector<std::string>& words, const std::string& study, const std::vector<StudyOption>& own) {
  std::vector<std::string> names{"set", "quick", "out", "json", "force", "quiet", "threads", "print-scene", "help"};
  for (const StudyOption& one : own) names.push_back(one.name);
  for (const std::string& word : words)
    if (word.starts_with("--")) {
      const std::string bare = word.substr(2, word.find('=') - 2), near = nearest(bare, names);
      throw InputError(fmt::format("study {} has no option {}{}", study, in_quotes("--" + bare),
                                   near.empty() ? "; see scree study " + study + " --help" : "; did you mean \"--" + near + "\"?"));
    }
  throw InputError(fmt::format("study {}: unexpected {}", study, in_quotes(words.empty() ? "" : words.front())));
}

void run(const Study& study, const Options& o, StudySettings& settings) {
  if (o.threads > 0) omp_set_num_threads(o.threads);
  settings.overrides = o.set;
  settings.quick = o.quick;
  const std::string name(study.name());
  const std::string scene = study.scene(settings);
  const std::string changed = scene.empty() ? scene : TomlDocument::parse(scene, "study " + name, o.set).text();
  if (o.print_scene) {
    if (scene.empty()) throw InputError("--print-scene: the study " + name + " has no scene here to print");
    fmt::print("{}", changed);
    return;
  }
  const std::filesystem::path folder = o.out.empty() ? "study-" + name : o.out;
  if (!o.force) check_study_folder(folder, name);
  StudyResult result;
  {
    StudyLine line("study " + name, !o.quiet);
    result = study.run(settings, [&](double fraction, const std::string& what) { line.at(fraction, what); });
  }
  const WrittenStudy written = write_study(result, folder, name, changed);
  for (const std::string& warning : written.warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (o.json) {
    fmt::print("{}\n", result.json.dump(2));
    return;
  }
  fmt::print("{}", result.text);
  for (const Finding& f : result.findings) {
    const char* verdict = f.verdict == Finding::Verdict::holds     ? "holds"
                          : f.verdict == Finding::Verdict::differs ? "differs"
                                                                   : "beyond";
    fmt::print("  {:<8} {}: {}; here {}{}\n", verdict, f.where, f.claim, f.ours, f.why.empty() ? "" : " (" + f.why + ")");
  }
  const char* label = "  results ";
  for (const auto& file : written.files) {
    const std::string ending = file.extension().string();
    if (ending != ".png" && ending != ".csv" && file.filename() != name + ".json") continue;
    fmt::print("{:<11}{}\n", label, file.string());
    label = "";
  }
}

void parse_and_run(std::vector<std::string> words, Exit& exit) {
  if (words.empty()) throw InputError("study: expected the name of a study\n" + study_list());
  const Study& study = named(words.front());
  const std::string name(study.name());
  words.erase(words.begin());
  CLI::App app{std::string(study.summary()), "scree study " + name};
  Options o;
  const auto own = study.options();
  StudySettings settings(own);
  std::map<std::string, std::string> values;
  std::map<std::string, bool> flags;
  std::map<std::string, CLI::Option*> made;
  for (const StudyOption& one : own) {
    if (one.flag)
      made[one.name] = app.add_flag("--" + one.name, flags[one.name], one.help);
    else
      made[one.name] = app.add_option("--" + one.name, values[one.name],
                                      one.help + (one.initial.empty() ? "" : " (default: " + one.initial + ")"));
  }
  app.add_option("--set", o.set, "Change a value of the study's scene: --set contact.normal.k=1e9 (may be repeated)")
      ->type_size(1)->allow_extra_args(false);
  app.add_option("--out", o.out, "Folder for the results (default: study-" + name + ")");
  app.add_option("--threads", o.threads, "Number of threads (default: all cores)")->check(CLI::Range(1, 4096));
  app.add_flag("--quick", o.quick, "Fewer points and shorter runs");
  app.add_flag("--json", o.json, "Print the result as one JSON object");
  app.add_flag("--print-scene", o.print_scene, "Print the scene it starts from, and do nothing");
  app.add_flag("--force", o.force, "Write into a folder that holds something else");
  app.add_flag("--quiet", o.quiet, "No progress");
  app.footer("Example:  " + std::string(study.example()));
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ExtrasError&) {
    complain(app.remaining(), name, own);
  } catch (const CLI::ParseError& error) {
    exit.code = app.exit(error) == 0 ? 0 : 2;
    return;
  }
  for (const StudyOption& one : own)
    if (made[one.name]->count() > 0) settings.set(one.name, one.flag ? (flags[one.name] ? "1" : "") : values[one.name]);
  run(study, o, settings);
}

}  // namespace

void add_study(CLI::App& app, Exit& exit) {
  auto* verb = app.add_subcommand("study", "A laboratory experiment: many runs, one figure");
  verb->prefix_command();
  verb->footer(study_list() + "Example:  scree study order --law kk --integrator damped-verlet");
  verb->callback([verb, &exit] { parse_and_run(verb->remaining(), exit); });
}

}  // namespace scree
