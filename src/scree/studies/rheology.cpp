// SPDX-License-Identifier: BSD-3-Clause
/// From flows to constitutive laws: plane shear, where mu(I) is known to hold, as positive control; then a Taylor-Couette cell, for
/// which seed 003 (section 7.3) asks whether I -> mu(I) is a function. Laws are fitted in their standard forms and searched for by
/// discovery/ among candidate terms.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/discovery/read_data.hpp"
#include "scree/discovery/report.hpp"
#include "scree/studies/cell_rheology.hpp"
#include "scree/studies/flow_curves.hpp"
#include "scree/studies/fluidity.hpp"
#include "scree/studies/friction_law.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

struct ShearRows {
  std::vector<double> inertial, mu, error, phi;
};

class Rheology final : public Study {
 public:
  std::string_view name() const override { return "rheology"; }
  std::string_view summary() const override { return "mu(I), phi(I), balances and nonlocal laws, found from plane shear and a Taylor-Couette cell"; }
  std::string_view example() const override { return "scree study rheology --shear study-shear/rheology.csv --cell slow.h5,fast.h5 --runs out/slow,out/fast"; }
  std::vector<StudyOption> options() const override {
    return {{"shear", "", "rheology.csv of scree study shear, or several (default: the study is run first)"},
            {"cell", "", "Fields of a cell, or of several at rising speeds of the wall: scree fields RUN --coordinates r --frames A:B --each N --out FILE.h5. Cells of the same speed and other random numbers are joined by +: a1.h5+a2.h5,b1.h5+b2.h5"},
            {"runs", "", "The runs of --cell, in the same order and likewise joined: shear rates are then those of displacements"},
            {"grains", "", "rheology.csv of scree study shear with the grains of the cell (default: that of --shear)"},
            {"seed", "1", "Of the confidence intervals"}};
  }
  std::string scene(const StudySettings&) const override {
    const Study& shear = *find_study("shear");
    return shear.scene(StudySettings(shear.options()));
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static ShearRows shear_rows(const std::vector<std::string>& files, const StudySettings& s, const StudyProgress& progress);
  static FrictionFit plane_shear(const StudySettings& s, const ShearRows& rows, StudyResult& result, Figure& figure);
  static void cell(const std::string& file, const CellProfile& c, const FrictionFit& law, StudyResult& result, nlohmann::ordered_json& json);
  static void compare_cells(const std::vector<CellProfile>& cells, const FrictionFit& law, const ShearRows& rows, std::uint64_t seed, StudyResult& result);
  static void nonlocal(const std::vector<CellProfile>& cells, double mu_s, std::uint64_t seed, StudyResult& result, Figure& figure);
  static void draw(const std::vector<CellProfile>& cells, const FrictionFit& law, const ShearRows& rows, Figure& figure);
};

ShearRows Rheology::shear_rows(const std::vector<std::string>& files, const StudySettings& s, const StudyProgress& progress) {
  ShearRows rows;
  std::vector<std::array<double, 4>> all;
  if (files.empty()) {
    const Study& shear = *find_study("shear");
    StudySettings settings(shear.options());
    settings.overrides = s.overrides;
    settings.quick = s.quick;
    if (s.quick) settings.set("inertial", "0.05,0.08,0.12,0.2,0.3,0.4");
    const StudyResult result = shear.run(settings, progress);
    for (const auto& row : result.tables.at(0).rows) all.push_back({std::get<double>(row[1]), std::get<double>(row[2]), std::get<double>(row[3]), std::get<double>(row[4])});
  } else {
    DataSettings data;
    data.files = files;
    data.variables = {"I", "mu", "mu_stderr", "packing"};
    const Dataset read = read_data(data);
    for (const Sample& one : read.samples)
      for (std::size_t k = 0; k < one.points(); ++k) {
        for (std::size_t f = 0; f < 4; ++f)
          if (const double x = one.fields[f][k]; !std::isfinite(x) || (f != 1 && !(x > 0)))
            throw InputError(fmt::format("{}: row {}: {} is {}; expected a number{}", one.name, k + 1, data.variables[f], brief(x), f != 1 ? " above 0" : ""));
        all.push_back({one.fields[0][k], one.fields[1][k], one.fields[2][k], one.fields[3][k]});
      }
  }
  std::sort(all.begin(), all.end());
  for (const auto& row : all) {
    if (!(row[0] > 0 && row[2] > 0)) throw InputError("--shear: expected I and mu_stderr above 0");
    rows.inertial.push_back(row[0]);
    rows.mu.push_back(row[1]);
    rows.error.push_back(row[2]);
    rows.phi.push_back(row[3]);
  }
  if (all.size() < 5) throw InputError(fmt::format("rheology: {} inertial numbers are too few; expected at least 5", all.size()));
  return rows;
}

std::vector<double> spread_out(double lo, double hi, int n) {
  std::vector<double> x;
  for (int k = 0; k <= n; ++k) x.push_back(lo * std::pow(hi / lo, static_cast<double>(k) / n));
  return x;
}

Series curve(const std::string& title, const FrictionFit& fit, double lo, double hi, int colour) {
  Series line{title, spread_out(lo, hi, 100), {}, Series::Style::line, colour};
  for (const double i : line.x) line.y.push_back(fit.at(i));
  return line;
}

FrictionFit Rheology::plane_shear(const StudySettings& s, const ShearRows& rows, StudyResult& result, Figure& figure) {
  std::vector<double> weight;
  for (const double e : rows.error) weight.push_back(1 / (e * e));
  const FrictionFit law = fit_friction(FrictionForm::mu_of_i, rows.inertial, rows.mu, weight);
  const FrictionIntervals in = friction_intervals(rows.inertial, rows.mu, rows.error, static_cast<std::uint64_t>(s.integer("seed")), s.quick ? 200 : 1000);
  const LineFit packing = fit_line(rows.inertial, rows.phi);
  result.text += fmt::format("plane shear, {} inertial numbers from {:.2g} to {:.2g} (95 % intervals)\n", rows.mu.size(), rows.inertial.front(), rows.inertial.back());
  result.text += fmt::format("  mu_s = {:.4f} [{:.4f}, {:.4f}]   mu_2 = {:.3f} [{:.3f}, {:.3f}]   I_0 = {:.3f} [{:.3f}, {:.3f}]\n", law.mu_s(), in.mu_s.lo, in.mu_s.hi, law.mu_2(), in.mu_2.lo,
                             in.mu_2.hi, law.i_0(), in.i_0.lo, in.i_0.hi);
  if (in.unbounded) result.text += "  mu_2 and I_0 have no upper bound: these inertial numbers are too small to tell\n";
  result.text += fmt::format("  phi(I) = {:.4f} [{:.4f}, {:.4f}] - {:.4f} [{:.4f}, {:.4f}] I, scatter {:.4f}\n", packing.a, packing.a_interval.lo, packing.a_interval.hi, -packing.b,
                             -packing.b_interval.hi, -packing.b_interval.lo, packing.scatter);
  nlohmann::ordered_json rivals = nlohmann::ordered_json::array();
  // The criterion: each inertial number is predicted from the others. A rival is worse, or better, if the mean square in standard errors
  // is so by more than twice the standard error of the difference over the points; else the two tie.
  StudyTable table{"rivals", {"form", "a", "b", "c", "held_out_error", "held_out_in_sigmas", "worse_by", "worse_by_stderr"}, {}};
  const HeldOut own = leave_one_out(FrictionForm::mu_of_i, rows.inertial, rows.mu, rows.error);
  for (const FrictionForm form : friction_forms()) {
    const FrictionFit fit = fit_friction(form, rows.inertial, rows.mu, weight);
    const HeldOut left = leave_one_out(form, rows.inertial, rows.mu, rows.error);
    const Worse worse = compare(left, own);
    const char* verdict = form == FrictionForm::mu_of_i ? "" : worse.by > 2 * worse.stderr_ ? "worse" : worse.by < -2 * worse.stderr_ ? "better" : "tie";
    rivals.push_back({{"form", name_of(form)}, {"a", fit.a}, {"b", fit.b}, {"c", fit.coefficient()}, {"c_at_end", fit.at_end}, {"held_out_error", left.error}, {"held_out_in_sigmas", left.in_sigmas}, {"worse_by", worse.by},
                      {"worse_by_stderr", worse.stderr_}, {"verdict", verdict}});
    table.rows.push_back({name_of(form), fit.a, fit.b, fit.coefficient(), left.error, left.in_sigmas, worse.by, worse.stderr_});
    result.text += fmt::format("  left out one by one: {:<26} {:.4f}, {:5.2f} standard errors", name_of(form), left.error, left.in_sigmas);
    result.text += form == FrictionForm::mu_of_i ? "\n" : fmt::format("; square larger by {:.2f} ± {:.2f}: {}\n", worse.by, worse.stderr_, verdict);
    if (fit.at_end && form != FrictionForm::mu_of_i) result.text += "    (its c is at the end of the range that was tried)\n";
  }

  // The implicit search: powers of I, with and without mu.
  Dataset data;
  data.names = {{"I", "mu", "mu_stderr"}, {}, false};
  Sample sample;
  sample.name = "plane shear";
  sample.axes.resize(1);
  for (std::size_t k = 0; k < rows.mu.size(); ++k) sample.axes[0].at.push_back(static_cast<double>(k));
  sample.fields = {rows.inertial, rows.mu, rows.error};
  data.samples = {sample};
  DiscoverySettings search;
  search.lhs = {"mu"};
  search.implicit = true;
  search.implicit_most = 3;
  search.ensemble = {.bags = 100, .seed = static_cast<std::uint64_t>(s.integer("seed"))};
  search.library.terms = {"1", "I", "I^2", "sqrt(I)", "mu", "I mu", "I^2 mu", "sqrt(I) mu"};
  nlohmann::ordered_json found;
  if (rows.mu.size() >= 15) {
    const Discovery d = discover(data, search);
    found = discovery_json(d);
    result.text += fmt::format("  implicit search: {}\n                   {}; held-out error {:.3g} ± {:.1g} of the deviation\n", equation_text(d.equations[0]), d.equations[0].solved,
                               d.equations[0].path[d.equations[0].chosen].held_out, d.equations[0].path[d.equations[0].chosen].held_out_stderr);
    for (const Candidate& c : d.equations[0].path) {
      std::string terms;
      for (const std::size_t j : c.support) terms += (terms.empty() ? "" : ", ") + d.library[j];
      result.text += fmt::format("                   best of {} terms: {} ({:.3g} ± {:.1g})\n", c.support.size(), terms, c.held_out, c.held_out_stderr);
    }
    for (std::size_t j = 0; j < d.library.size(); ++j) result.text += fmt::format("{}{} {:.0f} %", j == 0 ? "                   in the bags: " : ", ", d.library[j], 100 * d.equations[0].inclusion[j]);
    result.text += "\n";
    for (const std::string& note : d.notes) result.text += "                   " + note + "\n";
    const auto& terms = d.equations[0].terms;
    const bool same = terms.size() == 3 && terms[0].term == "1" && terms[1].term == "I" && terms[2].term == "I mu";
    result.findings.push_back({"Jop, Forterre and Pouliquen 2006", "mu(I) = mu_s + (mu_2 - mu_s)/(1 + I_0/I) in plane shear", "the implicit search finds " + equation_text(d.equations[0]),
                               same ? Finding::Verdict::holds : Finding::Verdict::differs, same ? "" : "see the rivals"});
  } else {
    result.text += "  implicit search: not done, it wants 15 inertial numbers\n";
  }
  result.json["plane_shear"] = {{"points", rows.mu.size()},
                                {"mu_s", law.mu_s()}, {"mu_s_interval", {in.mu_s.lo, in.mu_s.hi}}, {"mu_2", law.mu_2()}, {"mu_2_interval", {in.mu_2.lo, in.mu_2.hi}},
                                {"I_0", law.i_0()}, {"I_0_interval", {in.i_0.lo, in.i_0.hi}}, {"mu_2_and_I_0_unbounded", in.unbounded}, {"phi_0", packing.a}, {"phi_0_interval", {packing.a_interval.lo, packing.a_interval.hi}}, {"phi_slope", packing.b}, {"phi_slope_interval", {packing.b_interval.lo, packing.b_interval.hi}}, {"phi_scatter", packing.scatter}, {"rivals", rivals}, {"implicit", found}};
  result.tables.push_back(table);
  const double lo = rows.inertial.front(), hi = rows.inertial.back();
  Panel mu{"plane shear", "I", "mu", true, false, {{"measured", rows.inertial, rows.mu, Series::Style::points, 0}, curve("mu(I)", law, lo, hi, 0)}, {}, {}, {}};
  mu.series.push_back(curve("a + b I", fit_friction(FrictionForm::linear, rows.inertial, rows.mu, weight), lo, hi, 1));
  mu.series.back().style = Series::Style::dashed;
  figure.panels.push_back(mu);
  figure.panels.push_back({"plane shear", "I", "packing", true, false, {{"measured", rows.inertial, rows.phi, Series::Style::points, 0}, curve("linear", FrictionFit{FrictionForm::linear, packing.a, packing.b, 0, 0}, lo, hi, 0)}, {}, {}, {}});
  return law;
}

/// One equation of a balance, searched for among terms; its text goes into the report.
Discovery search(const Dataset& data, const std::string& lhs, const std::vector<std::string>& terms, std::size_t most) {
  DiscoverySettings s;
  s.lhs = {lhs};
  s.library.terms = terms;
  s.solver = "best-subset";
  s.sparse.most = most;
  s.space_method = "fd4";
  s.selection.by = "cv";
  return discover(data, s);
}

void Rheology::cell(const std::string& file, const CellProfile& c, const FrictionFit& law, StudyResult& result, nlohmann::ordered_json& json) {
  const std::size_t m = c.r.size();
  result.text += fmt::format("\n{}: {}, {} snapshots, {} rings, r from {:.4f} to {:.4f} m{}\n", file,
                             c.cells > 1 ? fmt::format("{} Taylor-Couette cells", c.cells) : "Taylor-Couette cell", c.snapshots, m, c.r.front(), c.r.back(),
                             c.left_out > 0 ? fmt::format("; {} of fewer frames left out", c.left_out) : "");
  const std::string number = result.tables.size() > 1 ? std::to_string((result.tables.size() - 1) / 3 + 1) : "";  // of three tables each: cell, cell2, cell3 …
  StudyTable table{"cell" + number, {"r", "pressure", "tau", "mu", "mu_spread", "mu_stderr", "shear_rate", "shear_rate_error", "I", "phi", "velocity"}, {}};
  for (std::size_t j = 0; j < m; ++j)
    table.rows.push_back({c.r[j], c.pressure[j], c.tau[j], c.mu[j], c.mu_spread[j], c.mu_error[j], c.rate[j], c.rate_error[j], c.inertial[j], c.phi[j], c.velocity[j]});
  result.tables.push_back(table);

  // Is mu a function of I, and that of plane shear? Only rings count whose shear rate is known: c.sheared of them, from the inner wall on.
  std::size_t layer = 0;
  while (layer < c.sheared && c.mu[layer] > law.mu_s()) ++layer;
  double deviation = 0, creeping = 0;
  for (std::size_t j = 0; j < c.sheared; ++j) {
    deviation += std::pow(c.mu[j] - law.at(c.inertial[j]), 2) / static_cast<double>(c.sheared);
    if (j >= layer) creeping = std::max(creeping, c.inertial[j]);
  }
  deviation = std::sqrt(deviation);
  // spread of mu among all points of like I: in bins of half a decade
  StudyTable bins{"cell_spread" + number, {"I", "points", "mu", "spread"}, {}};
  double worst = 0;
  std::vector<double> bin_i, bin_mu, bin_lo, bin_hi;
  for (double lo = 1e-9; lo < 1; lo *= std::sqrt(10.0)) {
    double n = 0, sum = 0, square = 0;
    for (std::size_t t = 0; t < c.snapshots; ++t)
      for (std::size_t j = 0; j < c.sheared; ++j)
        if (c.snapshot_inertial[t][j] >= lo && c.snapshot_inertial[t][j] < lo * std::sqrt(10.0)) n += 1, sum += c.snapshot_mu[t][j], square += std::pow(c.snapshot_mu[t][j], 2);
    if (n < 5) continue;
    const double spread = std::sqrt(std::max(square / n - sum / n * sum / n, 0.0));
    bins.rows.push_back({lo * std::pow(10.0, 0.25), static_cast<std::int64_t>(n), sum / n, spread});
    bin_i.push_back(lo * std::pow(10.0, 0.25));
    bin_mu.push_back(sum / n);
    worst = std::max(worst, spread / (sum / n));
    result.text += fmt::format("  I ~ {:8.1e}: mu = {:.3f}, spread {:.3f} ({:.0f} points)\n", bin_i.back(), sum / n, spread, n);
  }
  result.tables.push_back(bins);
  const double width = c.sheared > 0 ? (c.r[c.sheared - 1] - c.r.front()) / c.diameter : 0;
  result.text += fmt::format("  the shear rate is above three standard errors in the first {} of {} rings ({:.1f} diameters)\n", c.sheared, m, width);
  result.text += fmt::format("  mu exceeds mu_s = {:.3f} of plane shear in {} of them; mu(I) of plane shear is off by {:.3f} (root mean square)\n", law.mu_s(), layer, deviation);
  result.text += fmt::format("  where mu < mu_s, and a local law has no flow, grains creep with I up to {:.1e}\n", creeping);

  auto twice = nlohmann::ordered_json::array();
  for (const SameInertial& one : same_inertial(c)) {
    const bool wall = one.r[0] < c.r[c.clear];
    result.text += fmt::format("  I = {:.1e} comes twice: mu = {:.3f} ± {:.3f} at r = {:.4f} m{} and {:.3f} ± {:.3f} at {:.4f} m, {:.1f} standard errors apart\n", one.inertial, one.mu[0],
                               one.error[0], one.r[0], wall ? " (the kernel reaches the wall)" : "", one.mu[1], one.error[1], one.r[1], one.in_errors);
    twice.push_back({{"I", one.inertial}, {"r", one.r}, {"mu", one.mu}, {"mu_stderr", one.error}, {"in_stderrs", one.in_errors}, {"reaches_wall", wall}});
  }
  if (twice.empty()) result.text += "  no inertial number comes twice along the mean profile\n";

  // Balances, found among candidates; whole snapshots are held out.
  auto balances = nlohmann::ordered_json::array();
  const auto report = [&](const char* what, const Discovery& d) {
    result.text += fmt::format("  {}: {}   (held-out score {:.4f})\n", what, equation_text(d.equations[0]), d.equations[0].score);
    nlohmann::ordered_json one = discovery_json(d);
    one["what"] = what;
    balances.push_back(one);
  };
  const Discovery angular = search(c.data, "tau_r", {"tau/r", "P/r", "srr/r", "stt/r", "rho u^2/r"}, 3);
  report("angular balance", angular);
  const Discovery radial = search(c.data, "srr_r", {"srr/r", "stt/r", "tau/r", "rho u^2/r"}, 3);
  report("radial balance", radial);
  const Discovery thesis = search(c.data, "P_r", {"rho u^2/r"}, 1);
  report("P' = rho u^2/r", thesis);

  // What holds where: mu(I) of plane shear in the rings clear of the wall, each with its standard errors.
  StudyTable zones{"cell_zones" + number, {"r", "I", "mu", "mu_stderr", "mu_of_I", "in_stderrs", "zone"}, {}};
  std::size_t inertial_rings = 0, creeping_rings = 0, neither = 0;
  for (std::size_t j = c.clear; j < c.sheared; ++j) {
    const double unsure = c.mu_error[j], away = (c.mu[j] - law.at(c.inertial[j])) / unsure;
    const bool local = c.mu[j] > law.mu_s() && std::abs(away) < 3;
    const bool creeps = c.mu[j] < law.mu_s();
    ++(local ? inertial_rings : creeps ? creeping_rings : neither);
    zones.rows.push_back({c.r[j], c.inertial[j], c.mu[j], unsure, law.at(c.inertial[j]), away, local ? "inertial" : creeps ? "creeping" : "neither"});
  }
  result.tables.push_back(zones);
  result.text += fmt::format("  clear of the wall: mu(I) of plane shear holds within three standard errors in {} rings; {} creep below mu_s, {} do neither\n", inertial_rings, creeping_rings, neither);
  json = {{"file", file}, {"cells", c.cells}, {"snapshots", c.snapshots}, {"rings", m}, {"layer_rings", layer}, {"sheared_rings", c.sheared}, {"sheared_diameters", width}, {"clear_inertial_rings", inertial_rings},
          {"clear_creeping_rings", creeping_rings}, {"clear_rings_of_neither", neither}, {"deviation_from_plane_shear", deviation}, {"largest_I_creeping", creeping}, {"largest_relative_spread", worst}, {"same_I", twice}, {"balances", balances}};
}

void Rheology::compare_cells(const std::vector<CellProfile>& cells, const FrictionFit& law, const ShearRows& rows, std::uint64_t seed, StudyResult& result) {
  // Of the grains: the same I in plane shear.
  auto laws = nlohmann::ordered_json::array(), list = nlohmann::ordered_json::array();
  const std::vector<FrictionFit> laws_drawn = friction_draws(rows.inertial, rows.mu, rows.error, seed, 200);
  std::string of_grains = "undecided", of_flow = cells.size() > 1 ? "undecided" : "not asked, with one speed";
  double from_law = 0, from_speed = 0;
  for (std::size_t a = 0; a < cells.size(); ++a) {
    const CurveDifference d = compare_law(cells[a], law, laws_drawn, rows.inertial.front(), rows.inertial.back(), seed);
    if (d.rings == 0) continue;
    result.text += fmt::format("\ncell {} and plane shear: at equal I ({} rings, {:.1e} to {:.1e}) mu differs by {:+.4f} ± {:.4f}, {:.1f} standard errors: {}\n", a + 1, d.rings, d.lo, d.hi, d.difference,
                               d.stderr_, d.in_stderrs(), verdict(d));
    laws.push_back({{"cell", a + 1}, {"rings", d.rings}, {"I", {d.lo, d.hi}}, {"mu_difference", d.difference}, {"stderr", d.stderr_}, {"in_stderrs", d.in_stderrs()}, {"verdict", verdict(d)}});
    if (std::abs(d.in_stderrs()) >= std::abs(from_law)) from_law = d.in_stderrs(), of_grains = verdict(d);
  }
  // Of the flow: the same I at another speed of the wall.
  for (std::size_t a = 0; a < cells.size(); ++a)
    for (std::size_t b = a + 1; b < cells.size(); ++b) {
      const CurveDifference d = compare_curves(cells[a], cells[b], seed);
      result.text += fmt::format("\ncells {} and {}: at equal radius ({} rings) I is {:.2f} times as large and mu differs by {:+.4f} ± {:.4f};\n"
                                 "  at equal I ({} rings, {:.1e} to {:.1e}) mu differs by {:+.4f} ± {:.4f}, {:.1f} standard errors: {}\n",
                                 a + 1, b + 1, d.common, d.inertial_ratio, d.mu_change, d.mu_change_error, d.rings, d.lo, d.hi, d.difference, d.stderr_, d.in_stderrs(), verdict(d));
      list.push_back({{"cells", {a + 1, b + 1}}, {"rings", d.rings}, {"I", {d.lo, d.hi}}, {"mu_difference", d.difference}, {"stderr", d.stderr_}, {"in_stderrs", d.in_stderrs()},
                      {"rings_at_equal_radius", d.common}, {"I_ratio", d.inertial_ratio}, {"mu_change", d.mu_change}, {"mu_change_stderr", d.mu_change_error}, {"verdict", verdict(d)}});
      if (std::abs(d.in_stderrs()) >= std::abs(from_speed)) from_speed = d.in_stderrs(), of_flow = verdict(d);
    }
  result.json["same_I_plane_shear"] = laws;
  result.json["same_I_other_speed"] = list;
  result.findings.push_back({"003, section 7.3", "whether I -> mu(I) is a function in the Taylor-Couette flow",
                             fmt::format("of these grains in cell and plane shear: {} (up to {:.1f} standard errors apart at equal I); within the cell at several speeds: {} ({:.1f})", of_grains,
                                         std::abs(from_law), of_flow, std::abs(from_speed)),
                             Finding::Verdict::beyond, ""});
}

/// Fits A, or a length, to all cells but one, predicts that one, and so on; the difference of the models is judged by bootstraps over units.
void Rheology::nonlocal(const std::vector<CellProfile>& cells, double mu_s, std::uint64_t seed, StudyResult& result, Figure& figure) {
  // rings clear of the wall and sheared, as long as mu < mu_s
  std::vector<std::pair<std::size_t, std::size_t>> range;
  std::vector<const CellProfile*> used;
  for (const CellProfile& c : cells) {
    std::size_t first = c.clear;
    while (first < c.sheared && c.mu[first] >= mu_s) ++first;
    std::size_t last = first;
    while (last < c.sheared && c.mu[last] < mu_s) ++last;
    if (last >= first + 7) range.emplace_back(first, last), used.push_back(&c);
  }
  if (used.empty()) {
    result.text += "\ncreep: fewer than 7 rings clear of the wall are known to be sheared, too few for a nonlocal law\n";
    return;
  }
  const auto profiles_of = [&](const std::function<std::vector<double>(std::size_t)>& weights) {
    std::vector<FluidityProfile> all;
    for (std::size_t k = 0; k < used.size(); ++k) {
      const FlowCurve curve = flow_curve(*used[k], weights(k));
      FluidityProfile p;
      p.diameter = used[k]->diameter;
      for (std::size_t j = range[k].first; j < range[k].second; ++j) {
        p.r.push_back(used[k]->r[j]);
        p.mu.push_back(curve.mu[j]);
        // γ' from I, which knows the pressure of these snapshots; a rate that comes out as zero has no logarithm
        p.g.push_back(std::max(curve.inertial[j] / used[k]->inertial[j] * used[k]->rate[j], 1e-300) / curve.mu[j]);
      }
      all.push_back(p);
    }
    return all;
  };
  const std::vector<NonlocalModel> models{NonlocalModel::fluidity, NonlocalModel::constant_length};
  const auto held_out = [&](const std::vector<FluidityProfile>& all, NonlocalModel model) {
    double sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::vector<FluidityProfile> others;
      for (std::size_t j = 0; j < all.size(); ++j)
        if (j != k || all.size() == 1) others.push_back(all[j]);
      sum += std::pow(fluidity_error({all[k]}, model, mu_s, fit_fluidity(others, model, mu_s)), 2) / static_cast<double>(all.size());
    }
    return std::sqrt(sum);
  };
  const auto mean = profiles_of([](std::size_t) { return std::vector<double>{}; });
  double noise = 0, rings = 0;
  for (std::size_t k = 0; k < used.size(); ++k)
    for (std::size_t j = range[k].first + 1; j + 1 < range[k].second; ++j) noise += std::pow(used[k]->rate_error[j] / used[k]->rate[j], 2), rings += 1;
  noise = std::sqrt(noise / rings);
  std::vector<std::vector<double>> values(2), errors(2);
  constexpr std::uint32_t draws = 40;
  for (std::uint32_t d = 0; d < draws; ++d) {
    const auto one = profiles_of([&](std::size_t k) { return drawn(used[k]->units, seed, 100 + static_cast<std::uint32_t>(k), d); });
    for (std::size_t m = 0; m < 2; ++m) {
      values[m].push_back(fit_fluidity(one, models[m], mu_s));
      errors[m].push_back(held_out(one, models[m]));
    }
  }
  std::vector<double> difference;
  for (std::uint32_t d = 0; d < draws; ++d) difference.push_back(errors[0][d] - errors[1][d]);
  auto list = nlohmann::ordered_json::array();
  result.text += fmt::format("\ncreep of {} rings in {} cells; statistical error of ln g {:.2f}\n", rings, used.size(), noise);
  std::size_t units = used.front()->units;
  for (const auto* one : used) units = std::min(units, one->units);
  const double few = few_units(units);
  double error[2] = {};
  for (std::size_t m = 0; m < 2; ++m) {
    const double value = fit_fluidity(mean, models[m], mu_s);
    error[m] = held_out(mean, models[m]);
    const bool at_end = value <= least_fluidity * (1 + 1e-9) || value >= most_fluidity * (1 - 1e-9);
    const char* label = m == 0 ? "nonlocal fluidity, A" : "constant length, l/d";
    result.text += fmt::format("  {}: {:.3f} ± {:.3f}; error of ln g {:.2f}{}{}\n", label, value, few * deviation(values[m]), error[m], used.size() > 1 ? " in cells that the value was not fitted to" : "",
                               at_end ? " (the value is at the end of the range that was tried)" : "");
    list.push_back({{"model", label}, {"value", value}, {"stderr", few * deviation(values[m])}, {"error_of_ln_g", error[m]}, {"at_end", at_end}});
  }
  const double by = error[0] - error[1], unsure = few * deviation(difference);
  const std::string best = !std::isfinite(by) || !std::isfinite(unsure) ? "undecided" : std::abs(by) < 2 * unsure ? "neither is better than the other" : by < 0 ? "the nonlocal fluidity is better" : "the constant length is better";
  const bool fits = std::min(error[0], error[1]) < 2 * noise;
  result.text += fmt::format("  difference of the errors {:+.3f} ± {:.3f}: {}; {}\n", by, unsure, best, fits ? "within twice the statistical error" : "and neither is within twice the statistical error");
  result.json["nonlocal"] = {{"mu_s", mu_s}, {"rings", rings}, {"statistical_error_of_ln_g", noise}, {"models", list}, {"difference", by}, {"difference_stderr", unsure}, {"verdict", best}, {"within_statistical_error", fits}};
  Panel panel{"creep", "distance/d", "g (1/s)", false, true, {}, {}, {}, {}};
  for (std::size_t k = 0; k < mean.size(); ++k) {
    std::vector<double> x;
    for (const double r : mean[k].r) x.push_back((r - used[k]->r.front()) / used[k]->diameter);
    panel.series.push_back({"cell " + std::to_string(k + 1), x, mean[k].g, Series::Style::points, static_cast<int>(k)});
    for (std::size_t m = 0; m < 2; ++m) {
      std::vector<double> line = solve_fluidity(mean[k], models[m], mu_s, fit_fluidity(mean, models[m], mu_s));
      for (double& one : line) one = std::exp(one);
      panel.series.push_back({k > 0 ? "" : m == 0 ? "fluidity" : "constant length", x, line, m == 0 ? Series::Style::line : Series::Style::dashed, static_cast<int>(k)});
    }
  }
  figure.panels.push_back(panel);
}

