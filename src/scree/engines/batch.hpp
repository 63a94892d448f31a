// SPDX-License-Identifier: BSD-3-Clause
/// A batch: some touching contacts as a structure of arrays, most of which stays in the first-level
/// cache. The sweep collects touching pairs into it, the laws run over it one after the other in packs
/// (core/pack.hpp), and the answers are handed out in the order in which the contacts came in.
///
/// A law is therefore instantiated once per number type and dimension, per combination in one loop alone (Kernels::press), and
/// the run-time choice of law costs one indirect call per batch.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "scree/core/fetch.hpp"
#include "scree/core/vec.hpp"
#include "scree/grains/grains.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

/// Contacts in a batch, at most, and where they go through the laws one after the other, with more lanes in use: fewer spill
/// less of the first-level cache, but cost more in calls (measured).
inline constexpr int batch_size = 192, lane_batch_size = 96;
/// Loops run over whole packs of this many contacts; what stands behind the last contact is computed
/// and never looked at.
inline constexpr int pack = 8;

/// N components of a vector quantity, each an array over the contacts of a batch.
template <int N, class T>
struct Lanes {
  T lane[static_cast<std::size_t>(N)][batch_size];
};

template <int D, class T>
struct Batch {
  static constexpr int Z = spring_size<D>;
  static constexpr int A = spin_size<D>;
  using Lane = std::array<T, batch_size>;

  int n = 0;                    // contacts
  bool of_walls = false;        // all of them are with walls, or all between grains
  std::uint32_t first_row = 0;  // of the list: sum[0] is its
  alignas(64) std::array<std::uint32_t, batch_size + pack> owner;  // of the listed pairs that were looked at
  alignas(64) std::array<std::uint32_t, batch_size + pack> i, j;   // storage indices; j of a wall contact: the wall's index
  alignas(64) std::array<std::uint32_t, batch_size + pack> slot;
  std::array<std::uint16_t, batch_size + pack> laws;  // index into the contact table
  std::array<std::uint32_t, batch_size> parted;       // slots that were alive and do not touch
  std::array<std::uint32_t, batch_size> parted_row;
  int parts = 0;
  bool fresh = false;           // some contact between grains is not marked as `lasting` yet

  // in: what the grains bring
  alignas(64) Lanes<D, T> d;        // x_j - x_i
  alignas(64) Lanes<D, T> dv;       // v_i - v_j
  alignas(64) Lanes<A, T> wi, wj;
  alignas(64) Lane reach;        // r_i + r_j
  alignas(64) Lane ri, rj, inverse_mass;  // 1/m_i + 1/m_j, 0 for what is held
  alignas(64) Lane wall_distance;
  alignas(64) Lane stiffness;  // of the pair, where grains have their own

  // geometry
  alignas(64) Lanes<D, T> n_;       // unit normal from i to j
  alignas(64) Lane distance, xi, rate, li, lj, r_eff, m_eff;
  alignas(64) Lanes<Z, T> u;        // sliding velocity
  alignas(64) Lanes<A, T> spin;     // relative spin without its part along n

  // springs, in and out
  alignas(64) Lanes<Z, T> zeta;
  alignas(64) Lanes<A, T> roll;

  // answers
  alignas(64) Lane normal, elastic, damping, stored;  // N, its elastic part, dashpot coefficient, energy
  alignas(64) Lane impulse;                           // ψ, for the momentum-shifted form
  std::array<bool, batch_size> born, pushes;          // that form: began in this step; N > 0, or pull allowed
  alignas(64) Lane power_n, power_t, power_r, released_t, released_r, stored_t;
  alignas(64) Lanes<Z, T> tangential;
  alignas(64) Lanes<A, T> rolling;
  alignas(64) Lanes<D, T> force;      // on i
  alignas(64) Lanes<A, T> mi, mj;     // torques on i and j
  alignas(64) Lane loss_n, loss_t;    // energy lost in this step, by the normal dashpot and by friction
  bool deep = false;                  // some overlap reaches HandOut::deep

  // sums over the contacts of each row, in the order of the list: force and torque on the owner, losses. Zero between batches
  struct alignas(std::is_same_v<T, double> ? 64 : alignof(T)) Sum {
    Vec<D, T> f;
    Spin<D, T> m;
    T loss_n, loss_t;
  };
  alignas(64) std::array<Sum, batch_size + 1> sum{};

