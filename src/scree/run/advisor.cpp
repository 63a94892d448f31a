// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/advisor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/laws/collision.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

/// Two equal grains on a line, `gap` apart.
Scene<2, double> pair_scene(const ContactLaws& laws, double r, double m, double speed, double gap,
                            const std::string& integrator) {
  Scene<2, double> scene;
  scene.run.integrator = integrator;
  scene.run.max_overlap = 1.9;  // what a scene thinks of large overlaps is not the question here
  scene.world.materials.push_back({"grain", 1.0, Body::sphere, 0, 0, 0.3});
  scene.world.groups.push_back({});
  scene.table.laws.push_back(laws);
  scene.table.laws.back().tangential = Frictionless{};
  scene.table.laws.back().rolling = Frictionless{};
  scene.table.of_pair = {0};
  scene.table.materials = 1;
  auto& g = scene.world.grains;
  auto& s = scene.world.state;
  g.resize(2);
  s.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1 : 1;
    g.r[i] = r;
    g.m[i] = m;
    g.inertia[i] = 0.4 * m * r * r;
    g.id[i] = static_cast<std::uint32_t>(i);
    s.x[i] = {side * (r + gap / 2), 0};
    s.v[i] = {-side * speed / 2, 0};
    s.q[i] = no_turn<2, double>();
    g.home[i] = s.x[i];
  }
  return scene;
}

struct Trial {
  double error = 0;
  std::int64_t calls = 0, steps = 0;
};

/// First touch lies a fraction of a step after the start, and the run ends well after the contact.
Trial collide_once(const ContactLaws& laws, double r, double m, double speed, const std::string& integrator, double step,
                   const MethodSettings& settings, const Collision& exact, double place) {
  auto scene = pair_scene(laws, r, m, speed, place * speed * step, integrator);
  scene.run.method = settings;
  Trial trial{std::numeric_limits<double>::quiet_NaN(), 0, 0};
  try {
    Simulation<2, double> sim(scene, step, 0.0);
    sim.start();
    const auto steps = static_cast<std::int64_t>(std::ceil(exact.duration * 1.2 / step)) + 3;
    for (std::int64_t k = 0; k < steps && !sim.engine().fault(); ++k) sim.step();
    const auto& s = scene.world.state;
    const double apart = std::abs(s.v[0][0] - s.v[1][0]);
    trial = {std::abs(apart / speed - exact.restitution), sim.integrator().force_calls, sim.integrator().accepted};
    if (sim.engine().fault()) trial.error = std::numeric_limits<double>::quiet_NaN();
  } catch (const RunError&) {
  }
  return trial;
}

constexpr double places[] = {0.21, 0.55, 0.83};

Trial worst_of(const ContactLaws& laws, double r, double m, double speed, const std::string& integrator, double step,
               const MethodSettings& settings, const Collision& exact) {
  Trial worst;
  for (const double place : places) {
    const Trial one = collide_once(laws, r, m, speed, integrator, step, settings, exact, place);
    if (!(one.error <= worst.error)) worst.error = one.error;  // also a NaN
    worst.calls = std::max(worst.calls, one.calls);
    worst.steps = std::max(worst.steps, one.steps);
    if (std::isnan(worst.error)) return worst;
  }
  return worst;
}

