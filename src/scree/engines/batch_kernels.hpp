// SPDX-License-Identifier: BSD-3-Clause
/// The loops over a batch. Included by one file per number type and instruction set (kernels_*.cpp), which
/// are the longest to compile and so are compiled side by side. Nothing here may leave an inline function
/// behind that another file could pick up and run on a lesser machine: all is in an unnamed namespace or
/// always inlined, and a test looks at the objects.
#pragma once

#include "scree/engines/batch.hpp"

#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "scree/core/mollified_root.hpp"
#include "scree/core/pack.hpp"
#include "scree/core/reals.hpp"
#include "scree/core/transpose.hpp"

#define SCREE_INLINE __attribute__((always_inline)) inline
#define SCREE_ALWAYS __attribute__((always_inline))
#define SCREE_FLATTEN __attribute__((flatten))

namespace scree {
namespace {

SCREE_INLINE Pack mollified_root(Pack x, Pack eps) {
  return each_lane([](double a, double e) { return scree::mollified_root<double>(a, e); }, x, eps);
}
SCREE_INLINE Pack mollified_root_integral(Pack x) {
  return each_lane([](double a) { return scree::mollified_root_integral<double>(a); }, x);
}
SCREE_INLINE Pack mollified_root_moment(Pack x) {
  return each_lane([](double a) { return scree::mollified_root_moment<double>(a); }, x);
}

/// Component of a velocity in the plane of the contact, as the springs see it: along
/// t = (n_y, -n_x) in two dimensions, a vector in three.
template <class T>
SCREE_INLINE Vec<1, T> tangent_part(const Vec<2, T>& u, const Vec<2, T>& n) {
  return {u[0] * n[1] - u[1] * n[0]};
}
template <class T>
SCREE_INLINE Vec<3, T> tangent_part(const Vec<3, T>& u, const Vec<3, T>& n) { return u - n * dot(u, n); }

/// Relative spin that rolls: all of it in the plane, without the part along n (twist) in space.
template <class T>
SCREE_INLINE Vec<1, T> rolling_part(const Vec<1, T>& w, const Vec<2, T>&) { return w; }
template <class T>
SCREE_INLINE Vec<3, T> rolling_part(const Vec<3, T>& w, const Vec<3, T>& n) { return w - n * dot(w, n); }

/// A spring goes with the frame of its contact: projected on the new tangent plane, its length
/// kept. In the plane it is a component along t and goes with it by itself.
template <class T>
SCREE_INLINE Vec<1, T> carried_spring(const Vec<1, T>& z, const Vec<2, T>&) { return z; }
template <class T>
SCREE_INLINE Vec<3, T> carried_spring(const Vec<3, T>& z, const Vec<3, T>& n) {
  const Vec<3, T> p = z - n * dot(z, n);
  const T length2 = norm2(z), projected2 = norm2(p);
  return p * sqrt(length2 / select(projected2 > T(0), projected2, T(1)));
}

/// Some contacts of a batch that are computed together: a pack of doubles, or one number of another type.
/// `mine` marks those whose laws are being applied; answers of the others stay as they are.
template <class T> struct Chunk;
template <> struct Chunk<double> {
  using Number = Pack;
  static constexpr int size = pack_size;
  std::size_t at;
  bool all = true;
  PackMask mine{true};

  SCREE_INLINE Pack get(const double* lane) const { return Pack::load(lane + at); }
  SCREE_INLINE void set(double* lane, const Pack& x) const {
    if (all) x.store(lane + at);
    else select(mine, x, get(lane)).store(lane + at);
  }
  SCREE_INLINE PackMask get(const bool* lane) const {
    PackMask m{false};
    for (int l = 0; l < size; ++l) m.set(l, lane[at + static_cast<std::size_t>(l)]);
    return m;
  }
  SCREE_INLINE void set(bool* lane, const PackMask& x) const {
    for (int l = 0; l < size; ++l)
      if (all || mine[l]) lane[at + static_cast<std::size_t>(l)] = x[l];
  }
  /// Which of them are contacts; the last chunk may be longer than the batch.
  SCREE_INLINE PackMask counts(int n) const {
    PackMask m{true};
    if (at + static_cast<std::size_t>(size) > static_cast<std::size_t>(n))
      for (int l = 0; l < size; ++l) m.set(l, at + static_cast<std::size_t>(l) < static_cast<std::size_t>(n));
    return m;
  }
  SCREE_INLINE void choose(const std::uint16_t* laws, std::uint16_t index) {
    all = false;
    for (int l = 0; l < size; ++l) mine.set(l, laws[at + static_cast<std::size_t>(l)] == index);
  }
};
template <> struct Chunk<dd> {
  using Number = dd;
  static constexpr int size = 1;
  std::size_t at;
  bool mine = true;

  SCREE_INLINE const dd& get(const dd* lane) const { return lane[at]; }
  SCREE_INLINE void set(dd* lane, const dd& x) const {
    if (mine) lane[at] = x;
  }
  SCREE_INLINE bool get(const bool* lane) const { return lane[at]; }
  SCREE_INLINE void set(bool* lane, bool x) const {
    if (mine) lane[at] = x;
  }
  SCREE_INLINE bool counts(int) const { return true; }
  SCREE_INLINE void choose(const std::uint16_t* laws, std::uint16_t index) { mine = laws[at] == index; }
};
template <class T> using Number = typename Chunk<T>::Number;

template <class T, std::size_t N>
SCREE_INLINE auto get(const Chunk<T>& c, const std::array<T, N>& lane) { return c.get(lane.data()); }
template <class T, std::size_t N>
SCREE_INLINE auto get(const Chunk<T>& c, const std::array<bool, N>& lane) { return c.get(lane.data()); }
template <class T, int N>
SCREE_INLINE Vec<N, Number<T>> get(const Chunk<T>& c, const Lanes<N, T>& lanes) {
  Vec<N, Number<T>> v;
  for (int k = 0; k < N; ++k) v[k] = c.get(lanes.lane[k]);
  return v;
}
template <class T, std::size_t N>
SCREE_INLINE void set(const Chunk<T>& c, std::array<T, N>& lane, const Number<T>& x) { c.set(lane.data(), x); }
template <class T, std::size_t N>
SCREE_INLINE void set(const Chunk<T>& c, std::array<bool, N>& lane, const Truth<Number<T>>& x) { c.set(lane.data(), x); }
template <class T, int N>
SCREE_INLINE void set(const Chunk<T>& c, Lanes<N, T>& lanes, const Vec<N, Number<T>>& v) {
  for (int k = 0; k < N; ++k) c.set(lanes.lane[k], v[k]);
}

/// Calls f for all contacts, a chunk at a time.
template <int D, class T, class F>
SCREE_INLINE void over(const Batch<D, T>& b, F&& f) {
  for (int c = 0; c < b.n; c += Chunk<T>::size) f(Chunk<T>{static_cast<std::size_t>(c)});
}
/// The same for those with the given laws; `only`: there are no others.
template <int D, class T, class F>
SCREE_INLINE void over(const Batch<D, T>& b, std::uint16_t index, bool only, F&& f) {
  if (only) return over(b, f);
  for (int c = 0; c < b.n; c += Chunk<T>::size) {
    Chunk<T> chunk{static_cast<std::size_t>(c)};
    chunk.choose(b.laws.data(), index);
    f(chunk);
  }
}

template <int D, class T>
SCREE_INLINE Overlap<Number<T>> overlap_of(const Batch<D, T>& b, const Chunk<T>& c) {
  return Overlap<Number<T>>{get(c, b.xi), get(c, b.rate), get(c, b.r_eff), get(c, b.m_eff)};
}

/// Laws that the usual step is compiled for as one loop, with every law of friction. The others are a call or a table per
/// contact, beside which that loop would gain little.
template <class L>
constexpr bool is_common = std::is_same_v<L, Linear> || std::is_same_v<L, Hertz> || std::is_same_v<L, HertzLinear> ||
                           std::is_same_v<L, HertzTsuji> || std::is_same_v<L, KuwabaraKono>;

/// Do the factors of r* that a scaling asks for come with the root of this law, if that is sqrt(r* ξ)?
template <class L>
SCREE_INLINE bool comes_with_root(const Scaling& scaling) {
  if constexpr (requires { L::root_in_damping; }) {
    const bool half = scaling.damping == Scaling::Damping::quarter_radius;
    const bool whole = scaling.damping == Scaling::Damping::root_radius || scaling.damping == Scaling::Damping::mass_root_radius;
    return scaling.stiffness == Scaling::Stiffness::root_radius && L::root_in_damping == (whole ? 1.0 : half ? 0.5 : 0.0);
  } else {
    return false;
  }
}

/// The factors of coefficients that are derived from the pair. `rooted`: what sqrt(r*) brings is in the root.
template <class N>
struct Scales {
  N k, g;
};
template <class N>
SCREE_INLINE Scales<N> scales_of(const Scaling& scaling, bool rooted, const N& r_eff, const N& m_eff) {
  using Damping = Scaling::Damping;
  Scales<N> s{N(1.0), N(1.0)};
  if (scaling.stiffness == Scaling::Stiffness::root_radius && !rooted) s.k = sqrt(r_eff);
  const bool with_mass = scaling.damping == Damping::mass || scaling.damping == Damping::mass_root_radius;
  if (scaling.damping == Damping::root_mass) s.g = sqrt(m_eff);
  else if (scaling.damping == Damping::quarter_radius && !rooted) s.g = sqrt(sqrt(r_eff));
  else if (scaling.damping == Damping::root_radius && !rooted) s.g = sqrt(r_eff);
  else if (scaling.damping == Damping::mass_root_radius && !rooted) s.g = m_eff * sqrt(r_eff);
  else if (with_mass) s.g = m_eff;
  return s;
}
/// Those of a chunk, with the stiffnesses of the grains.
template <int D, class T>
SCREE_INLINE Scales<Number<T>> scales_of(const Batch<D, T>& b, const Chunk<T>& c, const Scaling& scaling, bool rooted) {
  Scales<Number<T>> s = scales_of(scaling, rooted, get(c, b.r_eff), get(c, b.m_eff));
  if (scaling.of_grains()) {
    const Number<T> stiffness = get(c, b.stiffness);
    s.k = s.k * stiffness;
    s.g = s.g * stiffness;
  }
  return s;
}
/// Are they 1?
template <class Law>
SCREE_INLINE bool no_scales(const Scaling& scaling) {
  using Damping = Scaling::Damping;
  const bool given = scaling.stiffness == Scaling::Stiffness::given && scaling.damping == Damping::given;
  const bool massless = scaling.damping == Damping::given || scaling.damping == Damping::root_radius || scaling.damping == Damping::quarter_radius;
  return (given || (comes_with_root<Law>(scaling) && massless)) && !(scaling.stiffest > 0);
}

/// What a normal law says of some contacts.
template <class N>
struct NormalAnswer {
  N elastic, damping, normal;
};
/// `least`: the pull that may remain.
template <class Law, class N>
SCREE_INLINE NormalAnswer<N> normal_answer(const Law& law, const Overlap<N>& o, bool scaled, const Scales<N>& by, const N& least) {
  N elastic = law.elastic(o), damping = law.damping(o);
  if (scaled) {
    elastic = by.k * elastic;
    damping = by.g * damping;
  }
  const N full = elastic + damping * o.rate;
  return {elastic, damping, select(full > least, full, least)};
}

// In the loops below laws and settings are local copies: through a reference the compiler would have
// to assume that writing an answer may change them, and read them again for every contact.

template <int D, class T>
SCREE_INLINE void apply_normal(Batch<D, T>& b, const ContactLaws& laws, std::uint16_t index, bool only, bool energy) {
  using N = Number<T>;
  const Scaling scaling = laws.scaling;
  // the pull that may remain: all of it, or none
  const N least = laws.attraction ? N(-std::numeric_limits<double>::infinity()) : N(0.0);
  std::visit(
      [&](const auto& chosen) SCREE_FLATTEN {
        const auto law = chosen;
        using Law = std::remove_cvref_t<decltype(law)>;
        const bool rooted = comes_with_root<Law>(scaling);
        const bool scaled = !no_scales<Law>(scaling);
        over(b, index, only, [&](const Chunk<T>& c) SCREE_ALWAYS {
          Overlap<N> o = overlap_of(b, c);
          if (rooted) o.root = sqrt(o.r_eff * o.xi);
          const Scales<N> by = scaled ? scales_of(b, c, scaling, rooted) : Scales<N>{N(1.0), N(1.0)};
          const NormalAnswer<N> answer = normal_answer(law, o, scaled, by, least);
          set(c, b.elastic, answer.elastic);
          set(c, b.damping, answer.damping);
          set(c, b.normal, answer.normal);
          set(c, b.power_n, (answer.normal - answer.elastic) * o.rate);
          if (energy) set(c, b.stored, scaled ? by.k * law.energy(o) : law.energy(o));
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
  using N = Number<T>;
  const Scaling scaling = laws.scaling;
  const bool attraction = laws.attraction;
  const bool moves = step > T(0);
  const N half = N(step * T(0.5)), per_step = N(moves ? T(1) / step : T(0));
  std::visit(
      [&](const auto& chosen) SCREE_FLATTEN {
        const auto law = chosen;
        over(b, index, only, [&](const Chunk<T>& c) SCREE_ALWAYS {
          const Scales<N> by = scales_of(b, c, scaling, false);
          const N ks = by.k, gs = by.g;
          const Overlap<N> o = overlap_of(b, c);
          const N elastic = ks * law.elastic(o);
          const N damping = gs * law.damping(o);
          const N now = damping * o.rate;
          const auto impulse_at = [&](const N& xi) SCREE_ALWAYS {
            const Truth<N> inside = xi > N(0.0);
            return select(inside, gs * law.impulse(Overlap<N>{select(inside, xi, N(0.0)), o.rate, o.r_eff, o.m_eff}), N(0.0));
          };
          const N later = impulse_at(o.xi + half * o.rate);
          const N earlier = select(get(c, b.born), N(0.0), impulse_at(o.xi - half * o.rate));
          const N mean = elastic + (moves ? (later - earlier) * per_step : now);
          const Truth<N> pulls = Truth<N>(attraction);
          const Truth<N> pushes = either(pulls, elastic + now > N(0.0));
          const N normal = select(both(pushes, either(pulls, mean > N(0.0))), mean, N(0.0));
          set(c, b.elastic, elastic);
          set(c, b.damping, damping);
          set(c, b.impulse, impulse_at(o.xi));
          set(c, b.pushes, pushes);
          set(c, b.normal, normal);
          set(c, b.power_n, (normal - elastic) * o.rate);
        });
      },
      laws.normal);
}

/// ψ alone.
template <int D, class T>
SCREE_INLINE void apply_impulse(Batch<D, T>& b, const ContactLaws& laws, std::uint16_t index, bool only) {
  using N = Number<T>;
  const Scaling scaling = laws.scaling;
  std::visit(
      [&](const auto& chosen) SCREE_FLATTEN {
        const auto law = chosen;
        over(b, index, only, [&](const Chunk<T>& c) SCREE_ALWAYS {
          const N impulse = law.impulse(overlap_of(b, c));
          set(c, b.impulse, scales_of(b, c, scaling, false).g * impulse);
        });
      },
      laws.normal);
}

/// For how long a spring moves before its force is taken: as told, or since its contact began.
template <bool shifted, int D, class T>
SCREE_INLINE Number<T> time_before(const Batch<D, T>& b, const Chunk<T>& c, const SpringTask<T>& task) {
  using N = Number<T>;
  if constexpr (shifted) {
    const N rate = get(c, b.rate), step = N(task.step);
    const N since = get(c, b.xi) / rate;
    return select(both(get(c, b.born), rate > N(0.0)), select(since < step, since, step), N(task.before));
  } else {
    return N(task.before);
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
template <bool shifted, int D, int M, class T, class Laws>
SCREE_INLINE void apply_friction(Batch<D, T>& b, const Laws& laws, std::uint16_t index, bool only, const SpringTask<T>& task,
                                 const Sliding<M, T>& to) {
  using N = Number<T>;
  const SpringTask<T> springs = task;
  std::visit(
      [&](const auto& chosen) SCREE_FLATTEN {
        const auto law = chosen;
        using Law = std::remove_cvref_t<decltype(law)>;
        over(b, index, only, [&](const Chunk<T>& c) SCREE_ALWAYS {
          if constexpr (std::is_same_v<Law, Frictionless>) {
            Vec<M, N> none;
            for (int k = 0; k < M; ++k) none[k] = N(0.0);
            set(c, to.force, none);
            set(c, to.power, N(0.0));
            set(c, to.released, N(0.0));
          } else {
            const N normal = get(c, b.normal);
            const Slip<N> slip{get(c, b.xi), get(c, b.rate), get(c, b.r_eff), get(c, b.m_eff),
                               select(normal < N(0.0), -normal, normal), get(c, b.damping)};
            const Vec<M, N> u = get(c, to.velocity);
            const N before = time_before<shifted>(b, c, springs);
            Vec<M, N> spring;
            if constexpr (is_solved<Law>) spring = get(c, to.spring);
            else if constexpr (Law::has_memory) spring = carried_spring(get(c, to.spring), get(c, b.n_)) + u * before;
            else
              for (int k = 0; k < M; ++k) spring[k] = N(0.0);
            const auto answer = friction(law, slip, spring, u, springs.keep, before + N(springs.after));
            set(c, to.force, answer.force);
            set(c, to.power, answer.power);
            if constexpr (is_solved<Law>) {
              set(c, to.released, N(0.0));
              set(c, to.spring, answer.spring);
              return;
            }
            set(c, to.released, answer.released);
            if (springs.energy)
              set(c, b.stored_t, get(c, b.stored_t) + law.stiffness(slip) * norm2(answer.spring) * N(0.5));
            if constexpr (Law::has_memory) set(c, to.spring, answer.spring + u * N(springs.after));
          }
        });
      },
      laws);
}

/// How two grains stand to each other: d = x_j - x_i, and d².
template <int D, class N>
struct PairPlace {
  N distance, xi;
  Vec<D, N> n;
  SCREE_INLINE PairPlace(const Vec<D, N>& d, const N& square, const N& reach) {
    distance = sqrt(square);
    n = d * (N(1.0) / distance);
    xi = reach - distance;
  }
};
/// How they move: levers, the rate of the overlap and the sliding velocity.
template <int D, class N>
struct PairMotion {
  N li, lj, rate;
  Spring<D, N> u;
  SCREE_INLINE PairMotion(const Vec<D, N>& n, const N& xi, const Vec<D, N>& dv, const N& ri, const N& rj, const Spin<D, N>& wi,
                          const Spin<D, N>& wj, const N& half) {
    li = ri - xi * half;
    lj = rj - xi * half;
    rate = dot(dv, n);
    u = tangent_part(dv + cross(wi * li + wj * lj, n), n);
  }
};
/// Both.
template <int D, class N>
struct PairGeometry : PairPlace<D, N>, PairMotion<D, N> {
  SCREE_INLINE PairGeometry(const Vec<D, N>& d, const Vec<D, N>& dv, const N& reach, const N& ri, const N& rj, const Spin<D, N>& wi,
                            const Spin<D, N>& wj, const N& half)
      : PairPlace<D, N>(d, norm2(d), reach), PairMotion<D, N>(this->n, this->xi, dv, ri, rj, wi, wj, half) {}
};
template <int D, class T>
SCREE_INLINE void geometry_of_pairs(Batch<D, T>& b) {
  using N = Number<T>;
  const N half = N(0.5);
  over(b, [&](const Chunk<T>& c) SCREE_ALWAYS {
    const PairGeometry<D, N> at(get(c, b.d), get(c, b.dv), get(c, b.reach), get(c, b.ri), get(c, b.rj), get(c, b.wi), get(c, b.wj), half);
    set(c, b.distance, at.distance);
    set(c, b.n_, at.n);
    set(c, b.xi, at.xi);
    set(c, b.rate, at.rate);
    set(c, b.li, at.li);
    set(c, b.lj, at.lj);
    set(c, b.u, at.u);
  });
}

/// r* = r_i r_j/(r_i + r_j) and m* = 1/(1/m_i + 1/m_j) by one division; a wall has r_j = 0.
template <class N>
struct Effective {
  N radius, mass;
  SCREE_INLINE Effective(const N& ri, const N& rj, const N& inverse_mass) {
    const N sum = ri + rj, both_inverse = N(1.0) / (sum * inverse_mass);
    radius = select(rj > N(0.0), ri * rj * (inverse_mass * both_inverse), ri);
    mass = sum * both_inverse;
  }
};

/// Walls: the contact point is the centre of the disc that the wall cuts out of the grain, the lever its
/// distance, and the wall brings its own surface velocity.
template <int D, class T>
SCREE_INLINE void geometry_of_walls(Batch<D, T>& b) {
  using N = Number<T>;
  over(b, [&](const Chunk<T>& c) {
    const Vec<D, N> n = get(c, b.d);  // a wall leaves its unit normal here
    const N distance = get(c, b.wall_distance);
    const Vec<D, N> dv = get(c, b.dv);
    set(c, b.distance, distance);
    set(c, b.n_, n);
    set(c, b.xi, get(c, b.ri) - distance);
    set(c, b.rate, dot(dv, n));
    set(c, b.li, distance);
    set(c, b.lj, N(0.0));
    set(c, b.u, tangent_part(dv + cross(get(c, b.wi) * distance, n), n));
  });
}

template <int D, class T>
SCREE_INLINE void geometry(Batch<D, T>& b, bool need_effective, bool rolling) {
  using N = Number<T>;
  if (b.of_walls) geometry_of_walls(b);
  else geometry_of_pairs(b);
  if (rolling)
    over(b, [&](const Chunk<T>& c) { set(c, b.spin, rolling_part(get(c, b.wi) - get(c, b.wj), get(c, b.n_))); });
  if (need_effective)
    over(b, [&](const Chunk<T>& c) {
      const Effective<N> of(get(c, b.ri), get(c, b.rj), get(c, b.inverse_mass));
      set(c, b.r_eff, of.radius);
      set(c, b.m_eff, of.mass);
    });
}

template <bool shifted, int D, class T>
SCREE_INLINE void laws_body(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task) {
  const bool only = table.laws.size() == 1;
  if (task.energy) over(b, [&](const Chunk<T>& c) { set(c, b.stored_t, Number<T>(0.0)); });
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
void evaluate(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task, bool need_effective) {
  geometry(b, need_effective, table.has_rolling());
  switch (task.shifting) {
    case Shifting::none: laws_body<false>(b, table, task); break;
    case Shifting::all: laws_body<true>(b, table, task); break;
    case Shifting::impulse:
      for (std::uint16_t index = 0; index < table.laws.size(); ++index)
        apply_impulse(b, table.laws[index], index, table.laws.size() == 1);
      break;
  }
}

#if defined(__AVX2__)
template <class T> constexpr bool in_rows_of_four = std::is_same_v<T, double>;
#else
template <class T> constexpr bool in_rows_of_four = false;
#endif
#if defined(__AVX512F__)
template <class T> constexpr bool in_rows_of_eight = std::is_same_v<T, double>;
#else
template <class T> constexpr bool in_rows_of_eight = false;
#endif

/// One listed pair: written ahead and counted afterwards, because nobody could predict the branch.
template <int D, class T>
SCREE_INLINE void look_at(const SweepView<D, T>& view, std::uint32_t slot, int at, Batch<D, T>& b) {
  const auto here = static_cast<std::size_t>(b.n);
  const std::uint32_t i = b.owner[static_cast<std::size_t>(at)], j = view.partner[slot];
  const GrainRecord<D, T>&own = view.grain[i], &other = view.grain[j];
  Vec<D, T> d = other.x - own.x;
  if (view.tilted) {  // the image above is ahead, the one below behind
    const T half = view.length[1] * T(0.5);
    d[0] = d[1] < -half ? d[0] + view.tilt : (d[1] > half ? d[0] - view.tilt : d[0]);
  }
  for (int k = 0; k < D; ++k) {
    const T half = view.length[k] * T(0.5), low = d[k] + view.length[k], high = d[k] - view.length[k];
    d[k] = d[k] < -half ? low : (d[k] > half ? high : d[k]);
  }
  const T reach = own.r + other.r;
  b.i[here] = i;
  b.j[here] = j;
  b.slot[here] = slot;
  b.set(b.d, b.n, d);
  b.reach[here] = reach;
  b.set(b.dv, b.n, own.v - other.v);
  b.inverse_mass[here] = own.inverse_mass + other.inverse_mass;
  const bool touches = norm2(d) < reach * reach;
  b.n += touches;
  b.fresh |= touches && view.live[slot] != lasting;
  if (!touches && view.live[slot]) {
    b.parted[static_cast<std::size_t>(b.parts)] = slot;
    b.parted_row[static_cast<std::size_t>(b.parts++)] = i;
  }
}

#if defined(__AVX512F__)
/// Eight pairs at a time: a grain's record is one register, and one addition gives x_j - x_i, r_i + r_j, v_i - v_j and
/// 1/m_i + 1/m_j.
template <int D>
SCREE_INLINE void find_eight_by_eight(const SweepView<D, double>& view, std::uint32_t first, int count, Batch<D, double>& b) {
  static_assert(sizeof(GrainRecord<D, double>) == 64);
  const __m512d minus = _mm512_set1_pd(-0.0);
  constexpr __mmask8 places = D == 3 ? 0x07 : 0x03, speeds = D == 3 ? 0x70 : 0x30;
  const __m512d turn_own = _mm512_maskz_mov_pd(places, minus), turn_other = _mm512_maskz_mov_pd(speeds, minus);
  int n = 0;
  unsigned fresh = 0;
  for (int c = 0; c < count; c += 8) {
    const std::uint32_t *i = b.owner.data() + c, *j = view.partner + first + c;
    const auto there = static_cast<__mmask8>(count - c >= 8 ? 0xFF : (1U << (count - c)) - 1U);
    const __m256i i8 = _mm256_maskz_loadu_epi32(there, i), j8 = _mm256_maskz_loadu_epi32(there, j);
    alignas(32) std::uint32_t rest[2][8];
    if (there != 0xFF) {  // behind the last pair stands the first grain with itself
      _mm256_store_si256(reinterpret_cast<__m256i*>(rest[0]), i8);
      _mm256_store_si256(reinterpret_cast<__m256i*>(rest[1]), j8);
      i = rest[0];
      j = rest[1];
    }
    __m512d lane[8];
    for (int l = 0; l < 8; ++l) {
      const __m512d own = _mm512_load_pd(&view.grain[i[l]]), other = _mm512_load_pd(&view.grain[j[l]]);
      lane[l] = _mm512_add_pd(_mm512_xor_pd(own, turn_own), _mm512_xor_pd(other, turn_other));
    }
    transpose(lane);
    __m512d square = _mm512_setzero_pd();
    for (int k = 0; k < D; ++k) {
      if (view.length[k] > 0) {
        const __m512d length = _mm512_set1_pd(view.length[k]), half = _mm512_set1_pd(view.length[k] * 0.5), x = lane[k];
        const __mmask8 below = _mm512_cmp_pd_mask(x, _mm512_sub_pd(_mm512_setzero_pd(), half), _CMP_LT_OQ);
        const __mmask8 above = _mm512_cmp_pd_mask(x, half, _CMP_GT_OQ);
        lane[k] = _mm512_mask_add_pd(_mm512_mask_sub_pd(x, above, x, length), below, x, length);
      }
      const __m512d own = _mm512_mul_pd(lane[k], lane[k]);
      square = k == 0 ? own : _mm512_add_pd(square, own);
    }
    const __mmask8 near = _mm512_mask_cmp_pd_mask(there, square, _mm512_mul_pd(lane[D], lane[D]), _CMP_LT_OQ);
    const std::uint32_t at = first + static_cast<std::uint32_t>(c);
    const __m128i live = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(view.live + at));
    auto parted = static_cast<unsigned>(_mm_test_epi8_mask(live, live)) & there & ~static_cast<unsigned>(near);
    for (; parted != 0; parted &= parted - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(parted));
      b.parted[static_cast<std::size_t>(b.parts)] = at + l;
      b.parted_row[static_cast<std::size_t>(b.parts++)] = i[l];
    }
    if (near == 0) continue;
    fresh |= near & ~static_cast<unsigned>(_mm_cmpeq_epi8_mask(live, _mm_set1_epi8(lasting)));
    const auto keep = [&](double* to, __m512d x) SCREE_ALWAYS { _mm512_storeu_pd(to + n, _mm512_maskz_compress_pd(near, x)); };
    for (int k = 0; k < D; ++k) {
      keep(b.d.lane[k], lane[k]);
      keep(b.dv.lane[k], lane[4 + k]);
    }
    keep(b.reach.data(), lane[D]);
    keep(b.inverse_mass.data(), lane[7]);
    const auto word = [&](std::uint32_t* to, __m256i x) SCREE_ALWAYS {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + n), _mm256_maskz_compress_epi32(near, x));
    };
    word(b.i.data(), i8);
    word(b.j.data(), j8);
    word(b.slot.data(), _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(at)), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)));
    n += std::popcount(static_cast<unsigned>(near));
  }
  b.n = n;
  b.fresh = fresh != 0;
}
#endif

template <int D, class T>
void find(const SweepView<D, T>& view, std::uint32_t first, int count, Batch<D, T>& b) {
  b.n = b.parts = 0;
  b.fresh = false;
  int c = 0;
#if defined(__AVX512F__)
  if constexpr (in_rows_of_eight<T>) {
    if (!view.tilted) {
      find_eight_by_eight(view, first, count, b);
      c = count;
    }
  }
#elif defined(__AVX2__)
  if constexpr (in_rows_of_four<T>) {
    const __m256d turned = _mm256_set_pd(0.0, D == 3 ? -0.0 : 0.0, -0.0, -0.0);
    int n = 0;
    for (; c + 4 <= count && !view.tilted; c += 4) {
      const std::uint32_t* j = view.partner + first + c;
      const std::uint32_t* i = b.owner.data() + c;
      // x_j - x_i, and r_j + r_i
      const auto row = [&](int l) __attribute__((always_inline)) {
        const __m256d own = _mm256_load_pd(&view.grain[i[l]].x[0]), other = _mm256_load_pd(&view.grain[j[l]].x[0]);
        return _mm256_add_pd(other, _mm256_xor_pd(own, turned));
      };
      // v_i - v_j, and 1/m_i + 1/m_j
      const auto second_row = [&](int l) __attribute__((always_inline)) {
        const __m256d own = _mm256_load_pd(&view.grain[i[l]].v[0]), other = _mm256_load_pd(&view.grain[j[l]].v[0]);
        return _mm256_add_pd(own, _mm256_xor_pd(other, turned));
      };
      __m256d lane[4] = {row(0), row(1), row(2), row(3)};
      __m256d speed[4] = {second_row(0), second_row(1), second_row(2), second_row(3)};
      transpose(lane[0], lane[1], lane[2], lane[3]);
      transpose(speed[0], speed[1], speed[2], speed[3]);
      __m256d square = _mm256_setzero_pd();
      for (int k = 0; k < D; ++k) {
        if (view.length[k] > 0) {
          const __m256d length = _mm256_set1_pd(view.length[k]), half = _mm256_set1_pd(view.length[k] * 0.5);
          const __m256d x = lane[k];
          const __m256d below = _mm256_cmp_pd(x, _mm256_sub_pd(_mm256_setzero_pd(), half), _CMP_LT_OQ);
          const __m256d above = _mm256_cmp_pd(x, half, _CMP_GT_OQ);
          lane[k] = _mm256_blendv_pd(_mm256_blendv_pd(x, _mm256_sub_pd(x, length), above), _mm256_add_pd(x, length), below);
        }
        const __m256d own = _mm256_mul_pd(lane[k], lane[k]);
        square = k == 0 ? own : _mm256_add_pd(square, own);
      }
      const __m256d near = _mm256_cmp_pd(square, _mm256_mul_pd(lane[D], lane[D]), _CMP_LT_OQ);
      const auto mask = static_cast<unsigned>(_mm256_movemask_pd(near));
      std::uint32_t live;
      std::memcpy(&live, view.live + first + c, 4);
      if (live & ~front.bytes[mask])
        for (std::uint32_t l = 0; l < 4; ++l)
          if (!(mask >> l & 1U) && view.live[first + static_cast<std::uint32_t>(c) + l]) {
            b.parted[static_cast<std::size_t>(b.parts)] = first + static_cast<std::uint32_t>(c) + l;
            b.parted_row[static_cast<std::size_t>(b.parts++)] = i[l];
          }
      b.fresh |= ((live ^ 0x01010101U * lasting) & front.bytes[mask]) != 0;
      for (int k = 0; k < D; ++k) {
        _mm256_storeu_pd(&b.d.lane[k][n], to_front(lane[k], mask));
        _mm256_storeu_pd(&b.dv.lane[k][n], to_front(speed[k], mask));
      }
      _mm256_storeu_pd(&b.inverse_mass[static_cast<std::size_t>(n)], to_front(speed[3], mask));
      _mm256_storeu_pd(&b.reach[static_cast<std::size_t>(n)], to_front(lane[D], mask));
      const auto word = [&](std::uint32_t* to, __m128i x) __attribute__((always_inline)) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + n), to_front(x, mask));
      };
      word(b.i.data(), _mm_loadu_si128(reinterpret_cast<const __m128i*>(i)));
      word(b.j.data(), _mm_loadu_si128(reinterpret_cast<const __m128i*>(j)));
      word(b.slot.data(), _mm_add_epi32(_mm_set1_epi32(static_cast<int>(first) + c), _mm_set_epi32(3, 2, 1, 0)));
      n += std::popcount(mask);
    }
    b.n = n;
  }
