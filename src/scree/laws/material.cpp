// SPDX-License-Identifier: BSD-3-Clause
#include "scree/laws/material.hpp"

#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

#include "scree/core/errors.hpp"
#include "scree/laws/collision.hpp"
#include "scree/laws/root.hpp"

namespace scree {
namespace {

/// Laws say what they are by the units of their coefficients, so that a new one needs no entry
/// here.
template <class L> constexpr bool has_field(std::string_view name, std::string_view unit) {
  bool found = false;
  for_each_field<L>([&](const auto& f) { found = found || (f.name == name && f.unit == unit); });
  return found;
}
template <class L> inline constexpr bool is_hertzian = has_field<L>("k", "N m^-3/2");
template <class L>
inline constexpr bool is_viscoelastic = is_hertzian<L>&& has_field<L>("g", "N s m^-3/2");

/// The coefficient of the dashpot, or null.
double* dashpot_of(AnyNormal& normal) {
  return std::visit(
      []<class L>(L& law) -> double* {
        if constexpr (requires { law.g; })
          return &law.g;
        else if constexpr (requires { law.alpha; })
          return &law.alpha;
        else if constexpr (requires { law.gamma; })
          return &law.gamma;
        else
          return nullptr;
      },
      normal);
}

std::string_view name_of(const AnyNormal& normal) {
  return std::visit([](const auto& law) { return std::string_view(law.name); }, normal);
}

/// -ln e of a linear law without attraction, 2 z arccos(z)/sqrt(1 - z²), from collision.cpp.
double loss_without_attraction(double z) {
  ContactLaws laws;
  laws.normal = Linear{.k = 1, .g = 2 * z};
  laws.attraction = false;
  return -std::log(collide(laws, 1, 1, 1).restitution);
}

std::string text(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

void check(const Bounce& wanted) {
  if (!(wanted.restitution > 0 && wanted.restitution <= 1))
    throw InputError("is " + text(wanted.restitution) + ": expected a number > 0 and <= 1");
}

}  // namespace

double effective_young(const Elastic& i, const Elastic& j) {
  return 1 / ((1 - i.poisson * i.poisson) / i.young + (1 - j.poisson * j.poisson) / j.young);
}

double effective_shear(const Elastic& i, const Elastic& j) {
  const auto compliance = [](const Elastic& a) {
    return 2 * (2 - a.poisson) * (1 + a.poisson) / a.young;
  };
  return 1 / (compliance(i) + compliance(j));
}

double hertz_stiffness(double effective_young) { return effective_young * 4 / 3; }

void set_material_stiffness(ContactLaws& laws, const Elastic& i, const Elastic& j) {
  std::visit(
      [&]<class L>(L& law) {
        if constexpr (is_hertzian<L>)
          law.k = hertz_stiffness(effective_young(i, j));
        else
          throw InputError("cannot give the law '" + std::string(L::name) +
                           "' its stiffness: expected k, or a law with Hertz' elasticity");
      },
      laws.normal);
  laws.scaling.stiffness = Scaling::Stiffness::root_radius;
  if (std::holds_alternative<HertzTsuji>(laws.normal)) laws.scaling.damping = Scaling::Damping::quarter_radius;
}

void set_viscous_time(ContactLaws& laws, double viscous_time) {
  std::visit(
      [&]<class L>(L& law) {
        if constexpr (is_viscoelastic<L>)
          law.g = 1.5 * viscous_time * law.k;
        else if constexpr (std::is_same_v<L, Power>) {
          if (std::abs(law.b - (law.a - 1)) > 1e-12)
            throw InputError("goes with b = a - 1, where the dashpot is the rate of the spring");
          law.g = law.a * viscous_time * law.k;
        } else
          throw InputError("is unknown to the law '" + std::string(L::name) +
                           "': expected kk, kk-mollified, kk-mollified-full or power");
      },
      laws.normal);
  laws.scaling.damping = laws.scaling.stiffness == Scaling::Stiffness::root_radius
                             ? Scaling::Damping::root_radius
                             : Scaling::Damping::given;
}

void set_damping_per_mass(ContactLaws& laws, double gamma) {
  std::visit(
      [&]<class L>(L& law) {
        if constexpr (requires { law.g; })
          law.g = gamma;
        else
          throw InputError("is unknown to the law '" + std::string(L::name) + "': expected a law with a dashpot g");
        const bool by_radius = is_viscoelastic<L> && laws.scaling.stiffness == Scaling::Stiffness::root_radius;
        laws.scaling.damping = by_radius ? Scaling::Damping::mass_root_radius : Scaling::Damping::mass;
      },
      laws.normal);
}

double linear_damping_ratio(double restitution, bool attraction) {
  const double loss = -std::log(restitution);
  if (loss <= 0) return 0;
  if (attraction) return loss / std::hypot(std::numbers::pi, loss);
  double high = loss;  // loss is near π z, and grows like 2 ln(2 z)
  while (loss_without_attraction(high) < loss) high *= 2;
  return find_root([&](double z) { return loss_without_attraction(z) - loss; }, 0, high, -loss,
                   loss_without_attraction(high) - loss);
}

double tsuji_alpha(double restitution, bool attraction) {
  const double loss = -std::log(restitution);
  if (loss <= 0) return 0;
  if (attraction) return std::sqrt(5.0) * loss / std::hypot(std::numbers::pi, loss);
  ContactLaws laws;
  laws.normal = HertzTsuji{.k = 1, .alpha = 0};
  laws.attraction = false;
  const auto alpha = dashpot_for(laws, {.restitution = restitution});
  if (!alpha) throw InputError("no damping number gives this restitution without attraction");
  return *alpha;
}

std::optional<double> dashpot_for(const ContactLaws& given, const Bounce& wanted) {
  ContactLaws laws = given;
  double* dashpot = dashpot_of(laws.normal);
  if (wanted.restitution == 1) return 0.0;
  if (dashpot == nullptr) return std::nullopt;

  // The natural unit: critical damping, taking the law at its undamped overlap for a spring.
  *dashpot = 1;
  const NormalPair pair = normal_pair(laws, wanted.r_eff, wanted.m_eff);
  const double xi = elastic_overlap(pair, wanted.speed);
  const double unit = 2 * std::sqrt(wanted.m_eff * pair.elastic(xi) / xi) / pair.dashpot(xi);
  if (!std::isfinite(unit)) return std::nullopt;

  const auto excess = [&](double log_ratio) {
    *dashpot = unit * std::exp(log_ratio);
    return collide(laws, wanted.r_eff, wanted.m_eff, wanted.speed).restitution - wanted.restitution;
  };
  double low = std::log((1 - wanted.restitution) / 8), high = low + 2;
  double above = excess(low), below = excess(high);
  while (above < 0 && low > -40) low -= 2, above = excess(low);
  while (below > 0 && high < 20) high += 1, below = excess(high);
  if (above < 0 || below > 0) return std::nullopt;
  const double root = find_root(excess, low, high, above, below, 1e-14);
  // Where grains begin to stick, e may jump to 0 before it comes down to the wanted one.
  if (std::abs(excess(root)) > 1e-6) return std::nullopt;
  return unit * std::exp(root);
}

void set_restitution(ContactLaws& laws, const Bounce& wanted) {
  check(wanted);
  const bool material = laws.scaling.stiffness == Scaling::Stiffness::root_radius;
  laws.scaling.damping = Scaling::Damping::given;
  if (auto* linear = std::get_if<Linear>(&laws.normal); linear && !material) {
    linear->g =
        2 * linear_damping_ratio(wanted.restitution, laws.attraction) * std::sqrt(linear->k);
    laws.scaling.damping = Scaling::Damping::root_mass;
    return;
  }
  if (auto* tsuji = std::get_if<HertzTsuji>(&laws.normal)) {
    tsuji->alpha = tsuji_alpha(wanted.restitution, laws.attraction);
    if (material) laws.scaling.damping = Scaling::Damping::quarter_radius;
    return;
  }
  const bool viscoelastic =
      std::visit([]<class L>(const L&) { return is_viscoelastic<L>; }, laws.normal);
  if (material && viscoelastic) laws.scaling.damping = Scaling::Damping::root_radius;
  const auto found = dashpot_for(laws, wanted);
  if (!found)
    throw InputError("is " + text(wanted.restitution) + ", which no dashpot of the law '" +
                     std::string(name_of(laws.normal)) + "' gives at " + text(wanted.speed) +
                     " m/s");
  if (double* dashpot = dashpot_of(laws.normal)) *dashpot = *found;
}

}  // namespace scree
