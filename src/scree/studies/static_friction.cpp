// SPDX-License-Identifier: BSD-3-Clause
/// Two ways to hold a heap (seed 001, figures 1 and 4): springs (Cundall and Strack) or friction as a constraint. A heap of
/// polygons comes to rest with springs, and then goes on with either, with rotation free or frozen: how
/// much does it go on trembling, and how far does it sink?
///
/// Both begin with the same friction in every contact. What counts as the heap, its drift and its energy: heap_watch.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/scenes/library.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/heap_watch.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

struct Variant {
  bool constraint = false, rotates = true;
  double h = 0;
  std::string friction() const { return constraint ? "constraint" : "cundall-strack"; }
  std::string title() const {
    return fmt::format("{}{}", constraint ? "constraint" : "springs", rotates ? "" : ", rotation frozen");
  }
};

struct Trace {
  HeapWatch watch{1};  // of the scene's density, once that is known
  double drift = 0, rest = 0, outside = 0, seconds = 0, sweeps = 0;  // sweeps of the solver per step
  std::string fault;
};

class StaticFriction final : public Study {
 public:
  std::string_view name() const override { return "static-friction"; }
  std::string_view summary() const override {
    return "a heap held by springs or by friction as a constraint: what goes on moving";
  }
  std::string_view example() const override { return "scree study static-friction --grains 400 --time 0.1"; }
  std::vector<StudyOption> options() const override {
    return {{"grains", "", "Polygons of the heap (default: 1622, as in the seed)"},
            {"time", "", "s after coming to rest (default: 0.2)"},
            {"steps", "1e-5", "Time steps, s"},
            {"tolerance", "1e-9", "Of the solver, see docs/polygons-constraint.md"}};
  }
  std::string scene(const StudySettings&) const override { return scene_text("polygon-heap"); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static double positive(const StudySettings& s, const std::string& option, double usual) {
    const double x = s.given(option) ? s.number(option) : usual;
    if (!(x > 0) || !std::isfinite(x)) throw InputError("--" + option + ": expected a number > 0");
    return x;
  }
  static AnyScene scene_of(const StudySettings& s, const Variant& v) {
    const auto grains = static_cast<std::int64_t>(positive(s, "grains", s.quick ? 60 : 1622));
    std::vector<std::string> set{
        "contact.rotational={ law = \"none\" }",
        "run.integrator=\"velocity-verlet\"",
        "prepare.rest=0",  // the whole time: the heap of `creep`
        fmt::format("grains.0.count={}", grains),
        fmt::format("grains.0.width={}", shortest(0.04 * std::sqrt(static_cast<double>(grains)))),
        fmt::format("run.dt={}", shortest(v.h)),
        fmt::format("run.time={}", shortest(positive(s, "time", s.quick ? 0.02 : 0.2)))};
    if (s.quick) set.emplace_back("prepare.time=1.5");
    if (v.constraint)
      set.push_back(fmt::format("contact.tangential={{ law = \"constraint\", mu = 0.6, tolerance = {} }}",
                                shortest(positive(s, "tolerance", 1e-9))));
    if (!v.rotates) set.emplace_back("grains.0.rotate=false");
    set.insert(set.end(), s.overrides.begin(), s.overrides.end());
    return read_scene_text(scene_text("polygon-heap"), "static-friction", set);
  }
};

/// A rested heap whose springs have become forces: T = -k_t ζ is what ζ is to a constraint.
Settled with_forces(Settled rested, const AnyScene& scene) {
  const double k_t = std::visit(
      [](const auto& one) {
        const auto* law = std::get_if<CundallStrack>(&one.table.laws.front().tangential);
        return law ? law->k_t : 0.0;
      },
      scene);
  for (auto& spring : rested.springs)
    for (double& z : spring.zeta) z *= k_t;
  return rested;
}

StudyResult StaticFriction::run(const StudySettings& s, const StudyProgress& progress) const {
  std::vector<double> steps = s.numbers("steps");
  if (steps.empty()) throw InputError("--steps: expected at least one step");
  std::vector<Variant> all;
  for (const double h : steps) {
    if (!(h > 0)) throw InputError("--steps: expected numbers > 0, found " + brief(h));
    for (const bool rotates : {true, false})
      for (const bool constraint : {false, true}) all.push_back({constraint, rotates, h});
  }
  std::vector<AnyScene> scenes;  // all of them now, so that what cannot be read is said before the heap has come to rest
  for (const Variant& v : all) {
    scenes.push_back(scene_of(s, v));
    steps_to_watch("time", header(scenes.back()).run.time, v.h);
  }
  progress(0, "letting the heap come to rest");
  const AnyScene& first = scenes.front();
  const Settled sprung = settle(first), forced = with_forces(sprung, first);

  std::vector<Trace> traces(all.size());
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < all.size(); ++k)
    tasks.push_back({fmt::format("{}, h = {}", all[k].title(), brief(all[k].h)), 1 / all[k].h, [&, k] {
                       const Variant& v = all[k];
                       Trace& t = traces[k];
                       const AnyScene& scene = scenes[k];
                       const std::int64_t count = steps_to_watch("time", header(scene).run.time, v.h);
                       t.watch = HeapWatch(mass_per_area(scene));
                       const Outcome end = run_experiment(scene, v.h, count,
                                                          {std::max<std::int64_t>(1, count / 400),
                                                           [&](const Frame& f) {
                                                             t.watch.look(f);
                                                             return true;
                                                           },
                                                           true},
                                                          v.constraint ? &forced : &sprung);
                       t.fault = end.fault;
                       t.seconds = end.wall_s;
                       t.sweeps = static_cast<double>(end.iterations) / static_cast<double>(count);
                     }});
  do_all(tasks, progress);

