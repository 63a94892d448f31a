// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/step_advice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/laws/collision.hpp"
#include "scree/run/simulation.hpp"

namespace scree {
namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

/// The speed that a motion gives to a point at most `reach` away from its centre.
template <int D> double speed_of(const std::vector<Move<D>>& motion, double reach) {
  double sum = 0;
  for (const auto& move : motion) {
    switch (move.kind) {
      case MoveKind::translate:
        sum += norm(move.velocity);
        break;
      case MoveKind::rotate:
        sum += std::abs(move.rate) * reach;
        break;
      case MoveKind::shrink:
        sum += std::abs(move.rate);
        break;
      case MoveKind::oscillate:
        sum += norm(move.amplitude) * two_pi * move.frequency;
        break;
    }
  }
  return sum;
}

/// The lightest free grain and the smallest held one of a material.
struct Extremes {
  double free_r = 0, free_m = 0;  // 0: none
  double held_r = 0;
  bool wall = false;
  // Of angular grains: a flat contact is as stiff as Y times its length over l, at most radius over inner radius; and
  // the largest m r²/I, by which a tangential force turns a grain more easily than it moves it. 0: all are round.
  double slender = 0, turns = 0;
};

/// Half periods of a contact of angular grains.
TimeScales of_outlines(TimeScales times, const ContactLaws& laws, double m_eff, double slender, double turns) {
  const auto* law = std::get_if<OverlapArea>(&laws.normal);
  if (!law || slender == 0) return times;
  constexpr double pi = two_pi / 2;
  times.normal = std::min({times.normal, pi * std::sqrt(m_eff / (law->k * slender)),
                           law->gamma > 0 ? two_pi * std::sqrt(m_eff / law->k) / (law->gamma * slender) : times.normal});
  times.tangential *= std::sqrt(3.5 / (1 + turns));  // in place of the 2/7 of a sphere
  return times;
}

}  // namespace

template <int D, class T> double expected_speed(const World<D, T>& world) {
  if (!world.inlets.empty()) return expected_speed(with_arrivals(world));
  double fastest = 0, smallest = std::numeric_limits<double>::infinity();
  Vec<D, double> lo{}, hi{};
  for (int k = 0; k < D; ++k) {
    lo[k] = std::numeric_limits<double>::infinity();
    hi[k] = -lo[k];
  }
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    fastest = std::max(fastest, std::sqrt(double(norm2(world.state.v[i]))));
    smallest = std::min(smallest, double(world.grains.r[i]));
    for (int k = 0; k < D; ++k) {
      lo[k] = std::min(lo[k], double(world.state.x[i][k] - world.grains.r[i]));
      hi[k] = std::max(hi[k], double(world.state.x[i][k] + world.grains.r[i]));
    }
  }
  const Vec<D, double> extent = hi - lo;
  const double reach = norm(extent);
  // a fall: along gravity through everything there is, down to the walls
  const double g = norm(world.domain.gravity);
  if (g > 0) {
    const Vec<D, double> down = world.domain.gravity * (1 / g);
    double top = 0, bottom = 0;
    for (int k = 0; k < D; ++k) {
      top += down[k] > 0 ? -lo[k] * down[k] : -hi[k] * down[k];
      bottom += down[k] > 0 ? -hi[k] * down[k] : -lo[k] * down[k];
    }
    for (const auto& wall : world.walls)
      if (wall.kind == WallKind::plane && dot(wall.normal, down) < -0.5)
        bottom = std::min(bottom, -dot(wall.point, down));
    const double height =
        world.domain.gravity_rate != 0 ? reach : std::min(top - bottom, 10 * reach + 10 * smallest);
    fastest = std::max(fastest, std::sqrt(2 * g * std::max(height, smallest)));
  }
  double driven = 0;
  for (const auto& wall : world.walls)
    driven = std::max(driven, speed_of(wall.motion, std::max(reach, wall.radius)));
  for (const auto& group : world.groups) driven = std::max(driven, speed_of(group.motion, reach));
  fastest = std::max(fastest, driven);
  return fastest > 0 ? fastest : 1;
}

template <int D, class T> StepAdvice advise_step(const Scene<D, T>& scene) {
  std::optional<World<D, T>> expected;  // with the grains that come in later
  if (!scene.world.inlets.empty()) expected = with_arrivals(scene.world);
  const auto& world = expected ? *expected : scene.world;
  StepAdvice advice;
  advice.speed = expected_speed(world);
  advice.contact_time = advice.stable = std::numeric_limits<double>::infinity();

  std::vector<Extremes> extremes(world.materials.size());
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    Extremes& one = extremes[world.grains.material[i]];
    const double r = double(world.grains.r[i]), m = double(world.grains.m[i]);
    if (!world.shapes.empty() && world.grains.shape[i] != 0) {
      const GrainShape& shape = world.shapes[world.grains.shape[i] - 1];
      one.slender = std::max(one.slender, 1 / shape.inner);
      one.turns = std::max(one.turns, shape.area / shape.second_moment);
    }
    if (world.grains.held[i]) {
      one.held_r = one.held_r > 0 ? std::min(one.held_r, r) : r;
    } else if (one.free_m == 0 || m < one.free_m) {
      one.free_r = r;
      one.free_m = m;
    }
  }
  for (const auto& wall : world.walls) extremes[wall.material].wall = true;

  const auto consider = [&](std::size_t a, std::size_t b, double r_eff, double m_eff) {
    const auto& laws = scene.table.laws[scene.table.index(std::uint16_t(a), std::uint16_t(b))];
    const TimeScales times = of_outlines(time_scales(laws, r_eff, m_eff, advice.speed), laws, m_eff,
                                         std::max(extremes[a].slender, extremes[b].slender),
                                         std::max(extremes[a].turns, extremes[b].turns));
    advice.stable = std::min({advice.stable, normal_part * times.normal,
                              friction_part * times.tangential, friction_part * times.rolling});
    const double time = times.shortest();
    if (time < advice.contact_time) {
      advice.contact_time = time;
      advice.pair = world.materials[a].name + "-" + world.materials[b].name;
      advice.motion = time == times.normal       ? "normal"
                      : time == times.tangential ? "tangential"
                                                 : "rolling";
    }
  };
  for (std::size_t a = 0; a < extremes.size(); ++a) {
    if (extremes[a].free_m == 0) continue;
    const double r = extremes[a].free_r, m = extremes[a].free_m;
    for (std::size_t b = 0; b < extremes.size(); ++b) {
      const Extremes& other = extremes[b];
      if (other.free_m > 0 && b >= a && world.grains.size() > 1)
        consider(a, b, r * other.free_r / (r + other.free_r),
                 m / (m + other.free_m) * other.free_m);
      if (other.held_r > 0) consider(a, b, r * other.held_r / (r + other.held_r), m);
      if (other.wall) consider(a, b, r, m);
    }
  }
  advice.recommended = scene.run.fraction * advice.contact_time;
  return advice;
}

#define SCREE_INSTANTIATE(D, T)                        \
  template double expected_speed(const World<D, T>&);   \
  template StepAdvice advise_step(const Scene<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
