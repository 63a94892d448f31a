// SPDX-License-Identifier: BSD-3-Clause
/// How long the grains of a collapse keep to their trajectories: the distance of a run with step h
/// from a reference,
///
///     d(t) = mean over grains of |x_h(t) - x_ref(t)| / mean radius,
///
/// for several schemes and steps (chapter 5 of the thesis: table 5.1, figures 5.1 and 5.3), and,
/// beyond it, what the order of the scheme has to do with the time for which trajectories coincide.
/// A scheme of order p begins with an error C h^p; collisions multiply it, so that
///
///     d(t) ≈ C h^p e^{λ t}   until d is of the order of 1,
///
/// and the time at which d passes a threshold θ is T = (ln(θ/C) + p ln(1/h))/λ: every halving of
/// the step adds p ln 2/λ to it. The study fits λ to the growth of ln d in time and p to the d of
/// different steps at one time, and compares the gain that they predict with that of the times
/// themselves. A reference of the same scheme has an error too: with step h_r the distance is C
/// (h^p - h_r^p) e^{λ t}, and that is fitted.
///
/// All runs begin from one column, at rest behind its gate, which is gone from t = 0. A finished run is kept
/// in the cache (kept.hpp), so that a study that was killed goes on with the others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "scree/analysis/compare.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/studies/coincidence.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/figure_text.hpp"
#include "scree/studies/kept.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/pair_scene.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// One run.
struct Case {
  std::string integrator, law, real;
  double h = 0;
  bool operator==(const Case&) const = default;
};

/// Where the grains were at each look.
struct History {
  std::vector<double> t;
  std::vector<std::vector<double>> x, x_lo;  // low words of double-double runs; else empty
  Frame grains;                              // ids, radii, who is held; nothing else of it
  std::string fault;
};

nlohmann::json json_of(const History& h) {
  return {{"t", h.t},
          {"x", h.x},
          {"x_lo", h.x_lo},
          {"dim", h.grains.dim},
          {"time", h.grains.time},
          {"id", h.grains.id},
          {"radius", h.grains.radius},
          {"held", h.grains.held},
          {"fault", h.fault}};
}
History history_from(const nlohmann::json& j) {
  History h;
  j.at("t").get_to(h.t);
  j.at("x").get_to(h.x);
  j.at("x_lo").get_to(h.x_lo);
  j.at("dim").get_to(h.grains.dim);
  j.at("time").get_to(h.grains.time);
  j.at("id").get_to(h.grains.id);
  j.at("radius").get_to(h.grains.radius);
  j.at("held").get_to(h.grains.held);
  j.at("fault").get_to(h.fault);
  if (h.x.size() != h.t.size() || h.x_lo.size() != h.t.size())
    throw RunError("a kept run of other lengths");
  return h;
}

/// A scheme with a law: the curves of one panel, and the reference they are measured from.
struct Family {
  std::string integrator, law;
  Case reference;
  std::vector<Case> cases;
  std::vector<std::vector<double>> distance;  // of each case, at the looks
  std::vector<double> t;                      // of the looks
  Coincidence fit;
  std::vector<Regions> regions;               // of each case
  std::string label(bool with_law) const { return with_law ? integrator + ", " + law : integrator; }
};

