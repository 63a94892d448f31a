// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/picture.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Okabe and Ito's colours, which the colour-blind can tell apart, less yellow (too light on
/// white), plus two of Tol's. Beyond them the same colours with another dash.
constexpr std::array palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                             "#E69F00", "#56B4E9", "#332288", "#882255"};
constexpr std::array point_types{7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14};

/// In single quotes for gnuplot, which inside a loop cannot read quotes within quotes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "\u2019";
    else
      out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "'";
}

/// Characters that will be seen of a text with gnuplot's markup, about.
double seen_length(const std::string& text) {
  double n = 0;
  for (const unsigned char c : text)
    if (c != '_' && c != '^' && c != '{' && c != '}' && (c & 0xC0) != 0x80) n += 1;
  return n;
}

/// One axis: its range, and where a value lies in it, from 0 to 1.
struct Axis {
  bool log = false;
  double lo = 0, hi = 1;

  double scale(double x) const { return log ? std::log10(x) : x; }
  double place(double x) const { return (scale(x) - scale(lo)) / (scale(hi) - scale(lo)); }
  double decades() const { return std::log10(hi / lo); }
};

bool drawable(double x, bool log) { return std::isfinite(x) && (!log || x > 0); }

/// The point, and the ends of its bar if it has one.
std::vector<double> bar_of(const Series& s, std::size_t k) {
  return s.error.empty() ? std::vector<double>{s.y[k]} : std::vector<double>{s.y[k], s.y[k] - s.error[k], s.y[k] + s.error[k]};
}

Axis axis_of(const Panel& panel, bool of_x) {
  Axis axis;
  axis.log = of_x ? panel.log_x : panel.log_y;
  const auto& wanted = of_x ? panel.x_range : panel.y_range;
  if (wanted && wanted->first < wanted->second && drawable(wanted->first, axis.log)) {
    axis.lo = wanted->first;
    axis.hi = wanted->second;
    return axis;
  }
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Series& s : panel.series)
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      if (!drawable(s.x[k], panel.log_x) || !drawable(s.y[k], panel.log_y)) continue;
      for (const double y : bar_of(s, k)) {
        if (!of_x && !drawable(y, panel.log_y)) continue;
        const double at = axis.scale(of_x ? s.x[k] : y);
        lo = std::min(lo, at);
        hi = std::max(hi, at);
      }
    }
  if (!(lo <= hi)) lo = axis.log ? -1 : 0, hi = 1;
  if (lo == hi) {
    const double around = axis.log ? 0.5 : (lo == 0 ? 1 : std::abs(lo) * 0.5);
    lo -= around;
    hi += around;
  }
  const double margin = 0.05 * (hi - lo);
  axis.lo = axis.log ? std::pow(10, lo - margin) : lo - margin;
  axis.hi = axis.log ? std::pow(10, hi + margin) : hi + margin;
  return axis;
}

/// In a small panel, three or four tics: 1, 2 or 5 times a power of ten apart.
double wide_step(const Axis& axis) {
  const double rough = (axis.hi - axis.lo) / 3, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double m : {5.0, 2.0})
    if (m * power <= rough) return m * power;
  return power;
}

std::string tics(const char* name, const Axis& axis, bool small) {
  if (!axis.log && small)
    return fmt::format("set format {0} '%h'\nset {0}tics {1:.6g}\nset m{0}tics default\n", name, wide_step(axis));
  if (!axis.log) return fmt::format("set format {0} '%h'\nset {0}tics autofreq\nset m{0}tics default\n", name);
  if (axis.decades() >= 2) {
    const int every = std::max(1, static_cast<int>(std::ceil(axis.decades() / 8)));
    // From a power of ten on: left to itself gnuplot may begin at the end of the axis, and label 700 as 10^2.
    const int first = static_cast<int>(std::floor(std::log10(axis.lo)));
    return fmt::format("set format {0} '10^{{%T}}'\nset {0}tics 1e{3},1e{1}\nset m{0}tics {2}\n", name, every,
                       every == 1 ? 10 : every, first);
  }
  std::string list;  // few powers of ten: 1, 2, 5 as well
  for (int k = static_cast<int>(std::floor(std::log10(axis.lo))); std::pow(10, k) <= axis.hi; ++k)
    for (const double m : {1.0, 2.0, 5.0})
      if (const double at = m * std::pow(10, k); at >= axis.lo && at <= axis.hi)
        list += fmt::format("{}'{:g}{}' {:.3e}", list.empty() ? "" : ", ", std::abs(k) < 4 ? at : m,
                            std::abs(k) < 4 ? "" : fmt::format("×10^{{{}}}", k), at);
  return fmt::format("set {0}tics ({1})\nset m{0}tics 1\n", name, list);
}

