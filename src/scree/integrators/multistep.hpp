// SPDX-License-Identifier: BSD-3-Clause
/// Methods made of other methods, and methods that remember: Yoshida's composition, Adams-Bashforth,
/// and Gear's predictor-corrector.
#pragma once

#include "scree/integrators/explicit_steps.hpp"
#include "scree/integrators/runge_kutta.hpp"

namespace scree {

/// Yoshida, Phys. Lett. A 150, 262 (1990): three steps of velocity-verlet, of w h, (1 - 2w) h and w h
/// with w = 1/(2 - 2^{1/3}), whose errors of third order cancel. The middle one goes back in time.
template <int D, class T>
class Yoshida4 final : public VelocityVerlet<D, T> {
 public:
  static constexpr Method about{"yoshida4", 4, 1, 3, "three steps of velocity-verlet, one of them backwards", false, false, false, false, true};
  const Method& method() const override { return about; }
  Yoshida4() {
    T root = T(1.2599210498948732);  // 2^{1/3}, then by Newton's method to every digit of T
    for (int n = 0; n < 3; ++n) root -= (root * root * root - T(2)) / (T(3) * root * root);
    outer_ = T(1) / (T(2) - root);
    inner_ = T(1) - T(2) * outer_;
  }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T first = outer_ * h, second = inner_ * h;
    VelocityVerlet<D, T>::step(system, s, t, first);
    VelocityVerlet<D, T>::step(system, s, t + first, second);
    VelocityVerlet<D, T>::step(system, s, t + (first + second), first);
  }
  std::int64_t steps_and_begin_next(System<D, T>& system, State<D, T>& s, const T& t, const T& h, std::int64_t) override {
    step(system, s, t, h);
    return 0;
  }
  bool runs_ahead() const override { return false; }

 private:
  T outer_, inner_;
};

/// Adams-Bashforth: y_{n+1} = y_n + h (3/2 f_n - 1/2 f_{n-1}); the first step is Heun's. Springs move
/// by the trapezoidal rule.
template <int D, class T>
class AdamsBashforth2 final : public SingleStep<D, T> {
 public:
  static constexpr Method about{"ab2", 2, 2, 1, "Adams-Bashforth; first step by Heun"};
  const Method& method() const override { return about; }
  explicit AdamsBashforth2(const T& t0) : t0_(t0) {}
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points = {{"v_prev", &v_, true}, {"a_prev", &before_.a, false, true}};
    m.spins = {{"w_prev", &w_, true}, {"alpha_prev", &before_.alpha, false}};
    m.states.push_back({"look", &look_});
    return m;
  }
  void start(System<D, T>&, State<D, T>& s, const T&, const T&) override {
    before_.resize(s.size());
    v_.resize(s.size());
    w_.resize(s.size());
  }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h * T(0.5);
    const bool first = !(t > t0_);
    this->evaluate(system, t, s, {first ? T(0) : half, half});
    Accelerations<D, T>& f = this->f_;
    if (first) {
      // Heun's f_1 at the end of an Euler step, written as the f_{-1} that gives the same step:
      // 3/2 f_0 - 1/2 f_{-1} = (f_0 + f_1)/2, so f_{-1} = 2 f_0 - f_1.
      std::swap(before_, f);
      look_ = s;
      drift(look_, s.v, s.w, h);
      kick(look_.v, look_.w, before_, h);
      this->evaluate(system, t + h, look_, {half, T(0), false});
      for_each_number<T>(s.size(), [&](std::size_t i) {
        v_[i] = s.v[i] * T(2) - look_.v[i];
        w_[i] = s.w[i] * T(2) - look_.w[i];
        const Vec<D, T> a = before_.a[i];
        const Spin<D, T> alpha = before_.alpha[i];
        before_.a[i] = a * T(2) - f.a[i];
        before_.alpha[i] = alpha * T(2) - f.alpha[i];
        f.a[i] = a;
        f.alpha[i] = alpha;
      });
      look_ = {};
    }
    const T now = h * T(1.5);
    for_each_number<T>(s.size(), [&](std::size_t i) {
      const Vec<D, T> v = s.v[i];
      const Spin<D, T> w = s.w[i];
      s.x[i] += v * now - v_[i] * half;
      s.q[i] = unit_turn(s.q[i] + turn_rate(s.q[i], w * T(1.5) - w_[i] * T(0.5)) * h);
      s.v[i] += f.a[i] * now - before_.a[i] * half;
      s.w[i] += f.alpha[i] * now - before_.alpha[i] * half;
      v_[i] = v;
      w_[i] = w;
    });
    std::swap(before_, f);
  }
  T pending(const T& h, std::int64_t steps) const override { return steps > 0 ? h * T(0.5) : T(0); }

 private:
  T t0_;
  Accelerations<D, T> before_;
  Column<Vec<D, T>> v_;
  Column<Spin<D, T>> w_;
  State<D, T> look_;
};

