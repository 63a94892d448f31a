// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/field_set.hpp"

#include <cmath>
#include <limits>

namespace scree::fields {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// √(factor t':t') with the symmetric part of t without its trace.
double deviator(const double* t, std::size_t dim, double factor) {
  double trace = 0, square = 0;
  for (std::size_t a = 0; a < dim; ++a) trace += t[dim * a + a];
  for (std::size_t a = 0; a < dim; ++a)
    for (std::size_t b = 0; b < dim; ++b) {
      const double s = 0.5 * (t[dim * a + b] + t[dim * b + a]) - (a == b ? trace / static_cast<double>(dim) : 0);
      square += s * s;
    }
  return std::sqrt(factor * square);
}

}  // namespace

std::vector<Field> fields_of(const CoarseGrainer& grainer, const std::vector<double>& sums, bool has_contacts) {
  const SumLayout& l = grainer.layout();
  const auto dim = static_cast<std::size_t>(l.dim);
  const double n = l.dim;
  const std::size_t points = sums.size() / l.size;
  const bool plane = l.dim == 2, smooth = grainer.kernel().smooth(), wall = grainer.settings().border == Border::wall;
  const std::vector<std::string> letters = grainer.grid().letters();
  std::vector<std::string> tensor;
  for (const auto& a : letters)
    for (const auto& b : letters) tensor.push_back(a + b);
  const std::vector<std::string> scalar{""};
  const std::vector<std::string> spin = plane ? scalar : letters;
  const std::string per_volume = plane ? "m^-2" : "m^-3", density = plane ? "kg/m^2" : "kg/m^3", stress = plane ? "N/m" : "Pa",
                    force = plane ? "N/m^2" : "N/m^3";

  std::vector<Field> fields;
  fields.reserve(40);
  const auto add = [&](const char* name, const std::string& unit, const std::vector<std::string>& components) -> std::vector<double>& {
    fields.push_back({name, unit, components, std::vector<double>(points * components.size(), nan)});
    return fields.back().values;
  };
  auto& volume = add("volume_density", "1", scalar);
  auto& mass = add("density", density, scalar);
  auto& number = add("number_density", per_volume, scalar);
  auto& momentum = add("momentum", plane ? "kg/(m s)" : "kg/(m^2 s)", letters);
  auto& velocity = add("velocity", "m/s", letters);
  auto& contact = add("contact_stress", stress, tensor);
  auto& kinetic = add("kinetic_stress", stress, tensor);
  auto& total = add("stress", stress, tensor);
  auto& temperature = add("temperature", "m^2/s^2", scalar);
  auto& spin_density = add("spin_density", plane ? "kg/s" : "kg/(m s)", spin);
  auto& mean_spin = add("spin", "rad/s", spin);
  auto& fabric = add("fabric", "1", tensor);
  auto& coordination = add("coordination", "1", scalar);
  auto& pressure = add("pressure", stress, scalar);
  auto& shear_stress = add("shear_stress", stress, scalar);
  auto& gradient = add("velocity_gradient", "1/s", tensor);
  auto& shear_rate = add("shear_rate", "1/s", scalar);
  auto& inertial = add("inertial_number", "1", scalar);
  auto& mu = add("mu", "1", scalar);
  std::vector<double>* wall_force = wall ? &add("wall_force", force, letters) : nullptr;
  struct Balance {
    std::vector<double>*rate, *divergence, *continuity, *momentum_rate, *flux, *stress, *body, *residual;
  } balance{};
  if (l.balance) {
    const std::string flow = density + "/s";
    balance.rate = &add("density_rate", flow, scalar);
    balance.divergence = &add("momentum_divergence", flow, scalar);
    balance.continuity = &add("continuity_residual", flow, scalar);
    balance.momentum_rate = &add("momentum_rate", force, letters);
    balance.flux = &add("flux_divergence", force, letters);
    balance.stress = &add("stress_divergence", force, letters);
    balance.body = &add("body_force", force, letters);
    balance.residual = &add("momentum_residual", force, letters);
  }

  for (std::size_t p = 0; p < points; ++p) {
    const double* s = &sums[p * l.size];
    volume[p] = s[l.volume];
    mass[p] = s[l.mass];
    number[p] = s[l.number];
    const bool filled = s[l.mass] > 0;
    for (std::size_t a = 0; a < dim; ++a) {
      momentum[p * dim + a] = s[l.momentum + a];
      if (filled) velocity[p * dim + a] = s[l.momentum + a] / s[l.mass];
      if (wall && has_contacts) (*wall_force)[p * dim + a] = s[l.wall + a];
    }
    double trace = 0, heat = 0;
    for (std::size_t q = 0; q < dim * dim; ++q) {
      const std::size_t at = p * dim * dim + q;
      kinetic[at] = -s[l.kinetic + q];
      if (!has_contacts) continue;
      contact[at] = s[l.stress + q];
      total[at] = contact[at] + kinetic[at];
      fabric[at] = s[l.fabric + q];
    }
    for (std::size_t a = 0; a < dim; ++a) {
      heat += s[l.kinetic + dim * a + a];
      trace += total[p * dim * dim + dim * a + a];
    }
    if (filled) temperature[p] = heat / (n * s[l.mass]);
    for (std::size_t a = 0; a < static_cast<std::size_t>(l.spin); ++a) {
      const std::size_t at = p * static_cast<std::size_t>(l.spin) + a;
      spin_density[at] = s[l.spins + a];
      if (s[l.inertia] > 0) mean_spin[at] = s[l.spins + a] / s[l.inertia];
    }
    if (has_contacts) {
      if (s[l.number] > 0) coordination[p] = s[l.contacts] / s[l.number];
      pressure[p] = -trace / n;
      shear_stress[p] = deviator(&total[p * dim * dim], dim, 0.5);
      if (pressure[p] > 0) mu[p] = shear_stress[p] / pressure[p];
    }
    if (filled && smooth) {
      double* L = &gradient[p * dim * dim];
      for (std::size_t a = 0; a < dim; ++a)
        for (std::size_t b = 0; b < dim; ++b)
          L[dim * a + b] = (s[l.momentum_gradient + dim * a + b] - velocity[p * dim + a] * s[l.mass_gradient + b]) / s[l.mass];
      shear_rate[p] = deviator(L, dim, 2);
      if (has_contacts && pressure[p] > 0 && s[l.volume] > 0)
        inertial[p] = shear_rate[p] * 2 * s[l.radius] / s[l.number] * std::sqrt(s[l.mass] / s[l.volume] / pressure[p]);
    }
    if (l.balance) {
      double divergence = 0;
      for (std::size_t a = 0; a < dim; ++a) divergence += s[l.momentum_gradient + dim * a + a];
      (*balance.rate)[p] = s[l.mass_rate];
      (*balance.divergence)[p] = divergence;
      (*balance.continuity)[p] = s[l.mass_rate] + divergence;
      if (!filled || !has_contacts) continue;
      for (std::size_t a = 0; a < dim; ++a) {
        // div(p p/rho) by the product rule, and what is left of div Σ m v v phi is that of the kinetic stress
        double flux = velocity[p * dim + a] * divergence;
        for (std::size_t b = 0; b < dim; ++b)
          flux += velocity[p * dim + b] * (s[l.momentum_gradient + dim * a + b] - velocity[p * dim + a] * s[l.mass_gradient + b]);
        const double stress_divergence = s[l.divergence + a] - (s[l.flux + a] - flux);
        const std::size_t at = p * dim + a;
        (*balance.momentum_rate)[at] = s[l.momentum_rate + a];
        (*balance.flux)[at] = flux;
        (*balance.stress)[at] = stress_divergence;
        (*balance.body)[at] = s[l.body + a];
        (*balance.residual)[at] = s[l.momentum_rate + a] + flux - stress_divergence - s[l.body + a] - (wall ? s[l.wall + a] : 0);
      }
    }
  }
  return fields;
}

const Field* find_field(const std::vector<Field>& fields, const std::string& name) {
  for (const Field& one : fields)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace scree::fields
