// SPDX-License-Identifier: BSD-3-Clause
/// Creep of polygons at rest (seed 001, figures 1, 3 and 6 to 11): a stack of hexagons and heaps of random polygons
/// that should stand still, and how far their centre of mass sinks and how much they go on trembling, with and
/// without rotational damping, at two steps, with rotation free or frozen. The heap of 1622 polygons is the seed's; a small
/// one, whose slow swings die out sooner, is followed for long enough to see where its energy ends.
/// What each damping takes from grains that should roll on is measured beside it (rolling_loss.hpp).
///
/// A heap comes to rest once; every run of it begins from there. What counts as the heap, its drift and its energy: heap_watch.hpp.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/heap_watch.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/registry.hpp"
#include "scree/studies/rolling_loss.hpp"

namespace scree {
namespace {

/// What one run differs in.
struct Variant {
  std::string heap;  // "stack", "small-heap" or "heap"
  std::string law;   // of rotational damping; "none"; "dashpot": of the tangential spring, in its place
  double gamma = 0, h = 0;
  bool rotates = true;

  /// What the scene says in [contact].
  std::string tangential() const {
    return fmt::format("{{ law = \"cundall-strack\", mu = 0.6{} }}", law == "dashpot" ? ", damping = " + shortest(gamma) : "");
  }
  std::string rotational() const {
    return gamma > 0 && law != "dashpot" ? fmt::format("{{ law = \"{}\", gamma = {} }}", law, shortest(gamma)) : "";
  }
  std::string title() const {
    if (!rotates) return "rotation frozen";
    if (law == "dashpot") return fmt::format("tangential dashpot {}", brief(gamma));
    if (law == "chord-damping") return fmt::format("chord damping {}", brief(gamma));
    return gamma > 0 ? fmt::format("{}γ_T = {}", law == "matrix-damping" ? "" : "as printed, ", brief(gamma)) : "no damping";
  }
};

struct Trace {
  HeapWatch watch{1};  // of the scene's density, once that is known
  double drift = 0, error = 0, rest = 0, outside = 0;  // Sauter diameters, the same, J, J
  Frame last;
  std::string fault;
};

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
    return {{"case", "all", "stack, small-heap, heap, wheel (what rolls on) or all"},
            {"gamma", "0,0.01,0.05,0.1,0.5,2", "Coefficients of rotational damping; 0: none"},
            {"steps", "1e-5,5e-6", "Time steps, s; the first for other dampings and with rotation frozen too"},
            {"time", "", "s of the heap (default: 1.8)"},
            {"stack-time", "", "s of the stack (default: 4)"},
            {"small-time", "", "s of the small heap (default: 2)"},
            {"grains", "", "Polygons of the heap (default: 1622, as in the seed)"},
            {"small-grains", "", "Polygons of the small heap (default: 100)"},
            {"only-seed", "", "Leave out what the seed does not have: other dampings", true},
            {"only-free", "", "Leave out the run with rotation frozen", true}};
  }
  std::string scene(const StudySettings& s) const override {
    const auto all = cases(s);
    return text_of(s, {all.empty() ? "stack" : all.back(), "matrix-damping", 0.1, 1e-5, true});
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::vector<std::string> cases(const StudySettings& s) {
    const std::string& one = s.one_of("case", "a case", {"stack", "small-heap", "heap", "wheel", "all"});
    if (one == "wheel") return {};
    return one == "all" ? std::vector<std::string>{"stack", "small-heap", "heap"} : std::vector<std::string>{one};
  }
  static bool rolls(const StudySettings& s) { return s.text("case") == "wheel" || s.text("case") == "all"; }
  static double positive_or(const StudySettings& s, const std::string& option, double usual, double quick) {
    if (!s.given(option)) return s.quick ? quick : usual;
    const double x = s.number(option);
    if (!(x > 0) || !std::isfinite(x)) throw InputError("--" + option + ": expected a number > 0");
    return x;
  }
  static std::string time_option(const std::string& heap) { return heap == "stack" ? "stack-time" : heap == "heap" ? "time" : "small-time"; }
  static double time_of(const StudySettings& s, const std::string& heap) {
    if (heap == "stack") return positive_or(s, time_option(heap), 4, 0.2);
    // The heap of 1622 swings with a period of 0.16 s: 0.72 s, a window of drift, are four and a half of them.
    return heap == "heap" ? positive_or(s, time_option(heap), 1.8, 0.04) : positive_or(s, time_option(heap), 2, 0.04);
  }
  static std::int64_t steps_of(const StudySettings& s, const Variant& v) { return steps_to_watch(time_option(v.heap), time_of(s, v.heap), v.h); }
  static std::string text_of(const StudySettings& s, const Variant& v);
  static std::vector<Variant> variants(const StudySettings& s);
  template <class Find> static void compare_losses(const StudySettings& s, double h, const Find& find, StudyResult& result);
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
    const auto count = static_cast<std::int64_t>(v.heap == "heap" ? positive_or(s, "grains", 1622, 60)
                                                                  : positive_or(s, "small-grains", 100, 30));
    grains = fmt::format("build = \"heap\"\ncount = {}\nwidth = {}\nfill = 0.4\nangle = \"random\"\n"
                         "shape = {{ kind = \"random-polygon\", vertices = [5, 9], aspect = 1.5 }}\nradius = {{ min = 0.02, max = 0.04 }}\n",
                         count, shortest(0.04 * std::sqrt(static_cast<double>(count))));
    prepare = fmt::format("\n[prepare]\ntime = {}\ndt = 2e-5\ndamping = 1.0\nrest = 0\n", s.quick ? "0.8" : "6.0");
  }
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
tangential = {tangential}
{rotational}{prepare}
[run]
integrator = "velocity-verlet"
dt = {dt}
time = {time}
)",
                     fmt::arg("heap", v.heap), fmt::arg("grains", grains), fmt::arg("frozen", v.rotates ? "" : "rotate = false\n"),
                     fmt::arg("tangential", v.tangential()),
                     fmt::arg("rotational", v.rotational().empty() ? "" : "rotational = " + v.rotational() + "\n"),
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
      for (const double g : gammas)
        all.push_back({heap, g > 0 ? "matrix-damping" : "none", g, h, true});
    if (!s.flag("only-free")) all.push_back({heap, "none", 0, steps.front(), false});
    if (s.flag("only-seed") || s.quick) continue;
    all.push_back({heap, "matrix-damping-as-printed", 0.1, steps.front(), true});
    all.push_back({heap, "dashpot", 1, steps.front(), true});
    all.push_back({heap, "chord-damping", 0.5, steps.front(), true});
  }
  return all;
}

