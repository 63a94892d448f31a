// SPDX-License-Identifier: BSD-3-Clause
/// From flows to constitutive laws: plane shear, where mu(I) is known to hold, as positive control; then a Taylor-Couette cell, for
/// which seed 003 (section 7.3) asks whether I -> mu(I) is a function. Laws are fitted in their standard forms and searched for by
/// discovery/ among candidate terms.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/discovery/read_data.hpp"
#include "scree/discovery/report.hpp"
#include "scree/studies/cell_rheology.hpp"
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
  std::string_view example() const override { return "scree study rheology --shear study-shear/rheology.csv --cell cell.h5"; }
  std::vector<StudyOption> options() const override {
    return {{"shear", "", "rheology.csv of scree study shear, or several (default: the study is run first)"},
            {"cell", "", "Fields of a cell: scree fields RUN --coordinates r --frames A:B --each N --out FILE.h5"},
            {"seed", "1", "Of the confidence intervals"}};
  }
  std::string scene(const StudySettings&) const override {
    const Study& shear = *find_study("shear");
    return shear.scene(StudySettings(shear.options()));
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;

 private:
  static ShearRows shear_rows(const StudySettings& s, const StudyProgress& progress);
  static FrictionFit plane_shear(const StudySettings& s, const ShearRows& rows, StudyResult& result, Figure& figure);
  static void cell(const std::string& file, const FrictionFit& law, StudyResult& result, Figure& figure);
};

