// SPDX-License-Identifier: BSD-3-Clause
/// Second order on plain Kuwabara-Kono contacts: leapfrog in the momentum that is shifted by the
/// impulse of the dashpots.
///
/// The dashpot's force is a total derivative, g ξ^{1/2} ξ' = ψ' with ψ = (2/3) g ξ^{3/2} (every normal law
/// has its ψ = ∫ damping dξ). With n from grain i to its partner and P_i = m_i v_i + Σ ψ n,
///
///     x' = (P - Σ ψ n)/m,   P' = Σ (-elastic n + ψ n') + friction + body forces,
///
/// in which no square root is left. In terms of p = P/m = v + Ψ, Ψ = Σ ψ n/m, a step is
///
///     p½ = p_n + h/2 f_n
///     x½ = x_n + h/2 (p½ - Ψ_n),  Ψ½ = Ψ(x½),  x_{n+1} = x_n + h (p½ - Ψ½)       drift "midpoint"
///     x_{n+1} = x_n + h (p½ - 3/2 Ψ_n + 1/2 Ψ_{n-1})                             drift "ab2"
///     f_{n+1} = f(x_{n+1}, v*),  v* = p½ + h/2 f_n - (2 Ψ½ - Ψ_n)
///     p_{n+1} = p½ + h/2 f_{n+1},  v_{n+1} = p_{n+1} - Ψ_{n+1}
///
/// v, not P, is the state: it is what everybody else sees, and a contact that ends or whose pull is cut
/// takes its ψ out of P while v goes on. f and Ψ at the end of a step are therefore wanted twice, for the
/// contacts that were pushing on the way there and for those that push from there on (ShiftedRates).
/// docs/kk-shifted.md derives it and shows what it reaches.
#pragma once

#include "scree/integrators/system.hpp"

namespace scree {

template <int D, class T>
class KKShifted final : public Integrator<D, T> {
 public:
  static constexpr Method about{"kk-shifted", 2, 2, 2, "leapfrog in the shifted momentum; order 2 on plain KK"};
  explicit KKShifted(const MethodSettings& settings) : extrapolate_(settings.extrapolate) {}
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points = {{"a", &a_, false}, {"shift", &shift_, false}, {"slope", &slope_, false},
                {"x", &x_, false}, {"p", &p_, false}};
    m.spins = {{"alpha", &alpha_, false}, {"w", &w_, false}};
    m.numbers = {{"known", &known_}};
    return m;
  }

  void start(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    look(system, s, t, h * T(0.5));
  }

  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h * T(0.5);
    if (system.interrupted()) look(system, s, t, T(0));

    // Ψ in the middle of the step
    const bool probe = !extrapolate_ || known_ < T(1);
    if (probe) {
      x_ = s.x;
      for_each_number<T>(s.size(), [&](std::size_t i) { s.x[i] += (s.v[i] + a_[i] * half) * half; });
      system.shift(t + half, s, middle_);
      ++this->force_calls;
      s.x.swap(x_);
      x_.clear();
    } else {
      middle_.resize(s.size());
      for_each_number<T>(s.size(), [&](std::size_t i) { middle_[i] = shift_[i] + slope_[i] * T(0.5); });
    }

    p_.resize(s.size());
    w_.resize(s.size());
    for_each_number<T>(s.size(), [&](std::size_t i) {
      const Vec<D, T> kick = a_[i] * half;
      p_[i] = s.v[i] + shift_[i] + kick;
      s.x[i] += (p_[i] - middle_[i]) * h;
      s.v[i] = p_[i] + kick - (middle_[i] * T(2) - shift_[i]);
      w_[i] = s.w[i] + alpha_[i] * half;
      s.q[i] = unit_turn(s.q[i] + turn_rate(s.q[i], w_[i]) * h);
      s.w[i] = w_[i] + alpha_[i] * half;
    });
    system.shifted_forces(t + h, s, out_, {half, half}, h);
    ++this->force_calls;
    slope_.resize(s.size());
    for_each_number<T>(s.size(), [&](std::size_t i) {
      s.v[i] = p_[i] + out_.before.a[i] * half - out_.before.shift[i];
      s.w[i] = w_[i] + out_.alpha[i] * half;
      // Both of the same contacts. Where one of them has just been cut, its slope is of no use any more.
      slope_[i] = out_.after.shift[i] == out_.before.shift[i] ? out_.before.shift[i] - shift_[i] : Vec<D, T>{};
    });
    keep();
    known_ = T(1);
    p_.clear();
    w_.clear();
  }
  T pending(const T& h, std::int64_t) const override { return h * T(-0.5); }

 private:
  /// Rates and shift where the state is, without a step that led there.
  void look(System<D, T>& system, State<D, T>& s, const T& t, const T& springs_ahead) {
    system.shifted_forces(t, s, out_, {T(0), springs_ahead}, T(0));
    ++this->force_calls;
    keep();
    slope_.assign(s.size(), {});
    known_ = T(0);
  }
  void keep() {
    a_.swap(out_.after.a);
    shift_.swap(out_.after.shift);
    alpha_.swap(out_.alpha);
  }

  bool extrapolate_;
  Column<Vec<D, T>> a_, shift_, slope_;  // f_n, Ψ_n, Ψ_n - Ψ_{n-1}
  Column<Spin<D, T>> alpha_;
  T known_{};  // 1: there is a slope
  // within a step; empty between steps
  Column<Vec<D, T>> x_, p_, middle_;
  Column<Spin<D, T>> w_;
  ShiftedRates<D, T> out_;
};

