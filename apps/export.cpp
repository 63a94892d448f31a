// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scree/io/csv.hpp"
#include "verbs.hpp"

namespace scree {

void add_export(CLI::App& app, Exit&) {
  struct Options {
    std::string run, out, frames;
    bool vtk = false, csv = false, lammps = false, json = false;
  };
  auto* verb = app.add_subcommand("export", "Write a run for ParaView, pandas or OVITO");
  auto o = std::make_shared<Options>();
  verb->add_option("run", o->run, "run.h5, or its folder")->required();
  verb->add_flag("--vtk", o->vtk, "ParaView: grains.pvd and .vtp files");
  verb->add_flag("--csv", o->csv, "grains.csv, contacts.csv, energies.csv");
  verb->add_flag("--lammps", o->lammps, "LAMMPS dump, for OVITO");
  verb->add_option("--out", o->out, "Folder (default: that of the run)");
  verb->add_option("--frames", o->frames, "first:last:stride, negative counts from the end (default: all)");
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree export out/column-collapse --csv --frames -1");
  verb->callback([o] {
    if (!o->vtk && !o->csv && !o->lammps)
      throw InputError("export: say what to write: --vtk, --csv or --lammps");
    const RunReader run = open_run(o->run);
    const std::filesystem::path out = o->out.empty() ? run.path().parent_path() : std::filesystem::path(o->out);
    const ExportOptions options = o->frames.empty() ? ExportOptions{} : parse_frames(o->frames);
    std::vector<std::string> files;
    const auto write = [&](bool wanted, ExportKind kind) {
      if (!wanted) return;
      for (const auto& file : export_run(run, kind, out, options)) files.push_back(file.string());
    };
    write(o->vtk, ExportKind::vtk);
    write(o->csv, ExportKind::csv);
    write(o->lammps, ExportKind::lammps);
    if (o->json) {
      fmt::print("{}\n", nlohmann::json{{"files", files}}.dump(2));
      return;
    }
    const std::size_t shown = std::min<std::size_t>(files.size(), 4);
    for (std::size_t k = 0; k < shown; ++k) fmt::print("{}\n", files[k]);
    if (files.size() > shown) fmt::print("and {} more\n", files.size() - shown);
  });
}

}  // namespace scree
