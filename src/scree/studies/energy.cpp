// SPDX-License-Identifier: BSD-3-Clause
/// The energy of a pyramid of spheres that falls apart, under every scheme: the test of Hofmann
/// (seed 004, figures 6 to 15), who compared schemes by what they do to
///
///     E(t) = E_kin + E_pot
///
/// (here with the energy in the contacts), and by the energy to be expected from the collisions,
/// each of which takes ½ m* v² (1 - e²) with e = exp(-g t_c/(2 m*)) of the linear law (his
/// equations 12 and 13).
///
/// His equation for the overlap's rate, ξ' = <v_i - v_j, q_i - q_j>/|q_i - q_j|, has the wrong
/// sign: grains that approach have ξ' < 0, and the dashpot drives them. --as-printed shows what
/// comes of it.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/studies/collision_book.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/figure_text.hpp"
#include "scree/studies/many.hpp"
#include "scree/studies/pair_scene.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// A scheme, with the start of its iteration where it has one.
struct Scheme {
  std::string name, start;
  const Method* method = nullptr;
  std::string label() const { return start.empty() ? name : name + ", " + start; }
};

/// One run.
struct Case {
  Scheme scheme;
  std::string law;
  double h = 0;          // s; of an adaptive scheme h_min
  bool printed = false;  // the dashpot with the sign that the seed prints
};

/// The seed gives no parameters. With these its contrasts between schemes appear; the other laws
/// have about the contact time and the loss of the linear one at 1 m/s.
std::string law_text(const std::string& law) {
  std::string parameters;
  if (law == "linear")
    parameters = ", k = 1.0e7, g = 30.0";
  else if (law == "kk")
    parameters = ", k = 4.0e8, g = 1600.0";
  else if (law == "power")
    parameters = ", k = 4.0e8, a = 1.5, g = 8.0e4, b = 1.0";
  else if (law == "hertz")
    parameters = ", k = 4.0e8";
  else
    throw InputError("--law: expected some of linear, hertz, kk, power, found " + in_quotes(law) +
                     "; any other by --set contact.normal");
  return "{ law = \"" + law + "\"" + parameters + ", attraction = false }";
}

struct Record {
  std::vector<double> t, energy, expected;
  std::string status = "done";
  double ratio = 0;  // energy at the end, or at the last good look, over that at the start
  std::int64_t steps = 0, calls = 0, rejected = 0, iterations = 0, collisions = 0;
  double seconds = 0;
};

class Energy final : public Study {
 public:
  std::string_view name() const override { return "energy"; }
  std::string_view summary() const override {
    return "energy of a collapsing pyramid of spheres under every scheme";
  }
  std::string_view example() const override {
    return "scree study energy --integrators taylor,staggered-verlet --steps 1e-3,1e-4 "
           "--as-printed";
  }
  std::vector<StudyOption> options() const override {
    return {{"integrators", "",
             "Schemes, with the start of an iteration as in gauss4:previous (default: all)"},
            {"steps", "1e-3,1e-4,1e-5", "Steps in s; for adaptive schemes the least step"},
            {"law", "linear", "Normal laws: linear, hertz, kk, power"},
            {"spheres", "14", "13 (9 + 4, 207.0 J) or 14 (9 + 4 + 1, 249.5 J)"},
            {"time", "5", "Length of the runs in s"},
            {"tolerance", "1e-4", "Of adaptive steps and of iterations"},
            {"as-printed", "", "Also with the sign of the dashpot that the thesis prints", true}};
  }
  std::string scene(const StudySettings& s) const override;
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static std::vector<Scheme> schemes(const StudySettings& s);
  static void draw(const StudySettings& s, const std::vector<Case>& cases,
                   const std::vector<Record>& records, StudyResult& result);
  static void claims(const StudySettings& s, const std::vector<Case>& cases,
                     const std::vector<Record>& records, StudyResult& result);
};

