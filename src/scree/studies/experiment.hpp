// SPDX-License-Identifier: BSD-3-Clause
/// One run of a study: a scene moved to its end in memory, without files, and what is to be known
/// of it afterwards to every digit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/core/dd.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/studies/settle.hpp"

namespace scree {

/// How a run ended. Coordinates are in id order, component after component; dd holds the digits of
/// every number type.
struct Outcome {
  std::vector<dd> x, v, q, w;
  Energies energies;
  double time = 0;                 // s
  std::int64_t steps = 0;          // macro steps of the run
  std::int64_t force_calls = 0, accepted = 0, rejected = 0, iterations = 0;
  std::int64_t guarded = 0, redone = 0;  // kk-theta: steps whose gain of energy was taken out; of those, done again
  double taken = 0;                      // J
  double largest_overlap = 0;      // over the smaller radius
  double wall_s = 0;               // s, processor time of the stepping
  std::string fault;               // not empty: why the run stopped early
};

/// Called before the first step and after every `every`-th step, but not before `from`; returning false ends the run.
struct Observer {
  std::int64_t every = 0;  // 0: never
  std::function<bool(const Frame&)> look;
  bool contacts = false;  // frames with contacts and their forces
  std::int64_t from = 0;  // the first step that is of interest
};

/// Moves a copy of the scene `steps` steps of `dt`. What goes wrong on the way (a grain that is
/// lost, an adaptive step that cannot be made small enough) ends the run and is told in `fault`.
/// `end`, if given, is filled with the last state, springs included (of a scene in double): another
/// run can begin from it.
/// InputError if the scene wants to settle first and no rested start is given.
///
/// A scene from text: read_scene_text(text, name, overrides), run/read_scene.hpp.
Outcome run_experiment(const AnyScene& scene, double dt, std::int64_t steps, const Observer& observer = {},
                       const Settled* rested = nullptr, Settled* end = nullptr);

}  // namespace scree
