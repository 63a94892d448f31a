// SPDX-License-Identifier: BSD-3-Clause
/// A layer of grains that flows down a rough slope without side walls: periodic along the slope and, in space, across
/// it. Does it become steady, and is its profile Bagnold's (bagnold.hpp)? Set-up and numbers in the manner of Silbert
/// et al., Phys. Rev. E 64, 051302 (2001): e = 0.88, mu = 0.5, k_t = 2/7 k, a bottom of fixed grains; sizes are spread
/// a little, so that the layer does not crystallise. Lengths in diameters d, times in sqrt(d/g).
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "scree/analysis/moments.hpp"
#include "scree/analysis/profile.hpp"
#include "scree/analysis/steady.hpp"
#include "scree/core/errors.hpp"
#include "scree/studies/bagnold.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/flow_grains.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

const FlowGrains grain;
constexpr int looks_per_unit = 2;  // frames in a time sqrt(d/g)
constexpr double bottom_height = 1.6;  // d, of the layer of fixed grains
constexpr int blocks = 40;         // of frames; the first ones are left out, the others give the errors

/// Height at which the packing falls through half of what it is inside: towards the top from the middle, or the bottom.
double border(const std::vector<Profile::Row>& rows, double packing, bool top) {
  const auto middle = static_cast<std::ptrdiff_t>(std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
                                                    return a.packing < b.packing;
                                                  }) - rows.begin());
  for (std::ptrdiff_t k = middle;; k += top ? 1 : -1) {
    const std::ptrdiff_t next = k + (top ? 1 : -1);
    if (next < 0) return rows.front().z;
    if (next >= static_cast<std::ptrdiff_t>(rows.size())) return rows.back().z;
    const auto &a = rows[static_cast<std::size_t>(k)], &b = rows[static_cast<std::size_t>(next)];
    if (b.packing < 0.5 * packing) {
      const double part = (a.packing - 0.5 * packing) / (a.packing - b.packing);
      return a.z + std::clamp(part, 0.0, 1.0) * (b.z - a.z);
    }
  }
}

struct Layer {
  double bottom = 0, top = 0, packing = 0, spread = 0;  // m; packing and its standard deviation inside
  BagnoldFit fit;
};

/// Inside: a diameter and a half off the bottom and two off the free surface.
Layer measure(const std::vector<Profile::Row>& rows) {
  Layer layer;
  std::vector<double> sorted;
  for (const auto& row : rows) sorted.push_back(row.packing);
  std::sort(sorted.begin(), sorted.end());
  layer.packing = sorted[sorted.size() * 3 / 4];  // a first guess: half of the box is above the layer
  layer.bottom = border(rows, layer.packing, false);
  layer.top = border(rows, layer.packing, true);
  std::vector<double> z, v;
  double sum = 0, square = 0;
  for (const auto& row : rows) {
    if (row.z < layer.bottom + 1.5 * grain.diameter || row.z > layer.top - 2 * grain.diameter) continue;
    z.push_back(row.z);
    v.push_back(row.velocity[0]);
    sum += row.packing;
    square += row.packing * row.packing;
  }
  if (z.size() < 6) return layer;
  const auto n = static_cast<double>(z.size());
  layer.packing = sum / n;
  layer.spread = std::sqrt(std::max(square / n - layer.packing * layer.packing, 0.0));
  layer.fit = fit_bagnold(z, v, layer.bottom, layer.top);
  return layer;
}

class Chute final : public Study {
 public:
  std::string_view name() const override { return "chute"; }
  std::string_view summary() const override { return "a layer flowing down a rough slope: steady or not, and its profile"; }
  std::string_view example() const override { return "scree study chute --angle 26 --layers 30"; }
  std::vector<StudyOption> options() const override {
    return {{"dim", "3", "2 or 3"},
            {"angle", "26", "Of the slope, degrees"},
            {"layers", "18", "Height of the layer at rest, in diameters"},
            {"length", "10", "Of the box along the slope, in diameters"},
            {"width", "6", "Of the box across the slope, in diameters (in space)"},
            {"time", "1200", "Of the run, in sqrt(d/g)"},
            {"start", "7", "Velocity at the start, in sqrt(g d): near its final one, the layer becomes steady sooner"},
            {"stiffness", "2e4", "k in units of m g/d"}};
  }
  std::string scene(const StudySettings& s) const override;
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  struct Box {
    int dim;
    double length, width, height, layers;  // m
    std::int64_t grains, floor;
    double k;
  };
  static Box box(const StudySettings& s);
};

