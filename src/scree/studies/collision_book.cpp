// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/collision_book.hpp"

#include "scree/laws/collision.hpp"

namespace scree {
namespace {

Vec<3, double> at(const std::vector<double>& column, std::size_t i) {
  return {column[3 * i], column[3 * i + 1], column[3 * i + 2]};
}

}  // namespace

CollisionBook::CollisionBook(const Scene<3, double>& scene)
    : laws_(scene.table.laws[0]), mass_(scene.world.grains.m[0]), radius_(scene.world.grains.r[0]) {
  for (const auto& wall : scene.world.walls)
    if (wall.kind == WallKind::plane) walls_.push_back(wall);
  laws_.attraction = true;
}

double CollisionBook::lost(const Frame& f) {
  const std::size_t n = f.size();
  const bool first = touches_.empty();
  if (first) touches_.assign(n * (n + walls_.size()), false);
  double sum = 0;
  // `part`: the reduced over the whole size, ½ of a pair and 1 at a wall.
  const auto see = [&](std::size_t slot, bool touching, double approach, double part) {
    if (touching && !touches_[slot] && !first && approach > 0) {
      const double e = collide(laws_, part * radius_, part * mass_, approach).restitution;
      sum += 0.5 * part * mass_ * approach * approach * (1 - e * e);
      ++collisions;
    }
    touches_[slot] = touching;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<3, double> x = at(f.x, i), v = at(f.v, i);
    for (std::size_t j = i + 1; j < n; ++j) {
      const Vec<3, double> d = at(f.x, j) - x;
      const double distance = norm(d);
      const bool touching = distance < f.radius[i] + f.radius[j];
      see(i * n + j, touching, touching ? dot(v - at(f.v, j), d) / distance : 0, 0.5);
    }
    for (std::size_t k = 0; k < walls_.size(); ++k)
      see(n * n + i * walls_.size() + k, dot(x - walls_[k].point, walls_[k].normal) < f.radius[i],
          -dot(v, walls_[k].normal), 1.0);
  }
  return sum;
}

}  // namespace scree
