// SPDX-License-Identifier: BSD-3-Clause
/// y'' = f(y) as a system of one grain that moves along x, so that every integrator of the registry,
/// in every number type, runs on an equation that is no contact.
#pragma once

#include "scree/integrators/system.hpp"

namespace scree {

template <class T, class F> class ScalarSystem final : public System<2, T> {
 public:
  explicit ScalarSystem(F f) : f_(std::move(f)) {}

  void forces(const T&, State<2, T>& s, Accelerations<2, T>& out, SpringMove<T>) override {
    out.resize(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
      out.a[i] = {f_(s.x[i][0]), T(0)};
      out.alpha[i] = {};
    }
  }
  void rates(const T&, State<2, T>& s, State<2, T>& dot, bool) override {
    dot = s;
    for (std::size_t i = 0; i < s.size(); ++i) {
      dot.x[i] = s.v[i];
      dot.v[i] = {f_(s.x[i][0]), T(0)};
      dot.q[i] = turn_rate(s.q[i], s.w[i]);
      dot.w[i] = {};
      dot.e[i] = {};
    }
  }

  /// One grain at y with velocity v.
  static State<2, T> start(const T& y, const T& v) {
    State<2, T> s;
    s.resize(1);
    s.x[0] = {y, T(0)};
    s.v[0] = {v, T(0)};
    s.q[0] = no_turn<2, T>();
    s.w[0] = {};
    s.e[0] = {};
    return s;
  }

 private:
  F f_;
};

}  // namespace scree
