// SPDX-License-Identifier: BSD-3-Clause
/// A silo with a flat bottom runs out through a hole: mass per time against the width D of the hole. Beverloo, Leniger
/// and van de Velde, Chem. Eng. Sci. 15, 260 (1961):
///
///     W = C ρ sqrt(g) (D - k d)^p,   p = 3/2 in the plane, 5/2 in space,
///
/// since grains fall freely from an arch as wide as the hole: a speed ~ sqrt(g D) times a length or an area. The rate
/// does not depend on the height of the filling, unlike a liquid's. Over less than a decade of D, k and p can hardly be
/// told apart, so there are two fits: of C, k and p together, and of C and p at Beverloo's k = 1.4, by which p is judged.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "scree/analysis/moments.hpp"
#include "scree/core/errors.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/fit_window.hpp"
#include "scree/studies/flow_grains.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/offset_power.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

const FlowGrains grain;
constexpr double beverloo_k = 1.4;

class Silo final : public Study {
 public:
  std::string_view name() const override { return "silo"; }
  std::string_view summary() const override { return "discharge of a silo against the width of its hole (Beverloo)"; }
  std::string_view example() const override { return "scree study silo --dim 2 --widths 6,8,10,12,16"; }
  std::vector<StudyOption> options() const override {
    return {{"dim", "2", "2 or 3"},
            {"widths", "", "Of the hole, in diameters (default: 5 to 14 in the plane, 4 to 7 in space)"},
            {"width", "", "Of the silo, in diameters (default: 40 in the plane, 14 in space)"},
            {"grains", "", "In the silo (default: a filling as high as 1.25 widths)"},
            {"mu", "0.5", "Friction, also at the walls"},
            {"stiffness", "2e4", "k in units of m g/d"}};
  }
  std::string scene(const StudySettings& s) const override { return text_of(s, widths(s).front()); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  struct Run {
    double hole = 0;               // d
    std::vector<double> t, mass;   // s, kg in the silo
    Moments rate;                  // kg/s
    bool jammed = false, unfinished = false;  // nothing came any more; time was up
    std::string fault;
  };
  static int dim(const StudySettings& s);
  static double width(const StudySettings& s);
  static std::int64_t grains(const StudySettings& s);
  static std::vector<double> widths(const StudySettings& s);
  static std::string text_of(const StudySettings& s, double hole);
  static void discharge(const StudySettings& s, const Settled& rested, Run& run);
};

int Silo::dim(const StudySettings& s) {
  const auto d = s.integer("dim");
  if (d != 2 && d != 3) throw InputError("--dim: expected 2 or 3");
  return static_cast<int>(d);
}

double Silo::width(const StudySettings& s) {
  const double w = s.given("width") ? s.number("width") : s.quick ? (dim(s) == 2 ? 24 : 12) : dim(s) == 2 ? 40 : 14;
  if (!(w >= 8)) throw InputError("--width: expected at least 8 diameters");
  return w;
}

std::int64_t Silo::grains(const StudySettings& s) {
  const double w = width(s);
  const auto n = s.given("grains") ? s.integer("grains")
                 : dim(s) == 2     ? std::llround(1.25 * w * w * 0.8 / (std::numbers::pi / 4))
                                   : std::llround(1.25 * w * w * w * 0.58 * 1.5);
  if (n < 50) throw InputError("--grains: expected at least 50");
  return n;
}

std::vector<double> Silo::widths(const StudySettings& s) {
  std::vector<double> all = s.numbers("widths");
  if (all.empty())
    all = s.quick ? std::vector<double>{6, 8, 11} : dim(s) == 2 ? std::vector<double>{5, 6, 7, 8.5, 10, 12, 14} : std::vector<double>{4, 4.5, 5, 5.5, 6, 7};
  in_order(all);
  for (const double one : all)
    if (!(one > 0 && one < width(s))) throw InputError(fmt::format("--widths: expected holes narrower than the silo, {} d, found {}", brief(width(s)), brief(one)));
  return all;
}

std::string Silo::text_of(const StudySettings& s, double hole) {
  const int d = dim(s);
  const bool space = d == 3;
  const double w = width(s) * grain.diameter, k = s.number("stiffness") * grain.mass() * grain.gravity / grain.diameter;
  const double mu = s.number("mu");
  if (!(mu >= 0)) throw InputError("--mu: expected a number >= 0, found " + brief(mu));
  if (!(k > 0)) throw InputError("--stiffness: expected a number > 0");
  const auto at = [&](double x, double y, double z) { return point_text(d, x, y, z); };
  const double high = 6 * w;
  const std::string filling = space ? fmt::format("build = \"random\"\nbox = [{}, {}]", at(-0.35 * w, -0.35 * w, 0), at(0.35 * w, 0.35 * w, high))
                                    : fmt::format("build = \"column\"\nwidth = {}\norigin = {}", shortest(w), at(-0.5 * w, 0, 0));
  const std::string sides = space ? fmt::format("kind = \"ring\"\nradius = {}", shortest(0.5 * w))
                                  : fmt::format("kind = \"plane\"\npoint = {}\nnormal = [1, 0]\n\n[[walls]]\nname = \"right\"\nkind = \"plane\"\npoint = {}\nnormal = [-1, 0]",
                                                at(-0.5 * w, 0, 0), at(0.5 * w, 0, 0));
  return fmt::format(R"([scene]
name = "silo"
dim = {dim}
seed = 1

[domain]
gravity = {gravity}      # m/s^2

[material.glass]
density = {density}
body = "sphere"

[[grains]]
name = "filling"
{filling}
count = {count}
material = "glass"
radius = {radii}

[[walls]]
name = "side"
{sides}

[[walls]]                       # a sheet with a hole
name = "bottom"
kind = "sheet"
point = {origin}
normal = {up}
hole = {hole}                   # m, radius

[[walls]]                       # which is shut until the run begins
name = "gate"
kind = "plane"
point = {origin}
normal = {up}
until = 0.0

[[remove]]                      # what has fallen through is taken out
name = "outlet"
point = {below}
normal = {up}

[contact]
normal = {{ law = "linear", k = {k}, restitution = 0.6 }}
tangential = {{ law = "cundall-strack", ratio = 0.2857142857142857, mu = {mu} }}

[prepare]
time = {settling}
damping = {damping}
rest = 1.0e-2

[run]
integrator = "velocity-verlet"
dt = {dt}
time = {time}
)",
                     fmt::arg("dim", d), fmt::arg("gravity", at(0, 0, -grain.gravity)), fmt::arg("density", shortest(grain.density)),
                     fmt::arg("filling", filling), fmt::arg("count", grains(s)), fmt::arg("radii", grain.radius()), fmt::arg("sides", sides),
                     fmt::arg("origin", at(0, 0, 0)), fmt::arg("up", at(0, 0, 1)), fmt::arg("hole", shortest(0.5 * hole * grain.diameter)),
                     fmt::arg("below", at(0, 0, -3 * grain.diameter)), fmt::arg("k", shortest(k)), fmt::arg("mu", shortest(mu)),
                     fmt::arg("settling", shortest(400 * grain.time())), fmt::arg("damping", shortest(0.3 / grain.time())),
                     fmt::arg("dt", shortest(grain.step(k))), fmt::arg("time", shortest(1000 * grain.time())));
}