#endif
  for (; c < count; ++c) look_at(view, first + static_cast<std::uint32_t>(c), c, b);
  if (b.n > 0) b.fill_last_pack();
}

#if defined(__AVX2__)
/// Rows of three numbers, as many as fit into a pack, as three packs.
SCREE_INLINE Vec<3, Pack> rows_of_three(const Vec<3, double>* from, const std::uint32_t* index) {
#if defined(__AVX512F__)
  const auto two = [&](int l) SCREE_ALWAYS {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(&from[index[l]][0])), _mm256_loadu_pd(&from[index[l + 2]][0]), 1);
  };
  const __m512d r02 = two(0), r13 = two(1), r46 = two(4), r57 = two(5);
  const __m512d low = _mm512_unpacklo_pd(r02, r13), high = _mm512_unpacklo_pd(r46, r57);
  return {Pack::Lanes(_mm512_shuffle_f64x2(low, high, 0x88)),
          Pack::Lanes(_mm512_shuffle_f64x2(_mm512_unpackhi_pd(r02, r13), _mm512_unpackhi_pd(r46, r57), 0x88)),
          Pack::Lanes(_mm512_shuffle_f64x2(low, high, 0xDD))};
#else
  __m256d r0 = _mm256_loadu_pd(&from[index[0]][0]), r1 = _mm256_loadu_pd(&from[index[1]][0]);
  __m256d r2 = _mm256_loadu_pd(&from[index[2]][0]), r3 = _mm256_loadu_pd(&from[index[3]][0]);
  transpose(r0, r1, r2, r3);
  return {Pack::Lanes(r0), Pack::Lanes(r1), Pack::Lanes(r2)};
