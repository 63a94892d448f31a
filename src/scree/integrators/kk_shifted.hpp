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
      for_each_index(s.size(), [&](std::size_t i) { s.x[i] += (s.v[i] + a_[i] * half) * half; });
      system.shift(t + half, s, middle_);
      ++this->force_calls;
      s.x.swap(x_);
      x_.clear();
    } else {
      middle_.resize(s.size());
      for_each_index(s.size(), [&](std::size_t i) { middle_[i] = shift_[i] + slope_[i] * T(0.5); });
    }

    p_.resize(s.size());
    w_.resize(s.size());
    for_each_index(s.size(), [&](std::size_t i) {
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
    for_each_index(s.size(), [&](std::size_t i) {
      s.v[i] = p_[i] + out_.before.a[i] * half - out_.before.shift[i];
      s.w[i] = w_[i] + out_.alpha[i] * half;
      slope_[i] = out_.before.shift[i] - shift_[i];  // both of the same contacts
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

}  // namespace scree
