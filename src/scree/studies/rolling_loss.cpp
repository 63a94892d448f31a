// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/rolling_loss.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/studies/experiment.hpp"

namespace scree {
namespace {

constexpr double radius = 0.05, speed = 0.5, Y = 1e7, mass_per_area = 5000, g = 9.81;
constexpr int corners = 24;

double lost(const std::string& shape, double height, double arm, const std::string& tangential, const std::string& rotational, double h,
            double time, const std::vector<std::string>& overrides) {
  const std::string text = fmt::format(R"([scene]
name = "a wheel"
dim = 2

[domain]
gravity = [0.0, -{g}]

[material.stone]
density = {density}
body = "disc"
height = 1.0

[[grains]]
build = "points"
material = "stone"
radius = {radius}
{shape}positions = [[0.0, {height}]]
velocity = [{speed}, 0.0]
spin = {spin}

[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [0.0, 1.0]

[contact]
normal = {{ law = "overlap-area", Y = {Y}, gamma = 0.5 }}
tangential = {tangential}
{rotational}
[run]
integrator = "velocity-verlet"
dt = {h}
time = {time}
)",
                                       fmt::arg("g", g), fmt::arg("density", mass_per_area), fmt::arg("radius", radius), fmt::arg("shape", shape),
                                       fmt::arg("height", shortest(height)), fmt::arg("speed", speed), fmt::arg("spin", shortest(-speed / arm)),
                                       fmt::arg("Y", Y), fmt::arg("tangential", tangential),
                                       fmt::arg("rotational", rotational.empty() ? "" : "rotational = " + rotational + "\n"),
                                       fmt::arg("h", shortest(h)), fmt::arg("time", shortest(time)));
  const AnyScene scene = read_scene_text(text, "wheel", overrides);
  const auto steps = static_cast<std::int64_t>(std::ceil(time / h * (1 - 1e-12)));
  double first = -1, last = 0;
  const Outcome end = run_experiment(scene, h, steps, {std::max<std::int64_t>(1, steps), [&](const Frame& f) {
                                                         last = f.energies.kinetic + f.energies.rotational;
                                                         if (first < 0) first = last;
                                                         return true;
                                                       }});
  if (!end.fault.empty()) throw RunError("wheel: " + end.fault);
  return 1 - last / first;
}

}  // namespace

RollingLoss rolling_loss(const std::string& tangential, const std::string& rotational, double h, double time,
                         const std::vector<std::string>& overrides) {
  // Both begin where the floor bears them: Y A/l = m g with l = 4 r. A disk has A = (4/3) sqrt(2 r) ξ^{3/2}, a polygon
  // that lies on a side of length c has A = c ξ.
  const double pi = std::numbers::pi, round = mass_per_area * pi * radius * radius;
  const double depth = std::pow(4 * radius * round * g / Y * 0.75 / std::sqrt(2 * radius), 2.0 / 3);
  const double inner = radius * std::cos(pi / corners), side = 2 * radius * std::sin(pi / corners);
  const double angular = mass_per_area * 0.5 * corners * radius * radius * std::sin(2 * pi / corners);
  const double sunk = 4 * inner * angular * g / Y / side;
  const std::string shape = fmt::format("shape = {{ kind = \"polygon\", sides = {} }}\nangle = {}\n", corners, shortest(-pi / 2 + pi / corners));
  return {lost("", radius - depth, radius - depth, tangential, rotational, h, time, overrides),
          lost(shape, inner - sunk, radius, tangential, rotational, h, time, overrides)};
}

}  // namespace scree