class TrajectoryStudy final : public Study {
 public:
  std::string_view name() const override { return "trajectory"; }
  std::string_view summary() const override {
    return "how long the grains of a collapse keep to their trajectories";
  }
  std::string_view example() const override {
    return "scree study trajectory --integrators euler@kk,damped-verlet@kk-mollified --grains 300 "
           "--time 3";
  }
  std::vector<StudyOption> options() const override {
    return {
        {"integrators",
         "euler@kk,damped-verlet@kk,damped-verlet@kk-mollified,kk-shifted@kk,rk4@kk-mollified",
         "Schemes, each with its law as in euler@kk; without one, with every --law"},
        {"law", "kk-mollified", "Normal laws of schemes that name none"},
        {"eps", "5e-6", "ε of the mollified laws in m"},
        attraction_option(),
        {"steps", "", "Steps in s (default: powers of two)"},
        {"reference", "",
         "SCHEME:h of the reference (default: each scheme's own, at a quarter of the least step)"},
        {"real", "double", "Number type: double or dd"},
        {"grains", "", "Grains of the column (default: 1416; with --quick 120)"},
        {"time", "", "Length of the runs in s (default: 8; with --quick 2)"},
        {"frames", "", "Looks at each run (default: 32 a second)"},
        {"thresholds", "1e-3,1e-1", "Distances in mean radii up to which trajectories coincide"}};
  }
  std::string scene(const StudySettings& s) const override;
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::int64_t grains(const StudySettings& s) {
    const std::int64_t n = s.given("grains") ? s.integer("grains") : s.quick ? 120 : 1416;
    if (n < 2 || n > 100000) throw InputError("--grains: expected a number from 2 to 100000");
    return n;
  }
  static double time(const StudySettings& s) {
    const double t = s.given("time") ? s.number("time") : s.quick ? 2 : 8;
    if (!(t > 0)) throw InputError("--time: expected a number > 0 in s");
    return t;
  }
  static std::vector<double> steps(const StudySettings& s) {
    std::vector<double> all = s.numbers("steps");
    if (all.empty())
      all = s.quick ? std::vector<double>{0x1p-12, 0x1p-13, 0x1p-14}
                    : std::vector<double>{0x1p-13, 0x1p-14, 0x1p-15, 0x1p-16};
    for (const double h : all)
      if (!(h > 0)) throw InputError("--steps: expected numbers > 0 in s, found " + brief(h));
    std::sort(all.begin(), all.end(), std::greater<>());
    return all;
  }
  static std::vector<Family> families(const StudySettings& s);
  static std::string law_text(const std::string& law, const StudySettings& s);
  static void measure(const StudySettings& s, Family& family, const std::vector<History>& histories,
                      const History& reference);
  static void draw(const StudySettings& s, const std::vector<Family>& families,
                   StudyResult& result);
  static void draw_paths(const Family& family, const std::vector<const History*>& runs,
                         const History& reference, StudyResult& result);
  static void claims(const StudySettings& s, const std::vector<Family>& families,
                     StudyResult& result);
};

std::string TrajectoryStudy::law_text(const std::string& law, const StudySettings& s) {
  std::string text = fmt::format("{{ law = \"{}\"", law);
  for (const Parameter& p : normal_parameters(parameter_set("table-2.3"), law, chosen_eps(s)))
    // Table 5.1 has the dashpot of table 2.3 and a spring a little stiffer.
    text += fmt::format(", {} = {}", p.name,
                        shortest(p.name == "k" && p.value == 4.4e10 ? 4.5e10 : p.value));
  return text + fmt::format(", attraction = {} }}", chosen_attraction(s));
}

std::string TrajectoryStudy::scene(const StudySettings& s) const {
  const auto n = static_cast<double>(grains(s));
  // Height over width 0.5 at a packing of 0.82 discs in the plane.
  const double width = std::ceil(std::sqrt(n * std::numbers::pi / 0.82 / 0.5));
  return fmt::format(R"([scene]
name = "collapse, table 5.1"
dim = 2
real = "{4}"
seed = 1

[domain]
gravity = [0.0, -9.81]          # m/s^2

[material.grain]
density = 19300.0               # kg/m^3
body = "sphere"

[[grains]]                      # height over width about 0.5
name = "column"
build = "column"
material = "grain"
count = {0}
width = {1:.1f}                 # m
radius = {{ mean = 1.0, spread = 0.1 }}  # m
floor = true                    # of fixed grains
floor_length = {2:.1f}          # m

[[walls]]
name = "left"
kind = "plane"
point = [0.0, 0.0]
normal = [1.0, 0.0]

[[walls]]                       # gone when the run begins
name = "gate"
kind = "plane"
point = [{1:.1f}, 0.0]
normal = [-1.0, 0.0]
until = 0.0

[contact]
normal = {3}
tangential = {{ law = "cundall-strack", ratio = 0.2857142857142857, mu = 0.6 }}  # 2/7

[prepare]
time = 30.0                     # s, at most
dt = 2.44140625e-4              # s
damping = 2.0                   # 1/s
rest = 1.0e-4

[run]
integrator = "damped-verlet"
dt = 1.220703125e-4             # s
time = {5}                      # s
)",
                     grains(s), width, 3 * width, law_text("kk", s), chosen_real(s),
                     shortest(time(s)));
}

