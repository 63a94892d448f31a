// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/beds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/laws/material.hpp"

namespace scree {
namespace {

constexpr Elastic bed_material{.young = 5e7, .poisson = 0.3};
constexpr double bed_mu = 0.5;
constexpr double chute_angle = 25;  // degrees

template <int D> Scene<D, double> make_scene(const BedInfo& bed, const LammpsDump& state, const BedOptions& options) {
  Scene<D, double> scene;
  scene.name = std::string(bed.name);
  scene.dim = D;
  scene.run.integrator = "velocity-verlet";
  scene.run.dt = bed_dt;
  scene.run.neighbours = options.search;
  scene.run.ledger = false;  // the peers keep no account of what contacts dissipate
  scene.run.skin = options.skin > 0 ? options.skin : bed.skin;
  scene.table.laws.push_back(bed_law(options.law));
  scene.table.of_pair = {0};
  scene.table.materials = 1;

  World<D, double>& world = scene.world;
  world.materials.push_back({"glass", bed_density, Body::sphere, 0, bed_material.young, bed_material.poisson});
  world.groups.push_back({});
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    world.domain.periodic[axis] = state.periodic(axis);
    world.domain.lo[k] = state.lo[axis];
    world.domain.hi[k] = state.hi[axis];
  }
  const auto wall = [&](const char* name, int axis) {
    Wall<D> one;
    one.name = name;
    one.normal[axis] = 1;
    world.walls.push_back(one);
  };
  if (bed.name == "W1" || bed.name == "P1") wall("floor", D - 1);
  if (bed.name == "W3") wall("left", 0);
  if (bed.name == "W2") {
    const double angle = chute_angle * std::numbers::pi / 180;
    world.domain.gravity[0] = bed_gravity * std::sin(angle);
    world.domain.gravity[D - 1] = -bed_gravity * std::cos(angle);
  } else if (bed.name != "W4") {
    world.domain.gravity[D - 1] = -bed_gravity;
  }

  auto& g = world.grains;
  auto& s = world.state;
  const std::size_t n = state.grains.size();
  g.resize(n);
  s.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const DumpGrain& from = state.grains[i];
    const double r = from.radius;
    g.id[i] = static_cast<std::uint32_t>(i);
    g.r[i] = r;
    g.m[i] = 4.0 / 3.0 * std::numbers::pi * r * r * r * bed_density;
    g.inertia[i] = 2.0 / 5.0 * g.m[i] * r * r;
    g.held[i] = from.type == held_type;
    for (int k = 0; k < D; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      s.x[i][k] = from.x[axis];
      s.v[i][k] = from.v[axis];
    }
    for (int k = 0; k < spin_size<D>; ++k) s.w[i][k] = from.w[static_cast<std::size_t>(D == 2 ? 2 : k)];
    g.home[i] = s.x[i];
    s.q[i] = no_turn<D, double>();
  }
  s.turns = false;  // the peers do not keep up orientations of spheres
  return scene;
}

}  // namespace

const std::vector<BedInfo>& beds() {
  static const std::vector<BedInfo> list{
      {"W1", "settled bed, 20 layers of spheres", 3, {8000, 32000, 100000, 1000000}, {"hmt", "kk"}, 0.07e-3},
      {"W2", "chute of 32 000 spheres in flow", 3, {32000}, {"lin"}, 0.5e-3},
      {"W3", "collapse of 10 000 spheres in the plane", 2, {10000}, {"hmt", "kk"}, 1.1e-3},
      {"W4", "dilute gas of 32 000 spheres", 3, {32000}, {"kk"}, 0.8e-3},
      {"P1", "settled bed of sizes from 1 to 10", 3, {10000}, {"hmt"}, 0.1e-3}};
  return list;
}

const BedInfo& find_bed(std::string_view name) {
  std::vector<std::string> names;
  for (const BedInfo& one : beds()) {
    if (one.name == name) return one;
    names.emplace_back(one.name);
  }
  throw InputError("no bed is called " + in_quotes(std::string(name)) + "; expected one of " + join(names) +
                   did_you_mean(std::string(name), names));
}

