// SPDX-License-Identifier: BSD-3-Clause
/// Bonds over a whole step, such that energy cannot grow: instead of the forces at the two ends of a step,
///
///     F = -(ΔU/ΔD + γ Δf/h) n̄,   n̄·Δr = -ΔD,
///
/// with D the overlap, U its energy, f = U' and Δ the change over the step. The work of such a force, F·Δr, is
/// -ΔU - (γ/h) Δf ΔD up to rounding, and Δf ΔD ≥ 0 because f grows with D: with X⁺ - X = h/2 (v⁺ + v) the energy
/// changes by -(γ/h) Σ Δf ΔD ≤ 0, whatever h, γ, masses, exponents and dimension are. (The discrete gradient of LaBudde
/// and Greenspan, Numer. Math. 25, 323, 1976, and Gonzalez, J. Nonlinear Sci. 6, 449, 1996, with a dashpot of its kind.)
///
/// Between grains r̄ = (r + r⁺)/2 gives n̄ = 2 r̄/(|r| + |r⁺|), which keeps angular momentum too; of walls that are flat,
/// or round about a centre, n̄ = (n + n⁺)/(1 + n·n⁺).
#pragma once

#include <cmath>
#include <vector>

#include "scree/integrators/bonds_over_step.hpp"

namespace scree {

template <int D, class T>
class MeanBonds {
 public:
  /// Puts into the list of a trial, in place of its bonds, those of the whole step: twice their mean force, as if all
  /// of it acted at the end of the step, and what it changes by with the positions there.
  void mean(const StepEnds<D, T>& ends, const BondsOverStep<D, T>& over, Bonds<D, T>& trial) {
    out_.clear();
    over.each(ends, trial, [&](const Bond<D, T>& a, const Bond<D, T>& b, const Bond<D, T>& touching, const T&) {
      add(a, b, touching, ends.h);
    });
    trial.list.swap(out_);
  }

 private:
  /// From bond a at the beginning to b at the end; `touching` is one of them that touches.
  void add(const Bond<D, T>& a, const Bond<D, T>& b, const Bond<D, T>& touching, const T& h) {
    const T change = b.overlap - a.overlap, f0 = -dot(a.force, a.normal), f1 = -dot(b.force, b.normal);
    T f, slope;  // ΔU/ΔD, and its derivative by D at the end
    // Where D has hardly changed, the difference of energies has few digits left; the corrected trapezoidal rule differs
    // from it by less than that (f''''/720 ΔD⁴).
    const T little = a.overlap * T(is_dd<T> ? 1e-7 : 5e-4);
    if (a.overlap > T(0) && b.overlap > T(0) && change < little && -change < little) {
      f = (f0 + f1) * T(0.5) - change * (b.slope - a.slope) / T(12);
      slope = b.slope * T(0.5) - (b.slope - a.slope) / T(6);
    } else if (change == T(0)) {
      return;
    } else {
      f = (b.stored - a.stored) / change;
      slope = (f1 - f) / change;
    }
    const T damping = touching.gamma / h;
    f += damping * (f1 - f0);
    slope += damping * b.slope;
    Bond<D, T> bond;
    bond.i = touching.i;
    bond.j = touching.j;
    bond.wall = touching.wall;
    bond.distance = touching.distance;
    // A trial that leaps through a wall, to where n⁺ = -n, has no mean: it is infinite, and the step is refused.
    const Vec<D, T> n = bond.j != Bond<D, T>::nobody
                            ? (a.normal * a.distance + b.normal * b.distance) * (T(1) / (a.distance + b.distance))
                            : (a.normal + b.normal) * (T(1) / (T(1) + dot(a.normal, b.normal)));
    bond.force = n * (f * T(-2));
    bond.slope = slope * T(2);
    // -∂force/∂x_i = 2 (slope n̄ n⁺ᵀ + f ∂n̄/∂x_i), of which the symmetric part is kept, with half of ∂n/∂x_i as it is where
    // the bond touches. On a line that is exact; elsewhere it is off by as much as the normal turns in a step.
    const Vec<D, double> mean = convert<double>(n), end = convert<double>(b.normal), at = convert<double>(touching.normal);
    const double pushed = static_cast<double>(-dot(touching.force, touching.normal));
    const double turns = pushed > 0 ? static_cast<double>(f) / pushed : 0;
    for (int p = 0; p < D; ++p)
      for (int q = 0; q < D; ++q) {
        const auto k = static_cast<std::size_t>(p * D + q);
        const double turning = touching.stiffness[k] - static_cast<double>(touching.slope) * at[p] * at[q];
        bond.stiffness[k] = static_cast<double>(slope) * (mean[p] * end[q] + end[p] * mean[q]) + turns * turning;
      }
    out_.push_back(bond);
  }

  std::vector<Bond<D, T>> out_;
};

}  // namespace scree
