// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "scree/analysis/grain_stress.hpp"
#include "scree/analysis/outline.hpp"
#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"

extern char** environ;

namespace scree {

namespace fs = std::filesystem;

// --- gnuplot
// ---------------------------------------------------------------------------------------

std::string run_gnuplot(const fs::path& script) {
  const fs::path folder = script.has_parent_path() ? script.parent_path() : fs::path(".");
  fs::path messages = script;
  messages += ".err";
  std::string name = script.filename().string(), program = "gnuplot";
  char* arguments[] = {program.data(), name.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0666);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error == 0)
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  std::string said;
  {
    std::ifstream in(messages);
    for (std::string line; said.size() < 300 && std::getline(in, line);)
      if (line.find_first_not_of(" \t^") != std::string::npos)
        said += (said.empty() ? "" : " | ") + line;
  }
  std::error_code ignored;
  fs::remove(messages, ignored);
  if (error != 0)
    return "no picture: gnuplot cannot be started (" + std::generic_category().message(error) + ")";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return "no picture: gnuplot failed on " + script.string() + (said.empty() ? "" : ": " + said);
  return "";
}

namespace {

fs::path with(const fs::path& stem, const char* ending) {
  fs::path path = stem;
  path += ending;
  return path;
}

/// In single quotes for gnuplot.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "'";
}

/// Writes script and data, draws, and says what there is.
Picture draw(const fs::path& stem, const std::string& script, const std::string& data, bool svg) {
  Picture picture;
  const fs::path gp = with(stem, ".gp"), dat = with(stem, ".dat");
  try {
    make_folder(stem.parent_path());
    write_file(dat, data);
    write_file(gp, script);
  } catch (const RunError& e) {
    picture.warning = std::string("no picture: ") + e.what();
    return picture;
  }
  std::error_code ignored;
  for (const char* ending : {".png", ".svg"}) fs::remove(with(stem, ending), ignored);
  picture.warning = run_gnuplot(gp);
  for (const char* ending : {".png", ".svg"}) {
    const fs::path made = with(stem, ending);
    const auto size = fs::file_size(made, ignored);
    if (!ignored && size > 0)
      picture.files.push_back(made);
    else if (picture.warning.empty() && (svg || ending == std::string(".png")))
      picture.warning = "no picture: gnuplot did not make " + made.string();
  }
  picture.files.push_back(gp);
  picture.files.push_back(dat);
  return picture;
}

/// The loop over both terminals around `body`. Names are relative: gnuplot runs in the folder.
std::string for_terminals(const fs::path& stem, int width, int height, bool svg,
                          const std::string& body) {
  const std::string name = stem.filename().string();
  return fmt::format(
      "# gnuplot {0}.gp  draws {0}.png{5} from {0}.dat\n"
      "set encoding utf8\n"
      "do for [kind in \"{4}\"] {{\n"
      "if (kind eq 'png') {{\n"
      "set terminal pngcairo noenhanced size {1},{2} font 'DejaVu Sans,12' background rgb 'white'\n"
      "}} else {{\n"
      "set terminal svg noenhanced size {1},{2} font 'DejaVu Sans,12' background rgb 'white'\n"
      "}}\n"
      "set output {3} . '.' . kind\n"
      "{6}"
      "unset output\n"
      "}}\n",
      name, width, height, quoted(name), svg ? "png svg" : "png",
      svg ? fmt::format(" and {}.svg", name) : "", body);
}

/// A round distance of tics: 1, 2 or 5 times a power of ten, at least `least`.
double tic_step(double least) {
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double m : {1.0, 2.0, 5.0})
    if (m * power >= least) return m * power;
  return 10 * power;
}

// --- Colours
// ---------------------------------------------------------------------------------------

using Rgb = std::array<double, 3>;
/// Viridis, whose lightness grows evenly (van der Walt and Smith, matplotlib 1.5).
constexpr std::array<Rgb, 9> viridis{{{68, 1, 84},
                                      {71, 44, 122},
                                      {59, 81, 139},
                                      {44, 113, 142},
                                      {33, 144, 141},
                                      {39, 173, 129},
                                      {92, 200, 99},
                                      {170, 220, 50},
                                      {253, 231, 37}}};
