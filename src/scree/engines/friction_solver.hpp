// SPDX-License-Identifier: BSD-3-Clause
/// Friction of all contacts at once, in the plane: the tangential law `constraint`.
///
/// Forces without the unknown friction, acting for a step h, would bring the slip velocities of the contacts to u*.
/// The friction of contact c is an impulse p_c along its tangent t_c, |p_c| ≤ h μ N_c. With H the matrix that
/// takes impulses at contacts to grains, the slip at the end of the step is
///
///     u = u* + W p,   W = Hᵀ M⁻¹ H,
///
/// and each contact either sticks or slides against its friction at the limit:
///
///     |p_c| < h μ N_c  =>  u_c = 0,     p_c = ∓ h μ N_c  =>  u_c ≷ 0.
///
/// The normal forces are given, so these are the conditions for the least of ½ pᵀ W p + u*ᵀ p within
/// the limits: a convex problem, whose slip velocities are unique although the impulses need not be (a grain
/// wedged between two others may carry friction that cancels). Gauss and Seidel's sweep, one contact at a
/// time, p_c ← cut(p_c - ω u_c/W_cc) with 0 < ω < 2, lowers that function until nothing changes and so finds it. It
/// starts from the friction of the last step: among the many solutions that of a heap at rest stays what it was, and
/// few sweeps do.
///
/// They are many where a large heap of grains that cannot turn holds together (thousands for 1600 polygons: what one contact
/// knows travels one grain a sweep). When the last sweeps promise that, Newton's method steps in: for the contacts that are within
/// their limits W p = -u is solved by conjugate gradients with sparse factors of W (sticking_factors.hpp); the way there is bent at the limits and followed
/// to where the function is lowest, and if limits were met, the contacts that are left within theirs are solved for again. Then sweeps go on,
/// which also let go of limits, and decide whether all is well by the same measure as ever. Every part lowers the function, so the whole
/// converges as the sweeps do (projected Gauss-Seidel with subspace minimization: Silcowitz, Niebe and Erleben, The Visual Computer 26,
/// 893 (2010)).
///
/// This is the nonlinear Gauss-Seidel method of Moreau and Jean's contact dynamics (Jean, Comput. Methods
/// Appl. Mech. Eng. 177, 235 (1999)) with the normal part taken out: there, normal impulses are unknowns as well.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/core/column.hpp"
#include "scree/core/vec.hpp"
#include "scree/engines/sticking_factors.hpp"

namespace scree {

/// One contact, as the solver sees it.
template <class T> struct RubbingContact {
  std::uint64_t key = 0;  // the ids of its ends: contacts are worked off in this order, whatever threads and lists do
  std::uint32_t i = 0, j = 0, slot = 0;
  bool wall = false;  // j is no grain
  Vec2<T> t{};        // friction of force f pushes i by f t, j by -f t
  T arm_i{}, arm_j{};  // r × t at either end: torques per force
  T slip{};            // t·(v_i - v_j) now, walls and all
  T limit{};           // μ N
  T force{};           // in: part of the accelerations already; out: the answer
  T began{};           // friction at the start of solve()
  T work{};            // what the friction takes from the grains in the step, over h: -force × mean slip
};

struct FrictionSettings {
  double tolerance = 1e-9;  // of the slip that is left where a contact should stick, see FrictionEffort
  int sweeps = 1000;
  bool newton = true;  // false: sweeps alone
};

/// How hard it was.
struct FrictionEffort {
  int sweeps = 0;
  int newton = 0;       // steps of Newton's method between the sweeps
  double residual = 0;  // largest correction p_c W_cc of the last sweep, over the largest h μ N_c W_cc
  bool converged = true;
};

template <class T> class FrictionSolver {
 public:
  /// Solves for a step h and corrects the accelerations `a`, `alpha` by what the friction has changed. The
  /// contacts are left in the order of their keys.
  FrictionEffort solve(std::vector<RubbingContact<T>>& contacts, const T& h, const Column<T>& inverse_mass,
                       const Column<T>& inverse_inertia, const FrictionSettings& settings, Column<Vec2<T>>& a,
                       Column<Vec<1, T>>& alpha);

 private:
  using Contacts = std::vector<RubbingContact<T>>;
  struct Row {
    T free, inverse, most;  // u* with the first guess, 1/W_cc, h μ N
    T p;
  };
  /// Changes of velocity and spin of the grains.
  struct Motion {
    std::vector<Vec2<T>> v;
    std::vector<T> w;
    void clear(std::size_t grains) {
      v.assign(grains, {});
      w.assign(grains, T(0));
    }
  };
  struct Masses {
    const Column<T>&inverse, &inverse_inertia;
  };

  T first_rows(Contacts& contacts, const T& h, const Masses& m, const Column<Vec2<T>>& a, const Column<Vec<1, T>>& alpha);
  T sweep(const Contacts& contacts, const Masses& m);
  bool newton(const Contacts& contacts, const Masses& m, const T& enough);
  T fall_along(const Contacts& contacts, const Masses& m, const T& part);
  void solve_sticking(const Contacts& contacts, const Masses& m, const T& enough);
  bool factor(const Contacts& contacts, const Masses& m);
  void precondition(const std::vector<T>& r, std::vector<T>& z);
  static void push(const RubbingContact<T>& c, const T& by, const Masses& m, Motion& motion);
  static T slip(const RubbingContact<T>& c, const Motion& motion, const T& before = T(0));

  std::vector<Row> rows_;
  Motion so_far_;
  // of Newton's method: contacts that stick, by their places, and what belongs to each
  std::vector<std::uint32_t> sticking_;
  std::vector<T> start_, step_, left_, ready_, along_, answer_;  // -u, x, r, z, d, W d
  std::vector<StickingFactors::Contact> ends_;
  std::vector<double> rounded_;
  Motion trial_;
  StickingFactors factors_;
};

}  // namespace scree
