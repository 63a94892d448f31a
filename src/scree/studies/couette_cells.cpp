// SPDX-License-Identifier: BSD-3-Clause
/// Several Taylor-Couette cells from other random numbers: the decay of the velocity from the inner wall and the packing there, before the shear and
/// in windows of the wall's turn, with errors by cells. One cell is one sample: slow events that move whole layers come seldom.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "scree/analysis/deposit.hpp"
#include "scree/core/errors.hpp"
#include "scree/io/run_file.hpp"
#include "scree/studies/couette_scene.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/registry.hpp"
#include "scree/studies/sheared_cells.hpp"

namespace scree {
namespace {

/// A cell whose frames can be gone through: a run file, or a run that is made now.
struct Cell {
  std::string name;
  Frame first;              // before the shear
  double rate = 0;          // rad/s, of the inner wall
  double wall_speed = 0;    // m/s
  std::function<void(const std::function<void(const Frame&, double turn)>&)> each;
};

/// Of a file: at most `most` frames in every window of the turn.
Cell cell_of_file(const std::string& path, const std::vector<double>& windows, std::size_t most) {
  const auto run = [&] {
    try {
      return std::make_shared<RunReader>(path);
    } catch (const RunError& error) {
      throw InputError(error.what());  // somebody named it
    }
  }();
  if (run->info().dim != 2 || run->size() < 2) throw InputError(path + ": expected a run in the plane with two frames or more");
  Cell cell;
  cell.name = path;
  cell.first = run->frame(0);
  const WallMotion wall = inner_wall(run->frame(run->size() - 1), radial_extent(cell.first, 0, 0).lo);
  if (!(wall.rate > 0)) throw InputError(path + ": the inner wall does not turn; expected a Taylor-Couette cell that is sheared");
  cell.rate = wall.rate;
  cell.wall_speed = wall.speed;
  const double begin = run->times()[0];
  const auto turn = [run, begin, rate = wall.rate](std::size_t k) { return rate * (run->times()[k] - begin); };
  std::vector<std::size_t> chosen{0};
  std::size_t in_last = 0;
  double from = 0;
  for (const double to : windows) {
    std::vector<std::size_t> inside;
    for (std::size_t k = 1; k < run->size(); ++k)
      if (turn(k) > from * (1 + 1e-9) && turn(k) <= to * (1 + 1e-9)) inside.push_back(k);
    const std::size_t count = std::min(most, inside.size());
    for (std::size_t k = 0; k < count; ++k) chosen.push_back(inside[k * inside.size() / count]);
    from = to;
    in_last = count;
  }
  if (in_last == 0)
    throw InputError(fmt::format("{}: its inner wall turns by {:.3g} rad in {} frames, none of them in the last of --windows; expected one or more", path, turn(run->size() - 1), run->size()));
  cell.each = [run, chosen, turn](const auto& look) {
    for (const std::size_t k : chosen) look(run->frame(k), turn(k));
  };
  return cell;
}

constexpr double frames_of_a_turn = 1440;

Cell cell_of_scene(const std::string& text, double rate, double turn) {
  const auto scene = std::make_shared<AnyScene>(read_scene_text(text, "taylor-couette.toml"));
  const auto rested = std::make_shared<Settled>(settle(*scene));
  Cell cell;
  cell.name = fmt::format("seed {}, {} rad/s", header(*scene).seed, rate);
  cell.rate = rate;
  const double dt = header(*scene).run.dt;
  const auto go = [scene, rested, dt](std::int64_t steps, std::int64_t every, const std::function<bool(const Frame&)>& look) {
    const Outcome end = run_experiment(*scene, dt, steps, {every, look}, rested.get());
    if (!end.fault.empty()) throw RunError("couette-cells: " + end.fault);
  };
  go(1, 1, [&](const Frame& f) {
    cell.first = f;
    return false;
  });
  double radius = 0, count = 0;
  const double lo = radial_extent(cell.first, 0, 0).lo;
  for (std::size_t i = 0; i < cell.first.size(); ++i)
    if (const double d = std::hypot(cell.first.x[2 * i], cell.first.x[2 * i + 1]); cell.first.held[i] && d < lo) radius += d, count += 1;
  cell.wall_speed = rate * radius / std::max(count, 1.0);
  cell.each = [=](const auto& look) {
    const auto steps = std::max<std::int64_t>(1, std::llround(turn / rate / dt));
    const auto every = std::max<std::int64_t>(1, std::llround(turn / rate / dt / frames_of_a_turn));
    go(steps, every, [&](const Frame& f) {
      look(f, rate * f.time);
      return true;
    });
  };
  return cell;
}

double smallest_radius(const Frame& f) {
  double least = 0;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (!f.held[i]) least = least == 0 ? f.radius[i] : std::min(least, f.radius[i]);
  return least;
}

std::string said(const PackingChange& c) {
  if (c.starts < 2) return fmt::format("{:+.4f}, of one start", c.change.mean);
  return fmt::format("{:+.4f} ± {:.4f}, {:+.1f} standard errors: {}", c.change.mean, c.change.stderr_, c.in_errors(), c.verdict());
}

class CouetteCells final : public Study {
 public:
  std::string_view name() const override { return "couette-cells"; }
  std::string_view summary() const override { return "several Taylor-Couette cells: decay of the velocity and packing at the inner wall, with errors by cells"; }
  std::string_view example() const override { return "scree study couette-cells --runs out/slow1+out/slow2+out/slow3,out/fast1+out/fast2+out/fast3"; }
  std::vector<StudyOption> options() const override {
    return {{"runs", "", "Runs from t = 0 on; those at the same speed of the wall joined by +: a1+a2+a3,b1+b2 (default: runs the cells, which takes a while)"},
            {"seeds", "6", "Cells at each speed, scene.seed = 1, 2, …, where the study runs them"},
            {"rates", "1.25", "Speeds of the inner wall, in rad/s, where the study runs them"},
            {"windows", "0.1,0.3,1,3,9", "Where windows of the wall's turn end, in rad; the decay is that of the last one"},
            {"frames", "1000", "Of a window, at most"},
            {"rings", "48", "Of the velocity, between the edges of what the free grains cover"},
            {"floor", "0.02", "The fit of the velocity ends where it has fallen to this part"}};
  }
  std::string scene(const StudySettings& s) const override { return couette_scene(s.quick, s.overrides); }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;
};

StudyResult CouetteCells::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::vector<double> windows = s.quick && !s.given("windows") ? std::vector<double>{0.1, 0.3, 1} : s.numbers("windows");
  if (windows.empty() || !(windows[0] > 0) || std::adjacent_find(windows.begin(), windows.end(), std::greater_equal<>()) != windows.end())
    throw InputError("--windows: expected rising numbers > 0 in rad");
  const auto positive = [&](const char* name, std::int64_t least) {
    if (s.integer(name) < least) throw InputError(fmt::format("--{}: expected {} or more, found {}", name, least, s.integer(name)));
    return static_cast<std::size_t>(s.integer(name));
  };
  const std::size_t most = positive("frames", 1), rings = positive("rings", 4);
  const double floor = s.number("floor");
  if (!(floor > 0 && floor < 1)) throw InputError("--floor: expected a number between 0 and 1");

