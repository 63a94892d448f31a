// SPDX-License-Identifier: BSD-3-Clause
/// The loops over packs (packs.hpp): contacts of the usual step, lane by lane of rows that lie side by side. The operations are those
/// of the loops over batches (batch_kernels.hpp), so the bits are.
///
/// Some packs at a time lie on a desk, which the first-level cache holds, and go through short loops:
///
///     meet       places: who touches
///     face       normals and overlaps
///     pass_by    velocities
///     push       the normal law
///     carry      springs
///     rub        friction, as long as nothing slides
///     slide      friction of packs with a contact that does
///     share_out  forces and torques: sums over rows, shares of partners
///
/// Short, because a contact is a long chain of operations that wait for each other (roots and divisions among them), and a processor
/// looks only some hundred instructions ahead: in one long loop it would see one pack at a time, in short ones it works at
/// several. It also keeps laws apart: each normal law and each law of friction is compiled once.
///
/// Lanes that do not touch go along with an overlap, a distance and velocities of zero, and what they answer is dropped where a law might
/// not answer with zero.
///
/// Included as batch_kernels.hpp is, after it, with the same rule about inline functions.
#pragma once

#include <cstring>

#include "scree/core/fetch.hpp"
#include "scree/engines/batch_kernels.hpp"

#if defined(__AVX2__)
namespace scree {
namespace {

/// Those lanes of x of which it is true; the others are zero.
SCREE_INLINE Pack only(PackMask which, Pack x) {
#if defined(__AVX512F__)
  return Pack::Lanes(_mm512_maskz_mov_pd(which.bits, __m512d(x.v)));
#else
  return Pack::Lanes(_mm256_and_pd(__m256d(x.v), _mm256_castsi256_pd(__m256i(which.bits))));
#endif
}
SCREE_INLINE unsigned lanes_of(PackMask which) {
#if defined(__AVX512F__)
  return which.bits;
#else
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(__m256i(which.bits))));
#endif
}
/// Lanes in which two indices are the same.
SCREE_INLINE unsigned lanes_alike(const std::uint32_t* a, const std::uint32_t* b) {
#if defined(__AVX512F__)
  return _mm256_cmpeq_epi32_mask(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b)));
#else
  const __m128i alike = _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)), _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)));
  return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(alike)));
#endif
}
SCREE_INLINE Pack numbers(const std::uint8_t* from) {
#if defined(__AVX512F__)
  return Pack::Lanes(_mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)))));
#else
  std::int32_t four;
  std::memcpy(&four, from, sizeof four);
  return Pack::Lanes(_mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(four))));
#endif
}

/// A pack of contacts on its way.
template <int D>
struct alignas(64) Place {
  Vec<D, Pack> n;    // until they face each other: d
  Pack xi;           // until then: d²
  Pack ri, rj, reach, inverse_mass;
  Pack li, lj, rate;
  Spring<D, Pack> u;
  Pack r_eff, m_eff, root, damping, normal;
  Spring<D, Pack> spring, force;  // of friction
  Pack loss_n, loss_t;
  PackMask touch;
  std::uint32_t pack;
};
/// Packs of one slice that lie on the desk: all of them, or what is left of them or fits.
struct Part {
  std::uint32_t slice;
  int from, to;  // places
  bool begins, ends;
};
template <int D>
struct Desk {
  static constexpr int room = 64 / pack_size;
  Place<D> place[room];
  Part part[room];
  Place<D>* sliding[room];
  int parts, places;
  // of a slice that goes on with the next deskful
  Vec<D, Pack> f;
  Spin<D, Pack> m;
  Pack loss_n, loss_t;
};
static_assert(sizeof(Desk<2>) <= desk_bytes && sizeof(Desk<3>) <= desk_bytes);

/// Four numbers of each of some grains.
struct Fours {
  Pack a, b, c, d;
  template <class F>
  SCREE_INLINE explicit Fours(const F& row) {
#if defined(__AVX512F__)
    // rows 0, 4 and so on side by side: what is transposed within halves is in order
    const auto two = [&](int l) SCREE_ALWAYS { return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(row(l))), _mm256_load_pd(row(l + 4)), 1); };
    const __m512d r0 = two(0), r1 = two(1), r2 = two(2), r3 = two(3);
    const __m512d even = _mm512_unpacklo_pd(r0, r1), odd = _mm512_unpackhi_pd(r0, r1), even2 = _mm512_unpacklo_pd(r2, r3), odd2 = _mm512_unpackhi_pd(r2, r3);
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    a = Pack::Lanes(_mm512_permutex2var_pd(even, low, even2));
    b = Pack::Lanes(_mm512_permutex2var_pd(odd, low, odd2));
    c = Pack::Lanes(_mm512_permutex2var_pd(even, high, even2));
    d = Pack::Lanes(_mm512_permutex2var_pd(odd, high, odd2));