constexpr std::array<Rgb, 2> greys{{{255, 255, 255}, {20, 20, 20}}};
constexpr std::array<Rgb, 2> reds{{{255, 170, 160}, {130, 0, 0}}};
constexpr Rgb grey{150, 150, 150};
constexpr Rgb blue_grey{110, 130, 170};  // of what is held, among greys

using Colours = std::span<const Rgb>;

Rgb colour_of(Colours colours, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), colours.size() - 2);
  const double part = at - static_cast<double>(k);
  Rgb c{};
  for (std::size_t i = 0; i < 3; ++i) c[i] = (1 - part) * colours[k][i] + part * colours[k + 1][i];
  return c;
}

unsigned packed(const Rgb& c) {
  unsigned word = 0;
  for (const double v : c)
    word = word << 8 | static_cast<unsigned>(std::lround(std::clamp(v, 0.0, 255.0)));
  return word;
}

std::string palette(Colours colours) {
  std::string text = "set palette defined (";
  for (std::size_t k = 0; k < colours.size(); ++k)
    text += fmt::format("{}{} '#{:06x}'", k == 0 ? "" : ", ", k, packed(colours[k]));
  return text + ")\n";
}

// --- The view
// --------------------------------------------------------------------------------------

/// What is seen: x to the right, and y (in space z) upwards.
struct Box {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  bool empty = true;
  void add(double x, double y, double r) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    x0 = empty ? x - r : std::min(x0, x - r);
    x1 = empty ? x + r : std::max(x1, x + r);
    y0 = empty ? y - r : std::min(y0, y - r);
    y1 = empty ? y + r : std::max(y1, y + r);
    empty = false;
  }
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
};

struct Disc {
  double x, y, depth, r, value;
  bool held, marked;
  std::vector<Vec<2, double>> corners;  // of an angular one
};

std::vector<Disc> discs_of(const Frame& f, const RunInfo& info, const std::vector<double>& values, const std::vector<std::int64_t>& marked) {
  std::vector<Disc> discs(f.size());
  const auto dim = static_cast<std::size_t>(f.dim);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double* x = &f.x[i * dim];
    discs[i] = {x[0],
                x[dim - 1],
                dim == 3 ? x[1] : 0.0,
                f.radius[i],
                values[i],
                !f.held.empty() && f.held[i] != 0,
                std::binary_search(marked.begin(), marked.end(), f.id[i]),
                is_angular(f, i) ? outline_of(f, i, info.shapes) : std::vector<Vec<2, double>>{}};
  }
  if (dim == 3)
    std::stable_sort(discs.begin(), discs.end(),
                     [](const Disc& a, const Disc& b) { return a.depth > b.depth; });
  return discs;
}

/// Drops the discs that later ones hide, on a grid of `scale` points per metre.
void drop_hidden(std::vector<Disc>& discs, const Box& box, double scale) {
  const auto columns = static_cast<std::ptrdiff_t>(box.width() * scale) + 2;
  const auto rows = static_cast<std::ptrdiff_t>(box.height() * scale) + 2;
  std::vector<char> covered(static_cast<std::size_t>(columns * rows), 0);
  std::vector<Disc> seen;
  for (auto d = discs.rbegin(); d != discs.rend(); ++d) {
    const double x = (d->x - box.x0) * scale, y = (d->y - box.y0) * scale,
                 r = std::max(0.7, d->r * scale);
    bool visible = false;
    const auto from = [](double at) {
      return std::max<std::ptrdiff_t>(0, std::lround(std::ceil(at)));
    };
    for (std::ptrdiff_t j = from(y - r);
         j <= std::min<std::ptrdiff_t>(rows - 1, std::lround(std::floor(y + r))); ++j) {
      const double half = std::sqrt(
          std::max(0.0, r * r - (static_cast<double>(j) - y) * (static_cast<double>(j) - y)));
      for (std::ptrdiff_t i = from(x - half);
           i <= std::min<std::ptrdiff_t>(columns - 1, std::lround(std::floor(x + half))); ++i) {
        char& here = covered[static_cast<std::size_t>(j * columns + i)];
        visible = visible || here == 0;
        here = 1;
      }
    }
    if (visible) seen.push_back(*d);
  }
  std::reverse(seen.begin(), seen.end());
  discs.swap(seen);
}

