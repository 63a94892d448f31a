// SPDX-License-Identifier: BSD-3-Clause
/// All that a law may see of a contact, and the one place where Coulomb's limit is applied.
/// Geometry and signs: spec of the laws, docs/laws.md. n points from grain i to grain j.
#pragma once

#include <concepts>
#include <string_view>

#include "scree/core/fields.hpp"
#include "scree/core/select.hpp"
#include "scree/core/vec.hpp"

namespace scree {

/// What a normal law sees.
template <class T>
struct Overlap {
  T xi;     // overlap, > 0
  T rate;   // its rate, positive while the grains approach
  T r_eff;  // r_i r_j/(r_i + r_j); a wall: r_i
  T m_eff;  // m_i m_j/(m_i + m_j); a wall: m_i
  T root = sqrt(xi);  // for laws that have a root_in_damping, where k is a modulus: sqrt(r_eff xi)

  /// The same contact at another overlap.
  SCREE_FN Overlap at(const T& other) const { return {other, rate, r_eff, m_eff}; }
};

/// What a tangential or rolling law sees: the overlap and what the normal law made of it.
template <class T>
struct Slip {
  T xi, rate, r_eff, m_eff;
  T normal;   // |N|
  T damping;  // the normal law's dashpot coefficient at this overlap, N s/m
  T radius = sqrt(r_eff * xi);  // of the disc of contact

  SCREE_FN Slip at(const T& other) const { return {other, rate, r_eff, m_eff, normal, damping}; }
};

/// Every normal law has the form N = elastic(xi) + damping(xi) xi'. Keeping the two apart gives
/// the ledger its dissipation and material-derived stiffness its factor. The force of the dashpot is a
/// total derivative, damping(ξ) ξ' = d/dt impulse(ξ), which the momentum-shifted integrator lives on:
/// impulse(ξ) = ∫_0^ξ damping. energy(ξ) = ∫_0^ξ elastic.
///
/// A law whose elastic part is proportional to `root`, and its damping to a power of it, may name that power as
/// root_in_damping. Where k is a modulus, the sweep then puts sqrt(r* ξ) for the root, and sqrt(r*) need not be multiplied by.
template <class L>
concept NormalLaw = requires(const L law, const Overlap<double>& c) {
  { L::name } -> std::convertible_to<std::string_view>;
  { law.elastic(c) } -> std::same_as<double>;
  { law.damping(c) } -> std::same_as<double>;
  { law.energy(c) } -> std::same_as<double>;
  { law.impulse(c) } -> std::same_as<double>;
  L::fields();
};

template <NormalLaw L, class T>
SCREE_FN T force(const L& law, const Overlap<T>& c) {
  return law.elastic(c) + law.damping(c) * c.rate;
}

/// A law of friction is a spring, a dashpot and a limit; what happens at the limit is common
/// to all and written once, below.
template <class L>
concept FrictionLaw = requires(const L law, const Slip<double>& c) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::has_memory } -> std::convertible_to<bool>;
  { law.stiffness(c) } -> std::same_as<double>;
  { law.stiffness_rate(c) } -> std::same_as<double>;
  { law.dashpot(c) } -> std::same_as<double>;
  { law.limit(c) } -> std::same_as<double>;
  L::fields();
};

/// A law whose memory is no spring but the force itself, found by solving for all contacts at once (is_solved): it
/// does not move with the slip, and stores and loses nothing in the sweep.
template <class L>
inline constexpr bool is_solved = requires { requires L::is_solved; };

/// The answer of a friction law: force, the spring cut back to the limit, and the power lost.
template <class V>
struct Friction {
  V force;
  V spring;
  typename V::Scalar power;     // dissipated by the dashpot (and by stiffness that fades under the spring)
  typename V::Scalar released;  // energy that the cut took out of the spring
};

/// f = -(k z + g u), and where that is longer than the limit; friction() below goes on from there.
template <class V>
struct Held {
  V force;
  typename V::Scalar power;
  Truth<typename V::Scalar> slides;
};
template <FrictionLaw L, class V, class T = typename V::Scalar>
[[gnu::always_inline]] SCREE_FN Held<V> hold(const L& law, const Slip<T>& c, const V& spring, const V& u) {
  const T g = law.dashpot(c), limit = law.limit(c), k = law.stiffness(c);
  Held<V> h;
  for (int d = 0; d < V::size; ++d) h.force[d] = -(spring[d] * k + u[d] * g);
  h.power = -(dot(h.force, u) + k * dot(spring, u)) - law.stiffness_rate(c) * norm2(spring) * T(0.5);
  h.slides = norm2(h.force) > limit * limit;
  return h;
}

/// f = -(k z + g u), at most `limit` long. At the limit the spring itself is cut back so that
/// k z + g u has the length of the limit: it relaxes at once when N falls (Cundall and Strack 1979).
/// `keep`: leave the spring as it is (stages of a step), report the force alone.
///
/// What a cut releases is the slip, z - z', times the force of the spring while it slipped. `advance`
/// is the time for which the spring was carried along with u since its last cut without a call that
/// booked the work: 0 if `keep` calls saw all of it (then what is released is ½ k (z² - z'²)), the step
/// if this is the only call in a step. Then the spring slipped from z - u advance to z', and with half
/// of the advance before the call and half after it, work = dissipation + change of ½ k z² holds to
/// round-off. Releasing ½ k (z² - z'²) would charge ½ k (u h)² too much for every step of sliding.
template <FrictionLaw L, class V, class T = typename V::Scalar>
[[gnu::always_inline]] SCREE_FN Friction<V> friction(const L& law, const Slip<T>& c, const V& spring,
                                                     const V& u, bool keep, const T& advance = T(0)) {
  const T g = law.dashpot(c);
  const T limit = law.limit(c);
  Friction<V> a{};
  if constexpr (L::has_memory) {
    const T k = law.stiffness(c);
    V f = -(spring * k + u * g);
    const T length2 = norm2(f);
    const Truth<T> slides = length2 > limit * limit;
    a.spring = spring;
    a.released = T(0);
    if (some(slides)) {  // a root and two divisions that a bed at rest does without
      // Selections instead of branches: T may be a pack of contacts.
      const T cut = select(slides, limit / sqrt(select(slides, length2, T(1))), T(1));
      f *= cut;
      const Truth<T> springy = k > T(0);
      const Truth<T> shorten = both(both(slides, springy), Truth<T>(!keep));
      const V limited = (f + u * g) * (T(-1) / select(springy, k, T(1)));
      for (int d = 0; d < V::size; ++d) a.spring[d] = select(shorten, limited[d], spring[d]);
      a.released = k * dot(spring - u * advance + a.spring, spring - a.spring) * T(0.5);
    }
    a.force = f;
    a.power = -(dot(f, u) + k * dot(a.spring, u)) - law.stiffness_rate(c) * norm2(a.spring) * T(0.5);
  } else {
    const T speed2 = norm2(u);
    const Truth<T> slides = g * g * speed2 > limit * limit;
    const T coefficient = select(slides, limit / sqrt(select(slides, speed2, T(1))), g);
    a.force = -(u * coefficient);
    a.spring = spring;
    a.power = coefficient * speed2;
    a.released = T(0);
  }
  return a;
}

}  // namespace scree
