// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/fields/bins.hpp"
#include "scree/fields/checks.hpp"
#include "scree/fields/line_integral.hpp"
#include "scree/fields/records.hpp"

namespace scree::fields {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Turns a vector by -turn: from x, y to r, t.
void turn_vector(double* v, double c, double s) {
  const double x = v[0], y = v[1];
  v[0] = c * x + s * y;
  v[1] = -s * x + c * y;
}

/// The same with both indices of a D x D tensor.
template <int D>
void turn_tensor(double* t, double c, double s) {
  for (int a = 0; a < D; ++a) turn_vector(t + D * a, c, s);
  for (int b = 0; b < D; ++b) {
    const double x = t[b], y = t[D + b];
    t[b] = c * x + s * y;
    t[D + b] = -s * x + c * y;
  }
}

}  // namespace

SumLayout::SumLayout(int d, bool with_balance) : dim(d), spin(d == 2 ? 1 : 3), balance(with_balance) {
  const auto n = static_cast<std::size_t>(dim);
  std::size_t at = 0;
  const auto take = [&](std::size_t& place, std::size_t count) {
    place = at;
    at += count;
  };
  take(number, 1);
  take(volume, 1);
  take(mass, 1);
  take(radius, 1);
  take(inertia, 1);
  take(contacts, 1);
  take(momentum, n);
  take(spins, static_cast<std::size_t>(spin));
  take(fabric, n * n);
  take(mass_gradient, n);
  take(momentum_gradient, n * n);  // [a][b]: of component a along b
  take(stress, n * n);
  take(wall, n);
  take(kinetic, n * n);
  if (balance) {
    take(mass_rate, 1);
    take(momentum_rate, n);
    take(flux, n);
    take(divergence, n);
    take(body, n);
  }
  size = at;
}

CoarseGrainer::CoarseGrainer(const Grid& grid, const Settings& settings, const Surroundings& around)
    : grid_(grid), settings_(settings), around_(around),
      kernel_(settings.kernel, static_cast<int>(grid.axes.size()), settings.width), layout_(grid.dim, settings.balance) {
  check(grid, settings);
  const std::size_t n = std::max<std::size_t>(grid_.axes.size(), 1), samples = grid_.size() * grid_.samples();
  places_.assign(samples * n, 0.0);
  turns_.assign(samples, 0.0);
  scale_.assign(samples, 1 / grid_.measure);
  const bool normalised = settings_.border == Border::normalised && !grid_.axes.empty();
  const RegionMass inside(normalised ? settings_.domain : Region{}, grid_.axes);
  const auto count = static_cast<std::int64_t>(samples);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t at = 0; at < count; ++at) {
    const auto k = static_cast<std::size_t>(at);
    double* x = &places_[k * n];
    grid_.place(k / grid_.samples(), k % grid_.samples(), x, turns_[k]);
    if (!normalised) continue;
    const double part = inside(kernel_, x);
    scale_[k] = part >= least_inside ? scale_[k] / part : std::numeric_limits<double>::quiet_NaN();
  }
  for (std::size_t k = 0; k < samples; k += grid_.samples()) outside_ += std::isnan(scale_[k]) ? 1 : 0;
}

template <int D>
void CoarseGrainer::rotate(double* row, double turn) const {
  const double c = std::cos(turn), s = std::sin(turn);
  const SumLayout& l = layout_;
  turn_vector(row + l.momentum, c, s);
  if constexpr (D == 3) turn_vector(row + l.spins, c, s);
  turn_tensor<D>(row + l.fabric, c, s);
  turn_vector(row + l.mass_gradient, c, s);
  turn_tensor<D>(row + l.momentum_gradient, c, s);
  turn_tensor<D>(row + l.stress, c, s);
  turn_vector(row + l.wall, c, s);
  turn_tensor<D>(row + l.kinetic, c, s);
  if (l.balance)
    for (const std::size_t at : {l.momentum_rate, l.flux, l.divergence, l.body}) turn_vector(row + at, c, s);
}