  // Always inlined, here and below: see the rule in batch_kernels.hpp.
  template <int N>
  [[gnu::always_inline]] static Vec<N, T> get(const Lanes<N, T>& lanes, int c) {
    Vec<N, T> v;
    for (int k = 0; k < N; ++k) v[k] = lanes.lane[k][c];
    return v;
  }
  template <int N>
  [[gnu::always_inline]] static void set(Lanes<N, T>& lanes, int c, const Vec<N, T>& v) {
    for (int k = 0; k < N; ++k) lanes.lane[k][c] = v[k];
  }
  /// The rest of the last pack repeats its last contact, as far as finding fills it.
  [[gnu::always_inline]] void fill_last_pack() {
    const auto last = static_cast<std::size_t>(n) - 1;
    for (int k = n; k % pack != 0; ++k) {
      const auto at = static_cast<std::size_t>(k);
      i[at] = i[last];
      j[at] = j[last];
      slot[at] = slot[last];
      copy_found(last, at);
    }
  }
  /// What finding brings of a contact besides i, j and slot.
  [[gnu::always_inline]] void copy_found(std::size_t from, std::size_t to) {
    for (int a = 0; a < D; ++a) {
      d.lane[a][to] = d.lane[a][from];
      dv.lane[a][to] = dv.lane[a][from];
    }
    reach[to] = reach[from];
    inverse_mass[to] = inverse_mass[from];
  }
};

/// Whether the momentum-shifted form is wanted: all of it, or the impulses ψ alone.
enum class Shifting : std::uint8_t { none, all, impulse };

/// What the springs do in this evaluation.
template <class T>
struct SpringTask {
  T before{}, after{};
  bool keep = false;    // springs are not cut (stages)
  bool energy = false;  // stored energies are wanted
  Shifting shifting = Shifting::none;
  T step{};             // of the shifted form
};

/// Force and torque on the partner of a pair.
template <int D, class T>
struct Share {
  Vec<D, T> f;
  Spin<D, T> m;
};

/// What a contact asks of a grain, in one line of the cache: most listed pairs look at the first half alone, whether
/// they touch, and those that do find the rest at hand. In space the spin stays in its own column.
template <int D, class T> struct GrainRecord;
template <class T>
struct alignas(std::is_same_v<T, double> ? 64 : alignof(T)) GrainRecord<3, T> {
  Vec<3, T> x;
  T r{};
  Vec<3, T> v;
  T inverse_mass{};  // 0 of what is held
};
template <class T>
struct alignas(std::is_same_v<T, double> ? 64 : alignof(T)) GrainRecord<2, T> {
  Vec<2, T> x;
  T r{}, unused{};
  Vec<2, T> v;
  Spin<2, T> w;
  T inverse_mass{};
};

/// SweepView::live of a pair that touched in the last evaluation and has its springs.
inline constexpr std::uint8_t lasting = 3;

/// What the kernels see of the grains and of the list.
template <int D, class T>
struct SweepView {
  const std::uint32_t* partner;
  const GrainRecord<D, T>* grain;
  const Spin<D, T>* w;
  Spring<D, T>* zeta;          // null without springs
  Spin<D, T>* roll;
  const std::uint8_t* live;
  Share<D, T>* back;
  Vec<D, T> length;            // periods, 0 where the axis is open
  T tilt{};                    // of a sheared box: how far the image one period up along y is ahead along x
  bool tilted = false;
};

/// What happens to a batch's answers.
template <class T>
struct HandOut {
  T weight{};            // of powers in the losses
  bool commit = false;   // springs are kept
  bool rolling = false;  // some law of rolling acts
  bool lanes = true;     // forces and torques are wanted in the batch, too
  T deep{};              // b.deep: does some overlap reach this, in units of the smaller radius?
  bool booked = true;    // losses are wanted (press() and press_packs() ask)
};

/// Where the shares of grains are while contacts lie in packs. Numbers count from the first share on in units of four bytes, so they
/// are even. `few` has four of each grain: those of its pairs that are in packs, then nobody's. Where they are more, the lowest bit of the
/// fourth says so, and all that the list has, in packs or not, follow each other in `all`.
struct Incoming {
  static constexpr std::size_t ahead = 16;  // grains whose shares are fetched in advance; behind the last one there are so many of nobody
  const std::uint32_t* few = nullptr;
  const std::uint32_t* all = nullptr;
  const std::uint32_t* begin = nullptr;  // of a grain's in `all`
};

