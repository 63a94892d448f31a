// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/couette_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/difference_weights.hpp"
#include "scree/core/errors.hpp"
#include "scree/fields/body_force.hpp"
#include "scree/fields/derivatives.hpp"
#include "scree/fields/field_set.hpp"

namespace scree {
namespace {

constexpr int order = 6;
constexpr std::size_t margin = order / 2;

/// What is kept of a frame: per point.
struct Kept {
  double time = 0;
  std::vector<double> rho, p;            // fields
  std::vector<double> div_p, force;      // by differences: div p; div(p p/rho) - div s - t
  std::vector<double> exact_force;       // the same by the kernel's gradient
  std::vector<double> size;              // of the largest term of the momentum balance
  std::vector<double> mass_left, momentum_left;  // what the exact balances leave
};

Kept keep(const fields::CoarseGrainer& grainer, const Frame& frame) {
  const fields::FrameSums sums = grainer(frame);
  const std::vector<fields::Field> all = fields::fields_of(grainer, sums.values, sums.has_contacts);
  const auto field = [&](const char* name) -> const fields::Field& { return *fields::find_field(all, name); };
  const fields::Grid& g = grainer.grid();
  const auto d = [&](const char* name, std::size_t axis) { return fields::derivative(g, field(name), axis, order).values; };
  const auto rx = d("density", 0), ry = d("density", 1), px = d("momentum", 0), py = d("momentum", 1), sx = d("stress", 0), sy = d("stress", 1);
  Kept k;
  k.time = frame.time;
  k.rho = field("density").values;
  k.p = field("momentum").values;
  const auto& V = field("velocity").values;
  const bool wall = fields::find_field(all, "wall_force") != nullptr;
  const bool exact = grainer.settings().balance;  // normalised fields have no such terms
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::size_t points = g.size();
  for (std::size_t i = 0; i < points; ++i) {
    const double div = px[2 * i] + py[2 * i + 1];
    k.div_p.push_back(div);
    const double v[2]{V[2 * i], V[2 * i + 1]};
    k.mass_left.push_back(exact ? field("continuity_residual").values[i] : unknown);
    // gravity and damping are linear in mass and momentum: those of the fields give their density
    double body[3]{};
    fields::add_body_force(grainer.around(), frame.time, k.rho[i], v, body);
    double size = 0;
    for (std::size_t a = 0; a < 2; ++a) {
      const double flux = v[a] * div + v[0] * (px[2 * i + a] - v[a] * rx[i]) + v[1] * (py[2 * i + a] - v[a] * ry[i]);
      const double stress = sx[4 * i + 2 * a] + sy[4 * i + 2 * a + 1];
      const double push = (wall ? field("wall_force").values[2 * i + a] : 0) + body[a];
      k.force.push_back(flux - stress - push);
      const auto term_of = [&](const char* name) { return exact ? field(name).values[2 * i + a] : unknown; };
      k.exact_force.push_back(term_of("flux_divergence") - term_of("stress_divergence") - push);
      k.momentum_left.push_back(term_of("momentum_residual"));
      for (const double term : {flux, exact ? term_of("stress_divergence") : stress, push, term_of("momentum_rate")})
        if (std::isfinite(term)) size = std::max(size, std::abs(term));
    }
    k.size.push_back(size);
  }
  return k;
}

}  // namespace

StripBalance strip_balance(const std::vector<Frame>& frames, const RunInfo& info, const std::string& boundary, const StripRules& rules) {
  if (frames.size() < 2 * margin + 1) throw InputError("couette: the balances need at least 7 frames in a row");
  fields::Plan plan;
  plan.coordinates = "xy";
  const auto along = static_cast<std::size_t>(std::llround((rules.to - rules.from) / rules.spacing));
  const double half = 0.5 * rules.spacing * static_cast<double>(rules.across);
  plan.counts = {along, rules.across};
  plan.lo = {rules.from, -half};
  plan.hi = {rules.from + rules.spacing * static_cast<double>(along), half};
  plan.width = rules.width;
  plan.boundary = boundary;
  plan.balance = boundary != "normalised";
  if (boundary == "normalised") plan.domain = fields::Region::annulus(0, 0, rules.inner, rules.outer).text(2);
  const fields::Resolved r = fields::resolve(plan, info, frames.front());
  const fields::CoarseGrainer grainer(r.grid, r.settings, r.around);
  std::vector<Kept> kept;
  for (const Frame& f : frames) kept.push_back(keep(grainer, f));

  StripBalance out;
  out.boundary = boundary;
  out.spacing = rules.spacing;
  out.r.assign(r.grid.ticks[0].begin() + margin, r.grid.ticks[0].end() - margin);
  const std::size_t n = out.r.size(), across = rules.across;
  const std::vector<Residual*> all{&out.continuity, &out.continuity_lag, &out.momentum, &out.momentum_lag, &out.momentum_time,
                                   &out.continuity_exact, &out.momentum_exact};
  for (Residual* one : all) {
    one->mean.assign(n, 0.0);
    one->largest.assign(n, 0.0);
  }
  out.mass_scale.assign(n, 0.0);
  out.momentum_scale.assign(n, 0.0);
  // means of x and y apart until the end
  std::vector<std::vector<std::array<double, 2>>> sums(all.size(), std::vector<std::array<double, 2>>(n));
  std::vector<double> count(n, 0.0);
  for (std::size_t t = margin; t + margin < kept.size(); ++t) {
    std::vector<double> times;
    for (std::size_t k = t - margin; k <= t + margin; ++k) times.push_back(kept[k].time);
    const auto now = difference_weights(kept[t].time, times), later = difference_weights(kept[t].time + rules.lag, times),
               sooner = difference_weights(kept[t].time - rules.lag, times);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = margin; j + margin < across; ++j) {
        const std::size_t point = (i + margin) * across + j;
        if (!(kept[t].rho[point] > 0)) continue;  // where there are no grains there is nothing to balance
        const auto rate = [&](const std::vector<double>& weights, std::size_t width, std::size_t a, auto member) {
          double sum = 0;
          for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * (kept[t - margin + k].*member)[point * width + a];
          return sum;
        };
        std::array<std::array<double, 2>, 7> left{};
        const double rho_t = rate(now, 1, 0, &Kept::rho);
        left[0][0] = rho_t + kept[t].div_p[point];
        left[1][0] = rate(sooner, 1, 0, &Kept::rho) + kept[t].div_p[point];
        left[5][0] = kept[t].mass_left[point];
        for (std::size_t a = 0; a < 2; ++a) {
          const double p_t = rate(later, 2, a, &Kept::p);
          left[2][a] = rate(now, 2, a, &Kept::p) + kept[t].force[2 * point + a];
          left[3][a] = p_t + kept[t].force[2 * point + a];
          left[4][a] = p_t + kept[t].exact_force[2 * point + a];
          left[6][a] = kept[t].momentum_left[2 * point + a];
        }
        for (std::size_t k = 0; k < left.size(); ++k)
          for (std::size_t a = 0; a < 2; ++a) {
            if (!std::isfinite(left[k][a])) continue;  // at the edge of what has grains
            sums[k][i][a] += left[k][a];
            all[k]->largest[i] = std::max(all[k]->largest[i], std::abs(left[k][a]));
          }
        count[i] += 1;
        out.mass_scale[i] = std::max({out.mass_scale[i], std::abs(rho_t), std::abs(kept[t].div_p[point])});
        out.momentum_scale[i] = std::max(out.momentum_scale[i], kept[t].size[point]);
      }
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      if (count[i] > 0) all[k]->mean[i] = std::max(std::abs(sums[k][i][0]), std::abs(sums[k][i][1])) / count[i];
  return out;
}

namespace {

/// The largest of `values` over the radii that are wanted.
double most(const StripBalance& b, const std::vector<double>& values, bool away, const StripRules& rules) {
  double largest = 0;
  for (std::size_t i = 0; i < b.r.size(); ++i) {
    const double room = away ? rules.width : 0;
    if (b.r[i] < rules.inner + room || b.r[i] > rules.outer - room) continue;
    largest = std::max(largest, values[i]);
  }
  return largest;
}

bool of_mass(const StripBalance& b, const Residual& r) {
  return &r == &b.continuity || &r == &b.continuity_lag || &r == &b.continuity_exact;
}

}  // namespace

double StripBalance::largest(const Residual& of, bool away, const StripRules& rules) const {
  return most(*this, of.largest, away, rules) / most(*this, of_mass(*this, of) ? mass_scale : momentum_scale, away, rules);
}
double StripBalance::mean(const Residual& of, bool away, const StripRules& rules) const {
  return most(*this, of.mean, away, rules) / most(*this, of_mass(*this, of) ? mass_scale : momentum_scale, away, rules);
}
double StripBalance::absolute(const Residual& of, bool away, const StripRules& rules) const { return most(*this, of.mean, away, rules); }

}  // namespace scree