#endif
}
/// One number of each of some grains.
template <int D, class F>
SCREE_INLINE Pack number_of(const GrainRecord<D, double>* grain, const std::uint32_t* index, const F& of) {
  const auto two = [&](int l) SCREE_ALWAYS { return _mm_loadh_pd(_mm_load_sd(of(grain[index[l]])), of(grain[index[l + 1]])); };
  const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(0)), two(2), 1);
#if defined(__AVX512F__)
  const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(4)), two(6), 1);
  return Pack::Lanes(_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1));
#else
  return Pack::Lanes(low);
#endif
}
#endif

/// to.lane[k][c] = from[index[c]][k]
template <int D, class T, int N>
SCREE_INLINE void bring(const Batch<D, T>& b, const Vec<N, T>* from, const std::uint32_t* index, Lanes<N, T>& to) {
#if defined(__AVX2__)
  if constexpr (in_rows_of_four<T> && N >= 3) {
    over(b, [&](const Chunk<T>& c) SCREE_ALWAYS { set(c, to, rows_of_three(from, index + c.at)); });
    return;
  }
#endif
  for (int c = 0; c < b.n; ++c)
    for (int k = 0; k < N; ++k) to.lane[k][c] = from[index[c]][k];
}

template <int D, class T>
void fetch(const SweepView<D, T>& view, Batch<D, T>& b) {
  const std::uint32_t *i = b.i.data(), *j = b.j.data();
#if defined(__AVX2__)
  if constexpr (in_rows_of_four<T>) {
    const auto radius = [](const GrainRecord<D, T>& g) SCREE_ALWAYS { return &g.r; };
    over(b, [&](const Chunk<T>& c) SCREE_ALWAYS {
      set(c, b.ri, number_of(view.grain, i + c.at, radius));
      set(c, b.rj, number_of(view.grain, j + c.at, radius));
      if constexpr (D == 2) {
        const auto spin = [](const GrainRecord<D, T>& g) SCREE_ALWAYS { return &g.w[0]; };
        set(c, b.wi, Vec<1, Pack>{number_of(view.grain, i + c.at, spin)});
        set(c, b.wj, Vec<1, Pack>{number_of(view.grain, j + c.at, spin)});
      }
    });
  } else
#endif
    for (int c = 0; c < b.n; ++c) {
      const GrainRecord<D, T>&own = view.grain[i[c]], &other = view.grain[j[c]];
      b.ri[static_cast<std::size_t>(c)] = own.r;
      b.rj[static_cast<std::size_t>(c)] = other.r;
      if constexpr (D == 2) {
        b.wi.lane[0][c] = own.w[0];
        b.wj.lane[0][c] = other.w[0];
      }
    }
  if constexpr (D == 3) {
    bring(b, view.w, i, b.wi);
    bring(b, view.w, j, b.wj);
  }
  if (view.zeta) bring(b, view.zeta, b.slot.data(), b.zeta);
  if (view.roll) bring(b, view.roll, b.slot.data(), b.roll);
}