/// From the rested filling until 55 % of it is out, or nothing has come for 40 sqrt(d/g). The rate is that of the
/// time in which the amount out grows from 10 % to 55 %, in nine parts.
void Silo::discharge(const StudySettings& s, const Settled& rested, Run& run) {
  constexpr int parts = 9;
  constexpr double first = 0.10, step = 0.05;
  const AnyScene scene = read_scene_text(text_of(s, run.hole), "silo", s.overrides);
  const double dt = step_of_study(scene, s);
  const auto every = std::max<std::int64_t>(std::llround(0.1 * grain.time() / dt), 1);
  double last_change = 0;
  const Observer watch{every, [&](const Frame& f) {
                         double inside = 0;
                         for (std::size_t i = 0; i < f.size(); ++i)
                           if (f.x[static_cast<std::size_t>(f.dim) * i + static_cast<std::size_t>(f.dim) - 1] > 0) inside += f.mass[i];
                         if (run.mass.empty() || inside < run.mass.back()) last_change = f.time;
                         run.t.push_back(f.time);
                         run.mass.push_back(inside);
                         run.jammed = f.time - last_change > 40 * grain.time();
                         return !run.jammed && inside > (1 - first - parts * step) * run.mass.front();
                       }};
  const auto steps = static_cast<std::int64_t>(1000 * grain.time() / dt);
  const Outcome end = run_experiment(scene, dt, steps, watch, &rested);
  run.fault = end.fault;
  run.unfinished = run.mass.back() > (1 - first - parts * step) * run.mass.front();
  if (!run.fault.empty() || run.jammed || run.unfinished) return;
  std::vector<double> rates;
  const auto passed = [&](double part) {  // when so much was out, between two looks
    const double wanted = (1 - part) * run.mass.front();
    for (std::size_t k = 1; k < run.mass.size(); ++k)
      if (run.mass[k] <= wanted)
        return run.t[k - 1] + (run.t[k] - run.t[k - 1]) * (run.mass[k - 1] - wanted) / (run.mass[k - 1] - run.mass[k]);
    return run.t.back();
  };
  for (int k = 0; k < parts; ++k) {
    const double from = passed(first + k * step), to = passed(first + (k + 1) * step);
    if (to > from) rates.push_back(step * run.mass.front() / (to - from));
  }
  run.rate = moments(rates);
}

