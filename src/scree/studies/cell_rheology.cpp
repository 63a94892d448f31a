// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/cell_rheology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "scree/analysis/moments.hpp"
#include "scree/analysis/radial_profile.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/discovery/read_data.hpp"
#include "scree/io/hdf5.hpp"
#include "scree/io/run_file.hpp"

namespace scree {
namespace {

constexpr std::size_t units_of_a_cell = 6;

/// The standard error of the mean of a ring's values, by the means of the units.
double error_over_units(const CellProfile& cell, const std::vector<std::vector<double>>& values, std::size_t ring) {
  std::vector<double> sum(cell.units), count(cell.units);
  for (std::size_t t = 0; t < values.size(); ++t) sum[cell.unit[t]] += values[t][ring], count[cell.unit[t]] += 1;
  for (std::size_t u = 0; u < cell.units; ++u) sum[u] /= count[u];
  return moments(sum).stderr_;
}

/// mu with its spread and error, from the snapshots.
void average_stresses(CellProfile& cell) {
  const std::size_t n = cell.r.size();
  const auto count = static_cast<double>(cell.snapshots);
  for (auto* v : {&cell.mu, &cell.mu_spread, &cell.mu_error}) v->assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    double mean = 0, square = 0;
    for (const auto& one : cell.snapshot_mu) mean += one[k] / count;
    for (const auto& one : cell.snapshot_mu) square += (one[k] - mean) * (one[k] - mean) / count;
    cell.mu[k] = std::abs(cell.tau[k]) / cell.pressure[k];
    cell.mu_spread[k] = std::sqrt(square);
    cell.mu_error[k] = error_over_units(cell, cell.snapshot_mu, k);
  }
}

/// Mean rates, their errors and I, and how many rings are known to be sheared.
void average_rates(CellProfile& cell) {
  const std::size_t n = cell.r.size();
  const auto count = static_cast<double>(cell.snapshot_rate.size());
  cell.rate.assign(n, 0.0);
  cell.inertial.assign(n, 0.0);
  cell.rate_error.assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    double mean = 0;
    for (const auto& one : cell.snapshot_rate) mean += one[k] / count;
    cell.rate[k] = std::abs(mean);
    cell.rate_error[k] = error_over_units(cell, cell.snapshot_rate, k);
    cell.inertial[k] = cell.inertial_of(k, cell.rate[k], cell.pressure[k]);
  }
  cell.sheared = 0;
  while (cell.sheared < n && cell.rate[cell.sheared] > 3 * cell.rate_error[cell.sheared]) ++cell.sheared;
}

}  // namespace

double CellProfile::inertial_of(std::size_t ring, double shear_rate, double p) const { return diameter * shear_rate * std::sqrt(density[ring] / phi[ring] / p); }

