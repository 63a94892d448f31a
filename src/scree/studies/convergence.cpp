// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/core/dd_math.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
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

template <class T>
Outcome run_scalar(std::function<T(const T&)> f, const std::string& integrator, const T& h, std::int64_t steps) {
  using Power = ScalarSystem<T, std::function<T(const T&)>>;
  Power system(std::move(f));
  State<2, T> s = Power::start(T(0), T(1));
  MethodSettings settings;
  if (find_method(integrator)->adaptive) settings.tolerance = 1e300;  // held to the step: it accepts any
  const auto scheme = make_integrator<2, T>(integrator, T(0), settings);
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
  if (q == 0.25) return [](const T& y) { return y > T(0) ? sqrt(sqrt(y)) : T(0); };
  if (q == 0.5) return [](const T& y) { return y > T(0) ? sqrt(y) : T(0); };
  if (q == 0.75) return [](const T& y) { return y > T(0) ? sqrt(y) * sqrt(sqrt(y)) : T(0); };
  return [q](const T& y) { return y > T(0) ? pow(y, T(q)) : T(0); };
}

/// In the number types that scenes may have.
template <class S> Outcome run_in(double q, const std::string& integrator, double h, std::int64_t steps) {
  using T = typename decltype(S{}.world.grains.r)::value_type;
  return run_scalar<T>(power<T>(q), integrator, T(h), steps);
}
template <std::size_t K = 0>
Outcome run_power_law(double q, const std::string& integrator, const std::string& real, double h, std::int64_t steps) {
  if constexpr (K < std::variant_size_v<AnyScene>) {
    using S = std::variant_alternative_t<K, AnyScene>;
    using T = typename decltype(S{}.world.grains.r)::value_type;
    if (real == (std::is_same_v<T, double> ? "double" : "dd")) return run_in<S>(q, integrator, h, steps);
    return run_power_law<K + 1>(q, integrator, real, h, steps);
  } else {
    throw InputError("--real: this version computes in double only, found " + in_quotes(real));
  }
}

}  // namespace

const std::vector<dd>& coordinates(const Outcome& o, Quantity of) {
  return of == Quantity::x ? o.x : of == Quantity::v ? o.v : of == Quantity::q ? o.q : o.w;
}
const std::vector<dd>& coordinates(const Reference& r, Quantity of) {
  return of == Quantity::x ? r.x : of == Quantity::v ? r.v : of == Quantity::q ? r.q : r.w;
}

double distance(const std::vector<dd>& a, const std::vector<dd>& b, const std::vector<bool>& free) {
  const std::size_t each = a.size() / free.size();
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = free[k / each] ? static_cast<double>(a[k] - b[k]) : 0;
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::ptrdiff_t>(1, std::count(free.begin(), free.end(), true))));
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

Problem scene_problem(const std::vector<AnyScene>& scenes, double time) {
  Problem p;
  p.time = time;
  p.epsilon = epsilon_of(header(scenes.front()).real);
  for (const AnyScene& scene : scenes)
    p.variants.push_back({[scene](double h, std::int64_t steps) { return run_experiment(scene, h, steps); },
                          exact_reference(scene, time)});
  p.free = std::visit(
      [](const auto& s) {
        const auto& g = s.world.grains;
        std::vector<bool> free;
        for (const std::uint32_t i : order_by_id(g.id)) free.push_back(!g.held[i]);
        return free;
      },
      scenes.front());
  return p;
}

Problem power_law_problem(double q, const std::string& integrator, const std::string& real, double time) {
  Problem p;
  p.time = time;
  p.epsilon = epsilon_of(real);
  Variant one;
  one.run = [=](double h, std::int64_t steps) { return run_power_law(q, integrator, real, h, steps); };
  // y'' = y^q is a pair of unit mass whose force pushes it on instead of back.
  const auto y_to_q = power<dd>(q);
  const Approach end =
      integrate_approach([&](const dd& y, const dd&) { return -y_to_q(y); }, 1.0, true, {0.0, 1.0}, time);
  one.exact = Reference{"independent integration", {end.xi}, {end.rate}, {dd(0)}, {dd(0)}, 1e-27};
  p.variants = {one};
  return p;
}

Convergence converge(const Problem& problem, std::vector<double> steps, Quantity of,
                     const std::function<void(double)>& tell) {
  Convergence c;
  if (steps.empty()) return c;
  std::sort(steps.begin(), steps.end());
  double total = 0, done = 0;
  for (const double h : steps) total += problem.time / h;
  std::vector<Reference> references(problem.variants.size());
  for (std::size_t k = 0; k < references.size(); ++k)
    if (problem.variants[k].exact) references[k] = *problem.variants[k].exact;
  double finest = 0;  // the reference's step, if it is one
  for (const double h : steps) {
    const std::int64_t n = std::llround(problem.time / h);
    ConvergencePoint p;
    p.h = h;
    p.steps = n;
    double squares = 0;
    bool failed = false;
    for (std::size_t k = 0; k < problem.variants.size() && !failed; ++k) {
      if (tell) tell((done + problem.time / h * static_cast<double>(k) / static_cast<double>(references.size())) / total);
      Outcome o = problem.variants[k].run(h, n);
      failed = !o.fault.empty();
      if (failed) {
        c.faults.push_back(fmt::format("h = {:.6g} s: {}", h, o.fault));
        break;
      }
      Reference& reference = references[k];
      if (reference.kind.empty()) {
        reference = {"finest step", o.x, o.v, o.q, o.w, 0};
        finest = h;
      }
      const std::vector<dd>&here = coordinates(o, of), &there = coordinates(reference, of);
      const double e = distance(here, there, problem.free);
      squares += e * e;
      p.errors.push_back(e);
      if (k == 0) {
        double scale = 0;
        const std::size_t each = there.size() / problem.free.size();
        for (std::size_t i = 0; i < there.size(); ++i)
          if (problem.free[i / each] && size_of(there[i]) > scale) {
            scale = size_of(there[i]);
            p.value = static_cast<double>(here[i]);
          }
        // Of an error of four times round-off a quarter may be round-off: no order is read below.
        p.floor = 4 * scale * (2 * problem.epsilon * std::sqrt(static_cast<double>(n)) + reference.accuracy);
        p.outcome = std::move(o);
      }
    }
    done += problem.time / h;
    p.error = std::sqrt(squares / static_cast<double>(references.size()));
    if (!failed && h != finest) c.points.push_back(std::move(p));
  }
  std::reverse(c.points.begin(), c.points.end());
  c.reference = references.front().kind;
  const auto fit = [&](double order) {
    std::vector<OrderPoint> points;
    for (const ConvergencePoint& p : c.points) {
      const double rest = finest > 0 ? 1 - std::pow(finest / p.h, order) : 1;
      points.push_back({p.h, p.error / rest, p.floor / rest});
    }
    return fit_order(std::move(points));
  };
  c.fit = fit(2);
  for (int k = 0; finest > 0 && k < 4; ++k) c.fit = fit(std::max(c.fit.order, 0.5));
  return c;
}

}  // namespace scree
