// SPDX-License-Identifier: BSD-3-Clause
/// The sums that fields are made of, at every point of a grid, for one frame:
///
///     Σ phi, Σ V phi, Σ m phi, Σ r phi, Σ I phi, Σ m v phi, Σ I w phi, Σ z phi, Σ V n(x)n phi, and gradients of Σ m phi and Σ m v phi
///     s^c = Σ_contacts f (x) b ∫_0^1 phi(x - x_i - s b) ds      f on grain i, b from its centre to the partner's
///     K = Σ m v'(x)v' phi,  v' = v - V(x)
///
/// (Goldhirsch, Granul. Matter 12, 239 (2010).) Each point gathers what is near it from cells, in a fixed order: N grains
/// on M points cost O(N + M + pairs within reach), and the number of threads changes no bit.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/fields/settings.hpp"

namespace scree::fields {

/// Where the sums of a point are in its row. All but `kinetic` are linear: they may be added over angles and frames.
struct SumLayout {
  SumLayout(int dim, bool balance);
  int dim, spin;
  std::size_t number, volume, mass, radius, inertia, contacts, momentum, spins, fabric, mass_gradient, momentum_gradient,
      stress, wall, kinetic;
  // with `balance`: drho/dt, dp/dt, div Σ m v(x)v phi, div s^c and the body force
  bool balance;
  std::size_t mass_rate = 0, momentum_rate = 0, flux = 0, divergence = 0, body = 0;
  std::size_t size;
};

/// Sums of one frame: layout.size numbers per output point, in the components of the grid (polar ones rotated), divided
/// by the measure of the averaged axes and by the kernel's mass inside the domain. A point of which next to nothing is
/// inside the domain has NaNs.
struct FrameSums {
  std::vector<double> values;
  bool has_contacts = false;
};

class CoarseGrainer {
 public:
  /// InputError if width, domain and grid do not go together.
  CoarseGrainer(const Grid& grid, const Settings& settings, const Surroundings& around);

  FrameSums operator()(const Frame& frame) const;

  const SumLayout& layout() const { return layout_; }
  const Kernel& kernel() const { return kernel_; }
  const Grid& grid() const { return grid_; }
  const Settings& settings() const { return settings_; }
  const Surroundings& around() const { return around_; }
  /// Points of which less than this part of the kernel lies inside the domain are masked.
  static constexpr double least_inside = 1e-4;
  std::size_t outside() const { return outside_; }  // how many these are

 private:
  template <int D, int N> void gather(const Frame& frame, FrameSums& sums) const;
  template <int D> void rotate(double* row, double turn) const;

  Grid grid_;
  Settings settings_;
  Surroundings around_;
  Kernel kernel_;
  SumLayout layout_;
  std::vector<double> places_, turns_, scale_;  // of samples
  std::size_t outside_ = 0;
};

}  // namespace scree::fields
