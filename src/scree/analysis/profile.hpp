// SPDX-License-Identifier: BSD-3-Clause
/// Profiles across a flow: packing, velocity and granular temperature in slabs along one axis, averaged over as many
/// frames as are added.
///
/// Packing is exact: each grain gives a slab the volume (in the plane: area) that it has in it. Velocities are weighted
/// with that volume. The temperature of a slab is the mean square of what is left of the velocities after their mean
/// *and their gradient* across the slab are taken out, per dimension,
///
///     T = <|v - V - V' (z - Z)|²>/D,
///
/// with z the centre of a grain, so that wide slabs do not read shear as heat. Across the border of a periodic axis a
/// grain fills slabs on both sides; its velocity counts on its own, since in a sheared box its image has another.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

/// The part of a disc's area or a sphere's volume (radius r, centre at 0) that lies below height z, from 0 to 1.
double part_below(int dim, double r, double z);

struct Slabs {
  int axis = 1;
  double low = 0, high = 1;   // m
  std::size_t count = 20;
  double area = 1;            // m², in the plane m: of a slab's face
  double period = 0;          // m, along the axis: high - low where grains reach across the border; 0: none
  double width() const { return (high - low) / static_cast<double>(count); }
  double middle(std::size_t k) const { return low + (static_cast<double>(k) + 0.5) * width(); }
};

class Profile {
 public:
  explicit Profile(const Slabs& slabs) : slabs_(slabs), sums_(slabs.count) {}

  /// Adds the grains of a frame that are not held.
  void add(const Frame& frame);
  /// Adds the frames of another profile over the same slabs.
  void add(const Profile& other);

  struct Row {
    double z = 0;                       // middle of the slab, m
    double packing = 0;                 // filled part, all grains that are not held
    std::array<double, 3> velocity{};   // m/s; NaN where there was no grain
    double temperature = 0;             // m²/s²; NaN likewise
  };
  std::vector<Row> rows() const;
  std::int64_t frames() const { return frames_; }
  const Slabs& slabs() const { return slabs_; }

 private:
  struct Sum {
    double filled = 0;                            // volume, with what reaches across the border
    double w = 0, z = 0, zz = 0;                  // weight of velocities and its moments in height
    std::array<double, 3> v{}, vz{}, vv{};
  };
  Slabs slabs_;
  std::vector<Sum> sums_;
  std::int64_t frames_ = 0;
  int dim_ = 2;
};

}  // namespace scree