std::string Energy::scene(const StudySettings& s) const {
  const std::int64_t spheres = s.integer("spheres");
  if (spheres != 13 && spheres != 14)
    throw InputError("--spheres: expected 13 or 14, found " + in_quotes(s.text("spheres")));
  return fmt::format(R"([scene]
name = "pyramid"
dim = 3

[domain]
gravity = [0.0, 0.0, -9.81]     # m/s^2

[material.aluminium]
density = 2700.0                # kg/m^3
body = "sphere"

[[grains]]
build = "pyramid"
material = "aluminium"
base = 3
levels = {}                     # 2: 9 + 4 spheres, 3: 9 + 4 + 1
radius = 0.1                    # m; the seed's "ten centimetres in diameter" would have 15.6 J, not 250
centre = [0.5, 0.5, 0.0]        # m
rotate = false

[[walls]]
kind = "box"
box = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]  # m

[contact]
normal = {}

[run]
integrator = "staggered-verlet" # the seed's "VelVer"
dt = 1.0e-4                     # s
time = {}                       # s
tolerance = {}
max_overlap = 1.9               # radii: a scheme that fails may be watched for a while
)",
                     spheres == 13 ? 2 : 3,
                     law_text(s.list("law").empty() ? "linear" : s.list("law")[0]),
                     shortest(s.number("time")), shortest(s.number("tolerance")));
}

std::vector<Scheme> Energy::schemes(const StudySettings& s) {
  std::vector<std::string> wanted = s.list("integrators");
  if (wanted.empty() && s.quick)
    wanted = {"euler",  "taylor",      "staggered-verlet", "rkf45",
              "rkf45n", "gauss4:zero", "gauss4:previous"};
  if (wanted.empty())
    for (const Method& m : methods()) {
      if (m.name == "kk-shifted" || m.of_bonds) continue;  // of another law
      if (m.iterates) {
        wanted.push_back(std::string(m.name) + ":zero");
        wanted.push_back(std::string(m.name) + ":previous");
      } else {
        wanted.emplace_back(m.name);
      }
    }
  std::vector<Scheme> all;
  for (const std::string& text : wanted) {
    const std::size_t colon = text.find(':');
    Scheme one{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1),
               find_method(text.substr(0, colon))};
    if (!one.method)
      throw InputError("--integrators: no integrator is called " + in_quotes(one.name) +
                       did_you_mean(one.name, integrator_names()));
    if (one.method->iterates && one.start.empty()) one.start = "zero";
    if (!one.start.empty() &&
        (!one.method->iterates || (one.start != "zero" && one.start != "previous")))
      throw InputError("--integrators: " + in_quotes(text) +
                       ": only an implicit scheme has a start, zero or previous");
    all.push_back(one);
  }
  return all;
}

