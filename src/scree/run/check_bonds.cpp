// SPDX-License-Identifier: BSD-3-Clause
/// What an integrator of bonds (kk-theta) asks of a scene: contacts that are bonds, and a step that θ = 1/2 + γ/(2h)
/// allows.
#include <algorithm>
#include <cmath>

#include "scree/engines/meetings.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/laws/bond.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

/// Calls f(laws, a, b, γ) for the extreme pairs of all materials that may meet.
template <int D, class T, class F>
void for_each_bond(const Scene<D, T>& scene, F&& f) {
  for_each_meeting(scene.world, scene.table, [&](const ContactLaws& laws, std::size_t a, std::size_t b, double r_eff, double m_eff) {
    f(laws, a, b, viscous_time(laws, r_eff, m_eff));
  });
}

}  // namespace

template <int D, class T> std::optional<BondTimes> bond_times(const Scene<D, T>& scene) {
  if (!find_method(scene.run.integrator)->of_bonds) return std::nullopt;
  BondTimes times;
  bool met = false;
  for_each_bond(scene, [&](const ContactLaws&, std::size_t, std::size_t, std::optional<double> gamma) {
    const double g = gamma.value_or(0);
    times.least = met ? std::min(times.least, g) : g;
    times.most = std::max(times.most, g);
    met = true;
  });
  if (!met) return std::nullopt;  // nothing can meet
  return times;
}

template <int D, class T> void check_bonds(Scene<D, T>& scene, TomlTable& root) {
  if (!find_method(scene.run.integrator)->of_bonds) return;
  if (!scene.world.shapes.empty())
    root.table("run")->fail_at("integrator", scene.run.integrator + " needs round grains: the bonds of corners are not known");
  for_each_bond(scene, [&](const ContactLaws& laws, std::size_t a, std::size_t b, const std::optional<double>&) {
    const std::string why = why_no_bond(laws);
    if (why.empty()) return;
    const auto& names = scene.world.materials;
    TomlTable contact = *root.table("contact");
    for (const std::string& key : {names[a].name + "-" + names[b].name, names[b].name + "-" + names[a].name})
      if (contact.has(key)) contact.fail_at(key, scene.run.integrator + " needs " + why);
    contact.fail(scene.run.integrator + " needs " + why);
  });
  using Theta = MethodSettings::Theta;
  MethodSettings& method = scene.run.method;
  if (method.theta == Theta::energy && scene.world.domain.shear.rate != 0)
    root.table("run")->fail_at("variant", "\"energy\" is not there for a sheared box (domain.shear): expected another variant");
  const auto unguard = [&](const std::string& where) {  // energy is brought in there anyway
    if (method.guard.value_or(false)) root.table("run")->fail_at("guard", "the guard of energy is not there for " + where + ": expected false");
    method.guard = false;
  };
  if (scene.world.domain.shear.rate != 0) unguard("a sheared box (domain.shear)");
  // Such grains jump by a period within a step, over which means are taken.
  const auto& periodic = scene.world.domain.periodic;
  const bool border = std::find(periodic.begin(), periodic.end(), true) != periodic.end();
  for (const Group<D>& group : scene.world.groups)
    if (border && (!group.motion.empty() || group.servo.on)) {
      if (method.theta == Theta::energy)
        root.table("run")->fail_at("variant", "\"energy\" is not there for held grains that move in a periodic box: expected another variant");
      unguard("held grains that move in a periodic box");
    }
  const auto times = bond_times(scene);
  if (!times) return;
  const double least = times->least, gamma = times->most;
  if (method.theta != Theta::energy && method.theta != Theta::third && (!is_guarded(method) || !(least > 0)) && step_of(scene) > 2 * least * (1 + 1e-9))
    scene.warnings.push_back("run.dt = " + brief(step_of(scene)) + " s is above 2 gamma = " + brief(2 * least) +
                             " s: kk-theta may gain energy in steps that end a contact" +
                             (scene.world.domain.shear.rate != 0 ? "" : "; with guard = true, or variant = \"energy\", it never does"));
  if (method.theta != Theta::seed || method.beyond) return;
  const auto refuse_smaller = [&](const TomlTable& table, double dt) {
    if (dt < gamma * (1 - 1e-12))
      table.fail_at("dt", "theta = 1/2 + gamma/(2 dt) would be " + brief(0.5 + gamma / (2 * dt)) +
                              ", above 1: expected dt >= gamma = " + brief(gamma) + " s, found " + brief(dt) +
                              " s; variant = \"split\" or \"third\" takes any step (theta_above_one = true lets this one)");
  };
  refuse_smaller(*root.table("run"), step_of(scene));
  const auto phases = root.tables("prepare");
  for (std::size_t k = 0; k < phases.size(); ++k)
    if (scene.prepare.phases[k].dt > 0) refuse_smaller(phases[k], scene.prepare.phases[k].dt);
}

#define SCREE_INSTANTIATE(D, T)                                                \
  template std::optional<BondTimes> bond_times(const Scene<D, T>&);            \
  template void check_bonds(Scene<D, T>&, TomlTable&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