/// Where the data of a panel are, on a raster; for legends and insets that should not hide them.
class Raster {
 public:
  static constexpr int nx = 96, ny = 72;
  struct Box {
    double x0, y0, x1, y1;  // from 0 to 1, y upwards
  };

  void mark(double x, double y) {
    const int i = static_cast<int>(x * nx), j = static_cast<int>(y * ny);
    for (int a = i - 1; a <= i + 1; ++a)
      for (int b = j - 1; b <= j + 1; ++b)
        if (a >= 0 && a < nx && b >= 0 && b < ny) cell(a, b) = 1;
  }
  void line(double xa, double ya, double xb, double yb) {
    const int n = 1 + static_cast<int>(nx * std::min(4.0, std::hypot(xb - xa, yb - ya)));
    for (int k = 0; k <= n; ++k) mark(xa + (xb - xa) * k / n, ya + (yb - ya) * k / n);
  }
  void fill(const Box& b) {
    for (int i = column(b.x0); i <= column(b.x1); ++i)
      for (int j = row(b.y0); j <= row(b.y1); ++j) cell(i, j) = 1;
  }
  int covered(const Box& b) const {
    int n = 0;
    for (int i = column(b.x0); i <= column(b.x1); ++i)
      for (int j = row(b.y0); j <= row(b.y1); ++j) n += cells_[static_cast<std::size_t>(j * nx + i)];
    return n;
  }
  /// The place of a box of this size that hides least; corners are tried first, and win a tie.
  Box best(double width, double height, int& hidden) const {
    Box best{};
    hidden = std::numeric_limits<int>::max();
    const double mx = 0.015, my = 0.02, fx = 1 - width - 2 * mx, fy = 1 - height - 2 * my;
    if (fx < 0 || fy < 0) return best;
    const auto attempt = [&](double x, double y) {
      const Box b{mx + x * fx, my + y * fy, mx + x * fx + width, my + y * fy + height};
      if (const int n = covered(b); n < hidden) hidden = n, best = b;
    };
    for (const double y : {1.0, 0.0})
      for (const double x : {1.0, 0.0}) attempt(x, y);
    for (int i = 0; i <= 8; ++i)
      for (int j = 0; j <= 8; ++j) attempt(i / 8.0, j / 8.0);
    return best;
  }

 private:
  static int column(double x) { return std::clamp(static_cast<int>(x * nx), 0, nx - 1); }
  static int row(double y) { return std::clamp(static_cast<int>(y * ny), 0, ny - 1); }
  unsigned char& cell(int i, int j) { return cells_[static_cast<std::size_t>(j * nx + i)]; }
  std::array<unsigned char, static_cast<std::size_t>(nx* ny)> cells_{};
};

Raster raster_of(const Panel& panel, const Axis& ax, const Axis& ay) {
  Raster raster;
  for (const Series& s : panel.series) {
    double xa = 0, ya = 0;
    bool before = false;
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      if (!drawable(s.x[k], ax.log) || !drawable(s.y[k], ay.log)) {
        before = false;
        continue;
      }
      const double x = ax.place(s.x[k]), y = ay.place(s.y[k]);
      if (before && s.style != Series::Style::points)
        raster.line(xa, ya, x, y);
      else
        raster.mark(x, y);
      for (const double end : bar_of(s, k))
        if (drawable(end, ay.log)) raster.line(x, y, x, ay.place(end));
      xa = x;
      ya = y;
      before = true;
    }
  }
  return raster;
}

