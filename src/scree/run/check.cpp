// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/check.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "scree/integrators/registry.hpp"
#include "scree/laws/collision.hpp"
#include "scree/neighbours/hierarchy.hpp"
#include "scree/run/advisor.hpp"
#include "scree/run/describe.hpp"
#include "scree/run/energy_proof.hpp"
#include "scree/run/phases.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

/// Radius of a mean grain, and mass of a mean free one; 0 if none is free.
template <int D, class T>
std::pair<double, double> mean_grain(const World<D, T>& world) {
  const auto& g = world.grains;
  double mass = 0;
  std::size_t free = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    if (!g.held[i]) mass += static_cast<double>(g.m[i]), ++free;
  return {mean_radius(world), free > 0 ? mass / static_cast<double>(free) : 0.0};
}

/// Restitution, contact time and overlap of a typical pair at a slow, a usual and a fast impact.
template <int D, class T>
nlohmann::json collisions(const Scene<D, T>& scene, double speed) {
  nlohmann::json all = nlohmann::json::array();
  const auto [r, mass] = mean_grain(scene.world);
  if (!(mass > 0)) return all;
  for (std::size_t k = 0; k < scene.table.laws.size(); ++k) {
    const ContactLaws& laws = scene.table.laws[k];
    nlohmann::json points = nlohmann::json::array();
    for (const double v : {0.01 * speed, 0.1 * speed, speed}) {
      if (!(v > 0)) continue;
      const Collision c = collide(laws, r / 2, mass / 2, v);
      points.push_back({{"v", v}, {"e", c.restitution}, {"overlap", c.max_overlap}, {"force", c.max_force},
                        {"duration", std::isfinite(c.duration) ? nlohmann::json(c.duration) : nlohmann::json("sticks")}});
    }
    all.push_back({{"normal", law_text(laws.normal, laws.scaling)}, {"tangential", law_text(laws.tangential)},
                   {"rolling", law_text(laws.rolling)}, {"rotational", law_text(laws.rotational)}, {"attraction", laws.attraction}, {"points", points}});
  }
  return all;
}

/// What the advisor says of every pair of laws: the step for the wanted error with this scene's
/// integrator and with the cheapest one, and eps and step of the mollified root.
template <int D, class T>
nlohmann::json advice_on(const Scene<D, T>& scene, double speed, double dt, double error) {
  nlohmann::json all = nlohmann::json::array();
  const auto [r, mass] = mean_grain(scene.world);
  if (!(mass > 0)) return all;
  for (const ContactLaws& laws : scene.table.laws) {
    const Advice a = advise(laws, r, mass, speed, error, scene.run.integrator, scene.run.method);
    if (!a.known) continue;
    const auto name = [](const std::string& scheme) { return scheme.empty() ? nlohmann::json() : nlohmann::json(scheme); };
    nlohmann::json one{{"law", std::visit([](const auto& law) { return std::string(law.name); }, laws.normal)}, {"speed", a.speed}, {"contact_time", a.contact_time},
                       {"error", error}, {"cheapest", name(a.cheapest)}, {"cheapest_fixed", name(a.cheapest_fixed)}};
    const double now = find_method(scene.run.integrator)->adaptive
                           ? std::numeric_limits<double>::quiet_NaN()
                           : collision_error(laws, r, mass, speed, scene.run.integrator, dt, scene.run.method);
    one["error_now"] = std::isfinite(now) ? nlohmann::json(now) : nlohmann::json();
    one["schemes"] = nlohmann::json::array();
    for (const SchemeAdvice& s : a.schemes) {
      nlohmann::json scheme{{"integrator", s.integrator}, {"reaches", s.reaches}};
      if (s.reaches) {
        scheme["step"] = s.step;
        scheme["calls"] = s.calls;
        if (s.adaptive) scheme["tolerance"] = s.tolerance;
      }
      one["schemes"].push_back(scheme);
    }
    std::visit(
        [&](const auto& law) {
          using Law = std::remove_cvref_t<decltype(law)>;
          if constexpr (std::is_same_v<Law, KuwabaraKono> || std::is_same_v<Law, KKMollified> ||
                        std::is_same_v<Law, KKMollifiedFull>)
            one["eps_for_step"] = eps_for_step(laws, r, mass, speed, dt);
          if constexpr (requires { law.eps; }) {
            one["eps"] = law.eps;
            one["step_for_eps"] = step_for_eps(laws, r, mass, speed, law.eps);
          }
        },
        laws.normal);
    all.push_back(one);
  }
  return all;
}