StudyResult Silo::run(const StudySettings& s, const StudyProgress& progress) const {
  const auto holes = widths(s);
  const int d = dim(s);
  progress(0, "filling");
  const Settled rested = settle(read_scene_text(text_of(s, holes.front()), "silo", s.overrides));
  std::vector<Run> runs(holes.size());
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < holes.size(); ++k) {
    runs[k].hole = holes[k];
    tasks.push_back({fmt::format("D = {} d", brief(holes[k])), std::pow(holes[k], -1.5), [&, k] { discharge(s, rested, runs[k]); }});
  }
  do_all(tasks, progress);

  StudyResult result;
  const double unit = grain.mass() / grain.time();
  const double expected = d == 2 ? 1.5 : 2.5;
  StudyTable table{"discharge", {"D", "rate", "stderr", "status"}, {}}, levels{"levels", {"D", "t", "mass"}, {}};
  auto points = nlohmann::ordered_json::array();
  Panel over_time{"", "t/(d/g)^{1/2}", "in the silo, grains", false, false, {}, {}, {}, {}};
  Series found{"", {}, {}, Series::Style::points};
  result.text = fmt::format("{:>8} {:>16} {:>8}\n", "D/d", "grains/(d/g)^1/2", "±");
  for (const Run& one : runs) {
    const std::string status = !one.fault.empty() ? one.fault : one.jammed ? "jammed" : one.unfinished ? "unfinished" : "flows";
    points.push_back({{"D", one.hole}, {"rate", one.rate.mean / unit}, {"stderr", one.rate.stderr_ / unit}, {"status", status}});
    table.rows.push_back({one.hole * grain.diameter, one.rate.mean, one.rate.stderr_, status});
    result.text += status == "flows" ? fmt::format("{:8.2f} {:16.3f} {:8.3f}\n", one.hole, one.rate.mean / unit, one.rate.stderr_ / unit)
                                     : fmt::format("{:8.2f} {:>16}\n", one.hole, status);
    Series level{fmt::format("D = {} d", brief(one.hole)), {}, {}, Series::Style::line};
    for (std::size_t k = 0; k < one.t.size(); ++k) {
      levels.rows.push_back({one.hole * grain.diameter, one.t[k], one.mass[k]});
      level.x.push_back(one.t[k] / grain.time());
      level.y.push_back(one.mass[k] / grain.mass());
    }
    over_time.series.push_back(level);
    if (status != "flows" || !(one.rate.mean > 0)) continue;
    found.x.push_back(one.hole);
    found.y.push_back(one.rate.mean / unit);
  }
  result.json = {{"study", "silo"}, {"dim", d}, {"grains", grains(s)}, {"points", points}};
  Panel law{"", "D/d", "grains/(d/g)^{1/2}", true, true, {found}, {}, {}, {}};
  if (found.x.size() >= 4 && found.x.front() > beverloo_k) {
    const OffsetPower fit = fit_offset_power(found.x, found.y);
    std::vector<double> free_width;
    for (const double x : found.x) free_width.push_back(x - beverloo_k);
    const PowerFit fixed = fit_power(free_width, found.y);
    result.json["beverloo"] = {{"exponent", fit.exponent}, {"stderr", fit.exponent_error}, {"k", fit.offset}, {"k_stderr", fit.offset_error}, {"C", fit.factor},
                               {"exponent_at_k_1.4", fixed.exponent}, {"stderr_at_k_1.4", fixed.stderr_}};
    Series line{fmt::format("({} - {:.2f})^{{{:.2f}}}", "D/d", fit.offset, fit.exponent), {}, {}, Series::Style::line, 0};
    const double least = *std::min_element(found.x.begin(), found.x.end()), most = *std::max_element(found.x.begin(), found.x.end());
    for (int k = 0; k <= 100; ++k) {
      const double x = least + (most - least) * k / 100;
      line.x.push_back(x);
      line.y.push_back(fit.factor * std::pow(x - fit.offset, fit.exponent));
    }
    law.series.push_back(line);
    const std::string told = fmt::format("exponent {:.3f} ± {:.3f} at k = 1.4; fitted together {:.3f} ± {:.3f} and k = {:.2f} ± {:.2f}", fixed.exponent,
                                         fixed.stderr_, fit.exponent, fit.exponent_error, fit.offset, fit.offset_error);
    result.text += fmt::format("\nW ~ (D - k d)^p: {}; Beverloo: {}\n", told, shortest(expected));
    if (!s.quick && s.overrides.empty())
      result.findings.push_back({"Beverloo et al. 1961", fmt::format("The discharge grows as (D - k d)^{{{}}} {}", shortest(expected), d == 2 ? "in the plane" : "in space"),
                                 told, std::abs(fixed.exponent / expected - 1) < 0.1 ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  }
  result.tables = {table, levels};
  result.figures.push_back({"silo", fmt::format("Discharge of {} grains, {}", grains(s), d == 2 ? "in the plane" : "in space"), {over_time, law}});
  return result;
}

}  // namespace

const Study& silo_study() {
  static const Silo study;
  return study;
}

}  // namespace scree
