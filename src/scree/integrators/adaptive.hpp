// SPDX-License-Identifier: BSD-3-Clause
/// Runge-Kutta pairs that choose their own step.
///
/// The step of the run, H, is where the run looks at the state: snapshots, walls that come and go,
/// periodic images. Within it the method takes as many steps h of its own as it likes, h_min <= h <=
/// min(h_max, H), of which the last is cut to end at H exactly; the cut is not remembered, and h goes
/// on from one H to the next (and through a checkpoint).
#pragma once

#include <fmt/format.h>

#include <limits>

#include "scree/core/errors.hpp"
#include "scree/integrators/runge_kutta.hpp"

namespace scree {

/// What a rule makes of the error q of a step h.
struct Choice {
  bool accept;
  double h;  // the next step, before it is cut to [h_min, h_max]
};

/// Heene's rule, as seed 004 states it: h_opt = tol h/q, accepted if h_opt >= 3/4 h, which bounds q by
/// 4/3 tol whatever the step.
struct HeeneRule {
  static constexpr bool positions_only = true;
  static constexpr double usual_tolerance = 1e-4;
  static Choice choose(double tolerance, double h, double q) {
    const double best = tolerance * h / q;  // infinite for q = 0: cut to h_max
    return {best >= 0.75 * h, best};
  }
};

/// The rule of Yee, Christara and Lait (2009), as seed 004 states it: h_opt = (tol h/(2 q))^{1/4} h, accepted
/// if h_opt >= 3/4 h, which bounds the error per unit of time.
struct YeeChristaraRule {
  static constexpr bool positions_only = true;
  static constexpr double usual_tolerance = 1e-4;
  static Choice choose(double tolerance, double h, double q) {
    const double best = std::sqrt(std::sqrt(tolerance * h / (2 * q))) * h;
    return {best >= 0.75 * h, best};
  }
};

/// The usual rule of a pair of orders 5 and 4 (Hairer, Nørsett, Wanner, Solving ODEs I, II.4):
/// h_new = h min(5, max(1/5, 0.9 (tol/q)^{1/5})), accepted if q <= tol; q sees velocities too,
/// by how far they lead astray in one step of the run.
struct StandardRule {
  static constexpr bool positions_only = false;
  static constexpr double usual_tolerance = 1e-8;
  static Choice choose(double tolerance, double h, double q) {
    const double factor = q > 0 ? 0.9 * std::pow(tolerance / q, 0.2) : 5.0;
    return {q <= tolerance, h * std::fmin(5.0, std::fmax(0.2, factor))};
  }
};

template <int D, class T, const auto& tableau, class Rule>
class Adaptive final : public Stages<D, T, tableau> {
 public:
  static constexpr Method about{.name = tableau.name,
                                .order = tableau.order,
                                .order_if_damped = tableau.order,
                                .force_calls = std::remove_cvref_t<decltype(tableau)>::stages,
                                .note = tableau.source,
                                .adaptive = true};
  explicit Adaptive(const MethodSettings& settings) : settings_(settings) {
    if (!(settings_.tolerance > 0)) settings_.tolerance = Rule::usual_tolerance;
  }
  const Method& method() const override { return about; }
  Memory<D, T> memory() override {
    Memory<D, T> m = Stages<D, T, tableau>::memory();
    m.numbers.push_back({"h", &h_});
    return m;
  }
  void start(System<D, T>&, State<D, T>& s, const T&, const T& run_step) override {
    this->make_room(s);
    h_ = T(longest(run_step));
  }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& run_step) override {
    this->make_room(s);
    const double h_max = longest(run_step);
    const double h_min = settings_.h_min > 0 ? std::fmin(settings_.h_min, h_max)
                                             : 1e-6 * static_cast<double>(run_step);
    T done{};
    bool again = false;  // the last try was rejected: its first stage still holds
    while (done < run_step) {
      const T left = run_step - done;
      const bool last = !(h_ < left);
      const T h = last ? left : h_;
      if (!again) this->evaluate(system, s, t + done, h, 0, 0);
      system.forgive(true);  // where these stages look may never be reached
      this->evaluate(system, s, t + done, h, 1);
      system.forgive(false);
      const double q = error(h, run_step);
      const double tried = static_cast<double>(h);
      const Choice choice = Rule::choose(settings_.tolerance, tried, q);
      const double next = std::fmin(std::fmax(choice.h, h_min), h_max);
      if (choice.accept) {
        this->advance(s, h);
        ++this->accepted;
        again = false;
        if (last) {
          // A step cut short says nothing about the next one, unless it was too long itself.
          if (choice.h < tried && next < static_cast<double>(h_)) h_ = T(next);
          break;
        }
        done += h;
        h_ = T(next);
        continue;
      }
      ++this->rejected;
      if (!(tried > h_min))
        throw StepError(fmt::format(
            "{} cannot go on at t = {:.9g} s: a step of {:.4g} s has an error of {:.3g}, more than the tolerance {:.3g} "
            "allows, and none may be shorter than h_min = {:.4g} s; a smaller run.h_min or a larger run.tolerance may help",
            about.name, static_cast<double>(t + done), tried, q, settings_.tolerance, h_min));
      h_ = T(next);
      again = true;
    }
  }

 private:
  double longest(const T& run_step) const {
    const double whole = static_cast<double>(run_step);
    return settings_.h_max > 0 ? std::fmin(settings_.h_max, whole) : whole;
  }

  /// The largest component of the difference of the pair's results: positions, and where the rule
  /// wants it velocities times the run's step. A maximum, so its order does not matter.
  double error(const T& h, const T& run_step) const {
    std::array<T, static_cast<std::size_t>(Stages<D, T, tableau>::S)> weight;
    for (std::size_t j = 0; j < weight.size(); ++j)
      weight[j] = (tableau.b[j].template as<T>() - tableau.other[j].template as<T>()) * h;
    double worst = 0;
    bool finite = true;
    for (std::size_t i = 0; i < this->stage_.size(); ++i) {
      Vec<D, T> dx{}, dv{};
      for (std::size_t j = 0; j < weight.size(); ++j) {
        dx += this->k_[j].x[i] * weight[j];
        if (!Rule::positions_only) dv += this->k_[j].v[i] * (weight[j] * run_step);
      }
      finite &= is_finite(dx) && is_finite(dv);
      for (int k = 0; k < D; ++k)
        worst = std::fmax(worst, std::fmax(std::fabs(static_cast<double>(dx[k])), std::fabs(static_cast<double>(dv[k]))));
    }
    return finite ? worst : std::numeric_limits<double>::infinity();
  }

  MethodSettings settings_;
  T h_{};
};

}  // namespace scree