std::vector<Family> TrajectoryStudy::families(const StudySettings& s) {
  const auto laws = s.list("law"), names = normal_law_names();
  for (const std::string& law : laws)
    if (std::find(names.begin(), names.end(), law) == names.end())
      throw InputError("--law: unknown law " + in_quotes(law) + did_you_mean(law, names));
  auto wanted = s.list("integrators");
  if (s.given("law") && !s.given("integrators")) {
    // The schemes of the default name their laws; the user's word on laws goes before.
    std::vector<std::string> bare;
    for (const std::string& text : wanted)
      if (const std::string scheme = text.substr(0, text.find('@'));
          std::find(bare.begin(), bare.end(), scheme) == bare.end())
        bare.push_back(scheme);
    wanted = bare;
  }
  const auto all_steps = steps(s);
  std::vector<Family> all;
  for (const std::string& text : wanted) {
    const std::size_t at = text.find('@');
    const std::string scheme = text.substr(0, at);
    if (!find_method(scheme)) {
      if (!s.given("integrators")) continue;  // a default of a later version
      throw InputError("--integrators: no integrator is called " + in_quotes(scheme) +
                       did_you_mean(scheme, integrator_names()));
    }
    const std::vector<std::string> with =
        at == std::string::npos ? laws : std::vector<std::string>{text.substr(at + 1)};
    for (const std::string& law : with) {
      if (std::find(names.begin(), names.end(), law) == names.end())
        throw InputError("--integrators: unknown law " + in_quotes(law) + did_you_mean(law, names));
      Family one{scheme, law, {scheme, law, chosen_real(s), all_steps.back() / 4}, {}, {}, {}, {}, {}};
      if (const std::string& reference = s.text("reference"); !reference.empty()) {
        const std::size_t colon = reference.find(':');
        double h = 0;
        try {
          h = colon == std::string::npos ? 0 : std::stod(reference.substr(colon + 1));
        } catch (const std::exception&) {
        }
        if (!find_method(reference.substr(0, colon)) || !(h > 0))
          throw InputError("--reference: expected SCHEME:h, found " + in_quotes(reference));
        one.reference = {reference.substr(0, colon), law, chosen_real(s), h};
      }
      for (const double h : all_steps) one.cases.push_back({scheme, law, chosen_real(s), h});
      all.push_back(one);
    }
  }
  if (all.empty()) throw InputError("--integrators: expected at least one scheme");
  return all;
}