#else
    __m256d r0 = _mm256_load_pd(row(0)), r1 = _mm256_load_pd(row(1)), r2 = _mm256_load_pd(row(2)), r3 = _mm256_load_pd(row(3));
    transpose(r0, r1, r2, r3);
    a = Pack::Lanes(r0);
    b = Pack::Lanes(r1);
    c = Pack::Lanes(r2);
    d = Pack::Lanes(r3);
#endif
  }
};
/// Where some grains are, a lane each.
template <int D>
struct Places {
  Vec<D, Pack> x;
  Pack r;
  SCREE_INLINE Places(const GrainRecord<D, double>* grain, const std::uint32_t* index) {
    const Fours row([&](int l) SCREE_ALWAYS { return &grain[index[l]].x[0]; });
    x[0] = row.a;
    x[1] = row.b;
    if constexpr (D == 3) x[2] = row.c;
    r = D == 3 ? row.d : row.c;
  }
};
/// How they move.
template <int D>
struct Motions {
  Vec<D, Pack> v;
  Spin<D, Pack> w;
  Pack inverse_mass;
  SCREE_INLINE Motions(const PackView<D, double>& view, const std::uint32_t* index) {
    const Fours row([&](int l) SCREE_ALWAYS { return &view.grain[index[l]].v[0]; });
    v[0] = row.a;
    v[1] = row.b;
    inverse_mass = row.d;
    if constexpr (D == 3) {
      v[2] = row.c;
      w = rows_of_three(view.w, index);
    } else {
      w[0] = row.c;
    }
  }
};

/// The nearest of the images across borders of the periods.
template <int D>
SCREE_INLINE void bring_near(Vec<D, Pack>& d, const Vec<D, double>& period) {
  for (int k = 0; k < D; ++k) {
    if (!(period[k] > 0)) continue;
    const Pack half = Pack(period[k] * 0.5), whole = Pack(period[k]);
    d[k] = select(d[k] < -half, d[k] + whole, select(d[k] > half, d[k] - whole, d[k]));
  }
}

/// Far pairs: who touches, or has a gap below some width?
template <int D>
[[gnu::noinline]] SCREE_FLATTEN std::uint32_t scout(const PackView<D, double>& view, std::uint32_t first, std::uint32_t last, double width, std::uint32_t* found) {
  const PackView<D, double> v = view;
  const Pack more = Pack(width);
  std::uint32_t* to = found;
  for (std::uint32_t at = first; at < last; at += pack_size) {
    const std::uint32_t *owner = v.far_owner + at, *partner = v.far_partner + at;
    std::uint32_t few[2][pack_size];
    if (last - at < pack_size) {  // and nobody
      for (std::uint32_t l = 0; l < pack_size; ++l) {
        few[0][l] = at + l < last ? owner[l] : owner[0];
        few[1][l] = at + l < last ? partner[l] : owner[0];
      }
      owner = few[0];
      partner = few[1];
    }
    if (last - at >= (packs_ahead + 1) * pack_size)
      for (int l = packs_ahead * pack_size; l < (packs_ahead + 1) * pack_size; ++l) __builtin_prefetch(&v.grain[partner[l]]);
    const Places<D> own(v.grain, owner), other(v.grain, partner);
    Vec<D, Pack> d = other.x - own.x;
    bring_near(d, v.period);
    const Pack reach = own.r + other.r + more;
    for (unsigned now = lanes_of(norm2(d) < reach * reach) & ~lanes_alike(owner, partner); now != 0; now &= now - 1)
      *to++ = at + static_cast<std::uint32_t>(__builtin_ctz(now));
  }
  return static_cast<std::uint32_t>(to - found);
}

/// Where a sweep over slices is.
struct Cursor {
  std::uint32_t slice, pack;
};

