// SPDX-License-Identifier: BSD-3-Clause
/// The schemes that evaluate forces once or twice per step, each as on the page of a textbook:
/// kick, drift, evaluate. Angular motion uses the same scheme as linear motion.
///
/// h is the step, a_n = F(t_n, x_n, v_n)/m. Formulas and names follow docs/integrators.md.
#pragma once

#include <utility>

#include "scree/integrators/system.hpp"

namespace scree {

/// What the single-evaluation schemes share: accelerations, counted.
template <int D, class T>
class SingleStep : public Integrator<D, T> {
 protected:
  void evaluate(System<D, T>& system, const T& t, State<D, T>& s, SpringMove<T> move) {
    f_.resize(s.size());
    system.forces(t, s, f_, move);
    ++this->force_calls;
  }
  Accelerations<D, T> f_;
};

/// v_{n+1} = v_n + h a_n, x_{n+1} = x_n + h v_n. First order, and it feeds energy to springs.
template <int D, class T>
class Euler final : public SingleStep<D, T> {
 public:
  static constexpr Method about{"euler", 1, 1, 1, "explicit; feeds energy to springs", false, false, false, true, true};
  const Method& method() const override { return about; }
  void start(System<D, T>&, State<D, T>&, const T&, const T&) override {}
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    this->evaluate(system, t, s, {T(0), h});
    drift(s, s.v, s.w, h);
    kick(s.v, s.w, this->f_, h);
  }
};

/// v_{n+1} = v_n + h a_n, x_{n+1} = x_n + h v_{n+1}.
template <int D, class T>
class SymplecticEuler final : public SingleStep<D, T> {
 public:
  static constexpr Method about{"symplectic-euler", 1, 1, 1, "symplectic without damping", false, false, false, true, true};
  const Method& method() const override { return about; }
  void start(System<D, T>&, State<D, T>&, const T&, const T&) override {}
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    this->evaluate(system, t, s, {t > t0_ ? h : T(0), T(0)});
    kick(s.v, s.w, this->f_, h);
    drift(s, s.v, s.w, h);
  }
  T pending(const T& h, std::int64_t steps) const override { return steps > 0 ? h : T(0); }
  explicit SymplecticEuler(const T& t0) : t0_(t0) {}

 private:
  T t0_;  // at the first evaluation the springs have nothing behind them
};

/// What the schemes with velocities at half steps share: these velocities, and a start half a step back.
template <int D, class T>
class HalfStepped : public SingleStep<D, T> {
 public:
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points.push_back({"v_half", &vh_, true});
    m.spins.push_back({"w_half", &wh_, true});
    m.states.push_back({"work", &work_});
    m.states.push_back({"work_rates", &work_rates_});
    return m;
  }

 protected:
  /// The force at full-step positions and half-step velocities.
  void evaluate_at_half_velocity(System<D, T>& system, const T& t, State<D, T>& s, SpringMove<T> move) {
    s.v.swap(vh_);
    s.w.swap(wh_);
    this->evaluate(system, t, s, move);
    s.v.swap(vh_);
    s.w.swap(wh_);
  }

  /// v_{-1/2} and w_{-1/2} by one step of Heun from t to t - h/2, springs included.
  void half_step_back(System<D, T>& system, State<D, T>& s, const T& t, const T& h) {
    const T half = h * T(0.5), quarter = h * T(0.25);
    State<D, T>& back = work_;
    State<D, T>& k = work_rates_;
    k = s;
    system.rates(t, s, k, false);
    back = s;
    vh_ = s.v;
    wh_ = s.w;
    for (std::size_t i = 0; i < s.size(); ++i) {
      vh_[i] -= k.v[i] * quarter;
      wh_[i] -= k.w[i] * quarter;
      back.x[i] -= s.v[i] * half;
      back.v[i] -= k.v[i] * half;
      back.w[i] -= k.w[i] * half;
    }
    for (std::size_t p = 0; p < s.zeta.size(); ++p) back.zeta[p] -= k.zeta[p] * half;
    for (std::size_t p = 0; p < s.roll.size(); ++p) back.roll[p] -= k.roll[p] * half;
    system.rates(t - half, back, k, false);
    for (std::size_t i = 0; i < s.size(); ++i) {
      vh_[i] -= k.v[i] * quarter;
      wh_[i] -= k.w[i] * quarter;
    }
    back = {};  // work space of the start alone
    k = {};
    this->force_calls += 2;
  }

  Column<Vec<D, T>> vh_;
  Column<Spin<D, T>> wh_;

 private:
  State<D, T> work_, work_rates_;
};