StudyResult TrajectoryStudy::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::string text = scene(s);
  const double length = time(s);
  const std::int64_t looks =
      s.given("frames") ? s.integer("frames") : static_cast<std::int64_t>(std::ceil(32 * length));
  if (looks < 4) throw InputError("--frames: expected at least 4");
  const double between = length / static_cast<double>(looks);
  if (s.numbers("thresholds").empty())
    throw InputError("--thresholds: expected at least one number");
  std::vector<Family> all = families(s);

  // Every run once, though families may share some.
  std::vector<Case> cases;
  const auto add = [&](const Case& c) {
    const double per_look = between / c.h;
    if (per_look < 1 || per_look != std::floor(per_look))
      throw InputError(
          fmt::format("--steps: {} s does not divide the {} s between two looks; choose --time, "
                      "--frames and steps that do",
                      brief(c.h), brief(between)));
    if (std::find(cases.begin(), cases.end(), c) == cases.end()) cases.push_back(c);
  };
  for (const Family& f : all) {
    add(f.reference);
    for (const Case& c : f.cases) add(c);
  }
  progress(0, "settling");
  auto settling = s.overrides;
  settling.push_back("scene.real=\"double\"");
  const AnyScene before = read_scene_text(text, "trajectory", settling);
  const Settled rested = settle(before);

  std::vector<History> histories(cases.size());
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    tasks.push_back(
        {fmt::format("{}, {}, h = {:.3g} s", c.integrator, c.law, c.h),
         (find_method(c.integrator)->force_calls + 1) / c.h, [&, k] {
           const Case& one = cases[k];
           History& h = histories[k];
           std::vector<std::string> overrides{
               "contact.normal=" + law_text(one.law, s)};  // the user's word comes after it
           overrides.insert(overrides.end(), s.overrides.begin(), s.overrides.end());
           overrides.push_back("run.integrator=\"" + one.integrator + "\"");
           overrides.push_back("scene.real=\"" + one.real + "\"");
           const AnyScene scene = read_scene_text(text, "trajectory", overrides);
           const auto every = static_cast<std::int64_t>(between / one.h);
           const Kept place("trajectory", scene,
                            fmt::format("{:016x} {} {} {}", header(before).start_hash, one.h, every, looks));
           if (place.find([&](const nlohmann::json& j) { h = history_from(j); })) return;
           const Observer watch{every, [&](const Frame& f) {
                                  if (h.t.empty()) {
                                    h.grains.dim = f.dim;
                                    h.grains.time = f.time;
                                    h.grains.id = f.id;
                                    h.grains.radius = f.radius;
                                    h.grains.held = f.held;
                                  }
                                  h.t.push_back(f.time);
                                  h.x.push_back(f.x);
                                  h.x_lo.push_back(f.x_lo);
                                  return true;
                                }};
           const Outcome out = run_experiment(scene, one.h, every * looks, watch, &rested);
           h.fault = out.fault;
           place.keep(json_of(h));
         }});
  }
  do_all(tasks, progress);
  const auto history = [&](const Case& c) -> const History& {
    return histories[static_cast<std::size_t>(std::find(cases.begin(), cases.end(), c) -
                                              cases.begin())];
  };

  StudyResult result;
  auto curves = nlohmann::ordered_json::array(), fits = curves;
  StudyTable distances{"distance", {"integrator", "law", "h", "t", "d"}, {}};
  StudyTable summary{"coincidence", {"integrator", "law", "h", "threshold", "t"}, {}};
  StudyTable regions{"regions", {"integrator", "law", "h", "departure", "saturation", "plateau"}, {}};
  const auto number = [](double x) {
    return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
  };
  const auto thresholds = s.numbers("thresholds");
  result.text = fmt::format("{:>16} {:>18} {:>11}", "scheme", "law", "h (s)");
  for (const double theta : thresholds) result.text += fmt::format("  T(d > {:g})", theta);
  result.text += "   departs  saturates   d at the end\n";
  for (Family& f : all) {
    std::vector<History> own;
    for (const Case& c : f.cases) own.push_back(history(c));
    measure(s, f, own, history(f.reference));
    for (std::size_t k = 0; k < f.cases.size(); ++k) {
      nlohmann::ordered_json one{
          {"integrator", f.integrator},
          {"law", f.law},
          {"h", f.cases[k].h},
          {"reference", {{"integrator", f.reference.integrator}, {"h", f.reference.h}}}};
      one["status"] = own[k].fault.empty() ? "done" : own[k].fault;
      result.text += fmt::format("{:>16} {:>18} {:11.4e}", f.integrator, f.law, f.cases[k].h);
      auto times = nlohmann::ordered_json::array();
      for (std::size_t q = 0; q < thresholds.size(); ++q) {
        const double t = f.fit.times[q][k];
        times.push_back({{"threshold", thresholds[q]}, {"t", number(t)}});
        summary.rows.push_back({f.integrator, f.law, f.cases[k].h, thresholds[q], t});
        result.text +=
            std::isfinite(t) ? fmt::format("  {:10.4f}", t) : fmt::format("  {:>10}", "-");
      }
      one["coincide"] = times;
      const Regions& parts = f.regions[k];
      one["regions"] = {{"departure", number(parts.departure)},
                        {"saturation", number(parts.saturation)},
                        {"plateau", number(parts.plateau)}};
      regions.rows.push_back(
          {f.integrator, f.law, f.cases[k].h, parts.departure, parts.saturation, parts.plateau});
      for (const double t : {parts.departure, parts.saturation})
        result.text += std::isfinite(t) ? fmt::format("  {:8.3f}", t) : fmt::format("  {:>8}", "-");
      one["distance"] = f.distance[k].empty() ? 0 : f.distance[k].back();
      result.text += fmt::format("   {:.3e}\n", f.distance[k].empty() ? 0 : f.distance[k].back());
      curves.push_back(one);
      for (std::size_t i = 0; i < f.distance[k].size(); ++i)
        distances.rows.push_back({f.integrator, f.law, f.cases[k].h, f.t[i], f.distance[k][i]});
    }
    auto gains = nlohmann::ordered_json::array();
    for (std::size_t q = 0; q < thresholds.size(); ++q)
      gains.push_back({{"threshold", thresholds[q]}, {"gain", number(f.fit.gain[q])}});
    fits.push_back({{"integrator", f.integrator},
                    {"law", f.law},
                    {"order", number(f.fit.order)},
                    {"quartiles", {number(f.fit.order_low), number(f.fit.order_high)}},
                    {"rate", number(f.fit.rate)},
                    {"rate_stderr", number(f.fit.rate_error)},
                    {"gain_predicted", number(f.fit.predicted())},
                    {"gains", gains}});
  }
  result.text += fmt::format("\n{:>16} {:>18} {:>8} {:>14} {:>9} {:>24}  {}\n", "scheme", "law",
                             "p", "(quartiles)", "λ (1/s)", "a halving of h adds (s)", "measured");
  for (const Family& f : all) {
    const auto rounded = [](double x, int digits) {
      return std::isfinite(x) ? fmt::format("{:.{}f}", x, digits) : std::string("-");
    };
    const std::string quartiles = std::isfinite(f.fit.order_low) && std::isfinite(f.fit.order_high)
                                      ? rounded(f.fit.order_low, 2) + " - " + rounded(f.fit.order_high, 2)
                                      : "-";
    result.text += fmt::format("{:>16} {:>18} {:>8} {:>14} {:>9} {:>24} ", f.integrator, f.law,
                               rounded(f.fit.order, 2), quartiles, rounded(f.fit.rate, 2),
                               rounded(f.fit.predicted(), 3));
    for (const double gain : f.fit.gain)
      result.text += std::isfinite(gain) ? fmt::format(" {:7.3f}", gain) : "       -";
    result.text += "\n";
  }
  result.json["grains"] = grains(s);
  result.json["time"] = length;
  result.json["curves"] = curves;
  result.json["fits"] = fits;
  result.tables = {summary, regions, distances};
  draw(s, all, result);
  {
    std::vector<const History*> runs;
    for (const Case& c : all.front().cases) runs.push_back(&history(c));
    draw_paths(all.front(), runs, history(all.front().reference), result);
  }
  claims(s, all, result);
  return result;
}

