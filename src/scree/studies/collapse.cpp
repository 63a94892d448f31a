// SPDX-License-Identifier: BSD-3-Clause
/// Columns of grains that collapse when their gate is taken away: what is left of their height, how
/// far they run, and the shape of the deposit, against the aspect ratio a = H/L (section 2.2 of the
/// thesis, seed 003: table 2.4, figures 2.10 to 2.15). With H and L the height and the width of the
/// column, h∞ the height of the deposit at the wall and l∞ its length,
///
///     H/h∞ ~ λ₁ a^{0.6},      (l∞ - L)/L ~ λ₂ a^{0.9 ± 0.1}
///
/// (Balmforth and Kerswell, J. Fluid Mech. 538, 399 (2005), wide channels; the thesis takes the
/// second for a > 2). In the plane the run-out of tall columns is known to grow more slowly: 3.25
/// a^{0.7} in simulations (Staron and Hinch, J. Fluid Mech. 545, 1 (2005)), 3.80 a^{0.73} with rods
/// (arXiv:1512.05180, where H/h∞ = 1.42 a^{2/3} and deposits are flat below a = 0.65).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/studies/collapse_scene.hpp"
#include "scree/studies/fit_window.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

const std::vector<std::string> geometry_names{"plane", "dam", "cylinder"};

/// From here on the run-out follows the power law of tall columns.
constexpr double tall = 2;

struct Column {
  CollapseCase wanted;
  Collapsed is;
  double plateau = 0;  // of the width
  Shape shape = Shape::triangle;
};

const char* shape_name(Shape shape) { return shape == Shape::trapezoid ? "trapezoid" : "triangle"; }

/// A power law over some of the columns.
struct ColumnFit {
  PowerFit power;
  double from = 0, to = 0;  // a
  std::size_t columns = 0;
  bool good() const { return columns >= 3; }
  double at(double a) const { return power.constant * std::pow(a, power.exponent); }
};

ColumnFit fit(const std::vector<const Column*>& columns, double (Collapsed::*of)() const) {
  ColumnFit f;
  std::vector<double> x, y;
  for (const Column* c : columns) {
    const double value = (c->is.*of)();
    if (!(value > 0) || !std::isfinite(value)) continue;
    x.push_back(c->is.aspect());
    y.push_back(value);
  }
  f.columns = x.size();
  if (x.empty()) return f;
  f.from = *std::min_element(x.begin(), x.end());
  f.to = *std::max_element(x.begin(), x.end());
  if (f.good() && f.to > f.from)
    f.power = fit_power(x, y);
  else
    f.columns = 0;
  return f;
}

/// The columns with one friction of the walls, and what they say together.
struct WallGroup {
  double wall_mu = 0;
  std::vector<const Column*> columns;
  ColumnFit head, runout, runout_low, runout_triangles;
  std::vector<Point2> master;  // mean of the normalised triangles
  std::size_t triangles = 0;   // in it
  double master_rms = 0;       // their distance from it
  double last_trapezoid = 0, first_triangle = 0;  // a; 0: there is none
};

nlohmann::ordered_json fit_json(const ColumnFit& f) {
  if (!f.good()) return {{"exponent", nullptr}, {"stderr", nullptr}, {"prefactor", nullptr}, {"columns", f.columns}};
  return {{"exponent", f.power.exponent},          {"stderr", f.power.stderr_},
          {"prefactor", f.power.constant},         {"prefactor_stderr", f.power.constant_stderr},
          {"range", {f.from, f.to}},               {"columns", f.columns}};
}

nlohmann::ordered_json line_json(const std::vector<Point2>& line) {
  auto all = nlohmann::ordered_json::array();
  for (const Point2& p : line) all.push_back({p.s, p.z});
  return all;
}

constexpr std::size_t samples = 200;  // of smoothed lines

/// The smoothed surface over final length and height.
std::vector<Point2> normalised(const Collapsed& c) {
  auto line = bezier(c.surface, samples);
  for (Point2& p : line) p.s /= c.l_inf, p.z /= c.h_inf;
  return line;
}