/// Leapfrog: v_{n+1/2} = v_{n-1/2} + h F(x_n, v_{n-1/2}), x_{n+1} = x_n + h v_{n+1/2}, started with
/// a half step back by Heun. `staggered-verlet` is the same but for its start, v_{-1/2} = v_0.
/// A step here ends with the force at t_{n+1}, so that the velocity can be reported at full steps:
/// v_{n+1} = v_{n+1/2} + h/2 a_{n+1}, the mean of its neighbours.
template <int D, class T>
class Leapfrog final : public HalfStepped<D, T> {
  using HalfStepped<D, T>::vh_, HalfStepped<D, T>::wh_;

 public:
  static constexpr Method about_leapfrog{"leapfrog", 2, 1, 1, "half step back at the start (Heun)", false, false, false, true, true};
  static constexpr Method about_staggered{"staggered-verlet", 1, 1, 1,
                                          "leapfrog with v(-h/2) = v(0), a first-order start", false, false, false, true, true};
  explicit Leapfrog(bool staggered) : staggered_(staggered) {}
  const Method& method() const override { return staggered_ ? about_staggered : about_leapfrog; }
  void start(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    if (staggered_) {
      vh_ = s.v;
      wh_ = s.w;
    } else {
      this->half_step_back(system, s, t, h);
    }
    this->evaluate_at_half_velocity(system, t, s, {T(0), T(0)});
    kick(vh_, wh_, this->f_, h);
  }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h * T(0.5);
    drift(s, vh_, wh_, h);
    this->evaluate_at_half_velocity(system, t + h, s, {h, T(0)});
    for_each_number<T>(s.size(), [&](std::size_t i) {
      s.v[i] = vh_[i] + this->f_.a[i] * half;
      s.w[i] = wh_[i] + this->f_.alpha[i] * half;
      vh_[i] += this->f_.a[i] * h;
      wh_[i] += this->f_.alpha[i] * h;
    });
  }

 private:
  bool staggered_;
};

/// Kick, drift, evaluate, kick; the force at the end of the step sees v_{n+1/2}.
template <int D, class T>
class VelocityVerlet : public SingleStep<D, T> {
 public:
  static constexpr Method about{"velocity-verlet", 2, 1, 1, "kick-drift-kick; what LAMMPS calls nve", false, false, false, true, true};
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points.push_back({"a", &this->f_.a, false, true});
    m.spins.push_back({"alpha", &this->f_.alpha, false});
    return m;
  }
  void start(System<D, T>& system, State<D, T>& s, const T& t, const T&) override {
    begun_ = false;
    this->evaluate(system, t, s, {T(0), T(0)});
  }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    begin(s, h);
    system.forces_and_kick(t + h, s, this->f_, {h, T(0)}, h * T(0.5));
    ++this->force_calls;
  }
  std::int64_t steps_and_begin_next(System<D, T>& system, State<D, T>& s, const T& t, const T& h, std::int64_t most) override {
    if (!system.may_go_on()) {
      step(system, s, t, h);
      return 0;
    }
    begin(s, h);
    const std::int64_t done = system.forces_and_go_on(t + h, s, this->f_, {h, T(0)}, h * T(0.5), h, most);
    this->force_calls += done;
    begun_ = true;
    return done;
  }
  bool runs_ahead() const override { return true; }

 private:
  void begin(State<D, T>& s, const T& h) {
    const bool begun = std::exchange(begun_, false);
    if (begun) return;
    const T half = h * T(0.5);
    for_each_block<T>(s.size(), [&](std::size_t first, std::size_t last) {  // in one pass over memory
      kick(s.v, s.w, this->f_, half, first, last);
      drift(s, s.v, s.w, h, first, last);
    });
  }
  bool begun_ = false;  // the last step has done that
};