/// One run, looked at after every step, and kept 25 times a second as in the seed.
Record follow(const std::string& text, const StudySettings& s, const Case& c) {
  std::vector<std::string> overrides{"contact.normal=" +
                                     law_text(c.law)};  // the user's word comes after it
  overrides.insert(overrides.end(), s.overrides.begin(), s.overrides.end());
  overrides.push_back("run.integrator=\"" + c.scheme.name + "\"");
  // An adaptive scheme ends a step every millisecond at least, as in the seed, where that is its
  // h_max.
  const double dt = c.scheme.method->adaptive ? std::max(c.h, 1e-3) : c.h;
  if (c.scheme.method->adaptive) overrides.push_back("run.h_min=" + fmt::format("{:.17e}", c.h));
  if (!c.scheme.start.empty()) overrides.push_back("run.start=\"" + c.scheme.start + "\"");
  AnyScene scene = read_scene_text(text, "energy", overrides);
  auto* spheres = std::get_if<Scene<3, double>>(&scene);
  if (!spheres) throw InputError("--set: this study needs a scene in three dimensions, in double");
  CollisionBook book(*spheres);
  if (c.printed)
    for (ContactLaws& laws : spheres->table.laws)
      std::visit(
          [](auto& law) {
            if constexpr (requires { law.g; }) law.g = -law.g;
          },
          laws.normal);

  const double time = header(scene).run.time;
  const auto steps = static_cast<std::int64_t>(std::llround(time / dt));
  const auto keep = std::max<std::int64_t>(1, std::llround(0.04 / dt));
  Record r;
  double lost = 0, start = 0, last = 0;
  Record since;  // looks after the last that was kept: all there is of a run that dies early
  const Observer watch{1, [&](const Frame& f) {
                         const double e = f.energies.mechanical();
                         if (r.t.empty()) start = e;
                         if (!std::isfinite(e)) return false;
                         lost += book.lost(f);
                         last = e;
                         const bool kept = f.step % keep == 0 || f.step == steps;
                         Record& into = kept ? r : since;
                         into.t.push_back(f.time);
                         into.energy.push_back(e);
                         into.expected.push_back(start - lost);
                         if (kept) since = {};
                         return e < 100 * start;  // nothing is to be learnt from an explosion
                       }};
  const Outcome out = run_experiment(scene, dt, steps, watch);
  r.ratio = last / start;
  // At most some forty of them, and the very last.
  const std::size_t every = since.t.size() / 40 + 1;
  for (std::size_t k = (since.t.size() + every - 1) % every; k < since.t.size(); k += every) {
    r.t.push_back(since.t[k]);
    r.energy.push_back(since.energy[k]);
    r.expected.push_back(since.expected[k]);
  }
  if (!out.fault.empty())
    r.status = out.fault.find("cannot go on") != std::string::npos ||
                       out.fault.find("no solution") != std::string::npos
                   ? "failed"
                   : "diverged";
  else if (out.steps < steps)
    r.status = "diverged";
  r.steps = c.scheme.method->adaptive ? out.accepted : out.steps;
  r.calls = out.force_calls;
  r.rejected = out.rejected;
  r.iterations = out.iterations;
  r.collisions = book.collisions;
  r.seconds = out.wall_s;
  return r;
}

