// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/cell_rheology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "scree/core/errors.hpp"
#include "scree/discovery/read_data.hpp"
#include "scree/io/hdf5.hpp"

namespace scree {

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
  cell.left_out = frames.size() - whole.size();
  cell.reach = reach;
  if (cell.snapshots < 2) throw InputError(fmt::format("{}: {} snapshot of {} frames; expected at least 2 of as many frames", file, cell.snapshots, frames[whole[0]]));
  const GridAxis& radii = s.axes[1];
  std::vector<std::size_t> inside;  // rings whose kernel does not reach a wall: there the balances have no wall forces
  for (std::size_t k = 0; k < n; ++k)
    if (radii.at[k] > radii.at.front() + reach && radii.at[k] < radii.at.back() - reach) inside.push_back(k);
  if (inside.size() < 12) throw InputError(fmt::format("{}: only {} rings are farther than the reach of the kernel ({} m) from the ends; expected 12", file, inside.size(), reach));
  cell.r = radii.at;
  for (auto* v : {&cell.pressure, &cell.tau, &cell.mu, &cell.rate, &cell.inertial, &cell.phi, &cell.velocity, &cell.mu_spread, &cell.rate_error}) v->assign(n, 0.0);
  cell.data.names = {{"srr", "stt", "tau", "P", "rho", "u"}, {"r"}, false};
  const auto count = static_cast<double>(cell.snapshots);
  std::vector<double> mean_rate(n), square_rate(n), mean_density(n), mean_mu(n), square_mu(n);
  std::vector<double> inside_radii;
  for (const std::size_t k : inside) inside_radii.push_back(radii.at[k]);
  for (const std::size_t t : whole) {
    Sample one;
    one.name = fmt::format("{} (snapshot {})", file, t + 1);
    one.axes = {{inside_radii, false}};
    one.fields.resize(6);
    cell.snapshot_mu.emplace_back();
    cell.snapshot_inertial.emplace_back();
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
      mean_density[k] += rho / count;
      mean_rate[k] += shear / count;
      square_rate[k] += shear * shear / count;
      mean_mu[k] += mu / count;
      square_mu[k] += mu * mu / count;
      cell.snapshot_mu.back().push_back(mu);
      cell.snapshot_inertial.back().push_back(cell.diameter * std::abs(shear) * std::sqrt(rho / phi / p));
    }
    cell.data.samples.push_back(std::move(one));
  }
  for (std::size_t k = 0; k < n; ++k) {
    cell.rate[k] = std::abs(mean_rate[k]);
    cell.rate_error[k] = std::sqrt(std::max(square_rate[k] - mean_rate[k] * mean_rate[k], 0.0) / std::max(count - 1, 1.0));
    cell.mu[k] = std::abs(cell.tau[k]) / cell.pressure[k];
    cell.mu_spread[k] = std::sqrt(std::max(square_mu[k] - mean_mu[k] * mean_mu[k], 0.0));
    cell.inertial[k] = cell.diameter * cell.rate[k] * std::sqrt(mean_density[k] / cell.phi[k] / cell.pressure[k]);
  }
  while (cell.sheared < n && cell.rate[cell.sheared] > 3 * cell.rate_error[cell.sheared]) ++cell.sheared;
  return cell;
}

std::vector<SameInertial> same_inertial(const CellProfile& cell) {
  std::vector<SameInertial> all;
  const auto error = [&](std::size_t j) { return cell.mu_spread[j] / std::sqrt(static_cast<double>(std::max<std::size_t>(cell.snapshots, 2) - 1)); };
  for (std::size_t j = 0; j < cell.sheared; ++j)
    for (std::size_t k = j + 1; k + 1 < cell.sheared; ++k) {
      const double at = std::log(cell.inertial[j]), from = std::log(cell.inertial[k]), to = std::log(cell.inertial[k + 1]);
      if (!((at - from) * (at - to) <= 0) || from == to) continue;
      const double part = (at - from) / (to - from);
      SameInertial one;
      one.inertial = cell.inertial[j];
      one.r[0] = cell.r[j];
      one.mu[0] = cell.mu[j];
      one.error[0] = error(j);
      one.r[1] = (1 - part) * cell.r[k] + part * cell.r[k + 1];
      one.mu[1] = (1 - part) * cell.mu[k] + part * cell.mu[k + 1];
      one.error[1] = std::hypot((1 - part) * error(k), part * error(k + 1));
      const double unsure = std::hypot(one.error[0], one.error[1]);
      one.in_errors = unsure > 0 ? std::abs(one.mu[1] - one.mu[0]) / unsure : 0;
      all.push_back(one);
    }
  return all;
}

}  // namespace scree
