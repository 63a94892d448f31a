// SPDX-License-Identifier: BSD-3-Clause
/// One engine for all explicit Runge-Kutta tableaus, on the whole state: positions, velocities,
/// orientations, spins, springs and ledger alike.
#pragma once

#include "scree/integrators/system.hpp"
#include "scree/integrators/tableaus.hpp"

namespace scree {

/// y += h k, component by component.
template <int D, class T>
void add(State<D, T>& y, const State<D, T>& k, const T& h) {
  for_each_number<T>(y.size(), [&](std::size_t i) {
    y.x[i] += k.x[i] * h;
    y.v[i] += k.v[i] * h;
    y.q[i] += k.q[i] * h;
    y.w[i] += k.w[i] * h;
    y.e[i] += k.e[i] * h;
  });
  for_each_number<T>(y.zeta.size(), [&](std::size_t p) { y.zeta[p] += k.zeta[p] * h; });
  for_each_number<T>(y.roll.size(), [&](std::size_t p) { y.roll[p] += k.roll[p] * h; });
}

/// Work space of an explicit tableau and its stages.
template <int D, class T, const auto& tableau>
class Stages : public Integrator<D, T> {
 public:
  Memory<D, T> memory() override {
    Memory<D, T> m;
    m.states.push_back({"stage", &stage_});
    for (int i = 0; i < S; ++i) m.states.push_back({"k" + std::to_string(i), &k_[static_cast<std::size_t>(i)]});
    return m;
  }

 protected:
  static constexpr int S = std::remove_cvref_t<decltype(tableau)>::stages;

  void make_room(const State<D, T>& s) {  // also after a restart, which leaves work space empty
    if (stage_.size() == s.size()) return;
    stage_ = s;
    for (auto& k : k_) k = s;
  }

  /// The rates k_i of stages `first` to `last`; earlier ones are kept. The first stage settles s.
  void evaluate(System<D, T>& system, State<D, T>& s, const T& t, const T& h, int first = 0, int last = S - 1) {
    for (int i = first; i <= last; ++i) {
      const auto& row = tableau.a[static_cast<std::size_t>(i)];
      T c{};
      for (const Ratio& a : row) c += a.template as<T>();
      State<D, T>& y = i == 0 ? s : stage_;
      if (i > 0) {
        stage_ = s;  // same size: copies, allocates nothing
        for (int j = 0; j < i; ++j)
          if (!row[static_cast<std::size_t>(j)].zero())
            add(stage_, k_[static_cast<std::size_t>(j)], h * row[static_cast<std::size_t>(j)].template as<T>());
      }
      system.rates(t + c * h, y, k_[static_cast<std::size_t>(i)], i == 0);
      ++this->force_calls;
    }
  }

  /// y += h sum b_i k_i
  void advance(State<D, T>& s, const T& h) {
    for (int i = 0; i < S; ++i)
      if (!tableau.b[static_cast<std::size_t>(i)].zero())
        add(s, k_[static_cast<std::size_t>(i)], h * tableau.b[static_cast<std::size_t>(i)].template as<T>());
    for_each_number<T>(s.size(), [&](std::size_t i) { s.q[i] = unit_turn(s.q[i]); });
  }

  State<D, T> stage_;
  std::array<State<D, T>, static_cast<std::size_t>(S)> k_;
};

/// A tableau with the step of the run.
template <int D, class T, const auto& tableau>
class RungeKutta final : public Stages<D, T, tableau> {
 public:
  static constexpr Method about{tableau.name, tableau.order, tableau.order,
                                std::remove_cvref_t<decltype(tableau)>::stages, tableau.source};
  const Method& method() const override { return about; }
  void start(System<D, T>&, State<D, T>& s, const T&, const T&) override { this->make_room(s); }
  void step(System<D, T>& system, State<D, T>& s, const T& t, const T& h) override {
    this->make_room(s);
    this->evaluate(system, s, t, h);
    this->advance(s, h);
  }
};

}  // namespace scree