BedSteps steps_of(const BedInfo& bed, std::size_t grains) {
  // grain-steps of a timed loop: a second or two at the speed the peers reach on a core
  const double work = bed.name == "W4" ? 64e6 : bed.name == "W3" ? 24e6 : 16e6;
  const auto timed = static_cast<std::int64_t>(std::round(work / static_cast<double>(std::max<std::size_t>(grains, 1))));
  const std::int64_t steps = std::clamp<std::int64_t>(timed, 20, 4000);
  return {std::max(steps / 4, least_warm_up), steps};
}

BedLooks looks_of(const BedInfo& bed, std::size_t grains, const BedSteps& steps) {
  const auto most = static_cast<std::int64_t>(2e6 / static_cast<double>(std::max<std::size_t>(grains, 1)));  // files of some 400 MB
  const std::int64_t count = std::clamp<std::int64_t>(most, 1, bed.name == "W4" ? 50 : 10);
  return {std::max<std::int64_t>(steps.timed / count, 1), count};
}

const std::vector<std::string>& bed_laws() {
  static const std::vector<std::string> names{"hmt", "kk", "lin"};
  return names;
}

ContactLaws bed_law(std::string_view name) {
  ContactLaws laws;
  laws.attraction = true;
  const double shear = effective_shear(bed_material, bed_material);
  if (name == "hmt") {
    laws.normal = HertzTsuji{.k = 0, .alpha = 0.25225};
    set_material_stiffness(laws, bed_material, bed_material);
    laws.tangential = Mindlin{.shear = shear, .mu = bed_mu, .damping = 0.90749};
  } else if (name == "kk") {
    laws.normal = KuwabaraKono{};
    set_material_stiffness(laws, bed_material, bed_material);
    set_damping_per_mass(laws, 1.2e8);
    laws.tangential = Mindlin{.shear = shear, .mu = bed_mu, .damping = 0.5};
  } else if (name == "lin") {
    laws.normal = Linear{.k = 2000, .g = 0};
    set_damping_per_mass(laws, 4409);
    laws.tangential = CundallStrack{.k_t = 2000.0 * 2 / 7, .mu = bed_mu, .g_t = 0, .damping = 0.5};
  } else {
    throw InputError("no law of the beds is called " + in_quotes(std::string(name)) + "; expected one of " + join(bed_laws()) +
                     did_you_mean(std::string(name), bed_laws()));
  }
  return laws;
}

BedScene bed_scene(const BedInfo& bed, const LammpsDump& state, const BedOptions& options) {
  if (bed.dim == 2) return make_scene<2>(bed, state, options);
  return make_scene<3>(bed, state, options);
}

template <int D> LammpsDump dump_of(const Scene<D, double>& scene, const LammpsDump& like, std::int64_t step) {
  LammpsDump dump;
  dump.step = step;
  dump.bounds = like.bounds;
  dump.lo = like.lo;
  dump.hi = like.hi;
  dump.grains.resize(like.grains.size());
  const auto& g = scene.world.grains;
  const auto& s = scene.world.state;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const DumpGrain& from = like.grains[g.id[i]];
    DumpGrain& to = dump.grains[g.id[i]];
    to.id = from.id;
    to.type = from.type;
    to.radius = g.r[i];
    for (int k = 0; k < D; ++k) {
      to.x[static_cast<std::size_t>(k)] = s.x[i][k];
      to.v[static_cast<std::size_t>(k)] = s.v[i][k];
    }
    for (int k = 0; k < spin_size<D>; ++k) to.w[static_cast<std::size_t>(D == 2 ? 2 : k)] = s.w[i][k];
  }
  return dump;
}
template LammpsDump dump_of(const Scene<2, double>&, const LammpsDump&, std::int64_t);
template LammpsDump dump_of(const Scene<3, double>&, const LammpsDump&, std::int64_t);

}  // namespace scree
