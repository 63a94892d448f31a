// SPDX-License-Identifier: BSD-3-Clause
/// study order: the error at the end of a run against the step, and the order it shows.
///
/// Cases: `single`, a grain under the force and torque 1 + sin t (thesis, table 2.2); `normal`, two
/// grains head on from first touch (table 3.1); `bounce`, the same from a distance and until they
/// have parted, so that first and last touch fall between steps; `tangential`, oblique with friction
/// (table 2.3); `discs`, six discs in the plane that collide obliquely (spec 08); `powerlaw`,
/// y'' = y^q (eq. 3.1); `scene`, any scene file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/run/step_advice.hpp"
#include "scree/scenes/library.hpp"
#include "scree/studies/convergence.hpp"
#include "scree/studies/figure_text.hpp"
#include "scree/studies/pair_scene.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

const std::vector<std::string> cases{"single", "normal", "bounce", "tangential", "discs", "powerlaw", "scene"};

/// One combination of what may be given as a list.
struct Combination {
  std::string integrator, law;
  double eps = 0, q = 0;
};

bool has_eps(const std::string& law) { return law.find("mollified") != std::string::npos; }

/// `text` as a list of names, each of which must be one of `names`.
std::vector<std::string> names_in(const StudySettings& s, const std::string& option, const std::string& what,
                                  const std::vector<std::string>& names) {
  std::vector<std::string> list = s.list(option);
  if (list == std::vector<std::string>{"all"}) return names;
  for (const std::string& one : list)
    if (std::find(names.begin(), names.end(), one) == names.end())
      throw InputError(fmt::format("--{}: expected {} ({}), found {}{}", option, what, join(names), in_quotes(one),
                                   did_you_mean(one, names)));
  if (list.empty()) throw InputError(fmt::format("--{}: expected {}", option, what));
  return list;
}

std::string case_of(const StudySettings& s) {
  if (s.given("scene") && !s.given("case")) return "scene";
  const std::string& name = s.one_of("case", "a case", cases);
  if (name == "scene" && s.text("scene").empty()) throw InputError("--case scene: expected --scene FILE beside it");
  return name;
}

/// The scene file of --scene: a path, or the name of a scene that comes with the program.
std::string scene_file(const StudySettings& s) {
  const std::string& name = s.text("scene");
  std::error_code ignored;
  const auto names = scene_names();
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  return known && !std::filesystem::exists(name, ignored) ? find_scene(name) : name;
}

std::vector<Combination> combinations(const StudySettings& s) {
  const std::string kind = case_of(s);
  if (kind == "powerlaw" && !s.overrides.empty()) throw InputError("--set: the case powerlaw has no scene to change");
  const auto integrators = s.text("integrator") == "all" ? general_integrator_names()
                                                         : names_in(s, "integrator", "an integrator", integrator_names());
  const auto laws = names_in(s, "law", "a normal law", normal_law_names());
  const auto widths = s.numbers("eps"), exponents = s.numbers("q");
  for (const double eps : widths)
    if (!(eps > 0)) throw InputError("--eps: expected numbers > 0 in m, found " + in_quotes(s.text("eps")));
  for (const double q : exponents)
    if (!(q > 0)) throw InputError("--q: expected numbers > 0, found " + in_quotes(s.text("q")));
  std::vector<Combination> all;
  for (const std::string& integrator : integrators) {
    if (kind == "powerlaw") {
      for (const double q : exponents) all.push_back({integrator, "y^q", 0, q});
    } else if (kind == "single" || kind == "scene") {
      all.push_back({integrator, kind == "single" ? "none" : "as in the scene", 0, 0});
    } else {
      for (const std::string& law : laws) {
        if (!has_eps(law)) all.push_back({integrator, law, 0, 0});
        else
          for (const double eps : widths) all.push_back({integrator, law, eps, 0});
      }
    }
  }
  return all;
}