StudyResult Energy::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::string text = scene(s);
  if (!(s.number("time") > 0)) throw InputError("--time: expected a number > 0 in s");
  std::vector<double> steps = s.numbers("steps");
  if (s.quick && !s.given("steps")) steps = {1e-3, 1e-4};
  const auto laws = s.list("law");
  if (laws.empty()) throw InputError("--law: expected at least one law");
  std::vector<Case> cases;
  for (const Scheme& scheme : schemes(s))
    for (const double h : steps) {
      if (!(h > 0)) throw InputError("--steps: expected numbers > 0 in s, found " + brief(h));
      for (const std::string& law : laws)
        for (int printed = 0; printed <= (s.flag("as-printed") ? 1 : 0); ++printed)
          cases.push_back({scheme, law, h, printed == 1});
    }
  std::vector<Record> records(cases.size());
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const Method& m = *c.scheme.method;
    const double calls = m.force_calls * (m.iterates ? 4.0 : 1.0) / (m.adaptive ? 1e-3 : c.h);
    tasks.push_back({fmt::format("{}, h = {} s", c.scheme.label(), shortest(c.h)),
                     calls + 1 / (m.adaptive ? 1e-3 : c.h),
                     [&, k] { records[k] = follow(text, s, cases[k]); }});
  }
  do_all(tasks, progress);

  StudyResult result;
  auto runs = nlohmann::ordered_json::array();
  StudyTable table{"runs",
                   {"integrator", "start", "law", "h", "printed_sign", "status", "energy_ratio",
                    "steps", "rejected", "calls", "iterations", "collisions", "seconds"},
                   {}};
  StudyTable curves{
      "energy", {"integrator", "start", "law", "h", "printed_sign", "t", "energy", "expected"}, {}};
  result.text = fmt::format("{:>18} {:>7} {:>8} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9} {:>8}\n",
                            "scheme", "h (s)", "dashpot", "status", "E/E0", "expected", "steps",
                            "calls", "iter/step", "time (s)");
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const Record& r = records[k];
    nlohmann::ordered_json one{{"integrator", c.scheme.name}};
    if (laws.size() > 1) one["law"] = c.law;
    if (!c.scheme.start.empty()) one["start"] = c.scheme.start;
    one["h"] = c.h;
    if (s.flag("as-printed")) one["as_printed"] = c.printed;
    one["status"] = r.status;
    one["energy_ratio"] = r.ratio;
    one["steps"] = r.steps;
    one["calls"] = r.calls;
    if (c.scheme.method->adaptive) one["rejected"] = r.rejected;
    if (c.scheme.method->iterates) one["iterations"] = r.iterations;
    one["expected_ratio"] = r.expected.empty() ? 1 : r.expected.back() / r.energy.front();
    one["collisions"] = r.collisions;
    runs.push_back(one);
    table.rows.push_back({c.scheme.name, c.scheme.start, c.law, c.h, std::int64_t{c.printed},
                          r.status, r.ratio, r.steps, r.rejected, r.calls, r.iterations,
                          r.collisions, r.seconds});
    for (std::size_t i = 0; i < r.t.size(); ++i)
      curves.rows.push_back({c.scheme.name, c.scheme.start, c.law, c.h, std::int64_t{c.printed},
                             r.t[i], r.energy[i], r.expected[i]});
    result.text += fmt::format(
        "{:>18} {:>7} {:>8} {:>9} {:9.3f} {:9.3f} {:9} {:10} {:>9} {:8.2f}\n",
        laws.size() > 1 ? c.scheme.label() + ", " + c.law : c.scheme.label(), brief(c.h),
        c.printed ? "printed" : "right", r.status, r.ratio, one["expected_ratio"].get<double>(),
        r.steps, r.calls,
        r.iterations > 0 ? fmt::format("{:.2f}", double(r.iterations) /
                                                     double(std::max<std::int64_t>(r.steps, 1)))
                         : "",
        r.seconds);
  }
  result.json["initial_energy"] =
      records.empty() || records[0].energy.empty() ? 0 : records[0].energy.front();
  result.json["runs"] = runs;
  result.tables = {table, curves};
  draw(s, cases, records, result);
  if (s.overrides.empty()) claims(s, cases, records, result);
  return result;
}

