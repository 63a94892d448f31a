// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/friction_solver.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/reals.hpp"

namespace scree {
namespace {

template <class T> T size_of(const T& x) { return x < T(0) ? -x : x; }
template <class T> T cut(const T& x, const T& most) { return x > most ? most : x < -most ? -most : x; }

/// After every so many sweeps it is asked how many more the last ones promise. Newton's step costs as much as some 60.
constexpr int asked_every = 10;
constexpr double too_many = 60;

bool promises_too_many(double before, double now, double enough) {
  if (!(now < before)) return true;
  return asked_every * std::log(enough / now) / std::log(now / before) > too_many;
}

}  // namespace

template <class T>
void FrictionSolver<T>::push(const RubbingContact<T>& c, const T& by, const Masses& m, Motion& motion) {
  motion.v[c.i] += c.t * (by * m.inverse[c.i]);
  motion.w[c.i] += by * c.arm_i * m.inverse_inertia[c.i];
  if (c.wall) return;
  motion.v[c.j] -= c.t * (by * m.inverse[c.j]);
  motion.w[c.j] -= by * c.arm_j * m.inverse_inertia[c.j];
}

template <class T> T FrictionSolver<T>::slip(const RubbingContact<T>& c, const Motion& motion, const T& before) {
  T u = before + dot(c.t, motion.v[c.i]) + c.arm_i * motion.w[c.i];
  if (!c.wall) u -= dot(c.t, motion.v[c.j]) + c.arm_j * motion.w[c.j];
  return u;
}

/// Fills rows_; the largest change of slip that a limit can make.
template <class T>
T FrictionSolver<T>::first_rows(Contacts& contacts, const T& h, const Masses& m, const Column<Vec2<T>>& a,
                                const Column<Vec<1, T>>& alpha) {
  const T zero(0);
  rows_.resize(contacts.size());
  T largest{};
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    RubbingContact<T>& c = contacts[k];
    c.began = c.force;
    T weight = m.inverse[c.i] + c.arm_i * c.arm_i * m.inverse_inertia[c.i];
    T free = dot(c.t, a[c.i]) + c.arm_i * alpha[c.i][0];
    if (!c.wall) {
      weight += m.inverse[c.j] + c.arm_j * c.arm_j * m.inverse_inertia[c.j];
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
  return largest;
}

/// Once over all contacts; the largest change of slip.
template <class T> T FrictionSolver<T>::sweep(const Contacts& contacts, const Masses& m) {
  // Between 0 and 2 any factor converges. In a packing of disks 1.3 takes 30 sweeps where 1 takes 44 and 1.5
  // takes 40; sweeping to and fro takes twice as many.
  const T zero(0), relaxation = T(13) / 10;
  T worst{};
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const RubbingContact<T>& c = contacts[k];
    Row& row = rows_[k];
    const T p = cut(row.p - slip(c, so_far_, row.free) * row.inverse * relaxation, row.most);
    const T by = p - row.p;
    if (by == zero) continue;
    row.p = p;
    push(c, by, m, so_far_);
    const T moved = size_of(by) / row.inverse;
    worst = moved > worst ? moved : worst;
  }
  return worst;
}

template <class T> bool FrictionSolver<T>::factor(const Contacts& contacts, const Masses& m) {
  const auto end_of = [&](std::uint32_t grain, const Vec2<T>& t, const T& arm, double sign) -> StickingFactors::End {
    const double root = sign * std::sqrt(static_cast<double>(m.inverse[grain]));
    if (root == 0) return {StickingFactors::nobody, 0, 0, 0};
    return {grain, static_cast<double>(t[0]) * root, static_cast<double>(t[1]) * root,
            sign * static_cast<double>(arm) * std::sqrt(static_cast<double>(m.inverse_inertia[grain]))};
  };
  ends_.clear();
  for (const std::uint32_t k : sticking_) {
    const RubbingContact<T>& c = contacts[k];
    const StickingFactors::End none{StickingFactors::nobody, 0, 0, 0};
    ends_.push_back({end_of(c.i, c.t, c.arm_i, 1), c.wall ? none : end_of(c.j, c.t, c.arm_j, -1)});
  }
  return factors_.factor(ends_, m.inverse.size());
}

template <class T> void FrictionSolver<T>::precondition(const std::vector<T>& r, std::vector<T>& z) {
  // Rounded numbers: of small ones the factors would see nothing but their last bits, so the largest is made 1.
  T largest{};
  for (const T& x : r) largest = size_of(x) > largest ? size_of(x) : largest;
  if (!(largest > T(0))) {
    z.assign(r.size(), T(0));
    return;
  }
  rounded_.resize(r.size());
  for (std::size_t k = 0; k < r.size(); ++k) rounded_[k] = static_cast<double>(r[k] / largest);
  factors_.solve(rounded_);
  z.resize(r.size());
  for (std::size_t k = 0; k < r.size(); ++k) z[k] = T(rounded_[k]) * largest;
}

/// W x = left_ for the contacts that stick, by conjugate gradients; until `enough` is left anywhere.
template <class T> void FrictionSolver<T>::solve_sticking(const Contacts& contacts, const Masses& m, const T& enough) {
  constexpr int most_steps = 30;
  const T zero(0);
  const std::size_t n = sticking_.size();
  step_.assign(n, zero);
  answer_.resize(n);
  precondition(left_, ready_);
  along_ = ready_;
  T rz{};
  for (std::size_t k = 0; k < n; ++k) rz += left_[k] * ready_[k];
  for (int turn = 0; turn < most_steps; ++turn) {
    T worst{};
    for (const T& r : left_) worst = size_of(r) > worst ? size_of(r) : worst;
    if (!(worst > enough)) return;
    trial_.clear(m.inverse.size());
    for (std::size_t k = 0; k < n; ++k) push(contacts[sticking_[k]], along_[k], m, trial_);
    T curvature{};
    for (std::size_t k = 0; k < n; ++k) {
      answer_[k] = slip(contacts[sticking_[k]], trial_);
      curvature += along_[k] * answer_[k];
    }
    if (!(curvature > zero) || !(rz > zero)) return;
    const T far = rz / curvature;
    for (std::size_t k = 0; k < n; ++k) {
      step_[k] += along_[k] * far;
      left_[k] -= answer_[k] * far;
    }
    precondition(left_, ready_);
    T now{};
    for (std::size_t k = 0; k < n; ++k) now += left_[k] * ready_[k];
    const T ratio = now / rz;
    rz = now;
    for (std::size_t k = 0; k < n; ++k) along_[k] = ready_[k] + along_[k] * ratio;
  }
}

/// p + part × step_ cut to the limits; how much lower the function is there than at p. Left in along_ and trial_: the change.
template <class T> T FrictionSolver<T>::fall_along(const Contacts& contacts, const Masses& m, const T& part) {
  trial_.clear(m.inverse.size());
  T slope{}, curvature{};
  for (std::size_t k = 0; k < sticking_.size(); ++k) {
    const Row& row = rows_[sticking_[k]];
    along_[k] = cut(row.p + step_[k] * part, row.most) - row.p;
    slope -= start_[k] * along_[k];
    push(contacts[sticking_[k]], along_[k], m, trial_);
  }
  for (std::size_t k = 0; k < sticking_.size(); ++k) curvature += along_[k] * slip(contacts[sticking_[k]], trial_);
  return -(slope + curvature * T(0.5));
}

/// The contacts that are within their limits stick, the others stay as they are; what then is beyond a limit stays there,
/// and the rest is solved for again. True if the function has fallen.
template <class T> bool FrictionSolver<T>::newton(const Contacts& contacts, const Masses& m, const T& enough) {
  constexpr int most_rounds = 8, most_cuts = 12;
  const T zero(0);
  bool fallen = false;
  for (int round = 0; round < most_rounds; ++round) {
    sticking_.clear();
    left_.clear();
    for (std::uint32_t k = 0; k < contacts.size(); ++k)
      if (rows_[k].inverse > zero && size_of(rows_[k].p) < rows_[k].most) {
        sticking_.push_back(k);
        left_.push_back(-slip(contacts[k], so_far_, rows_[k].free));
      }
    if (sticking_.empty() || !factor(contacts, m)) break;
    start_ = left_;
    solve_sticking(contacts, m, enough / T(4));  // a sweep moves by 1.3 times what is left, and has to find that little
    // Along the way there, bent at the limits: the lowest of some points.
    T best{}, lowest{}, part(1);
    for (int k = 0; k < most_cuts; ++k, part = part * T(0.25)) {
      const T fall = fall_along(contacts, m, part);
      if (fall > lowest) {
        lowest = fall;
        best = part;
      } else if (best > zero) {
        break;
      }
    }
    if (!(best > zero)) break;
    fall_along(contacts, m, best);
    bool limited = false;
    for (std::size_t k = 0; k < sticking_.size(); ++k) {
      Row& row = rows_[sticking_[k]];
      row.p = cut(row.p + step_[k] * best, row.most);
      limited |= !(size_of(row.p) < row.most);
    }
    for (std::size_t i = 0; i < so_far_.v.size(); ++i) {
      so_far_.v[i] += trial_.v[i];
      so_far_.w[i] += trial_.w[i];
    }
    fallen = true;
    if (!limited) break;
  }
  return fallen;
}

template <class T>
FrictionEffort FrictionSolver<T>::solve(std::vector<RubbingContact<T>>& contacts, const T& h,
                                        const Column<T>& inverse_mass, const Column<T>& inverse_inertia,
                                        const FrictionSettings& settings, Column<Vec2<T>>& a,
                                        Column<Vec<1, T>>& alpha) {
  std::sort(contacts.begin(), contacts.end(), [](const auto& c, const auto& d) { return c.key < d.key; });
  const Masses masses{inverse_mass, inverse_inertia};
  const T largest = first_rows(contacts, h, masses, a, alpha);
  so_far_.clear(a.size());

  FrictionEffort effort;
  effort.converged = contacts.empty() || !(largest > T(0));
  const T enough = largest * T(settings.tolerance);
  T worst{}, before{};
  bool helps = settings.newton;
  while (!effort.converged && effort.sweeps < settings.sweeps) {
    worst = sweep(contacts, masses);
    ++effort.sweeps;
    effort.converged = !(worst > enough);
    if (effort.converged || effort.sweeps % asked_every != 0) continue;
    if (helps && effort.sweeps > asked_every &&
        promises_too_many(static_cast<double>(before / enough), static_cast<double>(worst / enough), 1)) {
      helps = newton(contacts, masses, enough);
      if (helps) ++effort.newton;
    }
    before = worst;
  }
  if (largest > T(0)) effort.residual = static_cast<double>(worst / largest);

  const T per_step = T(1) / h;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    RubbingContact<T>& c = contacts[k];
    c.force = rows_[k].p * per_step;
    c.work = -(c.force * (c.slip + slip(c, so_far_, rows_[k].free)) * T(0.5));
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] += so_far_.v[i] * per_step;
    alpha[i][0] += so_far_.w[i] * per_step;
  }
  return effort;
}

template class FrictionSolver<double>;
template class FrictionSolver<dd>;

}  // namespace scree
