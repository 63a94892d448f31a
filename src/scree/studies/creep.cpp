// SPDX-License-Identifier: BSD-3-Clause
/// Creep of polygons at rest (seed 001, figures 1, 3 and 6 to 11): a stack of hexagons and a heap of random polygons
/// that should stand still, and how far their centre of mass sinks and how much they go on trembling, with and
/// without rotational damping, at two steps, with rotation free or frozen.
///
/// The heap comes to rest once; every run of it begins from there. Drift is how far the centre of mass sinks
/// in the second half of the time, in Sauter diameters; the kinetic energy is the mean of the last fifth.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// What one run differs in.
struct Variant {
  std::string heap;  // "stack" or "heap"
  std::string law;   // of rotational damping; "none"; "dashpot": of the tangential spring, in its place
  double gamma = 0, h = 0;
  bool rotates = true;

  std::string title() const {
    if (!rotates) return "rotation frozen";
    if (law == "dashpot") return fmt::format("tangential dashpot {}", brief(gamma));
    if (law == "chord-damping") return fmt::format("chord damping {}", brief(gamma));
    return gamma > 0 ? fmt::format("{}γ_T = {}", law == "matrix-damping" ? "" : "as printed, ", brief(gamma)) : "no damping";
  }
};

struct Trace {
  std::vector<double> time, height, kinetic;  // s, Sauter diameters above the start, J
  double drift = 0, rest = 0;                 // Sauter diameters, J
  Frame last;
  std::string fault;
};

constexpr double first_part = 0.5;  // of the time: the contacts take up their load, and swing

/// Sauter diameter 2 sqrt(A/π) of the mean grain, and the height of the centre of mass.
double sauter_diameter(const Frame& f, double mass_per_area) {
  double mass = 0;
  for (const double m : f.mass) mass += m;
  return 2 * std::sqrt(mass / mass_per_area / static_cast<double>(f.size()) / std::numbers::pi);
}
double height_of_centre(const Frame& f) {
  double mass = 0, moment = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    mass += f.mass[i];
    moment += f.mass[i] * f.x[2 * i + 1];
  }
  return moment / mass;
}

/// The last instant of a run.
StudyPicture picture_of(const std::string& name, const Trace& trace, const AnyScene& any_scene) {
  StudyPicture picture{name, {trace.last}, {}};
  std::visit(
      [&]<int D, class T>(const Scene<D, T>& scene) {
        picture.info.name = scene.name;
        picture.info.dim = D;
        picture.info.walls = walls_json(scene.world.walls);
        for (const GrainShape& one : scene.world.shapes) picture.info.shapes.push_back(one.corners);
      },
      any_scene);
  return picture;
}