/// The tangential force as a vector, and n × T.
template <class T>
SCREE_INLINE void expand(const Vec<1, T>& f, const Vec<2, T>& n, Vec<2, T>& force, Vec<1, T>& turn) {
  force = {f[0] * n[1], -(f[0] * n[0])};
  turn = {-f[0]};
}
template <class T>
SCREE_INLINE void expand(const Vec<3, T>& f, const Vec<3, T>& n, Vec<3, T>& force, Vec<3, T>& turn) {
  force = f;
  turn = cross(n, f);
}

#if defined(__AVX2__)
/// Force and torques of the contacts of a chunk, and what they lose.
template <int D>
struct Exerted {
  Vec<D, Pack> force;
  Spin<D, Pack> mi, mj;
  Pack loss_n, loss_t;
};
/// How many contacts of a batch are in the chunk that begins at c.
SCREE_INLINE int in_chunk(int n, std::size_t c) {
  const int rest = n - static_cast<int>(c);
  return rest < pack_size ? rest : pack_size;
}

/// Adds them to the sums over rows, in their order, and leaves the partners' shares.
template <int D>
SCREE_INLINE void hand_out_chunk(const SweepView<D, double>& view, Batch<D, double>& b, std::size_t c, const Exerted<D>& e) {
  const std::uint32_t *i = b.i.data() + c, *slot = b.slot.data() + c;
  const int rest = in_chunk(b.n, c);
  const auto sum_of = [&](int l) SCREE_ALWAYS { return &b.sum[i[l] - b.first_row].f[0]; };
  const auto share_of = [&](int l) SCREE_ALWAYS { return &view.back[slot[l]].f[0]; };
#if defined(__AVX512F__)
  constexpr int A = spin_size<D>;
  static_assert(sizeof(typename Batch<D, double>::Sum) == 64);
  __m512d own[8] = {}, back[8] = {};
  for (int k = 0; k < D; ++k) {
    own[k] = __m512d(e.force[k].v);
    back[k] = __m512d((-e.force[k]).v);
  }
  for (int k = 0; k < A; ++k) {
    own[D + k] = __m512d(e.mi[k].v);
    back[D + k] = __m512d(e.mj[k].v);
  }
  own[D + A] = __m512d(e.loss_n.v);
  own[D + A + 1] = __m512d(e.loss_t.v);
  transpose(own);
  transpose(back);
  for (int l = 0; l < 8; ++l) {
    if (l >= rest) break;
    double *sum = sum_of(l), *share = share_of(l);
    _mm512_store_pd(sum, _mm512_add_pd(_mm512_load_pd(sum), own[l]));
    if constexpr (D == 3) {
      _mm256_storeu_pd(share, _mm512_castpd512_pd256(back[l]));
      _mm_storeu_pd(share + 4, _mm512_extractf64x2_pd(back[l], 2));
    } else {
      _mm_storeu_pd(share, _mm512_castpd512_pd128(back[l]));
      _mm_store_sd(share + 2, _mm512_extractf64x2_pd(back[l], 1));
    }
  }
#else
  const auto add = [](double* to, __m256d x) SCREE_ALWAYS { _mm256_store_pd(to, _mm256_add_pd(_mm256_load_pd(to), x)); };
  if constexpr (D == 3) {
    __m256d a[4] = {__m256d(e.force[0].v), __m256d(e.force[1].v), __m256d(e.force[2].v), __m256d(e.mi[0].v)};
    __m256d m[4] = {__m256d(e.mi[1].v), __m256d(e.mi[2].v), __m256d(e.loss_n.v), __m256d(e.loss_t.v)};
    __m256d back[4] = {__m256d((-e.force[0]).v), __m256d((-e.force[1]).v), __m256d((-e.force[2]).v), __m256d(e.mj[0].v)};
    transpose(a[0], a[1], a[2], a[3]);
    transpose(m[0], m[1], m[2], m[3]);
    transpose(back[0], back[1], back[2], back[3]);
    const __m256d even = _mm256_unpacklo_pd(__m256d(e.mj[1].v), __m256d(e.mj[2].v));
    const __m256d odd = _mm256_unpackhi_pd(__m256d(e.mj[1].v), __m256d(e.mj[2].v));
    const __m128d turn[4] = {_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd), _mm256_extractf128_pd(even, 1),
                             _mm256_extractf128_pd(odd, 1)};
    for (int l = 0; l < 4; ++l) {
      if (l >= rest) break;
      double *sum = sum_of(l), *share = share_of(l);
      add(sum, a[l]);
      add(sum + 4, m[l]);
      _mm256_storeu_pd(share, back[l]);
      _mm_storeu_pd(share + 4, turn[l]);
    }
  } else {
    __m256d a[4] = {__m256d(e.force[0].v), __m256d(e.force[1].v), __m256d(e.mi[0].v), __m256d(e.loss_n.v)};
    __m256d back[4] = {__m256d((-e.force[0]).v), __m256d((-e.force[1]).v), __m256d(e.mj[0].v), __m256d(e.loss_t.v)};
    transpose(a[0], a[1], a[2], a[3]);
    transpose(back[0], back[1], back[2], back[3]);
    for (int l = 0; l < 4; ++l) {
      if (l >= rest) break;
      double *sum = sum_of(l), *share = share_of(l);
      add(sum, a[l]);
      sum[4] += back[l][3];
      _mm_storeu_pd(share, _mm256_castpd256_pd128(back[l]));
      share[2] = back[l][2];
    }
  }