/// The classical Runge-Kutta method in x and p = P/m. Order 4 where forces are smooth; on Kuwabara-Kono
/// contacts, whose rates have ξ^{3/2} left in them in these variables, 5/2 instead of 3/2. Springs move
/// once a step, and the set of contacts that push stays as it is within one: with friction, or where pulls
/// are cut, the order is 2 at most.
template <int D, class T>
class KKShiftedRungeKutta final : public Integrator<D, T> {
 public:
  static constexpr Method about{"kk-shifted-rk4", 4, 4, 8, "rk4 in the shifted momentum; order 5/2 on plain KK"};
  explicit KKShiftedRungeKutta(const T& t0) : t0_(t0) {}
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points = {{"x0", &x0_, false}, {"p0", &p0_, false}, {"xs", &xs_, false}, {"ps", &ps_, false},
                {"p", &p_, false}};
    m.spins = {{"w0", &w0_, false}, {"ws", &ws_, false}, {"spun", &spun_, false}};
    return m;
  }
  void start(System<D, T>&, State<D, T>&, const T&, const T&) override {}

  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h * T(0.5), sixth = h / T(6), third = h / T(3);
    system.shifted_forces(t, s, out_, {t > t0_ ? half : T(0), half}, t > t0_ ? h : T(0));
    ++this->force_calls;
    const std::size_t n = s.size();
    for (auto* column : {&x0_, &p0_, &xs_, &ps_, &p_}) column->resize(n);
    for (auto* column : {&w0_, &ws_, &spun_}) column->resize(n);
    for_each_number<T>(n, [&](std::size_t i) {
      x0_[i] = xs_[i] = s.x[i];
      p0_[i] = ps_[i] = s.v[i] + out_.after.shift[i];
      w0_[i] = ws_[i] = s.w[i];
      spun_[i] = {};
    });
    // k_1 is here; each further stage takes a share of the last k, and every k goes into the sums
    const T share[] = {half, half, h}, weight[] = {sixth, third, third, sixth};
    for (int stage = 0; stage < 4; ++stage) {
      const Column<Vec<D, T>>& a = stage == 0 ? out_.after.a : out_.before.a;
      const bool last = stage == 3;
      for_each_number<T>(n, [&](std::size_t i) {
        const Vec<D, T> v = s.v[i];
        const Spin<D, T> w = s.w[i];
        xs_[i] += v * weight[stage];
        ps_[i] += a[i] * weight[stage];
        ws_[i] += out_.alpha[i] * weight[stage];
        spun_[i] += w * weight[stage];
        if (last) {
          s.x[i] = xs_[i];
          p_[i] = ps_[i];
          s.w[i] = ws_[i];
        } else {
          s.x[i] = x0_[i] + v * share[stage];
          p_[i] = p0_[i] + a[i] * share[stage];
          s.w[i] = w0_[i] + out_.alpha[i] * share[stage];
        }
      });
      const T at = t + (last ? h : share[stage]);
      system.shift(at, s, shift_);
      ++this->force_calls;
      for_each_number<T>(n, [&](std::size_t i) { s.v[i] = p_[i] - shift_[i]; });
      if (last) break;
      // springs are at t + h/2: right for the middle stages, half a step behind at the last
      system.shifted_forces(at, s, out_, {stage == 2 ? half : T(0), T(0), false}, T(0));
      ++this->force_calls;
    }
    // Grains are round: their orientation acts on nothing. Simpson's mean of the spin turns them.
    for_each_number<T>(n, [&](std::size_t i) { s.q[i] = unit_turn(s.q[i] + turn_rate(s.q[i], spun_[i])); });
    for (auto* column : {&x0_, &p0_, &xs_, &ps_, &p_}) column->clear();
    for (auto* column : {&w0_, &ws_, &spun_}) column->clear();
  }
  T pending(const T& h, std::int64_t steps) const override { return steps > 0 ? h * T(0.5) : T(0); }

 private:
  T t0_;
  // within a step; empty between steps
  Column<Vec<D, T>> x0_, p0_, xs_, ps_, p_, shift_;
  Column<Spin<D, T>> w0_, ws_, spun_;
  ShiftedRates<D, T> out_;
};

}  // namespace scree