CellProfile read_cell(const std::string& file) {
  DataSettings settings;
  settings.files = {file};
  settings.variables = {"stress_rr", "stress_rt", "stress_tr", "stress_tt", "density", "volume_density", "velocity_t", "velocity_gradient_rt", "velocity_gradient_tr"};
  const Dataset raw = read_data(settings);
  const Sample& s = raw.samples.front();
  if (raw.names.coordinates != std::vector<std::string>{"t", "r"})
    throw InputError(file + ": expected a series of radial profiles (scree fields RUN --coordinates r --frames A:B --each N --out FILE.h5)");
  // the fields in the order in which they stand in the file
  const auto field = [&](const char* name) -> const std::vector<double>& {
    return s.fields[static_cast<std::size_t>(std::find(raw.names.fields.begin(), raw.names.fields.end(), name) - raw.names.fields.begin())];
  };
  CellProfile cell;
  double reach = 0;
  std::vector<std::int64_t> frames;
  try {
    const hdf5::File h5 = hdf5::File::open(file);
    cell.diameter = 2 * h5.real("grain_radius");
    reach = h5.real("reach");
    frames = h5.read<std::int64_t>("frames");
  } catch (const RunError& error) {
    throw InputError(error.what());
  }
  const std::size_t n = s.axes[1].size();
  // averages over fewer frames, as the last may be, are noisier than the others
  std::vector<std::size_t> whole;
  if (frames.size() != s.axes[0].size()) throw InputError(fmt::format("{}: {} counts of frames for {} snapshots", file, frames.size(), s.axes[0].size()));
  for (std::size_t t = 0; t < frames.size(); ++t)
    if (frames[t] == *std::max_element(frames.begin(), frames.end())) whole.push_back(t);
  cell.snapshots = whole.size();
  cell.units = std::min(units_of_a_cell, cell.snapshots);
  for (std::size_t t = 0; t < cell.snapshots; ++t) cell.unit.push_back(t * cell.units / cell.snapshots);
  cell.left_out = frames.size() - whole.size();
  cell.reach = reach;
  if (cell.snapshots < 2) throw InputError(fmt::format("{}: {} snapshot of {} frames; expected at least 2 of as many frames", file, cell.snapshots, frames[whole[0]]));
  const GridAxis& radii = s.axes[1];
  std::vector<std::size_t> inside;  // rings whose kernel does not reach a wall: there the balances have no wall forces
  for (std::size_t k = 0; k < n; ++k)
    if (radii.at[k] > radii.at.front() + reach && radii.at[k] < radii.at.back() - reach) inside.push_back(k);
  if (inside.size() < 12) throw InputError(fmt::format("{}: only {} rings are farther than the reach of the kernel ({} m) from the ends; expected 12", file, inside.size(), reach));
  cell.r = radii.at;
  for (auto* v : {&cell.pressure, &cell.tau, &cell.phi, &cell.velocity, &cell.density}) v->assign(n, 0.0);
  cell.data.names = {{"srr", "stt", "tau", "P", "rho", "u"}, {"r"}, false};
  const auto count = static_cast<double>(cell.snapshots);
  std::vector<double> inside_radii;
  for (const std::size_t k : inside) inside_radii.push_back(radii.at[k]);
  for (const std::size_t t : whole) {
    Sample one;
    one.name = fmt::format("{} (snapshot {})", file, t + 1);
    one.axes = {{inside_radii, false}};
    one.fields.resize(6);
    for (auto* list : {&cell.snapshot_mu, &cell.snapshot_inertial, &cell.snapshot_pressure, &cell.snapshot_tau, &cell.snapshot_rate}) list->emplace_back();
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = t * n + k;
      const double rr = field("stress_rr")[at], tt = field("stress_tt")[at], tau = 0.5 * (field("stress_rt")[at] + field("stress_tr")[at]);
      const double p = -0.5 * (rr + tt), u = field("velocity_t")[at], rho = field("density")[at], phi = field("volume_density")[at];
      const double shear = field("velocity_gradient_tr")[at] + field("velocity_gradient_rt")[at], mu = std::abs(tau) / p;
      const std::pair<const char*, double> needed[] = {{"stress", rr + tt + tau}, {"pressure", p}, {"velocity_t", u}, {"density", rho}, {"volume_density", phi}, {"velocity_gradient", shear}};
      for (const auto& [what, value] : needed)
        if (!std::isfinite(value)) throw InputError(fmt::format("{}: snapshot {}, ring {} (r = {} m): {} is missing or not finite", file, t + 1, k + 1, radii.at[k], what));
      if (!(p > 0 && rho > 0 && phi > 0))
        throw InputError(fmt::format("{}: snapshot {}, ring {} (r = {} m): pressure {}, density {} and volume_density {} should be above 0", file, t + 1, k + 1, radii.at[k], p, rho, phi));
      if (std::find(inside.begin(), inside.end(), k) != inside.end()) {
        const double values[6] = {rr, tt, tau, p, rho, u};
        for (std::size_t f = 0; f < 6; ++f) one.fields[f].push_back(values[f]);
      }
      cell.pressure[k] += p / count;
      cell.tau[k] += tau / count;
      cell.phi[k] += phi / count;
      cell.velocity[k] += u / count;
      cell.density[k] += rho / count;
      cell.snapshot_pressure.back().push_back(p);
      cell.snapshot_tau.back().push_back(tau);
      cell.snapshot_rate.back().push_back(shear);
      cell.snapshot_mu.back().push_back(mu);
      cell.snapshot_inertial.back().push_back(cell.diameter * std::abs(shear) * std::sqrt(rho / phi / p));
    }
    cell.data.samples.push_back(std::move(one));
  }
  cell.clear = inside.front();
  cell.from = s.axes[0].at[whole.front()];
  cell.to = s.axes[0].at[whole.back()];
  average_stresses(cell);
  average_rates(cell);
  return cell;
}

void take_rates(CellProfile& cell, const std::string& run) {
  const RunReader reader = [&] {
    try {
      return RunReader(run);
    } catch (const RunError& error) {
      throw InputError(error.what());  // somebody named it
    }
  }();
  if (reader.info().dim != 2) throw InputError(run + ": expected a run in the plane");
  const std::size_t n = cell.r.size(), parts = cell.snapshots;
  const double width = cell.r[1] - cell.r[0];
  const auto half = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(0.5 * cell.diameter / width)));
  std::vector<std::size_t> frames;
  for (std::size_t k = 0; k < reader.size(); ++k)
    if (reader.times()[k] >= cell.from - 1e-9 && reader.times()[k] <= cell.to + 1e-9) frames.push_back(k);
  if (frames.size() < 2 * parts)
    throw InputError(fmt::format("{}: {} frames from t = {} to {} s, the times of the fields; expected at least {}", run, frames.size(), brief(cell.from), brief(cell.to), 2 * parts));
  const std::size_t intervals = std::min(frames.size() - 1, std::max<std::size_t>(2 * parts, 300));
  const auto frame_of = [&](std::size_t k) { return frames[k * (frames.size() - 1) / intervals]; };
  cell.snapshot_rate.clear();
  Frame before = reader.frame(frame_of(0));
  std::size_t at = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    RadialProfile profile(0, 0, cell.r.front() - 0.5 * width, cell.r.back() + 0.5 * width, n);
    for (; at < intervals * (part + 1) / parts; ++at) {
      const Frame after = reader.frame(frame_of(at + 1));
      Frame between = after;
      if (after.id != before.id) throw InputError(fmt::format("{}: grains come or go between t = {} and {} s", run, brief(before.time), brief(after.time)));
      for (std::size_t i = 0; i < after.x.size(); ++i) {
        between.x[i] = 0.5 * (before.x[i] + after.x[i]);
        between.v[i] = (after.x[i] - before.x[i]) / (after.time - before.time);
      }
      profile.observe(between);
      before = after;
    }
    const auto rows = profile.rows();
    cell.snapshot_rate.emplace_back(n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t lo = k < half ? 0 : k - half, hi = std::min(k + half, n - 1);
      cell.snapshot_rate.back()[k] = cell.r[k] * (rows[hi].rate - rows[lo].rate) / (cell.r[hi] - cell.r[lo]);
    }
  }
  average_rates(cell);
}

