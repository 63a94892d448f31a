// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "scree/core/names.hpp"
#include "scree/fields/field_file.hpp"
#include "scree/fields/field_output.hpp"
#include "scree/fields/field_picture.hpp"
#include "scree/io/csv.hpp"
#include "scree/run/field_blocks.hpp"
#include "scree/run/progress.hpp"
#include "scree/run/schedule.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string run, out, frames, points, config;
  fields::Plan plan;
  std::size_t each = 0;
  double smooth = 0;
  int derivatives = 0, threads = 0;
  bool no_variance = false, no_picture = false, vtk = false, plateau = false, json = false;
};

/// What a file of this name would hold.
std::string format_of(const fs::path& path) {
  const std::string e = path.extension().string();
  if (e == ".h5" || e == ".hdf5" || e == ".csv") return e.substr(1);
  if (e == ".vtk" || e == ".vti" || e == ".vts" || e == ".pvd") return "vtk";
  throw InputError("fields: --out " + in_quotes(path.string()) + ": expected a name that ends in .h5 (or .hdf5), .csv or .vtk");
}

/// The smallest and largest finite value, for the summary.
std::pair<double, double> range_of(const fields::Field& f) {
  double lo = INFINITY, hi = -INFINITY;
  for (const double v : f.values)
    if (std::isfinite(v)) lo = std::min(lo, v), hi = std::max(hi, v);
  return {lo, hi};
}

nlohmann::json json_number(double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr); }

/// The width of the plateau of the last frame.
fields::Plateau choose_width(const RunReader& run, const std::vector<std::size_t>& frames, Options& o, const fs::path& stem) {
  fields::Plateau p = fields::find_plateau(run.frame(frames.back()), run.info(), o.plan);
  if (!p.found) {
    if (!o.no_picture) fields::draw_plateau(p, stem.string() + "-plateau");
    throw RunError("fields: " + fields::no_plateau(p) + "; give a --width" + (o.no_picture ? "" : " (the curve is in " + stem.string() + "-plateau.png)"));
  }
  o.plan.width = p.from;
  return p;
}

nlohmann::json json_of(const fields::Plateau& p) {
  return {{"found", p.found}, {"width", p.from}, {"level", p.level}, {"widths", p.width}, {"means", p.mean}};
}

/// What was made, for people or as JSON.
nlohmann::json report(const fields::RunFields& f, std::size_t frames, const fields::FieldOutput& made, const fields::Plateau* plateau, bool json) {
  const fields::FieldTable& last = f.tables.back();
  std::vector<std::string> notes = f.notes;
  notes.insert(notes.end(), made.warnings.begin(), made.warnings.end());
  if (json) {
    nlohmann::json j;
    if (plateau) j["plateau"] = json_of(*plateau);
    j["run"] = f.run;
    j["kernel"] = f.kernel;
    j["width"] = f.width;
    j["reach"] = f.reach;
    j["boundary"] = f.boundary;
    j["domain"] = f.domain;
    j["coordinates"] = f.grid.coordinates;
    j["shape"] = f.grid.shape();
    j["points"] = f.grid.size();
    j["frames"] = frames;
    j["tables"] = f.tables.size();
    j["empty"] = last.empty;
    for (const fields::Field& one : last.fields) {
      const auto [lo, hi] = range_of(one);
      j["fields"][one.name] = {{"unit", one.unit}, {"components", one.components}, {"min", json_number(lo)}, {"max", json_number(hi)}};
    }
    j["notes"] = notes;
    j["files"] = nlohmann::json::array();
    for (const auto& file : made.files) j["files"].push_back(file.string());
    return j;
  }
  if (plateau) fmt::print("the mean volume density comes to a plateau of {:.4g} at w = {:.4g} m\n", plateau->level, plateau->from);
  fmt::print("{} of width {:.4g} m, boundary {}, coordinates {}, {} points, {} frame{} from t = {:.6g} to {:.6g} s\n", f.kernel, f.width, f.boundary,
             f.grid.coordinates, f.grid.size(), frames, frames == 1 ? "" : "s", f.tables.front().from, last.to);
  for (const auto& note : notes) fmt::print("  {}\n", note);
  fmt::print("{:<20} {:>13} {:>13}  unit\n", "field", "smallest", "largest");
  for (const fields::Field& one : last.fields) {
    const auto [lo, hi] = range_of(one);
    if (std::isfinite(lo)) fmt::print("{:<20} {:13.5g} {:13.5g}  {}\n", one.name, lo, hi, one.unit);
    else fmt::print("{:<20} {:>13} {:>13}  {}\n", one.name, "masked", "", one.unit);
  }
  for (const auto& file : made.files)
    if (file.extension() != ".gp" && file.extension() != ".dat") fmt::print("{}\n", file.string());
  return {};
}

