// SPDX-License-Identifier: BSD-3-Clause
/// From sums to fields with names, components and units.
///
///     volume_density nu = Σ V phi          density rho = Σ m phi         number_density Σ phi
///     momentum p = Σ m v phi               velocity V = p/rho
///     contact_stress s^c                   kinetic_stress s^k = -Σ m v'(x)v' phi       stress s = s^c + s^k
///     temperature T = tr(-s^k)/(D rho)     spin_density Σ I w phi        spin Σ I w phi/Σ I phi
///     fabric F = Σ V phi Σ_c n(x)n         coordination Z = Σ z phi/Σ phi
///     pressure P = -tr s/D                 shear_stress tau = √(s':s'/2), s' the symmetric part without trace
///     shear_rate = √(2 D':D'), D' the symmetric velocity gradient without trace
///     velocity_gradient L_ab = dV_a/dx_b = (dp_a/dx_b - V_a drho/dx_b)/rho, by the gradient of the kernel
///     inertial_number I = shear_rate d √(rho_g/P), d = 2 Σ r phi/Σ phi and rho_g = rho/nu
///     mu = tau/P
///     wall_force t = Σ f phi(x - c) over contacts with walls, with the border `wall`
///
/// In the plane volumes are areas: rho is in kg/m², stress in N/m. What cannot be said (a velocity where there is no
/// grain, a stress without recorded contacts, mu without pressure) is NaN.
#pragma once

#include <string>
#include <vector>

#include "scree/fields/sums.hpp"

namespace scree::fields {

struct Field {
  std::string name, unit;
  std::vector<std::string> components;  // one "" for a scalar; else letters: x, xy …
  std::vector<double> values;           // components per point
  std::size_t width() const { return components.size(); }
  /// "density", "velocity_x".
  std::string column(std::size_t k) const { return components[k].empty() ? name : name + "_" + components[k]; }
};

/// The fields of a row of sums per point.
std::vector<Field> fields_of(const CoarseGrainer& grainer, const std::vector<double>& sums, bool has_contacts);

/// The field of that name, or nullptr.
const Field* find_field(const std::vector<Field>& fields, const std::string& name);

}  // namespace scree::fields