#endif
}

/// to[index[l]] = the l-th of some rows of one or three numbers.
SCREE_INLINE void put(const Vec<3, Pack>& x, const std::uint32_t* index, int rest, Vec<3, double>* to) {
#if defined(__AVX512F__)
  const __m512d even = _mm512_unpacklo_pd(__m512d(x[0].v), __m512d(x[1].v)), odd = _mm512_unpackhi_pd(__m512d(x[0].v), __m512d(x[1].v));
  const __m128d xy[8] = {_mm512_castpd512_pd128(even),    _mm512_castpd512_pd128(odd),    _mm512_extractf64x2_pd(even, 1),
                         _mm512_extractf64x2_pd(odd, 1),  _mm512_extractf64x2_pd(even, 2), _mm512_extractf64x2_pd(odd, 2),
                         _mm512_extractf64x2_pd(even, 3), _mm512_extractf64x2_pd(odd, 3)};
#else
  const __m256d even = _mm256_unpacklo_pd(__m256d(x[0].v), __m256d(x[1].v)), odd = _mm256_unpackhi_pd(__m256d(x[0].v), __m256d(x[1].v));
  const __m128d xy[4] = {_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd), _mm256_extractf128_pd(even, 1),
                         _mm256_extractf128_pd(odd, 1)};
#endif
  alignas(64) double z[pack_size];
  x[2].store(z);
  for (int l = 0; l < pack_size; ++l) {
    if (l >= rest) break;
    double* row = &to[index[l]][0];
    _mm_storeu_pd(row, xy[l]);
    row[2] = z[l];
  }
}
SCREE_INLINE void put(const Vec<1, Pack>& x, const std::uint32_t* index, int rest, Vec<1, double>* to) {
  alignas(64) double z[pack_size];
  x[0].store(z);
  for (int l = 0; l < rest; ++l) to[index[l]][0] = z[l];
}
#endif

/// Force on i and the lever-free torque n × T, of a normal and a tangential force.
template <int D, class N>
struct Pull {
  Vec<D, N> force;
  Spin<D, N> turn;
  SCREE_INLINE Pull(const Spring<D, N>& tangential, const Vec<D, N>& n, const N& normal) {
    expand(tangential, n, force, turn);
    force = force - n * normal;
  }
};

/// Does some overlap of a chunk reach `limit` times the smaller radius?
template <class N>
SCREE_INLINE Truth<N> reaches(const N& xi, const N& ri, const N& rj, const N& limit) {
  return xi > limit * select(both(rj > N(0.0), rj < ri), rj, ri);
}

template <int D, class T>
void hand_out(const SweepView<D, T>& view, Batch<D, T>& b, const HandOut<T>& what) {
  using N = Number<T>;
  const N weight = N(what.weight), limit = N(what.deep);
  const bool at_once = in_rows_of_four<T> && !b.of_walls;
  const bool lanes = !at_once || what.lanes;
  Truth<N> deep = Truth<N>(false);
  over(b, [&](const Chunk<T>& c) {
    deep = either(deep, both(reaches(get(c, b.xi), get(c, b.ri), get(c, b.rj), limit), c.counts(b.n)));
    const Pull<D, N> pull(get(c, b.tangential), get(c, b.n_), get(c, b.normal));
    Spin<D, N> mi = pull.turn * get(c, b.li), mj = pull.turn * get(c, b.lj);
    if (what.rolling) {
      const Spin<D, N> rolling = get(c, b.rolling);
      mi = mi + rolling;
      mj = mj - rolling;
    }
    const N loss_n = get(c, b.power_n) * weight, loss_t = get(c, b.power_t) * weight + get(c, b.released_t);
    if (lanes) {
      set(c, b.force, pull.force);
      set(c, b.mi, mi);
      set(c, b.mj, mj);
      set(c, b.loss_n, loss_n);
      set(c, b.loss_t, loss_t);
    }
#if defined(__AVX2__)
    if constexpr (in_rows_of_four<T>)
      if (at_once) {
        hand_out_chunk<D>(view, b, c.at, {pull.force, mi, mj, loss_n, loss_t});
        if (what.commit && view.zeta) put(get(c, b.zeta), b.slot.data() + c.at, in_chunk(b.n, c.at), view.zeta);
      }
#endif
  });
  b.deep = some(deep);
  if (b.of_walls) return;

  const std::uint32_t *i = b.i.data(), *slot = b.slot.data();
  if constexpr (!in_rows_of_four<T>) {
    for (int c = 0; c < b.n; ++c) {
      const auto k = static_cast<std::size_t>(c);
      auto& sum = b.sum[i[c] - b.first_row];
      sum.f += b.get(b.force, c);
      sum.m += b.get(b.mi, c);
      sum.loss_n += b.loss_n[k];
      sum.loss_t += b.loss_t[k];
      view.back[slot[c]] = {-b.get(b.force, c), b.get(b.mj, c)};
    }
    if (what.commit && view.zeta)
      for (int c = 0; c < b.n; ++c) view.zeta[slot[c]] = b.get(b.zeta, c);
  }
  if (what.commit && view.roll)
    for (int c = 0; c < b.n; ++c) view.roll[slot[c]] = b.get(b.roll, c);
}

#if defined(__AVX2__)
/// A pack of contacts on its way through the loops of press_with().
template <int D>
struct Station {
  Vec<D, Pack> n;
  Pack ri, rj, xi, rate, li, lj;
  Spring<D, Pack> u;
  Pack r_eff, m_eff, root;
  Pack normal, damping, loss_n, loss_t;
  Spring<D, Pack> force;
};

/// Component by component: copying all of a vector at once, the compiler takes it apart in memory.
template <int N>
SCREE_INLINE void keep_in(Vec<N, Pack>& to, const Vec<N, Pack>& from) {
  for (int k = 0; k < N; ++k) to[k].v = from[k].v;
}