  // the cells, a list for every speed
  std::vector<std::vector<Cell>> groups;
  for (const auto& files : s.groups("runs")) {
    groups.emplace_back();
    for (const std::string& file : files) {
      groups.back().push_back(cell_of_file(file, windows, most));
      if (const Cell &a = groups.back().front(), &b = groups.back().back(); !(std::abs(a.rate - b.rate) < 1e-3 * a.rate))
        throw InputError(fmt::format("--runs: {} has {:.4g} rad/s and {} has {:.4g}; expected cells joined by + to have the same", a.name, a.rate, b.name, b.rate));
    }
  }
  if (groups.empty()) {
    const std::size_t seeds = s.quick && !s.given("seeds") ? 3 : positive("seeds", 1);
    for (const double rate : s.numbers("rates")) {
      if (!(rate > 0)) throw InputError("--rates: expected numbers > 0 in rad/s");
      groups.emplace_back();
      for (std::size_t k = 1; k <= seeds; ++k) {
        progress(0, fmt::format("fills and compacts cell {} of {}", k, seeds));
        std::vector<std::string> changes = s.overrides;
        changes.push_back(fmt::format("scene.seed={}", k));
        changes.push_back(fmt::format("grains.0.motion.0.rate={:.17g}", rate) + (std::floor(rate) == rate ? ".0" : ""));
        groups.back().push_back(cell_of_scene(couette_scene(s.quick, changes), rate, windows.back()));
      }
    }
  }

