// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/neighbours/search.hpp"

namespace scree {
namespace {

template <int D> double coordination(const Scene<D, double>& scene) {
  const World<D, double>& world = scene.world;
  const auto& g = world.grains;
  auto x = world.state.x;
  // other codes may leave a grain a little outside its period
  for (int k = 0; k < D; ++k)
    if (world.domain.periodic[static_cast<std::size_t>(k)]) {
      const double lo = world.domain.lo[k], hi = world.domain.hi[k];
      for (auto& one : x) {
        if (one[k] < lo) one[k] += hi - lo;
        if (one[k] >= hi) one[k] = std::max(one[k] - (hi - lo), lo);
      }
    }
  double r_max = 0;
  for (const double r : g.r) r_max = std::max(r_max, r);
  const Column<std::uint8_t> present(g.size(), 1);
  PairRows rows;
  make_search<D, double>("cells", 1e-3 * r_max, r_max)->find({x, g.r, g.id, g.held, present, world.domain}, rows);
  const Periods<D, double> periods(world.domain);
  std::size_t ends = 0, free = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    free += g.held[i] == 0;
    for (std::size_t p = rows.begin[i]; p < rows.begin[i + 1]; ++p) {
      const std::size_t j = rows.partner[p];
      const double reach = g.r[i] + g.r[j];
      if (norm2(periods.shortest(x[j] - x[i])) < reach * reach) ends += std::size_t{g.held[i] == 0} + std::size_t{g.held[j] == 0};
    }
  }
  return free > 0 ? static_cast<double>(ends) / static_cast<double>(free) : 0;
}

double coordination_of(const BedInfo& bed, const LammpsDump& state) {
  return std::visit([](const auto& scene) { return coordination(scene); }, bed_scene(bed, state, {}));
}

}  // namespace

void RunStatistics::look(const LammpsDump& state) {
  sum_ += coordination_of(bed_, state);
  ++looks_;
}

BedStatistics RunStatistics::result() const {
  BedStatistics out = at_end_;
  out.coordination = sum_ / looks_;
  return out;
}

BedStatistics statistics_of(const BedInfo& bed, const LammpsDump& state) {
  BedStatistics out;
  out.coordination = coordination_of(bed, state);
  double mass = 0, moment = 0;
  std::vector<double> places;
  const auto up = static_cast<std::size_t>(bed.dim - 1);
  for (const DumpGrain& g : state.grains) {
    if (g.type == held_type) continue;
    const double m = 4.0 / 3.0 * std::numbers::pi * g.radius * g.radius * g.radius * bed_density;
    out.kinetic += 0.5 * m * (g.v[0] * g.v[0] + g.v[1] * g.v[1] + g.v[2] * g.v[2]);
    mass += m;
    moment += m * g.x[up];
    places.push_back(g.x[0]);
  }
  if (bed.name != "W4" && mass > 0) out.height = moment / mass;
  if (bed.name == "W3" && !places.empty()) {
    const auto at = places.begin() + static_cast<std::ptrdiff_t>(places.size() * 99 / 100);
    std::nth_element(places.begin(), at, places.end());
    out.runout = *at;
  }
  return out;
}

}  // namespace scree