/// What the gathering adds up, grain by grain: shares of pairs that belong to grains of lower id.
template <int D, class T>
struct GatherView {
  const std::uint32_t *begin, *slot;
  std::size_t slots;
  const Share<D, T>* back;
  std::uint32_t none;  // a share of zero
  Incoming packed;     // in place of these, if there is something in it
  Vec<D, T>* f;    // in: sums over rows; out: the whole force, or the acceleration
  Spin<D, T>* m;
  // null where something more than contacts and gravity acts: then forces and torques are left
  const T *inverse_mass = nullptr, *inverse_inertia = nullptr;
  const std::uint8_t* still = nullptr;  // 1: it does not move by itself
  Vec<D, T> gravity{};
  std::uint8_t* stirred = nullptr;  // of so many grains (stirred_together): has one of them a contact? All may, if null; go_on() leaves it zero
};
inline constexpr std::size_t stirred_together = 8;

/// Where the end of a step and the beginning of the next go: v += by a twice, w likewise, x += h v. Places and velocities are
/// those of the records; the state's are not touched.
template <int D, class T>
struct GoOn {
  Spin<D, T>* w;
  GrainRecord<D, T>* record;
  T by, h;
  Vec<D, T> lo, hi;  // borders of the periods
};

/// The box of the ways that some grains have come.
template <int D, class T>
struct Ways {
  Vec<D, T> lo, hi;

  [[gnu::always_inline]] static Ways none() {
    Ways w;
    for (int k = 0; k < D; ++k) {
      w.lo[k] = T(std::numeric_limits<double>::infinity());
      w.hi[k] = T(-std::numeric_limits<double>::infinity());
    }
    return w;
  }
  [[gnu::always_inline]] void add(const Vec<D, T>& low, const Vec<D, T>& high) {
    for (int k = 0; k < D; ++k) {
      lo[k] = low[k] < lo[k] ? low[k] : lo[k];
      hi[k] = high[k] > hi[k] ? high[k] : hi[k];
    }
  }
};

/// The ways of the grains of a bin, as registers want them.
template <int D, class T>
struct alignas(32) BinOfWays {
  T lo[4], hi[4];
  static BinOfWays none() {
    BinOfWays one;
    std::fill_n(one.lo, 4, T(std::numeric_limits<double>::infinity()));
    std::fill_n(one.hi, 4, T(-std::numeric_limits<double>::infinity()));
    return one;
  }
  Ways<D, T> box() const {
    Ways<D, T> b;
    for (int k = 0; k < D; ++k) {
      b.lo[k] = lo[k];
      b.hi[k] = hi[k];
    }
    return b;
  }
  void add(const BinOfWays& o) {
    for (int k = 0; k < D; ++k) {
      lo[k] = o.lo[k] < lo[k] ? o.lo[k] : lo[k];
      hi[k] = o.hi[k] > hi[k] ? o.hi[k] : hi[k];
    }
  }
};

/// How far grains have come since they were listed.
template <int D, class T>
struct Travel {
  T longest2;      // squared; infinite if some place is not a number
  Ways<D, T> box;
};

/// What comes of going on.
template <int D, class T>
struct Gone {
  Ways<D, T> ways;
  bool outside;  // some place is not in [lo, hi) now
};

/// Contacts in packs, as the loops over them see them; see packs.hpp.
template <int D, class T>
struct PackView {
  const std::uint32_t* row;     // of each slice and lane: whose contacts; lanes of nobody repeat the first
  const std::uint8_t* length;   // of each slice and lane: how many pairs
  const std::uint32_t* at;      // of each slice: its first pack
  const std::uint8_t* count;    // of each slice: how many it has
  const std::uint8_t* border;   // of each slice: may its pairs lead across a border of the periods?
  const std::uint32_t* partner; // of each pack and lane, and of packs_ahead more
  const std::uint32_t *far_owner, *far_partner;  // of each far pair; one of a grain with itself is nobody's
  const std::uint8_t* touch;    // of each pack: lanes that have springs; shares of a pack without are zero
  const GrainRecord<D, T>* grain;
  const Spin<D, T>* w;
  T* zeta;                      // of each pack: the springs' first components, then the second ones, …
  Share<D, T>* back;            // of each pack and lane
  Vec<D, T>* f;                 // of each grain: sums over its row
  Spin<D, T>* m;
  Vec<Ledger::size, T>* e;      // its ledger, if losses are booked
  Vec<D, T> period;             // 0 where the axis is open
  /// What to do about a pack of which other lanes touch now, before its springs move.
  void (*changed)(void* whom, std::uint32_t slice, std::uint32_t pack, unsigned now);
  void* whom;
  Errands* errands;             // to be done meanwhile
};
/// Partners are fetched so many packs ahead.
inline constexpr int packs_ahead = 3;
/// Room for the packs that are under way.
inline constexpr std::size_t desk_bytes = 24 * 1024;