void TrajectoryStudy::measure(const StudySettings& s, Family& f, const std::vector<History>& own,
                              const History& reference) {
  f.t = reference.t;
  Frame a = reference.grains, b = reference.grains;
  for (const History& h : own) {
    std::vector<double> d;
    for (std::size_t i = 0; i < std::min(h.t.size(), reference.t.size()); ++i) {
      a.x = reference.x[i];
      a.x_lo = reference.x_lo[i];
      b.x = h.x[i];
      b.x_lo = h.x_lo[i];
      d.push_back(frame_distance(a, b).mean);
    }
    f.distance.push_back(std::move(d));
  }
  DistanceCurves curves{f.t, {}, f.distance};
  for (const Case& c : f.cases) curves.h.push_back(c.h);
  curves.h_r = f.reference.integrator == f.integrator ? f.reference.h : 0;
  if (f.reference.real == "dd") curves.round_off = 1e-28;
  f.fit = coincidence(curves, s.numbers("thresholds"));
  for (const auto& d : f.distance) f.regions.push_back(regions_of(f.t, d));
}

void TrajectoryStudy::draw(const StudySettings& s, const std::vector<Family>& all,
                           StudyResult& result) {
  const auto thresholds = s.numbers("thresholds");
  std::set<std::string> laws;
  for (const Family& f : all) laws.insert(f.law);
  const bool with_law = laws.size() > 1;
  Figure growth{"distance", "Distance from the reference", {}},
      thesis{"distance-linear", "Distance from the reference", {}};
  for (const Family& f : all) {
    Panel logarithmic{f.label(with_law), "t (s)", "d (mean radii)", false, true, {}, {}, {}, {}},
        linear = logarithmic;
    linear.log_y = false;
    Panel inset = linear;
    inset.log_x = inset.log_y = inset.inset = true;
    inset.title = inset.x_label = inset.y_label = "";
    for (std::size_t k = 0; k < f.cases.size(); ++k) {
      Series one{"h = " + step_text(f.cases[k].h) + " s", {}, {}, Series::Style::line};
      for (std::size_t i = 1; i < f.distance[k].size(); ++i) {
        one.x.push_back(f.t[i]);
        one.y.push_back(std::max(f.distance[k][i], 1e-30));
      }
      logarithmic.series.push_back(one);
      linear.series.push_back(one);
      one.title.clear();
      inset.series.push_back(one);
    }
    for (const double theta : thresholds)
      logarithmic.series.push_back({"",
                                    {0, f.t.empty() ? 1 : f.t.back()},
                                    {theta, theta},
                                    Series::Style::dashed,
                                    Series::grey});
    // The growing region of the coarsest step; to the end where nothing saturates.
    if (!f.regions.empty() && std::isfinite(f.regions.front().departure)) {
      const Regions& parts = f.regions.front();
      linear.bands.emplace_back(parts.departure, std::isfinite(parts.saturation) ? parts.saturation : f.t.back());
    }
    growth.panels.push_back(logarithmic);
    thesis.panels.push_back(linear);
    thesis.panels.push_back(inset);
  }
  result.figures.push_back(growth);
  result.figures.push_back(thesis);

  Figure coincidence{"coincidence", "Time for which trajectories coincide", {}};
  for (std::size_t q = 0; q < thresholds.size(); ++q) {
    Panel panel{fmt::format("until d > {}", power_text(thresholds[q])),
                "h (s)",
                "T (s)",
                true,
                false,
                {},
                {},
                {},
                {}};
    for (std::size_t n = 0; n < all.size(); ++n) {
      const Family& f = all[n];
      Series one{f.label(with_law), {}, {}, Series::Style::points, static_cast<int>(n)},
          fit{"", {}, {}, Series::Style::dashed, static_cast<int>(n)};
      std::vector<double> x;
      for (std::size_t k = 0; k < f.cases.size(); ++k)
        if (std::isfinite(f.fit.times[q][k])) {
          one.x.push_back(f.cases[k].h);
          one.y.push_back(f.fit.times[q][k]);
          x.push_back(std::log(1 / f.cases[k].h));
        }
      if (one.x.empty()) continue;
      const Line line = line_through(x, one.y);
      if (std::isfinite(line.slope))
        for (const double h : {one.x.front(), one.x.back()})
          fit.x.push_back(h), fit.y.push_back(line.offset + line.slope * std::log(1 / h));
      panel.series.push_back(one);
      if (!fit.x.empty()) panel.series.push_back(fit);
    }
    coincidence.panels.push_back(panel);
  }
  result.figures.push_back(coincidence);
}

