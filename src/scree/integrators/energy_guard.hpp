// SPDX-License-Identifier: BSD-3-Clause
/// Energy that a step has gained is taken out of it again.
///
/// Grains that touch each other in a step, at its beginning or its end, make up a cluster. Its gain is what its kinetic
/// and elastic energy have grown by beyond the work of the forces that act besides (by the trapezoidal rule, which for
/// gravity and attachments is the change of their energy). Where it is above rounding, velocities are changed by
///
///     m δv = -s Σ_b p_b n_b
///
/// opposite impulses along the normals of the cluster's bonds, where p are those of a perfectly plastic impact, after which
/// no two partners have a relative velocity along their normal. δv is then -s times the part of v that such impulses can
/// change at all: of all changes by impulses along bonds that take out this much energy it is the one of least kinetic
/// energy, ½ m |δv|². What bonds cannot change is left alone: momentum, angular momentum, sliding. s is the smaller root of
///
///     gain - s A + s²/2 C = 0,   A = Σ m v·(plastic change),   C = Σ m (plastic change)²
///
/// so that the cluster ends with the energy it began with. Where all relative motion is not worth the gain (A² < 2 gain C),
/// or a grain has gained that touches nothing (any more: by what is left of a normal's turning), nothing is changed, and the
/// caller has to take the step in another way.
///
/// Left out: clusters without any dashpot, where the energy of the trapezoidal rule swings and what it gains it has lost
/// before; and those at walls or held grains that move, come or go, which bring in energy.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "scree/integrators/bond_solver.hpp"
#include "scree/integrators/bonds_over_step.hpp"

namespace scree {

template <int D, class T>
class EnergyGuard {
 public:
  enum class Verdict { nothing, mended, beyond };

  /// The bonds at the beginning of a step.
  void start(const Bonds<D, T>& bonds) { body_ = bonds.body; }

  /// At the end of a step that took the grains from x0, v0 to the places and velocities of s: `now` are the bonds there.
  /// `kicked`: by rank, grains that were given more than the forces of bonds. `extent`: largest number among the places, which
  /// is what overlaps are differences of. `taken` grows by the gains.
  Verdict hold(const StepEnds<D, T>& ends, const BondsOverStep<D, T>& over, const Column<Vec<D, T>>& v0, const Bonds<D, T>& now,
               const std::vector<std::uint8_t>& kicked, double extent, Column<Vec<D, T>>& v, T& taken) {
    gather(ends, over, now, extent);
    for (std::size_t k = 0; k < kicked.size(); ++k) bonded_[k] |= kicked[k];
    const Verdict found = add_up(ends, v0, now, v);
    if (found != Verdict::mended) return found;
    if (!impulses(now, v)) return Verdict::beyond;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Cluster& c = clusters_[root(static_cast<std::uint32_t>(k))];
      if (!c.gains || !(now.mass[k] > T(0))) continue;
      v[now.place[k]] += push_[k] * (c.share / now.mass[k]);
    }
    for (const Cluster& c : clusters_)
      if (c.gains) taken += c.gain;
    return Verdict::mended;
  }

 private:
  static constexpr std::uint32_t nobody = Bond<D, T>::nobody;
  struct Pair {
    std::uint32_t i, j;  // j: nobody, or held, too
    Vec<D, T> normal;    // at the end of the step
    T stored;            // gained
    double noise;        // J, that may be rounding
  };
  /// By the rank of its first grain.
  struct Cluster {
    T gain{};
    double noise = 0;
    bool bound = false, damped = false, driven = false, gains = false;
    T power{}, square{}, share{};  // A, C, s
  };

  std::uint32_t root(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }

  /// Pairs, and who is in one cluster.
  void gather(const StepEnds<D, T>& ends, const BondsOverStep<D, T>& over, const Bonds<D, T>& now, double extent) {
    const std::size_t n = now.place.size();
    parent_.resize(n);
    for (std::size_t k = 0; k < n; ++k) parent_[k] = static_cast<std::uint32_t>(k);
    bonded_.assign(n, 0);
    clusters_.assign(n, {});
    pairs_.clear();
    const double digits = 4 * eps * extent;
    const auto held = [&](std::uint32_t k) { return k == nobody || !(now.mass[k] > T(0)); };
    over.each(ends, now, [&](const Bond<D, T>& a, const Bond<D, T>& b, const Bond<D, T>& touching, const T& hidden) {
      std::uint32_t i = touching.i, j = touching.j;
      if (held(i) && held(j)) return;
      const bool driven = static_cast<double>(hidden) > digits || moves(ends, now, touching);
      Vec<D, T> normal = b.normal;
      if (held(i)) std::swap(i, j), normal = -normal;
      if (!held(j)) unite(i, j);
      else j = nobody;
      bonded_[i] = 1;
      if (j != nobody) bonded_[j] = 1;
      const double push = std::fmax(std::fabs(static_cast<double>(dot(a.force, a.normal))), std::fabs(static_cast<double>(dot(b.force, b.normal))));
      pairs_.push_back({i, j, normal, b.stored - a.stored, digits * push + 64 * eps * static_cast<double>(a.stored + b.stored)});
      // A cluster's flags are collected at any of its grains.
      clusters_[i].driven |= driven;
      clusters_[i].damped |= touching.gamma > T(0);
    });
  }
  void unite(std::uint32_t i, std::uint32_t j) {
    i = root(i), j = root(j);
    if (i < j) parent_[j] = i;
    else parent_[i] = j;
  }
  /// Does a wall, or a held grain, move within the step?
  static bool moves(const StepEnds<D, T>& ends, const Bonds<D, T>& now, const Bond<D, T>& b) {
    if (b.j == nobody) {
      const Vec<D, T>& x = ends.s.x[now.place[b.i]];
      const auto before = ends.system.wall_place(ends.t, b.wall, b.i, x), after = ends.system.wall_place(ends.t + ends.h, b.wall, b.i, x);
      return before.overlap != after.overlap || before.normal != after.normal;
    }
    for (const std::uint32_t k : {b.i, b.j})
      if (!(now.mass[k] > T(0)) && ends.s.x[now.place[k]] != ends.x0[now.place[k]]) return true;
    return false;
  }

