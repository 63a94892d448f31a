// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/friction_law.hpp"

#include <algorithm>
#include <cmath>

#include "scree/analysis/student.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

constexpr double largest_i_0 = 10;  // that is tried, far above the inertial numbers of dense flows

double shape(FrictionForm form, double i, double c) {
  switch (form) {
    case FrictionForm::constant: return 0;
    case FrictionForm::linear: return i;
    case FrictionForm::root: return std::sqrt(i);
    case FrictionForm::logarithm: return std::log(i);
    case FrictionForm::power: return std::pow(i, c);
    case FrictionForm::parabola: return i + c * i * i;
    case FrictionForm::root_pole: return std::sqrt(i) + c / std::sqrt(i);
    case FrictionForm::mu_of_i: return 1 / (1 + c / i);
  }
  return 0;
}

/// Places where the nonlinear parameter is tried.
std::vector<double> grid(FrictionForm form, int count) {
  std::vector<double> all;
  if (form == FrictionForm::mu_of_i)
    for (int k = 0; k <= count; ++k) all.push_back(1e-3 * std::pow(1e3 * largest_i_0, static_cast<double>(k) / count));
  else if (form == FrictionForm::power)
    for (int k = 1; k <= count; ++k) all.push_back(3.0 * k / count);
  else if (form == FrictionForm::parabola)
    for (int k = 0; k <= count; ++k) all.push_back(-5 + 10.0 * k / count);
  else if (form == FrictionForm::root_pole)
    for (int k = 0; k <= count; ++k) all.push_back(1e-5 * std::pow(1e5, static_cast<double>(k) / count));
  else all.push_back(0);
  return all;
}

FrictionFit fit(FrictionForm form, const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& weight, int count) {
  FrictionFit best;
  bool first = true;
  double n = 0;
  for (std::size_t j = 0; j < mu.size(); ++j) n += weight.empty() ? 1 : weight[j];
  const std::vector<double> tried = grid(form, count);
  for (const double c : tried) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t j = 0; j < mu.size(); ++j) {
      const double u = shape(form, inertial[j], c), w = (weight.empty() ? 1 : weight[j]) / n;
      x += w * u;
      y += w * mu[j];
      xx += w * u * u;
      xy += w * u * mu[j];
    }
    FrictionFit one{form, y, 0, c, 0, tried.size() > 1 && (c == tried.front() || c == tried.back())};
    if (form != FrictionForm::constant) {
      one.b = (xy - x * y) / (xx - x * x);
      one.a = y - one.b * x;
    }
    for (std::size_t j = 0; j < mu.size(); ++j) one.chi2 += (weight.empty() ? 1 : weight[j]) * std::pow(mu[j] - one.at(inertial[j]), 2);
    if (first || one.chi2 < best.chi2) best = one;
    first = false;
  }
  return best;
}

std::vector<double> weights(const std::vector<double>& stderr_) {
  std::vector<double> w;
  for (const double s : stderr_) w.push_back(1 / (s * s));
  return w;
}

}  // namespace

const std::vector<FrictionForm>& friction_forms() {
  static const std::vector<FrictionForm> all{FrictionForm::constant, FrictionForm::linear, FrictionForm::root, FrictionForm::logarithm, FrictionForm::power, FrictionForm::parabola, FrictionForm::root_pole, FrictionForm::mu_of_i};
  return all;
}

std::string name_of(FrictionForm form) {
  switch (form) {
    case FrictionForm::constant: return "constant";
    case FrictionForm::linear: return "a + b I";
    case FrictionForm::root: return "a + b sqrt(I)";
    case FrictionForm::logarithm: return "a + b ln(I)";
    case FrictionForm::power: return "a + b I^c";
    case FrictionForm::parabola: return "a + b I + c I^2";
    case FrictionForm::root_pole: return "a + b sqrt(I) + c/sqrt(I)";
    case FrictionForm::mu_of_i: return "mu(I)";
  }
  return {};
}

double FrictionFit::at(double inertial) const { return a + b * shape(form, inertial, c); }

FrictionFit fit_friction(FrictionForm form, const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& weight) {
  return fit(form, inertial, mu, weight, 4000);
}

HeldOut leave_one_out(FrictionForm form, const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& stderr_) {
  HeldOut h;
  for (std::size_t k = 0; k < mu.size(); ++k) {
    auto x = inertial, y = mu, s = stderr_;
    for (auto* list : {&x, &y, &s}) list->erase(list->begin() + static_cast<std::ptrdiff_t>(k));
    const double error = fit(form, x, y, weights(s), 1000).at(inertial[k]) - mu[k];
    h.error += error * error;
    h.squares.push_back(error * error / (stderr_[k] * stderr_[k]));
    h.in_sigmas += h.squares.back();
  }
  h.error = std::sqrt(h.error / static_cast<double>(mu.size()));
  h.in_sigmas = std::sqrt(h.in_sigmas / static_cast<double>(mu.size()));
  return h;
}

Worse compare(const HeldOut& rival, const HeldOut& own) {
  Worse w;
  const auto n = static_cast<double>(own.squares.size());
  double square = 0;
  for (std::size_t k = 0; k < own.squares.size(); ++k) w.by += (rival.squares[k] - own.squares[k]) / n;
  for (std::size_t k = 0; k < own.squares.size(); ++k) square += std::pow(rival.squares[k] - own.squares[k] - w.by, 2);
  w.stderr_ = n > 1 ? std::sqrt(square / n / (n - 1)) : 0;
  return w;
}

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const FrictionFit fit = fit_friction(FrictionForm::linear, x, y);
  const auto n = static_cast<double>(x.size());
  double mean = 0, square = 0;
  for (const double one : x) mean += one / n;
  for (const double one : x) square += (one - mean) * (one - mean);
  LineFit line{fit.a, fit.b, {}, {}, std::sqrt(fit.chi2 / (n - 2))};
  const double t = student_95(static_cast<int>(x.size()) - 2);
  const double a = t * line.scatter * std::sqrt(1 / n + mean * mean / square), b = t * line.scatter / std::sqrt(square);
  line.a_interval = {line.a - a, line.a + a};
  line.b_interval = {line.b - b, line.b + b};
  return line;
}

std::vector<FrictionFit> friction_draws(const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& stderr_, std::uint64_t seed, int draws) {
  std::vector<FrictionFit> fits;
  const auto w = weights(stderr_);
  for (int d = 0; d < draws; ++d) {
    Random random(seed, 0x72686575, static_cast<std::uint32_t>(d));
    auto y = mu;
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += stderr_[k] * random.normal();
    fits.push_back(fit(FrictionForm::mu_of_i, inertial, y, w, 400));
  }
  return fits;
}

FrictionIntervals friction_intervals(const std::vector<double>& inertial, const std::vector<double>& mu, const std::vector<double>& stderr_, std::uint64_t seed, int draws) {
  std::vector<double> s, two, zero;
  for (const FrictionFit& one : friction_draws(inertial, mu, stderr_, seed, draws)) {
    s.push_back(one.mu_s());
    two.push_back(one.mu_2());
    zero.push_back(one.i_0());
  }
  const auto interval = [&](std::vector<double>& v) {
    std::sort(v.begin(), v.end());
    const auto at = [&](double q) { return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))]; };
    return Interval{at(0.025), at(0.975)};
  };
  FrictionIntervals all{interval(s), interval(two), interval(zero), false};
  all.unbounded = all.i_0.hi >= 0.99 * largest_i_0;
  return all;
}

}  // namespace scree