/// Lays packs with contacts on the desk, from where the cursor is to slice `last` or until it is full.
template <int D>
[[gnu::noinline]] SCREE_FLATTEN void meet(const PackView<D, double>& view, Cursor& cursor, std::uint32_t last, Desk<D>& desk) {
  const PackView<D, double> v = view;  // a copy: what is written to the desk cannot change it
  Cursor at = cursor;
  Place<D>* to = desk.place;
  Place<D>* const full = desk.place + Desk<D>::room;
  Part* part = desk.part;
  for (; at.slice < last && part != desk.part + Desk<D>::room; ++part) {
    const Places<D> own(v.grain, v.row + std::size_t{at.slice} * pack_size);
    const Pack length = numbers(v.length + std::size_t{at.slice} * pack_size);
    const std::uint32_t begin = v.at[at.slice], end = begin + v.count[at.slice];
    part->slice = at.slice;
    part->begins = at.pack == begin;
    part->from = static_cast<int>(to - desk.place);
    const bool border = v.border[at.slice] != 0;
    Pack count = Pack(static_cast<double>(at.pack - begin));
    for (; at.pack < end && to != full; ++at.pack) {
      const std::uint32_t* const partner = v.partner + std::size_t{at.pack} * pack_size;
      // whom the packs after this one will ask for (another thread may be moving them), and what pass_by() will of these
#pragma GCC unroll 8
      for (int l = 0; l < pack_size; ++l) __builtin_prefetch(&v.grain[__atomic_load_n(&partner[packs_ahead * pack_size + l], __ATOMIC_RELAXED)]);
      if constexpr (D == 3)
        for (int l = 0; l < pack_size; ++l) __builtin_prefetch(&v.w[partner[l]]);
      const Places<D> other(v.grain, partner);
      Vec<D, Pack> d = other.x - own.x;
      if (border) bring_near(d, v.period);
      const Pack reach = own.r + other.r, square = norm2(d);
      const PackMask touch = both(square < reach * reach, count < length);
      count += Pack(1.0);
      const unsigned now = lanes_of(touch);
      if (v.touch[at.pack] != now) [[unlikely]] v.changed(v.whom, at.slice, at.pack, now);
      for (int a = 0; a < D; ++a) to->n[a].v = only(touch, d[a]).v;  // a partner who is not a number is nobody's
      to->xi = select(touch, square, Pack(1.0));
      to->ri = own.r;
      to->rj = other.r;
      to->reach = reach;
      to->touch = touch;
      to->pack = at.pack;
      to += now != 0;
    }
    part->to = static_cast<int>(to - desk.place);
    part->ends = at.pack == end;
    if (!part->ends) {
      ++part;
      break;
    }
    if (++at.slice < last) at.pack = v.at[at.slice];
  }
  desk.parts = static_cast<int>(part - desk.part);
  desk.places = static_cast<int>(to - desk.place);
  cursor = at;
}

/// So many bytes will be written to.
template <std::size_t bytes>
SCREE_INLINE void fetch_lines(const void* from) {
  for (std::size_t k = 0; k < bytes; k += 64) fetch_to_write(static_cast<const char*>(from) + k);
}

/// Normals and overlaps; springs and shares, which carry() and share_out() will ask for, are fetched meanwhile. Returns whether some
/// overlap reaches `limit` times the smaller radius.
template <int D>
[[gnu::noinline]] SCREE_FLATTEN bool face(const PackView<D, double>& view, double limit, Desk<D>& desk) {
  const Share<D, double>* const shares = view.back;
  const double* const springs = view.zeta;
  const Pack deepest = Pack(limit);
  PackMask deep(false);
  Place<D>* const end = desk.place + desk.places;
  for (Place<D>* p = desk.place; p != end; ++p) {
    Vec<D, Pack> d;
    keep_in(d, p->n);
    fetch_lines<sizeof(Share<D, double>) * pack_size>(shares + std::size_t{p->pack} * pack_size);
    fetch_lines<sizeof(double) * spring_size<D> * pack_size>(springs + std::size_t{p->pack} * pack_size * spring_size<D>);
    const PairPlace<D, Pack> at(d, p->xi, p->reach);
    const Pack xi = only(p->touch, at.xi);
    keep_in(p->n, at.n);
    p->xi = xi;
    deep = either(deep, xi > deepest * select(p->rj < p->ri, p->rj, p->ri));
  }
  return some(deep);
}