/// Lines and circles of the walls as they are at a time.
struct Outline {
  struct Line {
    double x0, y0, x1, y1;
  };
  struct Ring {
    double x, y, r;
  };
  std::vector<Line> lines;
  std::vector<Ring> rings;

  /// Adds the part of p + s d, s0 <= s <= s1, that lies in the box.
  void add(const Box& b, double px, double py, double dx, double dy, double s0, double s1) {
    const double from[4] = {b.x0 - px, px - b.x1, b.y0 - py, py - b.y1};
    const double slope[4] = {dx, -dx, dy, -dy};
    for (int k = 0; k < 4; ++k) {  // slope s >= from
      if (slope[k] > 0)
        s0 = std::max(s0, from[k] / slope[k]);
      else if (slope[k] < 0)
        s1 = std::min(s1, from[k] / slope[k]);
      else if (from[k] > 0)
        return;
    }
    if (s0 < s1) lines.push_back({px + s0 * dx, py + s0 * dy, px + s1 * dx, py + s1 * dy});
  }
};

template <int D> struct Placed {
  Wall<D> wall;
  Vec<D, double> point{}, normal{}, end{};
  double radius = 0;
};

/// How far its servo has taken a wall: between two rows along a straight line.
double servo_displacement(const RunInfo& info, const std::string& wall, double t) {
  const auto found = info.servos.find(wall);
  if (found == info.servos.end() || found->second.empty()) return 0;
  const auto& path = found->second;
  const auto after = std::lower_bound(path.begin(), path.end(), t, [](const auto& row, double when) { return row.first < when; });
  if (after == path.begin()) return path.front().second;
  if (after == path.end()) return path.back().second;
  const auto before = after - 1;
  return before->second + (after->second - before->second) * (t - before->first) / (after->first - before->first);
}

template <int D> std::vector<Placed<D>> walls_at(const RunInfo& info, double t) {
  std::vector<Placed<D>> placed;
  for (const Wall<D>& w : walls_from_json<D>(info.walls)) {
    if (t < w.from || t >= w.until) continue;
    const auto carried = carry<D, double>(w.motion, w.point, t);
    Placed<D> p{w, carried.x, w.normal, carry<D, double>(w.motion, w.end, t).x,
                w.radius - carried.shrunk};
    p.normal = rotate(carried.q, w.normal);
    if (w.servo.on) {
      const auto moved = w.servo.direction * servo_displacement(info, w.name, t);
      p.point += moved;
      p.end += moved;
    }
    placed.push_back(std::move(p));
  }
  return placed;
}

template <int D> Outline outline(const RunInfo& info, double t, const Box& box) {
  constexpr double endless = 1e300;
  constexpr int up = D - 1;  // the axis drawn upwards
  Outline out;
  for (const Placed<D>& p : walls_at<D>(info, t)) {
    const double x = p.point[0], y = p.point[up];
    switch (p.wall.kind) {
      case WallKind::plane:
        // In space, a plane is a line only if seen from its edge.
        if (D == 2 || std::abs(p.normal[1]) < 1e-6)
          out.add(box, x, y, -p.normal[up], p.normal[0], -endless, endless);
        break;
      case WallKind::sheet:  // what is left of the line on either side of the hole
        if (D == 2 || std::abs(p.normal[1]) < 1e-6) {
          out.add(box, x, y, -p.normal[up], p.normal[0], p.wall.radius, endless);
          out.add(box, x, y, p.normal[up], -p.normal[0], p.wall.radius, endless);
        }
        break;
      case WallKind::segment:
        out.add(box, x, y, p.end[0] - x, p.end[up] - y, 0, 1);
        break;
      case WallKind::ring: {
        const auto& a = p.wall.axis;
        const double across = std::hypot(a[0], a[2]);
        if (D == 2 || across < 1e-6 * std::abs(a[1])) {
          out.rings.push_back({x, y, p.radius});
        } else if (std::abs(a[1]) < 1e-6 * across) {
          for (const double side : {-1.0, 1.0})
            out.add(box, x - side * p.radius * a[2] / across, y + side * p.radius * a[0] / across,
                    a[0], a[2], -endless, endless);
        }
        break;
      }
    }
  }
  return out;
}

