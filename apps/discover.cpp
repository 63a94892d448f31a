// SPDX-License-Identifier: BSD-3-Clause
/// scree discover DATA…: equations from data.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "scree/discovery/report.hpp"
#include "scree/discovery/request.hpp"
#include "scree/discovery/simulate.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/studies/figure.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string out;
  std::map<std::string, std::string> values;
  std::map<std::string, bool> flags;
  std::map<std::string, CLI::Option*> made;
  int threads = 0;
  bool json = false, latex = false, force = false;
};

/// Data against model, and error against number of terms, for every equation.
Figure picture_of(const Discovery& d) {
  Figure figure{"equations", "", {}};
  Panel paths{"", "number of terms", "held-out error", false, true, {}, {}, {}, {}};
  for (const FoundEquation& e : d.equations) {
    Panel panel{e.lhs, "data", "model", false, false, {}, {}, {}, {}};
    Series points{"", e.data, e.model, Series::Style::points}, line{"", {}, {}, Series::Style::dashed, Series::grey};
    if (!e.data.empty()) {
      const auto [lo, hi] = std::minmax_element(e.data.begin(), e.data.end());
      line.x = line.y = {*lo, *hi};
    }
    panel.series = {points, line};
    if (figure.panels.size() < 5) figure.panels.push_back(panel);
    Series path{e.lhs, {}, {}, Series::Style::line_points}, chosen{"", {}, {}, Series::Style::points};
    path.colour = chosen.colour = static_cast<int>(paths.series.size() / 2);
    std::map<std::size_t, double> best;  // of each size
    for (const Candidate& c : e.path) {
      const auto [at, fresh] = best.emplace(c.support.size(), c.held_out);
      if (!fresh) at->second = std::min(at->second, c.held_out);
    }
    for (const auto& [size, error] : best)
      if (error > 0) path.x.push_back(static_cast<double>(size)), path.y.push_back(error);
    if (e.chosen < e.path.size() && e.path[e.chosen].held_out > 0) {
      chosen.x.push_back(static_cast<double>(e.path[e.chosen].support.size()));
      chosen.y.push_back(e.path[e.chosen].held_out);
      chosen.title = "chosen";
      chosen.colour = Series::grey;
    }
    paths.series.push_back(path);
    paths.series.push_back(chosen);
  }
  figure.panels.push_back(paths);
  return figure;
}

Figure picture_of(const std::vector<SimulatedTrajectory>& runs, const Names& names) {
  Figure figure{"simulation", "", {}};
  for (std::size_t f = 0; f < std::min<std::size_t>(names.fields.size(), 6); ++f) {
    Panel panel{"", names.coordinates[0], names.fields[f], false, false, {}, {}, {}, {}};
    const SimulatedTrajectory& one = runs.front();
    Series data{"data", {}, {}, Series::Style::points}, model{"model", {}, {}, Series::Style::line};
    const std::size_t step = std::max<std::size_t>(1, one.time.size() / 2000), sparse = std::max<std::size_t>(1, one.time.size() / 300);
    for (std::size_t i = 0; i < one.time.size(); ++i) {
      if (i % sparse == 0 && std::isfinite(one.data[f][i])) data.x.push_back(one.time[i]), data.y.push_back(one.data[f][i]);
      if (i % step == 0 && std::isfinite(one.model[f][i])) model.x.push_back(one.time[i]), model.y.push_back(one.model[f][i]);
    }
    panel.series = {data, model};
    figure.panels.push_back(panel);
  }
  return figure;
}

void check_folder(const std::filesystem::path& folder, bool force) {
  if (!std::filesystem::exists(folder) || force) return;
  if (!std::filesystem::is_directory(folder)) throw InputError(folder.string() + " is not a folder");
  if (!std::filesystem::is_empty(folder) && !std::filesystem::exists(folder / "discovery.json"))
    throw InputError(folder.string() + " holds something else; use --force to write into it or --out for another folder");
}