void Rheology::draw(const std::vector<CellProfile>& cells, const FrictionFit& law, const ShearRows& rows, Figure& figure) {
  Panel profile{"cell", "distance/d", "mu", false, false, {}, {}, {}, {}}, inertial{"cell", "distance/d", "I", false, true, {}, {}, {}, {}};
  Panel scatter{"cell: rings clear of the wall", "I", "mu", true, false, {}, {}, {}, {}};
  double lowest = rows.inertial.front();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const CellProfile& c = cells[k];
    std::vector<double> from_wall;
    for (const double r : c.r) from_wall.push_back((r - c.r.front()) / c.diameter);
    const auto part = [](const std::vector<double>& v, std::size_t from, std::size_t to) {
      return std::vector<double>(v.begin() + static_cast<std::ptrdiff_t>(std::min(from, to)), v.begin() + static_cast<std::ptrdiff_t>(to));
    };
    const std::string title = cells.size() > 1 ? "cell " + std::to_string(k + 1) : "mu";
    const auto colour = static_cast<int>(k);
    profile.series.push_back({title, from_wall, c.mu, Series::Style::line_points, colour});
    inertial.series.push_back({title, part(from_wall, 0, c.sheared), part(c.inertial, 0, c.sheared), Series::Style::line_points, colour});
    scatter.series.push_back({title, part(c.inertial, c.clear, c.sheared), part(c.mu, c.clear, c.sheared), Series::Style::line_points, colour});
    for (std::size_t j = c.clear; j < c.sheared; ++j) lowest = std::min(lowest, c.inertial[j]);
  }
  const double span = (cells.front().r.back() - cells.front().r.front()) / cells.front().diameter;
  profile.series.push_back({"mu_s of plane shear", {0, span}, {law.mu_s(), law.mu_s()}, Series::Style::dashed, Series::grey});
  scatter.series.push_back({"plane shear", rows.inertial, rows.mu, Series::Style::points, Series::grey});
  scatter.series.push_back(curve("its mu(I)", law, lowest, rows.inertial.back(), Series::grey));
  figure.panels.push_back(profile);
  figure.panels.push_back(inertial);
  figure.panels.push_back(scatter);
}

