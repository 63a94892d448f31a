// SPDX-License-Identifier: BSD-3-Clause
/// A scene: a scene file after reading and checking, ready to run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/fields/live.hpp"
#include "scree/grains/world.hpp"
#include "scree/integrators/system.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

/// [run]
struct RunSettings {
  std::string integrator = "damped-verlet";
  MethodSettings method;      // of the integrator
  double dt = 0;              // s; 0: "auto", a fraction of the shortest contact time
  double fraction = 0.04;     // of the shortest contact time, for dt = "auto"
  double time = 0;            // s
  std::string neighbours = "cells";
  double skin = 0;            // m; 0: chosen from the radii
  double max_overlap = 0.5;   // of the smaller radius: beyond it the run stops
  bool ahead = true;          // several steps may go through a large bed at once
  bool orientations = true;   // false: they stay as they are, since round grains do not ask for them
  bool ledger = true;         // false: what contacts dissipate is not booked
  Sleep sleep;
};

/// A phase of [prepare], at t < 0.
struct Phase {
  std::string name;        // windows may begin or end with it; "": it has none
  double time = 0;         // s, at most
  double rest = 1e-3;      // at rest when every grain's kinetic energy is below rest * m g r; 0: nobody asks
  double dt = 0;           // s; 0: as in [run]
  double damping = 0;      // 1/s: extra global damping while preparing
  bool must_rest = false;  // fail when the time is up and some grain still moves
  double end = 0;          // s: when the next one begins, or the run
};

/// [prepare]: the grains come to rest at t < 0; walls with until = 0 are gone when the run starts.
struct PrepareSettings {
  bool wanted = false;
  std::vector<Phase> phases;
};

/// [start]: the run goes on from a frame of another one, of the same grains.
struct StartSettings {
  std::string run;            // run.h5 or its folder; "": the run starts from what the scene builds
  std::optional<double> time; // s, of the frame; none: the last one
};

/// [output]
struct OutputSettings {
  double snapshot_every = 0;          // s; 0: by steps
  std::int64_t snapshot_steps = 0;    // 0: by time; both 0: only first and last
  double energy_every = 0;            // s; 0: 1/500 of the run
  double checkpoint_every = 60;       // wall-clock s
  bool contacts = false;              // contacts with forces in every snapshot
  bool vtk = false;
  bool pictures = true;
};

/// What does not depend on dimension and number type.
struct SceneHeader {
  std::string name;
  std::string file;       // as the user gave it
  std::string text;       // the file's text with the overrides applied, as recorded in the run file
  std::uint64_t hash = 0; // XXH64 of text
  int dim = 2;
  std::string real = "double";
  std::uint64_t seed = 1;
  RunSettings run;
  PrepareSettings prepare;
  StartSettings start;
  OutputSettings output;
  std::vector<fields::LiveSettings> fields;  // [[fields]]
  std::uint64_t start_hash = 0;  // of everything that the prepared state depends on: the key of its cache
  std::vector<std::string> warnings;
};

template <int D, class T>
struct Scene : SceneHeader {
  World<D, T> world;
  ContactTable table;
};

using AnyScene = std::variant<Scene<2, double>, Scene<3, double>, Scene<2, dd>, Scene<3, dd>>;

inline const SceneHeader& header(const AnyScene& scene) {
  return std::visit([](const auto& s) -> const SceneHeader& { return s; }, scene);
}
inline SceneHeader& header(AnyScene& scene) {
  return std::visit([](auto& s) -> SceneHeader& { return s; }, scene);
}

/// The viscous times γ of the contacts that a scene may have, s.
struct BondTimes {
  double least = 0, most = 0;
};
/// None if the integrator does not ask for them.
template <int D, class T> std::optional<BondTimes> bond_times(const Scene<D, T>& scene);

/// Reads, checks and builds. `overrides` are "a.b=value" as given to --set. Throws InputError.
AnyScene read_scene(const std::string& path, const std::vector<std::string>& overrides = {});

}  // namespace scree
