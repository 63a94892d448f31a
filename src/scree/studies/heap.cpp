// SPDX-License-Identifier: BSD-3-Clause
/// Grains poured on a rough table: the angle of repose of the heap against friction. They come one by one out of a
/// small box above the middle; what falls off the table is taken out, so that the heap is as large as the table bears
/// and its slope is that of the last avalanches. The angle is that of straight lines through the surface of either
/// side, without the peak, where grains arrive, and the foot.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "scree/analysis/moments.hpp"
#include "scree/core/errors.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/flow_grains.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

const FlowGrains grain;

/// Highest point of free grains in columns two diameters wide.
std::map<std::int64_t, double> surface(const Frame& f) {
  std::map<std::int64_t, double> top;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f.held[i]) continue;
    const auto column = static_cast<std::int64_t>(std::floor(f.x[2 * i] / (2 * grain.diameter)));
    const double high = f.x[2 * i + 1] + f.radius[i];
    const auto [at, fresh] = top.emplace(column, high);
    if (!fresh) at->second = std::max(at->second, high);
  }
  return top;
}

/// Angle in degrees of one side (sign = -1, 1) by least squares over 15 % to 85 % of the table's half width.
double slope_of(const std::map<std::int64_t, double>& top, int sign, double half_width) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [column, high] : top) {
    const double at = (static_cast<double>(column) + 0.5) * 2 * grain.diameter, away = sign * at;
    if (away < 0.15 * half_width || away > 0.85 * half_width) continue;
    n += 1;
    x += at;
    y += high;
    xx += at * at;
    xy += at * high;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return std::atan(-sign * slope) * 180 / std::numbers::pi;
}

