// SPDX-License-Identifier: BSD-3-Clause
/// Coefficients of the laws from what is known of the materials: E and ν, a viscous time, or the
/// restitution that a drop test has shown.
#pragma once

#include <optional>

#include "scree/laws/contact_table.hpp"

namespace scree {

/// An elastic material.
struct Elastic {
  double young = 0;    // E, Pa
  double poisson = 0;  // ν
};

/// E* of a pair, 1/E* = (1 - ν_i²)/E_i + (1 - ν_j²)/E_j.
double effective_young(const Elastic& i, const Elastic& j);

/// G* of a pair, 1/G* = 2 (2 - ν_i)(1 + ν_i)/E_i + 2 (2 - ν_j)(1 + ν_j)/E_j; for equal materials
/// E/(4 (2 - ν)(1 + ν)).
double effective_shear(const Elastic& i, const Elastic& j);

/// What all pairs of two materials share of Hertz' stiffness k = (4/3) E* sqrt(r*): the factor
/// (4/3) E*, in Pa, to go with Scaling::Stiffness::root_radius.
double hertz_stiffness(double effective_young);

/// Derives k of the normal law from the materials. Throws InputError for a law whose stiffness is
/// not Hertz'. Tsuji's dashpot goes with the root of k, so it is scaled along.
void set_material_stiffness(ContactLaws& laws, const Elastic& i, const Elastic& j);

/// Derives g of a Kuwabara-Kono law (plain or mollified) from the viscous time A (s): g = (3/2) A
/// k; of a power law with b = a - 1: g = a A k. Throws InputError for any other law. Brilliantov, Spahn, Hertzsch and Pöschel, Phys. Rev. E
/// 53, 5382 (1996).
void set_viscous_time(ContactLaws& laws, double viscous_time);

/// Gives the dashpot per reduced mass, as LAMMPS' `gran/hooke/history` and `gran/hertz/history` do:
/// g = γ m*, for every law with a `g`; of a Kuwabara-Kono law with a stiffness from the materials
/// g = γ m* sqrt(r*), in units 1/(m s), so that N = sqrt(r* ξ) ((4/3) E* ξ + γ m* ξ'). Throws InputError
/// for a law without `g`.
void set_damping_per_mass(ContactLaws& laws, double gamma);

/// A wanted bounce. Speed and pair matter only to laws whose restitution depends on them; `linear`
/// and `hertz-tsuji` give the same restitution to every pair at every speed.
struct Bounce {
  double restitution = 1;
  double speed = 1;  // m/s, of impact
  double r_eff = 1;  // m, of the pair that shall bounce so
  double m_eff = 1;  // kg
};

/// Derives the dashpot of the normal law such that the pair bounces as wanted, for the law's
/// stiffness and its attraction as they stand in `laws`, and sets the scaling with it. Throws
/// InputError, with a fragment to put behind the key's name, if no dashpot of that law does it.
void set_restitution(ContactLaws& laws, const Bounce& wanted);

/// The damping ratio g/(2 sqrt(m k)) of a linear law with restitution e, 0 < e <= 1.
double linear_damping_ratio(double restitution, bool attraction);

/// α of `hertz-tsuji` with restitution e, 0 < e <= 1: -sqrt(5) ln e/sqrt(π² + ln² e) if attraction
/// is allowed, else found numerically.
double tsuji_alpha(double restitution, bool attraction);

/// The coefficient of the law's dashpot (`g`, or `alpha`) with which the pair bounces as wanted
/// under the scaling in `laws`; none if there is no dashpot, or none that does it. By root finding
/// on collide(): some milliseconds.
std::optional<double> dashpot_for(const ContactLaws& laws, const Bounce& wanted);

}  // namespace scree