/// Velocities at the contacts.
template <int D>
[[gnu::noinline]] SCREE_FLATTEN void pass_by(const PackView<D, double>& view, Desk<D>& desk) {
  const PackView<D, double> v = view;
  const Pack half = Pack(0.5);
  const Part* const last = desk.part + desk.parts;
  for (const Part* part = desk.part; part != last; ++part) {
    if (part->from == part->to) continue;
    const std::uint32_t* row = v.row + std::size_t{part->slice} * pack_size;
    const Motions<D> own(v, row);
    Place<D>* const end = desk.place + part->to;
    for (Place<D>* p = desk.place + part->from; p != end; ++p) {
      const Motions<D> other(v, v.partner + std::size_t{p->pack} * pack_size);
      const PackMask touch = p->touch;
      Vec<D, Pack> n;
      keep_in(n, p->n);
      const PairMotion<D, Pack> at(n, p->xi, own.v - other.v, p->ri, p->rj, own.w, other.w, half);
      p->inverse_mass = own.inverse_mass + other.inverse_mass;
      p->rate = only(touch, at.rate);
      p->li = at.li;
      p->lj = at.lj;
      for (int k = 0; k < spring_size<D>; ++k) p->u[k].v = only(touch, at.u[k]).v;
    }
  }
}

/// What the normal law makes of it.
template <int D, class Law>
[[gnu::noinline]] SCREE_FLATTEN void push(const ContactLaws& laws, const Law& normal_law, bool need_effective, const HandOut<double>& what, Desk<D>& desk) {
  const Law law = normal_law;
  const Scaling scaling = laws.scaling;
  const bool rooted = comes_with_root<Law>(scaling), scaled = !no_scales<Law>(scaling);
  const Pack least = laws.attraction ? Pack(-std::numeric_limits<double>::infinity()) : Pack(0.0), weight = Pack(what.weight);
  const bool booked = what.booked;
  Place<D>* const end = desk.place + desk.places;
  const auto each = [&](auto effective, auto by_root, auto by_scales) SCREE_ALWAYS {
    for (Place<D>* p = desk.place; p != end; ++p) {
      const Pack xi = p->xi, rate = p->rate;
      Pack r_eff = Pack(1.0), m_eff = Pack(1.0), root = Pack(1.0);
      if (effective) {
        const Effective<Pack> of(p->ri, p->rj, p->inverse_mass);
        r_eff = of.radius;
        m_eff = of.mass;
        root = sqrt(r_eff * xi);
      }
      const Overlap<Pack> o{xi, rate, r_eff, m_eff, by_root ? root : sqrt(xi)};
      const NormalAnswer<Pack> answer = normal_answer(
          law, o, by_scales, by_scales ? scales_of(scaling, by_root, r_eff, m_eff) : Scales<Pack>{Pack(1.0), Pack(1.0)}, least);
      if (booked) p->loss_n = only(p->touch, (answer.normal - answer.elastic) * rate * weight);
      p->normal = only(p->touch, answer.normal);
      p->damping = answer.damping;
      p->r_eff = r_eff;
      p->m_eff = m_eff;
      p->root = root;
    }
  };
  // the usual ways compiled apart, so that no question is left in the loop
  if (need_effective && rooted && !scaled) each(std::true_type{}, std::true_type{}, std::false_type{});
  else if (!need_effective && !scaled) each(std::false_type{}, std::false_type{}, std::false_type{});
  else each(need_effective, rooted, scaled);
}

/// What a law of friction asks of a pack.
template <int D>
SCREE_INLINE Slip<Pack> slip_of(const Place<D>& p) {
  const Pack normal = p.normal;
  return {p.xi, p.rate, p.r_eff, p.m_eff, select(normal < Pack(0.0), -normal, normal), p.damping, p.root};
}

/// Springs go with their contacts.
template <int D>
[[gnu::noinline]] SCREE_FLATTEN void carry(const PackView<D, double>& view, double time, Desk<D>& desk) {
  const double* const springs = view.zeta;
  const Pack before = Pack(time);
  Place<D>* const end = desk.place + desk.places;
  for (Place<D>* p = desk.place; p != end; ++p) {
    const double* const zeta = springs + std::size_t{p->pack} * pack_size * spring_size<D>;
    Spring<D, Pack> old, u;
    Vec<D, Pack> n;
    for (int k = 0; k < spring_size<D>; ++k) old[k] = Pack::load(zeta + k * pack_size);
    keep_in(n, p->n);
    keep_in(u, p->u);
    const Spring<D, Pack> spring = carried_spring(old, n) + u * before;
    keep_in(p->spring, spring);
  }
}