StudyResult Rheology::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::vector<std::string> files = s.list("cell");
  const auto groups = s.groups("cell"), runs = s.groups("runs");
  StudyResult result;
  result.json["study"] = "rheology";
  Figure figure{"rheology", "", {}};
  if (!runs.empty() && runs.size() != files.size())
    throw InputError(fmt::format("--runs: expected as many as files of --cell, {}, found {}", files.size(), runs.size()));
  if (s.given("grains") && files.empty()) throw InputError("--grains: these are the grains of a cell; say --cell as well");
  if (s.given("grains") && s.list("grains").empty()) throw InputError("--grains: expected rheology.csv of scree study shear");
  std::optional<ShearRows> own;
  if (s.given("grains")) own = shear_rows(s.list("grains"), s, progress);
  std::vector<CellProfile> cells;  // a bad file is told before the runs
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (!runs.empty() && runs[k].size() != groups[k].size())
      throw InputError(fmt::format("--runs: expected as many as files joined in {}, {}, found {}", files[k], groups[k].size(), runs[k].size()));
    std::vector<CellProfile> group;
    for (std::size_t j = 0; j < groups[k].size(); ++j) {
      progress(0, groups[k][j]);
      group.push_back(read_cell(groups[k][j]));
      if (group.back().r != (cells.empty() ? group : cells).front().r)
        throw InputError(fmt::format("{}: expected the rings of {}; use the same --counts, --min and --max of scree fields", groups[k][j], groups[0][0]));
      if (!runs.empty()) take_rates(group.back(), runs[k][j]);
    }
    cells.push_back(pool_cells(group));
  }
  const ShearRows rows = shear_rows(s.list("shear"), s, progress);
  FrictionFit law = plane_shear(s, rows, result, figure);
  if (!files.empty()) {
    const ShearRows grains = own.value_or(rows);
    if (own) {
      std::vector<double> weight;
      for (const double e : grains.error) weight.push_back(1 / (e * e));
      law = fit_friction(FrictionForm::mu_of_i, grains.inertial, grains.mu, weight);
      const FrictionIntervals in = friction_intervals(grains.inertial, grains.mu, grains.error, static_cast<std::uint64_t>(s.integer("seed")), s.quick ? 200 : 1000);
      result.text += fmt::format("\nplane shear with the grains of the cell: mu_s = {:.4f} [{:.4f}, {:.4f}]\n", law.mu_s(), in.mu_s.lo, in.mu_s.hi);
      result.json["plane_shear_of_the_cells_grains"] = {{"mu_s", law.mu_s()}, {"mu_s_interval", {in.mu_s.lo, in.mu_s.hi}}, {"mu_2", law.mu_2()}, {"I_0", law.i_0()}};
    }
    const auto seed = static_cast<std::uint64_t>(s.integer("seed"));
    auto list = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < files.size(); ++k) {
      nlohmann::ordered_json one;
      cell(files[k], cells[k], law, result, one);
      list.push_back(one);
    }
    result.json["cell"] = files.size() == 1 ? list[0] : list;
    draw(cells, law, grains, figure);
    compare_cells(cells, law, grains, seed, result);
    nonlocal(cells, law.mu_s(), seed, result, figure);
  }
  result.figures.push_back(figure);
  return result;
}

}  // namespace

const Study& rheology_study() {
  static const Rheology study;
  return study;
}

}  // namespace scree