/// Rings around grains belong to the view; planes are seen wherever grains are.
template <int D> void add_rings(Box& box, const RunInfo& info, double t) {
  for (const Placed<D>& p : walls_at<D>(info, t))
    if (p.wall.kind == WallKind::ring && p.wall.inside &&
        (D == 2 || std::abs(p.wall.axis[1]) > 0.999 * norm(p.wall.axis)))
      box.add(p.point[0], p.point[D - 1], p.radius);
}

/// Grows the box to at least the given shape, and by a margin.
void round_off(Box& b) {
  if (b.empty) b = {-1, 1, -1, 1, false};
  const double margin = 0.03 * std::max(b.width(), b.height());
  const double width = std::max(b.width(), b.height() / 3),
               height = std::max(b.height(), b.width() / 6);
  const double cx = (b.x0 + b.x1) / 2;
  b.x0 = cx - width / 2 - margin;
  b.x1 = cx + width / 2 + margin;
  b.y1 = b.y0 + height + margin;
  b.y0 -= margin;
}

struct Panel {
  int left, bottom, width, height;  // px
};

constexpr std::size_t most_circles = 200000;  // beyond: points, which gnuplot draws faster
constexpr std::size_t most_svg = 60000;       // beyond: an SVG nobody can open

std::string draw_outline(const Outline& walls) {
  std::string text = "unset arrow\nunset object\n";
  for (const auto& l : walls.lines)
    text += fmt::format(
        "set arrow from {:.9g},{:.9g} to {:.9g},{:.9g} nohead front lw 2 lc rgb '#404040'\n", l.x0,
        l.y0, l.x1, l.y1);
  for (const auto& r : walls.rings)
    text += fmt::format(
        "set object circle at {:.9g},{:.9g} size {:.9g} front fillstyle empty border rgb '#404040' "
        "lw 2\n",
        r.x, r.y, r.r);
  return text;
}

}  // namespace

Picture draw_states(const RunReader& run, const fs::path& stem) {
  if (run.size() == 0) return {{}, "no picture: " + run.path().string() + " has no frames"};
  std::vector<Frame> frames{run.frame(0)};
  if (run.size() > 1) frames.push_back(run.frame(run.size() - 1));
  return draw_states(frames, run.info(), stem);
}

Picture draw_states(const std::vector<Frame>& frames, const RunInfo& info, const fs::path& stem) {
  if (frames.empty()) return {{}, "no picture: no frames"};
  std::vector<Frame> shown{frames.front()};
  if (frames.size() > 1) shown.push_back(frames.back());
  Shading speeds;
  speeds.label = "speed (m/s)";
  for (const Frame& f : shown) {
    const auto dim = static_cast<std::size_t>(f.dim);
    speeds.values.emplace_back();
    for (const double* v = f.v.data(); v != f.v.data() + f.v.size(); v += dim)
      speeds.values.back().push_back(std::hypot(v[0], v[1], dim == 3 ? v[2] : 0.0));
  }
  return draw_grains(shown, info, speeds, stem);
}

std::vector<std::int64_t> grains_in_strip(const Frame& frame, double width) {
  const auto dim = static_cast<std::size_t>(frame.dim);
  Box box;
  for (std::size_t i = 0; i < frame.size(); ++i)
    box.add(frame.x[i * dim], frame.x[i * dim + dim - 1], frame.radius[i]);
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (!frame.held[i] && std::abs(frame.x[i * dim] - (box.x0 + box.x1) / 2) <= width / 2) ids.push_back(frame.id[i]);
  return ids;
}

