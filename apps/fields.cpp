// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "scree/core/names.hpp"
#include "scree/fields/field_file.hpp"
#include "scree/fields/field_picture.hpp"
#include "scree/fields/plateau.hpp"
#include "scree/io/csv.hpp"
#include "scree/run/progress.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string run, out, frames = "-1", points;
  fields::Plan plan;
  std::size_t each = 0;
  int derivatives = 0, threads = 0;
  bool no_variance = false, no_picture = false, vtk = false, plateau = false, json = false;
};

/// What a file of this name would hold.
enum class Ending { hdf5, csv, vtk };

Ending ending_of(const fs::path& path) {
  const std::string e = path.extension().string();
  if (e == ".h5" || e == ".hdf5") return Ending::hdf5;
  if (e == ".csv") return Ending::csv;
  if (e == ".vtk" || e == ".vti" || e == ".vts" || e == ".pvd") return Ending::vtk;
  throw InputError("fields: --out " + in_quotes(path.string()) + ": expected a name that ends in .h5, .csv or .vtk");
}

/// The smallest and largest finite value, for the summary.
std::pair<double, double> range_of(const fields::Field& f) {
  double lo = INFINITY, hi = -INFINITY;
  for (const double v : f.values)
    if (std::isfinite(v)) lo = std::min(lo, v), hi = std::max(hi, v);
  return {lo, hi};
}

nlohmann::json json_number(double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr); }

void choose_width(const RunReader& run, const std::vector<std::size_t>& frames, Options& o, const fs::path& stem,
                  std::vector<std::string>& files, nlohmann::json& j) {
  const fields::Plateau p = fields::find_plateau(run.frame(frames.back()), run.info(), o.plan);
  if (!o.no_picture) {
    const Picture picture = fields::draw_plateau(p, stem.string() + "-plateau");
    for (const auto& file : picture.files) files.push_back(file.string());
  }
  j["plateau"] = {{"found", p.found}, {"width", p.from}, {"level", p.level}, {"widths", p.width}, {"means", p.mean}};
  if (!p.found)
    throw RunError("fields: the mean volume density comes to no plateau up to w = " + brief(p.width.back()) +
                   " m; give a --width" + (o.no_picture ? "" : " (the curve is in " + stem.string() + "-plateau.png)"));
  o.plan.width = p.from;
  if (!o.json) fmt::print("the mean volume density comes to a plateau of {:.4g} at w = {:.4g} m\n", p.level, p.from);
}

void run_fields(Options o) {
  if (o.threads > 0) omp_set_num_threads(o.threads);
  const RunReader run = open_run(o.run);
  const auto frames = chosen_frames(run, parse_frames(o.frames));
  const fs::path out = o.out.empty() ? run.path().parent_path() / "fields.h5" : fs::path(o.out);
  const Ending ending = ending_of(out);
  if (fs::weakly_canonical(out) == fs::weakly_canonical(run.path()))
    throw InputError("fields: --out " + in_quotes(out.string()) + " is the run itself; expected another name");
  const fs::path stem = out.parent_path() / out.stem();
  if (!o.points.empty()) o.plan.points = fields::read_points(o.points, run.info().dim);
  std::vector<std::string> files;
  nlohmann::json j;
  if (o.plateau) choose_width(run, frames, o, stem, files, j);

  StatusLine line(!o.json);
  fields::RunFieldsOptions options;
  options.each = o.each;
  options.variances = !o.no_variance;
  options.derivatives = o.derivatives;
  options.progress = [&](std::size_t done, std::size_t all) {
    if (all > 1 && line.due()) line.show(static_cast<double>(done) / static_cast<double>(all), fmt::format("fields  frame {} of {}", done, all));
  };
  const fields::RunFields f = fields::fields_of_run(run, frames, o.plan, options);
  line.finish();
  switch (ending) {
    case Ending::hdf5: fields::write_fields(out, f); break;
    case Ending::csv: fields::write_fields_csv(out, f); break;
    case Ending::vtk: break;
  }
  if (ending != Ending::vtk) files.insert(files.begin(), out.string());
  if (o.vtk || ending == Ending::vtk)
    for (const auto& file : fields::write_fields_vtk(stem, f)) files.push_back(file.string());
  std::vector<std::string> notes = f.notes;
  if (!o.no_picture && f.grid.ticks.size() > 0 && f.grid.ticks.size() <= 2) {
    const Picture picture = fields::draw_fields(f, stem);
    for (const auto& file : picture.files) files.push_back(file.string());
    if (!picture.warning.empty()) notes.push_back(picture.warning);
  }
  const fields::FieldTable& last = f.tables.back();
  if (o.json) {
    j["run"] = f.run;
    j["kernel"] = f.kernel;
    j["width"] = f.width;
    j["reach"] = f.reach;
    j["boundary"] = f.boundary;
    j["domain"] = f.domain;
    j["coordinates"] = f.grid.coordinates;
    j["shape"] = f.grid.shape();
    j["points"] = f.grid.size();
    j["frames"] = frames.size();
    j["tables"] = f.tables.size();
    j["empty"] = last.empty;
    for (const fields::Field& one : last.fields) {
      const auto [lo, hi] = range_of(one);
      j["fields"][one.name] = {{"unit", one.unit}, {"components", one.components}, {"min", json_number(lo)}, {"max", json_number(hi)}};
    }
    j["notes"] = notes;
    j["files"] = files;
    fmt::print("{}\n", j.dump(2));
    return;
  }
  fmt::print("{} of width {:.4g} m, boundary {}, coordinates {}, {} points, {} frame{} from t = {:.6g} to {:.6g} s\n", f.kernel, f.width, f.boundary,
             f.grid.coordinates, f.grid.size(), frames.size(), frames.size() == 1 ? "" : "s", f.tables.front().from, last.to);
  for (const auto& note : notes) fmt::print("  {}\n", note);
  fmt::print("{:<20} {:>13} {:>13}  unit\n", "field", "smallest", "largest");
  for (const fields::Field& one : last.fields) {
    const auto [lo, hi] = range_of(one);
    if (std::isfinite(lo)) fmt::print("{:<20} {:13.5g} {:13.5g}  {}\n", one.name, lo, hi, one.unit);
    else fmt::print("{:<20} {:>13} {:>13}  {}\n", one.name, "masked", "", one.unit);
  }
  for (const auto& file : files)
    if (!file.ends_with(".gp") && !file.ends_with(".dat")) fmt::print("{}\n", file);
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
  verb->add_option("--frames", o->frames, "first:last:stride, negative counts from the end")->capture_default_str();
  verb->add_option("--each", o->each, "A table for every so many frames, a series in time (default: one average)")->check(CLI::PositiveNumber);
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
  verb->add_option("--threads", o->threads, "Threads (default: all)")->check(CLI::PositiveNumber);
  verb->add_option("--out", o->out, "FILE.h5, FILE.csv or FILE.vtk (default: fields.h5 beside the run)");
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree fields out/taylor-couette --coordinates r --counts 48 --frames -600: --boundary wall");
  verb->callback([o] { run_fields(*o); });
}

}  // namespace scree
