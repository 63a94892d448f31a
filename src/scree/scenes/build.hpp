// SPDX-License-Identifier: BSD-3-Clause
/// What builders share. A builder is a settings struct with a name, a field list and
///
///     void build(const Site<D>&, Sketch<D>&) const;
///
/// which says where grains are and nothing of what they are made of. To add one: its files, and
/// its entry in registry.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/grains/world.hpp"

namespace scree {

/// A builder cannot do as it is told. `key` is the setting to blame; the reader adds the place.
struct BuildError : std::runtime_error {
  BuildError(std::string key_, const std::string& message)
      : std::runtime_error(message), key(std::move(key_)) {}
  std::string key;
};

/// Streams of random numbers, so that no two uses of a grain's id draw the same.
enum class Draw : std::uint32_t { radius = 1, place = 2, jitter = 3, velocity = 4, turn = 5, mass = 6, stiffness = 7, gap = 8 };

/// How radii are drawn: uniformly between two bounds, which may be equal, or so many of each of
/// some values. m.
struct Radii {
  double min = 0, max = 0;  // 0: not given
  std::vector<double> values{};
  std::vector<std::int64_t> counts{};  // of the values, in their order
  bool given() const { return max > 0; }
  bool mixed() const { return !values.empty(); }
  std::int64_t count() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }
  double mean() const {
    if (!mixed()) return 0.5 * (min + max);
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[k] * double(counts[k]);
    return sum / double(count());
  }
};

template <int N> Vec<N, double> low_words(const Vec<N, dd>& a) {
  Vec<N, double> lo{};
  for (int k = 0; k < N; ++k) lo[k] = a[k].lo;
  return lo;
}
/// The k-th vector of a list of high words and one of low words, which may be empty.
template <class T, int N>
Vec<N, T> join_words(const std::vector<Vec<N, double>>& hi, const std::vector<Vec<N, double>>& lo, std::size_t k) {
  Vec<N, T> a{};
  for (int c = 0; c < N; ++c) a[c] = scree::join_words<T>(hi[k][c], lo.empty() ? 0.0 : lo[k][c]);
  return a;
}

/// Grains as a builder places them. What may stay empty (`v`, `w`, `fixed`, `m` …) is then the block's.
template <int D> struct Sketch {
  std::vector<Vec<D, double>> x;
  std::vector<double> r;
  std::vector<Vec<D, double>> v;
  std::vector<Spin<D, double>> w;
  std::vector<std::uint8_t> fixed;
  std::vector<double> turn;  // angles of orientation in the plane
  std::vector<double> m, stiffness;
  std::vector<std::uint32_t> shape;  // 0: round, k: the k-th of the block's outlines, counted from 1
  /// What the numbers above lack of the digits that were given; empty if nothing.
  std::vector<Vec<D, double>> x_lo, v_lo;
  std::vector<double> r_lo;
  std::vector<Spin<D, double>> w_lo;

  std::size_t size() const { return x.size(); }
  void add(const Vec<D, double>& place, double radius) {
    x.push_back(place);
    r.push_back(radius);
  }
  void add(const Vec<D, dd>& place, const dd& radius) {
    add(convert<double>(place), double(radius));
    x_lo.push_back(low_words(place));
    r_lo.push_back(radius.lo);
  }
};

/// What a builder sees besides its own settings.
template <int D> struct Site {
  std::uint64_t seed = 1;
  std::uint32_t first_id = 0;       // of the block's first grain
  std::int64_t limit = 50'000'000;  // grains that may still be built
  Radii radii;
  Domain<D> domain;
  std::string folder;  // where relative file names start; "" is the current one
  double solid = 0;    // m^D, area or volume of the free grains of the blocks before this one

  std::uint32_t id(std::size_t k) const { return first_id + static_cast<std::uint32_t>(k); }
  Random random(Draw purpose, std::size_t k) const {
    return Random(seed, static_cast<std::uint32_t>(purpose), id(k));
  }
  /// The radius of the block's k-th grain, which is the drawn-th of those that take the block's radii.
  double radius(std::size_t k, std::size_t drawn) const {
    need_radii();
    if (radii.mixed()) {
      auto left = static_cast<std::int64_t>(drawn);
      for (std::size_t i = 0; i < radii.values.size(); ++i)
        if ((left -= radii.counts[i]) < 0) return radii.values[i];
      throw BuildError("radius", "its counts are those of " + std::to_string(radii.count()) +
                                     " grains, and the block has more");
    }
    return radii.min == radii.max ? radii.min
                                  : random(Draw::radius, k).uniform(radii.min, radii.max);
  }
  double radius(std::size_t k) const { return radius(k, k); }
  void need_radii() const {
    if (!radii.given())
      throw BuildError("radius", "missing key \"radius\"; expected a number > 0 in m");
  }
  void check_count(double count, const std::string& key) const {
    if (!(count <= static_cast<double>(limit)))
      throw BuildError(key,
                       "too many grains: expected at most " + std::to_string(limit) + " in all");
  }
};

/// Moves a grain within its share of the free gap, so that neighbours cannot meet.
template <int D>
Vec<D, double> jittered(const Site<D>& site, std::size_t k, const Vec<D, double>& x, double gap) {
  if (!(gap > 0)) return x;
  Random random = site.random(Draw::jitter, k);
  const double most = gap / (2 * std::sqrt(double(D)));
  Vec<D, double> moved = x;
  for (int a = 0; a < D; ++a) moved[a] += random.uniform(-most, most);
  return moved;
}

/// How many steps of `step` fit into `room`.
inline std::int64_t fits(double room, double step) {
  if (!(room >= 0)) return 0;
  const double n = std::floor(room / step * (1 + 1e-12)) + 1;
  return n > 4e18 ? std::int64_t{4'000'000'000'000'000'000} : static_cast<std::int64_t>(n);
}

/// A box given as [[low corner], [high corner]].
template <int D> using Corners = std::vector<Vec<D, double>>;

template <int D> void check_box(const Corners<D>& box, const std::string& key) {
  if (box.empty())
    throw BuildError(key,
                     "missing key \"" + key + "\"; expected two corners, [[low], [high]], in m");
  if (box.size() != 2)
    throw BuildError(key,
                     "expected two corners, [[low], [high]], found " + std::to_string(box.size()));
  for (int k = 0; k < D; ++k)
    if (!(box[0][k] < box[1][k]))
      throw BuildError(key,
                       std::string("expected the low corner below the high one along ") + "xyz"[k]);
}

}  // namespace scree