/// Gear's predictor-corrector of five values in Nordsieck form (Gear 1971; Allen and Tildesley,
/// Computer Simulation of Liquids, appendix E): x, h v, h²/2 a, h³/6 b, h⁴/24 c are predicted by
/// Taylor's series and corrected by Δ = h²/2 (a_{n+1} - a^p) times 19/90, 3/4, 1, 1/2, 1/12. 19/90 is
/// the coefficient for forces that depend on velocity; 19/120, for those that do not, would gain
/// accuracy but no order there and lose it here. Spins are corrected alike. Springs, which are no
/// second-order quantities, move by the trapezoidal rule: with friction the order is 2.
template <int D, class T>
class Gear5 final : public SingleStep<D, T> {
 public:
  static constexpr Method about{"gear5", 4, 4, 1, "five-value predictor-corrector; order 2 with friction springs"};
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points = {{"a", &d2_.a, false, true}, {"b", &d3_.a, false}, {"c", &d4_.a, false}};
    m.spins = {{"alpha", &d2_.alpha, false}, {"beta", &d3_.alpha, false}, {"gamma", &d4_.alpha, false}};
    m.states = {{"look", &look_}, {"k0", &k_[0]}, {"k1", &k_[1]}, {"k2", &k_[2]}, {"k3", &k_[3]}};
    return m;
  }

  /// The third and fourth derivatives at the start come from accelerations one step ahead and one
  /// behind, both found by rk4.
  void start(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    for (auto* d : {&d2_, &d3_, &d4_}) d->resize(s.size());
    this->evaluate(system, t, s, {T(0), h * T(0.5)});
    d2_ = this->f_;
    accelerations_after(system, s, t, h, d3_);
    accelerations_after(system, s, t, -h, d4_);
    const T third = T(1) / (T(2) * h), fourth = T(1) / (h * h);
    for (std::size_t i = 0; i < s.size(); ++i) {
      const Vec<D, T> ahead = d3_.a[i], behind = d4_.a[i];
      d3_.a[i] = (ahead - behind) * third;
      d4_.a[i] = (ahead - d2_.a[i] * T(2) + behind) * fourth;
      const Spin<D, T> ahead_w = d3_.alpha[i], behind_w = d4_.alpha[i];
      d3_.alpha[i] = (ahead_w - behind_w) * third;
      d4_.alpha[i] = (ahead_w - d2_.alpha[i] * T(2) + behind_w) * fourth;
    }
    look_ = {};
    for (auto& k : k_) k = {};
  }

  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    const T half = h / T(2), h2 = h * half, h3 = h2 * h / T(3), h4 = h3 * h / T(4);
    for_each_number<T>(s.size(), [&](std::size_t i) {
      turn(s, i, h);  // before the spin moves on
      s.x[i] += s.v[i] * h + d2_.a[i] * h2 + d3_.a[i] * h3 + d4_.a[i] * h4;
      s.v[i] += d2_.a[i] * h + d3_.a[i] * h2 + d4_.a[i] * h3;
      d2_.a[i] += d3_.a[i] * h + d4_.a[i] * h2;
      d3_.a[i] += d4_.a[i] * h;
      s.w[i] += d2_.alpha[i] * h + d3_.alpha[i] * h2 + d4_.alpha[i] * h3;
      d2_.alpha[i] += d3_.alpha[i] * h + d4_.alpha[i] * h2;
      d3_.alpha[i] += d4_.alpha[i] * h;
    });
    this->evaluate(system, t + h, s, {half, half});
    const T c0 = h2 * T(19) / T(90), c1 = h2 * T(3) / (T(4) * h), c3 = h2 / (T(2) * h3), c4 = h2 / (T(12) * h4);
    for_each_number<T>(s.size(), [&](std::size_t i) {
      const Vec<D, T> da = this->f_.a[i] - d2_.a[i];
      s.x[i] += da * c0;
      s.v[i] += da * c1;
      d2_.a[i] = this->f_.a[i];
      d3_.a[i] += da * c3;
      d4_.a[i] += da * c4;
      const Spin<D, T> dw = this->f_.alpha[i] - d2_.alpha[i];
      s.w[i] += dw * c1;
      d2_.alpha[i] = this->f_.alpha[i];
      d3_.alpha[i] += dw * c3;
      d4_.alpha[i] += dw * c4;
    });
  }
  T pending(const T& h, std::int64_t) const override { return h * T(-0.5); }

 private:
  /// Orientation over the predicted spin w + τ α + τ²/2 β + τ³/6 γ, by rk4.
  void turn(State<D, T>& s, std::size_t i, const T& h) {
    const auto spin = [&](const T& tau) {
      return s.w[i] + (d2_.alpha[i] + (d3_.alpha[i] + d4_.alpha[i] * (tau / T(3))) * (tau / T(2))) * tau;
    };
    const T half = h / T(2);
    const Spin<D, T> w1 = s.w[i], w2 = spin(half), w3 = spin(h);
    const Turn<D, T> q = s.q[i];
    const Turn<D, T> k1 = turn_rate(q, w1), k2 = turn_rate(q + k1 * half, w2);
    const Turn<D, T> k3 = turn_rate(q + k2 * half, w2), k4 = turn_rate(q + k3 * h, w3);
    s.q[i] = unit_turn(q + (k1 + (k2 + k3) * T(2) + k4) * (h / T(6)));
  }

  /// `out` must be remembered columns: an evaluation may sort the grains.
  void accelerations_after(System<D, T>& system, const State<D, T>& s, const T& t, const T& h, Accelerations<D, T>& out) {
    constexpr std::array<double, 4> weight{1, 2, 2, 1};
    look_ = s;
    for (auto& k : k_) k = s;
    for (std::size_t n = 0; n < 4; ++n) {
      if (n > 0) {
        look_ = s;
        add(look_, k_[n - 1], n == 3 ? h : h / T(2));
      }
      system.rates(n == 0 ? t : n == 3 ? t + h : t + h / T(2), look_, k_[n], false);
    }
    look_ = s;
    for (std::size_t n = 0; n < 4; ++n) add(look_, k_[n], h * T(weight[n]) / T(6));
    system.rates(t + h, look_, k_[0], false);
    this->force_calls += 5;
    out.a = k_[0].v;
    out.alpha = k_[0].w;
  }

  Accelerations<D, T> d2_, d3_, d4_;  // second, third and fourth derivatives; of spins one less
  State<D, T> look_;
  std::array<State<D, T>, 4> k_;
};

}  // namespace scree
