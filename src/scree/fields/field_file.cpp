// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/field_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/hdf5.hpp"
#include "scree/io/vtk.hpp"

namespace scree::fields {
namespace {

constexpr const char* format_name = "scree fields 1";

/// One dataset per field: the tables below each other.
void write_group(hdf5::Group group, const std::vector<const std::vector<Field>*>& tables) {
  for (std::size_t k = 0; k < tables.front()->size(); ++k) {
    const Field& f = (*tables.front())[k];
    std::vector<double> all;
    all.reserve(f.values.size() * tables.size());
    for (const auto* one : tables) all.insert(all.end(), (*one)[k].values.begin(), (*one)[k].values.end());
    group.write(f.name, all, f.width() > 1 ? f.width() : 0);
    group.set("unit", f.unit, f.name);
    std::string components;
    for (const auto& c : f.components) components += (components.empty() ? "" : ",") + c;
    group.set("components", components, f.name);
    group.set("place", static_cast<std::int64_t>(k), f.name);
  }
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t comma = text.find(',', at);
    parts.push_back(text.substr(at, comma - at));
    if (comma == std::string::npos) return parts;
    at = comma + 1;
  }
}

void read_group(const hdf5::Group& group, std::size_t tables, const std::function<std::vector<Field>&(std::size_t)>& into) {
  std::vector<std::string> order(group.names().size());
  for (const std::string& name : group.names()) order.at(static_cast<std::size_t>(group.integer("place", name))) = name;
  for (const std::string& name : order) {
    const std::vector<double> all = group.read<double>(name);
    const std::size_t each = all.size() / tables;
    Field f{name, group.text("unit", name), split(group.text("components", name)), {}};
    for (std::size_t t = 0; t < tables; ++t) {
      f.values.assign(all.begin() + static_cast<std::ptrdiff_t>(t * each), all.begin() + static_cast<std::ptrdiff_t>((t + 1) * each));
      into(t).push_back(f);
    }
  }
}

}  // namespace