/// The paths of two grains at all steps (figure 5.1): the one that strays most, and one that strays
/// as most do.
void TrajectoryStudy::draw_paths(const Family& f, const std::vector<const History*>& runs,
                                 const History& reference, StudyResult& result) {
  if (runs.empty() || reference.x.empty() || runs[0]->x.size() != reference.x.size()) return;
  std::vector<std::pair<double, std::size_t>> stray;
  for (std::size_t i = 0; i < reference.grains.id.size(); ++i) {
    if (reference.grains.held[i]) continue;
    const auto& a = reference.x.back();
    const auto& b = runs[0]->x.back();
    stray.emplace_back(std::hypot(a[2 * i] - b[2 * i], a[2 * i + 1] - b[2 * i + 1]), i);
  }
  std::sort(stray.begin(), stray.end());
  if (stray.empty()) return;
  Figure figure{"paths", "Paths of two grains, " + f.integrator + ", " + f.law, {}};
  for (const std::size_t i : {stray.back().second, stray[stray.size() * 3 / 4].second}) {
    Panel panel{fmt::format("grain {}", reference.grains.id[i]),
                "x (m)",
                "y (m)",
                false,
                false,
                {},
                {},
                {},
                {}};
    const auto path = [&](const History& h, const std::string& title) {
      Series one{title, {}, {}, Series::Style::line};
      for (const auto& x : h.x) one.x.push_back(x[2 * i]), one.y.push_back(x[2 * i + 1]);
      return one;
    };
    for (std::size_t k = 0; k < runs.size(); ++k)
      panel.series.push_back(path(*runs[k], "h = " + step_text(f.cases[k].h) + " s"));
    panel.series.push_back(path(reference, "reference, " + step_text(f.reference.h) + " s"));
    panel.series.back().style = Series::Style::dashed;
    panel.series.back().colour = Series::grey;
    figure.panels.push_back(panel);
  }
  result.figures.push_back(figure);
}

