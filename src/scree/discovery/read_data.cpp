// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/read_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/io/hdf5.hpp"

namespace scree {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& what) { return std::find(list.begin(), list.end(), what) != list.end(); }

std::size_t column_of(const std::string& file, const std::vector<std::string>& columns, const std::string& name, const std::string& option) {
  const auto at = std::find(columns.begin(), columns.end(), name);
  if (at == columns.end())
    throw InputError(fmt::format("{}: {}: there is no {}; expected one of {}{}", file, option, in_quotes(name), join(columns), did_you_mean(name, columns)));
  return static_cast<std::size_t>(at - columns.begin());
}

/// A name that expressions can use: letters, digits, _.
std::string usable(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "v" + name : name;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // by column
  std::vector<std::string> text_columns;    // left out
};

Table read_csv(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file + ": cannot be opened");
  Table table;
  std::string line;
  std::size_t number = 0;
  char separator = ',';
  std::vector<bool> text;
  std::vector<std::string> cells;
  const auto split = [&] {
    cells.clear();
    std::size_t from = 0;
    while (from <= line.size()) {
      const std::size_t to = std::min(line.find(separator, from), line.size());
      cells.push_back(trimmed(std::string_view(line).substr(from, to - from)));
      from = to + 1;
    }
  };
  while (std::getline(in, line)) {
    ++number;
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || (line[0] == '#' && !table.columns.empty())) continue;
    if (table.columns.empty()) {
      if (line[0] == '#') line.erase(0, 1);
      for (const char c : {',', ';', '\t'})
        if (line.find(c) != std::string::npos) {
          separator = c;
          break;
        }
      split();
      for (const std::string& cell : cells) {
        double x = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
        if (!cell.empty() && error == std::errc() && end == cell.data() + cell.size())
          throw InputError(fmt::format("{}:{}: expected a line with the names of the columns, found the number {}", file, number, cell));
        std::string name = usable(cell);
        if (contains(table.columns, name)) throw InputError(fmt::format("{}:{}: two columns are called {}", file, number, in_quotes(name)));
        table.columns.push_back(name);
      }
      table.values.resize(table.columns.size());
      text.assign(table.columns.size(), false);
      continue;
    }
    split();
    if (cells.size() != table.columns.size())
      throw InputError(fmt::format("{}:{}: expected {} cells, found {}", file, number, table.columns.size(), cells.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) {
      double x = NAN;
      const std::string& cell = cells[k];
      const char* begin = cell.data() + (cell.starts_with('+') ? 1 : 0);
      const auto [end, error] = std::from_chars(begin, cell.data() + cell.size(), x);
      if (error != std::errc() || end != cell.data() + cell.size()) {
        x = NAN;
        if (!cell.empty() && cell != "NA" && cell != "na" && cell != "null") {
          if (!table.values[k].empty() && !text[k] && std::any_of(table.values[k].begin(), table.values[k].end(), [](double v) { return std::isfinite(v); }))
            throw InputError(fmt::format("{}:{}: column {}: expected a number, found {}", file, number, table.columns[k], in_quotes(cell)));
          text[k] = true;
        }
      }
      table.values[k].push_back(x);
    }
  }
  if (table.columns.empty()) throw InputError(file + ": no header line with the names of the columns");
  if (table.values[0].empty()) throw InputError(file + ": no rows");
  for (std::size_t k = table.columns.size(); k-- > 0;)
    if (text[k]) {
      table.text_columns.push_back(table.columns[k]);
      table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(k));
      table.values.erase(table.values.begin() + static_cast<std::ptrdiff_t>(k));
    }
  return table;
}

