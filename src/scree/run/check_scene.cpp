// SPDX-License-Identifier: BSD-3-Clause
/// What is wrong with a scene that reads well: places and steps.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/integrators/registry.hpp"
#include "scree/laws/collision.hpp"
#include "scree/run/placed_outline.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/step_advice.hpp"
#include "scree/scenes/overlap_grid.hpp"

namespace scree {
namespace {

std::string percent(double x) { return brief(100 * x) + " %"; }

/// How deep a sphere is in a wall; negative: not at all.
template <int D> double depth_in(const Wall<D>& wall, const Vec<D, double>& x, double r) {
  const Vec<D, double> d = x - wall.point;
  switch (wall.kind) {
    case WallKind::plane:
      return r - dot(d, wall.normal);
    case WallKind::ring: {
      Vec<D, double> across = d;
      if constexpr (D == 3) across = d - wall.axis * dot(d, wall.axis);
      const double rho = norm(across);
      return wall.inside ? rho + r - wall.radius : wall.radius + r - rho;
    }
    case WallKind::segment: {
      const Vec<D, double> along = wall.end - wall.point;
      const double s = std::clamp(dot(d, along) / norm2(along), 0.0, 1.0);
      return r - norm(d - along * s);
    }
    case WallKind::sheet: {
      const double height = dot(d, wall.normal), rho = norm(d - wall.normal * height);
      return r - std::hypot(height, std::max(wall.radius - rho, 0.0));
    }
  }
  return -1;
}

}  // namespace

template <int D, class T> void check_places(const Scene<D, T>& scene, TomlTable& root,
                                            const std::vector<GrainBlock>& blocks,
                                            std::vector<TomlTable>& wall_blocks) {
  const auto& world = scene.world;
  const auto& grains = world.grains;
  const auto& domain = world.domain;
  const std::size_t n = grains.size();
  const auto& phases = scene.prepare.phases;
  const double start = phases.empty() ? 0 : phases.front().end - phases.front().time;
  const auto block_of = [&](std::size_t i) -> const GrainBlock& { return blocks[grains.group[i]]; };
  const auto place_of = [&](std::size_t i) { return convert<double>(world.state.x[i]); };
  const auto who = [&](std::size_t i) { return "grain " + std::to_string(i); };

  const double largest = largest_radius(world);  // of grains that come in, too
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = place_of(i);
    for (int k = 0; k < D; ++k) {
      const bool periodic = domain.periodic[std::size_t(k)];
      if (!periodic && !domain.bounded) continue;
      const bool inside =
          x[k] >= domain.lo[k] && (periodic ? x[k] < domain.hi[k] : x[k] <= domain.hi[k]);
      if (!inside)
        block_of(i).table.fail(who(i) + " lies outside the domain: " + "xyz"[k] + " = " +
                               brief(x[k]) + " m, expected " + brief(domain.lo[k]) + " to " +
                               brief(domain.hi[k]) + " m");
    }
  }
  for (int k = 0; k < D; ++k) {
    if (!domain.periodic[std::size_t(k)]) continue;
    const double period = domain.hi[k] - domain.lo[k], least = 2 * (2 * largest + scene.run.skin);
    if (period < least)
      root.table("domain")->fail_at("box", std::string("the period along ") + "xyz"[k] + " is " +
                                               brief(period) + " m; expected at least " +
                                               brief(least) + " m, twice the largest diameter" +
                                               (scene.run.skin > 0 ? " and skin" : ""));
  }

  for (std::size_t k = 0; k < world.walls.size(); ++k)
    if (world.walls[k].kind == WallKind::sheet && world.walls[k].radius > 0 && world.walls[k].radius < largest)
      wall_blocks[k].fail_at("hole", "a grain of radius " + brief(largest) + " m does not pass a hole of radius " +
                                         brief(world.walls[k].radius) + " m; expected a wider one, or 0");

