// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// Grains one by one, for small set-ups.
template <int D> struct Points {
  static constexpr std::string_view name = "points";
  static constexpr std::string_view meaning = "grains listed one by one";
  std::vector<Vec<D, dd>> positions;
  std::vector<Vec<D, dd>> velocities;
  std::vector<Spin<D, dd>> spins;
  std::vector<dd> radii;
  std::vector<double> angles;

  static constexpr auto fields() {
    return std::tuple{
        field<&Points::positions>("positions", "m", any, "centres"),
        field<&Points::velocities>("velocities", "m/s", any, "one per grain"),
        field<&Points::spins>("spins", "rad/s", any, "one per grain"),
        field<&Points::radii>("radii", "m", positive, "one per grain, in place of radius"),
        field<&Points::angles>("angles", "rad", any, "one per grain, in place of angle")};
  }
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
