// SPDX-License-Identifier: BSD-3-Clause
/// One collapse, from the filled box to the deposit at rest: the preparation of the thesis (seed 003,
/// section 2.2.2).
///
///   1. a box filled from a perturbed lattice comes to rest ([prepare] of the scene; kept in the cache)
///   2. grains that reach above the wanted height are taken away
///   3. 1000 steps behind the gate, for the rest to decompress
///   4. the gate is gone, and the column collapses until its main body rests
///
/// The measured column is kept in the cache under the scene, the height and the program, byte for
/// byte, so that a study that was killed goes on with the column it was at.
#pragma once

#include <string>
#include <vector>

#include "scree/analysis/deposit.hpp"
#include "scree/run/scene.hpp"

namespace scree {

/// What to do with a scene. Its gate is the wall called "gate", with until = 0.
struct CollapseOrder {
  double height = 0;        // m, to which the column is trimmed
  double foot = 0;          // m, width (round: radius) of the column
  DepositRules rules;
  std::int64_t relax = 1000;  // steps
  double rest = 1e-2;       // of m g r: it rests when no grain of the main body has more kinetic energy,
                            // and only one in a hundred more than a tenth of that
  double time = 0;          // s, at most
};

enum class Shape { trapezoid, triangle };

struct Collapsed {
  std::int64_t grains = 0;   // of the trimmed column
  double mean_radius = 0;    // m
  double h0 = 0, l0 = 0;     // m, of the column before the gate goes
  double h_inf = 0, l_inf = 0;  // m, of the deposit
  double time = 0;           // s, until rest
  double overlap = 0;        // largest, over the smaller radius
  bool rests = false;        // false: the time was up
  std::int64_t left_out = 0; // grains outside the main body
  std::vector<Point2> surface, column;  // of the deposit; of the column

  double aspect() const { return h0 / l0; }
  double head() const { return h0 / h_inf; }             // normalised, of Balmforth and Kerswell
  double runout() const { return (l_inf - l0) / l0; }    // normalised
};

/// How far from the wall the surface has sunk by less than `sunk`, from the smoothed lines of column
/// and deposit; at most `end`.
double plateau_of(const std::vector<Point2>& column, const std::vector<Point2>& deposit, double sunk, double end);

/// The same over the column's width, for a mean diameter: part of the top that has hardly moved.
double plateau_of(const Collapsed&);

/// A trapezoid keeps a part of its flat top, a tenth of the column's width at least; a triangle does
/// not.
Shape shape_of(const Collapsed&);

/// The scene is one in double with [prepare]. Throws RunError on a fault.
Collapsed collapse(const AnyScene& scene, const CollapseOrder& order);

}  // namespace scree
