// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <tuple>

#include "scree/core/fields.hpp"
#include "scree/core/vec.hpp"

namespace scree {

/// What the contacts of a grain add up to for a law of rotational damping, each weighted by its elastic normal
/// force F. `relative` is (r × v_T)/|r|², the spin of the grain as its partner sees it.
template <int D, class T>
struct Turning {
  Spin<D, T> torque{};    // Σ T_j F_j, eq. 5; of couples Σ M
  Spin<D, T> relative{};  // Σ (r_j × v_T,j)/|r_j|² F_j
  Spin<D, T> elastic{};   // Σ r_j × (F_N n + F_T t), eqs 8 and 9
  T weight{};             // Σ F_j
  T count{};              // n_i
  Turning& operator+=(const Turning& o) {
    torque += o.torque;
    relative += o.relative;
    elastic += o.elastic;
    weight += o.weight;
    count += o.count;
    return *this;
  }
};

/// Damping of the spin against the surrounding matrix.
///
///     T_j = -gamma sqrt(I Y) |r × v_T|/|r| w/|w|
///
/// w is the spin relative to the partner's. Both grains of a contact take the mean of their two magnitudes, each
/// against its own relative spin (eqs 1 to 4); a grain takes n times the mean of its contacts weighted by their elastic
/// normal forces (5, 6), cut off where it would do more than stop the grain in its matrix within a step (7 to 12). Read as
/// a torque: the printed eq. 1 has a length too many. The spin of the matrix at a contact is that with which the
/// grain would not slip there, so that w - w0 in eq. 7 is the mean of the (r × v_T)/|r|² of eq. 11.
/// Krengel and Matuttis (seed 001), eqs 1 to 13.
struct MatrixDamping {
  static constexpr std::string_view name = "matrix-damping";
  double gamma = 0;
  double Y = 0;

  static constexpr auto fields() {
    return std::tuple{field<&MatrixDamping::gamma>("gamma", "", non_negative, "damping"),
                      field<&MatrixDamping::Y>("Y", "N/m", positive, "stiffness; as the normal law's if that has it")};
  }
  /// The direction of the torque of a contact: `turn` is r × v_T, `spin` the relative spin.
  template <class S> static S against(const S& /*turn*/, const S& spin) { return -spin; }
  /// What may be compensated (eq. 7): the elastic torque, and the spin left over against the matrix.
  template <int D, class T>
  static Spin<D, T> to_stop(const Turning<D, T>& sum, const Spin<D, T>&, const T& inertia, const T& step) {
    return sum.elastic + sum.relative * (inertia / (step * sum.weight));
  }
};

/// The same with the sign of r × v_T and with eqs 7, 10 and 11 to the letter: the matrix is said to turn with the mean of
/// the relative spins.
///
///     T_j = -gamma sqrt(I Y) (r × v_T)/|r|
struct MatrixDampingAsPrinted {
  static constexpr std::string_view name = "matrix-damping-as-printed";
  double gamma = 0;
  double Y = 0;

  static constexpr auto fields() {
    return std::tuple{field<&MatrixDampingAsPrinted::gamma>("gamma", "", non_negative, "damping"),
                      field<&MatrixDampingAsPrinted::Y>("Y", "N/m", positive, "stiffness; as the normal law's if that has it")};
  }
  template <class S> static S against(const S& turn, const S& /*spin*/) { return -turn; }
  template <int D, class T>
  static Spin<D, T> to_stop(const Turning<D, T>& sum, const Spin<D, T>& w, const T& inertia, const T& step) {
    return sum.elastic + (w - sum.relative * (T(1) / sum.weight)) * (inertia / step);
  }
};

}  // namespace scree
