// SPDX-License-Identifier: BSD-3-Clause
/// The domain that grains can be in, and how much of a kernel's mass lies inside it:
///
///     N(x) = ∫_domain phi(x - y) dy
///
/// Near a border a field without grains beyond it is too small by this factor (seed 003, section 6.2.2). In the plane
///
///     N = ∫_0^w phi(r) r A(r) dr
///
/// with the angle A(r) under which the circle of radius r about x is inside: 2 acos(-d/r) for a half-plane at the distance d,
/// 2 acos((c² + r² - R²)/(2 c r)) for a disc of radius R with its middle c away, the difference of two discs for an annulus, and
/// arcs between the sides of a box. Panels end where A has its kinks, and u with r = middle - half cos u takes the roots at
/// their ends away. In space the same is done in slices, with a half-space in closed form.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scree/fields/kernel.hpp"

namespace scree::fields {

struct Region {
  enum class Kind { none, disc, annulus, box, half_plane };
  Kind kind = Kind::none;
  std::array<double, 3> lo{}, hi{};         // box; infinite where it is open
  std::array<double, 2> centre{};           // disc and annulus, in space cylinders about z
  double inner = 0, outer = 0;              // m; a disc has inner = 0
  std::array<double, 3> point{}, normal{};  // half-plane: normal points inside

  static Region disc(double x, double y, double radius);
  static Region annulus(double x, double y, double inner, double outer);
  static Region box(const std::array<double, 3>& lo, const std::array<double, 3>& hi);
  static Region half_plane(const std::array<double, 3>& point, const std::array<double, 3>& normal);

  bool contains(const double* x, int dim) const;
  std::string text(int dim = 3) const;  // as parse_region reads it in a run of that dimension
};

std::string_view name_of(Region::Kind kind);

/// "disc:x,y,R", "annulus:x,y,Ri,Ro", "box:xlo,ylo[,zlo],xhi,yhi[,zhi]" or "half-plane:px,py[,pz],nx,ny[,nz]".
/// InputError if it is none of these.
Region parse_region(const std::string& text, int dim);

/// A region as a kernel over the axes `axes` sees it. InputError if it has no meaning there: an annulus along one axis.
class RegionMass {
 public:
  RegionMass() = default;
  RegionMass(const Region& region, const std::vector<int>& axes);
  /// N at x, whose components are those of the axes; 1 for a region of the kind none.
  double operator()(const Kernel& kernel, const double* x) const;

 private:
  double angle(double r, const double* x) const;
  void kinks(const double* x, std::vector<double>& at) const;
  double in_plane(const Kernel& kernel, const double* x, double z2, double reach) const;

  Region region_;
  std::vector<int> axes_;
};

}  // namespace scree::fields