/// Friction of all packs, as if nothing slid; returns how many were put aside because something does.
template <int D, class Law>
[[gnu::noinline]] SCREE_FLATTEN int rub(const PackView<D, double>& view, const Law& friction_law, const SpringTask<double>& task, const HandOut<double>& what, Desk<D>& desk) {
  const Law law = friction_law;
  const Pack before = Pack(task.before), after = Pack(task.after), weight = Pack(what.weight);
  [[maybe_unused]] const bool booked = what.booked;
  [[maybe_unused]] double* const springs = view.zeta;
  Place<D>* const end = desk.place + desk.places;
  Place<D>** aside = desk.sliding;
  for (Place<D>* p = desk.place; p != end; ++p) {
    if constexpr (std::is_same_v<Law, Frictionless>) {
      for (int k = 0; k < spring_size<D>; ++k) p->force[k] = Pack(0.0);
      p->loss_t = Pack(0.0);
    } else {
      const Slip<Pack> slip = slip_of(*p);
      Spring<D, Pack> u;
      keep_in(u, p->u);
      if constexpr (Law::has_memory) {
        double* const zeta = springs + std::size_t{p->pack} * pack_size * spring_size<D>;
        Spring<D, Pack> spring;
        keep_in(spring, p->spring);
        const auto held = hold(law, slip, spring, u);
        keep_in(p->force, held.force);
        if (booked) p->loss_t = only(p->touch, held.power * weight);
        const Spring<D, Pack> now = spring + u * after;
        for (int k = 0; k < spring_size<D>; ++k) only(p->touch, now[k]).store(zeta + k * pack_size);
        *aside = p;
        aside += some(held.slides);
      } else {
        Spring<D, Pack> none;
        for (int k = 0; k < spring_size<D>; ++k) none[k] = Pack(0.0);
        const auto answer = friction(law, slip, none, u, task.keep, before + after);
        keep_in(p->force, answer.force);
        if (booked) p->loss_t = only(p->touch, answer.power * weight + answer.released);
      }
    }
  }
  return static_cast<int>(aside - desk.sliding);
}

/// Friction of the packs that were put aside.
template <int D, class Law>
[[gnu::noinline]] SCREE_FLATTEN void slide(const PackView<D, double>& view, const Law& friction_law, const SpringTask<double>& task, const HandOut<double>& what, int count,
                                           Desk<D>& desk) {
  const Law law = friction_law;
  const Pack advance = Pack(task.before) + Pack(task.after), after = Pack(task.after), weight = Pack(what.weight);
  for (int c = 0; c < count; ++c) {
    Place<D>& p = *desk.sliding[c];
    Spring<D, Pack> u, spring;
    keep_in(u, p.u);
    keep_in(spring, p.spring);
    const auto answer = friction(law, slip_of(p), spring, u, task.keep, advance);
    keep_in(p.force, answer.force);
    if (what.booked) p.loss_t = only(p.touch, answer.power * weight + answer.released);
    double* const zeta = view.zeta + std::size_t{p.pack} * pack_size * spring_size<D>;
    const Spring<D, Pack> now = answer.spring + u * after;
    for (int k = 0; k < spring_size<D>; ++k) only(p.touch, now[k]).store(zeta + k * pack_size);
  }
}

/// A half of a pack that has eight lanes, or all of one that has four.
constexpr int quarters = pack_size / 4;
SCREE_INLINE __m256d quarter(const Pack& x, [[maybe_unused]] int h) {
#if defined(__AVX512F__)
  return h == 0 ? _mm512_castpd512_pd256(__m512d(x.v)) : _mm512_extractf64x4_pd(__m512d(x.v), 1);
#else
  return __m256d(x.v);
#endif
}
/// Four rows of two.
struct Twos {
  __m128d row[4];
  SCREE_INLINE Twos(__m256d x, __m256d y) {
    const __m256d even = _mm256_unpacklo_pd(x, y), odd = _mm256_unpackhi_pd(x, y);
    row[0] = _mm256_castpd256_pd128(even);
    row[1] = _mm256_castpd256_pd128(odd);
    row[2] = _mm256_extractf128_pd(even, 1);
    row[3] = _mm256_extractf128_pd(odd, 1);
  }
};