/// The usual step: what fetch, evaluate and hand_out do one after the other. The operations are theirs, so the bits are. A contact is a long chain of operations that wait for each other (four roots and
/// four divisions among them), and a processor looks only some hundred instructions ahead: in one long loop it sees one pack at a
/// time, in short ones it works at several. In the plane short ones are a seventh faster; in space what they hand on from one to the
/// next through memory costs what they gain (measured), so there is one.
template <int D, class Normal, class Tangential>
SCREE_INLINE void press_with(const Normal& normal_law, const Tangential& tangential_law, const ContactLaws& laws,
                             const SweepView<D, double>& view, Batch<D, double>& b, const SpringTask<double>& task,
                             const HandOut<double>& what, bool need_effective) {
  using N = Pack;
  const Normal normal = normal_law;
  const Tangential tangential = tangential_law;
  const Scaling scaling = laws.scaling;
  const bool rooted = comes_with_root<Normal>(scaling), scaled = !no_scales<Normal>(scaling);
  const N least = laws.attraction ? N(-std::numeric_limits<double>::infinity()) : N(0.0);
  const N half = N(0.5), weight = N(what.weight), limit = N(what.deep), before = N(task.before), after = N(task.after);
  const bool commit = what.commit, keep = task.keep, booked = what.booked;
  PackMask deep(false);
  const auto meet = [&](const Chunk<double>& c, Station<D>& to) SCREE_ALWAYS {
    const std::uint32_t *i = b.i.data() + c.at, *j = b.j.data() + c.at;
    const auto radius = [](const GrainRecord<D, double>& g) SCREE_ALWAYS { return &g.r; };
    const N ri = number_of(view.grain, i, radius), rj = number_of(view.grain, j, radius);
    Spin<D, N> wi, wj;
    if constexpr (D == 3) {
      wi = rows_of_three(view.w, i);
      wj = rows_of_three(view.w, j);
    } else {
      const auto spin = [](const GrainRecord<D, double>& g) SCREE_ALWAYS { return &g.w[0]; };
      wi = {number_of(view.grain, i, spin)};
      wj = {number_of(view.grain, j, spin)};
    }
    const PairGeometry<D, N> at(get(c, b.d), get(c, b.dv), get(c, b.reach), ri, rj, wi, wj, half);
    keep_in(to.n, at.n);
    keep_in(to.u, at.u);
    to.ri = ri;
    to.rj = rj;
    to.xi = at.xi;
    to.rate = at.rate;
    to.li = at.li;
    to.lj = at.lj;
    deep = either(deep, both(reaches(at.xi, ri, rj, limit), c.counts(b.n)));
  };
  const auto push = [&](const Chunk<double>& c, Station<D>& at) SCREE_ALWAYS {
    N r_eff = N(1.0), m_eff = N(1.0), root = N(1.0);
    if (need_effective) {
      const Effective<N> both_of(at.ri, at.rj, get(c, b.inverse_mass));
      r_eff = both_of.radius;
      m_eff = both_of.mass;
      root = sqrt(r_eff * at.xi);
    }
    const Overlap<N> o{at.xi, at.rate, r_eff, m_eff, rooted ? root : sqrt(at.xi)};
    const NormalAnswer<N> answer = normal_answer(normal, o, scaled, scaled ? scales_of(scaling, rooted, r_eff, m_eff) : Scales<N>{N(1.0), N(1.0)}, least);
    at.loss_n = booked ? (answer.normal - answer.elastic) * at.rate * weight : N(0.0);
    at.normal = answer.normal;
    at.damping = answer.damping;
    at.r_eff = r_eff;
    at.m_eff = m_eff;
    at.root = root;
  };
  const auto rub = [&](const Chunk<double>& c, Station<D>& at) SCREE_ALWAYS {
    if constexpr (std::is_same_v<Tangential, Frictionless>) {
      for (int a = 0; a < spring_size<D>; ++a) at.force[a] = N(0.0);
      at.loss_t = N(0.0);
    } else {
      const std::uint32_t* slot = b.slot.data() + c.at;
      const Slip<N> slip{at.xi, at.rate, at.r_eff, at.m_eff, select(at.normal < N(0.0), -at.normal, at.normal), at.damping, at.root};
      Spring<D, N> spring;
      for (int a = 0; a < spring_size<D>; ++a) spring[a] = N(0.0);
      if constexpr (Tangential::has_memory) {
        Spring<D, N> old;
        if constexpr (D == 3) old = rows_of_three(view.zeta, slot);
        else
          for (int l = 0; l < pack_size; ++l) old[0].v[l] = view.zeta[slot[l]][0];
        spring = carried_spring(old, at.n) + at.u * before;
      }
      const auto friction_answer = friction(tangential, slip, spring, at.u, keep, before + after);
      keep_in(at.force, friction_answer.force);
      at.loss_t = booked ? friction_answer.power * weight + friction_answer.released : N(0.0);
      if constexpr (Tangential::has_memory)
        if (commit) put(friction_answer.spring + at.u * after, slot, in_chunk(b.n, c.at), view.zeta);
    }
  };
  const auto share = [&](const Chunk<double>& c, const Station<D>& at) SCREE_ALWAYS {
    const Pull<D, N> pull(at.force, at.n, at.normal);
    Exerted<D> e;
    e.loss_n = at.loss_n;
    e.loss_t = at.loss_t;
    e.force = pull.force;
    e.mi = pull.turn * at.li;
    e.mj = pull.turn * at.lj;
    hand_out_chunk<D>(view, b, c.at, e);
  };
  if constexpr (D == 2) {
    constexpr int stations = 64 / pack_size;
    alignas(64) std::byte room[sizeof(Station<D>) * stations];  // not an array of them, which would be zeroed each time
    auto* const desk = reinterpret_cast<Station<D>*>(room);
    for (int start = 0; start < b.n; start += stations * pack_size) {
      const int left = (b.n - start + pack_size - 1) / pack_size, count = left < stations ? left : stations;
      const auto each = [&](const auto& stage) SCREE_ALWAYS {
        for (int k = 0; k < count; ++k) stage(Chunk<double>{static_cast<std::size_t>(start + k * pack_size)}, desk[k]);
      };
      each(meet);
      each(push);
      each(rub);
      each(share);
    }
  } else {
    over(b, [&](const Chunk<double>& c) SCREE_ALWAYS {
      Station<D> at;
      meet(c, at);
      push(c, at);
      rub(c, at);
      share(c, at);
    });
  }
  b.deep = some(deep);
  if (b.deep)  // which is rare: what the report asks for
    over(b, [&](const Chunk<double>& c) SCREE_ALWAYS {
      const auto radius = [](const GrainRecord<D, double>& g) SCREE_ALWAYS { return &g.r; };
      set(c, b.xi, get(c, b.reach) - sqrt(norm2(get(c, b.d))));
      set(c, b.ri, number_of(view.grain, b.i.data() + c.at, radius));
      set(c, b.rj, number_of(view.grain, b.j.data() + c.at, radius));
    });
}

template <int D>
bool press(const SweepView<D, double>& view, Batch<D, double>& b, const ContactLaws& laws, const SpringTask<double>& task,
           const HandOut<double>& what, bool need_effective) {
  return std::visit(
      [&](const auto& normal, const auto& tangential) SCREE_FLATTEN {
        using Normal = std::remove_cvref_t<decltype(normal)>;
        using Tangential = std::remove_cvref_t<decltype(tangential)>;
        if constexpr (!is_common<Normal> || is_solved<Tangential>) {
          return false;
        } else {
          press_with<D, Normal, Tangential>(normal, tangential, laws, view, b, task, what, need_effective);
          return true;
        }
      },
      laws.normal, laws.tangential);
}
#endif

template <int D, class T>
void close(Batch<D, T>& b, std::size_t rows, Vec<D, T>* f, Spin<D, T>* m, Vec<Ledger::size, T>* e) {
  static_assert(Ledger::normal == 0 && Ledger::tangential == 1);
  for (std::size_t k = 0; k < rows; ++k) {
    auto& sum = b.sum[k];
#if defined(__AVX512F__)
    if constexpr (in_rows_of_eight<T> && D == 3) {
      const __m512d all = _mm512_load_pd(&sum.f[0]);
      const __m128d middle = _mm256_extractf128_pd(_mm512_castpd512_pd256(all), 1);
      _mm_storeu_pd(&f[k][0], _mm512_castpd512_pd128(all));
      _mm_store_sd(&f[k][2], middle);
      _mm_storeh_pd(&m[k][0], middle);
      _mm_storeu_pd(&m[k][1], _mm512_extractf64x2_pd(all, 2));
      if (e) _mm_storeu_pd(&e[k][0], _mm_add_pd(_mm_loadu_pd(&e[k][0]), _mm512_extractf64x2_pd(all, 3)));
      _mm512_store_pd(&sum.f[0], _mm512_setzero_pd());
      continue;
    }
#endif
    f[k] = sum.f;
    m[k] = sum.m;
    if (e) {
      e[k][Ledger::normal] += sum.loss_n;
      e[k][Ledger::tangential] += sum.loss_t;
    }
    sum = {};
  }
}

constexpr std::size_t ahead = 64;  // shares to fetch in advance, some two hundred nanoseconds of work

/// Have grains first … last-1 more than two shares each to add?
template <int D, class T>
SCREE_INLINE bool is_crowded(const GatherView<D, T>& view, std::size_t first, std::size_t last) {
  return view.begin[last] - view.begin[first] > 2 * (last - first);
}

/// A share of a pair will be wanted.
template <int D, class T>
SCREE_INLINE void fetch_share(const T* share) {
  __builtin_prefetch(share);
  if constexpr (D == 3) __builtin_prefetch(share + 5);
}

/// Shares of grains whose contacts lie in packs.
template <int D, class T>
struct PackedShares {
  const T* back;
  Incoming from;
  SCREE_INLINE PackedShares(const GatherView<D, T>& view, std::size_t, std::size_t) : back(&view.back[0].f[0]), from(view.packed) {}
  SCREE_INLINE const T* share(std::uint32_t at) const { return reinterpret_cast<const T*>(reinterpret_cast<const char*>(back) + std::size_t{at} * 4); }

  template <class F>
  SCREE_INLINE void each(std::size_t i, const F& f) const {
    const std::uint32_t* const of = from.few + 4 * i;
    for (std::size_t l = 0; l < 4; ++l) __builtin_prefetch(share(of[4 * Incoming::ahead + l]) + D);  // its middle; a second line is not worth it
    if (of[3] & 1) [[unlikely]] {
      for (std::uint32_t k = from.begin[i]; k < from.begin[i + 1]; ++k) f(share(from.all[k]));
    } else {
      for (std::size_t l = 0; l < 4; ++l) f(share(of[l]));
    }
  }
};

#if defined(__AVX2__)
/// A row of three, and something behind it.
struct RowPair {
  __m256d f, m;
};
/// Shares of grains by the list. In a crowd the first four are added whether there are so many or not: how many there are,
/// nobody could predict, and zeros change no sum.
template <int D>
struct ListedShares {
  const GatherView<D, double>& view;
  bool crowded;
  SCREE_INLINE ListedShares(const GatherView<D, double>& v, std::size_t first, std::size_t last) : view(v), crowded(is_crowded(v, first, last)) {}

  template <class F>
  SCREE_INLINE void each(std::size_t i, const F& f) {
    std::size_t k = view.begin[i];
    const std::size_t end = view.begin[i + 1];
    const auto share = [&](std::uint32_t slot) SCREE_ALWAYS { return &view.back[slot].f[0]; };
    // the shares lie scattered, but where the next ones are is known well ahead
    if (D == 3 && crowded) {
      const std::uint32_t* later = view.slot + (k + ahead + 4 <= view.slots ? k + ahead : k);
      for (int l = 0; l < 4; ++l) fetch_share<D>(share(later[l]));
      const __m128i wanted = _mm_cmpgt_epi32(_mm_set1_epi32(static_cast<int>(end - k)), _mm_set_epi32(3, 2, 1, 0));
      alignas(16) std::uint32_t first[4];
      _mm_store_si128(reinterpret_cast<__m128i*>(first), _mm_blendv_epi8(_mm_set1_epi32(static_cast<int>(view.none)),
                                                                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(view.slot + k)), wanted));
      for (int l = 0; l < 4; ++l) f(share(first[l]));
      for (k += 4; k < end; ++k) f(share(view.slot[k]));
    } else {
      for (; k < end; ++k) {
        fetch_share<D>(share(view.slot[k + ahead < view.slots ? k + ahead : k]));
        f(share(view.slot[k]));
      }
    }
  }
};

/// Force and torque of grain i in space: its shares, then the sums over its row.
template <class Shares>
SCREE_INLINE RowPair gathered(const GatherView<3, double>& view, std::size_t i, Shares& shares) {
  __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();  // (f, m_x) and (f_z, m)
  shares.each(i, [&](const double* share) SCREE_ALWAYS {
    low = _mm256_add_pd(low, _mm256_loadu_pd(share));
    high = _mm256_add_pd(high, _mm256_loadu_pd(share + 2));
  });
  return {_mm256_add_pd(low, _mm256_loadu_pd(&view.f[i][0])),
          _mm256_add_pd(_mm256_permute4x64_pd(high, 0xF9), _mm256_loadu_pd(&view.m[i][0]))};
}
/// The accelerations that come of it.
SCREE_INLINE RowPair finished(const GatherView<3, double>& view, std::size_t i, RowPair sum, __m256d inverse_mass) {
  const __m256d gravity = _mm256_set_pd(0, view.gravity[2], view.gravity[1], view.gravity[0]);
  const __m256d moves = _mm256_castsi256_pd(_mm256_set1_epi64x(static_cast<std::int64_t>(view.still[i]) - 1));
  sum.f = _mm256_and_pd(moves, _mm256_add_pd(_mm256_mul_pd(sum.f, inverse_mass), gravity));
  sum.m = _mm256_and_pd(moves, _mm256_mul_pd(sum.m, _mm256_set1_pd(view.inverse_inertia[i])));
  return sum;
}
SCREE_INLINE void store_row(Vec<3, double>& to, __m256d x) {
  _mm_storeu_pd(&to[0], _mm256_castpd256_pd128(x));
  _mm_store_sd(&to[2], _mm256_extractf128_pd(x, 1));
}
#endif

