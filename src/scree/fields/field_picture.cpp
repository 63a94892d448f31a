// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/field_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::fields {
namespace {

/// One thing to show: a value per point.
struct Shown {
  std::string label;
  std::vector<double> values;
  bool any() const { return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }); }
};

std::vector<Shown> shown_of(const FieldTable& table, bool profile) {
  std::vector<Shown> all;
  const auto scalar = [&](const char* name, const char* words) {
    if (const Field* f = find_field(table.fields, name)) all.push_back({fmt::format("{} ({})", words, f->unit), f->values});
  };
  scalar("volume_density", "volume density");
  const Field* v = find_field(table.fields, "velocity");
  if (profile) {
    for (std::size_t k = 0; k < v->width(); ++k) {
      Shown one{fmt::format("velocity {} (m/s)", v->components[k]), {}};
      for (std::size_t p = 0; p < v->values.size() / v->width(); ++p) one.values.push_back(v->values[p * v->width() + k]);
      all.push_back(one);
    }
  } else {
    Shown speed{"speed (m/s)", {}};
    for (std::size_t p = 0; p < v->values.size() / v->width(); ++p) {
      double square = 0;
      for (std::size_t k = 0; k < v->width(); ++k) square += v->values[p * v->width() + k] * v->values[p * v->width() + k];
      speed.values.push_back(std::sqrt(square));
    }
    all.push_back(speed);
  }
  scalar("pressure", "pressure");
  scalar("shear_rate", "shear rate");
  if (profile) {
    scalar("shear_stress", "shear stress");
    scalar("inertial_number", "inertial number");
    scalar("mu", "mu");
  }
  std::erase_if(all, [](const Shown& one) { return !one.any(); });
  return all;
}

std::string number(double v) { return std::isfinite(v) ? fmt::format("{:.9g}", v) : "NaN"; }

std::string quoted(const std::string& text) { return fmt::format("'{}'", text); }

/// The range of colours: a few points may be beyond.
std::pair<double, double> range_of(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) { return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))]; };
  double lo = at(0.005), hi = at(0.995);
  if (lo >= 0 && lo < 0.5 * hi) lo = 0;
  if (!(hi > lo)) hi = lo + (lo == 0 ? 1 : std::abs(lo));
  return {lo, hi};
}

}  // namespace