/// Pixels, y upwards.
struct Frame2 {
  double x0, y0, x1, y1;
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
};

class Drawing {
 public:
  explicit Drawing(const Figure& figure) : figure_(figure) { compose(); }
  std::string script, data;
  std::vector<std::string> warnings;

 private:
  static constexpr double letter = 8.6, line_height = 20, sample = 60;  // px, at 12 points

  void compose();
  void panel(const Panel& panel, Frame2 cell, const std::vector<const Panel*>& insets);
  void plot(const Panel& panel, const Axis& ax, const Axis& ay, const Frame2& frame, bool small);
  void block(const Panel& panel, const Series& s);
  static double key_width(const Panel& panel);
  static int key_lines(const Panel& panel);

  const Figure& figure_;
  double width_ = 0, height_ = 0;
  int blocks_ = 0;
};

double Drawing::key_width(const Panel& panel) {
  double longest = 0;
  for (const Series& s : panel.series) longest = std::max(longest, seen_length(s.title));
  return longest * letter + sample;
}
int Drawing::key_lines(const Panel& panel) {
  return static_cast<int>(std::count_if(panel.series.begin(), panel.series.end(),
                                        [](const Series& s) { return !s.title.empty(); }));
}

void Drawing::block(const Panel& panel, const Series& s) {
  if (s.x.size() != s.y.size() || (!s.error.empty() && s.error.size() != s.y.size()))
    throw std::logic_error("figure " + figure_.name + ", series \"" + s.title + "\": x and y differ in length");
  data += fmt::format("# {}: {}\n", blocks_, s.title.empty() ? "-" : s.title);
  std::size_t lost = 0;
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const bool good = drawable(s.x[k], panel.log_x) && drawable(s.y[k], panel.log_y);
    lost += good ? 0 : 1;
    data += fmt::format("{}{:.17g} {:.17g}{}\n{}", good ? "" : "# ", s.x[k], s.y[k], s.error.empty() ? "" : fmt::format(" {:.17g}", s.error[k]), good ? "" : "\n");
  }
  if (s.x.size() == lost) data += s.error.empty() ? "NaN NaN\n" : "NaN NaN NaN\n";
  data += "\n\n";
  if (lost > 0)
    warnings.push_back(fmt::format("figure {}: {} of {} points of \"{}\" cannot be drawn (not finite{})",
                                   figure_.name, lost, s.x.size(), s.title,
                                   panel.log_x || panel.log_y ? ", or not positive on a logarithmic axis" : ""));
}