#if defined(__AVX2__)
template <class Shares>
SCREE_INLINE void gather_rows(const GatherView<3, double>& view, std::size_t first, std::size_t last) {
  const bool finish = view.inverse_mass != nullptr;
  Shares shares(view, first, last);
  for (std::size_t i = first; i < last; ++i) {
    RowPair sum = gathered(view, i, shares);
    if (finish) sum = finished(view, i, sum, _mm256_set1_pd(view.inverse_mass[i]));
    store_row(view.f[i], sum.f);
    store_row(view.m[i], sum.m);
  }
}
#endif

/// Shares of grains by the list, one after the other.
template <int D, class T>
struct PlainShares {
  const GatherView<D, T>& view;
  SCREE_INLINE PlainShares(const GatherView<D, T>& v, std::size_t, std::size_t) : view(v) {}

  template <class F>
  SCREE_INLINE void each(std::size_t i, const F& f) {
    for (std::size_t k = view.begin[i]; k < view.begin[i + 1]; ++k) {
      __builtin_prefetch(&view.back[view.slot[k + ahead < view.slots ? k + ahead : k]]);
      f(&view.back[view.slot[k]].f[0]);
    }
  }
};

template <class Shares, int D, class T>
SCREE_INLINE void gather_plainly(const GatherView<D, T>& view, std::size_t first, std::size_t last) {
  const bool finish = view.inverse_mass != nullptr;
  Shares shares(view, first, last);
  for (std::size_t i = first; i < last; ++i) {
    Vec<D, T> f{};
    Spin<D, T> m{};
    shares.each(i, [&](const T* share) SCREE_ALWAYS {
      for (int k = 0; k < D; ++k) f[k] += share[k];
      for (int k = 0; k < spin_size<D>; ++k) m[k] += share[D + k];
    });
    f += view.f[i];
    m += view.m[i];
    if (finish) {
      const bool still = view.still[i] != 0;
      f = still ? Vec<D, T>{} : f * view.inverse_mass[i] + view.gravity;
      m = still ? Spin<D, T>{} : m * view.inverse_inertia[i];
    }
    view.f[i] = f;
    view.m[i] = m;
  }
}

template <int D, class T>
void gather(const GatherView<D, T>& view, std::size_t first, std::size_t last) {
  if constexpr (in_rows_of_four<T> && D == 3) {
#if defined(__AVX2__)
    if (view.packed.few) return gather_rows<PackedShares<D, T>>(view, first, last);
    return gather_rows<ListedShares<D>>(view, first, last);
#endif
  } else {
    if (view.packed.few) return gather_plainly<PackedShares<D, T>>(view, first, last);
    return gather_plainly<PlainShares<D, T>>(view, first, last);
  }
}

#if defined(__AVX2__)
/// Which ways some grains have come, and whether some place is no number.
template <int D>
struct Journey {
  __m256d low = _mm256_set1_pd(std::numeric_limits<double>::infinity()), high = _mm256_set1_pd(-std::numeric_limits<double>::infinity());
  __m256d odd = _mm256_setzero_pd();
  __m256d out = _mm256_setzero_pd();  // is some place beyond the borders? Asked by drift() alone

  /// A record takes over a place and a velocity, in the first of four numbers each; what stands behind them it keeps.
  SCREE_INLINE __m256d take(GrainRecord<D, double>& to, __m256d x, __m256d v) {
    constexpr int kept = D == 3 ? 0x8 : 0xC;
    double* row = &to.x[0];
    const __m256d old = _mm256_load_pd(row), now = _mm256_blend_pd(x, old, kept);
    const __m256d moved = _mm256_sub_pd(now, old);
    low = _mm256_min_pd(low, moved);
    high = _mm256_max_pd(high, moved);
    odd = _mm256_or_pd(odd, _mm256_cmp_pd(moved, moved, _CMP_UNORD_Q));
    _mm256_store_pd(row, now);
    _mm256_store_pd(row + 4, _mm256_blend_pd(v, _mm256_load_pd(row + 4), kept));
    return now;
  }
  /// The place moves on by h v. In a loop a journey must be a local copy, or the compiler keeps it in memory and each grain waits for the one before.
  SCREE_INLINE void drift(GrainRecord<D, double>& to, __m256d place, __m256d v, __m256d h, __m256d lo, __m256d hi) {
    const __m256d x = take(to, _mm256_add_pd(place, _mm256_mul_pd(v, h)), v);
    out = _mm256_or_pd(out, _mm256_or_pd(_mm256_cmp_pd(x, lo, _CMP_LT_OQ), _mm256_cmp_pd(x, hi, _CMP_NLT_UQ)));
  }
  SCREE_INLINE void tell(Ways<D, double>& ways) const {
    alignas(32) double lane[2][4];
    _mm256_store_pd(lane[0], low);
    _mm256_store_pd(lane[1], high);
    for (int k = 0; k < D; ++k) {
      ways.lo[k] = lane[0][k];
      ways.hi[k] = lane[1][k];
    }
    if ((_mm256_movemask_pd(odd) & (D == 3 ? 0x7 : 0x3)) != 0) ways.hi[0] = std::numeric_limits<double>::infinity();
  }
};

/// turn(from, until) for those of the grains first … last-1 that may have a contact, glide(from, until) for the others: their sums are zero and
/// need not be read.
template <int D, class Turn, class Glide>
SCREE_INLINE void each_stirred(const GatherView<D, double>& view, std::size_t first, std::size_t last, const Turn& turn, const Glide& glide) {
  if (!view.stirred) return turn(first, last);
  while (first < last) {
    std::uint8_t* const stirred = &view.stirred[first / stirred_together];
    const bool now = *stirred != 0;
    std::size_t until = first;
    for (std::uint8_t* one = stirred; until < last && (*one != 0) == now; ++one) {
      *one = 0;
      until = (until / stirred_together + 1) * stirred_together;
    }
    until = until < last ? until : last;
    if (now) turn(first, until);
    else glide(first, until);
    first = until;
  }
}

template <class Shares>
SCREE_INLINE Gone<3, double> go_on_with(const GatherView<3, double>& gather, const GoOn<3, double>& go, std::size_t first, std::size_t last) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const GatherView<3, double> view = gather;  // copies: what is written cannot change them
  const GoOn<3, double> to = go;
  const __m256d h = _mm256_set1_pd(to.h);
  const __m256d lo = _mm256_set_pd(-infinity, to.lo[2], to.lo[1], to.lo[0]), hi = _mm256_set_pd(infinity, to.hi[2], to.hi[1], to.hi[0]);
  const __m256d by = _mm256_set1_pd(to.by), zero = _mm256_setzero_pd(), gravity = _mm256_set_pd(0, view.gravity[2], view.gravity[1], view.gravity[0]);
  const __m256d falling = _mm256_mul_pd(_mm256_add_pd(zero, gravity), by);
  Journey<3> journey;
  const auto glide = [&](std::size_t from, std::size_t until) SCREE_ALWAYS {  // what comes of sums of zero. Spins stay: adding zero would but turn -0 into 0
    Journey<3> path = journey;
    for (std::size_t i = from; i < until; ++i) {
      const __m256d dv = _mm256_andnot_pd(_mm256_castsi256_pd(_mm256_set1_epi64x(-static_cast<std::int64_t>(view.still[i]))), falling);
      const __m256d place = _mm256_load_pd(&to.record[i].x[0]), speed = _mm256_load_pd(&to.record[i].v[0]);
      path.drift(to.record[i], place, _mm256_add_pd(_mm256_add_pd(speed, dv), dv), h, lo, hi);
    }
    journey = path;
  };
#if defined(__AVX512F__)
  // force and velocity in the lower half, torque and spin in the upper one
  const __m512d all_by = _mm512_set1_pd(to.by), pull = _mm512_insertf64x4(_mm512_setzero_pd(), gravity, 0);
  const __m512i halves = _mm512_set_epi64(0, 5, 4, 3, 0, 2, 1, 0);
  const auto turn = [&](std::size_t from, std::size_t until) SCREE_ALWAYS {
    Shares shares(view, from, until);
    Journey<3> path = journey;
    for (std::size_t i = from; i < until; ++i) {
      const double* record = &to.record[i].x[0];
      const __m256d place = _mm256_load_pd(record);
      __m512d sum = _mm512_setzero_pd();
      shares.each(i, [&](const double* share) SCREE_ALWAYS { sum = _mm512_add_pd(sum, _mm512_loadu_pd(share)); });  // and something behind it
      const __m512d own = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(&view.f[i][0])), _mm256_loadu_pd(&view.m[i][0]), 1);
      sum = _mm512_add_pd(_mm512_permutexvar_pd(halves, sum), own);
      const __m512d inverse = _mm512_mask_broadcastsd_pd(_mm512_broadcastsd_pd(_mm_load_sd(record + 7)), 0xF0, _mm_load_sd(&view.inverse_inertia[i]));
      const __m512d turned = _mm512_mul_pd(sum, inverse), a = _mm512_mask_add_pd(turned, 0x0F, turned, pull);
      const __m512d more = _mm512_maskz_mul_pd(static_cast<__mmask8>(view.still[i] - 1), a, all_by);
      const __m512d before = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(record + 4)), _mm256_loadu_pd(&to.w[i][0]), 1);
      const __m512d after = _mm512_add_pd(_mm512_add_pd(before, more), more);
      store_row(to.w[i], _mm512_extractf64x4_pd(after, 1));
      path.drift(to.record[i], place, _mm512_castpd512_pd256(after), h, lo, hi);
    }
    journey = path;
  };
#else
  const auto turn = [&](std::size_t from, std::size_t until) SCREE_ALWAYS {
    Shares shares(view, from, until);
    Journey<3> path = journey;
    for (std::size_t i = from; i < until; ++i) {
      const __m256d place = _mm256_load_pd(&to.record[i].x[0]), speed = _mm256_load_pd(&to.record[i].v[0]);
      const RowPair a = finished(view, i, gathered(view, i, shares), _mm256_permute4x64_pd(speed, 0xFF));  // its last number is 1/m
      const __m256d dv = _mm256_mul_pd(a.f, by), dw = _mm256_mul_pd(a.m, by);
      store_row(to.w[i], _mm256_add_pd(_mm256_add_pd(_mm256_loadu_pd(&to.w[i][0]), dw), dw));
      path.drift(to.record[i], place, _mm256_add_pd(_mm256_add_pd(speed, dv), dv), h, lo, hi);
    }
    journey = path;
  };
