// SPDX-License-Identifier: BSD-3-Clause
/// One front in a chain hit by a piston, held against the front of a logarithmic equation (fronts.hpp).
///
/// Behind the front beads move with the piston, V, and press on each other by δ. Each bead that the front reaches
/// takes up m V and δ of the way, so c V = δ^a and c δ = V: δ = V^{2/(a+1)}, c = δ^{(a-1)/2}.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/studies/chain_scheme.hpp"
#include "scree/studies/study.hpp"

namespace scree {

/// One chain and what it is held against.
struct Front {
  bool burgers = true;
  double a = 1.5, gamma = 1, mu = 0;  // mu: of the KdV-Burgers equation, from which its gamma follows
  double beads = 0;                   // that the front shall have passed
  std::string scheme = "kk-theta:third";
  // found
  double step = 0;                 // s
  double scale = 0;                // of (n - ct) in the variable of the equation
  double sup = 0, sup_before = 0;  // largest |y - Y|, Y placed at its best; of a chain of half the length, or NAN where that is too short
  double sup_at_level = 0;         // the same with Y placed where y = 1/e
  double highest = 0;              // max y
  double speed = 0;                // of the front, over c
  double seconds = 0;              // processor time
  /// What the same chain would have given had it been shorter: the contact that is looked at, and sup there.
  struct Reached {
    double bead = 0, sup = 0, sup_at_level = 0;
  };
  std::vector<Reached> course;  // with rising bead; the last is that of this chain
  std::vector<double> place, y, theory;
  std::vector<double> t;  // of y, falling
  std::int64_t steps = 0;
  std::string fault;

  static Front of_burgers(double a, double gamma);
  static Front of_kdv(double a, double mu);
  std::string equation() const { return burgers ? "log-Burgers" : "log-KdV-Burgers"; }
};

/// How many beads a front is given to take its form.
enum class Patience { quick, sweep, full };
double beads_for(const Front& f, Patience patience);

/// Runs a chain of scene `base` (with the settings' --set) until the front has passed; `fault` says if it has not.
void run_front(Front& f, const StudySettings& s, const std::string& base);

}  // namespace scree