CellProfile pool_cells(const std::vector<CellProfile>& cells) {
  CellProfile all = cells.at(0);
  if (cells.size() == 1) return all;
  all.cells = all.units = cells.size();
  for (auto* v : {&all.pressure, &all.tau, &all.phi, &all.velocity, &all.density}) v->assign(all.r.size(), 0.0);
  for (auto* list : {&all.snapshot_mu, &all.snapshot_inertial, &all.snapshot_pressure, &all.snapshot_tau, &all.snapshot_rate}) list->clear();
  all.unit.clear();
  all.data.samples.clear();
  all.left_out = 0;
  double count = 0;
  for (const CellProfile& one : cells) count += static_cast<double>(one.snapshots);
  all.snapshots = static_cast<std::size_t>(count);
  using Means = std::vector<double> CellProfile::*;
  using Snapshots = std::vector<std::vector<double>> CellProfile::*;
  for (std::size_t u = 0; u < cells.size(); ++u) {
    const CellProfile& one = cells[u];
    if (one.r != all.r || one.clear != all.clear) throw InputError("cells that are taken together have other rings; use the same --counts, --min, --max and --width of scree fields");
    const double part = static_cast<double>(one.snapshots) / count;
    for (const Means mean : {&CellProfile::pressure, &CellProfile::tau, &CellProfile::phi, &CellProfile::velocity, &CellProfile::density})
      for (std::size_t k = 0; k < all.r.size(); ++k) (all.*mean)[k] += part * (one.*mean)[k];
    for (const Snapshots list : {&CellProfile::snapshot_mu, &CellProfile::snapshot_inertial, &CellProfile::snapshot_pressure, &CellProfile::snapshot_tau, &CellProfile::snapshot_rate})
      (all.*list).insert((all.*list).end(), (one.*list).begin(), (one.*list).end());
    all.unit.insert(all.unit.end(), one.snapshots, u);
    all.data.samples.insert(all.data.samples.end(), one.data.samples.begin(), one.data.samples.end());
    all.left_out += one.left_out;
  }
  average_stresses(all);
  average_rates(all);
  return all;
}

FlowCurve flow_curve(const CellProfile& cell, const std::vector<double>& unit_weight) {
  FlowCurve curve;
  std::vector<double> weight;  // of the snapshots
  for (const std::size_t u : cell.unit) weight.push_back(unit_weight.empty() ? 1 : unit_weight[u]);
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (std::size_t k = 0; k < cell.r.size(); ++k) {
    double p = 0, tau = 0, rate = 0;
    for (std::size_t t = 0; t < weight.size(); ++t) {
      p += weight[t] * cell.snapshot_pressure[t][k] / total;
      tau += weight[t] * cell.snapshot_tau[t][k] / total;
      rate += weight[t] * cell.snapshot_rate[t][k] / total;
    }
    curve.mu.push_back(std::abs(tau) / p);
    curve.inertial.push_back(cell.inertial_of(k, std::abs(rate), p));
  }
  return curve;
}

std::vector<SameInertial> same_inertial(const CellProfile& cell) {
  std::vector<SameInertial> all;
  for (std::size_t j = 0; j < cell.sheared; ++j)
    for (std::size_t k = j + 1; k + 1 < cell.sheared; ++k) {
      const double at = std::log(cell.inertial[j]), from = std::log(cell.inertial[k]), to = std::log(cell.inertial[k + 1]);
      if (!((at - from) * (at - to) <= 0) || from == to) continue;
      const double part = (at - from) / (to - from);
      SameInertial one;
      one.inertial = cell.inertial[j];
      one.r[0] = cell.r[j];
      one.mu[0] = cell.mu[j];
      one.error[0] = cell.mu_error[j];
      one.r[1] = (1 - part) * cell.r[k] + part * cell.r[k + 1];
      one.mu[1] = (1 - part) * cell.mu[k] + part * cell.mu[k + 1];
      one.error[1] = std::hypot((1 - part) * cell.mu_error[k], part * cell.mu_error[k + 1]);
      const double unsure = std::hypot(one.error[0], one.error[1]);
      one.in_errors = unsure > 0 ? std::abs(one.mu[1] - one.mu[0]) / unsure : 0;
      all.push_back(one);
    }
  return all;
}

}  // namespace scree
