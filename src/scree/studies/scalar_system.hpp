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

  /// The force as a bond of each grain with a wall. Newton's method asks for a slope: a difference quotient will do.
  void bonds(const T&, State<2, T>& s, Bonds<2, T>& out) override {
    out = {};
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double y = static_cast<double>(s.x[i][0]), e = 1e-6 * (1 + std::fabs(y));
      Bond<2, T> bond;
      bond.i = static_cast<std::uint32_t>(i);
      bond.force = {f_(s.x[i][0]), T(0)};
      bond.slope = -static_cast<double>(f_(T(y + e)) - f_(T(y - e))) / (2 * e);
      bond.stiffness[0] = static_cast<double>(bond.slope);
      out.list.push_back(bond);
      out.place.push_back(bond.i);
      out.mass.push_back(T(1));
      out.body.push_back({});
      out.tether.push_back(T(0));
      out.drag.push_back(T(0));
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