void Drawing::plot(const Panel& panel, const Axis& ax, const Axis& ay, const Frame2& frame, bool small) {
  // numbers that need a power of ten beside them push the label out of the picture
  const double largest = std::max(std::abs(ay.lo), std::abs(ay.hi));
  const double room = !small && !ay.log && (largest < 1e-3 || largest >= 1e6) ? 30 : 0;
  script += fmt::format(
      "set lmargin at screen {:.5f}; set rmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}; set tmargin at screen {:.5f}\n",
      (frame.x0 + room) / width_, frame.x1 / width_, frame.y0 / height_, frame.y1 / height_);
  script += fmt::format("unset logscale\n{}{}", ax.log ? "set logscale x\n" : "", ay.log ? "set logscale y\n" : "");
  script += fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", ax.lo, ax.hi, ay.lo, ay.hi);
  script += tics("x", ax, small) + tics("y", ay, small);
  script += fmt::format("set title {} offset 0,-0.3\nset xlabel {} offset 0,{}\nset ylabel {} offset {},0\n",
                        quoted(panel.title), quoted(panel.x_label), small ? 0.6 : 0.2, quoted(panel.y_label),
                        small ? 1.5 : 0.5);
  script += "unset object\n";
  if (small) script += "set object rectangle from graph -0.2,-0.2 to graph 1.03,1.08 fc rgb 'white' fs solid 0.9 noborder behind\n";
  for (const auto& [lo, hi] : panel.bands)
    script += fmt::format("set object rectangle from {:.9g}, graph 0 to {:.9g}, graph 1 fc rgb '#808080' "
                          "fs transparent solid 0.14 noborder behind\n", std::max(lo, ax.lo), std::min(hi, ax.hi));
  std::string curves;
  int next = 0;
  for (const Series& s : panel.series) {
    block(panel, s);
    const int colour = s.colour == Series::next_colour ? next++ : s.colour;
    const bool grey = colour < 0;
    const auto c = static_cast<std::size_t>(std::max(colour, 0));
    const std::string stroke = grey ? "#606060" : palette[c % palette.size()];
    const int dash = s.style == Series::Style::dashed ? 2 : c >= palette.size() ? 4 : 1;
    const double thick = small ? 1.2 : s.style == Series::Style::dashed ? 1.5 : 1.8;
    const bool bars = !s.error.empty() && s.style != Series::Style::line && s.style != Series::Style::dashed;
    std::string look;
    if (s.style == Series::Style::points || s.style == Series::Style::line_points) {
      const std::size_t n = s.x.size();
      look = fmt::format("{} lc rgb '{}' dt {} lw {} pt {} ps {}",
                         s.style == Series::Style::points ? (bars ? "yerrorbars" : "points") : (bars ? "yerrorlines" : "linespoints"), stroke, dash, thick,
                         grey ? 1 : point_types[c % point_types.size()], small ? 0.5 : n > 40 ? 0.6 : 0.9);
      if (s.style == Series::Style::line_points && n > 90 && !bars) look += fmt::format(" pi {}", n / 30);
    } else {
      look = fmt::format("lines lc rgb '{}' dt {} lw {}", stroke, dash, thick);
    }
    curves += fmt::format("{}  '{}.dat' index {} using {} with {} {}", curves.empty() ? "" : ", \\\n",
                          figure_.name, blocks_, bars ? "1:2:3" : "1:2", look, s.title.empty() || small ? "notitle" : "title " + quoted(s.title));
    ++blocks_;
  }
  if (curves.empty()) curves = "  NaN notitle";
  script += "plot \\\n" + curves + "\n";
}

void Drawing::panel(const Panel& panel, Frame2 cell, const std::vector<const Panel*>& insets) {
  Frame2 frame{cell.x0 + 88, cell.y0 + 60, cell.x1 - 22, cell.y1 - (panel.title.empty() ? 16 : 44)};
  const Axis ax = axis_of(panel, true), ay = axis_of(panel, false);
  Raster raster = raster_of(panel, ax, ay);
  std::vector<Frame2> places;
  for (std::size_t k = 0; k < insets.size(); ++k) {
    int hidden = 0;
    const auto b = raster.best(0.46, 0.46, hidden);
    raster.fill(b);
    places.push_back({frame.x0 + (b.x0 + 0.085) * frame.width(), frame.y0 + (b.y0 + 0.085) * frame.height(),
                      frame.x0 + (b.x1 - 0.012) * frame.width(), frame.y0 + (b.y1 - 0.03) * frame.height()});
  }
  const int lines = key_lines(panel);
  std::string key = "unset key\n";
  if (lines > 0) {
    const double w = key_width(panel), h = lines * line_height + 8;
    int hidden = 0;
    const auto b = raster.best(w / frame.width(), h / frame.height(), hidden);
    if (hidden == 0) {
      key = fmt::format("set key at graph {:.4f},{:.4f} left top Left reverse samplen 2.5 spacing 1.15 nobox\n", b.x0, b.y1);
    } else {
      frame.x1 -= w;
      key = fmt::format("set key at screen {:.5f},{:.5f} left top Left reverse samplen 2.5 spacing 1.15 nobox\n",
                        (frame.x1 + 12) / width_, frame.y1 / height_);
      for (Frame2& p : places) {  // they shrink with the panel
        const double s = frame.width() / (frame.width() + w);
        p.x0 = frame.x0 + (p.x0 - frame.x0) * s;
        p.x1 = frame.x0 + (p.x1 - frame.x0) * s;
      }
    }
  }
  script += key;
  script += "set tics font ',11'; set grid lc rgb '#E4E4E4' lw 1\n";
  plot(panel, ax, ay, frame, false);
  for (std::size_t k = 0; k < insets.size(); ++k) {
    script += "unset key\nset tics font ',9'; unset grid\n";
    plot(*insets[k], axis_of(*insets[k], true), axis_of(*insets[k], false), places[k], true);
  }
}