Chute::Box Chute::box(const StudySettings& s) {
  Box b{};
  b.dim = static_cast<int>(s.integer("dim"));
  if (b.dim != 2 && b.dim != 3) throw InputError("--dim: expected 2 or 3");
  const auto positive = [&](const char* name, double least) {
    const double x = s.number(name);
    if (!(x >= least)) throw InputError(fmt::format("--{}: expected a number of at least {}, found {}", name, brief(least), brief(x)));
    return x;
  };
  const double angle = s.number("angle");
  if (!(angle > 0 && angle < 90)) throw InputError("--angle: expected an angle between 0 and 90 degrees, found " + brief(angle));
  b.layers = (s.quick ? std::min(10.0, positive("layers", 8)) : positive("layers", 8)) * grain.diameter;
  b.length = positive("length", 4) * grain.diameter;
  b.width = b.dim == 3 ? positive("width", 4) * grain.diameter : 0;
  b.k = positive("stiffness", 100) * grain.mass() * grain.gravity / grain.diameter;
  const double face = b.dim == 3 ? b.length * b.width / (grain.diameter * grain.diameter) : b.length / grain.diameter;
  const double part = b.dim == 3 ? 0.58 / (std::numbers::pi / 6) : 0.8 / (std::numbers::pi / 4);  // grains per cube
  b.grains = std::llround(part * face * b.layers / grain.diameter);
  b.floor = std::llround((b.dim == 3 ? 0.68 : 0.75) * face);  // nearly as many as find room at random
  b.height = 2 * b.layers + 10 * grain.diameter;
  return b;
}

std::string Chute::scene(const StudySettings& s) const {
  const Box b = box(s);
  const double angle = s.number("angle") * std::numbers::pi / 180;
  const bool space = b.dim == 3;
  const auto vector = [&](double x, double y, double z) { return point_text(b.dim, x, y, z); };
  return fmt::format(R"([scene]
name = "chute"
dim = {dim}
seed = 1

[domain]                        # x down the slope, the last axis away from it
gravity = {gravity}   # m/s^2
periodic = {periodic}
box = [{low}, {high}]   # m

[material.glass]
density = {density}
body = "sphere"

[[grains]]                      # the rough bottom: fixed, at random; on a lattice grains would slip along its rows
name = "bottom"
build = "random"
material = "glass"
count = {floor}
box = [{low}, {bottom}]
radius = {radii}
fixed = true

[[grains]]
name = "layer"
build = "lattice"
material = "glass"
count = {grains}
radius = {radii}
jitter = 0.5
box = [{start}, {high}]
velocity = {velocity}

[[walls]]                       # nobody falls through
name = "floor"
kind = "plane"
point = {low}
normal = {up}

[contact]
normal = {{ law = "linear", k = {k}, restitution = 0.88 }}
tangential = {{ law = "cundall-strack", ratio = 0.2857142857142857, mu = 0.5 }}

[run]
integrator = "velocity-verlet"
dt = {dt}
time = {time}
)",
                     fmt::arg("dim", b.dim),
                     fmt::arg("gravity", vector(grain.gravity * std::sin(angle), 0, -grain.gravity * std::cos(angle))),
                     fmt::arg("periodic", space ? "[true, true, false]" : "[true, false]"), fmt::arg("low", vector(0, 0, 0)),
                     fmt::arg("high", vector(b.length, b.width, b.height)), fmt::arg("density", shortest(grain.density)),
                     fmt::arg("floor", b.floor), fmt::arg("radii", grain.radius()),
                     fmt::arg("bottom", vector(b.length, b.width, bottom_height * grain.diameter)), fmt::arg("grains", b.grains),
                     fmt::arg("start", vector(0, 0, bottom_height * grain.diameter)), fmt::arg("velocity", vector(s.number("start") * grain.speed(), 0, 0)), fmt::arg("up", vector(0, 0, 1)), fmt::arg("k", shortest(b.k)),
                     fmt::arg("dt", shortest(grain.step(b.k))), fmt::arg("time", shortest(s.number("time") * grain.time())));
}

