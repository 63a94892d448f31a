// SPDX-License-Identifier: BSD-3-Clause
#include "scree/laws/bond.hpp"

#include <cmath>

namespace scree {

std::optional<double> viscous_time(const ContactLaws& laws, double r_eff, double m_eff) {
  // A ratio that is the same over nine decades of the overlap is a constant: laws are powers, or powers with a
  // length of their own, and two different ones part ways long before.
  std::optional<double> gamma;
  for (const double part : {1e-10, 1e-7, 1e-4, 1e-1}) {
    const double xi = part * r_eff;
    const Dual<double> f = elastic_force(laws, xi, r_eff, m_eff);
    const Overlap<double> c{xi, 0, r_eff, m_eff};
    const double g = std::visit([&](const auto& law) { return law.damping(c); }, laws.normal) *
                     laws.scaling.of_damping(r_eff, m_eff);
    const double ratio = g / f.slope;
    if (!std::isfinite(ratio)) return std::nullopt;
    if (gamma && !(std::abs(ratio - *gamma) <= 1e-9 * *gamma)) return std::nullopt;
    gamma = ratio;
  }
  return gamma;
}

std::string why_no_bond(const ContactLaws& laws) {
  if (laws.tangential.index() != 0) return "grains without friction; expected tangential = { law = \"none\" }";
  if (laws.rolling.index() != 0) return "grains without rolling resistance; expected rolling = { law = \"none\" }";
  const auto gamma = viscous_time(laws, 1, 1);
  const std::string name = std::visit([](const auto& law) { return std::string(law.name); }, laws.normal);
  if (!gamma)
    return "a dashpot that is the rate of the spring, N = f + gamma df/dt, which \"" + name +
           "\" has not so; expected kk, power with b = a - 1, linear, or a law without dashpot";
  if (*gamma > 0 && !laws.attraction)
    return "contacts that may pull before they end, as N = f + gamma df/dt does; expected attraction = true";
  if (elastic_force(laws, 1e-10, 1.0, 1.0).slope > elastic_force(laws, 1e-2, 1.0, 1.0).slope * (1 + 1e-9))
    return "a spring that does not soften under load; expected an exponent a >= 1";
  return "";
}

}  // namespace scree