/// The curve that triangles are said to share, where all of them have a surface, and how well they do.
void find_master(const std::vector<const Column*>& triangles, WallGroup& group) {
  if (triangles.size() < 2) return;
  group.triangles = triangles.size();
  std::vector<std::vector<Point2>> lines;
  double from = 0, to = 1;
  for (const Column* c : triangles) {
    lines.push_back(normalised(c->is));
    from = std::max(from, lines.back().front().s);
    to = std::min(to, lines.back().back().s);
  }
  constexpr int points = 41;
  double squares = 0;
  for (int k = 0; k < points; ++k) {
    const double x = from + (to - from) * (k + 0.5) / points;
    double mean = 0;
    for (const auto& line : lines) mean += height_at(line, x) / static_cast<double>(lines.size());
    for (const auto& line : lines) squares += std::pow(height_at(line, x) - mean, 2);
    group.master.push_back({x, mean});
  }
  group.master_rms = std::sqrt(squares / static_cast<double>(lines.size() * points));
}

class CollapseStudy final : public Study {
 public:
  std::string_view name() const override { return "collapse"; }
  std::string_view summary() const override { return "columns that collapse: height and run-out against aspect ratio"; }
  std::string_view example() const override { return "scree study collapse --aspects 0.5,1,2,4 --grains 500 --wall-mu 0,0.5"; }
  std::vector<StudyOption> options() const override {
    return {{"geometry", "plane", "plane (spheres in a plane), dam (a channel in space with periodic sides) or cylinder"},
            {"aspects", "", "Aspect ratios, height over width (cylinder: over radius)"},
            {"grains", "", "Grains of each column, about (default: 1000; in space 3000; with --quick 150)"},
            {"extra", "", "One more column, ASPECT:GRAINS (default in the plane: 1:2500; none: no)"},
            {"wall-mu", "0", "Friction with the walls; several values: all columns with each"},
            {"soften", "", "Times by which grains are softer than in table 2.4 (default: 1; in space 100; with --quick 1000)"},
            {"springs", "contact", "Of friction: contact (as stiff as a contact) or table (2/7 of the number k in N/m, many times slower)"},
            {"repeats", "1", "Columns of each aspect ratio, each from another seed"}};
  }
  std::string scene(const StudySettings& s) const override { return collapse_scene(cases(s).front()); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::vector<CollapseCase> cases(const StudySettings& s);
  static void draw(const std::vector<WallGroup>& all, const CollapseCase& any, StudyResult& result);
  static void claims(const StudySettings& s, const std::vector<WallGroup>& all, StudyResult& result);
};

std::vector<CollapseCase> CollapseStudy::cases(const StudySettings& s) {
  CollapseCase base;
  const std::string& geometry = s.one_of("geometry", "a geometry", geometry_names);
  base.geometry = geometry == "plane" ? CollapseGeometry::plane
                  : geometry == "dam" ? CollapseGeometry::dam
                                      : CollapseGeometry::cylinder;
  const bool plane = base.geometry == CollapseGeometry::plane;
  const auto count = [](const std::string& option, std::int64_t n) {
    if (n < 20 || n > 10'000'000)
      throw InputError(fmt::format("--{}: expected from 20 to 10 million grains, found {}", option, n));
    return n;
  };
  base.grains = count("grains", s.given("grains") ? s.integer("grains") : s.quick ? 150 : plane ? 1000 : 3000);
  base.soften = s.given("soften") ? s.number("soften") : s.quick ? 1000 : plane ? 1 : 100;
  base.table_springs = s.one_of("springs", "a kind of friction spring", {"contact", "table"}) == "table";
  if (!(base.soften >= 1 && base.soften <= 1e4)) throw InputError("--soften: expected a number from 1 to 10000");
  auto aspects = s.numbers("aspects");
  if (aspects.empty()) {
    if (s.quick)
      aspects = {0.5, 1, 2, 3, 4};
    else if (plane)
      aspects = {0.1, 0.2, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.5, 3, 4, 5, 6, 8};
    else
      aspects = {0.4, 0.7, 1, 1.5, 2, 3, 4, 6, 8};
  }
  for (const double a : aspects)
    if (!(a >= 0.01 && a <= 100)) throw InputError("--aspects: expected numbers from 0.01 to 100, found " + brief(a));
  const std::int64_t repeats = s.integer("repeats");
  if (repeats < 1 || repeats > 1000) throw InputError("--repeats: expected a number from 1 to 1000");
  const auto frictions = s.numbers("wall-mu");
  if (frictions.empty()) throw InputError("--wall-mu: expected at least one number");
  std::vector<CollapseCase> all;
  for (const double mu : frictions) {
    if (!(mu >= 0)) throw InputError("--wall-mu: expected numbers >= 0, found " + brief(mu));
    base.wall_mu = mu;
    const auto add = [&](double aspect, std::int64_t grains) {
      for (std::int64_t k = 1; k <= repeats; ++k) {
        CollapseCase one = base;
        one.aspect = aspect;
        one.grains = grains;
        one.seed = static_cast<std::uint64_t>(k);
        all.push_back(one);
      }
    };
    for (const double a : aspects) add(a, base.grains);
    std::string extra = s.text("extra");
    if (extra.empty() && plane && !s.quick && !s.given("aspects") && !s.given("grains")) extra = "1:2500";
    if (extra.empty() || extra == "no") continue;
    double a = 0;
    std::int64_t n = 0;
    const std::size_t colon = extra.find(':');
    try {
      std::size_t end_a = 0, end_n = 0;
      a = std::stod(extra, &end_a);
      n = std::stoll(extra.substr(colon + 1), &end_n);
      if (colon == std::string::npos || end_a != colon || end_n != extra.size() - colon - 1) a = 0;
    } catch (const std::exception&) {
      a = 0;
    }
    if (!(a >= 0.01 && a <= 100)) throw InputError("--extra: expected ASPECT:GRAINS, as in 1:2500, or no; found " + in_quotes(extra));
    add(a, count("extra", n));
  }
  return all;
}

StudyResult CollapseStudy::run(const StudySettings& s, const StudyProgress& progress) const {
  const auto wanted = cases(s);
  std::vector<Column> columns(wanted.size());
  std::vector<Task> tasks;
  std::vector<AnyScene> scenes;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    columns[k].wanted = wanted[k];
    // Read before the work, so that what is wrong with the last is known before the first begins.
    scenes.push_back(read_scene_text(collapse_scene(wanted[k]), "study collapse", s.overrides));
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const CollapseCase& c = wanted[k];
    CollapseOrder order = collapse_order(c);
    order.time = header(scenes[k]).run.time;
    tasks.push_back({fmt::format("a = {}, {} grains{}", brief(c.aspect), c.grains,
                                 c.wall_mu > 0 ? ", μ = " + brief(c.wall_mu) + " at the walls" : ""),
                     static_cast<double>(c.grains) * order.time, [&, k, order] { columns[k].is = collapse(scenes[k], order); }});
  }
  do_all(tasks, progress);
  for (Column& c : columns) {
    c.plateau = plateau_of(c.is);
    c.shape = shape_of(c.is);
  }