/// All blocks [[fields]] of a file in one pass over the frames, as the run itself would have made them.
void run_blocks(const Options& o, const RunReader& run) {
  const std::vector<fields::LiveSettings> blocks = read_field_blocks(o.config, run.info());
  const fs::path folder = o.out.empty() ? run.path().parent_path() : fs::path(o.out);
  const auto dt = run.info().numbers.find("dt");
  const auto frames = chosen_frames(run, parse_frames(o.frames.empty() ? "0:" : o.frames));
  const Frame first = run.frame(0);
  std::vector<fields::LiveFields> all;
  for (const auto& one : blocks) all.emplace_back(one, run.info(), first);
  std::vector<std::size_t> used(all.size(), 0);
  StatusLine line(!o.json);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Frame frame = frames[k] == 0 ? first : run.frame(frames[k]);
    for (std::size_t b = 0; b < all.size(); ++b) {
      const fields::LiveSettings& s = blocks[b];
      const bool own = s.every > 0 || s.steps > 0;
      if (own && dt == run.info().numbers.end()) throw InputError(run.path().string() + " does not tell its step; leave \"every\" and \"steps\" out");
      if (!all[b].wants(frame.time) || (own && !Schedule{s.every, s.steps, dt->second}.due(frame.step))) continue;
      all[b].add(frame);
      ++used[b];
    }
    if (line.due()) line.show(static_cast<double>(k + 1) / static_cast<double>(frames.size()), fmt::format("fields  frame {} of {}", k + 1, frames.size()));
  }
  line.finish();
  for (std::size_t b = 0; b < all.size(); ++b)
    if (used[b] == 0) throw InputError(fmt::format("{}: no frame of the run is due for the fields {}", o.config, in_quotes(blocks[b].name)));
  nlohmann::json sets = nlohmann::json::array();
  for (std::size_t b = 0; b < all.size(); ++b) {
    const fields::RunFields f = all[b].result(run.path().string());
    const fields::Plateau* plateau = all[b].plateau() ? &*all[b].plateau() : nullptr;
    const auto made = fields::write_output(folder / blocks[b].name, f, blocks[b].formats, !o.no_picture, plateau);
    nlohmann::json j = report(f, used[b], made, plateau, o.json);
    if (!o.json) continue;
    j["name"] = blocks[b].name;
    sets.push_back(std::move(j));
  }
  if (o.json) fmt::print("{}\n", nlohmann::json{{"sets", sets}}.dump(2));
}

void run_fields(Options o) {
  if (o.threads > 0) omp_set_num_threads(o.threads);
  const RunReader run = open_run(o.run);
  if (!o.config.empty()) return run_blocks(o, run);
  const auto frames = chosen_frames(run, parse_frames(o.frames.empty() ? "-1" : o.frames));
  const fs::path out = o.out.empty() ? run.path().parent_path() / "fields.h5" : fs::path(o.out);
  std::vector<std::string> formats{format_of(out)};
  if (o.vtk && formats[0] != "vtk") formats.push_back("vtk");
  if (fs::weakly_canonical(out) == fs::weakly_canonical(run.path()))
    throw InputError("fields: --out " + in_quotes(out.string()) + " is the run itself; expected another name");
  const fs::path stem = out.parent_path() / out.stem();
  if (!o.points.empty()) o.plan.points = fields::read_points(o.points, run.info().dim);
  std::optional<fields::Plateau> plateau;
  if (o.plateau) plateau = choose_width(run, frames, o, stem);

  fields::check_formats(fields::resolve(o.plan, run.info(), run.frame(frames.front())).grid, formats);

  StatusLine line(!o.json);
  fields::RunFieldsOptions options;
  options.each = o.each;
  options.smooth = o.smooth;
  options.variances = !o.no_variance;
  options.derivatives = o.derivatives;
  options.progress = [&](std::size_t done, std::size_t all) {
    if (all > 1 && line.due()) line.show(static_cast<double>(done) / static_cast<double>(all), fmt::format("fields  frame {} of {}", done, all));
  };
  const fields::RunFields f = fields::fields_of_run(run, frames, o.plan, options);
  line.finish();
  const auto made = fields::write_output(stem, f, formats, !o.no_picture, plateau ? &*plateau : nullptr);
  const nlohmann::json j = report(f, frames.size(), made, plateau ? &*plateau : nullptr, o.json);
  if (o.json) fmt::print("{}\n", j.dump(2));
}

}  // namespace