void write_fields(const std::filesystem::path& path, const RunFields& f) {
  write_errors_not_signals();
  if (!path.parent_path().empty()) make_folder(path.parent_path());
  const std::filesystem::path part = aside(path);
  try {
    hdf5::File file = hdf5::File::create(part);
    file.set("format", std::string(format_name));
    file.set("version", std::string(SCREE_VERSION));
    file.set("run", f.run);
    file.set("dim", static_cast<std::int64_t>(f.grid.dim));
    file.set("coordinates", f.grid.coordinates);
    file.set("kernel", f.kernel);
    file.set("width", f.width);
    file.set("reach", f.reach);
    file.set("boundary", f.boundary);
    file.set("domain", f.domain);
    file.set("grain_radius", f.grain_radius);
    std::string notes;
    for (const auto& one : f.notes) notes += one + "\n";
    file.set("notes", notes);
    {
      hdf5::Group grid = file.create_group("grid");
      grid.set("scattered", static_cast<std::int64_t>(f.grid.is_scattered() ? 1 : 0));
      grid.set("measure", f.grid.measure);
      grid.set("angles", static_cast<std::int64_t>(f.grid.samples()));
      grid.set("centre", std::vector<double>{f.grid.centre[0], f.grid.centre[1]});
      std::vector<std::int64_t> shape;
      for (const std::size_t n : f.grid.shape()) shape.push_back(static_cast<std::int64_t>(n));
      grid.write("shape", shape);
      grid.write_texts("names", f.grid.names);
      for (std::size_t k = 0; k < f.grid.ticks.size(); ++k) grid.write(f.grid.names[k], f.grid.ticks[k]);
      const std::size_t n = f.grid.names.size();
      std::vector<double> points(f.grid.size() * n);
      for (std::size_t p = 0; n > 0 && p < f.grid.size(); ++p) f.grid.coordinates_of(p, &points[p * n]);
      if (n > 0) grid.write("points", points, n);
    }
    std::vector<double> time, from, to;
    std::vector<std::int64_t> frames;
    std::vector<const std::vector<Field>*> fields, variances, derivatives;
    for (const FieldTable& t : f.tables) {
      time.push_back(t.time());
      from.push_back(t.from);
      to.push_back(t.to);
      frames.push_back(t.frames);
      fields.push_back(&t.fields);
      if (!t.variances.empty()) variances.push_back(&t.variances);
    }
    for (const auto& one : f.derivatives) derivatives.push_back(&one);
    file.write("time", time);
    file.write("time_from", from);
    file.write("time_to", to);
    file.write("frames", frames);
    write_group(file.create_group("fields"), fields);
    if (!variances.empty() && variances.size() == fields.size()) write_group(file.create_group("variance"), variances);
    if (!derivatives.empty() && !derivatives[0]->empty()) write_group(file.create_group("derivatives"), derivatives);
    file.close();
    replace_file(part, path);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

RunFields read_fields(const std::filesystem::path& path) {
  try {
    const hdf5::File file = hdf5::File::open(path);
    if (!file.has_attribute("format") || file.text("format") != format_name)
      throw InputError(path.string() + " is no fields file (scree fields RUN.h5 makes one)");
    RunFields f;
    f.run = file.text("run");
    f.kernel = file.text("kernel");
    f.boundary = file.text("boundary");
    f.domain = file.text("domain");
    f.width = file.real("width");
    f.reach = file.real("reach");
    f.grain_radius = file.real("grain_radius");
    const hdf5::Group grid = file.group("grid");
    f.grid = make_grid(file.text("coordinates"), static_cast<int>(file.integer("dim")));
    const auto centre = grid.reals("centre");
    f.grid.centre = {centre.at(0), centre.at(1)};
    f.grid.measure = grid.real("measure");
    f.grid.angles = static_cast<std::size_t>(grid.integer("angles"));
    if (grid.integer("scattered") != 0) f.grid.scattered = grid.read<double>("points");
    else
      for (const auto& name : f.grid.names) f.grid.ticks.push_back(grid.read<double>(name));
    const auto from = file.read<double>("time_from"), to = file.read<double>("time_to"), time = file.read<double>("time");
    const auto frames = file.read<std::int64_t>("frames");
    f.tables.resize(from.size());
    for (std::size_t t = 0; t < from.size(); ++t) {
      f.tables[t].from = from[t];
      f.tables[t].to = to.at(t);
      if (time.at(t) != f.tables[t].time()) f.tables[t].centre = time[t];
      f.tables[t].frames = frames.at(t);
    }
    read_group(file.group("fields"), from.size(), [&](std::size_t t) -> std::vector<Field>& { return f.tables[t].fields; });
    for (FieldTable& t : f.tables) {
      const Field *pressure = find_field(t.fields, "pressure"), *density = find_field(t.fields, "density");
      for (const double p : pressure->values) t.has_contacts = t.has_contacts || std::isfinite(p);
      for (const double rho : density->values) t.empty += rho == 0 ? 1 : 0;
    }
    if (file.has("variance"))
      read_group(file.group("variance"), from.size(), [&](std::size_t t) -> std::vector<Field>& { return f.tables[t].variances; });
    if (file.has("derivatives")) {
      f.derivatives.resize(from.size());
      read_group(file.group("derivatives"), from.size(), [&](std::size_t t) -> std::vector<Field>& { return f.derivatives[t]; });
    }
    std::string notes = file.text("notes");
    for (std::size_t at = 0, end = 0; (end = notes.find('\n', at)) != std::string::npos; at = end + 1)
      f.notes.push_back(notes.substr(at, end - at));
    return f;
  } catch (const RunError& error) {
    throw InputError(error.what());
  }
}

void write_fields_csv(const std::filesystem::path& path, const RunFields& f) {
  if (!path.parent_path().empty()) make_folder(path.parent_path());
  AtomicFile out(path);
  const bool series = f.tables.size() > 1;
  std::string head = series ? "time" : "";
  const auto add = [&](const std::string& column) { head += (head.empty() ? "" : ",") + column; };
  for (const auto& name : f.grid.names) add(name);
  for (const Field& one : f.tables.front().fields)
    for (std::size_t k = 0; k < one.width(); ++k) add(one.column(k));
  for (const Field& one : f.tables.front().variances)
    for (std::size_t k = 0; k < one.width(); ++k) add(one.column(k) + "_variance");
  if (!f.derivatives.empty())
    for (const Field& one : f.derivatives.front())
      for (std::size_t k = 0; k < one.width(); ++k) add(one.column(k));
  out.write(head + "\n");
  fmt::memory_buffer line;
  double x[3]{};
  for (std::size_t t = 0; t < f.tables.size(); ++t)
    for (std::size_t p = 0; p < f.grid.size(); ++p) {
      line.clear();
      const auto put = [&](double value) {
        if (line.size() > 0) line.push_back(',');
        if (std::isnan(value)) fmt::format_to(std::back_inserter(line), "nan");
        else fmt::format_to(std::back_inserter(line), "{:.17g}", value);
      };
      if (series) put(f.tables[t].time());
      f.grid.coordinates_of(p, x);
      for (std::size_t k = 0; k < f.grid.names.size(); ++k) put(x[k]);
      const auto list = [&](const std::vector<Field>& fields) {
        for (const Field& one : fields)
          for (std::size_t k = 0; k < one.width(); ++k) put(one.values[p * one.width() + k]);
      };
      list(f.tables[t].fields);
      list(f.tables[t].variances);
      if (!f.derivatives.empty()) list(f.derivatives[t]);
      line.push_back('\n');
      out.write(std::string_view(line.data(), line.size()));
    }
  out.commit();
}

void check_vtk(const Grid& g) {
  if (g.is_scattered() || g.coordinates == "r" || g.names.empty())
    throw InputError("fields: VTK takes grids of x, y, z or r, theta; for points, radial profiles and means take CSV or HDF5");
}

std::vector<std::filesystem::path> write_fields_vtk(const std::filesystem::path& stem, const RunFields& f) {
  const Grid& g = f.grid;
  check_vtk(g);
  if (!stem.parent_path().empty()) make_folder(stem.parent_path());
  const bool polar = g.polar();
  // output coordinate k lies along this axis of VTK
  std::array<std::size_t, 3> counts{1, 1, 1};
  std::array<double, 3> origin{}, spacing{1, 1, 1};
  std::vector<std::size_t> axis;
  for (std::size_t k = 0; k < g.ticks.size(); ++k) {
    axis.push_back(polar ? k : static_cast<std::size_t>(g.axes[k]));
    counts[axis[k]] = g.ticks[k].size();
    origin[axis[k]] = g.ticks[k].front();
    if (g.ticks[k].size() > 1) spacing[axis[k]] = g.ticks[k][1] - g.ticks[k][0];
  }
  // ours run with the last coordinate fastest, VTK's with the first
  std::vector<std::size_t> from;
  for (std::size_t c = 0; c < counts[2]; ++c)
    for (std::size_t b = 0; b < counts[1]; ++b)
      for (std::size_t a = 0; a < counts[0]; ++a) {
        const std::array<std::size_t, 3> at{a, b, c};
        std::size_t p = 0;
        for (std::size_t k = 0; k < axis.size(); ++k) p = p * g.ticks[k].size() + at[axis[k]];
        from.push_back(p);
      }
  const auto dim = static_cast<std::size_t>(g.dim);
  const auto turn_of = [&](std::size_t p) {
    double c[3]{};
    g.coordinates_of(p, c);
    return polar ? c[1] : 0.0;
  };
  const auto arrays = [&](const FieldTable& table) {
    std::vector<VtkArray> all;
    for (const Field& one : table.fields) {
      const bool vector = one.width() == dim, tensor = one.width() == dim * dim;
      VtkArray out{one.name, {}, vector ? 3 : tensor ? 9 : static_cast<int>(one.width())};
      const auto width = static_cast<std::size_t>(out.components);
      out.values.assign(from.size() * width, 0.0);
      for (std::size_t k = 0; k < from.size(); ++k) {
        const double* v = &one.values[from[k] * one.width()];
        const double turn = turn_of(from[k]), c = std::cos(turn), s = std::sin(turn);
        const double Q[3][3]{{c, -s, 0}, {s, c, 0}, {0, 0, 1}};  // from r, t to x, y
        if (vector) {
          for (std::size_t a = 0; a < dim; ++a)
            for (std::size_t b = 0; b < dim; ++b) out.values[width * k + a] += Q[a][b] * v[b];
        } else if (tensor) {
          for (std::size_t a = 0; a < dim; ++a)
            for (std::size_t b = 0; b < dim; ++b)
              for (std::size_t m = 0; m < dim; ++m)
                for (std::size_t n = 0; n < dim; ++n) out.values[width * k + 3 * a + b] += Q[a][m] * Q[b][n] * v[dim * m + n];
        } else {
          for (std::size_t a = 0; a < one.width(); ++a) out.values[width * k + a] = v[a];
        }
      }
      all.push_back(std::move(out));
    }
    return all;
  };
  std::vector<std::filesystem::path> files;
  std::vector<std::pair<double, std::string>> entries;
  for (std::size_t t = 0; t < f.tables.size(); ++t) {
    const std::string tail = f.tables.size() > 1 ? fmt::format("_{:04d}", t) : "";
    const std::filesystem::path path = stem.string() + tail + (polar ? ".vts" : ".vti");
    if (polar) {
      std::vector<double> points;
      for (const std::size_t p : from) {
        double x[3]{}, turn = 0;
        g.place(p, 0, x, turn);
        points.insert(points.end(), {x[0], x[1], 0.0});
      }
      write_vts(path, f.tables[t].time(), counts, points, arrays(f.tables[t]));
    } else {
      write_vti(path, f.tables[t].time(), origin, spacing, counts, arrays(f.tables[t]));
    }
    files.push_back(path);
    entries.push_back({f.tables[t].time(), path.filename().string()});
  }
  if (f.tables.size() > 1) {
    files.insert(files.begin(), stem.string() + ".pvd");
    write_pvd(files.front(), entries);
  }
  return files;
}

std::vector<double> read_points(const std::filesystem::path& path, int dim) {
  std::ifstream in(path);
  if (!in) throw InputError("cannot read the points " + path.string());
  std::string line;
  const auto trimmed = [](std::string text) {
    const auto first = text.find_first_not_of(" \t\r\""), last = text.find_last_not_of(" \t\r\"");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
  };
  if (!std::getline(in, line)) throw InputError(path.string() + ": expected a first line with the names of the columns, x,y" + (dim == 3 ? ",z" : ""));
  const std::vector<std::string> names = split(line);
  std::vector<std::size_t> column;
  for (int a = 0; a < dim; ++a) {
    const std::string wanted(1, static_cast<char>('x' + a));
    std::size_t k = 0;
    while (k < names.size() && trimmed(names[k]) != wanted) ++k;
    if (k == names.size()) throw InputError(path.string() + ":1: expected a column \"" + wanted + "\" among " + in_quotes(trimmed(line)));
    column.push_back(k);
  }
  std::vector<double> points;
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    if (trimmed(line).empty()) continue;
    const std::vector<std::string> cells = split(line);
    for (const std::size_t k : column) {
      const std::string cell = k < cells.size() ? trimmed(cells[k]) : "";
      double value = 0;
      const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (cell.empty() || read.ec != std::errc{} || read.ptr != cell.data() + cell.size() || !std::isfinite(value))
        throw InputError(fmt::format("{}:{}: expected a number for {}, found {}", path.string(), number, trimmed(names[k]), in_quotes(cell)));
      points.push_back(value);
    }
  }
  if (points.empty()) throw InputError(path.string() + " has no points");
  return points;
}

}  // namespace scree::fields