ShearRows Rheology::shear_rows(const StudySettings& s, const StudyProgress& progress) {
  ShearRows rows;
  std::vector<std::array<double, 4>> all;
  if (s.text("shear").empty()) {
    const Study& shear = *find_study("shear");
    StudySettings settings(shear.options());
    settings.overrides = s.overrides;
    settings.quick = s.quick;
    if (s.quick) settings.set("inertial", "0.05,0.08,0.12,0.2,0.3,0.4");
    const StudyResult result = shear.run(settings, progress);
    for (const auto& row : result.tables.at(0).rows) all.push_back({std::get<double>(row[1]), std::get<double>(row[2]), std::get<double>(row[3]), std::get<double>(row[4])});
  } else {
    DataSettings data;
    data.files = s.list("shear");
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
  const FrictionFit packing = fit_friction(FrictionForm::linear, rows.inertial, rows.phi);
  result.text += fmt::format("plane shear, {} inertial numbers from {:.2g} to {:.2g} (95 % intervals)\n", rows.mu.size(), rows.inertial.front(), rows.inertial.back());
  result.text += fmt::format("  mu_s = {:.4f} [{:.4f}, {:.4f}]   mu_2 = {:.3f} [{:.3f}, {:.3f}]   I_0 = {:.3f} [{:.3f}, {:.3f}]\n", law.mu_s(), in.mu_s.lo, in.mu_s.hi, law.mu_2(), in.mu_2.lo,
                             in.mu_2.hi, law.i_0(), in.i_0.lo, in.i_0.hi);
  if (in.unbounded) result.text += "  mu_2 and I_0 have no upper bound: these inertial numbers are too small to tell\n";
  result.text += fmt::format("  phi(I) = {:.4f} - {:.4f} I\n", packing.a, -packing.b);
  nlohmann::ordered_json rivals = nlohmann::ordered_json::array();
  StudyTable table{"rivals", {"form", "a", "b", "c", "held_out_error", "held_out_in_sigmas"}, {}};
  for (const FrictionForm form : friction_forms()) {
    const FrictionFit fit = fit_friction(form, rows.inertial, rows.mu, weight);
    const HeldOut left = leave_one_out(form, rows.inertial, rows.mu, rows.error);
    rivals.push_back({{"form", name_of(form)}, {"a", fit.a}, {"b", fit.b}, {"c", fit.c}, {"held_out_error", left.error}, {"held_out_in_sigmas", left.in_sigmas}});
    table.rows.push_back({name_of(form), fit.a, fit.b, fit.c, left.error, left.in_sigmas});
    result.text += fmt::format("  left out one by one: {:<16} {:.4f}, {:.2f} standard errors\n", name_of(form), left.error, left.in_sigmas);
  }

  // The implicit search: powers of I, with and without mu.
  Dataset data;
  data.names = {{"I", "mu"}, {}, false};
  Sample sample;
  sample.name = "plane shear";
  sample.axes.resize(1);
  for (std::size_t k = 0; k < rows.mu.size(); ++k) sample.axes[0].at.push_back(static_cast<double>(k));
  sample.fields = {rows.inertial, rows.mu};
  data.samples = {sample};
  DiscoverySettings search;
  search.lhs = {"mu"};
  search.implicit = true;
  search.implicit_most = 3;
  search.library.terms = {"1", "I", "I^2", "sqrt(I)", "mu", "I mu", "I^2 mu", "sqrt(I) mu"};
  nlohmann::ordered_json found;
  if (rows.mu.size() >= 15) {
    const Discovery d = discover(data, search);
    found = discovery_json(d);
    result.text += fmt::format("  implicit search: {}\n                   {}; held-out error {:.3g} of the deviation\n", equation_text(d.equations[0]), d.equations[0].solved,
                               d.equations[0].path[d.equations[0].chosen].held_out);
    for (const Candidate& c : d.equations[0].path) {
      std::string terms;
      for (const std::size_t j : c.support) terms += (terms.empty() ? "" : ", ") + d.library[j];
      result.text += fmt::format("                   best of {} terms: {} ({:.3g})\n", c.support.size(), terms, c.held_out);
    }
    const auto& terms = d.equations[0].terms;
    const bool same = terms.size() == 3 && terms[0].term == "1" && terms[1].term == "I" && terms[2].term == "I mu";
    result.findings.push_back({"Jop, Forterre and Pouliquen 2006", "mu(I) = mu_s + (mu_2 - mu_s)/(1 + I_0/I) in plane shear", "the implicit search finds " + equation_text(d.equations[0]),
                               same ? Finding::Verdict::holds : Finding::Verdict::differs, same ? "" : "see the rivals"});
  } else {
    result.text += "  implicit search: not done, it wants 15 inertial numbers\n";
  }
  result.json["plane_shear"] = {{"points", rows.mu.size()},
                                {"mu_s", law.mu_s()}, {"mu_s_interval", {in.mu_s.lo, in.mu_s.hi}}, {"mu_2", law.mu_2()}, {"mu_2_interval", {in.mu_2.lo, in.mu_2.hi}},
                                {"I_0", law.i_0()}, {"I_0_interval", {in.i_0.lo, in.i_0.hi}}, {"mu_2_and_I_0_unbounded", in.unbounded}, {"phi_0", packing.a}, {"phi_slope", packing.b}, {"rivals", rivals}, {"implicit", found}};
  result.tables.push_back(table);
  const double lo = rows.inertial.front(), hi = rows.inertial.back();
  Panel mu{"plane shear", "I", "mu", true, false, {{"measured", rows.inertial, rows.mu, Series::Style::points, 0}, curve("mu(I)", law, lo, hi, 0)}, {}, {}, {}};
  mu.series.push_back(curve("a + b I", fit_friction(FrictionForm::linear, rows.inertial, rows.mu, weight), lo, hi, 1));
  mu.series.back().style = Series::Style::dashed;
  figure.panels.push_back(mu);
  figure.panels.push_back({"plane shear", "I", "packing", true, false, {{"measured", rows.inertial, rows.phi, Series::Style::points, 0}, curve("linear", packing, lo, hi, 0)}, {}, {}, {}});
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

void Rheology::cell(const std::string& file, const FrictionFit& law, StudyResult& result, Figure& figure) {
  const CellProfile c = read_cell(file);
  const std::size_t m = c.r.size();
  result.text += fmt::format("\nTaylor-Couette cell, {} snapshots, {} rings, r from {:.4f} to {:.4f} m{}\n", c.snapshots, m, c.r.front(), c.r.back(),
                             c.left_out > 0 ? fmt::format("; {} of fewer frames left out", c.left_out) : "");
  StudyTable table{"cell", {"r", "pressure", "tau", "mu", "mu_spread", "shear_rate", "shear_rate_error", "I", "phi", "velocity"}, {}};
  for (std::size_t j = 0; j < m; ++j)
    table.rows.push_back({c.r[j], c.pressure[j], c.tau[j], c.mu[j], c.mu_spread[j], c.rate[j], c.rate_error[j], c.inertial[j], c.phi[j], c.velocity[j]});
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
  StudyTable bins{"cell_spread", {"I", "points", "mu", "spread"}, {}};
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
    const bool wall = one.r[0] < c.r.front() + c.reach;
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

  // Nonlocal: the fluidity g = γ'/mu obeys ∇²g = g (mu_s - mu)/(A² d²) where mu < mu_s (Kamrin and Koval, Phys. Rev. Lett. 108, 178301, 2012).
  // On the mean profile, since single snapshots of a slow flow have shear rates of either sign; with lg = ln g, ∇²g/g = lg'' + lg'² + lg'/r.
  nlohmann::ordered_json nonlocal = nlohmann::ordered_json::array();
  if (c.sheared - layer >= 7) {
    Dataset creep;
    creep.names = {{"lg", "below"}, {"r"}, false};
    Sample one;
    one.name = file;
    one.axes.resize(1);
    one.fields.resize(2);
    for (std::size_t j = layer; j < c.sheared; ++j) {
      one.axes[0].at.push_back(c.r[j]);
      one.fields[0].push_back(std::log(c.rate[j] / c.mu[j]));
      one.fields[1].push_back((law.mu_s() - c.mu[j]) / (c.diameter * c.diameter));
    }
    creep.samples.push_back(one);
    DiscoverySettings s;
    s.lhs = {"d(lg, rr) + lg_r^2 + lg_r/r"};
    s.space_method = "fd2";
    s.threshold = 0;
    for (const char* term : {"below", "1"}) {
      s.library.terms = {term};
      const FoundEquation e = discover(creep, s).equations[0];
      const bool fluidity = std::string(term) == "below";
      const double value = e.terms.empty() ? 0 : e.terms[0].coefficient, length = value > 0 ? 1 / std::sqrt(value) / (fluidity ? 1 : c.diameter) : 0;
      const std::string label = fluidity ? "nonlocal fluidity, A" : "a constant length, over d";
      result.text += fmt::format("  creep of {} rings, {}: {:.3g}; leaves {:.0f} % of lap(g)/g\n", one.points(), label, length, 100 * e.residual);
      nonlocal.push_back({{"model", label}, {"value", length}, {"residual", e.residual}, {"stderr_of_coefficient", e.terms.empty() ? 0 : e.terms[0].stderr_}, {"coefficient", value}});
    }
  } else {
    result.text += fmt::format("  creep: {} rings are too few for a nonlocal law; expected 7\n", c.sheared - layer);
  }
  result.json["cell"] = {{"file", file}, {"snapshots", c.snapshots}, {"rings", m}, {"layer_rings", layer}, {"sheared_rings", c.sheared}, {"sheared_diameters", width}, {"deviation_from_plane_shear", deviation}, {"largest_I_creeping", creeping}, {"largest_relative_spread", worst}, {"same_I", twice}, {"balances", balances}, {"nonlocal", nonlocal}};
  result.findings.push_back({"003, section 7.3", "whether I -> mu(I) is a function in the Taylor-Couette flow",
                             fmt::format("mu is below mu_s in {} of {} sheared rings; it differs from mu(I) of plane shear by {:.3f}, at like I by up to {:.0f} %", c.sheared - layer, c.sheared, deviation, 100 * worst),
                             Finding::Verdict::beyond, "the local law of plane shear does not hold in the creeping zone"});

  std::vector<double> from_wall, velocity;
  for (std::size_t j = 0; j < m; ++j) {
    from_wall.push_back((c.r[j] - c.r.front()) / c.diameter);
    velocity.push_back(std::abs(c.velocity[j]));
  }
  Panel profile{"cell", "distance/d", "mu", false, false, {{"mu", from_wall, c.mu, Series::Style::line_points, 0}}, {}, {}, {}};
  profile.series.push_back({"mu_s of plane shear", {from_wall.front(), from_wall.back()}, {law.mu_s(), law.mu_s()}, Series::Style::dashed, Series::grey});
  std::vector<double> square;
  for (std::size_t j = 0; j < m; ++j) square.push_back(c.mu.front() * c.r.front() * c.r.front() / c.r[j] / c.r[j]);
  profile.series.push_back({"r^{-2}", from_wall, square, Series::Style::line, 1});
  figure.panels.push_back(profile);
  figure.panels.push_back({"cell", "distance/d", "I, u (m/s)", false, true, {{"I", from_wall, c.inertial, Series::Style::line_points}, {"u", from_wall, velocity, Series::Style::line_points}}, {}, {}, {}});
  Panel scatter{"cell", "I", "mu", true, false, {}, {}, {}, {}};
  Series cloud{"snapshots", {}, {}, Series::Style::points, 5};
  for (std::size_t t = 0; t < c.snapshots; ++t)
    for (std::size_t j = 0; j < c.sheared; ++j)
      if (c.snapshot_inertial[t][j] > 0) cloud.x.push_back(c.snapshot_inertial[t][j]), cloud.y.push_back(c.snapshot_mu[t][j]);
  scatter.series = {cloud, {"mean profile", {c.inertial.begin(), c.inertial.begin() + static_cast<std::ptrdiff_t>(c.sheared)}, {c.mu.begin(), c.mu.begin() + static_cast<std::ptrdiff_t>(c.sheared)}, Series::Style::line_points, 0}};
  if (!cloud.x.empty()) {
    const auto [lowest, highest] = std::minmax_element(cloud.x.begin(), cloud.x.end());
    scatter.series.push_back(curve("mu(I) of plane shear", law, *lowest, *highest, 1));
  }
  figure.panels.push_back(scatter);
}

StudyResult Rheology::run(const StudySettings& s, const StudyProgress& progress) const {
  const std::string file = s.text("cell");
  StudyResult result;
  result.json["study"] = "rheology";
  Figure figure{"rheology", "", {}};
  if (!file.empty()) read_cell(file);  // a bad file is told before the runs
  const ShearRows rows = shear_rows(s, progress);
  const FrictionFit law = plane_shear(s, rows, result, figure);
  if (!file.empty()) cell(file, law, result, figure);
  result.figures.push_back(figure);
  return result;
}

}  // namespace

const Study& rheology_study() {
  static const Rheology study;
  return study;
}

}  // namespace scree
