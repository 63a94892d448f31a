// SPDX-License-Identifier: BSD-3-Clause
/// Which materials of a world may meet, and in pairs of which sizes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/grains/body.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

/// Radii and masses of the free grains of a material.
struct FreeSizes {
  double r_min = 0, r_max = 0, m_min = 0, m_max = 0;
  std::size_t count = 0;
  bool held = false;  // there are held grains or walls of this material
  void add(double r, double m) {
    r_min = count > 0 ? std::min(r_min, r) : r;
    m_min = count > 0 ? std::min(m_min, m) : m;
    r_max = std::max(r_max, r);
    m_max = std::max(m_max, m);
    ++count;
  }
};

/// Calls f(laws, a, b, r*, m*) for all materials a, b of grains and walls that may meet now or after an inlet has opened.
/// Masses need not follow radii, so there are four calls: the smallest and the largest reduced radius with the smallest
/// and the largest reduced mass.
template <int D, class T, class F>
void for_each_meeting(const World<D, T>& world, const ContactTable& table, F&& f) {
  std::vector<FreeSizes> sizes(world.materials.size());
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    FreeSizes& one = sizes[world.grains.material[i]];
    if (world.grains.held[i]) one.held = true;
    else one.add(double(world.grains.r[i]), double(world.grains.m[i]));
  }
  for (const auto& wall : world.walls) sizes[wall.material].held = true;
  for (const Inlet<D>& inlet : world.inlets)
    for (const double r : {inlet.r_min, inlet.r_max}) {
      const auto [m, inertia] = mass_and_inertia(world, inlet.material, T(r), inlet.shape_count > 0 ? inlet.shape_first : ShapeIndex{0});
      sizes[inlet.material].add(r, double(m));
    }
  const auto reduced = [](double a, double b) { return a / (a + b) * b; };
  for (std::size_t a = 0; a < sizes.size(); ++a)
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      const FreeSizes &one = sizes[a], &other = sizes[b];
      if (one.count == 0) continue;
      const ContactLaws& laws = table.laws[table.index(std::uint16_t(a), std::uint16_t(b))];
      if (b >= a && other.count > (a == b ? 1U : 0U))  // nobody meets himself
        for (const double r : {reduced(one.r_min, other.r_min), reduced(one.r_max, other.r_max)})
          for (const double m : {reduced(one.m_min, other.m_min), reduced(one.m_max, other.m_max)}) f(laws, a, b, r, m);
      if (other.held)
        for (const double r : {one.r_min, one.r_max})
          for (const double m : {one.m_min, one.m_max}) f(laws, a, b, r, m);
    }
}

}  // namespace scree
