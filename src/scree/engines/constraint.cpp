// SPDX-License-Identifier: BSD-3-Clause
/// The engine's side of friction as a constraint (laws/tangential/constraint.hpp): the sweep collects the contacts,
/// with the friction of the last step as a first guess; when all other forces are known, the solver finds the
/// friction of this step, the accelerations are corrected by the difference and the answers become the springs.
#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {

/// One contact of the sweep. `ri` and `rj` lead from the centres to it, `slip` is the velocity of i along
/// t = (n_y, -n_x) as j sees it.
template <int D, class T>
void Engine<D, T>::note_rubbing(Worker& worker, const ContactLaws& laws, std::size_t i, std::size_t j, bool wall,
                                std::size_t slot, const Vec<D, T>& n, const Vec<D, T>& ri, const Vec<D, T>& rj,
                                const T& slip, const T& normal, const T& force) {
  if constexpr (D == 2) {
    const auto* law = std::get_if<ConstraintFriction>(&laws.tangential);
    if (!law) return;
    RubbingContact<T> c;
    const std::uint32_t other = wall ? 0xFFFFFFFFU - static_cast<std::uint32_t>(j) : world_.grains.id[j];
    c.key = static_cast<std::uint64_t>(world_.grains.id[i]) << 32 | other;
    c.i = static_cast<std::uint32_t>(i);
    c.j = static_cast<std::uint32_t>(j);
    c.slot = static_cast<std::uint32_t>(slot);
    c.wall = wall;
    c.t = {n[1], -n[0]};
    c.arm_i = cross(ri, c.t)[0];
    c.arm_j = cross(rj, c.t)[0];
    c.slip = slip;
    c.limit = T(law->mu) * (normal < T(0) ? -normal : normal);
    c.force = force;
    worker.rubbing.push_back(c);
  }
}

/// After the gathering: friction that, acting for a whole step, leaves each contact sticking or sliding at its limit.
template <int D, class T>
void Engine<D, T>::solve_friction(State<D, T>& s, Accelerations<D, T>& out) {
  if constexpr (D == 2) {
    rubbing_.clear();
    for (const auto& worker : workers_) rubbing_.insert(rubbing_.end(), worker->rubbing.begin(), worker->rubbing.end());
    const FrictionEffort effort =
        friction_solver_.solve(rubbing_, run_step, inverse_mass_, inverse_inertia_, friction_settings_, out.a, out.alpha);
    ++friction_effort.solves;
    friction_effort.sweeps += effort.sweeps;
    friction_effort.newton += effort.newton;
    friction_effort.most = std::max(friction_effort.most, effort.sweeps);
    if (!effort.converged) {
      ++friction_effort.unfinished;
      friction_effort.worst = std::max(friction_effort.worst, effort.residual);
    }
    for (const RubbingContact<T>& c : rubbing_) {
      s.zeta[c.slot] = {-c.force};
      s.e[c.i][Ledger::tangential] += c.work * run_step;
      // The sweep has booked what moving walls, held grains and sheared borders do against the first guess.
      const T more = (c.force - c.began) * run_step;
      if (!moving_ && !tilt_.on) continue;
      const T vi = dot(c.t, s.v[c.i]) + c.arm_i * s.w[c.i][0];
      const T vj = c.wall ? T(0) : dot(c.t, s.v[c.j]) + c.arm_j * s.w[c.j][0];
      s.e[c.i][Ledger::work] += more * (vi - vj - c.slip);
      if (world_.grains.held[c.i]) s.e[c.i][Ledger::work] -= more * vi;
      if (!c.wall && world_.grains.held[c.j]) s.e[c.j][Ledger::work] += more * vj;
    }
  }
}

#define SCREE_INSTANTIATE(D, T)                                                                                        \
  template void Engine<D, T>::note_rubbing(Worker&, const ContactLaws&, std::size_t, std::size_t, bool, std::size_t,   \
                                           const Vec<D, T>&, const Vec<D, T>&, const Vec<D, T>&, const T&, const T&,   \
                                           const T&);                                                                  \
  template void Engine<D, T>::solve_friction(State<D, T>&, Accelerations<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