  // one ruler for all
  CellRuler ruler;
  ruler.rings = rings;
  ruler.windows = windows;
  double skip = 0;
  for (const auto& group : groups)
    for (const Cell& cell : group) {
      const RadialExtent extent = radial_extent(cell.first, 0, 0);
      const double d = 2 * smallest_radius(cell.first);
      if (ruler.diameter == 0) ruler = {extent.lo, extent.hi, rings, d, windows}, skip = 2 * mean_free_radius(cell.first);
      if (!(std::abs(d - ruler.diameter) < 1e-9 * d)) throw InputError(fmt::format("{}: expected discs as in {}", cell.name, groups[0][0].name));
      ruler.lo = std::min(ruler.lo, extent.lo);
      ruler.hi = std::max(ruler.hi, extent.hi);
    }
  const double d = ruler.diameter, bulk_from = 6, bulk_to = std::floor(((ruler.hi - ruler.lo) / d - 2) * 4) / 4, band = 4;
  const bool has_bulk = bulk_to > bulk_from;

  std::vector<std::vector<ShearedCell>> seen;
  double done = 0, all_cells = 0;
  for (const auto& group : groups) all_cells += static_cast<double>(group.size());
  for (const auto& group : groups) {
    seen.emplace_back();
    for (const Cell& cell : group) {
      progress(done / all_cells, cell.name);
      seen.back().emplace_back(ruler, cell.wall_speed);
      const double turn = windows.back();
      cell.each([&](const Frame& f, double at) {
        seen.back().back().observe(f, at);
        progress((done + std::min(1.0, at / turn)) / all_cells, cell.name);
      });
      done += 1;
    }
  }

  // by starts: those of one speed, then of all
  struct Ensemble {
    std::string title;
    std::size_t cells = 0;
    CellStarts starts;
  };
  std::vector<Ensemble> ensembles;
  Ensemble together{"all speeds", 0, {}};
  std::vector<const Frame*> begins;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Ensemble one{fmt::format("{:.4g} rad/s", groups[g][0].rate), groups[g].size(), {}};
    for (std::size_t k = 0; k < groups[g].size(); ++k) {
      one.starts.push_back({&seen[g][k]});
      const auto same = std::find_if(begins.begin(), begins.end(), [&](const Frame* f) { return f->x == groups[g][k].first.x; });
      if (same == begins.end()) begins.push_back(&groups[g][k].first), together.starts.push_back({&seen[g][k]});
      else together.starts[static_cast<std::size_t>(same - begins.begin())].push_back(&seen[g][k]);
      together.cells += 1;
    }
    ensembles.push_back(one);
  }
  if (groups.size() > 1) ensembles.push_back(together);