#endif
  each_stirred<3>(view, first, last, turn, glide);
  Gone<3, double> gone;
  journey.tell(gone.ways);
  gone.outside = (_mm256_movemask_pd(journey.out) & 0x7) != 0;
  return gone;
}

/// In the plane a record's second half is velocity, spin and 1/m, and all of it is kicked at once.
template <class Shares>
SCREE_INLINE Gone<2, double> go_on_with(const GatherView<2, double>& gather, const GoOn<2, double>& go, std::size_t first, std::size_t last) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const GatherView<2, double> view = gather;
  const GoOn<2, double> to = go;
  constexpr int spin = 0x4;  // its lane
  const __m256d by = _mm256_set1_pd(to.by), h = _mm256_set1_pd(to.h), gravity = _mm256_set_pd(0, 0, view.gravity[1], view.gravity[0]);
  const __m256d lo = _mm256_set_pd(-infinity, -infinity, to.lo[1], to.lo[0]), hi = _mm256_set_pd(infinity, infinity, to.hi[1], to.hi[0]);
  const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
  Journey<2> journey;
  const auto move = [&](std::size_t i, __m256d sum, Journey<2>& path) SCREE_ALWAYS {
    const __m256d place = _mm256_load_pd(&to.record[i].x[0]), speed = _mm256_load_pd(&to.record[i].v[0]);
    const __m256d inverse = _mm256_blend_pd(_mm256_permute4x64_pd(speed, 0xFF), _mm256_set1_pd(view.inverse_inertia[i]), spin);
    const __m256d turned = _mm256_mul_pd(sum, inverse), moves = _mm256_castsi256_pd(_mm256_set1_epi64x(static_cast<std::int64_t>(view.still[i]) - 1));
    const __m256d a = _mm256_and_pd(moves, _mm256_blend_pd(_mm256_add_pd(turned, gravity), turned, spin));
    const __m256d more = _mm256_mul_pd(a, by), v = _mm256_add_pd(_mm256_add_pd(speed, more), more);
    path.drift(to.record[i], place, v, h, lo, hi);
    const __m128d w = _mm256_extractf128_pd(v, 1);
    _mm_store_sd(&to.record[i].w[0], w);
    _mm_store_sd(&to.w[i][0], w);
  };
  const auto turn = [&](std::size_t from, std::size_t until) SCREE_ALWAYS {
    Shares shares(view, from, until);
    Journey<2> path = journey;
    for (std::size_t i = from; i < until; ++i) {
      __m256d sum = _mm256_setzero_pd();
      shares.each(i, [&](const double* share) SCREE_ALWAYS { sum = _mm256_add_pd(sum, _mm256_maskload_pd(share, three)); });
      move(i, _mm256_add_pd(sum, _mm256_set_m128d(_mm_load_sd(&view.m[i][0]), _mm_loadu_pd(&view.f[i][0]))), path);
    }
    journey = path;
  };
  const auto glide = [&](std::size_t from, std::size_t until) SCREE_ALWAYS {
    Journey<2> path = journey;
    for (std::size_t i = from; i < until; ++i) move(i, _mm256_setzero_pd(), path);
    journey = path;
  };
  each_stirred<2>(view, first, last, turn, glide);
  Gone<2, double> gone;
  journey.tell(gone.ways);
  gone.outside = (_mm256_movemask_pd(journey.out) & 0x3) != 0;  // a polygon's radius is no number
  return gone;
}

template <int D>
SCREE_FLATTEN Gone<D, double> go_on(const GatherView<D, double>& view, const GoOn<D, double>& to, std::size_t first, std::size_t last) {
  if (view.packed.few) return go_on_with<PackedShares<D, double>>(view, to, first, last);
  return go_on_with<ListedShares<D>>(view, to, first, last);
}
#endif

template <int D, class T>
Ways<D, T> record(const Vec<D, T>* x, const Vec<D, T>* v, const Spin<D, T>* w, GrainRecord<D, T>* to, std::size_t n) {
  auto ways = Ways<D, T>::none();
#if defined(__AVX2__)
  if constexpr (in_rows_of_four<T>) {
    Journey<D> journey;
    for (std::size_t i = 0; i < n; ++i) {
      journey.take(to[i], _mm256_loadu_pd(&x[i][0]), _mm256_loadu_pd(&v[i][0]));
      if constexpr (D == 2) to[i].w = w[i];
    }
    journey.tell(ways);
    return ways;
  }
#endif
  bool bad = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<D, T> moved = x[i] - to[i].x;
    ways.add(moved, moved);
    for (int k = 0; k < D; ++k) bad |= !(moved[k] == moved[k]);
    to[i].x = x[i];
    to[i].v = v[i];
    if constexpr (D == 2) to[i].w = w[i];
  }
  if (bad) ways.hi[0] = T(std::numeric_limits<double>::infinity());
  return ways;
}

template <int D, class T>
Travel<D, T> travel(const GrainRecord<D, T>* grain, const Vec<D, T>* listed, const Vec<D, T>& period, const std::uint32_t* bin, BinOfWays<D, T>* bins, std::size_t n) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Travel<D, T> all{T(0), Ways<D, T>::none()};
#if defined(__AVX2__)
  if constexpr (in_rows_of_four<T>) {
    alignas(32) double lengths[4] = {}, halves[4] = {infinity, infinity, infinity, infinity};
    for (int k = 0; k < D; ++k) {
      if (!(period[k] > 0)) continue;
      lengths[k] = period[k];
      halves[k] = period[k] * 0.5;
    }
    const __m256d length = _mm256_load_pd(lengths), half = _mm256_load_pd(halves), less = _mm256_sub_pd(_mm256_setzero_pd(), half);
    const __m256d own = _mm256_castsi256_pd(D == 3 ? _mm256_set_epi64x(0, -1, -1, -1) : _mm256_set_epi64x(0, 0, -1, -1));
    __m256d low = _mm256_set1_pd(infinity), high = _mm256_set1_pd(-infinity), odd = _mm256_setzero_pd();
    __m128d most = _mm_setzero_pd();
    for (std::size_t i = 0; i < n; ++i) {
      __m256d way = _mm256_sub_pd(_mm256_load_pd(&grain[i].x[0]), _mm256_loadu_pd(&listed[i][0]));
      const __m256d up = _mm256_and_pd(_mm256_cmp_pd(way, less, _CMP_LT_OQ), length), down = _mm256_and_pd(_mm256_cmp_pd(way, half, _CMP_GT_OQ), length);
      way = _mm256_and_pd(_mm256_sub_pd(_mm256_add_pd(way, up), down), own);
      low = _mm256_min_pd(way, low);
      high = _mm256_max_pd(way, high);
      odd = _mm256_or_pd(odd, _mm256_cmp_pd(way, way, _CMP_UNORD_Q));
      const __m256d square = _mm256_mul_pd(way, way);
      const __m128d two = _mm256_castpd256_pd128(square);
      most = _mm_max_sd(_mm_add_sd(_mm_add_sd(two, _mm_unpackhi_pd(two, two)), _mm256_extractf128_pd(square, 1)), most);
      if (!bin) continue;
      BinOfWays<D, double>& to = bins[bin[i]];
      _mm256_store_pd(to.lo, _mm256_min_pd(way, _mm256_load_pd(to.lo)));
      _mm256_store_pd(to.hi, _mm256_max_pd(way, _mm256_load_pd(to.hi)));
    }
    alignas(32) double lane[2][4];
    _mm256_store_pd(lane[0], low);
    _mm256_store_pd(lane[1], high);
    for (int k = 0; k < D; ++k) {
      all.box.lo[k] = lane[0][k];
      all.box.hi[k] = lane[1][k];
    }
    all.longest2 = _mm256_movemask_pd(odd) != 0 ? infinity : _mm_cvtsd_f64(most);
    return all;
  }
#endif
  bool odd = false;
  for (std::size_t i = 0; i < n; ++i) {
    Vec<D, T> way = grain[i].x - listed[i];
    for (int k = 0; k < D; ++k) {
      if (!(period[k] > T(0))) continue;
      const T half = period[k] * T(0.5);
      if (way[k] < -half) way[k] += period[k];
      else if (way[k] > half) way[k] -= period[k];
    }
    const T one = norm2(way);
    all.longest2 = one > all.longest2 ? one : all.longest2;
    odd |= !(one == one);
    all.box.add(way, way);
    if (!bin) continue;
    BinOfWays<D, T>& to = bins[bin[i]];
    for (int k = 0; k < D; ++k) {
      to.lo[k] = way[k] < to.lo[k] ? way[k] : to.lo[k];
      to.hi[k] = way[k] > to.hi[k] ? way[k] : to.hi[k];
    }
  }
  if (odd) all.longest2 = T(infinity);
  return all;
}

template <int D, class T>
bool outside(const Vec<D, T>* x, std::size_t n, const Vec<D, T>& lo, const Vec<D, T>& hi) {
  std::size_t i = 0;
  bool out = false;
#if defined(__AVX2__)
  if constexpr (in_rows_of_four<T> && D == 3) {
    // four rows of three are three vectors of four: the borders repeat with them
    const __m256d low[3] = {_mm256_set_pd(lo[0], lo[2], lo[1], lo[0]), _mm256_set_pd(lo[1], lo[0], lo[2], lo[1]),
                            _mm256_set_pd(lo[2], lo[1], lo[0], lo[2])};
    const __m256d high[3] = {_mm256_set_pd(hi[0], hi[2], hi[1], hi[0]), _mm256_set_pd(hi[1], hi[0], hi[2], hi[1]),
                             _mm256_set_pd(hi[2], hi[1], hi[0], hi[2])};
    __m256d any = _mm256_setzero_pd();
    for (; i + 4 <= n; i += 4)
      for (int k = 0; k < 3; ++k) {
        const __m256d y = _mm256_loadu_pd(&x[i][0] + 4 * k);
        any = _mm256_or_pd(any, _mm256_or_pd(_mm256_cmp_pd(y, low[k], _CMP_LT_OQ), _mm256_cmp_pd(y, high[k], _CMP_NLT_UQ)));
      }
    out = _mm256_movemask_pd(any) != 0;
  }
#endif
  for (; i < n; ++i)
    for (int k = 0; k < D; ++k) out |= x[i][k] < lo[k] || !(x[i][k] < hi[k]);
  return out;
}

}  // namespace
}  // namespace scree