/// The steps of a sweep over a batch, compiled for several instruction sets. Contraction is off and
/// square roots and divisions are exact to the last bit in all of them, so the choice cannot change a
/// result, only its cost.
template <int D, class T>
struct Kernels {
  /// Which of `count` listed pairs from slot `first` on touch (owners in b.owner): i, j, slot, d, reach, dv and
  /// inverse_mass.
  void (*find)(const SweepView<D, T>&, std::uint32_t first, int count, Batch<D, T>&);
  /// Spins, radii and springs of the contacts of a batch.
  void (*fetch)(const SweepView<D, T>&, Batch<D, T>&);
  /// Geometry from what was fetched, then the laws. `need_effective`: some law asks for effective radius or mass.
  void (*evaluate)(Batch<D, T>&, const ContactTable&, const SpringTask<T>&, bool need_effective);
  /// Forces and torques of all contacts; between grains also the sums over rows, the partners' shares and the springs.
  void (*hand_out)(const SweepView<D, T>&, Batch<D, T>&, const HandOut<T>&);
  /// fetch, evaluate and hand_out in one go, for contacts between grains that all have the same laws, in a step that asks
  /// for forces alone. False, and nothing done, if these laws have no such loop; null where there is none at all.
  bool (*press)(const SweepView<D, T>&, Batch<D, T>&, const ContactLaws&, const SpringTask<T>&, const HandOut<T>&, bool need_effective);
  /// The same for contacts that lie in packs of `lanes`, slices first … last-1, with commit; laws must pass fits_packs(). `desk`: room
  /// for desk_bytes, on the border of a line. Returns whether some overlap reaches HandOut::deep. Null where press() is.
  bool (*press_packs)(const PackView<D, T>&, std::uint32_t first, std::uint32_t last, const ContactLaws&, const SpringTask<T>&, const HandOut<T>&,
                      bool need_effective, void* desk);
  bool (*fits_packs)(const ContactLaws&);
  /// Which of the far pairs first … last-1 touch, or have a gap below `width`: their numbers go to `found`, which has room for all.
  /// Returns how many.
  std::uint32_t (*scout)(const PackView<D, T>&, std::uint32_t first, std::uint32_t last, T width, std::uint32_t* found);
  int lanes;
  /// Takes the sums of `rows` rows out of the batch, which is left with zeros: f and m become those of the rows, losses are
  /// added to the ledger e, if there is one.
  void (*close)(Batch<D, T>&, std::size_t rows, Vec<D, T>* f, Spin<D, T>* m, Vec<Ledger::size, T>* e);
  /// Sums of grains first … last-1, in the order of ids.
  void (*gather)(const GatherView<D, T>&, std::size_t first, std::size_t last);
  /// Takes over the positions and velocities of n grains and tells which ways they have come since the last time; infinite
  /// if some position is not a number.
  Ways<D, T> (*record)(const Vec<D, T>* x, const Vec<D, T>* v, const Spin<D, T>* w, GrainRecord<D, T>* to, std::size_t n);
  /// Which ways n grains have come since they were listed, in all and, unless `bin` is null, by bins: a bin's box grows by the ways of its grains.
  Travel<D, T> (*travel)(const GrainRecord<D, T>* grain, const Vec<D, T>* listed, const Vec<D, T>& period, const std::uint32_t* bin, BinOfWays<D, T>* bins, std::size_t n);
  /// gather, both kicks, drift and record in one pass; accelerations are used and not left anywhere. Null where there is no
  /// such loop.
  Gone<D, T> (*go_on)(const GatherView<D, T>&, const GoOn<D, T>&, std::size_t first, std::size_t last);
  /// Is some of n positions not in [lo, hi)?
  bool (*outside)(const Vec<D, T>* x, std::size_t n, const Vec<D, T>& lo, const Vec<D, T>& hi);
};

/// The widest set that the machine has, or the one that SCREE_SIMD=plain|v3|v4 asks for.
template <int D, class T>
const Kernels<D, T>& kernels();

/// Energy of the springs, tangential and rolling, of a contact that has just been lost.
template <int D, class T>
std::pair<T, T> orphaned_energy(const ContactLaws& laws, const Spring<D, T>& zeta, const Spin<D, T>& roll);

/// Energy of the normal law at an overlap.
template <class T>
T stored_energy(const ContactLaws& laws, const Overlap<T>& c);

}  // namespace scree