class Heap final : public Study {
 public:
  std::string_view name() const override { return "heap"; }
  std::string_view summary() const override { return "angle of repose of a poured heap against friction"; }
  std::string_view example() const override { return "scree study heap --mu 0.1,0.3,0.5 --rolling 0.05"; }
  std::vector<StudyOption> options() const override {
    return {{"mu", "", "Friction coefficients (default: 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)"},
            {"rolling", "0", "Coefficient of rolling resistance, mu_r"},
            {"table", "60", "Width of the table, in diameters"},
            {"seeds", "3", "Heaps for each coefficient"},
            {"rate", "4", "Grains in a time sqrt(d/g)"},
            {"stiffness", "2e4", "k in units of m g/d"}};
  }
  std::string scene(const StudySettings& s) const override { return text_of(s, frictions(s).back(), 1); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::vector<double> frictions(const StudySettings& s) {
    std::vector<double> all = s.numbers("mu");
    if (all.empty()) all = s.quick ? std::vector<double>{0.1, 0.5} : std::vector<double>{0.05, 0.1, 0.2, 0.3, 0.5, 0.8};
    in_order(all);
    for (const double mu : all)
      if (!(mu >= 0)) throw InputError("--mu: expected numbers >= 0, found " + brief(mu));
    return all;
  }
  static double table(const StudySettings& s) {
    const double w = s.quick ? std::min(s.number("table"), 30.0) : s.number("table");
    if (!(w >= 20)) throw InputError("--table: expected at least 20 diameters");
    return w;
  }
  static double rate(const StudySettings& s) {
    const double r = s.number("rate");
    if (!(r > 0 && r <= 10)) throw InputError("--rate: expected a number above 0 and at most 10, found " + brief(r));
    return r;
  }
  /// Twice what a heap of 30° holds, so that even that one sheds grains; in sqrt(d/g).
  static double pouring(const StudySettings& s) {
    return 2 * 0.25 * table(s) * table(s) * std::tan(std::numbers::pi / 6) / rate(s);
  }
  static std::string text_of(const StudySettings& s, double mu, std::int64_t seed);
};

std::string Heap::text_of(const StudySettings& s, double mu, std::int64_t seed) {
  const double half = 0.5 * table(s) * grain.diameter, d = grain.diameter;
  const double k = s.number("stiffness") * grain.mass() * grain.gravity / d, mu_r = s.number("rolling");
  if (!(k > 0)) throw InputError("--stiffness: expected a number > 0");
  if (!(mu_r >= 0)) throw InputError("--rolling: expected a number >= 0");
  // The torque of rolling rises to its limit within a small part of the spin of a grain that rolls at sqrt(g d).
  const std::string rolling = mu_r > 0 ? fmt::format("rolling = {{ law = \"constant\", mu_r = {}, g_r = {} }}\n", shortest(mu_r),
                                                     shortest(grain.mass() * grain.gravity * d * grain.time()))
                                       : "";
  const double drop = half * std::tan(40 * std::numbers::pi / 180) + 5 * d;  // above any heap
  return fmt::format(R"([scene]
name = "heap"
dim = 2
seed = {seed}

[domain]
gravity = [0.0, -{g}]           # m/s^2

[material.glass]
density = {density}
body = "sphere"

[[grains]]                      # the table: fixed grains
name = "table"
build = "line"
start = [-{half}, 0.0]
end = [{half}, 0.0]
spacing = {spacing}
radius = {radius}
fixed = true
material = "glass"

[[insert]]
name = "funnel"
box = [[-{mouth}, {low}], [{mouth}, {high}]]
rate = {rate}                   # grains per second
until = {until}
radius = {radii}
velocity = [0.0, -{speed}]
material = "glass"

[[remove]]
name = "floor"
point = [0.0, -{below}]
normal = [0.0, 1.0]

[contact]
normal = {{ law = "linear", k = {k}, restitution = 0.4 }}
tangential = {{ law = "cundall-strack", ratio = 0.2857142857142857, mu = {mu} }}
{rolling}
[run]
integrator = "velocity-verlet"
dt = {dt}
time = {time}
)",
                     fmt::arg("seed", seed), fmt::arg("g", shortest(grain.gravity)), fmt::arg("density", shortest(grain.density)),
                     fmt::arg("half", shortest(half)), fmt::arg("spacing", shortest(1.5 * d)), fmt::arg("radius", shortest(d / 2)),
                     fmt::arg("mouth", shortest(2 * d)), fmt::arg("low", shortest(drop)), fmt::arg("high", shortest(drop + 6 * d)),
                     fmt::arg("rate", shortest(rate(s) / grain.time())), fmt::arg("until", shortest(pouring(s) * grain.time())),
                     fmt::arg("radii", grain.radius()), fmt::arg("speed", shortest(2 * grain.speed())), fmt::arg("below", shortest(3 * d)),
                     fmt::arg("k", shortest(k)), fmt::arg("mu", shortest(mu)), fmt::arg("rolling", rolling), fmt::arg("dt", shortest(grain.step(k))),
                     fmt::arg("time", shortest((pouring(s) + 60) * grain.time())));
}