void Energy::draw(const StudySettings& s, const std::vector<Case>& cases,
                  const std::vector<Record>& records, StudyResult& result) {
  // The seed's comparisons, and all the rest.
  struct Group {
    std::string name, title;
    std::vector<std::string> schemes;
  };
  std::vector<Group> groups{
      {"figure-6", "Taylor expansion and staggered Verlet", {"taylor", "staggered-verlet"}},
      {"figure-9", "Runge-Kutta-Fehlberg with both step rules", {"rkf45", "rkf45n"}},
      {"figure-11", "Gauss collocation from both starts", {"gauss4, zero", "gauss4, previous"}},
      {"figure-13", "Runge-Kutta-Fehlberg and Gauss collocation", {"rkf45n", "gauss4, previous"}},
      {"figure-14",
       "The seed's schemes",
       {"taylor", "staggered-verlet", "rkf45n", "gauss4, previous"}}};
  const bool with_law = s.list("law").size() > 1;
  const auto label_of = [&](const Case& c) {
    return with_law ? c.scheme.label() + ", " + c.law : c.scheme.label();
  };
  if (with_law) groups.clear();
  Group rest{with_law ? "figure-15" : "others", with_law ? "Laws of contact" : "Other schemes", {}};
  std::vector<double> steps;
  for (const Case& c : cases) {
    const std::string label = label_of(c);
    bool known = false;
    for (const Group& g : groups)
      known = known || std::find(g.schemes.begin(), g.schemes.end(), label) != g.schemes.end();
    if (!known && std::find(rest.schemes.begin(), rest.schemes.end(), label) == rest.schemes.end())
      rest.schemes.push_back(label);
    if (std::find(steps.begin(), steps.end(), c.h) == steps.end()) steps.push_back(c.h);
  }
  groups.push_back(rest);
  for (const bool printed : {false, true})
    for (const Group& group : groups) {
      Figure figure{group.name + (printed ? "-as-printed" : ""),
                    group.title + (printed ? ", dashpot as printed" : ""),
                    {}};
      for (const double h : steps) {
        Panel panel{
            fmt::format("h = {} s", step_text(h)), "t (s)", "E (J)", false, false, {}, {}, {}, {}};
        double start = 0, end = 0, top = 0, low = 1e300;
        int colour = 0;
        const bool with_expected = group.schemes.size() <= 4;
        for (const std::string& label : group.schemes)
          for (std::size_t k = 0; k < cases.size(); ++k) {
            if (label_of(cases[k]) != label || cases[k].h != h || cases[k].printed != printed ||
                records[k].t.empty())
              continue;
            const Record& r = records[k];
            start = r.energy.front();
            end = std::max(end, r.t.back());
            top = std::max(top, *std::max_element(r.energy.begin(), r.energy.end()));
            low = std::min(low, *std::min_element(r.energy.begin(), r.energy.end()));
            if (with_expected)
              low = std::min(low, *std::min_element(r.expected.begin(), r.expected.end()));
            panel.series.push_back({label, r.t, r.energy, Series::Style::line, colour});
            if (with_expected)
              panel.series.push_back({"", r.t, r.expected, Series::Style::dashed, colour});
            ++colour;
          }
        if (panel.series.empty()) continue;
        if (with_expected && figure.panels.empty())
          panel.series.push_back(
              {"expected (dashed)", {}, {}, Series::Style::dashed, Series::grey});
        panel.x_range = {0, std::max(end, 1e-3)};
        top = std::min(top, 3 * start);
        low = std::max(low, 0.0);
        panel.y_range = {low - 0.08 * (top - low), top + 0.15 * (top - low)};
        figure.panels.push_back(panel);
      }
      if (!figure.panels.empty()) result.figures.push_back(figure);
    }
}