  std::vector<WallGroup> all;
  for (const Column& c : columns) {
    if (all.empty() || all.back().wall_mu != c.wanted.wall_mu) all.emplace_back().wall_mu = c.wanted.wall_mu;
    all.back().columns.push_back(&c);
  }
  for (WallGroup& one : all) {
    std::stable_sort(one.columns.begin(), one.columns.end(), [](const Column* a, const Column* b) { return a->is.aspect() < b->is.aspect(); });
    std::vector<const Column*> triangles, high, low;
    for (const Column* c : one.columns) {
      const double a = c->is.aspect();
      if (c->shape == Shape::triangle) {
        triangles.push_back(c);
        one.first_triangle = one.first_triangle > 0 ? std::min(one.first_triangle, a) : a;
      } else {
        one.last_trapezoid = std::max(one.last_trapezoid, a);
      }
      (c->wanted.aspect >= tall ? high : low).push_back(c);
    }
    one.head = fit(triangles, &Collapsed::head);
    one.runout = fit(high, &Collapsed::runout);
    one.runout_low = fit(low, &Collapsed::runout);
    one.runout_triangles = fit(triangles, &Collapsed::runout);
    find_master(triangles, one);
  }

  StudyResult result;
  auto list = nlohmann::ordered_json::array(), groups = list;
  StudyTable table{"columns",
                   {"a", "grains", "wall_mu", "seed", "head", "runout", "shape", "h0", "l0", "h_inf", "l_inf", "plateau",
                    "time", "rests", "left_out", "overlap"},
                   {}};
  StudyTable profiles{"profiles", {"a", "grains", "wall_mu", "seed", "s", "z"}, {}};
  result.text = fmt::format("{:>8} {:>7} {:>6} {:>9} {:>11} {:>11} {:>9} {:>8} {:>9}\n", "a", "grains", "μ wall", "H/h_inf",
                            "(l_inf-L)/L", "shape", "plateau/L", "time (s)", "left out");
  for (const WallGroup& one : all) {
    for (const Column* column : one.columns) {
      const Collapsed& c = column->is;
      const std::string shape = shape_name(column->shape);
      const auto seed = static_cast<std::int64_t>(column->wanted.seed);
      list.push_back({{"a", c.aspect()},       {"grains", c.grains}, {"head", c.head()},   {"runout", c.runout()},
                      {"shape", shape},        {"wall_mu", one.wall_mu}, {"seed", seed},   {"h0", c.h0},
                      {"l0", c.l0},            {"h_inf", c.h_inf},   {"l_inf", c.l_inf},   {"plateau", column->plateau},
                      {"time", c.time},        {"rests", c.rests},   {"left_out", c.left_out}, {"overlap", c.overlap}});
      table.rows.push_back({c.aspect(), c.grains, one.wall_mu, seed, c.head(), c.runout(), shape, c.h0, c.l0, c.h_inf,
                            c.l_inf, column->plateau, c.time, std::int64_t{c.rests}, c.left_out, c.overlap});
      for (const Point2& p : c.surface) profiles.rows.push_back({c.aspect(), c.grains, one.wall_mu, seed, p.s, p.z});
      result.text += fmt::format("{:8.3f} {:7} {:6} {:9.3f} {:11.3f} {:>11} {:9.3f} {:8.2f} {:9}{}\n", c.aspect(), c.grains,
                                 brief(one.wall_mu), c.head(), c.runout(), shape, column->plateau, c.time, c.left_out,
                                 c.rests ? "" : "  still moves");
    }
    const auto maybe = [](double a) { return a > 0 ? nlohmann::ordered_json(a) : nlohmann::ordered_json(); };
    groups.push_back({{"wall_mu", one.wall_mu},
                      {"head", fit_json(one.head)},
                      {"runout", fit_json(one.runout)},
                      {"runout_low", fit_json(one.runout_low)},
                      {"runout_triangles", fit_json(one.runout_triangles)},
                      {"master", {{"rms", one.master.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(one.master_rms)}, {"line", line_json(one.master)}}},
                      {"transition", {{"last_trapezoid", maybe(one.last_trapezoid)}, {"first_triangle", maybe(one.first_triangle)}}}});
  }
  for (const WallGroup& one : all) {
    const auto line = [](const ColumnFit& f, const char* what, const char* which) {
      if (!f.good()) return fmt::format("  {}: fewer than three columns {}, no fit\n", what, which);
      return fmt::format("  {} = ({:.3f} ± {:.3f}) a^({:.3f} ± {:.3f}), {} columns, a from {:.2f} to {:.2f}\n", what,
                         f.power.constant, f.power.constant_stderr, f.power.exponent, f.power.stderr_, f.columns, f.from, f.to);
    };
    if (all.size() > 1) result.text += fmt::format("μ = {} at the walls:\n", brief(one.wall_mu));
    result.text += line(one.head, "H/h_inf", "with a triangular deposit");
    result.text += line(one.runout, "(l_inf-L)/L", "of a >= 2");
    result.text += line(one.runout_low, "(l_inf-L)/L", "of a < 2");
    result.text += line(one.runout_triangles, "(l_inf-L)/L", "with a triangular deposit");
    if (one.last_trapezoid > 0 && one.first_triangle > 0)
      result.text += fmt::format("  trapezoids up to a = {:.2f}, triangles from a = {:.2f}\n", one.last_trapezoid, one.first_triangle);
  }
  result.json["study"] = "collapse";
  result.json["geometry"] = s.text("geometry");
  result.json["soften"] = wanted.front().soften;
  result.json["springs"] = wanted.front().table_springs ? "table" : "contact";
  result.json["columns"] = list;
  result.json["head"] = groups.front()["head"];
  result.json["runout"] = groups.front()["runout"];
  result.json["runout_triangles"] = groups.front()["runout_triangles"];
  result.json["transition"] = groups.front()["transition"];
  result.json["walls"] = groups;
  result.tables = {table, profiles};
  draw(all, wanted.front(), result);
  claims(s, all, result);
  return result;
}

