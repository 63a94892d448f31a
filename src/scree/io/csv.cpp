// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/csv.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "scree/core/dd_text.hpp"
#include "scree/core/errors.hpp"
#include "scree/io/lammps.hpp"
#include "scree/io/vtk.hpp"

namespace scree {

namespace fs = std::filesystem;

namespace {

/// One row, comma by comma.
class Row {
 public:
  explicit Row(AtomicFile& out) : out_(out) {}
  Row& operator<<(double x) {
    next();
    fmt::format_to(std::back_inserter(text_), "{:.17g}", x);
    return *this;
  }
  Row& operator<<(std::int64_t n) {
    next();
    fmt::format_to(std::back_inserter(text_), "{}", n);
    return *this;
  }
  /// As many digits as it takes to read the same number back.
  Row& operator<<(const dd& x) {
    next();
    text_ += to_text(x);
    return *this;
  }
  /// Components k, k + 1, ... of a vector; zeros where a column is not recorded. `low` are low words.
  Row& vector(const std::vector<double>& column, std::size_t index, std::size_t width,
              const std::vector<double>& low = {}) {
    for (std::size_t k = 0; k < width; ++k) {
      const double hi = column.empty() ? 0.0 : column[index * width + k];
      if (low.empty()) *this << hi;
      else *this << dd(hi, low[index * width + k]);
    }
    return *this;
  }
  void end() {
    text_ += '\n';
    out_.write(text_);
    text_.clear();
  }

 private:
  void next() {
    if (!text_.empty()) text_ += ',';
  }
  AtomicFile& out_;
  std::string text_;
};

std::size_t spin_width(int dim) { return dim == 2 ? 1 : 3; }

}  // namespace

void write_grains_header(AtomicFile& out, int dim, bool angular) {
  out.write(dim == 2 ? (angular ? "frame,time,id,x,y,vx,vy,w,radius,angle,shape\n" : "frame,time,id,x,y,vx,vy,w,radius\n")
                     : "frame,time,id,x,y,z,vx,vy,vz,wx,wy,wz,radius\n");
}

void write_grains_rows(AtomicFile& out, std::size_t index, const Frame& f) {
  Row row(out);
  const auto dim = static_cast<std::size_t>(f.dim);
  for (std::size_t i = 0; i < f.size(); ++i) {
    row << static_cast<std::int64_t>(index);
    if (f.x_lo.empty()) row << f.time;
    else row << dd(f.time, f.time_lo);
    row << f.id[i];
    row.vector(f.x, i, dim, f.x_lo).vector(f.v, i, dim, f.v_lo).vector(f.w, i, spin_width(f.dim), f.w_lo).vector(f.radius, i, 1, f.radius_lo);
    if (!f.shape.empty()) row.vector(f.q, i, 1, f.q_lo) << f.shape[i];
    row.end();
  }
}

void write_contacts_header(AtomicFile& out, int dim) {
  out.write(dim == 2 ? "frame,time,id1,id2,overlap,fx,fy\n"
                     : "frame,time,id1,id2,overlap,fx,fy,fz\n");
}

void write_contacts_rows(AtomicFile& out, std::size_t index, const Frame& f) {
  Row row(out);
  const FrameContacts& c = f.contacts;
  for (std::size_t i = 0; i < c.size(); ++i) {
    row << static_cast<std::int64_t>(index) << f.time << c.id1[i] << c.id2[i];
    row.vector(c.overlap, i, 1).vector(c.force, i, static_cast<std::size_t>(f.dim));
    row.end();
  }
}

void write_signals_csv(const fs::path& path, const RunReader& run) {
  AtomicFile out(path);
  std::string header = "step,time";
  for (const std::string& name : run.info().signals) {
    std::string quoted;
    for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    header += name.find_first_of(",\"\n") == std::string::npos ? "," + name : ",\"" + quoted + '"';
  }
  out.write(header + "\n");
  Row row(out);
  for (const SignalRow& one : run.signals()) {
    row << one.step << one.time;
    for (const double x : one.values) row << x;
    row.end();
  }
  out.commit();
}

/// Outlines of radius 1, as `shape = { kind = "file" }` reads them.
void write_shapes_csv(const fs::path& path, const RunReader& run) {
  AtomicFile out(path);
  out.write("shape,x,y\n");
  Row row(out);
  std::int64_t number = 0;
  for (const auto& shape : run.info().shapes) {
    ++number;
    for (const auto& corner : shape) {
      row << number << corner[0] << corner[1];
      row.end();
    }
  }
  out.commit();
}

void write_energies_csv(const fs::path& path, const std::vector<EnergyRow>& rows) {
  AtomicFile out(path);
  out.write(
      "step,time,kinetic,rotational,potential,elastic,normal,tangential,rolling,drag,work,balance_"
      "error\n");
  Row row(out);
  for (const EnergyRow& e : rows) {
    row << e.step << e.time << e.kinetic << e.rotational << e.potential << e.elastic << e.normal
        << e.tangential << e.rolling << e.drag << e.work << e.balance_error;
    row.end();
  }
  out.commit();
}

// --- All exports
// -----------------------------------------------------------------------------------

ExportOptions parse_frames(const std::string& text) {
  ExportOptions options;
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const auto number = [&](const std::string& part, std::ptrdiff_t otherwise) {
    if (part.empty()) return otherwise;
    std::ptrdiff_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size())
      throw InputError("frames '" + text +
                       "': expected first:last:stride, e.g. 0:100:10, or one number");
    return value;
  };
  if (parts.size() > 3 || text.empty())
    throw InputError("frames '" + text +
                     "': expected first:last:stride, e.g. 0:100:10, or one number");
  options.first = number(parts[0], 0);
  options.last = parts.size() == 1 ? options.first : number(parts[1], -1);
  const std::ptrdiff_t stride = parts.size() > 2 ? number(parts[2], 1) : 1;
  if (stride < 1) throw InputError("frames '" + text + "': the stride must be at least 1");
  options.stride = static_cast<std::size_t>(stride);
  return options;
}

