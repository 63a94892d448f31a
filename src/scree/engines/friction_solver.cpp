// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/friction_solver.hpp"

#include <algorithm>

#include "scree/core/reals.hpp"

namespace scree {

template <class T>
FrictionEffort FrictionSolver<T>::solve(std::vector<RubbingContact<T>>& contacts, const T& h,
                                        const Column<T>& inverse_mass, const Column<T>& inverse_inertia,
                                        const FrictionSettings& settings, Column<Vec2<T>>& a,
                                        Column<Vec<1, T>>& alpha) {
  std::sort(contacts.begin(), contacts.end(), [](const auto& c, const auto& d) { return c.key < d.key; });
  // Between 0 and 2 any factor converges. In a packing of disks 1.3 takes 30 sweeps where 1 takes 44 and 1.5
  // takes 40; sweeping to and fro takes twice as many.
  const T zero(0), relaxation = T(13) / 10;
  rows_.resize(contacts.size());
  T largest{};  // change of slip that a limit can make
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    RubbingContact<T>& c = contacts[k];
    c.began = c.force;
    T weight = inverse_mass[c.i] + c.arm_i * c.arm_i * inverse_inertia[c.i];
    T free = dot(c.t, a[c.i]) + c.arm_i * alpha[c.i][0];
    if (!c.wall) {
      weight += inverse_mass[c.j] + c.arm_j * c.arm_j * inverse_inertia[c.j];
      free -= dot(c.t, a[c.j]) + c.arm_j * alpha[c.j][0];
    }
    Row& row = rows_[k];
    row.free = c.slip + free * h;
    row.inverse = weight > zero ? T(1) / weight : zero;  // two held grains rub for nothing
    row.most = c.limit * h;
    row.p = c.force * h;
    const T change = row.most * weight;
    largest = change > largest ? change : largest;
  }
  dv_.assign(a.size(), {});
  dw_.assign(a.size(), zero);

  const auto slip = [&](const RubbingContact<T>& c, const Row& row) {
    T u = row.free + dot(c.t, dv_[c.i]) + c.arm_i * dw_[c.i];
    if (!c.wall) u -= dot(c.t, dv_[c.j]) + c.arm_j * dw_[c.j];
    return u;
  };
  FrictionEffort effort;
  effort.converged = contacts.empty() || !(largest > zero);
  const T enough = largest * T(settings.tolerance);
  T worst{};
  const auto relax = [&](std::size_t k) {
    const RubbingContact<T>& c = contacts[k];
    Row& row = rows_[k];
    T p = row.p - slip(c, row) * row.inverse * relaxation;
    p = p > row.most ? row.most : p < -row.most ? -row.most : p;
    const T by = p - row.p;
    if (by == zero) return;
    row.p = p;
    dv_[c.i] += c.t * (by * inverse_mass[c.i]);
    dw_[c.i] += by * c.arm_i * inverse_inertia[c.i];
    if (!c.wall) {
      dv_[c.j] -= c.t * (by * inverse_mass[c.j]);
      dw_[c.j] -= by * c.arm_j * inverse_inertia[c.j];
    }
    const T moved = (by < zero ? -by : by) / row.inverse;
    worst = moved > worst ? moved : worst;
  };
  while (!effort.converged && effort.sweeps < settings.sweeps) {
    worst = zero;
    for (std::size_t k = 0; k < contacts.size(); ++k) relax(k);
    ++effort.sweeps;
    effort.converged = !(worst > enough);
  }
  if (largest > zero) effort.residual = static_cast<double>(worst / largest);

  const T per_step = T(1) / h;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    RubbingContact<T>& c = contacts[k];
    c.force = rows_[k].p * per_step;
    c.work = -(c.force * (c.slip + slip(c, rows_[k])) * T(0.5));
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] += dv_[i] * per_step;
    alpha[i][0] += dw_[i] * per_step;
  }
  return effort;
}

template class FrictionSolver<double>;
template class FrictionSolver<dd>;

}  // namespace scree
