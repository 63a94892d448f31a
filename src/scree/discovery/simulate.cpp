// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "scree/core/errors.hpp"
#include "scree/integrators/registry.hpp"

namespace scree {
namespace {

/// x' = f(t, x) as a system of one grain per variable, whose position along the first axis it is.
class OdeSystem final : public System<2, double> {
 public:
  using Rates = std::function<void(double, const std::vector<double>&, std::vector<double>&)>;
  OdeSystem(Rates rates, std::size_t n) : rates_(std::move(rates)), x_(n), dot_(n) {}

  void forces(const double&, State<2, double>&, Accelerations<2, double>&, SpringMove<double>) override {
    throw InputError("--integrator: expected one with stages (rk4, heun, …), which integrates equations of first order");
  }
  void rates(const double& t, State<2, double>& s, State<2, double>& dot, bool) override {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = s.x[i][0];
    rates_(t, x_, dot_);
    dot = s;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      dot.x[i] = {dot_[i], 0.0};
      dot.v[i] = {};
      dot.q[i] = turn_rate(s.q[i], s.w[i]);
      dot.w[i] = {};
      dot.e[i] = {};
    }
  }
  bool settles() const override { return false; }

 private:
  Rates rates_;
  std::vector<double> x_, dot_;
};

State<2, double> state_of(const std::vector<double>& x) {
  State<2, double> s;
  s.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.x[i] = {x[i], 0.0};
    s.v[i] = {};
    s.q[i] = no_turn<2, double>();
    s.w[i] = {};
    s.e[i] = {};
  }
  return s;
}

/// One equation, solved for its derivative: -Σ c a / Σ c b, where explicit ones have only b = -1 on the left.
struct Rate {
  std::vector<std::pair<double, Program>> top, bottom;
  double at(const std::vector<double>& x, const std::vector<double>& t) const {
    double a = 0, b = 0;
    for (const auto& [c, program] : top) a += c * program.at(x, t);
    for (const auto& [c, program] : bottom) b += c * program.at(x, t);
    return -a / b;
  }
};

}  // namespace

std::vector<SimulatedTrajectory> simulate(const Dataset& data, const Discovery& found, const std::string& integrator) {
  const Names& names = data.names;
  if (!names.timed || names.coordinates.size() != 1)
    throw InputError("--simulate: expected ordinary differential equations in time; these data are fields, or have no time");
  std::vector<Rate> rates;
  for (std::size_t f = 0; f < names.fields.size(); ++f) {
    const Expr unknown = derivative_expr(field_expr(f), {1});
    const std::string wanted = text_of(unknown, names);
    Rate rate;
    for (const FoundEquation& e : found.equations) {
      Rate one;
      bool good = true;
      const auto add = [&](double c, const Expr& term) {
        const Affine split = affine_in(term, unknown, names);
        std::vector<Expr> inside;
        collect_derivatives(split.is ? split.constant : term, names, inside);
        if (split.is) collect_derivatives(split.factor, names, inside);
        if (!split.is || !inside.empty()) good = false;
        if (!good) return;
        if (split.has_constant) one.top.emplace_back(c, Program(split.constant, {}, names));
        if (split.has_factor) one.bottom.emplace_back(c, Program(split.factor, {}, names));
      };
      add(-1, e.lhs_expression);
      for (const FoundTerm& t : e.terms) add(t.coefficient, t.expression);
      if (good && !one.bottom.empty()) rate = std::move(one);
    }
    const bool constant = std::all_of(data.samples.begin(), data.samples.end(), [&](const Sample& s) {
      return std::all_of(s.fields[f].begin(), s.fields[f].end(), [&](double x) { return x == s.fields[f][0]; });
    });
    if (rate.bottom.empty() && !constant) throw InputError(fmt::format("--simulate: there is no equation for {} without other derivatives", wanted));
    rates.push_back(std::move(rate));
  }
  std::vector<SimulatedTrajectory> all;
  const std::size_t n = names.fields.size();
  for (const Sample& s : data.samples) {
    SimulatedTrajectory one;
    one.sample = s.name;
    one.time = s.axes[0].at;
    one.data = s.fields;
    one.model.assign(n, std::vector<double>(s.points(), NAN));
    // from the first whole point on
    std::size_t first = 0;
    const auto whole = [&](std::size_t i) { return std::all_of(s.fields.begin(), s.fields.end(), [&](const auto& f) { return std::isfinite(f[i]); }); };
    while (first < s.points() && !whole(first)) ++first;
    std::vector<double> x;
    for (const auto& f : s.fields) x.push_back(f[first]);
    OdeSystem system([&](double t, const std::vector<double>& y, std::vector<double>& dot) {
      for (std::size_t f = 0; f < n; ++f) dot[f] = rates[f].bottom.empty() ? 0 : rates[f].at(y, {t});
    }, n);
    State<2, double> state = state_of(x);
    const auto stepper = make_integrator<2, double>(integrator, one.time[first]);
    constexpr int parts = 8;  // of a distance between rows
    double variance = 0;
    for (const auto& f : s.fields) {
      double mean = 0, square = 0, count = 0;
      for (const double y : f)
        if (std::isfinite(y)) mean += y, count += 1;
      mean /= count;
      for (const double y : f)
        if (std::isfinite(y)) square += (y - mean) * (y - mean);
      variance += square / count;
    }
    double square = 0, count = 0;
    bool parted = false;
    bool started = false;
    for (std::size_t i = first; i < s.points(); ++i) {
      if (i > first) {
        const double h = (one.time[i] - one.time[i - 1]) / parts;
        if (!started) stepper->start(system, state, one.time[i - 1], h);
        started = true;
        for (int k = 0; k < parts; ++k) stepper->step(system, state, one.time[i - 1] + k * h, h);
      }
      double away = 0;
      for (std::size_t f = 0; f < n; ++f) {
        one.model[f][i] = state.x[f][0];
        if (!std::isfinite(state.x[f][0]) || std::abs(state.x[f][0]) > 1e12) one.blew_up = true;
        if (std::isfinite(s.fields[f][i])) away += std::pow(state.x[f][0] - s.fields[f][i], 2);
      }
      if (one.blew_up) break;
      square += away, count += 1;
      if (!parted && away > 0.16 * variance) parted = true;
      if (!parted) one.valid_time = one.time[i] - one.time[first];
    }
    one.error = count > 0 && variance > 0 ? std::sqrt(square / count / variance) : 0;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace scree
