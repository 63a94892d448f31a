// SPDX-License-Identifier: BSD-3-Clause
/// A frame as the sums want it: grains, contacts and wall forces with all their images, as far as they reach the
/// points where fields are wanted.
///
/// A contact of two counted grains carries its force along the branch between their centres. Where the partner does
/// not count (a wall, a held grain with the border `wall`, a grain that was not selected) it goes from the centre to the
/// contact point, and the force acts there as a wall force. Without `wall`, a held partner gets the whole branch.
#pragma once

#include <array>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/fields/settings.hpp"

namespace scree::fields {

template <int D> inline constexpr int spins = D == 2 ? 1 : 3;
template <int D> inline constexpr int pairs = D * (D + 1) / 2;  // components of a symmetric tensor

/// D: of space, N: of the kernel.
template <int D, int N>
struct GrainRecord {
  std::array<double, static_cast<std::size_t>(N)> x;
  std::array<double, static_cast<std::size_t>(D)> v;
  std::array<double, static_cast<std::size_t>(D)> force, body;  // of all contacts; of all else (with balances)
  std::array<double, static_cast<std::size_t>(spins<D>)> w;
  std::array<double, static_cast<std::size_t>(pairs<D>)> fabric;  // sum of n (x) n over its contacts
  double volume, mass, radius, inertia, contacts;
};

template <int D, int N>
struct ContactRecord {
  std::array<double, static_cast<std::size_t>(N)> x;         // where the line begins
  std::array<double, static_cast<std::size_t>(D)> branch, force;  // to its end; on the grain at its beginning
};

template <int D, int N>
struct WallRecord {
  std::array<double, static_cast<std::size_t>(N)> x;
  std::array<double, static_cast<std::size_t>(D)> force;
};

/// The box that holds all points where fields are wanted, widened by the reach.
struct Window {
  std::array<double, 3> lo{}, hi{};
};

template <int D, int N>
struct Records {
  std::vector<GrainRecord<D, N>> grains;
  std::vector<ContactRecord<D, N>> contacts;
  std::vector<WallRecord<D, N>> walls;
  double longest = 0;  // half length of the longest line, as the kernel sees it
};

template <int D, int N>
Records<D, N> make_records(const Frame& frame, const Surroundings& around, const Settings& settings,
                           const std::vector<int>& axes, const Window& window);

/// The place of an id in a frame, or frame.size().
std::size_t index_of(const Frame& frame, std::int64_t id);

}  // namespace scree::fields