void Energy::claims(const StudySettings& s, const std::vector<Case>& cases,
                    const std::vector<Record>& records, StudyResult& result) {
  const auto find = [&](const std::string& label, double h, bool printed,
                        const std::string& law = "linear") -> const Record* {
    for (std::size_t k = 0; k < cases.size(); ++k)
      if (cases[k].law == law && cases[k].scheme.label() == label && cases[k].h == h &&
          cases[k].printed == printed)
        return &records[k];
    return nullptr;
  };
  const auto tell = [](const Record* r) {
    return !r ? std::string("not run")
           : r->status == "done"
               ? fmt::format("{:.2f}", r->ratio)
               : fmt::format("{} after {:.2f} s", r->status, r->t.empty() ? 0 : r->t.back());
  };
  const auto add = [&](std::string where, std::string claim, std::string ours, bool holds,
                       std::string why = "") {
    result.findings.push_back({std::move(where), std::move(claim), std::move(ours),
                               holds ? Finding::Verdict::holds : Finding::Verdict::differs,
                               std::move(why)});
  };
  if (s.list("law").size() > 1) {
    const bool printed = s.flag("as-printed");
    const Record *linear = find("taylor", 1e-4, printed), *kk = find("taylor", 1e-4, printed, "kk"),
                 *power = find("taylor", 1e-4, printed, "power");
    if (linear && kk && power)
      add("004, figure 15",
          "with Taylor the extended law diverges faster than Kuwabara-Kono, and that faster than "
          "the linear law",
          fmt::format("E(end)/E(0) at h = 1e-4: linear {}, Kuwabara-Kono {}, extended {}{}",
                      tell(linear), tell(kk), tell(power), printed ? " (dashpot as printed)" : ""),
          power->ratio > kk->ratio + 0.03 && kk->ratio > linear->ratio + 0.03,
          "the seed gives no parameters; here all three have the contact time and the loss of the "
          "linear law at 1 m/s, and their ends differ by no more than "
          "chaos makes two runs differ, some 3 %");
    return;
  }
  const double e0 = result.json["initial_energy"].get<double>();
  // m g z summed over a pyramid whose layers lie sqrt(2) r apart; it grows as r^4.
  const auto weighed = [](int spheres, double r) {
    const double lift = std::numbers::sqrt2;
    return 4.0 / 3 * std::numbers::pi * r * r * r * 2700 * 9.81 * r *
           (9 + 4 * (1 + lift) + (spheres > 13 ? 1 + 2 * lift : 0));
  };
  const bool nearly = std::abs(e0 / 250 - 1) < 0.02;
  add("004, sections 3.1 and 3.2",
      "thirteen spheres of ten centimetres in diameter; the energy starts at nearly 250",
      fmt::format("{:.1f} J with {} spheres of r = 0.1 m", e0, s.text("spheres")),
      nearly && s.integer("spheres") == 13,
      fmt::format("nearly 250 J needs r = 0.1 m and 9 + 4 + 1 = 14 spheres ({:.1f} J); 13 of them "
                  "have {:.1f} J, and with d = 0.1 m the sum is at most {:.1f} J",
                  weighed(14, 0.1), weighed(13, 0.1), weighed(14, 0.05)));

  const std::string sign =
      "the printed ξ' = <v_i - v_j, q_i - q_j>/|q_i - q_j| has the wrong sign, so the dashpot "
      "drives the spheres; with the right sign "
      "energy falls, and only the schemes' own errors make it rise";
  const Record *taylor3 = find("taylor", 1e-3, false),
               *verlet3 = find("staggered-verlet", 1e-3, false),
               *taylor4 = find("taylor", 1e-4, false),
               *verlet4 = find("staggered-verlet", 1e-4, false);
  if (taylor3 && verlet3) {
    add("004, figure 6", "at h = 1e-3 Taylor delivers poor results, Verlet better ones",
        fmt::format("E(end)/E(0): Taylor {}, staggered Verlet {}", tell(taylor3), tell(verlet3)),
        (taylor3->status != "done" || taylor3->ratio > 1.5 * verlet3->ratio) &&
            verlet3->status == "done");
    const Record* printed3 = find("staggered-verlet", 1e-3, true);
    const bool triples =
        verlet3->status == "done" && verlet3->ratio > 2.5 && verlet3->ratio < 3.5;
    add("004, figure 6", "at h = 1e-3 Verlet at least only triples the energy",
        "E(end)/E(0): " + tell(verlet3), triples,
        triples ? ""
                : (printed3 ? "with the printed sign " + tell(printed3) + "; " : std::string()) +
                      "the seed gives neither stiffness nor damping");
  }
  if (taylor4 && verlet4) {
    const Record *taylor5 = find("taylor", 1e-5, false),
                 *verlet5 = find("staggered-verlet", 1e-5, false);
    add("004, figure 6",
        "at h = 1e-4 and 1e-5 both compute good results, energies nevertheless rise (to 1.5 times)",
        fmt::format("Taylor {} and {}, staggered Verlet {} and {}", tell(taylor4), tell(taylor5),
                    tell(verlet4), tell(verlet5)),
        taylor4->ratio > 1.05 && verlet4->ratio > 1.05, sign);
  }
  const Record* euler = find("euler", 1e-4, false);
  if (euler)
    add("003, section 1.4.1", "explicit Euler injects energy",
        fmt::format("E(end)/E(0) at h = 1e-4: {}; damping alone would leave {:.2f}", tell(euler),
                    verlet4 ? verlet4->ratio : 0.0),
        euler->status != "done" || euler->ratio > 1.05);

  const Record *old3 = find("rkf45", 1e-3, false), *old4 = find("rkf45", 1e-4, false),
               *new3 = find("rkf45n", 1e-3, false), *new4 = find("rkf45n", 1e-4, false);
  if (old3 && old4)
    add("004, figure 10", "Rk45 takes steps of 1e-3 throughout: 30000 calls whatever h_min",
        fmt::format("{} and {} calls, {} rejected", old3->calls, old4->calls, old4->rejected),
        old3->calls == old4->calls &&
            std::abs(double(old4->calls) / (6 * s.number("time") * 1e3) - 1) < 0.1);
  if (new3 && new4)
    add("004, figure 10",
        "Rk45N fails at h_min = 1e-3, and needs 44773 calls, 7.4e-4 s a step, at 1e-4",
        fmt::format("{} at 1e-3 after {} calls; {} calls, {:.1e} s a step at 1e-4", new3->status,
                    new3->calls, new4->calls,
                    s.number("time") / double(std::max<std::int64_t>(new4->steps, 1))),
        new3->status == "failed" && new4->status == "done");
  if (old4 && new4)
    add("004, section 3.3", "the new rule costs more calls and keeps energy better",
        fmt::format("{} against {} calls; E(end) - expected: {:+.1f} J against {:+.1f} J",
                    new4->calls, old4->calls, new4->energy.back() - new4->expected.back(),
                    old4->energy.back() - old4->expected.back()),
        new4->calls > old4->calls && std::abs(new4->energy.back() - new4->expected.back()) <
                                         std::abs(old4->energy.back() - old4->expected.back()),
        "the spheres' paths are chaotic: another scheme or step moves the end by some 3 %, 8 J, "
        "which hides the difference");

  std::string zero, previous, ran;
  bool fewer = true, any = false, compared = false;
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    const Record *a = find("gauss4, zero", h, false), *b = find("gauss4, previous", h, false);
    if (!a || !b) continue;
    any = true;
    const auto per = [](const Record* r) {
      return double(r->iterations) / double(std::max<std::int64_t>(r->steps, 1));
    };
    const auto told = [&](const Record* r) {
      return fmt::format("{}{:.1f}{}", ran.empty() ? "" : ", ", per(r),
                         r->status == "done" ? "" : " (" + r->status + ")");
    };
    zero += told(a);
    previous += told(b);
    ran += (ran.empty() ? "" : ", ") + brief(h);
    // A run that stopped has counted another part of the collapse.
    if (a->status == "done" && b->status == "done") fewer = fewer && per(b) < per(a), compared = true;
  }
  if (any)
    add("004, figure 12",
        "Gauss collocation started from the last step needs fewer iterations than from zero: 7.7, "
        "3.5, 2.2 against 7.9, 4.4, 3.1",
        fmt::format("{} against {} (h = {})", previous, zero, ran), fewer && compared);

  if (s.flag("as-printed")) {
    // Where steps resolve a contact; at 1e-3 s some schemes damp by themselves.
    int runs[2] = {0, 0}, rises[2] = {0, 0};
    std::vector<std::string> risen;  // with the right sign
    double low = 1e300, high = 0;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      if (cases[k].h > 1e-4 || records[k].status == "failed") continue;
      ++runs[cases[k].printed];
      if (records[k].ratio > 1) {
        ++rises[cases[k].printed];
        const std::string label = cases[k].scheme.label();
        if (!cases[k].printed && std::find(risen.begin(), risen.end(), label) == risen.end())
          risen.push_back(label);
      }
      if (cases[k].printed && records[k].status == "done")
        low = std::min(low, records[k].ratio), high = std::max(high, records[k].ratio);
    }
    if (runs[1] == 0) return;
    add("004, conclusion",
        "no explanation why even the implicit algorithms increase the total energy",
        fmt::format(
            "at h ≤ 1e-4 s energy grows in {} of {} runs with the sign as printed, to {:.2f} "
            "to {:.2f} times where they end, and in {} of {} with the right one{}",
            rises[1], runs[1], low, high, rises[0], runs[0],
            risen.empty() ? "" : " (" + join(risen) + ")"),
        rises[1] == runs[1], sign);
    result.findings.back().verdict = Finding::Verdict::beyond;
  }
}

}  // namespace

const Study& energy_study() {
  static const Energy study;
  return study;
}

}  // namespace scree