void work(const Options& o) {
  if (o.threads > 0) omp_set_num_threads(o.threads);
  Request request;
  for (const std::string& file : o.files) {
    if (file.ends_with(".toml")) apply_file(request, file);
    else request.data.files.push_back(file);
  }
  for (const Knob& knob : knobs())
    if (o.made.at(knob.name)->count() > 0) apply_flag(request, knob, knob.kind == Knob::Kind::flag ? "" : o.values.at(knob.name));
  if (!o.out.empty()) check_folder(o.out, o.force);
  const Dataset data = read_data(request.data);
  const Discovery found = discover(data, request.settings);
  std::vector<SimulatedTrajectory> runs;
  if (request.simulate) runs = simulate(data, found, request.integrator);

  nlohmann::ordered_json json = discovery_json(found);
  std::string text = discovery_text(found);
  if (request.simulate) {
    auto list = nlohmann::ordered_json::array();
    for (const SimulatedTrajectory& one : runs) {
      list.push_back({{"sample", one.sample}, {"error", one.error}, {"valid_time", one.valid_time}, {"blew_up", one.blew_up}});
      text += fmt::format("simulated {}: {}follows the data for {:.4g} of {:.4g}; error {:.3g} of the deviation\n", one.sample,
                          one.blew_up ? "grows without bound; " : "", one.valid_time, one.time.back() - one.time.front(), one.error);
    }
    json["simulation"] = list;
  }
  std::string latex = "\\begin{align}\n";
  for (std::size_t k = 0; k < found.equations.size(); ++k)
    latex += "  " + equation_latex(found.equations[k]) + (k + 1 < found.equations.size() ? " \\\\\n" : "\n");
  latex += "\\end{align}\n";

  std::vector<std::string> files;
  if (!o.out.empty()) {
    const std::filesystem::path folder = o.out;
    make_folder(folder);
    write_file(folder / "discovery.json", json.dump(2) + "\n");
    write_file(folder / "equations.txt", text);
    write_file(folder / "equations.tex", latex);
    std::vector<Figure> figures{picture_of(found)};
    if (request.simulate) figures.push_back(picture_of(runs, data.names));
    for (const Figure& figure : figures)
      for (const std::string& warning : draw_figure(figure, folder).warnings) fmt::print(stderr, "warning: {}\n", warning);
  }
  if (o.json) fmt::print("{}\n", json.dump(2));
  else if (o.latex) fmt::print("{}", latex);
  else fmt::print("{}{}", text, o.out.empty() ? "" : "results " + o.out + "\n");
}

}  // namespace

void add_discover(CLI::App& app, Exit&) {
  auto* verb = app.add_subcommand("discover", "Equations from data: sparse identification of ODEs, PDEs and constitutive laws");
  auto o = std::make_shared<Options>();
  verb->add_option("data", o->files, "CSV or HDF5 files with data, and a TOML file with settings")->required();
  for (const Knob& knob : knobs()) {
    if (knob.kind == Knob::Kind::flag) o->made[knob.name] = verb->add_flag("--" + knob.name, o->flags[knob.name], knob.help);
    else o->made[knob.name] = verb->add_option("--" + knob.name, o->values[knob.name], knob.help);
  }
  verb->add_option("--out", o->out, "Folder for JSON, text, LaTeX and pictures (default: none are written)");
  verb->add_option("--threads", o->threads, "Number of threads (default: all cores); changes no result")->check(CLI::Range(1, 4096));
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->add_flag("--latex", o->latex, "Print the equations as LaTeX");
  verb->add_flag("--force", o->force, "Write into a folder that holds something else");
  verb->footer("Example:  scree discover lorenz.csv --time t\n"
               "          scree discover burgers.csv --time t --space x --periodic x --weak --ensemble 100 --out burgers");
  verb->callback([o] { work(*o); });
}

}  // namespace scree