Picture draw_stress(const std::vector<Frame>& frames, const RunInfo& info, const std::vector<std::int64_t>& marked,
                    const fs::path& stem) {
  Shading pressures;
  pressures.label = frames.empty() || frames.front().dim == 2 ? "pressure in the grain (N/m)" : "pressure in the grain (Pa)";
  pressures.part = 0.98;
  pressures.grey = true;
  pressures.marked = marked;
  for (const Frame& f : frames) {
    if (!f.has_contacts)
      return {{}, "no picture of stresses: the run has no contacts; output.contacts = true records them"};
    pressures.values.push_back(grain_pressures(f));
  }
  return draw_grains(frames, info, pressures, stem);
}

Picture draw_grains(const std::vector<Frame>& frames, const RunInfo& info, const Shading& shading, const fs::path& stem) {
  if (frames.empty()) return {{}, "no picture: no frames"};
  const int dim = frames.front().dim;
  std::vector<std::int64_t> marked = shading.marked;
  std::sort(marked.begin(), marked.end());

  Box box;
  std::vector<std::vector<Disc>> discs;
  std::vector<double> values;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Frame& f = frames[k];
    discs.push_back(discs_of(f, info, shading.values[k], marked));
    for (const Disc& d : discs.back()) {
      box.add(d.x, d.y, d.r);
      if (!d.held && std::isfinite(d.value)) values.push_back(d.value);
    }
    dim == 2 ? add_rings<2>(box, info, f.time) : add_rings<3>(box, info, f.time);
  }
  round_off(box);
  // Full scale: all but the largest few, so that one runaway does not darken the rest.
  double full = 0;
  if (!values.empty()) {
    const auto rank =
        static_cast<std::ptrdiff_t>(std::ceil(shading.part * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    full = values[static_cast<std::size_t>(rank)];
  }
  if (!(full > 0)) full = 1;
  const Colours colours = shading.grey ? Colours(greys) : Colours(viridis);

  // Wide scenes one above the other, others side by side; more than three in rows.
  const double aspect = box.width() / box.height();
  const bool stacked = aspect > 1.25;
  const auto count = static_cast<int>(frames.size());
  constexpr int left = 92, right = 130, top = 74, bottom = 62, gap = 44;
  const double room_x = stacked ? 1000 : 560, room_y = stacked ? 440 : 620;
  const double scale = std::min(room_x / box.width(), room_y / box.height());  // px per metre
  const int w = static_cast<int>(std::lround(box.width() * scale));
  const int h = static_cast<int>(std::lround(box.height() * scale));
  const int columns = count <= 3 ? (stacked ? 1 : count) : static_cast<int>(std::ceil(std::sqrt(count)));
  const int rows = (count + columns - 1) / columns;
  const int width = left + columns * w + (columns - 1) * gap + right;
  const int height = top + rows * h + (rows - 1) * gap + bottom;

  std::string data =
      fmt::format("# x y radius value colour, in m; value: {}; one block per panel, drawn in this order\n",
                  shading.label);
  std::size_t drawn = 0;
  double radii = 0;
  std::string outlines;  // of angular grains: blocks after those of the discs
  bool angular = false;
  for (auto& panel : discs) {
    std::size_t round = 0;
    const std::size_t before = outlines.size();
    double near = 0, far = 0;
    if (dim == 3)
      drop_hidden(panel, box, 2 * scale);  // finer than the picture
    else if (panel.size() > most_circles)
      drop_hidden(panel, box, scale);  // several to a pixel
    if (dim == 3 && !panel.empty()) {
      near = panel.back().depth;
      far = panel.front().depth;
    }
    for (const Disc& d : panel) {
      radii += d.r;
      Rgb c = d.held ? (shading.grey ? blue_grey : grey) : colour_of(d.marked ? Colours(reds) : colours, d.value / full);
      const double depth = far > near ? (d.depth - near) / (far - near) : 0.0;
      for (double& channel : c) channel *= 1 - 0.45 * depth;  // farther is darker
      if (!d.corners.empty()) {
        for (std::size_t k = 0; k <= d.corners.size(); ++k) {
          const auto& corner = d.corners[k % d.corners.size()];
          fmt::format_to(std::back_inserter(outlines), "{:.7g} {:.7g} {}\n", corner[0], corner[1], packed(c));
        }
        outlines += '\n';
        continue;
      }
      ++round;
      fmt::format_to(std::back_inserter(data), "{:.7g} {:.7g} {:.5g} {:.5g} {}\n", d.x, d.y, d.r,
                     d.value, packed(c));
    }
    if (round == 0) data += "0 0 0 0 0\n";
    data += "\n\n";
    angular |= outlines.size() > before;
    if (outlines.size() == before) outlines += "0 0 0\n\n";
    outlines += "\n";
    drawn += panel.size();
  }
  if (angular) data += outlines;
  const bool svg = drawn <= most_svg;
  const bool outlined = drawn > 0 && radii / static_cast<double>(drawn) * scale > 2.5;  // px

  const std::string dat = quoted(stem.filename().string() + ".dat");
  std::string body = palette(colours);
  body += fmt::format("set cbrange [0:{:.6g}]\n", full);
  body += fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", box.x0, box.x1,
                      box.y0, box.y1);
  body += fmt::format("set xtics {:.6g} nomirror out\nset ytics {:.6g} nomirror out\n",
                      tic_step(90 / scale), tic_step(45 / scale));
  body += "set border lw 0.8\nunset key\nset multiplot\n";
  body += fmt::format("set label 1 {} at screen {:.5f},{:.5f} center font 'DejaVu Sans,14'\n",
                      quoted(info.name), (left + width - right) / (2.0 * width), 1 - 24.0 / height);
  for (int k = 0; k < count; ++k) {
    const int column = k % columns, row = k / columns;
    const Panel p{left + column * (w + gap), bottom + (rows - 1 - row) * (h + gap), w, h};
    const Frame& f = frames[static_cast<std::size_t>(k)];
    body += fmt::format(
        "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n"
        "set bmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n",
        static_cast<double>(p.left) / width, static_cast<double>(p.left + p.width) / width,
        static_cast<double>(p.bottom) / height, static_cast<double>(p.bottom + p.height) / height);
    body += fmt::format("set title 't = {:.6g} s' offset 0,-0.4\n", f.time);
    const bool lowest = k + columns >= count, leftmost = column == 0;
    body += lowest ? "set xlabel 'x (m)'\nset format x '%g'\n" : "unset xlabel\nset format x ''\n";
    body += leftmost ? fmt::format("set ylabel '{} (m)'\nset format y '%g'\n", dim == 2 ? "y" : "z")
                     : "unset ylabel\nset format y ''\n";
    body += draw_outline(dim == 2 ? outline<2>(info, f.time, box) : outline<3>(info, f.time, box));
    if (k == 0) {
      body += fmt::format(
          "set colorbox user origin screen {:.6f},{:.6f} size screen {:.6f},{:.6f}\nset cblabel {}\n",
          static_cast<double>(width - right + 24) / width, static_cast<double>(bottom) / height,
          16.0 / width, static_cast<double>(height - top - bottom) / height, quoted(shading.label));
    } else {
      body += "unset colorbox\nunset label 1\n";
    }
    // The second term draws nothing: it is there for the colour bar. A point of size 1 has a radius
    // of 4.5 px in SVG, where circles would be polygons of many corners.
    const std::string border = outlined ? "border rgb '#202020'" : "noborder";
    const std::string circles = fmt::format(
        "plot {} index {} using 1:2:3:5 with circles lw 0.4 lc rgb variable fillstyle solid 1.0 {}",
        dat, k, border);
    const std::string points = fmt::format(
        "plot {} index {} using 1:2:($3*{:.6g}):5 with points pt 7 ps variable lc rgb variable",
        dat, k, scale / 4.5);
    std::string bar = ", NaN with lines palette\n";
    if (angular) {
      std::string terms = fmt::format(", {} index {} using 1:2:3 with filledcurves closed fc rgb variable fillstyle solid 1.0 noborder",
                                      dat, count + k);
      if (outlined) terms += fmt::format(", {} index {} using 1:2 with lines lw 0.4 lc rgb '#202020'", dat, count + k);
      bar = terms + bar;
    }
    body += "if (kind eq 'png') {\n" + (drawn > most_circles ? points : circles) + bar +
            "} else {\n" + points + bar + "}\n";
  }
  body += "unset multiplot\nunset label\n";
  return draw(stem, for_terminals(stem, width, height, svg, body), data, svg);
}