template <int D, int N>
void CoarseGrainer::gather(const Frame& frame, FrameSums& sums) const {
  using Grain = GrainRecord<D, N>;
  constexpr std::size_t n = static_cast<std::size_t>(N);
  const SumLayout& l = layout_;
  const std::size_t per_point = grid_.samples(), points = grid_.size();
  const bool whole = kernel_.dim() == 0;
  const double reach = whole ? infinity : kernel_.reach(), reach2 = reach * reach;

  Window window;
  window.lo.fill(infinity);
  window.hi.fill(-infinity);
  for (std::size_t k = 0; k < points * per_point; ++k)
    for (std::size_t a = 0; a < n; ++a) {
      window.lo[a] = std::min(window.lo[a], places_[k * n + a] - reach);
      window.hi[a] = std::max(window.hi[a], places_[k * n + a] + reach);
    }
  const std::vector<int> axes = whole ? std::vector<int>{0} : grid_.axes;
  Surroundings around = around_;
  Settings settings = settings_;
  if (whole) {
    around.period = {};
    if (settings.border == Border::mirror) settings.border = Border::none;  // a mean over everything has no border
  }
  Records<D, N> records = make_records<D, N>(frame, around, settings, axes, window);
  const double line_reach = reach + records.longest;
  const auto cell = [&](double size) { return whole ? infinity : 0.5 * size; };
  const Bins<Grain, N> grains(std::move(records.grains), cell(reach), [](const Grain& g, double* x) {
    for (std::size_t a = 0; a < n; ++a) x[a] = g.x[a];
  });
  using Contact = ContactRecord<D, N>;
  const Bins<Contact, N> contacts(std::move(records.contacts), cell(line_reach), [&](const Contact& c, double* x) {
    for (std::size_t a = 0; a < n; ++a) x[a] = c.x[a] + 0.5 * c.branch[static_cast<std::size_t>(axes[a])];
  });
  using WallForce = WallRecord<D, N>;
  const Bins<WallForce, N> walls(std::move(records.walls), cell(reach), [](const WallForce& w, double* x) {
    for (std::size_t a = 0; a < n; ++a) x[a] = w.x[a];
  });

  struct Near {
    const Grain* grain;
    double phi;
  };
  const auto sample = [&](std::size_t at, double* row, std::vector<Near>& near) {
    const double* x = &places_[at * n];
    std::fill(row, row + l.size, 0.0);
    near.clear();
    grains.near(x, reach, [&](const Grain& g) {
      std::array<double, n> y{};
      double r2 = 0;
      for (std::size_t a = 0; a < n; ++a) {
        y[a] = x[a] - g.x[a];
        r2 += y[a] * y[a];
      }
      if (!(r2 < reach2) && !whole) return;
      double phi = 0, steep = 0;
      kernel_.value_and_slope(r2, phi, steep);
      near.push_back({&g, phi});
      row[l.number] += phi;
      row[l.volume] += g.volume * phi;
      row[l.mass] += g.mass * phi;
      row[l.radius] += g.radius * phi;
      row[l.inertia] += g.inertia * phi;
      row[l.contacts] += g.contacts * phi;
      for (std::size_t a = 0; a < D; ++a) row[l.momentum + a] += g.mass * g.v[a] * phi;
      for (std::size_t a = 0; a < static_cast<std::size_t>(spins<D>); ++a) row[l.spins + a] += g.inertia * g.w[a] * phi;
      std::size_t one = 0;
      for (std::size_t a = 0; a < D; ++a)
        for (std::size_t b = a; b < D; ++b) row[l.fabric + D * a + b] += g.volume * g.fabric[one++] * phi;
      double along = 0;  // v . grad phi
      for (std::size_t b = 0; b < n; ++b) {
        const auto axis = static_cast<std::size_t>(axes[b]);
        const double slope = steep * y[b];
        row[l.mass_gradient + axis] += g.mass * slope;
        for (std::size_t a = 0; a < D; ++a) row[l.momentum_gradient + D * a + axis] += g.mass * g.v[a] * slope;
        along += g.v[axis] * slope;
      }
      if (l.balance) {
        row[l.mass_rate] -= g.mass * along;
        for (std::size_t a = 0; a < D; ++a) {
          row[l.momentum_rate + a] += (g.force[a] + g.body[a]) * phi - g.mass * g.v[a] * along;
          row[l.flux + a] += g.mass * g.v[a] * along;
          row[l.body + a] += g.body[a] * phi;
        }
      }
    });
    for (std::size_t a = 0; a < D; ++a)
      for (std::size_t b = 0; b < a; ++b) row[l.fabric + D * a + b] = row[l.fabric + D * b + a];
    if (row[l.mass] > 0) {
      std::array<double, static_cast<std::size_t>(D)> mean{};
      for (std::size_t a = 0; a < D; ++a) mean[a] = row[l.momentum + a] / row[l.mass];
      for (const Near& one : near)
        for (std::size_t a = 0; a < D; ++a) {
          const double part = one.grain->mass * one.phi * (one.grain->v[a] - mean[a]);
          for (std::size_t b = a; b < D; ++b) row[l.kinetic + D * a + b] += part * (one.grain->v[b] - mean[b]);
        }
      for (std::size_t a = 0; a < D; ++a)
        for (std::size_t b = 0; b < a; ++b) row[l.kinetic + D * a + b] = row[l.kinetic + D * b + a];
    }
    contacts.near(x, line_reach, [&](const Contact& c) {
      std::array<double, n> y{}, b{};
      for (std::size_t a = 0; a < n; ++a) {
        y[a] = x[a] - c.x[a];
        b[a] = c.branch[static_cast<std::size_t>(axes[a])];
      }
      const Chord line = chord<N>(y.data(), b.data());
      if (!whole && (!(line.h2 < reach2) || line.t1 < -reach || line.t0 > reach)) return;
      const double weight = along_line(kernel_, line.h2, line.t0, line.t1);
      if (weight != 0)
        for (std::size_t a = 0; a < D; ++a)
          for (std::size_t d = 0; d < D; ++d) row[l.stress + D * a + d] += c.force[a] * c.branch[d] * weight;
      if (l.balance) {
        // b . grad phi(x - x_i - s b) is -d/dt phi times the length, t running along the line
        const double slope = -slope_along_line(kernel_, line.h2, line.t0, line.t1);
        for (std::size_t a = 0; a < D; ++a) row[l.divergence + a] += c.force[a] * slope;
      }
    });
    walls.near(x, reach, [&](const WallForce& w) {
      double r2 = 0;
      for (std::size_t a = 0; a < n; ++a) r2 += (x[a] - w.x[a]) * (x[a] - w.x[a]);
      const double phi = kernel_.value(r2);
      for (std::size_t a = 0; a < D; ++a) row[l.wall + a] += w.force[a] * phi;
    });
    for (std::size_t k = 0; k < l.size; ++k) row[k] *= scale_[at];
    if (grid_.polar()) rotate<D>(row, turns_[at]);
  };

  sums.values.assign(points * l.size, 0.0);
  const auto count = static_cast<std::int64_t>(points);
#pragma omp parallel
  {
    std::vector<Near> near;
    std::vector<double> ring(per_point > 1 ? per_point * l.size : 0);
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t point = 0; point < count; ++point) {
      double* row = &sums.values[static_cast<std::size_t>(point) * l.size];
      if (per_point == 1) {
        sample(static_cast<std::size_t>(point), row, near);
        continue;
      }
      for (std::size_t k = 0; k < per_point; ++k) {
        double* one = &ring[k * l.size];
        sample(static_cast<std::size_t>(point) * per_point + k, one, near);
        for (std::size_t q = 0; q < l.size; ++q) row[q] += one[q];
      }
      // fluctuations about the mean velocity of the ring: those about each sample's own, and those of the samples
      if (row[l.mass] > 0)
        for (std::size_t k = 0; k < per_point; ++k) {
          const double* one = &ring[k * l.size];
          if (!(one[l.mass] > 0)) continue;
          for (std::size_t a = 0; a < D; ++a)
            for (std::size_t b = 0; b < D; ++b)
              row[l.kinetic + D * a + b] += one[l.mass] *
                                            (one[l.momentum + a] / one[l.mass] - row[l.momentum + a] / row[l.mass]) *
                                            (one[l.momentum + b] / one[l.mass] - row[l.momentum + b] / row[l.mass]);
        }
      for (std::size_t q = 0; q < l.size; ++q) row[q] /= static_cast<double>(per_point);
    }
  }
}

FrameSums CoarseGrainer::operator()(const Frame& frame) const {
  if (frame.dim != grid_.dim) throw InputError("fields: the frame and the grid have different dimensions");
  FrameSums sums;
  sums.has_contacts = frame.has_contacts;
  const std::size_t n = grid_.axes.size();
  if (grid_.dim == 2) {
    if (n == 2) gather<2, 2>(frame, sums);
    else gather<2, 1>(frame, sums);
  } else {
    if (n == 3) gather<3, 3>(frame, sums);
    else if (n == 2) gather<3, 2>(frame, sums);
    else gather<3, 1>(frame, sums);
  }
  return sums;
}

}  // namespace scree::fields