/// f(l, row) for each lane, the last one first, where a row has force and torque: (f, m_x) and (m_y, m_z) in space, (f, m) in the plane.
template <class F>
SCREE_INLINE void each_row(const Vec<3, Pack>& f, const Vec<3, Pack>& m, const F& to) {
  for (int h = quarters - 1; h >= 0; --h) {
    __m256d a[4] = {quarter(f[0], h), quarter(f[1], h), quarter(f[2], h), quarter(m[0], h)};
    transpose(a[0], a[1], a[2], a[3]);
    const Twos rest(quarter(m[1], h), quarter(m[2], h));
    for (int l = 3; l >= 0; --l) to(4 * h + l, a[l], rest.row[l]);
  }
}
template <class F>
SCREE_INLINE void each_row(const Vec<2, Pack>& f, const Vec<1, Pack>& m, const F& to) {
  for (int h = quarters - 1; h >= 0; --h) {
    const Twos force(quarter(f[0], h), quarter(f[1], h));
    const __m256d turn = quarter(m[0], h);
    const __m128d low = _mm256_castpd256_pd128(turn), high = _mm256_extractf128_pd(turn, 1);
    to(4 * h + 3, force.row[3], _mm_unpackhi_pd(high, high));
    to(4 * h + 2, force.row[2], high);
    to(4 * h + 1, force.row[1], _mm_unpackhi_pd(low, low));
    to(4 * h, force.row[0], low);
  }
}
/// Shares of a pack lie one behind the other: four of them are six registers.
SCREE_INLINE void put_shares(const Vec<3, Pack>& f, const Vec<3, Pack>& m, Share<3, double>* to) {
  static_assert(sizeof(Share<3, double>) == 48);
  for (int h = 0; h < quarters; ++h) {
    const __m256d f01 = _mm256_unpacklo_pd(quarter(f[0], h), quarter(f[1], h)), f01_odd = _mm256_unpackhi_pd(quarter(f[0], h), quarter(f[1], h));
    const __m256d f2m = _mm256_unpacklo_pd(quarter(f[2], h), quarter(m[0], h)), f2m_odd = _mm256_unpackhi_pd(quarter(f[2], h), quarter(m[0], h));
    const __m256d m12 = _mm256_unpacklo_pd(quarter(m[1], h), quarter(m[2], h)), m12_odd = _mm256_unpackhi_pd(quarter(m[1], h), quarter(m[2], h));
    double* const at = &to[4 * h].f[0];
    _mm256_storeu_pd(at, _mm256_permute2f128_pd(f01, f2m, 0x20));
    _mm256_storeu_pd(at + 4, _mm256_permute2f128_pd(m12, f01_odd, 0x20));
    _mm256_storeu_pd(at + 8, _mm256_permute2f128_pd(f2m_odd, m12_odd, 0x20));
    _mm256_storeu_pd(at + 12, _mm256_permute2f128_pd(f01, f2m, 0x31));
    _mm256_storeu_pd(at + 16, _mm256_permute2f128_pd(m12, f01_odd, 0x31));
    _mm256_storeu_pd(at + 20, _mm256_permute2f128_pd(f2m_odd, m12_odd, 0x31));
  }
}
SCREE_INLINE void put_shares(const Vec<2, Pack>& f, const Vec<1, Pack>& m, Share<2, double>* to) {
  each_row(f, m, [&](int l, __m128d force, __m128d turn) SCREE_ALWAYS {
    _mm_storeu_pd(&to[l].f[0], force);
    _mm_store_sd(&to[l].m[0], turn);
  });
}
SCREE_INLINE void put_row(Vec<3, double>& f, Vec<3, double>& m, __m256d low, __m128d high) {
  const __m128d middle = _mm256_extractf128_pd(low, 1);
  _mm_storeu_pd(&f[0], _mm256_castpd256_pd128(low));
  _mm_store_sd(&f[2], middle);
  _mm_storeh_pd(&m[0], middle);
  _mm_storeu_pd(&m[1], high);
}
SCREE_INLINE void put_row(Vec<2, double>& f, Vec<1, double>& m, __m128d force, __m128d turn) {
  _mm_storeu_pd(&f[0], force);
  _mm_store_sd(&m[0], turn);
}

