// SPDX-License-Identifier: BSD-3-Clause
/// Bonds as they were when a step began beside those of its end: each with its partner, also where it touches at one
/// end only.
#pragma once

#include <tuple>
#include <vector>

#include "scree/integrators/system.hpp"

namespace scree {

/// Where and when a step begins (x0 at t) and ends (s.x at t + h).
template <int D, class T>
struct StepEnds {
  System<D, T>& system;
  const State<D, T>& s;
  const Column<Vec<D, T>>& x0;
  T t, h;
};

template <int D, class T>
class BondsOverStep {
 public:
  /// Takes the bonds of the beginning out of the list, which the first trial writes anew.
  void start(Bonds<D, T>& bonds) { was_.swap(bonds.list); }

  /// f(a, b, touching, hidden) of every bond, in the order of ids: a at the beginning, b at the end, `touching` one of the
  /// two that touches. Where the other does not, its overlap is what it is there, and `hidden` by how much it is above 0
  /// nevertheless: rounding, or something that has come or gone within the step.
  template <class F>
  void each(const StepEnds<D, T>& ends, const Bonds<D, T>& now, F&& f) const {
    const auto key = [](const Bond<D, T>& b) { return std::tuple{b.i, b.j, b.wall}; };
    T hidden{};
    const auto elsewhere = [&](const Bond<D, T>& b, bool later) {
      Bond<D, T> other = at_end(ends, now, b, later);
      hidden = other.overlap > T(0) ? other.overlap : T(0);
      if (other.overlap > T(0)) other.overlap = T(0);
      return other;
    };
    auto a = was_.begin();
    auto b = now.list.begin();
    while (a != was_.end() || b != now.list.end()) {
      if (b == now.list.end() || (a != was_.end() && key(*a) < key(*b))) {
        const Bond<D, T> later = elsewhere(*a, true);
        f(*a, later, *a, hidden);
        ++a;
      } else if (a == was_.end() || key(*b) < key(*a)) {
        const Bond<D, T> before = elsewhere(*b, false);
        f(before, *b, *b, hidden);
        ++b;
      } else {
        f(*a, *b, *b, T(0));
        ++a, ++b;
      }
    }
  }

 private:
  /// A bond that touches at one end of the step, at the other.
  Bond<D, T> at_end(const StepEnds<D, T>& ends, const Bonds<D, T>& now, const Bond<D, T>& b, bool later) const {
    Bond<D, T> other;
    other.gamma = b.gamma;
    const auto move_of = [&](std::uint32_t rank) { return ends.s.x[now.place[rank]] - ends.x0[now.place[rank]]; };
    if (b.j == Bond<D, T>::nobody) {
      const auto place = ends.system.wall_place(later ? ends.t + ends.h : ends.t, b.wall, b.i, (later ? ends.s.x : ends.x0)[now.place[b.i]]);
      other.overlap = place.overlap;
      other.normal = place.normal;
    } else {
      const Vec<D, T> move = move_of(b.j) - move_of(b.i), r = b.normal * b.distance + (later ? move : -move);
      other.distance = norm(r);
      other.normal = r * (T(1) / other.distance);
      other.overlap = b.overlap + (b.distance - other.distance);
    }
    return other;
  }

  std::vector<Bond<D, T>> was_;
};

}  // namespace scree
