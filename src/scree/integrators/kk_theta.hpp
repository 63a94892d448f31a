// SPDX-License-Identifier: BSD-3-Clause
/// Dissipation that comes from the scheme: contacts N = f + γ df/dt integrated without ever moving a grain by
/// df/dt, whose root at touch is what spoils other schemes. (The energy ledger does evaluate it, to name what is lost.)
///
/// G. James, K. Vorotnikov and B. Brogliato (IMA J. Appl. Math., 2019) integrate the contacts without dashpot,
///
///     X⁺ - X = h (θ V⁺ + (1-θ) V),   m (V⁺ - V) = h (θ F⁺ + (1-θ) F),   θ = 1/2 + γ/(2h),
///
/// with a scheme whose own dissipation is the dashpot's, up to O(h²). Two such steps, with the velocity eliminated,
/// are X⁺ - 2X + X⁻ = h²/m (θ² F⁺ + 2θ(1-θ) F + (1-θ)² F⁻), one member of the family
///
///     X⁺ - 2X + X⁻ = h²/m (F + γ (F⁺ - F⁻)/(2h) + (1/4 + λ/h²) (F⁺ - 2F + F⁻)),
///
/// in which every bond may have its own γ and λ. As one step, with a velocity v that is X' up to O(h²):
///
///     m (v⁺ - v) = h/2 (F⁺ + F) + γ (F⁺ - F)
///     X⁺ - X     = h/2 (v⁺ + v) + λ/m (F⁺ - F)
///
/// and the modified equation is m X'' = F + γ F' + (λ + h²/6) F'' + γ h²/12 F''' + O(h⁴). Hence
///
///     λ = γ²/4     the scheme above (its V is v - γ F/(2m)); second order along h = c γ; θ ≤ 1 wants h ≥ γ
///     λ = 0        "split": the trapezoidal rule in the momentum shifted by γ F (kk_shifted.hpp). Second order for every h
///     λ = -h²/6    "third": the F'' term is gone, and what is left is O(h³) along h = c γ
///
/// and beside the family "energy", whose energy cannot grow: mean forces over the step (mean_bonds.hpp). That of λ = γ²/4
/// and λ = 0 is kept from growing by a guard (energy_guard.hpp), which beyond h = 2γ takes out what a step has gained.
///
/// F is a vector, and the dashpot acts along the normal: the part of γ F' that comes from the normal's turning is
/// taken off, extrapolated to the middle of the step. Everything else that acts on a grain is taken by the trapezoidal
/// rule; without the guard attachments with λ = -γ²/4 of the least γ there is, which makes them those of the authors,
/// μ = θ, but lets the energy of a bead that swings rise and fall.
/// docs/chains.md derives all this and shows what it reaches.
///
/// Each step is solved by Newton's method with line search for X⁺. The Jacobian is exact, but for drag that differs between
/// grains, and for "energy" off a line, where its symmetric part is taken (mean_bonds.hpp).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/integrators/bond_solver.hpp"
#include "scree/integrators/energy_guard.hpp"
#include "scree/integrators/mean_bonds.hpp"
#include "scree/integrators/system.hpp"

