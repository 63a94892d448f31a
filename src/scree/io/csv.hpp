// SPDX-License-Identifier: BSD-3-Clause
/// Comma-separated text with 17 digits, which a double survives; and the one door to all exports.
///
///     grains.csv    frame,time,id,x,y[,z],vx,vy[,vz],w or wx,wy,wz,radius
///     contacts.csv  frame,time,id1,id2,overlap,fx,fy[,fz]
///     energies.csv  step,time,kinetic,rotational,...,balance_error
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/atomic_file.hpp"
#include "scree/io/run_file.hpp"

namespace scree {

void write_grains_header(AtomicFile& out, int dim, bool angular = false);
void write_grains_rows(AtomicFile& out, std::size_t index, const Frame& frame);
void write_contacts_header(AtomicFile& out, int dim);
void write_contacts_rows(AtomicFile& out, std::size_t index, const Frame& frame);
void write_energies_csv(const std::filesystem::path& path, const std::vector<EnergyRow>& rows);

/// step, time and the signals by name; names with commas or quotes are quoted.
void write_signals_csv(const std::filesystem::path& path, const RunReader& run);

enum class ExportKind { vtk, csv, lammps };

struct ExportOptions {
  /// Frames first, first + stride, ... up to and including last. Negative: counted from the end.
  std::ptrdiff_t first = 0, last = -1;
  std::size_t stride = 1;
};

/// "first:last:stride" with any part left out; "7" is one frame. InputError if it is none of these.
ExportOptions parse_frames(const std::string& text);
/// Their indices in a run. InputError if it does not have them.
std::vector<std::size_t> chosen_frames(const RunReader& run, const ExportOptions& options);

/// Writes into `dir` (made if need be) and returns the files, the one to open first.
/// vtk: grains.pvd, contacts.pvd and vtk/*.vtp; csv: as above; lammps: run.lammpstrj.
std::vector<std::filesystem::path> export_run(const RunReader& run, ExportKind kind,
                                              const std::filesystem::path& dir,
                                              const ExportOptions& options = {});

}  // namespace scree