Picture draw_fields(const RunFields& f, const std::filesystem::path& stem) {
  const Grid& g = f.grid;
  if (g.is_scattered() || g.ticks.empty() || g.ticks.size() > 2) return {{}, "no picture: these fields are neither a profile nor a plane"};
  const FieldTable& table = f.tables.back();
  const bool profile = g.ticks.size() == 1;
  const std::vector<Shown> shown = shown_of(table, profile);
  if (shown.empty()) return {{}, "no picture: there is nothing to show"};
  std::string data = "#";
  for (const auto& name : g.names) (data += ' ') += name;
  for (const auto& one : shown) data += "; " + one.label;
  data += "\n";
  const std::string file = quoted(stem.filename().string() + ".dat");
  const std::size_t columns = profile && shown.size() > 4 ? 3 : std::min<std::size_t>(2, shown.size());
  const std::size_t rows = (shown.size() + columns - 1) / columns;
  std::string body = set_palette() + "set border lw 0.8\nset tics out nomirror font ',10'\nset format '%g'\n" +
                     fmt::format("set multiplot layout {},{} title 't = {:.4g} s, {} of w = {:.4g} m{}'\n", rows, columns, table.time(),
                                 f.kernel, f.width, table.frames > 1 ? fmt::format(", {} frames", table.frames) : "");
  double x[3]{};
  if (profile) {
    for (std::size_t p = 0; p < g.size(); ++p) {
      data += number(g.ticks[0][p]);
      for (const auto& one : shown) (data += ' ') += number(one.values[p]);
      data += "\n";
    }
    body += fmt::format("unset key\nset grid lc rgb '#dddddd' lw 0.8\nset xlabel '{} (m)'\n", g.names[0]);
    for (std::size_t k = 0; k < shown.size(); ++k)
      body += fmt::format("set ylabel '{}'\nplot {} using 1:{} with linespoints pt 7 ps 0.4 lw 2 lc rgb '#0072B2'\n", shown[k].label, file, k + 2);
    body += "unset multiplot\n";
    return draw_script(stem, static_cast<int>(420 * columns), static_cast<int>(40 + 300 * rows), body, data);
  }
  // rows of points with empty lines between; of a polar grid the first angle is repeated to close it
  const bool polar = g.polar();
  const std::size_t inner = g.ticks[1].size();
  const bool whole = polar && inner > 2 && std::abs((g.ticks[1].back() - g.ticks[1].front()) * static_cast<double>(inner) /
                                                        static_cast<double>(inner - 1) - 2 * std::numbers::pi) < 1e-6;
  double lo[2]{1e300, 1e300}, hi[2]{-1e300, -1e300};
  for (std::size_t a = 0; a < g.ticks[0].size(); ++a) {
    for (std::size_t b = 0; b < inner + (whole ? 1 : 0); ++b) {
      const std::size_t p = a * inner + b % inner;
      double turn = 0;
      g.place(p, 0, x, turn);
      for (int k = 0; k < 2; ++k) lo[k] = std::min(lo[k], x[k]), hi[k] = std::max(hi[k], x[k]);
      data += fmt::format("{} {}", number(x[0]), number(x[1]));
      for (const auto& one : shown) (data += ' ') += number(one.values[p]);
      data += "\n";
    }
    data += "\n";
  }
  const std::string first = polar ? "x" : g.names[0], second = polar ? "y" : g.names[1];
  body += fmt::format("unset key\nset size ratio -1\nset xlabel '{} (m)'\nset ylabel '{} (m)'\nset xrange [{:.9g}:{:.9g}]\n"
                      "set yrange [{:.9g}:{:.9g}]\n{}", first, second, lo[0], hi[0], lo[1], hi[1],
                      polar ? "set view map\nset pm3d map corners2color mean\n" : "");
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const auto [from, to] = range_of(shown[k].values);
    body += fmt::format("set title '{}'\nset cbrange [{:.6g}:{:.6g}]\n", shown[k].label, from, to);
    body += polar ? fmt::format("splot {} using 1:2:{} with pm3d\n", file, k + 3)
                  : fmt::format("plot {} using 1:2:{} with image\n", file, k + 3);
  }
  body += "unset multiplot\n";
  const double aspect = std::clamp((hi[1] - lo[1]) / std::max(hi[0] - lo[0], 1e-300), 0.25, 2.0);
  return draw_script(stem, static_cast<int>(560 * columns), static_cast<int>(60 + (100 + 430 * aspect) * static_cast<double>(rows)), body, data);
}

Picture draw_plateau(const Plateau& p, const std::filesystem::path& stem) {
  std::string data = "# width (m), mean volume density, standard deviation over the points\n";
  for (std::size_t k = 0; k < p.width.size(); ++k) data += fmt::format("{:.9g} {:.9g} {:.9g}\n", p.width[k], p.mean[k], p.spread[k]);
  const std::string file = quoted(stem.filename().string() + ".dat");
  std::string body = "set xlabel 'width w (m)'\nset ylabel 'mean volume density'\nset grid lc rgb '#dddddd' lw 0.8\nset tics out nomirror\n"
                     "set key bottom right\nset yrange [0:*]\n";
  if (p.found)
    body += fmt::format("set arrow 1 from {0:.9g}, graph 0 to {0:.9g}, graph 1 nohead dt 2 lc rgb '#D55E00'\n"
                        "set label 1 'w = {0:.4g} m' at {0:.9g}, graph 0.08 offset 1,0 tc rgb '#D55E00'\n", p.from);
  body += fmt::format("plot {0} using 1:($2-$3):($2+$3) with filledcurves fc rgb '#cfe3f2' title 'spread over the points', "
                      "{0} using 1:2 with linespoints pt 7 ps 0.5 lw 2 lc rgb '#0072B2' title 'mean'\n", file);
  return draw_script(stem, 760, 480, body, data);
}

}  // namespace scree::fields