/// Rows with coordinates become a grid.
Sample grid_of(const std::string& name, const std::vector<std::size_t>& rows, const std::vector<const std::vector<double>*>& coordinates,
               const std::vector<std::string>& coordinate_names, const std::vector<const std::vector<double>*>& fields, std::vector<std::string>& notes) {
  Sample s;
  s.name = name;
  std::size_t points = 1;
  std::string sizes;
  for (std::size_t a = 0; a < coordinates.size(); ++a) {
    GridAxis axis;
    for (const std::size_t r : rows) {
      const double x = (*coordinates[a])[r];
      if (!std::isfinite(x)) throw InputError(fmt::format("{}: row {}: coordinate {} is missing or not finite", name, r + 1, coordinate_names[a]));
      axis.at.push_back(x);
    }
    std::sort(axis.at.begin(), axis.at.end());
    axis.at.erase(std::unique(axis.at.begin(), axis.at.end()), axis.at.end());
    points *= axis.size();
    sizes += fmt::format("{}{} values of {}", a == 0 ? "" : ", ", axis.size(), coordinate_names[a]);
    s.axes.push_back(std::move(axis));
  }
  if (rows.size() > points || 2 * rows.size() < points)
    throw InputError(fmt::format("{}: {} rows do not form a grid: there are {}, that is {} points. Say which columns are coordinates (--time, --space), and which "
                                 "tells trajectories apart (--by)", name, rows.size(), sizes, points));
  s.fields.assign(fields.size(), std::vector<double>(points, NAN));
  std::vector<bool> seen(points);
  for (const std::size_t r : rows) {
    std::size_t at = 0;
    for (std::size_t a = 0; a < coordinates.size(); ++a) {
      const auto& axis = s.axes[a].at;
      at = at * axis.size() + static_cast<std::size_t>(std::lower_bound(axis.begin(), axis.end(), (*coordinates[a])[r]) - axis.begin());
    }
    if (seen[at]) throw InputError(fmt::format("{}: row {}: its coordinates have been there before; if there are several trajectories, say which column tells them apart (--by)", name, r + 1));
    seen[at] = true;
    for (std::size_t f = 0; f < fields.size(); ++f) s.fields[f][at] = (*fields[f])[r];
  }
  if (rows.size() < points) notes.push_back(fmt::format("{}: {} of {} points of the grid have no row: missing", name, points - rows.size(), points));
  return s;
}

