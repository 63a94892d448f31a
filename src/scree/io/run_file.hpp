// SPDX-License-Identifier: BSD-3-Clause
/// The run file DIR/run.h5; its layout is in docs/run-file.md.
///
/// A process may be killed at any instant, and HDF5 changes its metadata in place: a file that is
/// open for writing can be broken by a kill. So nothing that a reader may open is ever open for
/// writing. While a run goes on, a frame is a small file DIR/frames/NNNNNNNN.h5 of its own, and
/// run.h5 a small master with external links to the frames; both are written aside and renamed. At
/// the end `finish` copies everything into one run.h5 of the same layout and removes the folder.
///
/// The master is kept in memory as an HDF5 file; a new frame adds a link there, and the bytes are
/// written out. That costs milliseconds even with thousands of frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/analysis/compare.hpp"
#include "scree/analysis/frame.hpp"
#include "scree/grains/world.hpp"

namespace scree {

/// What holds for a whole run. Units are SI.
struct RunInfo {
  std::string name;     // of the scene
  std::string scene;    // text of the scene file; the writer adds its hash
  std::string version;  // of Scree
  std::string real = "double";
  std::int64_t seed = 0;
  int dim = 2;
  std::vector<double> period;                // dim numbers, 0: open axis (empty: all open)
  std::vector<double> lo, hi;                // of the domain, dim numbers each (empty: not bounded)
  std::vector<double> gravity;               // dim numbers
  std::vector<std::string> materials;        // names, by index
  std::vector<std::string> groups;           // names, by index
  std::string walls = "[]";                  // JSON, see walls_json
  std::vector<std::vector<Vec<2, double>>> shapes;  // outlines of angular grains, of radius 1 about the centre of mass
  std::string forces;                        // JSON of what groups do to their grains, see group_forces.hpp; empty: nothing
  std::vector<std::int64_t> home_id;         // grains that are attached, ascending …
  std::vector<double> home;                  // … and where to: dim numbers each
  std::vector<std::string> signals;          // names of what is recorded with every row of energies
  std::map<std::string, std::vector<std::pair<double, double>>> servos;  // time and displacement by wall: read, not written
  std::map<std::string, std::string> extra;  // further text attributes (law, integrator, ...)
  std::map<std::string, double> numbers;     // further number attributes (dt, ...)
};

/// One row of the energy table, J.
struct EnergyRow {
  std::int64_t step = 0;
  double time = 0;
  double kinetic = 0, rotational = 0, potential = 0, elastic = 0;
  double normal = 0, tangential = 0, rolling = 0, drag = 0;
  double work = 0, balance_error = 0;
  double dissipated() const { return normal + tangential + rolling + drag; }
};
EnergyRow energy_row(std::int64_t step, double time, const Energies& e);

/// One row of the table of signals, written with every row of energies: what passed gates, where servos are.
struct SignalRow {
  std::int64_t step = 0;
  double time = 0;
  std::vector<double> values;  // by RunInfo::signals
};

/// Walls as JSON text and back, motion and times included.
template <int D> std::string walls_json(const std::vector<Wall<D>>& walls);
template <int D> std::vector<Wall<D>> walls_from_json(const std::string& text);

class RunWriter {
 public:
  /// Starts a run in `dir` (made if need be). What an earlier run left in run.h5 is gone.
  static RunWriter create(const std::filesystem::path& dir, const RunInfo& info);
  /// Goes on with the run in `dir`, finished or not, from a checkpoint at `step`: frames and energy
  /// rows of later steps are dropped. `info`, if given, replaces what the file says.
  static RunWriter resume(const std::filesystem::path& dir, std::int64_t step,
                          const std::optional<RunInfo>& info = {});
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  ~RunWriter();  // leaves the run unfinished, and readable

  /// Adds a row to the energy table. It reaches the disk with the next frame, `sync` or `finish`.
  void record(const EnergyRow& row, const std::vector<double>& signals = {});
  /// Writes a frame and its row of the energy table. Steps must not fall; a frame of the same step
  /// as the last one takes its place.
  void append(const Frame& frame, const std::vector<double>& signals = {});
  /// Waits until all that was given is on the disk. To be called before each checkpoint, so that
  /// what the checkpoint continues is there.
  void sync();
  /// Makes one self-contained run.h5. May be called again; `append` afterwards is an error.
  void finish();

  std::size_t frames() const;
  std::filesystem::path path() const;  // DIR/run.h5

 private:
  struct Body;
  explicit RunWriter(std::unique_ptr<Body> body);
  std::unique_ptr<Body> body_;
};

/// Reads a run file, finished or not.
class RunReader {
 public:
  /// A file, or a folder with a run.h5 in it.
  explicit RunReader(const std::filesystem::path& path);
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;
  ~RunReader();

  const std::filesystem::path& path() const;
  const RunInfo& info() const;
  std::uint64_t scene_hash() const;
  bool finished() const;

  std::size_t size() const;  // number of frames
  const std::vector<double>& times() const;
  const std::vector<std::int64_t>& steps() const;
  Frame frame(std::size_t i) const;
  std::vector<EnergyRow> energies() const;
  std::vector<SignalRow> signals() const;

  /// For the metric of analysis/compare.hpp. Refers to this reader, which must outlive it.
  Trajectory trajectory() const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace scree