/// Levels of cells that the sizes of the grains ask for: with one, `hierarchy` is `cells`.
template <int D, class T>
std::size_t size_levels(const Scene<D, T>& scene) {
  const auto& g = scene.world.grains;
  const Column<std::uint8_t> present(g.size(), 1);
  Hierarchy<D, T> hierarchy(scene.run.skin > 0 ? scene.run.skin : default_skin * mean_radius(scene.world));
  PairRows rows;
  hierarchy.find({scene.world.state.x, g.r, g.id, g.held, present, scene.world.domain}, rows);
  return hierarchy.levels().size();
}

/// Of the contacts of one grain in a frame: half of its four or so in a plane, or six in space, at two
/// ids and the numbers of FrameContacts.
template <int D> constexpr double contact_bytes = (D == 2 ? 2.0 : 3.0) * 8 * (2 + 1 + 3 * D + (D == 2 ? 1 : 3));

template <int D, class T>
nlohmann::json check_one(Scene<D, T>& scene, double error) {
  nlohmann::json j;
  const auto& g = scene.world.grains;
  double mass = 0, r_min = 1e300, r_max = 0;
  std::size_t held = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    held += g.held[i];
    if (!g.held[i]) mass += static_cast<double>(g.m[i]);
    r_min = std::min(r_min, static_cast<double>(g.r[i]));
    r_max = std::max(r_max, static_cast<double>(g.r[i]));
  }
  // What comes in and goes out later, in words.
  for (const Inlet<D>& inlet : scene.world.inlets) {
    r_min = std::min(r_min, inlet.r_min);
    r_max = std::max(r_max, inlet.r_max);
    const double end = std::min(scene.run.time, inlet.until);
    j["gates"].push_back(fmt::format("\"{}\" lets in {:.4g} grains per second from t = {:.4g} s on, {} by the end", inlet.name,
                                     inlet.rate, inlet.from, inlet.due(end)));
  }
  for (const Outlet<D>& outlet : scene.world.outlets)
    j["gates"].push_back(fmt::format("\"{}\" takes grains out {}", outlet.name,
                                     outlet.region.half_space ? "behind a plane" : "of a box"));
  const StepAdvice step = advise_step(scene);
  const double dt = step_of(scene);
  scene.run.dt = dt;
  const Method* method = find_method(scene.run.integrator);
  if (method && method->order_if_damped < method->order)
    scene.warnings.push_back(fmt::format("{} is of order {} only where forces depend on velocity (dashpots, friction); "
                                         "damped-verlet keeps order 2", method->name, method->order_if_damped));
  if (std::isfinite(step.recommended) && dt > 1.5 * step.recommended && !(method && method->adaptive))
    scene.warnings.push_back(fmt::format("dt = {:.4g} s is larger than the recommended {:.4g} s", dt, step.recommended));
  if (scene.run.neighbours == "cells" && r_max > 2 * r_min && size_levels(scene) > 1)
    scene.warnings.push_back(fmt::format("the largest grain is {:.3g} times the smallest, and small ones are many: "
                                         "neighbours = \"hierarchy\" finds partners faster than \"cells\"", r_max / r_min));
  j["scene"] = scene.name;
  j["dim"] = D;
  j["real"] = scene.real;
  j["grains"] = g.size();
  j["held"] = held;
  j["walls"] = scene.world.walls.size();
  j["mass"] = mass;
  j["radius"] = {{"min", r_min}, {"max", r_max}, {"mean", mean_radius(scene.world)}};
  if (!scene.world.shapes.empty()) {
    std::size_t polygons = 0, fewest = std::numeric_limits<std::size_t>::max(), most = 0;
    for (const ShapeIndex shape : g.shape) polygons += shape != 0;
    for (const GrainShape& shape : scene.world.shapes) {
      fewest = std::min(fewest, shape.corners.size());
      most = std::max(most, shape.corners.size());
    }
    j["polygons"] = {{"count", polygons}, {"fewest_corners", fewest}, {"most_corners", most}};
  }
  j["law"] = describe(scene.table, scene.world.materials);
  j["integrator"] = {{"name", scene.run.integrator}, {"order", method ? method->order : 0},
                     {"order_if_damped", method ? method->order_if_damped : 0},
                     {"force_calls", method ? method->force_calls : 0}};
  if (const auto times = bond_times(scene)) {
    using Theta = MethodSettings::Theta;
    const Theta kind = scene.run.method.theta;
    const EnergyProof proof = energy_proof(scene, *times);
    // null: for every step
    const nlohmann::json up_to = std::isfinite(proof.up_to) ? nlohmann::json(proof.up_to) : nlohmann::json();
    j["theta"] = {{"variant", theta_variants[static_cast<std::size_t>(kind)]},
                  {"gamma", {times->least, times->most}},
                  {"theta", {0.5 + times->least / (2 * dt), 0.5 + times->most / (2 * dt)}},
                  {"least_dt", kind == Theta::seed ? times->most : 0.0},
                  {"guard", is_guarded(scene.run.method)},
                  {"energy_never_grows", !(dt > proof.up_to * (1 + 1e-9))},
                  {"energy_falls_up_to_dt", up_to},
                  {"energy_not_proved", proof.why_not}};
  }
  const auto finite = [](double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); };
  j["step"] = {{"dt", dt}, {"contact_time", finite(step.contact_time)}, {"largest", finite(step.stable)},
               {"recommended", finite(step.recommended)}, {"speed", step.speed}, {"pair", step.pair}};
  j["collisions"] = collisions(scene, step.speed > 0 ? step.speed : 1.0);
  j["advice"] = advice_on(scene, step.speed > 0 ? step.speed : 1.0, dt, error);
  const double time = scene.run.time;
  const auto steps = static_cast<std::int64_t>(std::ceil(time / dt * (1 - 1e-12)));
  j["steps"] = steps;
  j["time"] = time;
  j["prepare"] = nlohmann::json::array();
  for (const Phase& phase : scene.prepare.phases)
    j["prepare"].push_back({{"name", phase.name}, {"time", phase.time}, {"steps", clock_of(phase, dt).steps}});

  // A few real steps tell cost and memory better than a formula.
  Simulation<D, T> sim(scene, dt, T(0));
  sim.start();
  const auto start = std::chrono::steady_clock::now();
  double spent = 0;
  std::int64_t done = 0;
  while (spent < 0.3 && done < steps) {
    sim.step();
    ++done;
    spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const double per_step = done > 0 ? spent / static_cast<double>(done) : 0;
  j["cost"] = {{"seconds", per_step * static_cast<double>(steps)}, {"threads", omp_get_max_threads()},
               {"grain_steps_per_s", per_step > 0 ? static_cast<double>(g.size()) / per_step : 0.0},
               {"measured_steps", done},
               {"memory_bytes", sim.bytes()}, {"bytes_per_grain", static_cast<double>(sim.bytes()) / static_cast<double>(g.size())}};
  const double every = scene.output.snapshot_every;
  const double frames = every > 0 ? time / every + 1
                        : scene.output.snapshot_steps > 0
                            ? static_cast<double>(steps) / static_cast<double>(scene.output.snapshot_steps) + 1
                            : 2;
  j["output"] = {{"frames", std::floor(frames)},
                 {"bytes", std::floor(frames) * static_cast<double>(g.size()) *
                               ((D == 2 ? 48.0 : 104.0) + (scene.output.contacts ? contact_bytes<D> : 0.0))}};
  j["warnings"] = scene.warnings;
  return j;
}

}  // namespace

nlohmann::json check_scene(AnyScene& scene, double error) {
  return std::visit([error](auto& one) { return check_one(one, error); }, scene);
}

}  // namespace scree