  std::vector<std::uint8_t> allowed(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) allowed[b] = blocks[b].allow_overlap;
  OverlapGrid<D> grid(domain, n);
  for (std::size_t i = 0; i < n; ++i)
    if (!allowed[grains.group[i]])
      grid.add(place_of(i), double(grains.r[i]), static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < n; ++i) {
    if (allowed[grains.group[i]]) continue;
    const auto& group = world.groups[grains.group[i]];
    const double r = double(grains.r[i]);
    grid.near(place_of(i), r, [&](std::uint32_t j, double gap) {  // between circles
      if (j == i || gap >= 0 || (grains.held[i] && grains.held[j])) return false;
      const auto& other = world.groups[grains.group[j]];
      const bool together =
          group.from == other.from || (group.from <= start && other.from <= start);
      if (!together) return false;
      if constexpr (D == 2)
        if (grains.shape[i] != 0 || grains.shape[j] != 0) {
          const Vec<2, double> way = Periods<2, double>(domain).shortest(place_of(j) - place_of(i));
          gap = -depth_of_outlines(world, i, j, way);
        }
      const double smaller = std::min(r, double(grains.r[j]));
      const bool listed = block_of(i).listed || block_of(j).listed;
      const double limit = listed ? std::min(0.05, scene.run.max_overlap) : scene.run.max_overlap;
      if (-gap > limit * smaller) {
        const std::size_t a = std::min<std::size_t>(i, j), b = std::max<std::size_t>(i, j);
        block_of(b).table.fail("grains " + std::to_string(a) + " and " + std::to_string(b) +
                               " overlap at the start by " + brief(-gap) + " m, " +
                               percent(-gap / smaller) +
                               " of the smaller radius; expected at most " + percent(limit) +
                               " (allow_overlap = true in the block lets them)");
      }
      return false;
    });
  }

  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    const auto& wall = world.walls[w];
    if (wall.from > start || wall.until <= start) continue;
    for (std::size_t i = 0; i < n; ++i) {
      if (grains.held[i] || allowed[grains.group[i]] || world.groups[grains.group[i]].from > start)
        continue;
      const double r = double(grains.r[i]);
      double depth = depth_in(wall, place_of(i), r);
      if constexpr (D == 2)
        if (grains.shape[i] != 0) {
          depth = -std::numeric_limits<double>::infinity();
          for (const auto& corner : placed_outline(world, i))
            depth = std::max(depth, -dot(place_of(i) + corner - wall.point, wall.normal));
        }
      if (depth > scene.run.max_overlap * r)
        wall_blocks[w].fail(who(i) + " lies " + (depth > r ? "behind" : "in") + " the wall \"" +
                            wall.name + "\" at the start, " + brief(depth) +
                            " m deep; expected at most " + brief(scene.run.max_overlap * r) +
                            " m (the normal of a plane points to the grains)");
    }
  }
}

template <int D, class T> void check_step(Scene<D, T>& scene, TomlTable& root) {
  auto run = root.table("run");
  const StepAdvice advice = advise_step(scene);
  const auto why = " (the shortest contact time is " + brief(advice.contact_time) +
                   " s: " + advice.motion + ", " + advice.pair + " at " + brief(advice.speed) +
                   " m/s); recommended is " + brief(advice.recommended) + " s (\"auto\")";
  // an adaptive method bounds its own steps; the run's step is only where it reports
  const Method& method = *find_method(scene.run.integrator);
  const auto refuse_larger = [&](TomlTable& table, double dt) {
    if (method.adaptive) return;
    if (dt > advice.stable && !method.of_bonds)  // which are stable at any step, if not accurate
      table.fail_at("dt", "the step is too large: expected at most " + brief(advice.stable) +
                              " s, found " + brief(dt) + " s" + why);
    if (dt > normal_part * advice.contact_time)
      scene.warnings.push_back(table.path() + ".dt = " + brief(dt) +
                               " s is close to the largest stable step" + why);
  };
  if (scene.run.dt > 0) {
    refuse_larger(*run, scene.run.dt);
  } else if (!std::isnormal(advice.recommended)) {
    run->fail_at("dt",
                 "\"auto\" needs contacts to take a fraction of, and nothing can touch here; "
                 "expected a number > 0 in s");
  }
  auto phases = root.tables("prepare");
  for (std::size_t k = 0; k < phases.size(); ++k)
    if (scene.prepare.phases[k].dt > 0) refuse_larger(phases[k], scene.prepare.phases[k].dt);

  // grains that stick
  const auto& world = scene.world;
  std::vector<std::uint8_t> warned(scene.table.laws.size());
  std::vector<std::pair<double, double>> lightest(world.materials.size());
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    auto& [r, m] = lightest[world.grains.material[i]];
    if (!world.grains.held[i] && (m == 0 || double(world.grains.m[i]) < m)) {
      r = double(world.grains.r[i]);
      m = double(world.grains.m[i]);
    }
  }
  for (std::size_t a = 0; a < lightest.size(); ++a)
    for (std::size_t b = a; b < lightest.size(); ++b) {
      const auto [ra, ma] = lightest[a];
      const auto [rb, mb] = lightest[b];
      const std::uint16_t index = scene.table.index(std::uint16_t(a), std::uint16_t(b));
      if (ma == 0 || mb == 0 || warned[index]) continue;
      const auto& laws = scene.table.laws[index];
      const double m = ma / (ma + mb) * mb;
      if (const auto* linear = std::get_if<Linear>(&laws.normal)) {
        const double g = linear->g * laws.scaling.of_damping(ra * rb / (ra + rb), m),
                     least = g * g / (4 * linear->k);
        if (m < least) {
          warned[index] = 1;
          scene.warnings.push_back("contact of " + world.materials[a].name + " and " +
                                   world.materials[b].name +
                                   ": over-damped, grains stick: the smallest reduced mass is " +
                                   brief(m) + " kg, below g^2/(4 k) = " + brief(least) + " kg");
        }
      }
    }
}

#define SCREE_INSTANTIATE(D, T)                                                              \
  template void check_places(const Scene<D, T>&, TomlTable&, const std::vector<GrainBlock>&, \
                             std::vector<TomlTable>&);                                       \
  template void check_step(Scene<D, T>&, TomlTable&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
