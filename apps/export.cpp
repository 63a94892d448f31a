// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "scree/io/csv.hpp"
#include "scree/io/picture.hpp"
#include "scree/io/profile_csv.hpp"
#include "scree/io/radial_csv.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

struct Options {
  std::string run, out, frames, profile;
  bool vtk = false, csv = false, lammps = false, stress = false, radial = false, steady = false, json = false;
  std::vector<double> times, centre{0, 0};
  double strip = 0, skip = RadialOptions{}.skip;
  std::size_t bins = 0;  // 0: as many as the profile has by default
};

/// The frames nearest to the given times; without times four at equal distances.
std::vector<std::size_t> frames_at(const RunReader& run, std::vector<double> times) {
  const auto& known = run.times();
  if (known.empty()) throw InputError(run.path().string() + " has no frames");
  if (times.empty())
    for (int k = 0; k < 4; ++k) times.push_back(known.front() + (known.back() - known.front()) * k / 3.0);
  std::vector<std::size_t> indices;
  const double between = known.size() > 1 ? (known.back() - known.front()) / static_cast<double>(known.size() - 1) : 0;
  for (const double t : times) {
    if (!(t >= known.front() - between && t <= known.back() + between))
      throw InputError(fmt::format("export: --times {:g}: expected a time of the run, {:g} to {:g} s", t, known.front(), known.back()));
    const auto nearest = std::min_element(known.begin(), known.end(), [t](double a, double b) {
      return std::abs(a - t) < std::abs(b - t);
    });
    const auto k = static_cast<std::size_t>(nearest - known.begin());
    if (indices.empty() || indices.back() != k) indices.push_back(k);
  }
  return indices;
}

void draw_stresses(const RunReader& run, const Options& o, const std::filesystem::path& out,
                   std::vector<std::string>& files) {
  std::vector<Frame> frames;
  for (const std::size_t k : frames_at(run, o.times)) frames.push_back(run.frame(k));
  std::vector<std::int64_t> marked;
  if (o.strip > 0) marked = grains_in_strip(run.frame(0), o.strip);
  const Picture picture = draw_stress(frames, run.info(), marked, out / "stress");
  if (!picture.warning.empty()) throw InputError(run.path().string() + ": " + picture.warning);
  for (const auto& file : picture.files) files.push_back(file.string());
}

/// One or two frames make no blocks whose scatter would give one.
bool has_interval(const RadialResult& r) { return r.interval.high > 0; }

nlohmann::json json_of(const RadialResult& r) {
  const nlohmann::json interval = has_interval(r) ? nlohmann::json{r.interval.low, r.interval.high} : nlohmann::json(nullptr);
  return {{"frames", r.frames}, {"nearest", r.nearest}, {"farthest", r.farthest},
          {"decay", {{"length", r.decay.length}, {"interval", interval}, {"correlation", r.decay.correlation}, {"from", r.decay.from},
                     {"to", r.decay.to}, {"rings", r.decay.rings}}}};
}