  StudyResult result;
  StudyTable runs{"runs", {"friction", "rotation", "h", "kinetic", "kinetic_outside", "drift", "sweeps", "seconds"}, {}};
  StudyTable rows{"traces", {"friction", "rotation", "h", "time", "kinetic", "height", "kinetic_outside"}, {}};
  auto json = nlohmann::ordered_json::array();
  result.text = fmt::format("{:<30} {:>8} {:>12} {:>13} {:>12} {:>9} {:>9}\n", "friction", "h (s)", "kinetic (J)", "elsewhere (J)", "drift (d_S)", "sweeps",
                            "cpu (s)");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Variant& v = all[k];
    Trace& t = traces[k];
    if (!t.fault.empty()) throw RunError("static-friction: " + v.title() + ": " + t.fault);
    const char* rotation = v.rotates ? "free" : "frozen";
    const HeapWatch& w = t.watch;
    t.drift = w.drift();
    t.rest = w.rest();
    t.outside = w.rest_outside();
    for (std::size_t i = 0; i < w.time.size(); ++i)
      rows.rows.push_back({v.friction(), rotation, v.h, w.time[i], w.kinetic[i], w.height[i], w.outside[i]});
    runs.rows.push_back({v.friction(), rotation, v.h, t.rest, t.outside, t.drift, t.sweeps, t.seconds});
    json.push_back({{"friction", v.friction()}, {"rotation", rotation}, {"h", v.h}, {"kinetic", t.rest}, {"kinetic_outside", t.outside}, {"drift", t.drift}, {"sweeps", t.sweeps}});
    result.text += fmt::format("{:<30} {:>8} {:>12.4g} {:>13.4g} {:>12.4g} {:>9.3g} {:>9.3g}\n", v.title(), brief(v.h), t.rest, t.outside, t.drift, t.sweeps,
                               t.seconds);
  }
  result.json = {{"study", "static-friction"}, {"runs", json}};
  result.tables = {runs, rows};
  Panel energies{"", "time (s)", "kinetic energy of the heap (J)", false, true, {}, {}, {}, {}};
  Panel whole{"", "time (s)", "kinetic energy of all grains (J)", false, true, {}, {}, {}, {}};
  Panel heights{"", "time (s)", "centre of mass (d_S)", false, false, {}, {}, {}, {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string title = all[k].title() + (steps.size() > 1 ? fmt::format(", h = {}", brief(all[k].h)) : "");
    energies.series.push_back({title, traces[k].watch.time, traces[k].watch.kinetic, Series::Style::line});
    std::vector<double> sum = traces[k].watch.kinetic;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += traces[k].watch.outside[i];
    whole.series.push_back({title, traces[k].watch.time, sum, Series::Style::line});
    heights.series.push_back({title, traces[k].watch.time, traces[k].watch.height, Series::Style::line});
  }
  result.figures.push_back({"static-friction", "A heap held by springs, or by a constraint", {whole, energies, heights}});
  if (s.quick || !s.overrides.empty()) return result;

  const Trace &spring = traces[0], &solved = traces[1], &frozen = traces[3];
  const auto add = [&](const char* where, const char* claim, const std::string& ours, bool holds, const std::string& why) {
    result.findings.push_back({where, claim, ours, holds ? Finding::Verdict::holds : Finding::Verdict::differs, holds ? "" : why});
  };
  add("001, figure 1", "With friction as a constraint the kinetic energy decays if rotation is frozen, and stalls far higher if not",
      fmt::format("heap: {:.2g} J frozen, {:.2g} J free; all grains: {:.2g} J and {:.2g} J; round-off of the heap is {:.2g} J", frozen.rest, solved.rest,
                  frozen.watch.rest_of_all(), solved.watch.rest_of_all(), frozen.watch.round_off(all[3].h)),
      stalls_above(solved.watch, frozen.watch), "all grains together are within two orders of magnitude");
  add("001, figure 4", "Friction as a constraint does not remove the noise that springs leave: it persists with either",
      fmt::format("heap: {:.2g} J with springs, {:.2g} J with the constraint; all grains: {:.2g} J and {:.2g} J", spring.rest, solved.rest,
                  spring.watch.rest_of_all(), solved.watch.rest_of_all()),
      !stalls_above(spring.watch, solved.watch), "the constraint takes away all but a hundredth of it");
  return result;
}

}  // namespace

const Study& static_friction_study() {
  static const StaticFriction study;
  return study;
}

}  // namespace scree