/// What each damping does to heaps, and to what rolls: creep and energy of the small heap, and parts of the kinetic energy
/// that wheels lose in a quarter of a second.
template <class Find>
void Creep::compare_losses(const StudySettings& s, double h, const Find& find, StudyResult& result) {
  const double time = s.quick ? 0.02 : 0.25;
  StudyTable table{"rolling", {"law", "damping", "h", "disk_loss", "polygon_loss", "drift", "kinetic"}, {}};
  auto json = nlohmann::ordered_json::array();
  result.text += fmt::format("{:<28} {:>14} {:>14} {:>16} {:>16}\n", "damping", "disk loses (%)", "24-gon (%)", "drift of heap", "kinetic (J)");
  for (const Variant& v : {Variant{"", "none", 0, h, true}, Variant{"", "matrix-damping", 0.1, h, true}, Variant{"", "matrix-damping", 0.5, h, true},
                           Variant{"", "matrix-damping-as-printed", 0.1, h, true}, Variant{"", "chord-damping", 0.5, h, true},
                           Variant{"", "dashpot", 1, h, true}}) {
    const RollingLoss loss = rolling_loss(v.tangential(), v.rotational(), h, time, s.overrides);
    const Trace* heap = find("small-heap", v.law, v.gamma, h, true);
    nlohmann::ordered_json one{{"law", v.law}, {"damping", v.gamma}, {"disk_loss", loss.disk}, {"polygon_loss", loss.polygon}};
    if (heap) {
      one["drift"] = heap->drift;
      one["kinetic"] = heap->rest;
    }
    json.push_back(one);
    const double none = std::nan("");
    table.rows.push_back({v.law, v.gamma, h, loss.disk, loss.polygon, heap ? heap->drift : none, heap ? heap->rest : none});
    result.text += fmt::format("{:<28} {:>14.4f} {:>14.3f} {:>16} {:>16}\n", v.title(), 100 * loss.disk, 100 * loss.polygon,
                               heap ? fmt::format("{:.3g} d_S", heap->drift) : "-", heap ? fmt::format("{:.2g}", heap->rest) : "-");
  }
  result.tables.push_back(table);
  result.json["rolling"] = json;
}

