// SPDX-License-Identifier: BSD-3-Clause
/// The loops over a batch. Included by one file per number type (batch_double.cpp, batch_dd.cpp), which
/// are the longest to compile and so are compiled side by side.
#pragma once

#include "scree/engines/batch.hpp"

#include <cstdlib>
#include <limits>
#include <string_view>

#include "scree/core/reals.hpp"

/// The kernels below are compiled for several instruction sets and the widest that the machine has
/// is chosen when the program starts. Contraction is off and sqrt and division are exact to the last
/// bit in all of them, so the choice cannot change a result, only its cost. Each set is one function
/// into which everything is inlined: no inline function is left behind that another translation unit
/// could pick up by mistake.
#define SCREE_INLINE __attribute__((always_inline)) inline

namespace scree {
namespace {

/// Component of a velocity in the plane of the contact, as the springs see it: along
/// t = (n_y, -n_x) in two dimensions, a vector in three.
template <class T>
SCREE_FN Vec<1, T> tangent_part(const Vec<2, T>& u, const Vec<2, T>& n) {
  return {u[0] * n[1] - u[1] * n[0]};
}
template <class T>
SCREE_FN Vec<3, T> tangent_part(const Vec<3, T>& u, const Vec<3, T>& n) { return u - n * dot(u, n); }

/// Relative spin that rolls: all of it in the plane, without the part along n (twist) in space.
template <class T>
SCREE_FN Vec<1, T> rolling_part(const Vec<1, T>& w, const Vec<2, T>&) { return w; }
template <class T>
SCREE_FN Vec<3, T> rolling_part(const Vec<3, T>& w, const Vec<3, T>& n) { return w - n * dot(w, n); }

/// A spring goes with the frame of its contact: projected on the new tangent plane, its length
/// kept. In the plane it is a component along t and goes with it by itself.
template <class T>
SCREE_FN Vec<1, T> carried_spring(const Vec<1, T>& z, const Vec<2, T>&) { return z; }
template <class T>
SCREE_FN Vec<3, T> carried_spring(const Vec<3, T>& z, const Vec<3, T>& n) {
  const Vec<3, T> p = z - n * dot(z, n);
  const T length2 = norm2(z), projected2 = norm2(p);
  return p * sqrt(length2 / (projected2 > T(0) ? projected2 : T(1)));
}

/// Calls f(c) for the contacts with the given laws; all of them when there is only one entry, so
/// that the usual loop has no test in it.
template <int D, class T, class F>
SCREE_INLINE void over(const Batch<D, T>& b, std::uint16_t index, bool only, F&& f) {
  if (only) {
    for (int c = 0; c < b.n; ++c) f(c);
  } else {
    for (int c = 0; c < b.n; ++c)
      if (b.laws[static_cast<std::size_t>(c)] == index) f(c);
  }
}

template <int D, class T>
SCREE_FN Slip<T> slip_of(const Batch<D, T>& b, std::size_t c) {
  const T force = b.normal[c] < T(0) ? -b.normal[c] : b.normal[c];
  return {b.xi[c], b.rate[c], b.r_eff[c], b.m_eff[c], force, b.damping[c]};
}

/// The factors of coefficients that are derived from the pair; the kind of factor is asked once, not
/// per contact.
template <int D, class T>
SCREE_INLINE void find_scales(Batch<D, T>& b, const Scaling& scaling, std::uint16_t index, bool only) {
  const auto fill = [&](typename Batch<D, T>::Lane& lane, const auto& scale) {
    over(b, index, only, [&](int k) {
      const auto c = static_cast<std::size_t>(k);
      lane[c] = scale(c);
    });
  };
  if (scaling.stiffness == Scaling::Stiffness::root_radius) fill(b.k_scale, [&](std::size_t c) { return sqrt(b.r_eff[c]); });
  else fill(b.k_scale, [](std::size_t) { return T(1); });
  switch (scaling.damping) {
    case Scaling::Damping::root_radius: fill(b.g_scale, [&](std::size_t c) { return sqrt(b.r_eff[c]); }); break;
    case Scaling::Damping::quarter_radius: fill(b.g_scale, [&](std::size_t c) { return sqrt(sqrt(b.r_eff[c])); }); break;
    case Scaling::Damping::root_mass: fill(b.g_scale, [&](std::size_t c) { return sqrt(b.m_eff[c]); }); break;
    case Scaling::Damping::mass: fill(b.g_scale, [&](std::size_t c) { return b.m_eff[c]; }); break;
    case Scaling::Damping::mass_root_radius: fill(b.g_scale, [&](std::size_t c) { return b.m_eff[c] * sqrt(b.r_eff[c]); }); break;
    case Scaling::Damping::given: fill(b.g_scale, [](std::size_t) { return T(1); }); break;
  }
}

// In the loops below laws and settings are local copies: through a reference the compiler would have
// to assume that writing an answer may change them, and read them again for every contact.

template <int D, class T>
SCREE_INLINE void apply_normal(Batch<D, T>& b, const ContactLaws& laws, std::uint16_t index, bool only, bool energy) {
  const bool plain = laws.scaling.plain();
  if (!plain) find_scales(b, laws.scaling, index, only);
  // the pull that may remain: all of it, or none
  const T least = laws.attraction ? -std::numeric_limits<T>::infinity() : T(0);
  std::visit(
      [&](const auto& chosen) {
        const auto law = chosen;
        const auto evaluate = [&](std::size_t c, const T& ks, const T& gs) {
          const Overlap<T> o{b.xi[c], b.rate[c], b.r_eff[c], b.m_eff[c]};
          const T elastic = ks * law.elastic(o);
          const T damping = gs * law.damping(o);
          const T full = elastic + damping * o.rate;
          const T normal = full > least ? full : least;
          b.elastic[c] = elastic;
          b.damping[c] = damping;
          b.normal[c] = normal;
          b.power_n[c] = (normal - elastic) * o.rate;
        };
        if (plain) over(b, index, only, [&](int c) { evaluate(static_cast<std::size_t>(c), T(1), T(1)); });
        else
          over(b, index, only, [&](int k) {
            const auto c = static_cast<std::size_t>(k);
            evaluate(c, b.k_scale[c], b.g_scale[c]);
          });
        if (energy)
          over(b, index, only, [&](int k) {
            const auto c = static_cast<std::size_t>(k);
            const Overlap<T> o{b.xi[c], b.rate[c], b.r_eff[c], b.m_eff[c]};
            b.stored[c] = (plain ? T(1) : b.k_scale[c]) * law.energy(o);
          });
      },
      laws.normal);
}

/// The same for the momentum-shifted form. Friction is limited by N, and N has the square root of the
/// dashpot in it: what the limit needs is its mean over the step around this instant, of which the
/// dashpot's part is known exactly, (ψ(t + h/2) - ψ(t - h/2))/h. The first one counts from touch, so the
/// means of a contact add up to its whole integral.
template <int D, class T>
SCREE_INLINE void apply_shifted_normal(Batch<D, T>& b, const ContactLaws& laws, std::uint16_t index, bool only, const T& step) {
  const bool plain = laws.scaling.plain();
  if (!plain) find_scales(b, laws.scaling, index, only);
  const bool attraction = laws.attraction;
  const T half = step * T(0.5);
  const bool moves = step > T(0);
  const T per_step = moves ? T(1) / step : T(0);
  std::visit(
      [&](const auto& chosen) {
        const auto law = chosen;
        over(b, index, only, [&](int k) {
          const auto c = static_cast<std::size_t>(k);
          const T gs = plain ? T(1) : b.g_scale[c];
          const Overlap<T> o{b.xi[c], b.rate[c], b.r_eff[c], b.m_eff[c]};
          const T elastic = (plain ? T(1) : b.k_scale[c]) * law.elastic(o);
          const T damping = gs * law.damping(o);
          const T now = damping * o.rate;
          const auto impulse_at = [&](const T& xi) {
            return xi > T(0) ? gs * law.impulse(Overlap<T>{xi, o.rate, o.r_eff, o.m_eff}) : T(0);
          };
          const T later = impulse_at(o.xi + half * o.rate);
          const T earlier = b.born[c] ? T(0) : impulse_at(o.xi - half * o.rate);
          const T mean = elastic + (moves ? (later - earlier) * per_step : now);
          const bool pushes = attraction || elastic + now > T(0);
          const T normal = pushes && (attraction || mean > T(0)) ? mean : T(0);
          b.elastic[c] = elastic;
          b.damping[c] = damping;
          b.impulse[c] = impulse_at(o.xi);
          b.pushes[c] = pushes;
          b.normal[c] = normal;
          b.power_n[c] = (normal - elastic) * o.rate;
        });
      },
      laws.normal);
}

/// ψ alone.
template <int D, class T>
SCREE_INLINE void apply_impulse(Batch<D, T>& b, const ContactLaws& laws, std::uint16_t index, bool only) {
  const bool plain = laws.scaling.plain();
  if (!plain) find_scales(b, laws.scaling, index, only);
  std::visit(
      [&](const auto& chosen) {
        const auto law = chosen;
        over(b, index, only, [&](int k) {
          const auto c = static_cast<std::size_t>(k);
          b.impulse[c] = (plain ? T(1) : b.g_scale[c]) * law.impulse(Overlap<T>{b.xi[c], b.rate[c], b.r_eff[c], b.m_eff[c]});
        });
      },
      laws.normal);
}

/// For how long a spring moves before its force is taken: as told, or since its contact began.
template <bool shifted, int D, class T>
SCREE_INLINE T time_before(const Batch<D, T>& b, std::size_t c, const SpringTask<T>& task) {
  if constexpr (shifted) {
    if (!b.born[c] || !(b.rate[c] > T(0))) return task.before;
    const T since = b.xi[c] / b.rate[c];
    return since < task.step ? since : task.step;
  } else {
    return task.before;
  }
}

/// What a law of friction moves: sliding in the plane of contact, or rolling.
template <int N, class T>
struct Sliding {
  const Lanes<N, T>& velocity;
  Lanes<N, T>& spring;
  Lanes<N, T>& force;
  std::array<T, batch_size>&power, &released;
};

/// Sliding and rolling friction alike; the energies of the springs are added up in `stored_t`.
template <bool shifted, int D, int N, class T, class Laws>
SCREE_INLINE void apply_friction(Batch<D, T>& b, const Laws& laws, std::uint16_t index, bool only, const SpringTask<T>& task,
                                 const Sliding<N, T>& to) {
  const SpringTask<T> springs = task;
  std::visit(
      [&](const auto& chosen) {
        const auto law = chosen;
        using Law = std::remove_cvref_t<decltype(law)>;
        over(b, index, only, [&](int k) {
          const auto c = static_cast<std::size_t>(k);
          if constexpr (std::is_same_v<Law, Frictionless>) {
            b.set(to.force, k, Vec<N, T>{});
            to.power[c] = to.released[c] = T(0);
          } else {
            const Slip<T> slip = slip_of(b, c);
            const Vec<N, T> u = b.get(to.velocity, k);
            const T before = time_before<shifted>(b, c, springs);
            Vec<N, T> spring{};
            if constexpr (Law::has_memory) spring = carried_spring(b.get(to.spring, k), b.get(b.n_, k)) + u * before;
            const auto answer = friction(law, slip, spring, u, springs.keep, before + springs.after);
            b.set(to.force, k, answer.force);
            to.power[c] = answer.power;
            to.released[c] = answer.released;
            b.stored_t[c] += law.stiffness(slip) * norm2(answer.spring) * T(0.5);
            if constexpr (Law::has_memory) b.set(to.spring, k, answer.spring + u * springs.after);
          }
        });
      },
      laws);
}

template <int D, class T>
SCREE_INLINE void geometry_body(Batch<D, T>& b, bool need_effective) {
  const T half = T(0.5);
  for (int k = 0; k < b.n; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const Vec<D, T> d = b.get(b.d, k);
    const T distance = sqrt(norm2(d));
    const Vec<D, T> n = d * (T(1) / distance);
    const T xi = b.reach[c] - distance;
    const Vec<D, T> dv = b.get(b.dv, k);
    const T li = b.ri[c] - xi * half, lj = b.rj[c] - xi * half;
    b.distance[c] = distance;
    b.set(b.n_, k, n);
    b.xi[c] = xi;
    b.rate[c] = dot(dv, n);
    b.li[c] = li;
    b.lj[c] = lj;
    const Spin<D, T> wi = b.get(b.wi, k), wj = b.get(b.wj, k);
    b.set(b.u, k, tangent_part(dv + cross(wi * li + wj * lj, n), n));
    b.set(b.spin, k, rolling_part(wi - wj, n));
  }
  // Walls: the contact point is the centre of the disc that the wall cuts out of the grain, the
  // lever its distance, and the wall brings its own surface velocity.
  for (int w = 0; w < b.walls; ++w) {
    const int k = b.walls_at[static_cast<std::size_t>(w)];
    const auto c = static_cast<std::size_t>(k);
    const Vec<D, T> n = b.get(b.d, k);  // a wall leaves its unit normal here
    const T distance = b.wall_distance[c];
    const Vec<D, T> dv = b.get(b.dv, k);
    b.distance[c] = distance;
    b.set(b.n_, k, n);
    b.xi[c] = b.ri[c] - distance;
    b.rate[c] = dot(dv, n);
    b.li[c] = distance;
    b.lj[c] = T(0);
    const Spin<D, T> wi = b.get(b.wi, k);
    b.set(b.u, k, tangent_part(dv + cross(wi * distance, n), n));
    b.set(b.spin, k, rolling_part(wi - b.get(b.wj, k), n));
  }
  if (need_effective) {
    for (int k = 0; k < b.n; ++k) {
      const auto c = static_cast<std::size_t>(k);
      const T sum = b.ri[c] + b.rj[c];
      b.r_eff[c] = b.rj[c] > T(0) ? b.ri[c] * b.rj[c] / sum : b.ri[c];
      b.m_eff[c] = T(1) / b.inverse_mass[c];
    }
  }
}

template <bool shifted, int D, class T>
SCREE_INLINE void laws_body(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task) {
  const bool only = table.laws.size() == 1;
  for (int c = 0; c < b.n; ++c) b.stored_t[static_cast<std::size_t>(c)] = T(0);
  for (std::uint16_t index = 0; index < table.laws.size(); ++index) {
    const ContactLaws& laws = table.laws[index];
    if constexpr (shifted) apply_shifted_normal(b, laws, index, only, task.step);
    else apply_normal(b, laws, index, only, task.energy);
    apply_friction<shifted>(b, laws.tangential, index, only, task,
                            Sliding<Batch<D, T>::Z, T>{b.u, b.zeta, b.tangential, b.power_t, b.released_t});
    if (table.has_rolling())
      apply_friction<shifted>(b, laws.rolling, index, only, task,
                              Sliding<Batch<D, T>::A, T>{b.spin, b.roll, b.rolling, b.power_r, b.released_r});
  }
}

template <int D, class T>
SCREE_INLINE void both(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task, bool need_effective) {
  geometry_body(b, need_effective);
  switch (task.shifting) {
    case Shifting::none: laws_body<false>(b, table, task); break;
    case Shifting::all: laws_body<true>(b, table, task); break;
    case Shifting::impulse:
      for (std::uint16_t index = 0; index < table.laws.size(); ++index)
        apply_impulse(b, table.laws[index], index, table.laws.size() == 1);
      break;
  }
}

template <int D, class T>
using Kernel = void (*)(Batch<D, T>&, const ContactTable&, const SpringTask<T>&, bool);

template <int D, class T>
__attribute__((flatten)) void kernel_plain(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task,
                                           bool need_effective) {
  both(b, table, task, need_effective);
}
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
template <int D, class T>
__attribute__((flatten, target("arch=x86-64-v3"))) void kernel_v3(Batch<D, T>& b, const ContactTable& table,
                                                                 const SpringTask<T>& task, bool need_effective) {
  both(b, table, task, need_effective);
}
template <int D, class T>
__attribute__((flatten, target("arch=x86-64-v4,prefer-vector-width=512"))) void kernel_v4(
    Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task, bool need_effective) {
  both(b, table, task, need_effective);
}
#endif

/// SCREE_SIMD=plain|v3|v4 asks for less than the machine has, to show that the bits stay the same.
template <int D, class T>
Kernel<D, T> choose_kernel() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
  const char* wanted = std::getenv("SCREE_SIMD");
  const std::string_view most = wanted ? wanted : "v4";
  // what double-doubles gain is fused multiply-add, which v3 has; wider lanes would only be compiled
  if constexpr (!is_dd<T>)
    if (most == "v4" && __builtin_cpu_supports("x86-64-v4")) return kernel_v4<D, T>;
  if (most != "plain" && __builtin_cpu_supports("x86-64-v3")) return kernel_v3<D, T>;
#endif
  return kernel_plain<D, T>;
}

}  // namespace

template <int D, class T>
void evaluate_batch(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task, bool need_effective) {
  static const Kernel<D, T> kernel = choose_kernel<D, T>();
  kernel(b, table, task, need_effective);
}

template <int D, class T>
std::pair<T, T> orphaned_energy(const ContactLaws& laws, const Spring<D, T>& zeta, const Spin<D, T>& roll) {
  const Slip<T> parted{};  // no overlap, no normal force
  const auto energy = [&](const auto& law, const auto& spring) {
    return law.stiffness(parted) * norm2(spring) * T(0.5);
  };
  return {std::visit([&](const auto& law) { return energy(law, zeta); }, laws.tangential),
          std::visit([&](const auto& law) { return energy(law, roll); }, laws.rolling)};
}

template <class T>
T stored_energy(const ContactLaws& laws, const Overlap<T>& c) {
  return std::visit([&](const auto& law) { return law.energy(c); }, laws.normal) * laws.scaling.of_stiffness(c.r_eff);
}

}  // namespace scree