StudyResult Chute::run(const StudySettings& s, const StudyProgress& progress) const {
  const Box b = box(s);
  const double time = s.quick ? std::min(s.number("time"), 100.0) : s.number("time");
  if (!(time >= 40)) throw InputError("--time: expected at least 40, in sqrt(d/g)");
  const AnyScene scene = read_scene_text(this->scene(s), "chute", s.overrides);
  const double dt = step_of_study(scene, s);
  const auto every = std::max<std::int64_t>(std::llround(grain.time() / looks_per_unit / dt), 1);
  const auto frames = static_cast<std::int64_t>(time * grain.time() / (dt * static_cast<double>(every)));

  const int up = b.dim - 1;
  Slabs slabs{up, 0, b.height, static_cast<std::size_t>(2 * b.height / grain.diameter), b.dim == 3 ? b.length * b.width : b.length};
  std::vector<Profile> parts(blocks, Profile(slabs));
  std::vector<double> t, mean;
  const Observer watch{every, [&](const Frame& f) {
                         if (f.step == 0) return true;
                         const auto k = static_cast<std::int64_t>(t.size());
                         if (k % 50 == 0) progress(static_cast<double>(k) / static_cast<double>(frames), "flowing");
                         double sum = 0, mass = 0;
                         for (std::size_t i = 0; i < f.size(); ++i) {
                           if (f.held[i]) continue;
                           sum += f.mass[i] * f.v[static_cast<std::size_t>(b.dim) * i];
                           mass += f.mass[i];
                         }
                         t.push_back(f.time);
                         mean.push_back(sum / mass);
                         parts[static_cast<std::size_t>(std::min<std::int64_t>(k * blocks / frames, blocks - 1))].add(f);
                         return true;
                       }};
  const Outcome end = run_experiment(scene, dt, every * frames, watch);
  if (!end.fault.empty()) throw RunError("chute: " + end.fault);

  const Steady steady = find_steady(mean);
  const std::size_t first = std::min<std::size_t>((steady.from * blocks + mean.size() - 1) / mean.size(), blocks - 4);
  Profile flow(slabs);
  for (std::size_t k = first; k < blocks; ++k) flow.add(parts[k]);
  const auto rows = flow.rows();
  const Layer layer = measure(rows);
  // Errors from eight pieces of the steady time.
  std::vector<double> exponents;
  const std::size_t pieces = std::min<std::size_t>(8, blocks - first);
  for (std::size_t p = 0; p < pieces; ++p) {
    Profile piece(slabs);
    for (std::size_t k = first + (blocks - first) * p / pieces; k < first + (blocks - first) * (p + 1) / pieces; ++k) piece.add(parts[k]);
    exponents.push_back(measure(piece.rows()).fit.exponent);
  }
  const double error = moments(exponents).stderr_;

  StudyResult result;
  const double v = grain.speed();
  result.json = {{"study", "chute"},
                 {"dim", b.dim},
                 {"angle", s.number("angle")},
                 {"grains", b.grains},
                 {"steady", steady.steady},
                 {"steady_from", steady.from < t.size() ? t[steady.from] / grain.time() : time},
                 {"mean_velocity", steady.mean / v},
                 {"mean_velocity_stderr", steady.stderr_ / v},
                 {"height", (layer.top - layer.bottom) / grain.diameter},
                 {"packing", layer.packing},
                 {"packing_spread", layer.spread},
                 {"exponent", layer.fit.exponent},
                 {"stderr", error},
                 {"residual", layer.fit.residual}};
  StudyTable table{"profile", {"z", "packing", "vx", "temperature"}, {}}, series{"velocity", {"t", "v"}, {}};
  Series packing{"", {}, {}, Series::Style::line_points}, velocity{"measured", {}, {}, Series::Style::points},
      fit{fmt::format("exponent {:.3f} ± {:.3f}", layer.fit.exponent, error), {}, {}, Series::Style::line, 0},
      bagnold{"3/2", {}, {}, Series::Style::dashed, Series::grey}, heat{"", {}, {}, Series::Style::line_points};
  const double depth = layer.top - layer.bottom;
  double surface = 0;
  for (const auto& row : rows) {
    table.rows.push_back({row.z, row.packing, row.velocity[0], row.temperature});
    if (row.packing < 0.02) continue;
    const double z = (row.z - layer.bottom) / grain.diameter;
    packing.x.push_back(row.packing);
    packing.y.push_back(z);
    velocity.x.push_back(row.velocity[0] / v);
    velocity.y.push_back(z);
    heat.x.push_back(row.temperature / (grain.gravity * grain.diameter));
    heat.y.push_back(z);
    if (row.z <= layer.top) surface = row.velocity[0];
  }
  for (int k = 0; k <= 100; ++k) {
    const double u = k / 100.0;
    fit.y.push_back(u * depth / grain.diameter);
    fit.x.push_back((layer.fit.slip + layer.fit.rate * std::pow(depth, layer.fit.exponent) * (1 - std::pow(1 - u, layer.fit.exponent))) / v);
    bagnold.y.push_back(fit.y.back());
    bagnold.x.push_back((layer.fit.slip + (surface - layer.fit.slip) * (1 - std::pow(1 - u, 1.5))) / v);
  }
  Series history{"", {}, {}, Series::Style::line};
  for (std::size_t k = 0; k < t.size(); ++k) {
    series.rows.push_back({t[k], mean[k]});
    history.x.push_back(t[k] / grain.time());
    history.y.push_back(mean[k] / v);
  }
  Panel over_time{"", "t/(d/g)^{1/2}", "mean velocity/(g d)^{1/2}", false, false, {history}, {}, {}, {}};
  if (steady.steady && !t.empty()) over_time.bands.push_back({t[steady.from] / grain.time(), t.back() / grain.time()});
  result.tables = {table, series};
  result.figures.push_back({"chute",
                            fmt::format("{} grains down {}°, {}", b.grains, shortest(s.number("angle")), b.dim == 3 ? "in space" : "in the plane"),
                            {over_time,
                             {"", "v/(g d)^{1/2}", "z/d", false, false, {velocity, fit, bagnold}, {}, {}, {}},
                             {"", "packing", "z/d", false, false, {packing}, {}, {}, {}},
                             {"", "T/(g d)", "z/d", false, false, {heat}, {}, {}, {}}}});
  result.text = fmt::format("{} grains, {:.1f} d thick, down {}°: {}\n"
                            "  mean velocity   {:.3f} ± {:.3f} (g d)^1/2\n"
                            "  packing inside  {:.4f}, varying by {:.4f}\n"
                            "  exponent        {:.3f} ± {:.3f}, Bagnold's is 1.5; residual {:.2g} of the range\n",
                            b.grains, depth / grain.diameter, shortest(s.number("angle")),
                            steady.steady ? fmt::format("steady from t = {:.0f} (d/g)^1/2", t[steady.from] / grain.time()) : "not steady",
                            steady.mean / v, steady.stderr_ / v, layer.packing, layer.spread, layer.fit.exponent, error, layer.fit.residual);
  if (!s.quick && s.overrides.empty() && !s.given("angle") && !s.given("dim") && !s.given("layers") && !s.given("time"))
    result.findings.push_back({"Silbert et al. 2001",
                               "A thick layer on a rough slope of 26° flows steadily with Bagnold's profile, exponent 3/2, and with the same "
                               "packing at all depths",
                               fmt::format("{}, exponent {:.3f} ± {:.3f}, packing {:.3f} ± {:.3f}", steady.steady ? "steady" : "not steady",
                                           layer.fit.exponent, error, layer.packing, layer.spread),
                               steady.steady && std::abs(layer.fit.exponent - 1.5) < 0.15 ? Finding::Verdict::holds : Finding::Verdict::differs,
                               ""});
  return result;
}

}  // namespace

const Study& chute_study() {
  static const Chute study;
  return study;
}

}  // namespace scree