SchemeAdvice try_steps(const ContactLaws& laws, double r, double m, double speed, const Method& method,
                       const MethodSettings& wanted, const Collision& exact, double t, double error) {
  SchemeAdvice advice;
  advice.integrator = method.name;
  advice.adaptive = method.adaptive;
  double last = 0;
  for (int k = 3; k <= 13; ++k) {
    MethodSettings settings = wanted;
    double step = t * std::ldexp(1.0, -k);
    if (method.adaptive) {  // looser tolerances first; the run's step is where it may report
      settings.tolerance = error * speed * t * std::pow(10.0, 4 - k);
      settings.h_min = t * 1e-5;  // smaller ones would not be cheap
      step = t / 4;
    }
    const Trial trial = worst_of(laws, r, m, speed, advice.integrator, step, settings, exact);
    if (!(trial.error <= error)) {
      last = trial.error;
      continue;
    }
    advice.reaches = true;
    const double span = exact.duration * 1.2 + 3 * step;
    if (method.adaptive) {
      advice.tolerance = settings.tolerance;
      advice.step = span / static_cast<double>(std::max<std::int64_t>(trial.steps, 1));
      advice.calls = static_cast<double>(trial.calls) * t / span;
    } else {
      // between this step and the last one that failed, by the order that the two errors show
      double factor = 1;
      if (last > error && trial.error > 0 && trial.error < error) {
        const double order = std::log2(last / trial.error);
        factor = std::clamp(std::pow(error / trial.error, 1 / order), 1.0, 2.0);
      }
      advice.step = step * factor;
      advice.calls = static_cast<double>(trial.calls) * t / span / factor;
    }
    return advice;
  }
  return advice;
}

/// The units in which h_eps(eps) holds for every Kuwabara-Kono contact: contact
/// time and overlap of the undamped pair.
struct Units {
  double time, length;
};
Units units_of(const ContactLaws& laws, double r, double m, double speed) {
  NormalPair pair = normal_pair(laws, r / 2, m / 2);
  pair.damping = 0;
  const Collision c = collide(pair, speed);
  return {c.duration, c.max_overlap};
}

/// The seeds' h_eps = 2.50 eps^1.18 (SI) on table 3.1 of seed 003: its pair of k = 4.4e10 N m^-3/2, one grain of
/// 19300 kg/m³ and 1 m against a fixed one, at 1 m/s.
constexpr double fit_factor = 2.50, fit_exponent = 1.18;
Units table_units() {
  ContactLaws laws;
  laws.normal = Hertz{4.4e10};
  const double m = 4.0 / 3 * 3.14159265358979323846 * 19300;
  return units_of(laws, 1.0, 2 * m, 1.0);  // one grain fixed: the reduced mass is m
}

}  // namespace

double collision_error(const ContactLaws& laws, double r, double m, double speed, const std::string& integrator, double step,
                       const MethodSettings& settings) {
  const Collision exact = collide(laws, r / 2, m / 2, speed);
  if (exact.sticks || !std::isfinite(exact.duration)) return std::numeric_limits<double>::quiet_NaN();
  return worst_of(laws, r, m, speed, integrator, step, settings, exact).error;
}

Advice advise(const ContactLaws& laws, double r, double m, double speed, double error, const std::string& own,
              const MethodSettings& settings) {
  Advice advice;
  advice.speed = speed;
  advice.error = error;
  const Collision exact = collide(laws, r / 2, m / 2, speed);
  if (exact.sticks || !std::isfinite(exact.duration) || !(speed > 0)) return advice;
  advice.known = true;
  advice.contact_time = exact.duration;
  double fewest = std::numeric_limits<double>::infinity(), fewest_fixed = fewest;
  for (const Method& method : methods()) {
    advice.schemes.push_back(try_steps(laws, r, m, speed, method, method.name == own ? settings : MethodSettings{}, exact, exact.duration, error));
    const SchemeAdvice& one = advice.schemes.back();
    if (one.reaches && one.calls < fewest) {
      fewest = one.calls;
      advice.cheapest = one.integrator;
    }
    if (one.reaches && !one.adaptive && one.calls < fewest_fixed) {
      fewest_fixed = one.calls;
      advice.cheapest_fixed = one.integrator;
    }
  }
  return advice;
}

double step_for_eps(const ContactLaws& laws, double r, double m, double speed, double eps) {
  const Units here = units_of(laws, r, m, speed), there = table_units();
  return here.time / there.time * fit_factor * std::pow(eps * there.length / here.length, fit_exponent);
}

double eps_for_step(const ContactLaws& laws, double r, double m, double speed, double step) {
  const Units here = units_of(laws, r, m, speed), there = table_units();
  return here.length / there.length * std::pow(step * there.time / here.time / fit_factor, 1 / fit_exponent);
}

}  // namespace scree
