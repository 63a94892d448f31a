// SPDX-License-Identifier: BSD-3-Clause
/// The grains of the studies of flows: glass beads of 1 mm, linear springs. Lengths are told in diameters d, times in
/// sqrt(d/g), speeds in sqrt(g d), so that the choice does not matter but for the stiffness, which is given in m g/d.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/run/step_advice.hpp"
#include "scree/studies/study.hpp"

namespace scree {

struct FlowGrains {
  double gravity = 9.81, diameter = 1e-3, density = 2500;  // m/s², m, kg/m³
  double spread = 0.1;                                     // of radii, uniform

  double mass() const { return std::numbers::pi / 6 * diameter * diameter * diameter * density; }
  double time() const { return std::sqrt(diameter / gravity); }
  double speed() const { return std::sqrt(diameter * gravity); }
  /// Half a period of two of the lightest in touch, in 25 steps.
  double step(double k) const {
    const double lightest = std::pow(1 - spread, 3) * mass();
    return std::numbers::pi * std::sqrt(lightest / 2 / k) / 25;
  }
  std::string radius() const { return fmt::format("{{ mean = {}, spread = {} }}", shortest(diameter / 2), shortest(spread)); }
};

/// Sorts the values of an option, each once: what is said of a series does not depend on how it was typed.
inline void in_order(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The step of a scene of a study, whose length and seeds are the study's: InputError if --set changes these.
inline double step_of_study(const AnyScene& scene, const StudySettings& s) {
  for (const std::string& one : s.overrides)
    for (const char* key : {"run.time", "run.steps", "scene.seed", "domain.box", "domain.periodic"})
      if (one.starts_with(std::string(key) + "="))
        throw InputError(fmt::format("--set {}: the study sets {} itself; its options are in --help", key, key));
  return std::visit([](const auto& one) { return step_of(one); }, scene);
}

/// A point of a scene file: in the plane without its middle coordinate.
inline std::string point_text(int dim, double x, double y, double z) {
  return dim == 3 ? fmt::format("[{}, {}, {}]", shortest(x), shortest(y), shortest(z)) : fmt::format("[{}, {}]", shortest(x), shortest(z));
}

}  // namespace scree