const ParameterSet& parameters_of(const StudySettings& s, const std::string& kind) {
  if (!s.given("parameters")) return parameter_set(kind == "tangential" || kind == "bounce" ? "table-2.3" : "table-3.1");
  std::vector<std::string> names;
  for (const ParameterSet& one : parameter_sets()) names.emplace_back(one.name);
  return parameter_set(s.one_of("parameters", "a set of parameters", names));
}

/// The scene of a combination; the case `powerlaw` has none. `shift` moves the grains of a bounce apart.
std::string scene_text(const StudySettings& s, const Combination& c, double shift = 0) {
  const std::string kind = case_of(s);
  if (kind == "powerlaw") return "";
  if (kind == "scene") return TomlDocument::file_text(scene_file(s));
  const ParameterSet& set = parameters_of(s, kind);
  PairScene scene = head_on_scene(set, kind == "single" ? "kk" : c.law, c.eps > 0 ? c.eps : 1e-5, chosen_attraction(s));
  scene.integrator = c.integrator;
  scene.real = chosen_real(s);
  const double r = set.radius;
  if (kind == "single") {
    scene.name = "a grain under 1 + sin t";
    scene.density = 2500;
    scene.grains = {{{0, 0}, {0, 0}, 0.5, false}};
    scene.push = fmt::format("{{ force = [1, 0], force_amplitude = [1, 0], torque = 1, torque_amplitude = 1, frequency = {} }}",
                             shortest(0.5 / std::numbers::pi));
    scene.time = std::ldexp(15.0, -13);
  } else if (kind == "bounce") {
    // An approach that ends between steps of every size, a whole contact, and a flight.
    scene.name = "a whole bounce";
    const double gap = 0.1 * std::ldexp(105.0, -13) * set.speed * (1 + shift);
    scene.grains[1].x[0] = gap;
    scene.time = std::ldexp(105.0, -10);
  } else if (kind == "tangential") {
    scene.name = "an oblique collision, " + std::string(set.name);
    scene.grains = {{{0, 0}, {0, 0}, r, false}, {{sqrt(dd(3)) * r * (1 - dd(0x1p-100)), r}, {-set.speed, 0}, r, false}};
    if (set.mu > 0) {
      scene.tangential = "cundall-strack";
      scene.tangential_parameters = {{"k_t", set.k_t}, {"mu", set.mu}};
    }
  } else if (kind == "discs") {
    scene.name = "six discs";
    scene.body = "disc";
    scene.height = 1;
    scene.density = 1 / (std::numbers::pi * 0.25);
    const double x[6][2] = {{-0.13, 0.04}, {1.02, 0.11}, {0.93, -0.95}, {1.97, -0.43}, {2.02, 0.61}, {2.93, 0.12}};
    const double v[6][2] = {{1, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {-0.4, 0.05}};
    scene.grains.clear();
    for (int k = 0; k < 6; ++k) scene.grains.push_back({{x[k][0], x[k][1]}, {v[k][0], v[k][1]}, 0.5, false});
    for (Parameter& p : scene.normal_parameters)
      p.value = p.name == "k" ? (c.law == "linear" ? 200 : 1000) : p.name == "g" ? (c.law.find("linear") != std::string::npos ? 2 : 15) : p.value;
    scene.time = 1.5;
  }
  // fine enough for the reader of scenes; the study takes its own steps
  scene.dt = kind == "discs" ? std::ldexp(1.0, -12) : scene.time / 4096;
  return scene.text();
}

Quantity quantity_of(const StudySettings& s, const std::string& kind) {
  const std::string name = s.text("of").empty() ? (kind == "powerlaw" ? "v" : "x")
                                                : s.one_of("of", "x, v, q or w", {"x", "v", "q", "w"});
  return name == "x" ? Quantity::x : name == "v" ? Quantity::v : name == "q" ? Quantity::q : Quantity::w;
}
const char* symbol(Quantity of) {
  return of == Quantity::x ? "x" : of == Quantity::v ? "v" : of == Quantity::q ? "q" : "w";
}

/// k of h = m 2^-k, coarsest and finest. A run that --set makes `longer` times as long gets steps as
/// much longer.
std::pair<int, int> range_of(const StudySettings& s, const std::string& kind, double longer, double dt) {
  int coarsest = 13, finest = s.quick ? 22 : 27;
  if (kind == "powerlaw") coarsest = 3, finest = s.quick ? 15 : 20;
  if (kind == "discs") coarsest = 9, finest = s.quick ? 15 : 19;
  if (kind == "bounce") finest = s.quick ? 19 : 21;
  if (kind == "scene") {
    coarsest = static_cast<int>(std::floor(-std::log2(4 * dt)));
    finest = coarsest + (s.quick ? 6 : 8);
  }
  const int shift = static_cast<int>(std::lround(std::log2(longer)));
  coarsest -= shift;
  finest -= shift;
  if (!s.text("finest").empty()) finest = static_cast<int>(s.integer("finest"));
  if (finest > 40 || finest < coarsest)
    throw InputError(fmt::format("--finest: expected an integer from {} to 40", coarsest));
  return {coarsest, finest};
}

/// What the seeds say of an order.
struct Claim {
  const char *where, *kind, *law, *integrator, *parameters;
  double order, tolerance;
  const char* why;  // what the number means, whether ours agrees or not
  char of = 0;      // the quantity that the seed shows, if that is not any
};
const Claim claims[] = {
    {"003, figure 2.4", "single", "none", "euler", "", 1, 0.05, "", 'x'},
    {"003, figure 2.4", "single", "none", "symplectic-euler", "", 1, 0.05, "", 'x'},
    {"003, figure 2.4", "single", "none", "damped-verlet", "", 2, 0.05, "", 'x'},
    {"003, figure 2.5", "single", "none", "euler", "", 1, 0.05, "", 'q'},
    {"003, figure 2.5", "single", "none", "symplectic-euler", "", 1, 0.05, "", 'q'},
    {"003, figure 2.5", "single", "none", "damped-verlet", "", 2, 0.05, "", 'q'},
    {"003, figure 2.7", "single", "none", "leapfrog", "", 2, 0.05,
     "symplectic Euler with the velocity taken half a step back is leapfrog, and has its order", 'x'},
    {"003, figure 2.6", "normal", "kk", "euler", "table-2.3", 1.04, 0.05, ""},
    {"003, figure 2.6", "normal", "kk", "symplectic-euler", "table-2.3", 1.6, 0.05,
     "an artefact of so short a run: the error changes its sign near h = 1.5e-8 s, with slopes of 1.55 to 1.6 above; "
     "asymptotically the order is 1, as the longer run of table 3.1 shows"},
    {"003, figure 2.6", "normal", "kk", "damped-verlet", "table-2.3", 1.52, 0.05, ""},
    {"003, figure 2.9", "tangential", "kk", "damped-verlet", "table-2.3", 1.52, 0.05, ""},
    {"003, figure 2.9", "tangential", "kk", "euler", "table-2.3", 1.04, 0.05, ""},
    {"003, figure 2.9", "tangential", "kk", "symplectic-euler", "table-2.3", 1.6, 0.05,
     "an artefact of so short a run, as head on (figure 2.6): the slope is 1.57 to 1.62 above 1e-6 s only, and rises below, to 2.4 at "
     "1e-7 s, as before a change of sign; asymptotically the order is 1"},
    {"000, figure 1 and 003, figure 3.1", "normal", "hertz", "damped-verlet", "table-3.1", 2, 0.05, ""},
    {"000, figure 1 and 003, figure 3.1", "normal", "kk", "damped-verlet", "table-3.1", 1.5, 0.05, ""},
    {"000, figure 3 and 003, figure 4.5", "normal", "kk-mollified", "damped-verlet", "table-3.1", 2, 0.05, ""},
    {"003, theorem 1 and figure 3.2", "powerlaw", "y^q", "leapfrog", "", -1, 0.05, ""},
};

struct Result {
  Combination combination;
  Convergence convergence;
  std::string label, title;  // in the table, in the figure
  double time = 0;
};

nlohmann::ordered_json json_of(const Result& r, const std::string& kind, const std::string& real, Quantity of) {
  const OrderFit& f = r.convergence.fit;
  nlohmann::ordered_json j;
  j["study"] = "order";
  j["case"] = kind;
  j["law"] = r.combination.law;
  j["integrator"] = r.combination.integrator;
  j["real"] = real;
  j["order"] = f.order;
  j["stderr"] = f.stderr_;
  j["window"] = {f.h_min, f.h_max};
  j["reference"] = r.convergence.reference;
  j["points"] = nlohmann::ordered_json::array();
  for (const ConvergencePoint& p : r.convergence.points)
    j["points"].push_back({{"h", p.h}, {"value", p.value}, {"error", p.error}});
  j["of"] = symbol(of);
  if (r.combination.eps > 0) j["eps"] = r.combination.eps;
  if (r.combination.q > 0) j["q"] = r.combination.q;
  j["constant"] = f.constant;
  j["residual"] = f.residual;
  j["consistent"] = f.consistent;
  j["time"] = r.time;
  j["faults"] = r.convergence.faults;
  return j;
}

/// "Erratic behavior" where the grains do not start in touch (003, figure 2.8): how far the errors at a
/// single place of touch scatter about a power of h, in ln error, within the window of their mean square.
std::optional<Finding> erratic(const StudySettings& s, const Result& r, const std::string& kind) {
  if (kind != "bounce" || r.combination.law != "kk" || r.combination.integrator != "damped-verlet") return std::nullopt;
  if (!chosen_attraction(s) || !s.overrides.empty() || r.convergence.points.empty()) return std::nullopt;
  const OrderFit& f = r.convergence.fit;
  const std::size_t places = r.convergence.points.front().errors.size();
  const auto scatter = [&](auto error_of) {
    std::vector<double> h, e;
    for (const ConvergencePoint& p : r.convergence.points) {
      if (p.h < f.h_min || p.h > f.h_max || !(error_of(p) > p.floor)) continue;
      h.push_back(p.h);
      e.push_back(error_of(p));
    }
    return fit_power(h, e).residual;
  };
  double squares = 0;
  for (std::size_t k = 0; k < places; ++k) {
    const double one = scatter([k](const ConvergencePoint& p) { return p.errors[k]; });
    squares += one * one / static_cast<double>(places);
  }
  const double single = std::sqrt(squares), mean = scatter([](const ConvergencePoint& p) { return p.error; });
  Finding finding;
  finding.where = "003, figure 2.8";
  finding.claim = "where the grains do not start in touch, the error is erratic, and the order harder to determine";
  finding.ours = fmt::format("at a single place of touch the errors scatter by a factor of {:.2f} about a power of h, the root mean "
                             "square over {} places by {:.2f}, which gives {:.2f} ± {:.1g}",
                             std::exp(single), places, std::exp(mean), f.order, f.stderr_);
  // Ten times the residual of 0.01 by which the fit knows a smooth curve, such as one that starts in touch.
  finding.verdict = single > 0.1 ? Finding::Verdict::holds : Finding::Verdict::differs;
  return finding;
}

/// What no seed has: the shifted momentum on Kuwabara-Kono, and the fourth order in double-double.
std::optional<Finding> beyond(const StudySettings& s, const std::vector<Result>& all, const Result& r, const std::string& kind,
                              Quantity of) {
  const std::string& scheme = r.combination.integrator;
  const OrderFit& f = r.convergence.fit;
  const bool shifted = scheme.starts_with("kk-shifted") && (r.combination.law == "kk" || kind == "scene");
  const bool fourth = kind == "single" && chosen_real(s) == "dd" && (scheme == "rk4" || scheme == "gauss4" || scheme == "yoshida4");
  if (!shifted && !fourth) return std::nullopt;
  Finding finding;
  finding.verdict = Finding::Verdict::beyond;
  finding.where = fourth ? "beyond 003, figure 2.4" : "beyond 003, chapter 3";
  const std::string found = fmt::format("{}: {:.3f} ± {:.1g} for {}", scheme, f.order, f.stderr_, symbol(of));
  const std::string power = f.consistent ? "" : "; the errors follow no power law";
  if (fourth) {
    finding.claim = fmt::format("the order of {} on 1 + sin t, beyond the digits of double", scheme);
    finding.ours = fmt::format("{} over {:.1f} decades of error ({}){}", found, f.order * std::log10(f.h_max / f.h_min),
                               r.convergence.reference, power);
  } else {
    const std::string what = kind == "scene" ? "the scene " + s.text("scene") : "the case " + kind;
    const std::string pull = kind == "scene" ? "" : chosen_attraction(s) ? ", attraction kept" : ", attraction cut";
    finding.claim = fmt::format("which order has the shifted momentum on plain Kuwabara-Kono in {}{}?", what, pull);
    std::string beside;
    for (const Result& other : all)
      if (other.combination.integrator == "damped-verlet" && other.combination.law == r.combination.law)
        beside = fmt::format("; damped-verlet: {:.3f} ± {:.1g}", other.convergence.fit.order, other.convergence.fit.stderr_);
    finding.ours = fmt::format("{} ({}){}{}", found, r.convergence.reference, power, beside);
  }
  return finding;
}

class Order final : public Study {
 public:
  std::string_view name() const override { return "order"; }
  std::string_view summary() const override { return "Error against step size, and the order of a scheme on a force"; }
  std::string_view example() const override { return "scree study order --case normal --law kk --integrator damped-verlet"; }
  std::vector<StudyOption> options() const override {
    return {{"case", "normal", "What moves: " + join(cases)},
            {"law", "kk", "Normal law, or several: hertz,kk; all (scree list names them)"},
            {"eps", "1e-5", "Width of the mollifier in m, or several, for laws that have one"},
            {"q", "0.5", "Exponent of y'' = y^q, or several"},
            {"integrator", "damped-verlet", "Integrator, or several: euler,leapfrog; all (scree list names them)"},
            real_option(),
            attraction_option(),
            {"of", "", "Order of positions x, velocities v, angles q or spins w (default: x, of powerlaw v)"},
            {"parameters", "", "Parameters of the thesis' table-2.3, table-3.1 or table-4.1"},
            {"scene", "", "A scene file, or the name of a scene that comes with scree, for --case scene"},
            {"finest", "", "Smallest step: m 2^-FINEST (default: 27)"}};
  }
  std::string scene(const StudySettings& s) const override { return scene_text(s, combinations(s).front()); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static Result measure(const StudySettings& s, const Combination& c, Quantity of, const std::function<void(double)>& tell);
};

Result Order::measure(const StudySettings& s, const Combination& c, Quantity of, const std::function<void(double)>& tell) {
  const std::string kind = case_of(s);
  Result r;
  r.combination = c;
  Problem problem;
  double dt = 0, longer = 1;
  if (kind == "powerlaw") {
    r.time = 1;
    problem = power_law_problem(c.q, c.integrator, chosen_real(s), r.time);
  } else {
    // An adaptive method is held to the step: it accepts any.
    auto overrides = s.overrides;
    if (find_method(c.integrator)->adaptive) overrides.insert(overrides.begin(), "run.tolerance=1e300");
    if (kind == "scene") {
      if (s.given("integrator")) overrides.insert(overrides.begin(), "run.integrator=" + c.integrator);
      if (s.given("real")) overrides.insert(overrides.begin(), "scene.real=" + chosen_real(s));
    }
    const std::string file = kind == "scene" ? scene_file(s) : "study order";
    std::vector<AnyScene> scenes;
    // Touch at places that golden numbers spread evenly over a step, whatever the step.
    const int variants = kind == "bounce" ? (s.quick ? 4 : 8) : 1;
    for (int k = 0; k < variants; ++k)
      scenes.push_back(read_scene_text(scene_text(s, c, std::fmod(k * std::numbers::phi, 1.0)), file, overrides));
    const AnyScene& scene = scenes.front();
    const SceneHeader& head = header(scene);
    r.combination.integrator = head.run.integrator;
    dt = head.run.dt;
    if (dt == 0) dt = std::visit([](const auto& one) { return step_of(one); }, scene);
    r.time = dyadic_time(head.run.time);
    if (kind != "scene") longer = r.time / header(read_scene_text(scene_text(s, c), file)).run.time;
    problem = scene_problem(scenes, r.time);
  }
  const auto [coarsest, finest] = range_of(s, kind, longer, dt);
  r.convergence = converge(problem, dyadic_steps(r.time, coarsest, finest, 4), of, tell);
  return r;
}

StudyResult Order::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::string kind = case_of(s), real = chosen_real(s);
  const Quantity of = quantity_of(s, kind);
  const auto all = combinations(s);
  const ParameterSet& set = parameters_of(s, kind);
  std::vector<Result> results;
  const auto several = [&](auto of_one) {
    return std::any_of(all.begin(), all.end(), [&](const Combination& c) { return of_one(c) != of_one(all[0]); });
  };
  const bool many_laws = several([](const auto& c) { return c.law; }), many_eps = several([](const auto& c) { return c.eps; }),
             many_q = several([](const auto& c) { return c.q; }), many_schemes = several([](const auto& c) { return c.integrator; });
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Combination& c = all[k];
    const auto tell = [&](double part) {
      progress((static_cast<double>(k) + part) / static_cast<double>(all.size()), c.integrator + ", " + c.law);
    };
    results.push_back(measure(s, c, of, tell));
    for (const bool drawn : {false, true}) {
      std::string label;
      const auto add = [&](const std::string& text) { label.append(label.empty() ? "" : ", ").append(text); };
      if (many_schemes || !(many_laws || many_eps || many_q)) add(results.back().combination.integrator);
      if (many_laws || many_eps)
        add(c.eps > 0 ? fmt::format("{} ε = {}", c.law, drawn ? power_text(c.eps) : fmt::format("{:g}", c.eps)) : c.law);
      if (many_q) add(fmt::format("q = {:g}", c.q));
      (drawn ? results.back().title : results.back().label) = label;
    }
  }

  StudyResult out;
  if (results.size() == 1) {
    out.json = json_of(results[0], kind, real, of);
  } else {
    out.json["study"] = "order";
    out.json["runs"] = nlohmann::ordered_json::array();
    for (const Result& r : results) out.json["runs"].push_back(json_of(r, kind, real, of));
  }

  StudyTable table{"order", {"integrator", "law", "eps", "q", "real", "h", "steps", "force_calls", "value", "error", "in_window"}, {}};
  Panel panel;
  const bool bare = kind == "powerlaw";  // y'' = y^q has no units
  panel.x_label = bare ? "step h" : "step h (s)";
  panel.y_label = fmt::format("error of {}", bare ? (of == Quantity::x ? "y" : "y′")
                                             : of == Quantity::x ? "the position (m)" : of == Quantity::v ? "the velocity (m/s)"
                                             : of == Quantity::q ? "the angle (rad)" : "the spin (rad/s)");
  panel.log_x = panel.log_y = true;
  out.text = fmt::format("order of {} in {}, case {}{}\n", symbol(of), real, kind,
                         kind == "normal" || kind == "bounce" || kind == "tangential" ? ", " + std::string(set.name) : "");
  out.text += fmt::format("  {:<40} {:>8} {:>8} {:>11} {:>24}  {}\n", "", "order", "stderr", "constant", bare ? "window" : "window (s)", "reference");
  int colour = 0;
  for (const Result& r : results) {
    const Convergence& c = r.convergence;
    const OrderFit& f = c.fit;
    Series data{"", {}, {}, Series::Style::points, colour}, fit{"", {}, {}, Series::Style::dashed, colour};
    for (const ConvergencePoint& p : c.points) {
      const bool inside = p.h >= f.h_min && p.h <= f.h_max && p.error > p.floor;
      table.rows.push_back({r.combination.integrator, r.combination.law, r.combination.eps, r.combination.q, real, p.h, p.steps,
                            p.outcome.force_calls, p.value, p.error, std::int64_t{inside}});
      if (!(p.error > 0) || !std::isfinite(p.error) || !p.outcome.fault.empty()) continue;
      data.x.push_back(p.h);
      data.y.push_back(p.error);
    }
    data.title = fmt::format("{}: h^{{{:.2f}}}", r.title, f.order);
    for (const double h : {f.h_min, f.h_max}) {
      fit.x.push_back(h);
      fit.y.push_back(f.constant * std::pow(h, f.order));
    }
    panel.series.push_back(std::move(data));
    if (f.points > 1) panel.series.push_back(std::move(fit));
    if (results.size() == 1 && f.points > 1) panel.bands.emplace_back(f.h_min, f.h_max);
    ++colour;
    out.text += fmt::format("  {:<40} {:>8.3f} {:>8.1g} {:>11.3g} {:>11.3g} to {:<9.3g}  {}{}\n", r.label, f.order, f.stderr_,
                            f.constant, f.h_min, f.h_max, c.reference, f.consistent ? "" : " (no power law)");
    for (const Claim& claim : claims) {
      if (claim.kind != kind || claim.law != r.combination.law || claim.integrator != r.combination.integrator) continue;
      if (claim.parameters != std::string_view() && claim.parameters != set.name) continue;
      if (!chosen_attraction(s) || !s.overrides.empty()) continue;
      if (claim.of != 0 && claim.of != *symbol(of)) continue;
      // y^q has a continuous derivative for q > 1, and leapfrog its own order
      const double claimed = claim.order < 0 ? std::min(1 + r.combination.q, 2.0) : claim.order;
      Finding finding;
      finding.where = claim.order < 0 && r.combination.q > 1 ? "beyond 003, theorem 1 (q < 1)" : claim.where;
      finding.claim = fmt::format("{} on {}: order {:g}", claim.integrator, kind == "powerlaw" ? fmt::format("y'' = y^{:g}", r.combination.q)
                                  : kind == "single" ? "1 + sin t" : r.combination.eps > 0 ? fmt::format("{} with eps {:g}", claim.law, r.combination.eps) : claim.law, claimed);
      finding.ours = fmt::format("{:.3f} ± {:.1g} for {} ({})", f.order, f.stderr_, symbol(of), c.reference);
      finding.verdict = std::abs(f.order - claimed) <= claim.tolerance ? Finding::Verdict::holds : Finding::Verdict::differs;
      finding.why = claim.why;
      out.findings.push_back(finding);
    }
    if (auto more = erratic(s, r, kind)) out.findings.push_back(std::move(*more));
    if (auto more = beyond(s, results, r, kind, of)) out.findings.push_back(std::move(*more));
  }
  std::string title = kind == "powerlaw" ? "y″ = y^q" : kind == "single" ? "one grain under 1 + sin t" : kind == "scene" ? s.text("scene") : kind;
  if (kind == "normal") title = "head-on collision from touch";
  if (kind == "bounce") title = "whole bounce";
  if (kind == "tangential") title = "oblique collision";
  if (kind == "discs") title = "six discs";
  if (kind != "powerlaw" && kind != "single" && kind != "scene" && !many_laws) title += ", " + all[0].law;
  if (!many_schemes && (many_laws || many_eps || many_q)) title += ", " + results[0].combination.integrator;
  panel.title = title + (real == "double" ? "" : ", " + real);
  out.tables.push_back(std::move(table));
  out.figures.push_back({"order", "", {std::move(panel)}});
  return out;
}

}  // namespace

const Study& order_study() {
  static const Order study;
  return study;
}

}  // namespace scree
