// SPDX-License-Identifier: BSD-3-Clause
/// Prescribed motion of walls and of held grains, as a closed form of time: a restart needs no
/// memory of it and no error accumulates.
///
/// A motion is a list of moves. Each acts during its own window [from, until], and the place of a
/// point is found by applying the moves to its home in the order of the list, each for the part of
/// its window that has passed. Windows that follow each other therefore give one motion after the
/// other; windows that overlap compose.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "scree/core/fields.hpp"
#include "scree/core/vec.hpp"

namespace scree {

inline constexpr double forever = std::numeric_limits<double>::infinity();

enum class MoveKind { translate, rotate, shrink, oscillate };

/// One move. `translate`: velocity. `rotate`: rate [rad/s] about `centre` (in space about `axis`).
/// `shrink`: every point approaches `centre` at `rate` [m/s] (negative: grows). `oscillate`:
/// displacement amplitude sin(2 pi frequency t).
template <int D>
struct Move {
  MoveKind kind = MoveKind::translate;
  double from = 0, until = forever;
  Vec<D, double> velocity{};
  Vec<D, double> centre{};
  Vec<3, double> axis{0, 0, 1};
  double rate = 0;
  Vec<D, double> amplitude{};
  double frequency = 0;
};

/// Place, velocity, turn and spin of a point that a motion carries.
template <int D, class T>
struct Carried {
  Vec<D, T> x{}, v{};
  Turn<D, T> q = no_turn<D, T>();
  Spin<D, T> w{};
  T shrunk{};       // by how much distances to the last shrink's centre have been reduced
  T shrink_rate{};  // and how fast
};

template <int D, class T>
Carried<D, T> carry(const std::vector<Move<D>>& moves, const Vec<D, T>& home, const T& t);

}  // namespace scree
