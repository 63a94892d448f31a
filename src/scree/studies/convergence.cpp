// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/studies/scalar_system.hpp"

namespace scree {
namespace {

constexpr std::array<std::int64_t, 8> factors{1, 3, 5, 7, 15, 21, 35, 105};

/// time = odd 2^exponent.
struct Dyadic {
  std::int64_t odd = 0;
  int exponent = 0;
};
Dyadic dyadic(double time) {
  int e = 0;
  const double f = std::frexp(time, &e);
  Dyadic d{static_cast<std::int64_t>(std::ldexp(f, 53)), e - 53};
  while (d.odd != 0 && d.odd % 2 == 0) d.odd /= 2, ++d.exponent;
  return d;
}

double size_of(const dd& x) { return std::abs(static_cast<double>(x)); }

double epsilon_of(const std::string& real) {
  return real == "double" ? std::numeric_limits<double>::epsilon()
                          : static_cast<double>(std::numeric_limits<dd>::epsilon());
}

template <class T, class F>
Outcome run_scalar(F f, const std::string& integrator, const T& h, std::int64_t steps) {
  ScalarSystem<T, F> system(f);
  State<2, T> s = ScalarSystem<T, F>::start(T(0), T(1));
  const auto scheme = make_integrator<2, T>(integrator, T(0));
  Outcome out;
  scheme->start(system, s, T(0), h);
  for (std::int64_t k = 0; k < steps; ++k) scheme->step(system, s, h * T(static_cast<double>(k)), h);
  out.x = {dd(s.x[0][0])};
  out.v = {dd(s.v[0][0])};
  out.q = {dd(s.q[0][0])};
  out.w = {dd(s.w[0][0])};
  out.steps = steps;
  out.time = static_cast<double>(h) * static_cast<double>(steps);
  out.force_calls = scheme->force_calls;
  return out;
}

/// max(y, 0)^q; quarters of an integer by square roots, which are rounded correctly.
template <class T> std::function<T(const T&)> power(double q) {
  using std::pow;
  using std::sqrt;
  if (q == 0.25) return [](const T& y) { return y > T(0) ? sqrt(sqrt(y)) : T(0); };
  if (q == 0.5) return [](const T& y) { return y > T(0) ? sqrt(y) : T(0); };
  if (q == 0.75) return [](const T& y) { return y > T(0) ? sqrt(y) * sqrt(sqrt(y)) : T(0); };
  return [q](const T& y) { return y > T(0) ? pow(y, T(q)) : T(0); };
}

}  // namespace

const std::vector<dd>& coordinates(const Outcome& o, Quantity of) {
  return of == Quantity::x ? o.x : of == Quantity::v ? o.v : of == Quantity::q ? o.q : o.w;
}
const std::vector<dd>& coordinates(const Reference& r, Quantity of) {
  return of == Quantity::x ? r.x : of == Quantity::v ? r.v : of == Quantity::q ? r.q : r.w;
}

double distance(const std::vector<dd>& a, const std::vector<dd>& b, double movers) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = static_cast<double>(a[k] - b[k]);
    sum += d * d;
  }
  return std::sqrt(sum / movers);
}

std::vector<double> dyadic_steps(double time, int coarsest, int finest, std::int64_t least) {
  const Dyadic t = dyadic(time);
  std::vector<double> steps;
  for (const std::int64_t m : factors) {
    if (t.odd % m != 0) continue;
    for (int k = coarsest; k <= finest; ++k) {
      // time/h = (odd/m) 2^(exponent + k)
      if (t.exponent + k < 0) continue;
      const double h = std::ldexp(static_cast<double>(m), -k);
      if (time / h >= static_cast<double>(least)) steps.push_back(h);
    }
  }
  std::sort(steps.rbegin(), steps.rend());
  return steps;
}

double dyadic_time(double time) {
  int e = 0;
  const double f = std::frexp(time, &e);
  return std::ldexp(std::round(std::ldexp(f, 10)), e - 10);
}

Problem scene_problem(const AnyScene& scene, double time) {
  Problem p;
  p.time = time;
  p.run = [scene](double h, std::int64_t steps) { return run_experiment(scene, h, steps); };
  p.epsilon = epsilon_of(header(scene).real);
  p.movers = std::visit(
      [](const auto& s) {
        return static_cast<double>(std::count(s.world.grains.held.begin(), s.world.grains.held.end(), 0));
      },
      scene);
  p.movers = std::max(p.movers, 1.0);
  p.exact = exact_reference(scene, time);
  return p;
}

Problem power_law_problem(double q, const std::string& integrator, const std::string& real, double time) {
  Problem p;
  p.time = time;
  p.epsilon = epsilon_of(real);
  p.run = [=](double h, std::int64_t steps) {
    return run_scalar<double>(power<double>(q), integrator, h, steps);
  };
  // y'' = y^q is a pair of unit mass whose force pushes it on instead of back.
  const auto y_to_q = power<dd>(q);
  const Approach end = integrate_approach([&](const dd& y, const dd&) { return dd(0) - y_to_q(y); }, dd(1), true,
                                          {dd(0), dd(1)}, dd(time));
  p.exact = Reference{"independent integration", {end.xi}, {end.rate}, {dd(0)}, {dd(0)}};
  return p;
}

Convergence converge(const Problem& problem, std::vector<double> steps, Quantity of,
                     const std::function<void(double)>& tell) {
  Convergence c;
  if (steps.empty()) return c;
  std::sort(steps.begin(), steps.end());
  double total = 0, done = 0;
  for (const double h : steps) total += problem.time / h;
  Reference reference;
  double finest = 0;  // the reference's step, if it is one
  if (problem.exact) reference = *problem.exact;
  std::size_t at = 0;  // the coordinate that is shown
  for (const double h : steps) {
    if (tell) tell(done / total);
    const std::int64_t n = std::llround(problem.time / h);
    ConvergencePoint p;
    p.outcome = problem.run(h, n);
    done += problem.time / h;
    if (!p.outcome.fault.empty()) {
      c.faults.push_back(fmt::format("h = {:.6g} s: {}", h, p.outcome.fault));
      continue;
    }
    const std::vector<dd>& here = coordinates(p.outcome, of);
    if (reference.kind.empty()) {
      reference = {"finest step", p.outcome.x, p.outcome.v, p.outcome.q, p.outcome.w};
      finest = h;
    }
    const std::vector<dd>& there = coordinates(reference, of);
    double scale = 0;
    for (std::size_t k = 0; k < there.size(); ++k)
      if (size_of(there[k]) > scale) {
        scale = size_of(there[k]);
        at = k;
      }
    p.h = h;
    p.steps = n;
    p.value = static_cast<double>(here[at]);
    p.error = distance(here, there, problem.movers);
    p.floor = 2 * problem.epsilon * scale * std::sqrt(static_cast<double>(n));
    if (h != finest) c.points.push_back(std::move(p));
  }
  std::reverse(c.points.begin(), c.points.end());
  c.reference = reference.kind;
  const auto fit = [&](double order) {
    std::vector<OrderPoint> points;
    for (const ConvergencePoint& p : c.points) {
      const double part = finest > 0 ? std::pow(finest / p.h, order) : 0;
      points.push_back({p.h, p.error / (1 - part), p.floor / (1 - part)});
    }
    return fit_order(std::move(points));
  };
  c.fit = fit(finest > 0 ? 2 : 0);
  for (int k = 0; finest > 0 && k < 4; ++k) c.fit = fit(std::max(c.fit.order, 0.5));
  return c;
}

}  // namespace scree
