// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/gatekeeper.hpp"

#include "scree/core/random.hpp"
#include "scree/core/reals.hpp"

namespace scree {
namespace {

/// Streams of random numbers of grains that come in; builders use others (scenes/build.hpp).
constexpr std::uint32_t radius_stream = 16, place_stream = 17, shape_stream = 18;

}  // namespace

template <int D, class T>
std::vector<std::uint16_t> departures(const World<D, T>& world, const Column<std::uint8_t>& present, const T& t,
                                      const T& h) {
  const double now = static_cast<double>(t);
  std::vector<std::uint16_t> taken;
  for (std::size_t k = 0; k < world.outlets.size(); ++k) {
    const Outlet<D>& outlet = world.outlets[k];
    if (now < outlet.from || !(now < outlet.until)) continue;
    if (!falls_due(now, static_cast<double>(h), outlet.from, outlet.every)) continue;
    taken.resize(world.grains.size());
    for (std::size_t i = 0; i < taken.size(); ++i)
      if (!taken[i] && present[i] && !world.grains.held[i] && outlet.region.has(world.state.x[i]))
        taken[i] = static_cast<std::uint16_t>(k + 1);
  }
  return taken;
}

template <int D, class T>
std::vector<Arrival<D, T>> arrivals(const World<D, T>& world, const std::vector<std::uint8_t>& there,
                                    const std::vector<WallPose<D, T>>& walls, const Periods<D, T>& periods, const T& t,
                                    const T& h, std::int64_t step) {
  std::vector<Arrival<D, T>> come;
  const double now = static_cast<double>(t);
  std::uint32_t id = world.next_id;
  for (std::size_t k = 0; k < world.inlets.size(); ++k) {
    const Inlet<D>& inlet = world.inlets[k];
    std::int64_t wanted = inlet.due(now) - world.let_in[k].count;
    if (wanted <= 0 || !falls_due(now, static_cast<double>(h), inlet.from, inlet.every)) continue;
    // Who reaches into the box.
    std::vector<std::pair<Vec<D, T>, T>> near;
    const Vec<D, T> lo = convert<T>(inlet.region.lo), hi = convert<T>(inlet.region.hi), middle = (lo + hi) * T(0.5);
    const auto consider = [&](const Vec<D, T>& x, const T& r) {
      const Vec<D, T> d = periods.shortest(x - middle);
      for (int a = 0; a < D; ++a) {
        const T half = (hi[a] - lo[a]) * T(0.5) + r;
        if (d[a] > half || d[a] < -half) return;
      }
      near.emplace_back(x, r);
    };
    for (std::size_t i = 0; i < there.size(); ++i)
      if (there[i]) consider(world.state.x[i], world.grains.r[i]);
    for (const Arrival<D, T>& one : come) consider(one.x, one.r);
    const auto free = [&](const Vec<D, T>& x, const T& r) {
      for (const auto& [y, s] : near)
        if (norm2(periods.shortest(y - x)) < (r + s) * (r + s)) return false;
      for (const WallPose<D, T>& wall : walls)
        if (wall.present && meet(wall, x).distance < r) return false;
      return true;
    };
    for (bool found = true; found && wanted > 0; --wanted) {
      const double r = inlet.r_min == inlet.r_max ? inlet.r_min
                                                  : Random(inlet.seed, radius_stream, id).uniform(inlet.r_min, inlet.r_max);
      // A grain that waits looks elsewhere in every step.
      Random random(inlet.seed ^ static_cast<std::uint64_t>(step) * 0x9E3779B97F4A7C15ULL, place_stream, id);
      found = false;
      for (std::int64_t n = 0; n < inlet.tries && !found; ++n) {
        Vec<D, T> x;
        for (int a = 0; a < D; ++a) x[a] = T(random.uniform(inlet.region.lo[a] + r, inlet.region.hi[a] - r));
        if (!free(x, T(r))) continue;
        Arrival<D, T> one{k, x, T(r)};
        if (inlet.shape_count > 0) {
          Random shape(inlet.seed, shape_stream, id);
          one.shape = inlet.shape_first + static_cast<std::uint32_t>(shape.uniform(0, inlet.shape_count));
          one.turn = shape.uniform(inlet.turn_min, inlet.turn_max);
        }
        come.push_back(one);
        near.emplace_back(x, T(r));
        ++id;
        found = true;
      }
    }
  }
  return come;
}

#define SCREE_INSTANTIATE(D, T)                                                                                      \
  template std::vector<std::uint16_t> departures(const World<D, T>&, const Column<std::uint8_t>&, const T&, const T&); \
  template std::vector<Arrival<D, T>> arrivals(const World<D, T>&, const std::vector<std::uint8_t>&,                 \
                                               const std::vector<WallPose<D, T>>&, const Periods<D, T>&, const T&,   \
                                               const T&, std::int64_t);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
