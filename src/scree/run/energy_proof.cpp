// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/energy_proof.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

bool always(double from, double until) { return from == -forever && until == forever; }

/// What brings energy into a scene, whatever the scheme.
template <int D, class T> std::string source_of(const World<D, T>& world) {
  for (const Wall<D>& wall : world.walls) {
    if (!wall.motion.empty() || wall.servo.on) return "walls move";
    if (!always(wall.from, wall.until)) return "walls appear or go";
  }
  for (const Group<D>& group : world.groups) {
    if (!group.motion.empty() || group.servo.on) return "held grains move";
    if (!group.pushes.empty()) return "grains are pushed";
    if (!always(group.from, group.until)) return "grains appear or go";
  }
  if (!world.inlets.empty()) return "grains come in";
  if (world.domain.shear.rate != 0) return "the box is sheared";
  if (world.domain.gravity_rate != 0) return "gravity turns";
  return "";
}

/// Along axis k: grains in a row with velocities along it, between planes across it, and nothing that drives them off.
template <int D, class T> bool along(const World<D, T>& world, int k) {
  const auto only = [k](const auto& vector) {
    for (int c = 0; c < D; ++c)
      if (c != k && vector[c] != 0) return false;
    return true;
  };
  for (std::size_t i = 0; i < world.grains.size(); ++i)
    if (!only(world.state.x[i] - world.state.x[0]) || !only(world.state.v[i])) return false;
  for (const Wall<D>& wall : world.walls)
    if (wall.kind != WallKind::plane || !only(wall.normal)) return false;
  return only(world.domain.gravity);
}

template <int D, class T> bool on_a_line(const World<D, T>& world) {
  for (int k = 0; k < D; ++k)
    if (along(world, k)) return true;
  return false;
}

}  // namespace

template <int D, class T> EnergyProof energy_proof(const Scene<D, T>& scene, const BondTimes& times) {
  using Theta = MethodSettings::Theta;
  const World<D, T>& world = scene.world;
  const Theta kind = scene.run.method.theta;
  const bool guarded = is_guarded(scene.run.method);
  if (kind == Theta::third && !guarded) return {0, "no proof is known of variant \"third\""};
  if (const std::string source = source_of(world); !source.empty()) return {0, source};
  if (guarded && !(times.least > 0)) return {0, "there are contacts with gamma = 0, which the guard leaves alone"};
  if (guarded || kind == Theta::energy) {  // what the guard cannot mend is done again as by "energy"
    const bool edges = std::any_of(world.walls.begin(), world.walls.end(), [](const Wall<D>& wall) {
      return wall.kind == WallKind::segment || wall.kind == WallKind::sheet;
    });
    if (edges) return {0, "walls have edges, at which a step may gain O(dt^3)"};
    return {std::numeric_limits<double>::infinity(), ""};
  }
  if (!on_a_line(world)) return {0, "grains and walls are not all on one line"};
  for (const Group<D>& group : world.groups) {
    if (group.attachment != 0) return {0, "grains are attached"};
    if (group.drag != 0) return {0, "drag acts"};
  }
  if (world.domain.damping != 0) return {0, "drag acts"};
  // As printed each bond has its own λ = γ²/4, which has to be one for all. (γ is found by differences: 1e-9 is rounding.)
  if (kind == Theta::seed && times.most > times.least * (1 + 1e-9)) return {0, "contacts have several gamma"};
  if (!(times.least > 0)) return {0, "there are contacts with gamma = 0"};
  return {2 * times.least, ""};
}

#define SCREE_INSTANTIATE(D, T) template EnergyProof energy_proof(const Scene<D, T>&, const BondTimes&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