void write_all(const Options& o) {
  if (!o.vtk && !o.csv && !o.lammps && !o.stress && !o.radial && o.profile.empty())
    throw InputError("export: say what to write: --vtk, --csv, --lammps, --stress, --profile or --radial");
  if (o.bins > 0 && !o.radial && o.profile.empty()) throw InputError("export: --bins belongs to --radial or --profile");
  const RunReader run = open_run(o.run);
  const std::filesystem::path out = o.out.empty() ? run.path().parent_path() : std::filesystem::path(o.out);
  const ExportOptions frames = o.frames.empty() ? ExportOptions{} : parse_frames(o.frames);
  std::vector<std::string> files;
  const auto write = [&](bool wanted, ExportKind kind) {
    if (!wanted) return;
    for (const auto& file : export_run(run, kind, out, frames)) files.push_back(file.string());
  };
  write(o.vtk, ExportKind::vtk);
  write(o.csv, ExportKind::csv);
  write(o.lammps, ExportKind::lammps);
  if (o.stress) draw_stresses(run, o, out, files);
  nlohmann::json j;
  if (o.radial) {
    RadialOptions options;
    options.x = o.centre[0];
    options.y = o.centre[1];
    if (o.bins > 0) options.bins = o.bins;
    options.skip = o.skip;
    const RadialResult r = write_radial_csv(run, out, frames, options);
    files.push_back(r.file.string());
    j["radial"] = json_of(r);
    if (!o.json)
      fmt::print("{} frames; grains {:.6g} to {:.6g} m from the centre; |v_t| decays over {:.4g} m{} between "
                 "r = {:.4g} and {:.4g} m (correlation {:.4f})\n", r.frames, r.nearest, r.farthest, r.decay.length,
                 has_interval(r) ? fmt::format(" (95 %: {:.4g} to {:.4g})", r.interval.low, r.interval.high) : "", r.decay.from, r.decay.to, r.decay.correlation);
  }
  if (!o.profile.empty()) {
    ProfileOptions options;
    options.axis = o.profile == "x" ? 0 : o.profile == "y" ? 1 : 2;
    if (o.bins > 0) options.bins = o.bins;
    options.steady_only = o.steady;
    const ProfileResult r = write_profile_csv(run, out, frames, options);
    files.push_back(r.file.string());
    j["profile"] = {{"frames", r.frames}, {"steady", r.steady.steady}, {"steady_from", r.steady_from}};
    if (!o.json)
      fmt::print("{} frames; kinetic energy {}\n", r.frames,
                 r.steady.steady ? fmt::format("{:.4g} ± {:.2g} J, steady from t = {:.4g} s on", r.steady.mean, r.steady.stderr_, r.steady_from)
                                 : "not steady");
  }
  if (o.json) {
    j["files"] = files;
    fmt::print("{}\n", j.dump(2));
    return;
  }
  const std::size_t shown = std::min<std::size_t>(files.size(), 4);
  for (std::size_t k = 0; k < shown; ++k) fmt::print("{}\n", files[k]);
  if (files.size() > shown) fmt::print("and {} more\n", files.size() - shown);
}

}  // namespace

void add_export(CLI::App& app, Exit&) {
  auto* verb = app.add_subcommand("export", "Write a run for ParaView, pandas or OVITO, or draw and average it");
  auto o = std::make_shared<Options>();
  verb->add_option("run", o->run, "run.h5, or its folder")->required();
  verb->add_flag("--vtk", o->vtk, "ParaView: grains.pvd and .vtp files");
  verb->add_flag("--csv", o->csv, "grains.csv, contacts.csv, energies.csv");
  verb->add_flag("--lammps", o->lammps, "LAMMPS dump, for OVITO");
  verb->add_flag("--stress", o->stress, "Picture: grains shaded by the pressure within them");
  verb->add_option("--times", o->times, "Of the picture's panels, in s (default: four)")->delimiter(',')->needs("--stress");
  verb->add_option("--strip", o->strip, "Marks the grains of an upright strip of this width, in m, at the first frame")
      ->check(CLI::PositiveNumber)->needs("--stress");
  verb->add_flag("--radial", o->radial, "radial.csv: packing and velocities against the distance from a centre");
  verb->add_option("--centre", o->centre, "Of the radial profile, x,y in m (default: 0,0)")
      ->delimiter(',')->expected(2)->needs("--radial");
  verb->add_option("--skip", o->skip, "Fit the decay only beyond this distance from the inner edge, in m (default: one diameter)")
      ->check(CLI::NonNegativeNumber)->needs("--radial");
  verb->add_option("--profile", o->profile, "profile.csv: packing, velocity and granular temperature across x, y or z")
      ->check(CLI::IsMember({"x", "y", "z"}));
  verb->add_flag("--steady", o->steady, "Only frames after the kinetic energy has become steady")->needs("--profile");
  verb->add_option("--bins", o->bins, "Rings or slabs of a profile (default: 48)")->check(CLI::Range(3, 100000));
  verb->add_option("--out", o->out, "Folder (default: that of the run)");
  verb->add_option("--frames", o->frames, "first:last:stride, negative counts from the end (default: all)");
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree export out/column-collapse --csv --frames -1");
  verb->callback([o] { write_all(*o); });
}

}  // namespace scree