void TrajectoryStudy::claims(const StudySettings& s, const std::vector<Family>& all,
                             StudyResult& result) {
  const auto find = [&](const std::string& scheme, const std::string& law) -> const Family* {
    for (const Family& f : all)
      if (f.integrator == scheme && f.law == law) return &f;
    return nullptr;
  };
  const auto when = [](double t) {
    return std::isfinite(t) ? fmt::format("{:.2f} s", t) : std::string("the end");
  };
  const auto last = [](const Family& f, std::size_t q) { return f.fit.times[q].back(); };
  const double theta = s.numbers("thresholds")[0];
  const Family *euler = find("euler", "kk"), *verlet = find("damped-verlet", "kk-mollified"),
               *plain = find("damped-verlet", "kk");
  const std::string few = fmt::format("{} grains", grains(s));
  const bool thesis = s.overrides.empty();  // its own collapse
  if (euler && thesis) {
    const auto& d = euler->distance.front();
    const Regions& parts = euler->regions.front();
    const bool rests = std::isfinite(parts.saturation) && parts.departure > 0 && parts.plateau > 0.5;
    result.findings.push_back(
        {"003, figure 5.3 (a)",
         "d(t) is a sigmoid: negligible at first (to 1.5 s), then growing to the order of a radius "
         "(to about 15 s), then at rest",
         fmt::format("Euler, h = {:.2e} s, {}: departs at {}, saturates at {}; {:.2f} radii at the end ({} s)",
                     euler->cases.front().h, few, when(parts.departure),
                     std::isfinite(parts.saturation) ? when(parts.saturation) : "no time",
                     d.empty() ? 0.0 : d.back(), brief(time(s))),
         rests ? Finding::Verdict::holds : Finding::Verdict::differs,
         rests || time(s) >= 30
             ? ""
             : fmt::format("no plateau yet: runs of {} s, the thesis 30 s", brief(time(s)))});
    result.findings.push_back(
        {"003, figure 5.1",
         "trajectories coincide at first, then diverge and become wildly different",
         fmt::format("the same run: d passes {:g} at {}{}", theta,
                     when(euler->fit.times[0].front()),
                     s.numbers("thresholds").size() > 1
                         ? fmt::format(", {:g} at {}", s.numbers("thresholds")[1],
                                       when(euler->fit.times[1].front()))
                         : ""),
         std::isfinite(euler->fit.times[0].front()) ? Finding::Verdict::holds
                                                    : Finding::Verdict::differs,
         ""});
  }
  if (euler && verlet && thesis) {
    const double a = last(*euler, 0), b = last(*verlet, 0);
    const bool longer = std::isfinite(b) && b > 1.5 * a;
    std::string why;
    if (!std::isfinite(a) || !std::isfinite(b))
      why = fmt::format("the runs of {} s end before both have passed the threshold", brief(time(s)));
    else if (!longer)
      why = fmt::format("{:.2f} times as long; significantly is taken for 1.5 times", b / a);
    result.findings.push_back({"003, figure 5.3",
                               "with Verlet of order 2 and the mollified law the first region is "
                               "significantly longer than with Euler",
                               fmt::format("d < {:g} until {} against {} at h = {:.2e} s", theta,
                                           when(b), when(a), euler->cases.back().h),
                               longer ? Finding::Verdict::holds : Finding::Verdict::differs,
                               why});
  }
  if (plain && verlet && thesis)
    result.findings.push_back(
        {"beyond 003, chapter 5",
         "does mollifying lengthen the coincidence on plain Kuwabara-Kono?",
         fmt::format(
             "damped Verlet at h = {:.2e} s: d < {:g} until {} with kk, until {} with kk-mollified",
             plain->cases.back().h, theta, when(last(*plain, 0)), when(last(*verlet, 0))),
         Finding::Verdict::beyond,
         fmt::format("mollifying shows at steps below h_ε = 2.5 ε^1.18, {:.1e} s for this ε; "
                     "coarser steps jump over the mollified part of the contact, and "
                     "friction's limit spoils the order of both",
                     2.5 * std::pow(chosen_eps(s), 1.18))});
  for (const Family& f : all)
    if (std::isfinite(f.fit.rate) && std::isfinite(f.fit.order)) {
      std::string measured;
      for (const double gain : f.fit.gain)
        if (std::isfinite(gain))
          measured += fmt::format("{}{:.3f} s ({:.2f} of that)", measured.empty() ? "" : " and ", gain,
                                  gain / f.fit.predicted());
      result.findings.push_back(
          {"003, section 5.3.2 (future work)",
           "relate the duration of coincidence to the order of the method",
           fmt::format("{}, {}: p = {:.2f}, λ = {:.2f}/s, so a halving of h should add p ln 2/λ = "
                       "{:.3f} s to the coincidence{}",
                       f.integrator, f.law, f.fit.order, f.fit.rate, f.fit.predicted(),
                       measured.empty() ? "" : "; the times say " + measured),
           Finding::Verdict::beyond, ""});
    }
}

}  // namespace

const Study& trajectory_study() {
  static const TrajectoryStudy study;
  return study;
}

}  // namespace scree
