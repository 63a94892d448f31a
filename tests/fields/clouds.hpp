// SPDX-License-Identifier: BSD-3-Clause
/// Frames with grains anywhere and contacts between near ones, forces and velocities at random: fields do not ask
/// whether a state can occur.
#pragma once

#include <random>

#include "scree/analysis/frame.hpp"

namespace clouds {

using scree::Frame;

struct Recipe {
  int dim = 2;
  int grains = 40;
  double box = 1;         // m, from 0
  double radius = 0.08;   // m, about
  bool periodic = false;  // contacts reach across the border
  int held = 0;           // the first few
  bool walls = false;     // contacts with the floor of the box
  unsigned seed = 7;
};

inline Frame cloud(const Recipe& r) {
  std::mt19937 random(r.seed);
  const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0; };
  Frame f;
  f.dim = r.dim;
  f.has_contacts = true;
  f.time = 1.25;
  const auto D = static_cast<std::size_t>(r.dim), S = D == 2 ? std::size_t{1} : std::size_t{3};
  for (int i = 0; i < r.grains; ++i) {
    f.id.push_back(3 * i + 1);  // with gaps
    for (std::size_t a = 0; a < D; ++a) {
      f.x.push_back(r.box * unit());
      f.v.push_back(0.3 + unit());
    }
    for (std::size_t a = 0; a < S; ++a) f.w.push_back(unit() - 0.5);
    for (std::size_t a = 0; a < (D == 2 ? 1u : 4u); ++a) f.q.push_back(0);
    f.radius.push_back(r.radius * (0.8 + 0.4 * unit()));
    f.mass.push_back(0.5 + unit());
    f.inertia.push_back(0.1 + unit());
    f.material.push_back(i % 2);
    f.group.push_back(i % 3);
    f.held.push_back(i < r.held);
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    const auto add = [&](std::int64_t partner, const double* branch, double part) {
      f.contacts.id1.push_back(f.id[i]);
      f.contacts.id2.push_back(partner);
      f.contacts.overlap.push_back(0);
      double push = 1 + unit();
      for (std::size_t a = 0; a < D; ++a) {
        f.contacts.branch.push_back(branch[a]);
        f.contacts.point.push_back(f.x[i * D + a] + part * branch[a]);
        f.contacts.force.push_back(-push * branch[a] + 0.05 * (unit() - 0.5));
        f.contacts.spring.push_back(0);
      }
    };
    if (r.walls && f.x[i * D + 1] < 1.5 * r.radius) {
      double down[3]{0, -f.x[i * D + 1], 0};
      add(-1, down, 1);
    }
    for (std::size_t j = i + 1; j < f.size(); ++j) {
      if (f.held[i] && f.held[j]) continue;
      double b[3]{}, l2 = 0;
      for (std::size_t a = 0; a < D; ++a) {
        b[a] = f.x[j * D + a] - f.x[i * D + a];
        if (r.periodic) b[a] -= r.box * std::round(b[a] / r.box);
        l2 += b[a] * b[a];
      }
      if (l2 < 4.5 * r.radius * r.radius * 1.2) add(f.id[j], b, 0.55);
    }
  }
  return f;
}

}  // namespace clouds