namespace scree {

template <int D, class T>
class KKTheta final : public Integrator<D, T> {
 public:
  static constexpr Method about{.name = "kk-theta",
                                .order = 2,
                                .order_if_damped = 2,
                                .force_calls = 3,
                                .note = "implicit; its own dissipation is that of KK contacts; one more call per iteration",
                                .iterates = true,
                                .of_bonds = true};
  KKTheta(const T& t0, const MethodSettings& settings) : settings_(settings), t0_(t0) {
    if (settings_.iterations == 0) settings_.iterations = 50;
    // In double-double ΔU/ΔD of an overlap that changes by 1e-7 of itself, the least that is not expanded, keeps some 25
    // of its 32 digits; 1e-22 leaves room for stiff contacts.
    if (!(settings_.tolerance > 0)) settings_.tolerance = !is_dd<T> ? 1e-12 : of_means() ? 1e-22 : 1e-28;
    kind_ = settings_.theta;
    guarded_ = is_guarded(settings_);
    bonds_.energies = guarded_ || of_means();
  }
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.points = {{"turned", &turned_, false}, {"turned_before", &turned_before_, false}, {"x0", &x0_, false},
                {"y", &y_, false},           {"v0", &v0_, true},                        {"v1", &v1_, true}};
    m.spins = {{"alpha_before", &alpha_before_, false}};
    m.numbers = {{"known", &known_}, {"taken", &this->taken}};
    return m;
  }
  void start(System<D, T>&, State<D, T>&, const T&, const T&) override {}

  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    if (system.interrupted()) known_ = T(0);
    // for the books: dissipation and work by the trapezoidal rule, half of each step's at either end
    const T half = h * T(0.5);
    system.forces(t, s, plain_, {t > t0_ ? half : T(0), half});
    spin(s, h);
    system.bonds(t, s, bonds_);
    this->force_calls += 2;
    turn(s);
    x0_ = s.x;
    v0_ = s.v;
    attempt(system, s, t, h);
    if (guarded_) hold_energy(system, s, t, h);
    remember_turning(s.size());
    known_ = T(1);
  }
  T pending(const T& h, std::int64_t steps) const override { return steps > 0 ? h * T(0.5) : T(0); }

 private:
  using Theta = MethodSettings::Theta;
  bool of_means() const { return kind_ == Theta::energy; }

  /// One step from the bonds of its beginning, as kind_ says.
  void attempt(System<D, T>& system, State<D, T>& s, const T& t, const T& h) {
    if (guarded_) guard_.start(bonds_);
    begin(s, h);
    if (bonds_.energies) over_.start(bonds_);
    system.forgive(true);
    try {
      solve(system, s, t, h);
    } catch (...) {
      s.x = x0_;
      system.forgive(false);
      throw;
    }
    system.forgive(false);
    end(s, h);
  }
  /// Takes out what the step has gained; if velocities cannot pay for it, it is done again with mean forces.
  void hold_energy(System<D, T>& system, State<D, T>& s, const T& t, const T& h) {
    using Verdict = typename EnergyGuard<D, T>::Verdict;
    const Verdict verdict = guard_.hold({system, s, x0_, t, h}, over_, v0_, bonds_, kicked_, extent_, s.v, this->taken);
    if (verdict == Verdict::nothing) return;
    ++this->guarded;
    if (verdict == Verdict::mended) return;
    ++this->redone;
    s.x = x0_;
    s.v = v0_;
    system.bonds(t, s, bonds_);
    ++this->force_calls;
    kind_ = Theta::energy;
    try {
      attempt(system, s, t, h);
    } catch (...) {
      kind_ = settings_.theta;
      throw;
    }
    kind_ = settings_.theta;
  }
  /// The bonds of a trial for the end of a step.
  void try_out(System<D, T>& system, State<D, T>& s, const T& t, const T& h) {
    system.bonds(t + h, s, bonds_);
    if (of_means()) means_.mean({system, s, x0_, t, h}, over_, bonds_);
    ++this->force_calls;
  }
  T lambda(const T& gamma, const T& h) const {
    switch (kind_) {
      case Theta::seed: return gamma * gamma * T(0.25);
      case Theta::third: return h * h * T(-1) / T(6);
      default: return T(0);
    }
  }
  /// Of all that is no bond …
  T body_lambda(const T& h) const { return kind_ == Theta::third && !guarded_ ? lambda(T(0), h) : T(0); }
  /// … and in addition of attachments, whose force changes by -tether ΔX.
  T tether_lambda(const T& h) const {
    return kind_ == Theta::seed && !guarded_ ? -lambda(bonds_.least_gamma, h) : T(0);
  }
  /// 1/(1 + h drag/(2 m)): the velocity at the end of the step is that without drag, times this.
  T slowed(std::size_t rank, const T& h) const {
    return bonds_.drag[rank] == T(0) ? T(1) : T(1) / (T(1) + h * bonds_.drag[rank] / (bonds_.mass[rank] * T(2)));
  }
  /// What a bond's force at the end of the step does to the positions there, times the mass.
  T weight(const T& gamma, const T& h, const T& slow) const {
    return h * T(0.5) * (h * T(0.5) + gamma) * slow + lambda(gamma, h);
  }

  /// Bonds have no torques, so spins go their own way: by what else acts on them, with Adams and Bashforth.
  void spin(State<D, T>& s, const T& h) {
    const bool known = known_ > T(0);
    for_each_number<T>(s.size(), [&](std::size_t i) {
      const Spin<D, T> a = plain_.alpha[i];
      const Spin<D, T> change = (known ? a * T(1.5) - alpha_before_[i] * T(0.5) : a) * h;
      s.q[i] = unit_turn(s.q[i] + turn_rate(s.q[i], s.w[i] + change * T(0.5)) * h);
      s.w[i] += change;
    });
    alpha_before_ = plain_.alpha;
  }

  template <class F>
  void each_force(F&& f) const {
    for (const Bond<D, T>& b : bonds_.list) {
      f(b.i, b, b.force);
      if (b.j != Bond<D, T>::nobody) f(b.j, b, -b.force);
    }
  }

  /// What the turning of normals takes off, at the beginning of the step. Mean forces have nothing of it.
  void turn(const State<D, T>& s) {
    turned_.assign(s.size(), {});
    turnings_.clear();
    if (of_means()) return;
    for (const Bond<D, T>& b : bonds_.list) {
      turnings_.push_back({b.i, b.j, b.wall, b.turning * b.gamma});
      add(turned_, turnings_.back());
    }
  }
  struct Turning {
    std::uint32_t i, j, wall;
    Vec<D, T> rate;
  };
  void add(Column<Vec<D, T>>& to, const Turning& one) const {
    to[bonds_.place[one.i]] += one.rate;
    if (one.j != Bond<D, T>::nobody) to[bonds_.place[one.j]] -= one.rate;
  }
  /// For the next step, which extrapolates: of bonds that last until the end of this one. Grains that have parted would
  /// else be kicked once more, by half of what their contact had. Both lists have the order of ids.
  void remember_turning(std::size_t n) {
    turned_before_.assign(n, {});
    const auto key = [](const auto& b) { return std::tuple{b.i, b.j, b.wall}; };
    auto at = bonds_.list.begin();
    for (const Turning& one : turnings_) {
      while (at != bonds_.list.end() && key(*at) < key(one)) ++at;
      if (at != bonds_.list.end() && key(*at) == key(one)) add(turned_before_, one);
    }
  }

  /// y, v1: positions and velocities at the end of the step as far as they are known before; a first guess in s.x.
  void begin(State<D, T>& s, const T& h) {
    const std::size_t n = s.size();
    y_.resize(n);
    v1_.resize(n);
    const auto& place = bonds_.place;
    const T half = h * T(0.5);
    std::vector<Vec<D, T>>& kick = a_;   // m (v1 - v): Σ (h/2 - γ) F
    std::vector<Vec<D, T>>& shift = b_;  // Σ λ F
    std::vector<Vec<D, T>>& all = c_;    // Σ F
    kick.assign(n, {});
    shift.assign(n, {});
    all.assign(n, {});
    each_force([&](std::uint32_t k, const Bond<D, T>& b, const Vec<D, T>& force) {
      all[k] += force;
      if (of_means()) return;
      kick[k] += force * (half - b.gamma);
      shift[k] += force * lambda(b.gamma, h);
    });
    kicked_.assign(n, 0);
    double longest = 0, farthest = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = place[k];
      const T m = bonds_.mass[k];
      farthest = std::fmax(farthest, size_of(s.x[i]));
      if (!(m > T(0))) continue;
      const T w = T(1) / m, slow = slowed(k, h);
      Vec<D, T> turned{};
      if (!of_means()) turned = known_ > T(0) ? turned_[i] * T(1.5) - turned_before_[i] * T(0.5) : turned_[i];
      kicked_[k] = turned != Vec<D, T>{};
      const Vec<D, T> v = s.v[i];
      v1_[i] = (v + (kick[k] + bonds_.body[k] * half - v * (bonds_.drag[k] * half) - turned * h) * w) * slow;
      y_[i] = s.x[i] + (v + v1_[i]) * half - (shift[k] + bonds_.body[k] * body_lambda(h)) * w;
      const Vec<D, T> move = (v + (all[k] + bonds_.body[k] - v * bonds_.drag[k]) * (w * half)) * h;
      s.x[i] += move;
      longest = std::fmax(longest, size_of(move));
    }
    scale_ = longest;
    extent_ = farthest;
  }

  /// Residual of the trial in s.x, in metres; its largest component, and how much of that may be round-off.
  double residual(const State<D, T>& s, const T& h, double& round_off) {
    const std::size_t n = s.size();
    r_.assign(n, {});
    double stiffest = 0;
    each_force([&](std::uint32_t k, const Bond<D, T>& b, const Vec<D, T>& force) {
      if (!(bonds_.mass[k] > T(0))) return;
      const T w = weight(b.gamma, h, slowed(k, h));
      r_[k] -= force * w;
      stiffest = std::fmax(stiffest, static_cast<double>(w / bonds_.mass[k] * b.slope));
    });
    // Overlaps are differences of places and of distances.
    for (const Bond<D, T>& b : bonds_.list) extent_ = std::fmax(extent_, std::fabs(static_cast<double>(b.distance)));
    double worst = 0;
    bool finite = true;
    for (std::size_t k = 0; k < n; ++k) {
      const T m = bonds_.mass[k];
      if (!(m > T(0))) continue;
      const std::size_t i = bonds_.place[k];
      r_[k] -= bonds_.body[k] * (h * h * T(0.25) * slowed(k, h) + body_lambda(h));
      r_[k] += (s.x[i] - y_[i]) * m + (s.x[i] - x0_[i]) * (bonds_.tether[k] * tether_lambda(h));
      const double size = size_of(r_[k]) / static_cast<double>(m);
      finite &= std::isfinite(size);
      worst = std::fmax(worst, size);
    }
    round_off = static_cast<double>(std::numeric_limits<T>::epsilon()) * extent_ * (4 + 8 * stiffest);
    return finite ? worst : std::numeric_limits<double>::infinity();
  }

  void solve(System<D, T>& system, State<D, T>& s, const T& t, const T& h) {
    double round_off = 0;
    try_out(system, s, t, h);
    double size = residual(s, h, round_off);
    for (int n = 1;; ++n) {
      const double enough = std::fmax(settings_.tolerance * scale_, round_off);
      if (size <= enough) return;
      if (n > settings_.iterations) fail(t, h, n - 1, size, "did not converge");
      ++this->iterations;
      if (!direction(h)) fail(t, h, n, size, "met a singular matrix");
      double step = 1, gone = 0;
      for (;; step *= 0.5) {
        for (std::size_t k = 0; k < s.size(); ++k)
          s.x[bonds_.place[k]] -= convert<T>(d_[k] * (step - gone));
        gone = step;
        try_out(system, s, t, h);
        const double now = residual(s, h, round_off);
        if (now < (1 - 1e-4 * step) * size || now <= std::fmax(settings_.tolerance * scale_, round_off)) {
          size = now;
          break;
        }
        if (step < 1e-9) {
          if (size <= 100 * round_off) return;  // as good as the digits allow
          fail(t, h, n, size, "found no way on");
        }
        ++this->rejected;
      }
    }
  }

  /// Newton's direction: J d = r.
  bool direction(const T& h) {
    const std::size_t n = r_.size();
    diagonal_.resize(n);
    d_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      d_[k] = convert<double>(r_[k]);
      diagonal_[k] = 0;
      if (!(bonds_.mass[k] > T(0))) continue;
      const T tether = bonds_.tether[k] * (h * h * T(0.25) * slowed(k, h) + body_lambda(h) + tether_lambda(h));
      diagonal_[k] = static_cast<double>(bonds_.mass[k] + tether);
    }
    links_.resize(bonds_.list.size());
    for (std::size_t p = 0; p < links_.size(); ++p) {
      const Bond<D, T>& b = bonds_.list[p];
      // Drag makes the two ends of a bond differ; the mean keeps the matrix symmetric, and is exact without drag.
      T w = weight(b.gamma, h, slowed(b.i, h));
      if (b.j != Bond<D, T>::nobody) w = (w + weight(b.gamma, h, slowed(b.j, h))) * T(0.5);
      auto& link = links_[p];
      link.i = b.i;
      link.j = b.j;
      for (std::size_t e = 0; e < link.k.size(); ++e) link.k[e] = static_cast<double>(w) * b.stiffness[e];
    }
    return solver_.solve(diagonal_, links_, d_);
  }

  void end(State<D, T>& s, const T& h) {
    const std::size_t n = s.size();
    const T half = h * T(0.5);
    a_.assign(n, {});
    each_force([&](std::uint32_t k, const Bond<D, T>& b, const Vec<D, T>& force) { a_[k] += force * (half + b.gamma); });
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = bonds_.place[k];
      const T m = bonds_.mass[k];
      if (!(m > T(0))) continue;
      s.v[i] = v1_[i] + (a_[k] + bonds_.body[k] * half) * (slowed(k, h) / m);
    }
  }

  [[noreturn]] void fail(const T& t, const T& h, int n, double size, const char* what) const {
    throw StepError(fmt::format("kk-theta {} in step {} (t = {:.9g} s, dt = {:.4g} s): after {} iterations positions are "
                                "still wrong by {:.3g} m, {:.3g} of the largest move; a smaller run.dt helps",
                                what, this->accepted + 1, static_cast<double>(t), static_cast<double>(h), n, size,
                                scale_ > 0 ? size / scale_ : 0.0));
  }

  static double size_of(const Vec<D, T>& a) {
    double most = 0;
    for (int k = 0; k < D; ++k) {
      const double one = std::fabs(static_cast<double>(a[k]));
      most = one > most || std::isnan(one) ? one : most;
    }
    return most;
  }

  MethodSettings settings_;
  T t0_;
  Theta kind_ = Theta::seed;  // settings_.theta, but for a step that is done again
  bool guarded_ = false;
  Column<Vec<D, T>> turned_, turned_before_;  // Σ γ (rate of a force by turning), now and a step ago
  Column<Spin<D, T>> alpha_before_;           // rate of the spins a step ago
  T known_{};                                 // 1: there is a step ago
  // within a step
  std::vector<Turning> turnings_;  // of the bonds at its beginning
  Column<Vec<D, T>> x0_, v0_, y_, v1_;
  Accelerations<D, T> plain_;
  Bonds<D, T> bonds_;
  std::vector<Vec<D, T>> a_, b_, c_, r_;  // by rank
  std::vector<std::uint8_t> kicked_;      // by rank: by the turning of normals
  std::vector<Vec<D, double>> d_;
  std::vector<double> diagonal_;
  std::vector<typename BondSolver<D>::Link> links_;
  BondSolver<D> solver_;
  BondsOverStep<D, T> over_;
  MeanBonds<D, T> means_;
  EnergyGuard<D, T> guard_;
  double scale_ = 0, extent_ = 0;
};

}  // namespace scree