/// Predictor-corrector of the 2D thesis, eq. 1.40, second order also when F depends on v. From
/// x_n and v_{n-1/2}:
///
///     v^ = v_{n-1/2} + h F(t_n, x_n, v_{n-1/2}),  x^ = x_n + h v^,  v_n = (x^ - x_{n-1})/(2h)
///     v_{n+1/2} = v_{n-1/2} + h F(t_n, x_n, v_n),  x_{n+1} = x_n + h v_{n+1/2}
///
/// Since x_n - x_{n-1} = h v_{n-1/2}, v_n = v_{n-1/2} + h/2 F(t_n, x_n, v_{n-1/2}): no old positions
/// are needed. A step here ends with both forces at t_{n+1}, so x and v are reported at one time.
template <int D, class T>
class DampedVerlet final : public HalfStepped<D, T> {
  using HalfStepped<D, T>::vh_, HalfStepped<D, T>::wh_;

 public:
  static constexpr Method about{"damped-verlet", 2, 2, 2, "second order also with damping and friction", false, false, false, false, true};
  const Method& method() const override { return about; }
  void start(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    this->half_step_back(system, s, t, h);
    this->evaluate(system, t, s, {T(0), h * T(0.5)});
    kick(vh_, wh_, this->f_, h);
  }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h * T(0.5);
    drift(s, vh_, wh_, h);
    this->evaluate_at_half_velocity(system, t + h, s, {half, T(0), false});
    for_each_number<T>(s.size(), [&](std::size_t i) {
      s.v[i] = vh_[i] + this->f_.a[i] * half;
      s.w[i] = wh_[i] + this->f_.alpha[i] * half;
    });
    this->evaluate(system, t + h, s, {half, half});
    kick(vh_, wh_, this->f_, h);
  }
  T pending(const T& h, std::int64_t) const override { return h * T(-0.5); }
};

/// x += h v + h²/2 a + h²/6 (a - a_prev), v += h a + h/2 (a - a_prev).
template <int D, class T>
class Taylor final : public SingleStep<D, T> {
 public:
  static constexpr Method about{"taylor", 2, 2, 1, "third order locally in x; a_prev = a at the start"};
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points.push_back({"a_prev", &before_.a, false, true});
    m.spins.push_back({"alpha_prev", &before_.alpha, false});
    return m;
  }
  explicit Taylor(const T& t0) : t0_(t0) {}
  void start(System<D, T>&, State<D, T>& s, const T&, const T&) override { before_.resize(s.size()); }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h * T(0.5);
    const bool first = !(t > t0_);
    this->evaluate(system, t, s, {first ? T(0) : half, half});
    if (first) before_ = this->f_;
    const T h2 = h * h * T(0.5), h6 = h * h / T(6);
    Accelerations<D, T>& f = this->f_;
    for_each_number<T>(s.size(), [&](std::size_t i) {
      const Vec<D, T> da = f.a[i] - before_.a[i];
      const Spin<D, T> dw = f.alpha[i] - before_.alpha[i];
      s.x[i] += s.v[i] * h + f.a[i] * h2 + da * h6;
      // the mean spin of the step turns the grain
      const Spin<D, T> mean = s.w[i] + f.alpha[i] * half + dw * (h / T(6));
      s.q[i] = unit_turn(s.q[i] + turn_rate(s.q[i], mean) * h);
      s.v[i] += f.a[i] * h + da * half;
      s.w[i] += f.alpha[i] * h + dw * half;
    });
    std::swap(before_, f);
  }
  T pending(const T& h, std::int64_t steps) const override { return steps > 0 ? h * T(0.5) : T(0); }

 private:
  T t0_;
  Accelerations<D, T> before_;
};

}  // namespace scree