StudyResult Heap::run(const StudySettings& s, const StudyProgress& progress) const {
  const auto mus = frictions(s);
  const auto seeds = s.quick && !s.given("seeds") ? 1 : s.integer("seeds");
  if (seeds < 1) throw InputError("--seeds: expected at least 1");
  const double half = 0.5 * table(s) * grain.diameter;
  struct Run {
    double mu = 0, left = 0, right = 0;
    std::int64_t seed = 0, grains = 0;
    std::map<std::int64_t, double> top;
    std::string fault;
  };
  std::vector<Run> runs;
  for (const double mu : mus)
    for (std::int64_t seed = 1; seed <= seeds; ++seed) runs.push_back({mu, 0, 0, seed, 0, {}, ""});
  std::vector<Task> tasks;
  for (Run& run : runs)
    tasks.push_back({fmt::format("mu = {}, heap {}", brief(run.mu), run.seed), 1, [&] {
                       const AnyScene scene = read_scene_text(text_of(s, run.mu, run.seed), "heap", s.overrides);
                       const double dt = step_of_study(scene, s);
                       const auto steps = static_cast<std::int64_t>((pouring(s) + 60) * grain.time() / dt);
                       const Outcome end = run_experiment(scene, dt, steps, {steps, [&](const Frame& f) {
                                                                               if (f.step == 0) return true;
                                                                               run.top = surface(f);
                                                                               run.grains = std::count(f.held.begin(), f.held.end(), 0);
                                                                               return true;
                                                                             }});
                       run.fault = end.fault;
                       run.left = slope_of(run.top, -1, half);
                       run.right = slope_of(run.top, 1, half);
                     }});
  do_all(tasks, progress);

  StudyResult result;
  StudyTable table{"angles", {"mu", "seed", "left", "right", "grains"}, {}}, heights{"surfaces", {"mu", "seed", "x", "z"}, {}};
  auto points = nlohmann::ordered_json::array();
  Series angles{"", {}, {}, Series::Style::line_points};
  Panel shapes{"", "x/d", "z/d", false, false, {}, {}, {}, {}};
  result.text = fmt::format("{:>8} {:>10} {:>8} {:>8}\n", "mu", "angle (°)", "±", "grains");
  bool grows = true;
  std::vector<double> errors;
  for (const double mu : mus) {
    std::vector<double> sides;
    double grains = 0;
    for (const Run& run : runs) {
      if (run.mu != mu) continue;
      if (!run.fault.empty()) throw RunError("heap: " + run.fault);
      sides.push_back(run.left);
      sides.push_back(run.right);
      grains += static_cast<double>(run.grains) / static_cast<double>(seeds);
      table.rows.push_back({mu, run.seed, run.left, run.right, run.grains});
      Series shape{fmt::format("mu = {}", brief(mu)), {}, {}, Series::Style::line};
      for (const auto& [column, high] : run.top) {
        const double x = (static_cast<double>(column) + 0.5) * 2 * grain.diameter;
        heights.rows.push_back({mu, run.seed, x, high});
        shape.x.push_back(x / grain.diameter);
        shape.y.push_back(high / grain.diameter);
      }
      if (run.seed == 1) shapes.series.push_back(shape);
    }
    const Moments angle = moments(sides);
    // equal within their errors is no fall: beyond some friction grains roll rather than slide
    grows &= errors.empty() || angle.mean > angles.y.back() - 2 * std::hypot(angle.stderr_, errors.back());
    errors.push_back(angle.stderr_);
    angles.x.push_back(mu);
    angles.y.push_back(angle.mean);
    points.push_back({{"mu", mu}, {"angle", angle.mean}, {"stderr", angle.stderr_}, {"grains", grains}});
    result.text += fmt::format("{:8.3f} {:10.2f} {:8.2f} {:8.0f}\n", mu, angle.mean, angle.stderr_, grains);
  }
  result.json = {{"study", "heap"}, {"table", Heap::table(s)}, {"rolling", s.number("rolling")}, {"points", points}};
  result.tables = {table, heights};
  result.figures.push_back({"heap", "Angle of repose of poured heaps", {shapes, {"", "mu", "angle of repose (°)", false, false, {angles}, {}, {}, {}}}});
  if (!s.quick && s.overrides.empty() && mus.size() > 1)
    result.findings.push_back({"common knowledge", "The angle of repose grows with friction",
                               fmt::format("{:.1f} ± {:.1f}° at mu = {}, {:.1f} ± {:.1f}° at {}", angles.y.front(), errors.front(), brief(mus.front()),
                                           angles.y.back(), errors.back(), brief(mus.back())),
                               grows && angles.y.back() - angles.y.front() > 3 * std::hypot(errors.front(), errors.back()) ? Finding::Verdict::holds : Finding::Verdict::differs, ""});
  return result;
}

}  // namespace

const Study& heap_study() {
  static const Heap study;
  return study;
}

}  // namespace scree