// --- Energies
// --------------------------------------------------------------------------------------

Picture draw_energies(const RunReader& run, const fs::path& stem) {
  return draw_energies(run.energies(), run.info().name, stem);
}

Picture draw_script(const fs::path& stem, int width, int height, const std::string& body, const std::string& data) {
  return draw(stem, for_terminals(stem, width, height, true, body), data, true);
}

std::string set_palette() { return palette(viridis); }

Picture draw_energies(const std::vector<EnergyRow>& rows, const std::string& name,
                      const fs::path& stem) {
  if (rows.size() < 2) return {{}, "no picture: fewer than two rows of energies"};
  double lowest = rows.front().potential;
  for (const EnergyRow& e : rows) lowest = std::min(lowest, e.potential);

  struct Curve {
    const char* title;
    const char* style;
    std::function<double(const EnergyRow&)> value;
  };
  const Curve curves[] = {
      {"kinetic", "lc rgb '#0072b2'", [](const EnergyRow& e) { return e.kinetic; }},
      {"rotational", "lc rgb '#56b4e9'", [](const EnergyRow& e) { return e.rotational; }},
      {"potential, above its minimum", "lc rgb '#009e73'",
       [&](const EnergyRow& e) { return e.potential - lowest; }},
      {"elastic", "lc rgb '#e69f00'", [](const EnergyRow& e) { return e.elastic; }},
      {"dissipated", "lc rgb '#d55e00'", [](const EnergyRow& e) { return e.dissipated(); }},
      {"work done on the grains", "lc rgb '#cc79a7'", [](const EnergyRow& e) { return e.work; }},
      {"balance error", "lc rgb '#000000' dt 2",
       [](const EnergyRow& e) { return e.balance_error; }}};

  const std::size_t stride = 1 + rows.size() / 5000;
  std::string data = "# time (s)";
  for (const Curve& c : curves) data += fmt::format(", {}", c.title);
  data += " (J)\n";
  for (std::size_t k = 0; k < rows.size();
       k = k + 1 == rows.size() ? k + 1 : std::min(k + stride, rows.size() - 1)) {
    data += fmt::format("{:.9g}", rows[k].time);
    for (const Curve& c : curves) data += fmt::format(" {:.9g}", c.value(rows[k]));
    data += '\n';
  }

  std::string body = fmt::format(
      "set title {} font 'DejaVu Sans,14'\nset xlabel 'time (s)'\nset ylabel 'energy (J)'\n"
      "set key outside right top Left reverse spacing 1.3 samplen 3\nset border 3 lw 0.8\n"
      "set xtics nomirror out\nset ytics nomirror out\nset format '%g'\nset grid lc rgb '#dddddd' "
      "lw 0.8\n"
      "set xrange [{:.9g}:{:.9g}]\nset xzeroaxis lc rgb '#888888'\nplot ",
      quoted(name), rows.front().time,
      rows.back().time > rows.front().time ? rows.back().time : rows.front().time + 1);
  const std::string dat = quoted(stem.filename().string() + ".dat");
  std::string terms;
  for (int k = 0; k < static_cast<int>(std::size(curves)); ++k) {
    const auto& value = curves[k].value;
    // Curves that are zero throughout, or not known, would only crowd the legend.
    if (std::all_of(rows.begin(), rows.end(), [&](const EnergyRow& e) { return value(e) == 0 || std::isnan(value(e)); }))
      continue;
    terms +=
        fmt::format("{}{} using 1:{} with lines lw 2 {} title '{}'",
                    terms.empty() ? "" : ", \\\n  ", dat, k + 2, curves[k].style, curves[k].title);
  }
  if (terms.empty()) terms = fmt::format("{} using 1:2 with lines lw 2 title 'kinetic'", dat);
  body += terms + "\n";
  return draw(stem, for_terminals(stem, 1000, 520, true, body), data, true);
}

}  // namespace scree