  StudyResult result;
  StudyTable decays{"decay", {"ensemble", "cells", "starts", "length", "low", "high", "correlation", "from", "to", "rings", "verdict"}, {}};
  StudyTable velocity{"velocity", {"ensemble", "r", "velocity", "stderr"}, {}};
  StudyTable packing{"packing", {"ensemble", "window_from", "window_to", "band_from", "band_to", "starts", "before", "before_stderr", "after", "after_stderr", "change", "change_stderr"}, {}};
  StudyTable profile{"packing_profile", {"ensemble", "distance", "before", "before_stderr", "after", "after_stderr", "change", "change_stderr"}, {}};
  Panel speeds{"velocity over that of the wall", "distance from the inner edge (d)", "v_t / wall speed", false, true, {}, {}, {}, {}};
  Panel layers{"packing", "distance from the inner edge (d)", "packing", false, false, {}, {}, {}, {}}, changes{"its change", "distance from the inner edge (d)", "after - before", false, false, {}, {}, {}, {}},
      in_time{"change of the packing", "turn of the wall (rad)", "change since t = 0", true, false, {}, {}, {}, {}};
  result.json = {{"study", "couette-cells"}, {"diameter", d}, {"inner", ruler.lo}, {"outer", ruler.hi}, {"windows", windows}, {"band", band}, {"bulk", {bulk_from, bulk_to}}, {"ensembles", nlohmann::ordered_json::array()}};
  std::string said_decay, said_band;
  Finding::Verdict decay_holds = Finding::Verdict::differs, band_holds = decay_holds;
  for (std::size_t e = 0; e < ensembles.size(); ++e) {
    const Ensemble& one = ensembles[e];
    const bool last = e + 1 == ensembles.size();
    const CellsDecay decay = decay_of_cells(one.starts, floor, skip);
    const char* verdict = decay_verdict(decay.fit, decay.interval, d);
    std::string lengths, interval = "none, fewer than three cells";
    for (const double length : decay.lengths) lengths += fmt::format("{}{:.2f}", lengths.empty() ? "" : ", ", length / d);
    if (decay.interval.high > 0) interval = fmt::format("{:.2f} to {:.2f}", decay.interval.low / d, decay.interval.high / d);
    said_decay = fmt::format("{:.2f} small diameters (95 %: {}), correlation {:.3f}, {} starts: {}", decay.fit.length / d, interval, decay.fit.correlation, one.starts.size(), verdict);
    if (last && std::string_view(verdict) == "shown") decay_holds = Finding::Verdict::holds;
    result.text += fmt::format("{}: {} cells from {} starts, {:g} to {:g} rad\n", one.title, one.cells, one.starts.size(), windows.size() > 1 ? windows[windows.size() - 2] : 0, windows.back());
    result.text += fmt::format("  the velocity decays over {:.4g} mm, {}\n", 1e3 * decay.fit.length, said_decay);
    result.text += fmt::format("  from r = {:.4f} to {:.4f} m, {} rings; of each start alone: {}\n", decay.fit.from, decay.fit.to, decay.fit.rings, lengths);
    decays.rows.push_back({one.title, static_cast<std::int64_t>(one.cells), static_cast<std::int64_t>(one.starts.size()), decay.fit.length, decay.interval.low, decay.interval.high, decay.fit.correlation, decay.fit.from,
                           decay.fit.to, static_cast<std::int64_t>(decay.fit.rings), verdict});
    Series points{one.title, {}, {}, Series::Style::points, static_cast<int>(e)}, line{"", {}, {}, Series::Style::dashed, static_cast<int>(e)};
    double n = 0, level = 0;  // the line goes through the mean of the logarithms
    for (std::size_t j = 0; j < decay.rows.size(); ++j) {
      const auto& row = decay.rows[j];
      velocity.rows.push_back({one.title, row.r, row.tangential, decay.error[j]});
      if (row.r >= decay.fit.from && row.r <= decay.fit.to) n += 1, level += std::log(std::abs(row.tangential)) + (row.r - decay.fit.from) / decay.fit.length;
      if (!(row.tangential > 0) || row.r > ruler.lo + 10 * d) continue;
      points.x.push_back((row.r - ruler.lo) / d);
      points.y.push_back(row.tangential);
      if (last) points.error.push_back(std::min(decay.error[j], 0.99 * row.tangential));  // a bar that reaches zero has no end on this axis
    }
    speeds.series.push_back(points);
    if (last && decay.fit.length > 0 && n > 0) {
      line.title = fmt::format("decay over {:.2f} d", decay.fit.length / d);
      for (const double r : {decay.fit.from, decay.fit.to}) line.x.push_back((r - ruler.lo) / d), line.y.push_back(std::exp(level / n - (r - decay.fit.from) / decay.fit.length));
      speeds.series.push_back(line);
    }

    // packing
    auto bands_json = nlohmann::ordered_json::array();
    Series of_band{"within " + fmt::format("{:g} d, {}", band, one.title), {}, {}, Series::Style::line_points, static_cast<int>(e)}, of_bulk{"bulk, " + one.title, {}, {}, Series::Style::line_points, static_cast<int>(e) + 4};
    const auto look = [&](std::size_t w, double from, double to, const std::string& what, bool in_every_window = false) {
      const PackingChange c = packing_change(one.starts, w, from, to);
      if (c.starts == 0) return c;
      packing.rows.push_back({one.title, w > 1 ? windows[w - 2] : 0.0, windows[w - 1], from, to, static_cast<std::int64_t>(c.starts), c.before.mean, c.before.stderr_, c.after.mean, c.after.stderr_, c.change.mean, c.change.stderr_});
      bands_json.push_back({{"window", {w > 1 ? windows[w - 2] : 0.0, windows[w - 1]}}, {"band", {from, to}}, {"starts", c.starts}, {"before", c.before.mean}, {"before_stderr", c.before.stderr_}, {"after", c.after.mean},
                            {"after_stderr", c.after.stderr_}, {"change", c.change.mean}, {"change_stderr", c.change.stderr_}, {"in_stderrs", c.in_errors()}, {"verdict", c.verdict()}});
      if (w == windows.size() || in_every_window)
        result.text += fmt::format("  {:<14} {:>4g} to {:<4g} rad: packing {:.4f} before, {:.4f} after, {}\n", what, w > 1 ? windows[w - 2] : 0.0, windows[w - 1], c.before.mean, c.after.mean, said(c));
      return c;
    };
    PackingChange whole;
    for (std::size_t w = 1; w <= windows.size(); ++w) {
      for (int k = 0; k < static_cast<int>(band); ++k) look(w, k, k + 1, fmt::format("{} to {} d", k, k + 1));
      look(w, 1, band, fmt::format("1 to {:g} d", band));
      whole = look(w, 0, band, fmt::format("0 to {:g} d", band), true);
      const double at = std::sqrt((w > 1 ? windows[w - 2] : 0.1 * windows[0]) * windows[w - 1]);
      if (whole.starts > 0) of_band.x.push_back(at), of_band.y.push_back(whole.change.mean), of_band.error.push_back(whole.change.stderr_);
      if (!has_bulk) continue;
      const PackingChange bulk = look(w, bulk_from, bulk_to, "bulk", true);
      if (bulk.starts > 0) of_bulk.x.push_back(at), of_bulk.y.push_back(bulk.change.mean), of_bulk.error.push_back(bulk.change.stderr_);
    }
    said_band = fmt::format("packing within {:g} small diameters {}, {} starts", band, said(whole), whole.starts);
    if (last && std::string_view(whole.verdict()) == "dilates") band_holds = Finding::Verdict::holds;
    if (last) in_time.series.push_back(of_band);
    if (last && has_bulk) in_time.series.push_back(of_bulk);
    Series before{"before", {}, {}, Series::Style::line_points, Series::grey}, after{"after", {}, {}, Series::Style::line_points, 0}, change{"", {}, {}, Series::Style::line_points, 0};
    for (std::size_t k = 0; k < ruler.quarters(); ++k) {
      const double from = 0.25 * static_cast<double>(k);
      const PackingChange c = packing_change(one.starts, windows.size(), from, from + 0.25);
      profile.rows.push_back({one.title, from + 0.125, c.before.mean, c.before.stderr_, c.after.mean, c.after.stderr_, c.change.mean, c.change.stderr_});
      if (!last || from >= 10) continue;
      for (auto [series, m] : {std::pair{&before, c.before}, std::pair{&after, c.after}, std::pair{&change, c.change}}) series->x.push_back(from + 0.125), series->y.push_back(m.mean), series->error.push_back(m.stderr_);
    }
    if (last) layers.series = {before, after}, changes.series = {change};
    result.json["ensembles"].push_back({{"what", one.title}, {"cells", one.cells}, {"starts", one.starts.size()},
                                        {"decay", {{"length", decay.fit.length}, {"interval", {decay.interval.low, decay.interval.high}}, {"in_diameters", decay.fit.length / d}, {"correlation", decay.fit.correlation}, {"from", decay.fit.from},
                                                   {"to", decay.fit.to}, {"rings", decay.fit.rings}, {"of_each", decay.lengths}, {"verdict", verdict}}},
                                        {"packing", bands_json}});
  }
  result.tables = {decays, velocity, packing, profile};
  result.figures.push_back({"couette-cells-velocity", "", {speeds}});
  result.figures.push_back({"couette-cells-packing", "Packing at the inner wall before the shear and in the last window", {layers, changes, in_time}});
  result.findings.push_back({"003, figure 7.4", "the velocity decays exponentially, over 1 to 3 small diameters", said_decay, decay_holds, decay_holds == Finding::Verdict::holds ? "" : "see the intervals"});
  result.findings.push_back({"003, figure 7.4", "the shear band at the inner wall dilates", said_band, band_holds, band_holds == Finding::Verdict::holds ? "" : "the packing before the shear is what it is compared with"});
  return result;
}

}  // namespace

const Study& couette_cells_study() {
  static const CouetteCells study;
  return study;
}

}  // namespace scree