void Drawing::compose() {
  std::vector<const Panel*> main;
  std::vector<std::vector<const Panel*>> insets;
  for (const Panel& p : figure_.panels) {
    if (p.inset && !main.empty()) {
      insets.back().push_back(&p);
    } else {
      main.push_back(&p);
      insets.emplace_back();
    }
  }
  const int n = static_cast<int>(std::max<std::size_t>(main.size(), 1));
  const int columns = n == 4 ? 2 : std::min(n, 3), rows = (n + columns - 1) / columns;
  const double cell_w = n == 1 ? 860 : 640, cell_h = n == 1 ? 580 : 500, head = figure_.title.empty() ? 0 : 40;
  // legends that will not fit inside need room
  double extra = 0;
  for (const Panel* p : main)
    if (key_lines(*p) > 7) extra = std::max(extra, key_width(*p) * 0.6);
  width_ = columns * (cell_w + extra);
  height_ = rows * cell_h + head;
  const std::string name = figure_.name;
  std::string body;
  std::swap(body, script);
  for (int k = 0; k < static_cast<int>(main.size()); ++k) {
    const double x0 = (k % columns) * (cell_w + extra), y1 = height_ - head - (k / columns) * cell_h;
    panel(*main[static_cast<std::size_t>(k)], {x0, y1 - cell_h, x0 + cell_w + extra, y1},
          insets[static_cast<std::size_t>(k)]);
  }
  std::swap(body, script);
  script = fmt::format(
      "# gnuplot {0}.gp  draws {0}.png and {0}.svg from {0}.dat\n"
      "set encoding utf8\n"
      "do for [kind in 'png svg'] {{\n"
      "if (kind eq 'png') {{\n"
      "set terminal pngcairo enhanced size {1},{2} font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 "
      "pointscale 1.5 background rgb 'white'\n"
      "}} else {{\n"
      "set terminal svg enhanced size {3},{4} font 'DejaVu Sans,12' background rgb 'white'\n"
      "}}\n"
      "set output '{0}.' . kind\n"
      "set border lw 1 lc rgb '#303030'\n"
      "set multiplot{5}\n"
      "{6}"
      "unset multiplot\n"
      "unset output\n"
      "}}\n",
      name, static_cast<int>(1.5 * width_), static_cast<int>(1.5 * height_), static_cast<int>(width_),
      static_cast<int>(height_), figure_.title.empty() ? "" : " title " + quoted(figure_.title) + " font ',14'", body);
}

}  // namespace

DrawnFigure draw_figure(const Figure& figure, const fs::path& folder) {
  const Drawing drawing(figure);
  DrawnFigure drawn;
  drawn.warnings = drawing.warnings;
  // Drawn aside: a picture is old or new, never half.
  const fs::path aside_folder = folder / ("." + figure.name + ".part");
  std::error_code ignored;
  fs::remove_all(aside_folder, ignored);
  make_folder(aside_folder);
  write_file(aside_folder / (figure.name + ".dat"), drawing.data);
  write_file(aside_folder / (figure.name + ".gp"), drawing.script);
  const std::string trouble = run_gnuplot(aside_folder / (figure.name + ".gp"));
  for (const char* ending : {".png", ".svg", ".gp", ".dat"}) {
    const fs::path made = aside_folder / (figure.name + ending), wanted = folder / (figure.name + ending);
    const auto size = fs::file_size(made, ignored);
    if (!ignored && size > 0) {
      replace_file(made, wanted);
      drawn.files.push_back(wanted);
    } else {
      fs::remove(wanted, ignored);  // rather none than one of older data
      if (trouble.empty()) drawn.warnings.push_back("no picture: gnuplot did not make " + wanted.string());
    }
  }
  if (!trouble.empty()) drawn.warnings.push_back(trouble);
  fs::remove_all(aside_folder, ignored);
  return drawn;
}

}  // namespace scree