void add_fields(CLI::App& app, Exit&) {
  auto* verb = app.add_subcommand("fields", "Continuous fields of a run: density, velocity, stress … (coarse-graining)");
  auto o = std::make_shared<Options>();
  fields::Plan& p = o->plan;
  verb->add_option("run", o->run, "run.h5, or its folder")->required();
  verb->add_option("--coordinates", p.coordinates, "0, x, y, z, xy, xz, yz, xyz, r or r-theta; other axes are averaged over (default: all)");
  verb->add_option("--counts", p.counts, "Cells along each coordinate (default: a quarter of a width wide)")->delimiter(',');
  verb->add_option("--min", p.lo, "Lower limits of the coordinates, in m (theta: rad; default: of the free grains)")->delimiter(',');
  verb->add_option("--max", p.hi, "Upper limits")->delimiter(',');
  verb->add_option("--centre", p.centre, "Of r and theta, x,y in m (default: 0,0)")->delimiter(',')->expected(2);
  verb->add_option("--angles", p.angles, "Points on each ring that r averages over (default: a quarter of a width apart)");
  verb->add_option("--points", o->points, "CSV file with columns x,y[,z]: fields at these points");
  verb->add_option("--kernel", p.kernel, "mollifier, gauss, heaviside or lucy")->capture_default_str();
  verb->add_option("--width", p.width, "w in m: where the kernel ends; of gauss the standard deviation (default: reach of two diameters)")
      ->check(CLI::PositiveNumber);
  verb->add_option("--width-in-radii", p.width_in_radii, "The same in mean radii")->check(CLI::PositiveNumber);
  verb->add_flag("--plateau", o->plateau, "Chooses w: the smallest on the plateau of the mean volume density")->excludes("--width", "--width-in-radii");
  verb->add_option("--boundary", p.boundary, "none, normalised, wall (with the force of walls as a field) or mirror")->capture_default_str();
  verb->add_option("--domain", p.domain, "Of normalised and mirror: disc:x,y,R  annulus:x,y,Ri,Ro  box:LO,HI  half-plane:POINT,NORMAL");
  verb->add_option("--frames", o->frames, "first:last:stride, negative counts from the end (default: -1, with --config all)");
  verb->add_option("--each", o->each, "A table for every so many frames, a series in time (default: one average)")->check(CLI::PositiveNumber);
  verb->add_option("--smooth", o->smooth, "Averages with a kernel of this width in time, in s, about every frame (or every --each'th)")->check(CLI::PositiveNumber);
  verb->add_option("--species", p.species, "Only grains of these materials")->delimiter(',');
  verb->add_option("--groups", p.groups, "Only grains of these groups")->delimiter(',');
  verb->add_option("--region", p.region, "Only grains with their centres in here; as --domain");
  verb->add_option("--sizes", p.sizes, "Only radii from,to in m")->delimiter(',')->expected(2);
  verb->add_flag("--held", p.held, "Held grains count too; otherwise they are walls");
  verb->add_flag("--balance", p.balance, "Adds the terms of the balances of mass and momentum, and what they leave");
  verb->add_option("--derivatives", o->derivatives, "Adds derivatives by finite differences of order 2, 4 or 6")->check(CLI::IsMember({2, 4, 6}));
  verb->add_flag("--no-variance", o->no_variance, "Leaves the variances over frames out");
  verb->add_flag("--vtk", o->vtk, "Writes VTK beside");
  verb->add_flag("--no-picture", o->no_picture, "Draws nothing");
  auto* config = verb->add_option("--config", o->config, "TOML file with blocks [[fields]], as a scene has them: all sets at once, NAME.h5 each");
  for (const char* other : {"--coordinates", "--counts", "--min", "--max", "--centre", "--angles", "--points", "--kernel", "--width", "--width-in-radii", "--plateau",
                            "--boundary", "--domain", "--each", "--smooth", "--species", "--groups", "--region", "--sizes", "--held", "--balance", "--derivatives",
                            "--no-variance", "--vtk"})
    config->excludes(verb->get_option(other));
  verb->add_option("--threads", o->threads, "Threads (default: all)")->check(CLI::PositiveNumber);
  verb->add_option("--out", o->out, "FILE.h5 (or .hdf5), FILE.csv or FILE.vtk (default: fields.h5 beside the run); with --config a folder");
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree fields out/taylor-couette --coordinates r --counts 48 --frames -600: --boundary wall\n"
               "          scree fields out/taylor-couette --config sets.toml --out sets");
  verb->callback([o] { run_fields(*o); });
}

}  // namespace scree