void CollapseStudy::draw(const std::vector<WallGroup>& all, const CollapseCase& any, StudyResult& result) {
  const bool round = any.geometry == CollapseGeometry::cylinder;
  const std::string s_label = round ? "distance from the axis" : "x";
  Figure figure{"collapse", "Collapse of granular columns", {}};
  Panel flat{"trapezoids", s_label + " (m)", "z (m)", false, false, {}, {}, {}, {}};
  Panel master{"triangles, normalised", s_label + "/l_∞", "z/h_∞", false, false, {}, {}, {}, {}};
  Panel head{"head height", "a", "H/h_∞", true, true, {}, {}, {}, {}};
  Panel runout{"run-out", "a", "(l_∞ - L)/L", true, true, {}, {}, {}, {}};
  int colour = 0;
  for (const WallGroup& one : all) {
    const std::string walls = all.size() > 1 ? ", μ = " + brief(one.wall_mu) : "";
    Series points{all.size() > 1 ? "μ = " + brief(one.wall_mu) + " at the walls" : "", {}, {}, Series::Style::points, colour}, far = points;
    for (const Column* column : one.columns) {
      const Collapsed& c = column->is;
      const bool triangle = column->shape == Shape::triangle;
      Series curve{fmt::format("a = {:.2f}{}", c.aspect(), walls), {}, {}, Series::Style::line};
      for (const Point2& p : triangle ? normalised(c) : bezier(c.surface, samples)) curve.x.push_back(p.s), curve.y.push_back(p.z);
      (triangle ? master : flat).series.push_back(curve);
      points.x.push_back(c.aspect());
      points.y.push_back(c.head());
      far.x.push_back(c.aspect());
      far.y.push_back(c.runout());
    }
    if (!one.master.empty()) {
      Series mean{"mean" + walls, {}, {}, Series::Style::dashed, Series::grey};
      for (const Point2& p : one.master) mean.x.push_back(p.s), mean.y.push_back(p.z);
      master.series.push_back(mean);
    }
    head.series.push_back(points);
    runout.series.push_back(far);
    const auto line = [&](Panel& panel, const ColumnFit& f) {
      if (!f.good()) return;
      Series fitted{fmt::format("{:.2f} a^{{{:.3f} ± {:.3f}}}", f.power.constant, f.power.exponent, f.power.stderr_), {f.from, f.to},
                    {f.at(f.from), f.at(f.to)}, Series::Style::dashed, colour};
      panel.series.push_back(fitted);
    };
    line(head, one.head);
    line(runout, one.runout);
    line(runout, one.runout_low);
    ++colour;
  }
  figure.panels = {flat, master, head, runout};
  result.figures.push_back(figure);

  // One deposit with its smoothed line (figure 2.12): the column with most grains.
  const Column* most = nullptr;
  for (const WallGroup& one : all)
    for (const Column* c : one.columns)
      if (!most || c->is.grains > most->is.grains) most = c;
  Figure deposit{"deposit", "", {}};
  Panel panel{fmt::format("a = {:.2f}, {} grains", most->is.aspect(), most->is.grains), s_label + " (m)", "z (m)", false, false, {}, {}, {}, {}};
  const auto series = [](const std::string& title, const std::vector<Point2>& points, Series::Style style) {
    Series one{title, {}, {}, style};
    for (const Point2& p : points) one.x.push_back(p.s), one.y.push_back(p.z);
    return one;
  };
  panel.series = {series("column", most->is.column, Series::Style::line), series("surface of the deposit", most->is.surface, Series::Style::points),
                  series("smoothed", bezier(most->is.surface, samples), Series::Style::line)};
  deposit.panels = {panel};
  result.figures.push_back(deposit);
}

