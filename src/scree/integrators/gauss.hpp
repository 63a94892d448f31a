// SPDX-License-Identifier: BSD-3-Clause
/// Two-stage Gauss collocation, order 4, symplectic (Hairer, Lubich, Wanner, Geometric Numerical
/// Integration, II.1.3):
///
///     k_i = f(t + c_i h, y + h sum_j a_ij k_j),  y += h/2 (k_1 + k_2),
///     c = 1/2 -+ sqrt(3)/6,  a = ((1/4, 1/4 - sqrt(3)/6), (1/4 + sqrt(3)/6, 1/4))
///
/// The stages are found by iterating their equation from k = 0 ("zero", GauCol of seed 004) or from
/// the stages of the last step ("previous", GauCo2) until no component of position and velocity
/// rates changes by more than the tolerance; without a tolerance, until round-off stops the change. Steps whose
/// iteration went in circles are counted as rejected, though they are taken.
#pragma once

#include <fmt/format.h>

#include <limits>

#include "scree/core/errors.hpp"
#include "scree/integrators/runge_kutta.hpp"

namespace scree {

template <int D, class T>
class Gauss4 final : public Integrator<D, T> {
 public:
  static constexpr Method about{.name = "gauss4",
                                .order = 4,
                                .order_if_damped = 4,
                                .force_calls = 2,
                                .note = "two-stage Gauss collocation; symplectic; force calls per iteration",
                                .iterates = true};
  explicit Gauss4(const MethodSettings& settings) : settings_(settings) {
    if (settings_.iterations == 0) settings_.iterations = 100;
    const T root = sqrt(T(3)) / T(6), half = T(1) / T(2), quarter = T(1) / T(4);
    c_ = {half - root, half + root};
    a_ = {{{quarter, quarter - root}, {quarter + root, quarter}}};
  }
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.states = {{"stage", &stage_}, {"k0", &k_[0]}, {"k1", &k_[1]}, {"next0", &next_[0]}, {"next1", &next_[1]}};
    if (settings_.previous)
      for (std::size_t i = 0; i < 2; ++i) {
        const std::string n = std::to_string(i);
        m.points.push_back({"last_v" + n, &last_[i].v, true});
        m.points.push_back({"last_a" + n, &last_[i].a, false, true});
        m.spins.push_back({"last_alpha" + n, &last_[i].alpha, false});
      }
    return m;
  }
  void start(System<D, T>&, State<D, T>& s, const T&, const T&) override {
    make_room(s);
    if (!settings_.previous) return;
    for (Last& last : last_) {
      last.v.assign(s.size(), {});
      last.a.assign(s.size(), {});
      last.alpha.assign(s.size(), {});
    }
  }

  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    make_room(s);
    if (system.settles()) {  // no stage lies at t, so springs are cut in an evaluation of its own
      system.rates(t, s, stage_, true);
      ++this->force_calls;
    }
    guess(s);
    double change = std::numeric_limits<double>::infinity(), least = change, first = 0;
    int idle = 0;  // iterations since the change was last smaller than ever
    for (int n = 1;; ++n) {
      for (std::size_t i = 0; i < 2; ++i) {
        stage_ = s;
        add(stage_, k_[0], h * a_[i][0]);
        add(stage_, k_[1], h * a_[i][1]);
        system.rates(t + c_[i] * h, stage_, next_[i], false);
      }
      this->force_calls += 2;
      ++this->iterations;
      const double before = change;
      double size = 0;
      change = difference(size);
      std::swap(k_, next_);
      if (settings_.tolerance > 0) {
        if (change <= settings_.tolerance) break;
      } else {
        // Round-off moves the last digits for ever: it is reached when the changes no longer fall.
        const double digits = static_cast<double>(std::numeric_limits<T>::epsilon()) * size;
        if (change <= 4 * digits || (change <= 1e6 * digits && change > 0.5 * before)) break;
      }
      // Where a force jumps at touch (a dashpot that does not fade there) the equation may have no solution: a
      // stage touches if it does not and does not if it does. The iteration then goes in circles, and
      // either side of the jump is as good as the other.
      idle = change < 0.9 * least ? 0 : idle + 1;
      least = std::fmin(least, change);
      if (n <= 5) first = std::fmax(first, change);
      if (idle >= 20 && change <= first) {  // neither converges nor diverges
        ++this->rejected;
        break;
      }
      if (n == settings_.iterations || !std::isfinite(change))
        throw StepError(fmt::format("gauss4 found no solution at t = {:.9g} s in {} iterations (last change {:.3g}): "
                                   "a smaller run.dt makes the iteration converge",
                                   static_cast<double>(t), n, change));
    }
    const T half = h / T(2);
    for (std::size_t i = 0; i < 2; ++i) add(s, k_[i], half);
    for_each_index(s.size(), [&](std::size_t i) { s.q[i] = unit_turn(s.q[i]); });
    if (!settings_.previous) return;
    for (std::size_t i = 0; i < 2; ++i) {
      last_[i].v = k_[i].x;
      last_[i].a = k_[i].v;
      last_[i].alpha = k_[i].w;
    }
  }

 private:
  struct Last {
    Column<Vec<D, T>> v, a;
    Column<Spin<D, T>> alpha;
  };

  void make_room(const State<D, T>& s) {
    if (stage_.size() == s.size()) return;
    stage_ = s;
    for (auto& k : k_) k = s;
    for (auto& k : next_) k = s;
  }

  /// Rates of springs always start from zero: they belong to pairs, which change with the list, and
  /// the bits of a run must not depend on when it does.
  void guess(const State<D, T>& s) {
    for (std::size_t i = 0; i < 2; ++i) {
      State<D, T>& k = k_[i];
      for_each_index(s.size(), [&](std::size_t g) {
        const bool known = settings_.previous;
        k.x[g] = known ? last_[i].v[g] : Vec<D, T>{};
        k.v[g] = known ? last_[i].a[g] : Vec<D, T>{};
        k.w[g] = known ? last_[i].alpha[g] : Spin<D, T>{};
        k.q[g] = known ? turn_rate(s.q[g], s.w[g]) : Turn<D, T>{};
        k.e[g] = {};
      });
      k.zeta.assign(s.zeta.size(), {});
      k.roll.assign(s.roll.size(), {});
    }
  }

  /// The largest change of a component of x' and v' in this iteration, and the largest component.
  double difference(double& size) const {
    double worst = 0;
    bool finite = true;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t g = 0; g < stage_.size(); ++g) {
        const Vec<D, T> x = next_[i].x[g] - k_[i].x[g], v = next_[i].v[g] - k_[i].v[g];
        finite &= is_finite(x) && is_finite(v);
        for (int k = 0; k < D; ++k) {
          worst = std::fmax(worst, std::fmax(std::fabs(static_cast<double>(x[k])), std::fabs(static_cast<double>(v[k]))));
          size = std::fmax(size, std::fmax(std::fabs(static_cast<double>(next_[i].x[g][k])),
                                           std::fabs(static_cast<double>(next_[i].v[g][k]))));
        }
      }
    return finite ? worst : std::numeric_limits<double>::infinity();
  }

  MethodSettings settings_;
  std::array<T, 2> c_;
  std::array<std::array<T, 2>, 2> a_;
  State<D, T> stage_;
  std::array<State<D, T>, 2> k_, next_;
  std::array<Last, 2> last_;
};

}  // namespace scree