std::vector<std::size_t> chosen_frames(const RunReader& run, const ExportOptions& options) {
  const auto count = static_cast<std::ptrdiff_t>(run.size());
  const auto absolute = [&](std::ptrdiff_t k) { return k < 0 ? count + k : k; };
  const std::ptrdiff_t first = absolute(options.first),
                       last = std::min(absolute(options.last), count - 1);
  if (count == 0) throw InputError(run.path().string() + " has no frames");
  if (first < 0 || first >= count || last < first)
    throw InputError(fmt::format("{} has frames 0 to {}; {} to {} was asked for",
                                 run.path().string(), count - 1, options.first, options.last));
  std::vector<std::size_t> indices;
  for (std::ptrdiff_t k = first; k <= last; k += static_cast<std::ptrdiff_t>(options.stride))
    indices.push_back(static_cast<std::size_t>(k));
  return indices;
}

namespace {

std::vector<fs::path> export_vtk(const RunReader& run, const fs::path& dir,
                                 const std::vector<std::size_t>& indices) {
  make_folder(dir / "vtk");
  std::vector<std::pair<double, std::string>> grains, contacts, outlines;
  for (const std::size_t k : indices) {
    const Frame f = run.frame(k);
    grains.emplace_back(f.time, fmt::format("vtk/grains_{:08d}.vtp", k));
    write_grains_vtp(dir / grains.back().second, f);
    if (!f.shape.empty()) {
      outlines.emplace_back(f.time, fmt::format("vtk/outlines_{:08d}.vtp", k));
      write_outlines_vtp(dir / outlines.back().second, f, run.info().shapes);
    }
    if (!f.has_contacts) continue;
    contacts.emplace_back(f.time, fmt::format("vtk/contacts_{:08d}.vtp", k));
    write_contacts_vtp(dir / contacts.back().second, f);
  }
  std::vector<fs::path> files{dir / "grains.pvd"};
  write_pvd(files.back(), grains);
  if (!contacts.empty()) {
    files.push_back(dir / "contacts.pvd");
    write_pvd(files.back(), contacts);
  }
  if (!outlines.empty()) {
    files.push_back(dir / "outlines.pvd");
    write_pvd(files.back(), outlines);
  }
  for (const auto* list : {&grains, &contacts, &outlines})
    for (const auto& entry : *list) files.push_back(dir / entry.second);
  return files;
}

std::vector<fs::path> export_csv(const RunReader& run, const fs::path& dir,
                                 const std::vector<std::size_t>& indices) {
  std::vector<fs::path> files{dir / "grains.csv", dir / "contacts.csv", dir / "energies.csv"};
  AtomicFile grains(files[0]), contacts(files[1]);
  write_grains_header(grains, run.info().dim, !run.info().shapes.empty());
  write_contacts_header(contacts, run.info().dim);
  for (const std::size_t k : indices) {
    const Frame f = run.frame(k);
    write_grains_rows(grains, k, f);
    write_contacts_rows(contacts, k, f);
  }
  grains.commit();
  contacts.commit();
  write_energies_csv(files[2], run.energies());
  if (!run.info().shapes.empty()) {
    files.push_back(dir / "shapes.csv");
    write_shapes_csv(files.back(), run);
  }
  if (!run.info().signals.empty()) {
    files.push_back(dir / "signals.csv");
    write_signals_csv(files.back(), run);
  }
  return files;
}

std::vector<fs::path> export_lammps(const RunReader& run, const fs::path& dir,
                                    const std::vector<std::size_t>& indices) {
  const fs::path path = dir / "run.lammpstrj";
  AtomicFile out(path);
  for (const std::size_t k : indices) write_lammps_frame(out, run.frame(k), run.info());
  out.commit();
  return {path};
}

}  // namespace

std::vector<fs::path> export_run(const RunReader& run, ExportKind kind, const fs::path& dir,
                                 const ExportOptions& options) {
  const auto indices = chosen_frames(run, options);
  make_folder(dir);
  switch (kind) {
    case ExportKind::vtk:
      return export_vtk(run, dir, indices);
    case ExportKind::csv:
      return export_csv(run, dir, indices);
    case ExportKind::lammps:
      return export_lammps(run, dir, indices);
  }
  return {};
}

}  // namespace scree
