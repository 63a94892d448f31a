// SPDX-License-Identifier: BSD-3-Clause
/// Made-up files of `scree fields` of a cell.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scree/io/hdf5.hpp"

namespace scree::test {

/// What a ring says at a snapshot.
struct RingValues {
  double rr = -10, tt = -10, tau = 2, gradient = 0.01;  // stresses and dv_t/dr - v_t/r
};

/// Rings r = 10, 10 + step, … of grains of radius 0.5, seen by a kernel of reach 1.5, at t = 1, 2, …, of frames[t] frames each.
inline void write_cell(const std::filesystem::path& path, std::size_t rings, double step, const std::vector<std::int64_t>& frames,
                       const std::function<RingValues(std::size_t snapshot, std::size_t ring)>& values) {
  hdf5::File h5 = hdf5::File::create(path);
  h5.set("format", std::string("scree fields 1"));
  h5.set("grain_radius", 0.5);
  h5.set("reach", 1.5);
  std::vector<double> time, r, stress, one, velocity, gradient;
  for (std::size_t t = 0; t < frames.size(); ++t) time.push_back(1.0 + static_cast<double>(t));
  for (std::size_t k = 0; k < rings; ++k) r.push_back(10.0 + step * static_cast<double>(k));
  for (std::size_t t = 0; t < frames.size(); ++t)
    for (std::size_t k = 0; k < rings; ++k) {
      const RingValues v = values(t, k);
      for (const double x : {v.rr, v.tau, v.tau, v.tt}) stress.push_back(x);
      one.push_back(1);
      for (const double x : {0.0, 1.0}) velocity.push_back(x);
      for (const double x : {0.0, v.gradient, 0.0, 0.0}) gradient.push_back(x);
    }
  h5.write("time", time);
  h5.write("frames", frames);
  hdf5::Group grid = h5.create_group("grid"), fields = h5.create_group("fields");
  grid.set("scattered", std::int64_t{0});
  grid.write_texts("names", {"r"});
  grid.write("r", r);
  fields.write("stress", stress, 4);
  fields.set("components", std::string("rr,rt,tr,tt"), "stress");
  fields.write("density", one);
  fields.write("volume_density", one);
  fields.write("velocity", velocity, 2);
  fields.set("components", std::string("r,t"), "velocity");
  fields.write("velocity_gradient", gradient, 4);
  fields.set("components", std::string("rr,rt,tr,tt"), "velocity_gradient");
  h5.close();
}

}  // namespace scree::test
