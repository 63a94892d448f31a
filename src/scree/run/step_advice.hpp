// SPDX-License-Identifier: BSD-3-Clause
/// Which step a scene can bear: contacts are oscillators, and a step is a fraction of the shortest
/// half period that any pair of grains in the scene may show.
#pragma once

#include <string>

#include "scree/run/scene.hpp"

namespace scree {

struct StepAdvice {
  double speed = 0;  // m/s, the fastest impact to expect: see expected_speed()
  double contact_time =
      0;               // s, the shortest half period of any contact; infinite if nothing can touch
  std::string pair;    // the materials that have it, "glass-steel"
  std::string motion;  // and the motion: normal, tangential or rolling
  double stable = 0;   // s, a larger step is refused
  double recommended = 0;  // s, run.fraction of the contact time
};

/// Parts of a half period beyond which a step is refused. Normal contacts begin and end, which
/// takes some steps to see. Springs of friction only oscillate, and are bounded by Coulomb's limit:
/// at half of it a single one is still stable (the edge is 2/pi), a dense packing may not be, so
/// steps beyond a fifth are worth a warning.
inline constexpr double normal_part = 1.0 / 5, friction_part = 1.0 / 2;

/// The largest of the initial speeds, the speeds of moving walls and grains, and the speed of a
/// fall through the whole height of the scene. Contact times of Hertz' kind depend on it weakly,
/// as v^(-1/5).
template <int D, class T> double expected_speed(const World<D, T>&);

template <int D, class T> StepAdvice advise_step(const Scene<D, T>&);

/// The step of a run: as given, or as recommended.
template <int D, class T> double step_of(const Scene<D, T>& scene) {
  return scene.run.dt > 0 ? scene.run.dt : advise_step(scene).recommended;
}

}  // namespace scree