bool is_hdf5(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

/// A sample from a group: coordinates are one-dimensional datasets, fields have their shape.
bool read_group(const hdf5::Group& group, const std::string& name, const DataSettings& s, Names& names, Sample& sample) {
  std::vector<std::string> numbers;
  std::map<std::string, std::vector<std::size_t>> shapes;
  for (const std::string& one : group.names()) {
    hdf5::Kind kind = hdf5::Kind::other;
    try {
      shapes[one] = group.shape(one);
      kind = group.kind(one);
    } catch (const RunError&) {
      continue;  // a group
    }
    if (kind == hdf5::Kind::text || kind == hdf5::Kind::other) continue;
    numbers.push_back(one);
  }
  std::vector<std::string> order;
  if (!s.time.empty()) order.push_back(s.time);
  else
    for (const char* t : {"t", "time"})
      if (shapes.contains(t) && shapes[t].size() == 1 && order.empty() && !contains(s.variables, t)) order.emplace_back(t);
  const bool timed = !order.empty();
  if (!s.space.empty()) {
    order.insert(order.end(), s.space.begin(), s.space.end());
  } else {
    for (const char* x : {"x", "y", "z", "r", "theta"})
      if (shapes.contains(x) && shapes[x].size() == 1 && !contains(s.variables, x)) order.emplace_back(x);
    // x, y, z of a trajectory are variables: coordinates are only those on whose grid a dataset lies
    const auto has_fields = [&] {
      return std::any_of(numbers.begin(), numbers.end(), [&](const std::string& one) {
        const auto& shape = shapes[one];
        bool fits = shape.size() == order.size() || (shape.size() == order.size() + 1 && shape.back() <= 9);
        for (std::size_t a = 0; a < order.size() && fits; ++a) fits = shape[a] == shapes[order[a]][0];
        return fits && !contains(order, one);
      });
    };
    while (order.size() > 1 && !has_fields()) order.pop_back();
  }
  std::vector<std::size_t> grid;
  for (const std::string& one : order) {
    if (!shapes.contains(one)) return false;
    if (shapes[one].size() != 1) throw InputError(fmt::format("{}: {} is a coordinate and should have one dimension, not {}", name, one, shapes[one].size()));
    grid.push_back(shapes[one][0]);
  }
  Names found;
  found.timed = timed;
  found.coordinates = order;
  std::vector<std::pair<std::string, int>> fields;  // dataset and component, -1 for all of it
  for (const std::string& one : numbers) {
    if (contains(order, one)) continue;
    const auto& shape = shapes[one];
    if (shape == grid) {
      if (s.variables.empty() || contains(s.variables, usable(one))) fields.emplace_back(one, -1);
    } else if (shape.size() == grid.size() + 1 && std::equal(grid.begin(), grid.end(), shape.begin()) && shape.back() <= 9) {
      for (int c = 0; c < static_cast<int>(shape.back()); ++c)
        if (s.variables.empty() || contains(s.variables, usable(one) + std::to_string(c))) fields.emplace_back(one, c);
    }
  }
  if (fields.empty()) return false;
  for (const auto& [dataset, component] : fields) found.fields.push_back(component < 0 ? usable(dataset) : usable(dataset) + std::to_string(component));
  for (const std::string& one : s.variables) column_of(name, found.fields, one, "--variables");
  names = found;
  sample.name = name;
  for (const std::string& one : order) {
    GridAxis axis{group.read<double>(one), contains(s.periodic, one)};
    if (group.has_attribute("periodic", one)) axis.periodic |= group.integer("periodic", one) != 0;
    sample.axes.push_back(std::move(axis));
  }
  for (const auto& [dataset, component] : fields) {
    std::vector<double> values = group.read<double>(dataset);
    if (component >= 0) {
      const std::size_t n = shapes[dataset].back();
      std::vector<double> one;
      for (std::size_t i = static_cast<std::size_t>(component); i < values.size(); i += n) one.push_back(values[i]);
      values = std::move(one);
    }
    sample.fields.push_back(std::move(values));
  }
  return true;
}

/// A file of `scree fields`: docs/fields.md. One table is a sample without time, a series one with it.
Dataset read_fields_file(const hdf5::File& h5, const std::string& file, const DataSettings& s) {
  Dataset data;
  const hdf5::Group grid = h5.group("grid"), fields = h5.group("fields");
  if (grid.integer("scattered") != 0) throw InputError(file + ": its points are scattered; expected fields on a grid (scree fields without --points)");
  Sample sample;
  sample.name = file;
  const std::vector<double> time = h5.read<double>("time");
  if (time.size() > 1) {
    data.names.timed = true;
    data.names.coordinates.emplace_back("t");
    sample.axes.push_back({time, false});
  }
  const std::vector<std::string> names = grid.read_texts("names");
  for (const std::string& one : names) {
    data.names.coordinates.push_back(one);
    GridAxis axis{grid.read<double>(one), contains(s.periodic, one)};
    // the angle of a whole turn
    if (one == "theta" && axis.size() > 2 && std::abs(axis.step() * static_cast<double>(axis.size()) - 6.283185307179586) < 1e-6) axis.periodic = true;
    sample.axes.push_back(std::move(axis));
  }
  if (sample.axes.empty()) throw InputError(file + ": one table of one point is no data; expected a series or a grid");
  for (const std::string& one : fields.names()) {
    const std::vector<double> values = fields.read<double>(one);
    const std::size_t parts = values.size() / sample.points();
    std::vector<std::string> components{""};
    if (fields.has_attribute("components", one))
      if (const std::string text = fields.text("components", one); !text.empty()) {
        components.clear();
        std::istringstream list(text);
        for (std::string c; std::getline(list, c, ',');) components.push_back("_" + c);
      }
    if (components.size() != parts) continue;
    for (std::size_t c = 0; c < parts; ++c) {
      const std::string name = one + components[c];
      if (!s.variables.empty() && !contains(s.variables, name)) continue;
      std::vector<double> column;
      for (std::size_t i = c; i < values.size(); i += parts) column.push_back(values[i]);
      if (s.variables.empty() && std::none_of(column.begin(), column.end(), [](double x) { return std::isfinite(x); })) {
        data.notes.push_back(fmt::format("{}: {} is nowhere known: left out", file, name));
        continue;
      }
      data.names.fields.push_back(name);
      sample.fields.push_back(std::move(column));
    }
  }
  for (const std::string& one : s.variables) column_of(file, data.names.fields, one, "--variables");
  if (s.variables.empty() && data.names.fields.size() > 6)
    data.notes.push_back(fmt::format("all {} fields are in the library; --variables chooses some", data.names.fields.size()));
  data.samples.push_back(std::move(sample));
  return data;
}

Dataset read_hdf5(const std::string& file, const DataSettings& s) {
  Dataset data;
  try {
    const hdf5::File h5 = hdf5::File::open(file);
    if (h5.has_attribute("format") && h5.text("format").starts_with("scree fields")) return read_fields_file(h5, file, s);
    Sample sample;
    if (read_group(h5, file, s, data.names, sample)) {
      data.samples.push_back(std::move(sample));
      return data;
    }
    for (const std::string& one : h5.names()) {
      Names names;
      Sample part;
      try {
        if (!read_group(h5.group(one), file + "/" + one, s, names, part)) continue;
      } catch (const RunError&) {
        continue;  // no group
      }
      if (!data.samples.empty() && (names.fields != data.names.fields || names.coordinates != data.names.coordinates))
        throw InputError(fmt::format("{}: group {} has other fields ({}) than the first ({})", file, one, join(names.fields), join(data.names.fields)));
      data.names = names;
      data.samples.push_back(std::move(part));
    }
  } catch (const RunError& error) {
    throw InputError(error.what());
  }
  if (data.samples.empty())
    throw InputError(fmt::format("{}: no fields found; expected datasets of the shape of their coordinates, which are one-dimensional datasets (t, x, y, z, or --time and --space)", file));
  return data;
}

}  // namespace

