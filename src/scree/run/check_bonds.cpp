// SPDX-License-Identifier: BSD-3-Clause
/// What an integrator of bonds (kk-theta) asks of a scene: contacts that are bonds, and a step that θ = 1/2 + γ/(2h)
/// allows.
#include <algorithm>
#include <cmath>

#include "scree/integrators/registry.hpp"
#include "scree/laws/bond.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

/// Radii and masses of the free grains of a material; the largest radius is 0 if there are none.
struct Sizes {
  double r_min = 0, r_max = 0, m_min = 0, m_max = 0;
  bool held = false;  // or a wall
  void add(double r, double m) {
    r_min = r_max > 0 ? std::min(r_min, r) : r;
    m_min = r_max > 0 ? std::min(m_min, m) : m;
    r_max = std::max(r_max, r);
    m_max = std::max(m_max, m);
  }
};

double reduced(double a, double b) { return a / (a + b) * b; }

/// Calls f(laws, a, b, γ) for the smallest and the largest pairs of all materials that meet.
template <int D, class T, class F>
void for_each_meeting(const Scene<D, T>& scene, F&& f) {
  const World<D, T> world = with_arrivals(scene.world);
  std::vector<Sizes> sizes(world.materials.size());
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    Sizes& one = sizes[world.grains.material[i]];
    if (world.grains.held[i]) one.held = true;
    else one.add(double(world.grains.r[i]), double(world.grains.m[i]));
  }
  for (const auto& wall : world.walls) sizes[wall.material].held = true;
  for (std::size_t a = 0; a < sizes.size(); ++a)
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      const Sizes &one = sizes[a], &other = sizes[b];
      if (!(one.r_max > 0)) continue;
      const ContactLaws& laws = scene.table.laws[scene.table.index(std::uint16_t(a), std::uint16_t(b))];
      const auto meet = [&](double r, double m) { f(laws, a, b, viscous_time(laws, r, m)); };
      if (other.r_max > 0 && b >= a && world.grains.size() > 1) {
        meet(reduced(one.r_min, other.r_min), reduced(one.m_min, other.m_min));
        meet(reduced(one.r_max, other.r_max), reduced(one.m_max, other.m_max));
      }
      if (other.held) {
        meet(one.r_min, one.m_min);
        meet(one.r_max, one.m_max);
      }
    }
}

}  // namespace

template <int D, class T> std::optional<BondTimes> bond_times(const Scene<D, T>& scene) {
  if (!find_method(scene.run.integrator)->of_bonds) return std::nullopt;
  BondTimes times;
  bool met = false;
  for_each_meeting(scene, [&](const ContactLaws&, std::size_t, std::size_t, std::optional<double> gamma) {
    const double g = gamma.value_or(0);
    times.least = met ? std::min(times.least, g) : g;
    times.most = std::max(times.most, g);
    met = true;
  });
  return times;
}

template <int D, class T> void check_bonds(Scene<D, T>& scene, TomlTable& root) {
  if (!find_method(scene.run.integrator)->of_bonds) return;
  if (!scene.world.shapes.empty())
    root.table("run")->fail_at("integrator", scene.run.integrator + " needs round grains: the bonds of corners are not known");
  for_each_meeting(scene, [&](const ContactLaws& laws, std::size_t a, std::size_t b, const std::optional<double>&) {
    const std::string why = why_no_bond(laws);
    if (why.empty()) return;
    const auto& names = scene.world.materials;
    TomlTable contact = *root.table("contact");
    for (const std::string& key : {names[a].name + "-" + names[b].name, names[b].name + "-" + names[a].name})
      if (contact.has(key)) contact.fail_at(key, scene.run.integrator + " needs " + why);
    contact.fail(scene.run.integrator + " needs " + why);
  });
  const MethodSettings& method = scene.run.method;
  if (method.theta != MethodSettings::Theta::seed || method.beyond) return;
  const double gamma = bond_times(scene)->most;
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