class Creep final : public Study {
 public:
  std::string_view name() const override { return "creep"; }
  std::string_view summary() const override { return "how far stacks and heaps of polygons sink, with and without rotational damping"; }
  std::string_view example() const override { return "scree study creep --case heap --gamma 0,0.1 --time 0.1"; }
  std::vector<StudyOption> options() const override {
    return {{"case", "both", "stack, heap or both"},
            {"gamma", "0,0.05,0.1,0.5", "Coefficients of rotational damping; 0: none"},
            {"steps", "1e-5,5e-6", "Time steps, s"},
            {"time", "", "s of a heap (default: 0.3)"},
            {"stack-time", "", "s of a stack (default: 1)"},
            {"grains", "", "Polygons of the heap (default: 1622, as in the seed)"},
            {"only-seed", "", "Leave out what the seed does not have: other dampings", true}};
  }
  std::string scene(const StudySettings& s) const override {
    return text_of(s, {cases(s).back(), "matrix-damping", 0.1, 1e-5, true});
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::vector<std::string> cases(const StudySettings& s) {
    const std::string& one = s.one_of("case", "a case", {"stack", "heap", "both"});
    return one == "both" ? std::vector<std::string>{"stack", "heap"} : std::vector<std::string>{one};
  }
  static double positive_or(const StudySettings& s, const std::string& option, double usual, double quick) {
    if (!s.given(option)) return s.quick ? quick : usual;
    const double x = s.number(option);
    if (!(x > 0) || !std::isfinite(x)) throw InputError("--" + option + ": expected a number > 0");
    return x;
  }
  static double time_of(const StudySettings& s, const std::string& heap) {
    return heap == "stack" ? positive_or(s, "stack-time", 1, 0.2) : positive_or(s, "time", 0.3, 0.04);
  }
  static std::string text_of(const StudySettings& s, const Variant& v);
  static std::vector<Variant> variants(const StudySettings& s);
};

std::string Creep::text_of(const StudySettings& s, const Variant& v) {
  std::string grains, prepare;
  if (v.heap == "stack") {
    // Each hexagon lies on a side, those above in the gaps: neighbours in a row are three radii apart.
    const double r = 0.05, half = r * std::sqrt(3.0) / 2;
    std::string places;
    for (int row = 0; row < 4; ++row)
      for (int k = 0; k < 4 - row; ++k)
        places += fmt::format("{}[{}, {}]", places.empty() ? "" : ", ", shortest((1.5 * row + 3 * k) * r), shortest((row + 1) * half));
    grains = fmt::format("build = \"points\"\nshape = {{ kind = \"polygon\", sides = 6 }}\nradius = {}\npositions = [{}]\n", shortest(r), places);
  } else {
    const auto count = static_cast<std::int64_t>(positive_or(s, "grains", 1622, 60));
    grains = fmt::format("build = \"heap\"\ncount = {}\nwidth = {}\nfill = 0.4\nangle = \"random\"\n"
                         "shape = {{ kind = \"random-polygon\", vertices = [5, 9], aspect = 1.5 }}\nradius = {{ min = 0.02, max = 0.04 }}\n",
                         count, shortest(0.04 * std::sqrt(static_cast<double>(count))));
    prepare = fmt::format("\n[prepare]\ntime = {}\ndt = 2e-5\ndamping = 1.0\nrest = 0\n", s.quick ? "0.8" : "6.0");
  }
  const bool damped = v.gamma > 0 && v.law != "dashpot";
  return fmt::format(R"([scene]
name = "creep of a {heap}"
dim = 2
seed = 1

[domain]
gravity = [0.0, -9.81]

[material.stone]
density = 5000.0
body = "disc"
height = 1.0

[[grains]]
material = "stone"
{grains}{frozen}
[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [0.0, 1.0]

[contact]
normal = {{ law = "overlap-area", Y = 1e7, gamma = 0.5 }}
tangential = {{ law = "cundall-strack", mu = 0.6{dashpot} }}
{rotational}{prepare}
[run]
integrator = "velocity-verlet"
dt = {dt}
time = {time}
)",
                     fmt::arg("heap", v.heap), fmt::arg("grains", grains), fmt::arg("frozen", v.rotates ? "" : "rotate = false\n"),
                     fmt::arg("dashpot", v.law == "dashpot" ? fmt::format(", damping = {}", shortest(v.gamma)) : ""),
                     fmt::arg("rotational", damped ? fmt::format("rotational = {{ law = \"{}\", gamma = {} }}\n", v.law, shortest(v.gamma)) : ""),
                     fmt::arg("prepare", prepare), fmt::arg("dt", shortest(v.h)), fmt::arg("time", shortest(time_of(s, v.heap))));
}

std::vector<Variant> Creep::variants(const StudySettings& s) {
  auto gammas = s.numbers("gamma"), steps = s.numbers("steps");
  if (s.quick && !s.given("gamma")) gammas = {0, 0.1};
  if (s.quick && !s.given("steps")) steps = {1e-5};
  if (gammas.empty() || steps.empty()) throw InputError("creep: expected at least one gamma and one step");
  for (const double g : gammas)
    if (!(g >= 0)) throw InputError("--gamma: expected numbers >= 0, found " + brief(g));
  for (const double h : steps)
    if (!(h > 0)) throw InputError("--steps: expected numbers > 0, found " + brief(h));
  std::vector<Variant> all;
  for (const std::string& heap : cases(s)) {
    for (const double h : steps)
      for (const double g : gammas) all.push_back({heap, g > 0 ? "matrix-damping" : "none", g, h, true});
    all.push_back({heap, "none", 0, steps.front(), false});
    if (s.flag("only-seed") || s.quick) continue;
    all.push_back({heap, "matrix-damping-as-printed", 0.1, steps.front(), true});
    all.push_back({heap, "dashpot", 1, steps.front(), true});
    all.push_back({heap, "chord-damping", 0.5, steps.front(), true});
  }
  return all;
}

StudyResult Creep::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::vector<Variant> all = variants(s);
  const auto scene_of = [&](const Variant& v) { return read_scene_text(text_of(s, v), "creep", s.overrides); };
  std::map<std::string, Settled> rested;
  for (const std::string& heap : cases(s)) {
    const AnyScene scene = scene_of({heap, "none", 0, all.front().h, true});
    if (!header(scene).prepare.wanted) continue;
    progress(0, "letting the heap come to rest");
    rested[heap] = settle(scene);
  }
  std::vector<Trace> traces(all.size());
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < all.size(); ++k)
    tasks.push_back({fmt::format("{}, {}, h = {}", all[k].heap, all[k].title(), brief(all[k].h)),
                     time_of(s, all[k].heap) / all[k].h * (all[k].heap == "heap" ? 100 : 1), [&, k] {
                       const Variant& v = all[k];
                       Trace& trace = traces[k];
                       const AnyScene scene = scene_of(v);
                       const double time = time_of(s, v.heap);
                       const auto steps = static_cast<std::int64_t>(std::ceil(time / v.h * (1 - 1e-12)));
                       double diameter = 1, start = 0;
                       const Outcome end = run_experiment(
                           scene, v.h, steps,
                           {std::max<std::int64_t>(1, steps / 200), [&](const Frame& f) {
                              const double height = height_of_centre(f);
                              if (trace.time.empty()) {
                                diameter = sauter_diameter(f, 5000);
                                start = height;
                              }
                              trace.time.push_back(f.time);
                              trace.height.push_back((height - start) / diameter);
                              trace.kinetic.push_back(f.energies.kinetic + f.energies.rotational);
                              trace.last = f;
                              return true;
                            }},
                           rested.contains(v.heap) ? &rested.at(v.heap) : nullptr);
                       trace.fault = end.fault;
                     }});
  do_all(tasks, progress);

  StudyResult result;
  StudyTable runs_table{"runs", {"case", "law", "damping", "h", "rotation", "drift", "kinetic"}, {}};
  StudyTable traces_table{"traces", {"case", "law", "damping", "h", "rotation", "time", "height", "kinetic"}, {}};
  auto runs = nlohmann::ordered_json::array();
  result.text = fmt::format("{:<6} {:<28} {:>8} {:>12} {:>12}\n", "case", "damping", "h (s)", "drift (d_S)", "kinetic (J)");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Variant& v = all[k];
    Trace& t = traces[k];
    if (!t.fault.empty()) throw RunError("creep: " + v.heap + ", " + v.title() + ": " + t.fault);
    const std::size_t n = t.time.size(), early = static_cast<std::size_t>(first_part * static_cast<double>(n - 1));
    t.drift = t.height[early] - t.height.back();
    std::size_t counted = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (t.time[i] >= 0.8 * t.time.back()) {
        t.rest += t.kinetic[i];
        ++counted;
      }
      traces_table.rows.push_back({v.heap, v.law, v.gamma, v.h, v.rotates ? "free" : "frozen", t.time[i], t.height[i], t.kinetic[i]});
    }
    t.rest /= static_cast<double>(counted);
    runs.push_back({{"case", v.heap}, {"law", v.law}, {"damping", v.gamma}, {"h", v.h}, {"rotation", v.rotates ? "free" : "frozen"},
                    {"drift", t.drift}, {"kinetic", t.rest}});
    runs_table.rows.push_back({v.heap, v.law, v.gamma, v.h, v.rotates ? "free" : "frozen", t.drift, t.rest});
    result.text += fmt::format("{:<6} {:<28} {:>8} {:>12.4g} {:>12.4g}\n", v.heap, v.title(), brief(v.h), t.drift, t.rest);
  }
  result.json = {{"study", "creep"}, {"runs", runs}};
  result.tables = {runs_table, traces_table};

  // Figures: heights and kinetic energies of every case at the first step, and heights at all steps.
  const double first_step = all.front().h;
  for (const std::string& heap : cases(s)) {
    Panel heights{"", "time (s)", "centre of mass (d_S)", false, false, {}, {}, {}, {}};
    Panel energies{"", "time (s)", "kinetic energy (J)", false, true, {}, {}, {}, {}};
    Panel by_step = heights;
    const auto first = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.heap == heap; }) - all.begin());
    for (std::size_t k = first; k < all.size(); ++k) {
      if (all[k].heap != heap) continue;
      const Trace& t = traces[k];
      if (all[k].h == first_step) {
        heights.series.push_back({all[k].title(), t.time, t.height, Series::Style::line});
        energies.series.push_back({all[k].title(), t.time, t.kinetic, Series::Style::line});
      }
      if (all[k].law == "none" && all[k].rotates)
        by_step.series.push_back({fmt::format("no damping, h = {}", brief(all[k].h)), t.time, t.height, Series::Style::line});
      if (&t == &traces[first]) result.pictures.push_back(picture_of(heap, t, scene_of(all[k])));
    }
    result.figures.push_back({"creep-" + heap, fmt::format("Creep of a {}", heap == "stack" ? "stack of ten hexagons" : "heap of polygons"), {heights, energies}});
    if (by_step.series.size() > 1) result.figures.push_back({"creep-" + heap + "-steps", "The step and the creep", {by_step}});
  }

  if (s.quick || !s.overrides.empty()) return result;
  const auto find = [&](const std::string& heap, const std::string& law, double gamma, double h, bool rotates) -> const Trace* {
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].heap == heap && all[k].law == law && all[k].gamma == gamma && all[k].h == h && all[k].rotates == rotates) return &traces[k];
    return nullptr;
  };
  const auto add = [&](const char* where, const char* claim, const std::string& ours, bool holds, const std::string& why) {
    result.findings.push_back({where, claim, ours, holds ? Finding::Verdict::holds : Finding::Verdict::differs, holds ? "" : why});
  };
  const Trace *bare = find("heap", "none", 0, first_step, true), *frozen = find("heap", "none", 0, first_step, false);
  if (bare && frozen)
    add("001, figure 1", "Without rotation the kinetic energy decays; with it, it stalls orders of magnitude higher",
        fmt::format("{:.2g} J frozen, {:.2g} J free, after {} s", frozen->rest, bare->rest, brief(time_of(s, "heap"))),
        frozen->rest < 0.1 * bare->rest, "the kinetic energies are within an order of magnitude");
  const Trace *low = find("heap", "matrix-damping", 0.05, first_step, true), *middle = find("heap", "matrix-damping", 0.1, first_step, true),
              *high = find("heap", "matrix-damping", 0.5, first_step, true);
  if (bare && low && middle && high) {
    const double best = std::min({std::abs(low->drift), std::abs(middle->drift), std::abs(high->drift)});
    add("001, figures 9 and 10", "Rotational damping lowers the drift of the heap, best between 0.05 and 0.5",
        fmt::format("drift {:.3g} d_S without, {:.3g}, {:.3g}, {:.3g} with 0.05, 0.1, 0.5", bare->drift, low->drift, middle->drift, high->drift),
        best < std::abs(bare->drift), "no coefficient lowers it: the heap rings, and that hides its creep");
  }
  for (const Variant& v : all) {
    if (v.heap != "heap" || v.law != "none" || !v.rotates || !(v.h < first_step)) continue;
    const Trace* fine = find("heap", "none", 0, v.h, true);
    if (bare && fine)
      add("001, figures 3 and 11", "Halving the step lowers the drift",
          fmt::format("drift {:.3g} d_S at h = {}, {:.3g} at {}", bare->drift, brief(first_step), fine->drift, brief(v.h)),
          std::abs(fine->drift) < std::abs(bare->drift), "the drift does not come from the step");
  }
  const Trace* chord = find("heap", "chord-damping", 0.5, first_step, true);
  if (bare && chord)
    result.findings.push_back({"beyond", "A dashpot spread over the chord: a couple per contact, no new coefficient",
                               fmt::format("drift {:.3g} d_S and {:.2g} J, without damping {:.3g} d_S and {:.2g} J", chord->drift, chord->rest, bare->drift, bare->rest),
                               Finding::Verdict::beyond, ""});
  const Trace *stack = find("stack", "none", 0, first_step, true), *damped = find("stack", "matrix-damping", 0.1, first_step, true);
  if (stack && damped)
    add("001, figure 7", "With rotational damping the stack creeps less, and the benefit is small",
        fmt::format("drift {:.3g} d_S without, {:.3g} d_S with γ_T = 0.1; kinetic energy {:.2g} and {:.2g} J", stack->drift, damped->drift, stack->rest, damped->rest),
        damped->drift < stack->drift, "the damped stack sinks farther");
  return result;
}

}  // namespace

const Study& creep_study() {
  static const Creep study;
  return study;
}

}  // namespace scree
