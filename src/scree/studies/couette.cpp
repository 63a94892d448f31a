// SPDX-License-Identifier: BSD-3-Clause
/// The Taylor-Couette cell in fields: figures 7.3 to 7.6 of seed 003. From a long run the width of the plateau, and
/// profiles of volume density and velocity over the last snapshots, with an exponential through the velocity; from a short
/// one with many snapshots the balances of mass and momentum on a strip from wall to wall.
///
/// Without --run the study runs the cell itself: the long run, and 0.01 s of dense snapshots after 0.2 s.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "scree/analysis/deposit.hpp"
#include "scree/analysis/moments.hpp"
#include "scree/analysis/radial_profile.hpp"
#include "scree/core/errors.hpp"
#include "scree/fields/live.hpp"
#include "scree/fields/plateau.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/group_forces.hpp"
#include "scree/studies/couette_balance.hpp"
#include "scree/studies/couette_scene.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// Frames one after the other, from a file or from a run that goes on.
struct FrameSource {
  RunInfo info;
  std::size_t count = 0;
  std::function<void(const std::function<void(const Frame&)>&)> each;
};

FrameSource frames_of_file(const std::string& path, const ExportOptions& wanted) {
  const auto run = [&] {
    try {
      return std::make_shared<RunReader>(path);
    } catch (const RunError& error) {
      throw InputError(error.what());  // somebody named it
    }
  }();
  const auto chosen = chosen_frames(*run, wanted);
  return {run->info(), chosen.size(), [run, chosen](const auto& look) {
            for (const std::size_t k : chosen) look(run->frame(k));
          }};
}

/// The last `count` of frames `every` apart that a run of `time` has.
FrameSource frames_of_run(const AnyScene& scene, const Settled& rested, double time, double every, std::size_t count) {
  FrameSource source;
  const SceneHeader& head = header(scene);
  source.info.dim = 2;
  source.info.gravity = {0, 0};
  source.info.extra["integrator"] = head.run.integrator;
  source.info.numbers["dt"] = head.run.dt;
  source.info.forces = std::visit([](const auto& one) { return forces_json(one.world.groups); }, scene);
  source.count = count;
  source.each = [=, &scene, &rested](const auto& look) {
    const double dt = header(scene).run.dt;
    const auto stride = std::max<std::int64_t>(1, std::llround(every / dt));
    const auto steps = stride * std::max<std::int64_t>(static_cast<std::int64_t>(count), std::llround(time / dt) / stride);
    const std::int64_t first = steps - stride * (static_cast<std::int64_t>(count) - 1);
    const Outcome end = run_experiment(scene, dt, steps, {stride, [&](const Frame& f) {
                                                            if (f.step >= first) look(f);
                                                            return true;
                                                          }, true}, &rested);
    if (!end.fault.empty()) throw RunError("couette: " + end.fault);
  };
  return source;
}