StudyResult Creep::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::vector<Variant> all = variants(s);
  for (const Variant& v : all) steps_of(s, v);  // what is too short is said before anything comes to rest
  const auto scene_of = [&](const Variant& v) { return read_scene_text(text_of(s, v), "creep", s.overrides); };
  std::map<std::string, Settled> rested;
  for (const std::string& heap : cases(s)) {
    const AnyScene scene = scene_of({heap, "none", 0, all.front().h, true});
    if (!header(scene).prepare.wanted) continue;
    progress(0, fmt::format("letting the {} come to rest", heap == "heap" ? "heap" : "small heap"));
    rested[heap] = settle(scene);
  }
  std::vector<Trace> traces(all.size());
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < all.size(); ++k)
    tasks.push_back({fmt::format("{}, {}, h = {}", all[k].heap, all[k].title(), brief(all[k].h)),
                     time_of(s, all[k].heap) / all[k].h * (all[k].heap == "heap" ? 100 : all[k].heap == "stack" ? 1 : 7), [&, k] {
                       const Variant& v = all[k];
                       Trace& trace = traces[k];
                       const AnyScene scene = scene_of(v);
                       const std::int64_t steps = steps_of(s, v);
                       trace.watch = HeapWatch(mass_per_area(scene), v.heap == "stack");
                       const Outcome end = run_experiment(
                           scene, v.h, steps,
                           {std::max<std::int64_t>(1, steps / 2000),
                            [&](const Frame& f) {
                              trace.watch.look(f);
                              trace.last = f;
                              return true;
                            },
                            true},
                           rested.contains(v.heap) ? &rested.at(v.heap) : nullptr);
                       trace.fault = end.fault;
                     }});
  do_all(tasks, progress);

  StudyResult result;
  StudyTable runs_table{"runs", {"case", "law", "damping", "h", "rotation", "drift", "drift_error", "swing", "kinetic", "kinetic_outside", "grains"}, {}};
  StudyTable traces_table{"traces", {"case", "law", "damping", "h", "rotation", "time", "height", "kinetic", "kinetic_outside"}, {}};
  auto runs = nlohmann::ordered_json::array();
  if (!all.empty())
    result.text = fmt::format("{:<10} {:<28} {:>8} {:>12} {:>9} {:>12} {:>13} {:>6}\n", "case", "damping", "h (s)", "drift (d_S)", "+-", "kinetic (J)",
                              "elsewhere (J)", "grains");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Variant& v = all[k];
    Trace& t = traces[k];
    if (!t.fault.empty()) throw RunError("creep: " + v.heap + ", " + v.title() + ": " + t.fault);
    const HeapWatch& w = t.watch;
    const auto members = static_cast<double>(w.members());
    t.drift = w.drift();
    t.error = w.drift_error();
    t.rest = w.rest();
    t.outside = w.rest_outside();
    const char* rotation = v.rotates ? "free" : "frozen";
    for (std::size_t i = 0; i < w.time.size(); ++i)
      traces_table.rows.push_back({v.heap, v.law, v.gamma, v.h, rotation, w.time[i], w.height[i], w.kinetic[i], w.outside[i]});
    runs.push_back({{"case", v.heap}, {"law", v.law}, {"damping", v.gamma}, {"h", v.h}, {"rotation", rotation}, {"drift", t.drift},
                    {"drift_error", t.error}, {"swing", w.swing()}, {"kinetic", t.rest}, {"kinetic_outside", t.outside}, {"round_off", w.round_off(v.h)}, {"grains", w.members()}});
    runs_table.rows.push_back({v.heap, v.law, v.gamma, v.h, rotation, t.drift, t.error, w.swing(), t.rest, t.outside, members});
    result.text += fmt::format("{:<10} {:<28} {:>8} {:>12.4g} {:>9.2g} {:>12.4g} {:>13.4g} {:>6}\n", v.heap, v.title(), brief(v.h), t.drift, t.error, t.rest,
                               t.outside, w.members());
  }
  result.json = {{"study", "creep"}, {"runs", runs}};
  if (!all.empty()) result.tables = {runs_table, traces_table};
  const double first_step = all.empty() ? s.numbers("steps").front() : all.front().h;
  const auto find = [&](const std::string& heap, const std::string& law, double gamma, double h, bool rotates) -> const Trace* {
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].heap == heap && all[k].law == law && all[k].gamma == gamma && all[k].h == h && all[k].rotates == rotates) return &traces[k];
    return nullptr;
  };
  if (rolls(s)) compare_losses(s, first_step, find, result);

  // Figures: heights and kinetic energies of every case at the first step, and heights at all steps.
  for (const std::string& heap : cases(s)) {
    Panel heights{"", "time (s)", "centre of mass (d_S)", false, false, {}, {}, {}, {}};
    Panel energies{"", "time (s)", "kinetic energy (J)", false, true, {}, {}, {}, {}};
    Panel by_step = heights;
    const auto first = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.heap == heap; }) - all.begin());
    for (std::size_t k = first; k < all.size(); ++k) {
      if (all[k].heap != heap) continue;
      const Trace& t = traces[k];
      if (all[k].h == first_step) {
        heights.series.push_back({all[k].title(), t.watch.time, t.watch.height, Series::Style::line});
        const auto moving = static_cast<std::ptrdiff_t>(t.watch.kinetic.front() > 0 ? 0 : 1);  // a stack begins at rest: no logarithm of that
        energies.series.push_back({all[k].title(), {t.watch.time.begin() + moving, t.watch.time.end()},
                                   {t.watch.kinetic.begin() + moving, t.watch.kinetic.end()}, Series::Style::line});
      }
      if (all[k].law == "none" && all[k].rotates)
        by_step.series.push_back({fmt::format("no damping, h = {}", brief(all[k].h)), t.watch.time, t.watch.height, Series::Style::line});
      if (&t == &traces[first]) result.pictures.push_back(picture_of(heap, t, scene_of(all[k])));
    }
    result.figures.push_back({"creep-" + heap, fmt::format("Creep of a {}", heap == "stack" ? "stack of ten hexagons" : heap == "heap" ? "heap of polygons" : "small heap of polygons"), {heights, energies}});
    if (by_step.series.size() > 1) result.figures.push_back({"creep-" + heap + "-steps", "The step and the creep", {by_step}});
  }

  if (s.quick || !s.overrides.empty()) return result;
  const auto add = [&](const char* where, const char* claim, const std::string& ours, bool holds, const std::string& why) {
    result.findings.push_back({where, claim, ours, holds ? Finding::Verdict::holds : Finding::Verdict::differs, holds ? "" : why});
  };
  // Of drifts that swings hide nothing is claimed, but that. A drift below its error is none: then there is nothing to lower.
  const auto measured = [&](const std::string& heap, std::initializer_list<const Trace*> some) {
    for (const Trace* t : some)
      if (!t->watch.swings_are_resolved()) {
        result.text += fmt::format("{}: a drift of {:.2g} d_S is hidden by swings of {:.2g} d_S, and not judged\n", heap, t->drift, t->watch.swing());
        return false;
      }
    return true;
  };
  const auto told = [](const Trace& t) { return fmt::format("{:.2g} ± {:.1g}", t.drift, t.error); };
  const auto less = [](const Trace& one, const Trace& other) {  // beyond the errors of both
    return std::abs(one.drift) + one.error < std::abs(other.drift) - other.error;
  };
  const auto no_drift = [](const Trace& t, const char* otherwise) {
    return t.watch.drift_is_seen() ? std::string(otherwise) : std::string("there is no drift to lower, within its error");
  };
  for (const std::string& heap : cases(s)) {
    const std::string who = heap == "stack" ? "stack" : heap == "heap" ? "heap" : "small heap";
    const Trace *bare = find(heap, "none", 0, first_step, true), *frozen = find(heap, "none", 0, first_step, false);
    if (bare && frozen && heap != "heap") {
      const double least = frozen->watch.round_off(first_step);
      add("001, figure 1", "Without rotation the kinetic energy decays to round-off",
          fmt::format("{}: {:.2g} J after {} s; round-off is {:.2g} J", who, frozen->watch.kinetic.back(), brief(time_of(s, heap)), least),
          frozen->watch.kinetic.back() < least,
          "it has not decayed so far");
    }
    if (bare && frozen && heap != "stack")
      add("001, figure 1", "With rotation the kinetic energy stalls orders of magnitude higher",
          fmt::format("{}: {:.2g} J free, {:.2g} J frozen, after {} s; grains elsewhere {:.2g} and {:.2g} J", who, bare->rest, frozen->rest,
                      brief(time_of(s, heap)), bare->outside, frozen->outside),
          stalls_above(bare->watch, frozen->watch), "the energies of all grains are less than two orders of magnitude apart");
    const Trace *low = find(heap, "matrix-damping", 0.05, first_step, true), *middle = find(heap, "matrix-damping", 0.1, first_step, true),
                *high = find(heap, "matrix-damping", 0.5, first_step, true);
    if (heap != "stack" && bare && low && middle && high && measured(heap, {bare, low, middle, high})) {
      const std::initializer_list<const Trace*> inside{low, middle, high};
      const auto any_below = [&](const Trace& t) { return std::any_of(inside.begin(), inside.end(), [&](const Trace* one) { return less(*one, t); }); };
      add("001, figures 9 and 10", "Rotational damping lowers the drift of the heap",
          fmt::format("{}: {} d_S without, {}, {}, {} with 0.05, 0.1, 0.5", who, told(*bare), told(*low), told(*middle), told(*high)),
          any_below(*bare), no_drift(*bare, "no coefficient lowers it"));
      const Trace *weak = find(heap, "matrix-damping", 0.01, first_step, true), *strong = find(heap, "matrix-damping", 2, first_step, true);
      if (weak && strong && measured(heap, {weak, strong}))
        add("001, figure 10", "The best coefficient is between 0.05 and 0.5",
            fmt::format("{}: {} d_S and {:.2g} J with 0.01; {} and {:.2g} with 0.1; {} and {:.2g} with 2", who, told(*weak), weak->rest,
                        told(*middle), middle->rest, told(*strong), strong->rest),
            any_below(*weak) && any_below(*strong), no_drift(*weak, "none is better beyond the errors"));
    }
    for (const Variant& v : all) {
      if (v.heap != heap || v.law != "none" || !v.rotates || !(v.h < first_step)) continue;
      const Trace* fine = find(heap, "none", 0, v.h, true);
      if (bare && fine && measured(heap, {bare, fine}))
        add("001, figures 3 and 11", "Halving the step lowers the drift",
            fmt::format("{}: {} d_S and {:.2g} J at h = {}, {} and {:.2g} at {}", who, told(*bare), bare->rest, brief(first_step), told(*fine),
                        fine->rest, brief(v.h)),
            less(*fine, *bare), no_drift(*bare, "the drift does not come from the step"));
    }
    const Trace* chord = find(heap, "chord-damping", 0.5, first_step, true);
    if (bare && chord)
      result.findings.push_back({"beyond", "A dashpot spread over the chord: a couple per contact, no new coefficient",
                                 fmt::format("{}: {} d_S and {:.2g} J, without damping {} d_S and {:.2g} J", who, told(*chord), chord->rest, told(*bare),
                                             bare->rest),
                                 Finding::Verdict::beyond, ""});
  }
  const Trace *stack = find("stack", "none", 0, first_step, true), *damped = find("stack", "matrix-damping", 0.1, first_step, true);
  if (stack && damped && measured("stack", {stack, damped}))
    add("001, figure 7", "With rotational damping the stack creeps less, and the benefit is small",
        fmt::format("drift {} d_S without, {} d_S with γ_T = 0.1; kinetic energy {:.2g} and {:.2g} J", told(*stack), told(*damped), stack->rest, damped->rest),
        less(*damped, *stack), no_drift(*stack, "the damped stack does not sink less"));
  return result;
}

}  // namespace

const Study& creep_study() {
  static const Creep study;
  return study;
}

}  // namespace scree