  /// Gains of clusters: none above rounding, some, or some of a grain alone.
  Verdict add_up(const StepEnds<D, T>& ends, const Column<Vec<D, T>>& v0, const Bonds<D, T>& now, const Column<Vec<D, T>>& v) {
    for (const Pair& p : pairs_) {
      Cluster& c = clusters_[root(p.i)];
      c.gain += p.stored;
      c.noise += p.noise;
      c.bound = true;
    }
    for (std::size_t k = 0; k < bonded_.size(); ++k) {
      if (!bonded_[k]) continue;
      const std::size_t i = now.place[k];
      Cluster& c = clusters_[root(static_cast<std::uint32_t>(k))];
      const T half = now.mass[k] * T(0.5);
      const T work = dot(body_[k] + now.body[k], ends.s.x[i] - ends.x0[i]) * T(0.5);
      c.gain += half * dot(v[i] - v0[i], v[i] + v0[i]) - work;
      c.noise += 64 * eps * (static_cast<double>(half * (norm2(v[i]) + norm2(v0[i]))) + std::fabs(static_cast<double>(work)));
      c.damped |= clusters_[k].damped;
      c.driven |= clusters_[k].driven;
    }
    Verdict found = Verdict::nothing;
    for (Cluster& c : clusters_) {
      c.gains = (c.damped || !c.bound) && !c.driven && static_cast<double>(c.gain) > c.noise;
      if (c.gains && !c.bound) return Verdict::beyond;
      if (c.gains) found = Verdict::mended;
    }
    return found;
  }

  /// Those of a plastic impact, and the shares of them; false where they are not worth the gain.
  bool impulses(const Bonds<D, T>& now, const Column<Vec<D, T>>& v) {
    const std::size_t n = now.place.size();
    diagonal_.assign(n, 0);  // 0: held, which leaves it out
    plastic_.assign(n, {});
    for (std::size_t k = 0; k < n; ++k) {
      if (!bonded_[k] || !clusters_[root(static_cast<std::uint32_t>(k))].gains) continue;
      diagonal_[k] = static_cast<double>(now.mass[k]);
      plastic_[k] = convert<double>(v[now.place[k]]) * diagonal_[k];
    }
    // A dashpot of `stiff` times a mass, for one implicit step: the plastic impact up to 1/stiff.
    constexpr double stiff = 1e8;
    const auto mass = [&](std::uint32_t k) { return k == nobody ? 0.0 : diagonal_[k]; };
    links_.clear();
    used_.clear();
    for (const Pair& p : pairs_) {
      if (!clusters_[root(p.i)].gains) continue;
      const double by = stiff * std::fmax(mass(p.i), mass(p.j));
      const Vec<D, double> normal = convert<double>(p.normal);
      typename BondSolver<D>::Link link{p.i, p.j, {}};
      for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) link.k[static_cast<std::size_t>(a * D + b)] = by * normal[a] * normal[b];
      links_.push_back(link);
      used_.push_back(&p);
    }
    if (!solver_.solve(diagonal_, links_, plastic_)) return false;
    push_.assign(n, {});
    for (std::size_t q = 0; q < used_.size(); ++q) {
      const Pair& p = *used_[q];
      const bool two = p.j != nobody;
      const Vec<D, double> apart = two ? plastic_[p.i] - plastic_[p.j] : plastic_[p.i];
      const T size = T(stiff * std::fmax(mass(p.i), mass(p.j)) * dot(convert<double>(p.normal), apart));
      push_[p.i] -= p.normal * size;
      if (two) push_[p.j] += p.normal * size;
      const Vec<D, T> closing = two ? v[now.place[p.i]] - v[now.place[p.j]] : v[now.place[p.i]];
      clusters_[root(p.i)].power += dot(closing, p.normal) * size;
    }
    for (std::size_t k = 0; k < n; ++k)
      if (diagonal_[k] > 0) clusters_[root(static_cast<std::uint32_t>(k))].square += norm2(push_[k]) / now.mass[k];
    for (Cluster& c : clusters_) {
      if (!c.gains) continue;
      const T square = c.power * c.power - c.gain * c.square * T(2);
      if (!(c.power > T(0)) || !(square >= T(0))) return false;
      c.share = c.gain * T(2) / (c.power + sqrt(square));
    }
    return true;
  }

  static constexpr double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  Column<Vec<D, T>> body_;  // by rank, at the beginning
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> bonded_;
  std::vector<Pair> pairs_;
  std::vector<const Pair*> used_;
  std::vector<Cluster> clusters_;
  std::vector<double> diagonal_;
  std::vector<Vec<D, double>> plastic_;
  std::vector<Vec<D, T>> push_;
  std::vector<typename BondSolver<D>::Link> links_;
  BondSolver<D> solver_;
};

}  // namespace scree