template <int D>
[[gnu::noinline]] SCREE_FLATTEN void share_out(const PackView<D, double>& view, Desk<D>& desk) {
  static_assert(Ledger::normal == 0 && Ledger::tangential == 1);
  const PackView<D, double> v = view;
  const bool booked = v.e != nullptr;
  const Part* const last = desk.part + desk.parts;
  for (const Part* part = desk.part; part != last; ++part) {
    Vec<D, Pack> f;
    Spin<D, Pack> m;
    for (int k = 0; k < D; ++k) f[k] = part->begins ? Pack(0.0) : desk.f[k];
    for (int k = 0; k < spin_size<D>; ++k) m[k] = part->begins ? Pack(0.0) : desk.m[k];
    Pack loss_n = part->begins ? Pack(0.0) : desk.loss_n, loss_t = part->begins ? Pack(0.0) : desk.loss_t;
    const Place<D>* const end = desk.place + part->to;
    for (const Place<D>* p = desk.place + part->from; p != end; ++p) {
      const Pull<D, Pack> pull(p->force, p->n, p->normal);
      f = f + pull.force;
      m = m + pull.turn * p->li;
      if (booked) {
        loss_n += p->loss_n;
        loss_t += p->loss_t;
      }
      Share<D, double>* const back = v.back + std::size_t{p->pack} * pack_size;
      put_shares(-pull.force, pull.turn * p->lj, back);
    }
    if (!part->ends) {
      keep_in(desk.f, f);
      keep_in(desk.m, m);
      desk.loss_n = loss_n;
      desk.loss_t = loss_t;
      continue;
    }
    const std::uint32_t* row = v.row + std::size_t{part->slice} * pack_size;
    // the last lane first: those of nobody repeat the first one's row, which has the last word
    each_row(f, m, [&](int l, const auto& low, const auto& high) SCREE_ALWAYS { put_row(v.f[row[l]], v.m[row[l]], low, high); });
    for (int h = 0; booked && h < quarters; ++h) {
      const Twos lost(quarter(loss_n, h), quarter(loss_t, h));
      for (int l = 0; l < 4; ++l) {
        double* e = &v.e[row[4 * h + l]][0];
        _mm_storeu_pd(e, _mm_add_pd(_mm_loadu_pd(e), lost.row[l]));
      }
    }
  }
}

/// Are laws common enough for packs?
[[maybe_unused]] bool fits_packs(const ContactLaws& laws) {
  return std::visit([](const auto& normal) { return is_common<std::remove_cvref_t<decltype(normal)>>; }, laws.normal) &&
         std::visit([](const auto& friction) { return !is_solved<std::remove_cvref_t<decltype(friction)>>; }, laws.tangential);
}

template <int D>
bool press_packs(const PackView<D, double>& v, std::uint32_t first, std::uint32_t last, const ContactLaws& laws, const SpringTask<double>& task,
                 const HandOut<double>& what, bool need_effective, void* desk_at) {
  Desk<D>& desk = *static_cast<Desk<D>*>(desk_at);
  bool deep = false;
  [[maybe_unused]] int in_flow = 0;  // deskfuls that are not first asked whether something slides, as in most packs of the last one something did
  Cursor at{first, v.at[first]};
  while (at.slice < last) {
    meet<D>(v, at, last, desk);
    v.errands->do_some();
    deep |= face<D>(v, what.deep, desk);
    pass_by<D>(v, desk);
    std::visit(
        [&](const auto& law) {
          if constexpr (is_common<std::remove_cvref_t<decltype(law)>>) push<D>(laws, law, need_effective, what, desk);
        },
        laws.normal);
    std::visit(
        [&](const auto& law) {
          using Law = std::remove_cvref_t<decltype(law)>;
          if constexpr (!is_solved<Law>) {
            if constexpr (Law::has_memory) {
              carry<D>(v, task.before, desk);
              if (in_flow > 0) {
                --in_flow;
                for (int k = 0; k < desk.places; ++k) desk.sliding[k] = desk.place + k;
                slide<D>(v, law, task, what, desk.places, desk);
              } else {
                const int aside = rub<D>(v, law, task, what, desk);
                if (2 * aside > desk.places) in_flow = 15;
                if (aside > 0) slide<D>(v, law, task, what, aside, desk);
              }
            } else {
              rub<D>(v, law, task, what, desk);
            }
          }
        },
        laws.tangential);
    share_out<D>(v, desk);
  }
  return deep;
}

}  // namespace
}  // namespace scree
#endif
