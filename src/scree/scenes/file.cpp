// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "scree/core/dd_text.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else if (c != ' ' && c != '\t' && c != '\r' && c != '"')
      cells.back() += c;
  }
  return cells;
}

}  // namespace

template <int D> std::string FromFile<D>::resolved(const Site<D>& site) const {
  namespace fs = std::filesystem;
  const fs::path file(path);
  return file.is_absolute() || site.folder.empty() ? path : (fs::path(site.folder) / file).string();
}

template <int D> void FromFile<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  if (path.empty())
    throw BuildError("path", "missing key \"path\"; expected the name of a CSV file");
  const std::string file = resolved(site);
  std::error_code trouble;
  if (std::filesystem::exists(file, trouble) && !std::filesystem::is_regular_file(file, trouble))
    throw BuildError("path", file + " is not a plain file; expected a CSV file");
  std::ifstream in(file);
  if (!in) throw BuildError("path", "cannot read " + file);

  const std::vector<std::string> known =
      D == 2 ? std::vector<std::string>{"frame", "time", "id", "x",      "y",
                                        "vx",    "vy",   "w",  "radius", "mass", "stiffness", "fixed", "angle", "shape"}
             : std::vector<std::string>{"frame", "time", "id", "x",  "y",  "z",      "vx",
                                        "vy",    "vz",   "wx", "wy", "wz", "radius", "mass", "stiffness", "fixed"};
  std::string line;
  std::int64_t number = 1;
  const auto fail = [&](const std::string& message) {
    throw BuildError("path", file + ":" + std::to_string(number) + ": " + message);
  };
  if (!std::getline(in, line)) fail("empty file; expected a header such as x,y,radius");
  const auto header = split(line);
  std::map<std::string, std::size_t> column;
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (std::find(known.begin(), known.end(), header[k]) == known.end())
      fail("unknown column " + in_quotes(header[k]) + "; expected some of " + join(known) +
           did_you_mean(header[k], known));
    if (!column.emplace(header[k], k).second)
      fail("column " + in_quotes(header[k]) + " appears twice");
  }
  const auto need = [&](const std::string& column_name) {
    if (!column.contains(column_name)) fail("missing column \"" + column_name + "\"");
  };
  const std::vector<std::string> axes =
      D == 2 ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x", "y", "z"};
  for (const auto& axis : axes) need(axis);
  const bool has_v = column.contains("vx"), has_fixed = column.contains("fixed"),
             has_r = column.contains("radius");
  if (has_v)
    for (const auto& axis : axes) need("v" + axis);
  const bool has_w = column.contains(D == 2 ? "w" : "wx");
  if (has_w && D == 3)
    for (const char* axis : {"wy", "wz"}) need(axis);
  if (!has_r) site.need_radii();
  if (has_r && site.radii.given())
    throw BuildError("radius", "given beside the file's column \"radius\"; expected one of them");

  double current = -1;
  std::vector<std::string> cells;
  const auto value = [&](const std::string& column_name) {
    const std::string& cell = cells[column.at(column_name)];
    const auto x = parse_dd(cell);
    if (!x) fail("column " + column_name + ": expected a finite number, found " + in_quotes(cell));
    return *x;
  };
  while (std::getline(in, line)) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    cells = split(line);
    if (cells.size() != header.size())
      fail("expected " + std::to_string(header.size()) + " columns, found " +
           std::to_string(cells.size()));
    if (column.contains("frame")) {
      const double at = double(value("frame"));
      if (frame >= 0 && at != static_cast<double>(frame)) continue;
      if (at != current) sketch = {};  // a later frame
      current = at;
    }
    const std::size_t k = sketch.size();
    site.check_count(static_cast<double>(k + 1), "path");
    Vec<D, dd> x{}, v{};
    for (int a = 0; a < D; ++a) x[a] = value(axes[static_cast<std::size_t>(a)]);
    const dd r = has_r ? value("radius") : dd(site.radius(k));
    if (!(r > 0)) fail("column radius: expected a number > 0, found " + brief(double(r)));
    sketch.add(x, r);
    if (has_v) {
      for (int a = 0; a < D; ++a) v[a] = value("v" + axes[static_cast<std::size_t>(a)]);
      sketch.v.push_back(convert<double>(v));
      sketch.v_lo.push_back(low_words(v));
    }
    if (has_w) {
      Spin<D, dd> w{};
      if constexpr (D == 2)
        w[0] = value("w");
      else
        w = {value("wx"), value("wy"), value("wz")};
      sketch.w.push_back(convert<double>(w));
      sketch.w_lo.push_back(low_words(w));
    }
    const auto positive_of = [&](const char* label, std::vector<double>& to) {
      if (!column.contains(label)) return;
      const double one = double(value(label));
      if (!(one > 0)) fail("column " + std::string(label) + ": expected a number > 0, found " + brief(one));
      to.push_back(one);
    };
    positive_of("mass", sketch.m);
    positive_of("stiffness", sketch.stiffness);
    if (column.contains("angle")) sketch.turn.push_back(double(value("angle")));
    if (column.contains("shape")) {
      const double shape = double(value("shape"));
      if (!(shape >= 0 && shape < 4e9) || shape != std::floor(shape)) fail("column shape: expected an integer >= 0, found " + brief(shape));
      sketch.shape.push_back(static_cast<std::uint32_t>(shape));
    }
    if (has_fixed) {
      const double f = double(value("fixed"));
      if (f != 0 && f != 1) fail("column fixed: expected 0 or 1, found " + brief(f));
      sketch.fixed.push_back(f != 0);
    }
  }
  if (in.bad()) throw BuildError("path", "cannot read " + file);
  if (sketch.size() == 0)
    throw BuildError(
        "path",
        file + ": no grains" + (frame >= 0 ? " in frame " + std::to_string(frame) : std::string()));
}

template struct FromFile<2>;
template struct FromFile<3>;

}  // namespace scree