Dataset dataset_of_table(const std::string& name, const std::vector<std::string>& columns, const std::vector<std::vector<double>>& values, const DataSettings& s) {
  Dataset data;
  std::string time = s.time;
  if (time.empty())
    for (const char* t : {"t", "time"})
      if (contains(columns, t) && time.empty() && !contains(s.variables, t)) time = t;
  data.names.timed = !time.empty();
  if (data.names.timed) data.names.coordinates.push_back(time);
  data.names.coordinates.insert(data.names.coordinates.end(), s.space.begin(), s.space.end());
  std::vector<const std::vector<double>*> coordinates, fields;
  for (const std::string& c : data.names.coordinates) coordinates.push_back(&values[column_of(name, columns, c, c == time ? "--time" : "--space")]);
  for (const std::string& c : s.periodic)
    if (!contains(data.names.coordinates, c)) throw InputError(fmt::format("--periodic: {} is no coordinate; expected one of {}", in_quotes(c), join(data.names.coordinates)));
  const std::vector<double>* by = s.by.empty() ? nullptr : &values[column_of(name, columns, s.by, "--by")];
  if (s.variables.empty()) {
    for (const std::string& c : columns)
      if (!contains(data.names.coordinates, c) && c != s.by) data.names.fields.push_back(c);
  } else {
    data.names.fields = s.variables;
  }
  for (const std::string& f : data.names.fields) fields.push_back(&values[column_of(name, columns, f, "--variables")]);
  // rows of each trajectory, in the order in which they first come
  std::vector<std::pair<double, std::vector<std::size_t>>> groups;
  const std::size_t rows = values.empty() ? 0 : values[0].size();
  std::map<double, std::size_t> place;
  for (std::size_t r = 0; r < rows; ++r) {
    const double key = by ? (*by)[r] : 0;
    if (!std::isfinite(key)) throw InputError(fmt::format("{}: row {}: column {} is missing or not a number", name, r + 1, s.by));
    const auto [at, fresh] = place.emplace(key, groups.size());
    if (fresh) groups.push_back({key, {}});
    groups[at->second].second.push_back(r);
  }
  // a single coordinate that goes back begins a new trajectory
  if (coordinates.size() == 1) {
    std::vector<std::pair<double, std::vector<std::size_t>>> cut;
    for (auto& [key, list] : groups) {
      std::size_t from = 0;
      for (std::size_t k = 1; k <= list.size(); ++k) {
        if (k < list.size() && !((*coordinates[0])[list[k]] < (*coordinates[0])[list[k - 1]])) continue;
        cut.push_back({key, std::vector<std::size_t>(list.begin() + static_cast<std::ptrdiff_t>(from), list.begin() + static_cast<std::ptrdiff_t>(k))});
        from = k;
      }
    }
    if (cut.size() > groups.size()) {
      std::size_t longest = 0;
      for (const auto& one : cut) longest = std::max(longest, one.second.size());
      if (longest < 4) throw InputError(fmt::format("{}: {} falls again and again, so the rows are no trajectory; sort them or say which column tells trajectories apart (--by)", name, data.names.coordinates[0]));
      data.notes.push_back(fmt::format("{}: {} goes back {} times: taken as {} trajectories", name, data.names.coordinates[0], cut.size() - groups.size(), cut.size()));
    }
    groups = std::move(cut);
  }
  for (const auto& [key, list] : groups) {
    const std::string label = groups.size() == 1 ? name : fmt::format("{} ({})", name, by ? s.by + " " + brief(key) : "part " + std::to_string(data.samples.size() + 1));
    if (coordinates.empty()) {
      Sample sample;
      sample.name = label;
      GridAxis axis;
      for (std::size_t k = 0; k < list.size(); ++k) axis.at.push_back(static_cast<double>(k));
      sample.axes.push_back(axis);
      for (const auto* f : fields) {
        sample.fields.emplace_back();
        for (const std::size_t r : list) sample.fields.back().push_back((*f)[r]);
      }
      data.samples.push_back(std::move(sample));
    } else {
      data.samples.push_back(grid_of(label, list, coordinates, data.names.coordinates, fields, data.notes));
      for (std::size_t a = 0; a < coordinates.size(); ++a) data.samples.back().axes[a].periodic = contains(s.periodic, data.names.coordinates[a]);
    }
  }
  return data;
}

Dataset read_data(const DataSettings& s) {
  if (s.files.empty()) throw InputError("discover: expected a file with data");
  Dataset all;
  for (const std::string& file : s.files) {
    if (!std::filesystem::exists(file)) throw InputError(file + ": no such file");
    Dataset one;
    if (is_hdf5(file)) {
      one = read_hdf5(file, s);
    } else {
      Table table = read_csv(file);
      one = dataset_of_table(file, table.columns, table.values, s);
      for (const std::string& text : table.text_columns) one.notes.push_back(fmt::format("{}: column {} holds text: left out", file, text));
    }
    if (all.samples.empty()) all.names = one.names;
    if (one.names.fields != all.names.fields || one.names.coordinates != all.names.coordinates)
      throw InputError(fmt::format("{}: has {} against {}, but {} has {} against {}", file, join(one.names.fields), join(one.names.coordinates), s.files[0],
                                   join(all.names.fields), join(all.names.coordinates)));
    for (Sample& sample : one.samples) all.samples.push_back(std::move(sample));
    all.notes.insert(all.notes.end(), one.notes.begin(), one.notes.end());
  }
  return all;
}

}  // namespace scree