void CollapseStudy::claims(const StudySettings& s, const std::vector<WallGroup>& all, StudyResult& result) {
  if (s.text("geometry") != "plane" || !s.overrides.empty()) return;
  const WallGroup& one = all.front();
  const auto number = [](const ColumnFit& f) {
    return fmt::format("{:.3f} ± {:.3f} (prefactor {:.2f}, {} columns, a from {:.1f} to {:.1f})", f.power.exponent, f.power.stderr_,
                       f.power.constant, f.columns, f.from, f.to);
  };
  const auto verdict = [](bool holds) { return holds ? Finding::Verdict::holds : Finding::Verdict::differs; };
  const std::string few = fmt::format("columns of {} grains scatter", one.columns.front()->wanted.grains);
  if (one.head.good()) {
    const bool holds = std::abs(one.head.power.exponent - 0.6) <= 0.06;
    result.findings.push_back({"003, figure 2.15 (a)", "H/h∞ grows as a^0.6 where deposits are triangular (the thesis fits 0.606 ± 0.029)",
                               number(one.head), verdict(holds), holds ? "" : few});
  }
  if (one.runout.good()) {
    const bool holds = std::abs(one.runout.power.exponent - 0.9) <= 0.1;
    result.findings.push_back({"003, figure 2.15 (b)", "(l∞ - L)/L grows as a^(0.9 ± 0.1) for a > 2 (the thesis fits 0.829 ± 0.008)",
                               number(one.runout), verdict(holds),
                               holds ? ""
                                     : "tall columns of softer grains run less far: 0.71 at --soften 100, 0.78 at 10; and others find 0.7 "
                                       "in the plane (Staron and Hinch 2005, 3.25 a^0.7; rods of aluminium, arXiv:1512.05180, 3.80 a^0.73)"});
  }
  if (one.runout_triangles.good())
    result.findings.push_back({"beyond 003, figure 2.15 (b)", "one power law through all triangular deposits", number(one.runout_triangles),
                               Finding::Verdict::beyond, ""});
  if (!one.master.empty())
    result.findings.push_back({"003, figure 2.14", "triangular deposits, over their height and length, converge to one curve",
                               fmt::format("{} deposits lie {:.3f} (root mean square) about their mean", one.triangles, one.master_rms),
                               verdict(one.master_rms < 0.1), ""});
  for (const WallGroup& each : all)
    if (each.last_trapezoid > 0 && each.first_triangle > 0)
      result.findings.push_back({"003, section 2.2.3",
                                 "deposits turn from trapezoids into triangles at a = 0.5 where Balmforth and Kerswell saw 1.5; is it "
                                 "the frictionless wall, or too few grains?",
                                 fmt::format("{} grains, μ = {} at the walls: trapezoids up to a = {:.2f}, triangles from {:.2f}",
                                             each.columns.front()->wanted.grains, brief(each.wall_mu), each.last_trapezoid, each.first_triangle),
                                 Finding::Verdict::beyond, ""});
}

}  // namespace

const Study& collapse_study() {
  static const CollapseStudy study;
  return study;
}

}  // namespace scree