class Couette final : public Study {
 public:
  std::string_view name() const override { return "couette"; }
  std::string_view summary() const override { return "fields of the Taylor-Couette cell: profiles, their decay, and the balances up to the walls"; }
  std::string_view example() const override { return "scree study couette --run out/taylor-couette --short out/taylor-couette-short"; }
  std::vector<StudyOption> options() const override {
    return {{"run", "", "Run of the cell with contacts (default: runs it, which takes a while)"},
            {"short", "", "Run of the cell with a snapshot every 1e-4 s (default: likewise)"},
            {"frames", "600", "Snapshots that profiles average over, the last of the run"},
            {"time", "180", "Length of the run, in s, where the study runs it"},
            {"radii", "48", "Points of the profiles along the radius"},
            {"angles", "16", "Points on each ring"},
            {"width", "", "Of the kernel of the profiles, in m (default: the smallest on the plateau)"},
            {"strip-width", "0.035", "Of the kernel of the balances, in m"},
            {"strip-frames", "21", "Snapshots for the balances"},
            {"spacings", "", "Of the points of the strip, in m (default: a 70th of its kernel's width, 5e-4 as the seed, and half of it)"},
            {"floor", "0.02", "The fit of the velocity ends where it has fallen to this part"}};
  }
  /// --quick and --set change it as they do for the run.
  std::string scene(const StudySettings& s) const override { return couette_scene(s.quick, s.overrides); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;
};

/// What a fit of the velocity's decay gives: the length of all frames, and its spread over batches of them.
struct DecayFit {
  Decay all;
  Moments batches;
  std::size_t used = 0;  // batches that have a length
  double start = 0;      // m/s: of the fit at its first radius
  bool found() const { return all.length > 0 && std::isfinite(all.length); }
  double at(double r) const { return found() ? start * std::exp(-(r - all.from) / all.length) : std::numeric_limits<double>::quiet_NaN(); }
};

/// Rows of the tangential velocity of the given tables together, V = Σ p/Σ rho.
std::vector<RadialProfile::Row> rows_of(const fields::RunFields& f, std::size_t first, std::size_t last) {
  std::vector<RadialProfile::Row> rows(f.grid.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double rho = 0, pt = 0, pr = 0, nu = 0, frames = 0;
    for (std::size_t t = first; t < last; ++t) {
      const auto& table = f.tables[t];
      const auto n = static_cast<double>(table.frames);
      rho += n * fields::find_field(table.fields, "density")->values[k];
      pr += n * fields::find_field(table.fields, "momentum")->values[2 * k];
      pt += n * fields::find_field(table.fields, "momentum")->values[2 * k + 1];
      nu += n * fields::find_field(table.fields, "volume_density")->values[k];
      frames += n;
    }
    rows[k].r = f.grid.ticks[0][k];
    rows[k].packing = nu / frames;
    rows[k].tangential = rho > 0 ? pt / rho : 0;
    rows[k].radial = rho > 0 ? pr / rho : 0;
  }
  return rows;
}

DecayFit fit_decay(const fields::RunFields& f, double floor, double from) {
  DecayFit fit;
  const auto rows = rows_of(f, 0, f.tables.size());
  fit.all = decay_of(rows, floor, from);
  std::vector<double> lengths;
  for (std::size_t t = 0; t < f.tables.size(); ++t) {
    const Decay one = decay_of(rows_of(f, t, t + 1), floor, from);
    if (one.length > 0 && std::isfinite(one.length)) lengths.push_back(one.length);
  }
  fit.batches = moments(lengths);
  fit.used = lengths.size();
  // the line goes through the mean of the logarithms
  double n = 0, sum = 0;
  if (!fit.found()) return fit;
  for (const auto& row : rows)
    if (row.r >= fit.all.from && row.r <= fit.all.to) n += 1, sum += std::log(std::abs(row.tangential)) + (row.r - fit.all.from) / fit.all.length;
  fit.start = n > 0 ? std::exp(sum / n) : 0;
  return fit;
}

nlohmann::ordered_json json_of(const DecayFit& fit, double diameter) {
  return {{"length", fit.all.length}, {"stderr", fit.batches.stderr_}, {"batches", fit.used}, {"in_diameters", fit.all.length / diameter},
          {"correlation", fit.all.correlation}, {"from", fit.all.from}, {"to", fit.all.to}, {"points", fit.all.rings}, {"speed", fit.start}};
}

StudyResult Couette::run(const StudySettings& s, const StudyProgress& progress) const {
  const auto frames = static_cast<std::size_t>(std::max<std::int64_t>(10, s.quick && !s.given("frames") ? 40 : s.integer("frames")));
  const auto strip_frames = static_cast<std::size_t>(std::max<std::int64_t>(7, s.quick && !s.given("strip-frames") ? 9 : s.integer("strip-frames")));
  StudyResult result;

  // where frames come from
  std::optional<AnyScene> scene;
  std::optional<Settled> rested;
  if (s.text("run").empty() || s.text("short").empty()) {
    progress(0, "fills and compacts the cell");
    scene = read_scene_text(this->scene(s), "taylor-couette.toml");
    rested = settle(*scene);
  }
  const auto last = [](std::size_t count) { return ExportOptions{-static_cast<std::ptrdiff_t>(count), -1, 1}; };
  const double time = s.quick && !s.given("time") ? 2 : s.number("time");
  const FrameSource whole = s.text("run").empty() ? frames_of_run(*scene, *rested, time, 1.0 / 24, frames) : frames_of_file(s.text("run"), last(frames));
  FrameSource dense = s.text("short").empty() ? frames_of_run(*scene, *rested, 0.2, 1e-4, strip_frames) : frames_of_file(s.text("short"), last(strip_frames));

  // by differences the balances know gravity and damping of the fields, but not what groups do to their grains
  for (const FrameSource* one : {&whole, static_cast<const FrameSource*>(&dense)})
    if (!one->info.forces.empty())
      throw InputError("couette: groups of the run have drag, attachment or push, which the balances by differences do not count; expected a run without, or use scree fields --balance");

  // profiles, in ten batches of frames
  std::optional<fields::LiveFields> profile;
  fields::Plateau plateau;
  RadialExtent extent;
  double diameter = 0, wall_speed = 0;
  std::size_t done = 0;
  progress(0.01, "profiles");
  whole.each([&](const Frame& f) {
    if (!f.has_contacts) throw InputError("couette: the run has no contacts; expected output.contacts = true");
    if (!profile) {
      extent = radial_extent(f, 0, 0);
      wall_speed = inner_wall(f, extent.lo).speed;
      diameter = 2 * mean_free_radius(f);
      fields::LiveSettings live;
      live.plan.coordinates.assign(1, 'r');  // (= "r" makes GCC 12 warn of an overlap that is not there)
      plateau = fields::find_plateau(f, whole.info, live.plan);
      live.plan.counts = {static_cast<std::size_t>(s.quick && !s.given("radii") ? 24 : s.integer("radii"))};
      live.plan.angles = static_cast<std::size_t>(s.integer("angles"));
      live.plan.width = s.text("width").empty() ? plateau.from : s.number("width");
      if (!(live.plan.width > 0)) throw InputError("--width: there is no plateau to take it from; expected a number > 0 in m");
      live.plan.boundary = "normalised";
      live.plan.domain = fields::Region::annulus(0, 0, extent.lo, extent.hi).text(2);
      live.plan.lo = {extent.lo};
      live.plan.hi = {extent.hi};
      live.each = std::max<std::size_t>(1, whole.count / 10);
      profile.emplace(live, whole.info, f);
    }
    profile->add(f);
    ++done;
    progress(0.01 + 0.6 * static_cast<double>(done) / static_cast<double>(whole.count), fmt::format("profiles: frame {} of {}", done, whole.count));
  });
  const fields::RunFields f = profile->result("");
  const auto rows = rows_of(f, 0, f.tables.size());
  const double floor = s.number("floor");
  const DecayFit from_wall = fit_decay(f, floor, 0), beyond = fit_decay(f, floor, extent.lo + diameter);

  // balances
  StripRules rules;
  const double gap = extent.hi - extent.lo;
  rules.width = std::min(s.number("strip-width"), 0.3 * gap);
  // 5e-4 m for the seed's width: differences as good in a small cell; then what a finer grid leaves
  std::vector<double> spacings = s.given("spacings") ? s.numbers("spacings") : std::vector<double>{rules.width / 70, rules.width / 140};
  if (spacings.empty() || std::any_of(spacings.begin(), spacings.end(), [](double one) { return !(one > 0); }))
    throw InputError("--spacings: expected numbers > 0 in m");
  std::sort(spacings.begin(), spacings.end(), std::greater<>());
  rules.spacing = spacings.front();
  rules.inner = extent.lo;
  rules.outer = extent.hi;
  rules.from = extent.lo - (s.quick ? 0.5 : 1) * rules.width;
  rules.to = extent.hi + (s.quick ? 0.5 : 1) * rules.width;
  if (s.quick) rules.across = 9;
  const auto step = dense.info.numbers.find("dt");
  const auto scheme = dense.info.extra.find("integrator");
  if (step != dense.info.numbers.end() && scheme != dense.info.extra.end() && scheme->second == "symplectic-euler") rules.lag = 0.5 * step->second;
  std::vector<Frame> snapshots;
  dense.each([&](const Frame& one) {
    if (!one.has_contacts) throw InputError("couette: the short run has no contacts; expected output.contacts = true");
    snapshots.push_back(one);
  });
  std::vector<StripBalance> strips, finer;  // finer: none and wall of each further spacing
  double points = 0, all_points = 3 / spacings[0];  // the time that they take is as their number
  for (std::size_t k = 1; k < spacings.size(); ++k) all_points += 2 / spacings[k];
  const auto strip = [&](const char* boundary, double spacing) {
    progress(0.62 + 0.36 * points / all_points, fmt::format("balances, boundary {}, points {:.3g} m apart", boundary, spacing));
    StripRules one = rules;
    one.spacing = spacing;
    points += 1 / spacing;
    return strip_balance(snapshots, dense.info, boundary, one);
  };
  for (const char* boundary : {"none", "normalised", "wall"}) strips.push_back(strip(boundary, spacings[0]));
  for (std::size_t k = 1; k < spacings.size(); ++k)
    for (const char* boundary : {"none", "wall"}) finer.push_back(strip(boundary, spacings[k]));
  const StripBalance &none = strips[0], &wall = strips[2];

  // tables
  StudyTable widths{"plateau", {"width", "volume_density", "spread"}, {}};
  for (std::size_t k = 0; k < plateau.width.size(); ++k) widths.rows.push_back({plateau.width[k], plateau.mean[k], plateau.spread[k]});
  StudyTable profiles{"profiles", {"r", "volume_density", "velocity_t", "velocity_r", "fit"}, {}};
  for (const auto& row : rows)
    profiles.rows.push_back({row.r, row.packing, row.tangential, row.radial, beyond.at(row.r)});
  StudyTable balance{"balances", {"boundary", "spacing", "r", "continuity", "continuity_lag", "momentum", "momentum_lag", "momentum_time", "momentum_exact", "largest_momentum_term"}, {}};
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto tabulate = [&](const StripBalance& b) {
    for (std::size_t i = 0; i < b.r.size(); ++i)
      balance.rows.push_back({b.boundary, b.spacing, b.r[i], b.continuity.mean[i], b.continuity_lag.mean[i], b.momentum.mean[i], b.momentum_lag.mean[i],
                              b.has_exact() ? b.momentum_time.mean[i] : unknown, b.has_exact() ? b.momentum_exact.mean[i] : unknown,
                              b.momentum_scale[i]});
  };
  for (const StripBalance& b : strips) tabulate(b);
  for (const StripBalance& b : finer) tabulate(b);
  // of the last spacing: the finest
  const StripBalance &fine_none = finer.empty() ? none : finer[finer.size() - 2], &fine_wall = finer.empty() ? wall : finer.back();
  result.tables = {widths, profiles, balance};

  // figures
  Series level{"mean over a ring", plateau.width, plateau.mean, Series::Style::line_points};
  Panel choice{"", "width w (m)", "volume density", true, false, {level}, {}, {}, {}};
  if (plateau.found) choice.bands.push_back({plateau.from, plateau.width.back()});
  result.figures.push_back({"couette-width", "The width of the kernel", {choice}});
  Series nu{"", {}, {}, Series::Style::line_points}, speed{"simulation", {}, {}, Series::Style::points}, line{"", {}, {}, Series::Style::dashed, Series::grey};
  const double scale = wall_speed > 0 ? wall_speed : 1;
  for (const auto& row : rows) {
    const double at = (row.r - extent.lo) / diameter;
    nu.x.push_back(at);
    nu.y.push_back(row.packing);
    if (!(row.tangential > 0)) continue;
    speed.x.push_back(at);
    speed.y.push_back(row.tangential / scale);
    if (!beyond.found() || row.r < beyond.all.from || row.r > beyond.all.to) continue;
    line.x.push_back(at);
    line.y.push_back(beyond.at(row.r) / scale);
  }
  line.title = fmt::format("decay over {:.2f} ± {:.2f} d", beyond.all.length / diameter, beyond.batches.stderr_ / diameter);
  std::vector<Series> speeds{speed};
  if (beyond.found()) speeds.push_back(line);
  result.figures.push_back({"couette-profiles", "Profiles of the last snapshots",
                            {{"", "distance from the inner wall (d)", "volume density", false, false, {nu}, {}, {}, {}},
                             {"", "distance from the inner wall (d)", wall_speed > 0 ? "v_t / wall speed" : "v_t (m/s)", false, true, speeds, {}, {}, {}}}});
  const auto curve = [&](const char* title, const StripBalance& b, const std::vector<double>& values, const std::vector<double>& over) {
    const double most = *std::max_element(over.begin(), over.end());
    Series one{title, {}, {}, Series::Style::line};
    for (std::size_t i = 0; i < b.r.size(); ++i)
      if (b.r[i] > rules.inner - rules.width && values[i] > 0) one.x.push_back(b.r[i]), one.y.push_back(values[i] / most);
    return one;
  };
  const std::vector<std::pair<double, double>> walls{{rules.inner, rules.inner + rules.width}, {rules.outer - rules.width, rules.outer}};
  const auto &mass = wall.mass_scale, &force = wall.momentum_scale;
  Panel of_mass{"mass", "r (m)", "residual", false, true,
                {curve("differences", none, none.continuity.mean, mass), curve("normalised", strips[1], strips[1].continuity.mean, mass),
                 curve("with the half step", none, none.continuity_lag.mean, mass), curve("exact", wall, wall.continuity_exact.mean, mass)},
                walls, {}, {}};
  Panel of_momentum{"momentum", "r (m)", "residual", false, true,
                    {curve("differences", none, none.momentum.mean, force), curve("normalised", strips[1], strips[1].momentum.mean, force),
                     curve("with half step and wall", wall, wall.momentum_lag.mean, force), curve("exact, with wall", wall, wall.momentum_exact.mean, force)},
                    walls, {}, {}};
  if (!finer.empty()) {
    const std::string title = fmt::format("the same, {:.3g} mm apart", 1e3 * fine_wall.spacing);
    of_mass.series.insert(of_mass.series.end() - 1, curve(title.c_str(), fine_none, fine_none.continuity_lag.mean, mass));
    of_momentum.series.insert(of_momentum.series.end() - 1, curve(title.c_str(), fine_wall, fine_wall.momentum_lag.mean, force));
  }
  result.figures.push_back({"couette-balances", "What the balances leave, over their largest term", {of_mass, of_momentum}});

  // numbers
  const auto numbers = [&](const StripBalance& b) {
    const auto both = [&](const Residual& one) {
      return nlohmann::ordered_json{{"away", b.largest(one, true, rules)}, {"up_to_the_wall", b.largest(one, false, rules)},
                                    {"mean_away", b.mean(one, true, rules)}, {"mean_up_to_the_wall", b.mean(one, false, rules)}};
    };
    nlohmann::ordered_json j{{"continuity", both(b.continuity)}, {"continuity_lag", both(b.continuity_lag)},
                             {"continuity_absolute_away", b.absolute(b.continuity_lag, true, rules)},
                             {"momentum", both(b.momentum)}, {"momentum_lag", both(b.momentum_lag)}};
    if (b.has_exact()) {
      j["continuity_exact"] = both(b.continuity_exact);
      j["momentum_time"] = both(b.momentum_time);
      j["momentum_exact"] = both(b.momentum_exact);
    }
    return j;
  };
  result.json = {{"study", "couette"}, {"frames", whole.count}, {"diameter", diameter}, {"inner", extent.lo}, {"outer", extent.hi},
                 {"wall_speed", wall_speed}, {"plateau", {{"found", plateau.found}, {"width", plateau.from}, {"level", plateau.level}}}, {"width", f.width},
                 {"decay_from_the_wall", json_of(from_wall, diameter)}, {"decay", json_of(beyond, diameter)},
                 {"strip", {{"width", rules.width}, {"spacing", rules.spacing}, {"frames", snapshots.size()}, {"lag", rules.lag}}}};
  for (const StripBalance& b : strips) result.json["balances"][b.boundary] = numbers(b);
  result.json["finer"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k + 1 < finer.size(); k += 2)
    result.json["finer"].push_back({{"spacing", finer[k].spacing}, {"none", numbers(finer[k])}, {"wall", numbers(finer[k + 1])}});
  double inside = 0, bulk = 0, n_inside = 0, n_bulk = 0;
  for (const auto& row : rows) {
    if (row.r < extent.lo + diameter) inside += row.packing, n_inside += 1;
    else if (row.r > extent.lo + 0.4 * gap && row.r < extent.hi - 2 * diameter) bulk += row.packing, n_bulk += 1;
  }
  inside /= std::max(1.0, n_inside);
  bulk /= std::max(1.0, n_bulk);
  result.json["volume_density"] = {{"first_diameter", inside}, {"bulk", bulk}};

  result.text = fmt::format(
      "plateau of the volume density   {:.4f} from w = {:.4g} m on\n"
      "decay of the velocity           {:.4g} ± {:.2g} m ({:.2f} d), from one diameter off the wall; {:.4g} ± {:.2g} m from the wall on\n"
      "volume density                  {:.3f} within a diameter of the inner wall, {:.3f} in the bulk\n"
      "{:<40}{:>12}{:>16}\n",
      plateau.level, plateau.from, beyond.all.length, beyond.batches.stderr_, beyond.all.length / diameter, from_wall.all.length,
      from_wall.batches.stderr_, inside, bulk, "residual / largest term", "away", "up to the wall");
  const auto say = [&](const std::string& what, const StripBalance& b, const Residual& one) {
    result.text += fmt::format("{:<40}{:>12.2e}{:>16.2e}\n", what, b.largest(one, true, rules), b.largest(one, false, rules));
  };
  say("mass, differences", none, none.continuity);
  say("mass, with the half step", none, none.continuity_lag);
  const auto apart = [](const StripBalance& b) { return fmt::format(", {:.3g} mm apart", 1e3 * b.spacing); };
  for (std::size_t k = 0; k < finer.size(); k += 2) say("mass, half step" + apart(finer[k]), finer[k], finer[k].continuity_lag);
  say("mass, exact", wall, wall.continuity_exact);
  say("momentum, differences", none, none.momentum);
  say("momentum, normalised", strips[1], strips[1].momentum);
  say("momentum, half step and wall", wall, wall.momentum_lag);
  for (std::size_t k = 1; k < finer.size(); k += 2) say("momentum, half step, wall" + apart(finer[k]), finer[k], finer[k].momentum_lag);
  say("momentum, differences in time", wall, wall.momentum_time);
  say("momentum, exact and wall", wall, wall.momentum_exact);

  using Verdict = Finding::Verdict;
  result.findings.push_back({"003, figure 7.3", "the volume density on a ring plateaus as w grows",
                             fmt::format("{:.4f} within 1 % from w = {:.4g} m on", plateau.level, plateau.from),
                             plateau.found ? Verdict::holds : Verdict::differs, plateau.found ? "" : "no plateau in this cell"});
  const bool decays = beyond.all.length > 0 && beyond.all.length < 3 * diameter && beyond.all.correlation < -0.9;
  result.findings.push_back({"003, figure 7.4", "the velocity decays roughly exponentially from the inner wall, the density is lower in the shear band and flat outside",
                             fmt::format("decay over {:.2f} ± {:.2f} diameters, correlation {:.3f}; volume density {:.3f} at the wall, {:.3f} in the bulk",
                                         beyond.all.length / diameter, beyond.batches.stderr_ / diameter, beyond.all.correlation, inside, bulk),
                             decays && inside < bulk ? Verdict::holds : Verdict::differs, decays ? "" : "the run is too short or the cell too small"});
  const double mass_away = fine_none.largest(fine_none.continuity_lag, true, rules);
  result.findings.push_back({"003, figure 7.5", "the continuity equation holds to 1e-4 by differences",
                             fmt::format("the largest residual away from walls is {:.1e} of the largest term with points {:.3g} mm apart and {:.1e} with {:.3g} mm, velocities taken "
                                         "half a step behind; {:.1e} kg/(m² s) in the mean that is drawn there ({:.1e} without the half step); {:.1e} exactly",
                                         mass_away, 1e3 * fine_none.spacing, none.largest(none.continuity_lag, true, rules), 1e3 * none.spacing,
                                         none.absolute(none.continuity_lag, true, rules), none.absolute(none.continuity, true, rules),
                                         wall.largest(wall.continuity_exact, false, rules)),
                             mass_away < 1e-4 ? Verdict::holds : Verdict::differs, mass_away < 1e-4 ? "" : "a wider kernel or a finer strip brings it down"});
  result.findings.push_back({"003, figure 7.6", "the momentum balance holds to 1e-1 away from walls and not at all near them",
                             fmt::format("away {:.1e} of the largest term by plain differences, {:.1e} with the half step and points {:.3g} mm apart, {:.1e} with {:.3g} mm; up to "
                                         "the wall {:.1e} with the wall force, {:.1e} exactly", none.largest(none.momentum, true, rules),
                                         wall.largest(wall.momentum_lag, true, rules), 1e3 * wall.spacing, fine_wall.largest(fine_wall.momentum_lag, true, rules),
                                         1e3 * fine_wall.spacing, wall.largest(wall.momentum_lag, false, rules), wall.largest(wall.momentum_exact, false, rules)),
                             Verdict::beyond, ""});
  return result;
}

}  // namespace

const Study& couette_study() {
  static const Couette study;
  return study;
}

}  // namespace scree
