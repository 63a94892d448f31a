// SPDX-License-Identifier: BSD-3-Clause
/// A batch: some hundred touching contacts as a structure of arrays that stays in the first-level
/// cache. The sweep collects touching pairs into it, the laws run over it one after the other in
/// loops without calls or branches (which the compiler turns into SIMD), and the sweep hands the
/// answers out again in the order in which the contacts came in.
///
/// A law is therefore instantiated once per number type and dimension, never per combination, and
/// the run-time choice of law costs one indirect call per batch.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "scree/core/vec.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

inline constexpr int batch_size = 128;

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

  int n = 0;
  std::array<std::uint32_t, batch_size> i, j;   // storage indices; j of a wall contact: the wall's index
  std::array<std::uint32_t, batch_size> slot;
  std::array<std::uint16_t, batch_size> laws;   // index into the contact table
  std::array<bool, batch_size> wall;
  std::array<int, batch_size> walls_at;         // positions of wall contacts in the batch
  int walls = 0;

  // in: what the grains bring
  alignas(64) Lanes<D, T> d;        // x_j - x_i
  alignas(64) Lanes<D, T> dv;       // v_i - v_j
  alignas(64) Lanes<A, T> wi, wj;
  alignas(64) Lane reach;        // r_i + r_j
  alignas(64) Lane ri, rj, inverse_mass;  // 1/m_i + 1/m_j, 0 for what is held
  alignas(64) Lane wall_distance;

  // geometry
  alignas(64) Lanes<D, T> n_;       // unit normal from i to j
  alignas(64) Lane distance, xi, rate, li, lj, r_eff, m_eff;
  alignas(64) Lane k_scale, g_scale;  // of coefficients derived from the pair
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

  template <int N>
  static Vec<N, T> get(const Lanes<N, T>& lanes, int c) {
    Vec<N, T> v;
    for (int k = 0; k < N; ++k) v[k] = lanes.lane[k][c];
    return v;
  }
  template <int N>
  static void set(Lanes<N, T>& lanes, int c, const Vec<N, T>& v) {
    for (int k = 0; k < N; ++k) lanes.lane[k][c] = v[k];
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

/// Geometry of all contacts of the batch from positions, velocities and spins, then the laws of each.
/// `need_effective`: some law asks for effective radius or mass.
template <int D, class T>
void evaluate_batch(Batch<D, T>& b, const ContactTable& table, const SpringTask<T>& task, bool need_effective);

/// Energy of the springs, tangential and rolling, of a contact that has just been lost.
template <int D, class T>
std::pair<T, T> orphaned_energy(const ContactLaws& laws, const Spring<D, T>& zeta, const Spin<D, T>& roll);

/// Energy of the normal law at an overlap.
template <class T>
T stored_energy(const ContactLaws& laws, const Overlap<T>& c);

}  // namespace scree
