// SPDX-License-Identifier: BSD-3-Clause
/// Cells of the Taylor-Couette kind that differ in their random numbers: how the velocity decays from the inner wall, and how the packing there
/// changes when the wall begins to turn. A start is one measurement: cells that begin from the same state (at several speeds) are averaged
/// first, and errors are those of the mean over starts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/analysis/moments.hpp"
#include "scree/analysis/radial_profile.hpp"

namespace scree {

/// The ruler, the same for all cells and times.
struct CellRuler {
  double lo = 0, hi = 0;        // m: inner and outer edge
  std::size_t rings = 48;       // of the velocity
  double diameter = 0;          // m, of the small discs; the packing is taken in quarters of it, from the inner edge on
  std::vector<double> windows;  // rad: where windows of the wall's turn end; the first begins at 0
  std::size_t quarters() const;
};

class ShearedCell {
 public:
  /// `wall_speed` (m/s) is what velocities are divided by.
  ShearedCell(const CellRuler& ruler, double wall_speed);
  /// A frame after the inner wall has turned by so much (rad); at 0 the state before the shear. Beyond the last window it does not count.
  void observe(const Frame& frame, double turn);

  const CellRuler& ruler() const { return ruler_; }
  std::size_t frames(std::size_t window) const { return packing_[window].frames(); }
  /// Velocities over that of the wall in the last window.
  std::vector<RadialProfile::Row> velocities() const;
  /// Area of the discs over that of the band, from `from` to `to` small diameters off the inner edge (whole quarters); window 0 is before the
  /// shear. NaN without frames.
  double packing(std::size_t window, double from, double to) const;

 private:
  CellRuler ruler_;
  double wall_speed_;
  RadialProfile velocity_;
  std::vector<RadialProfile> packing_;
};

/// Cells by their starts.
using CellStarts = std::vector<std::vector<const ShearedCell*>>;

struct CellsDecay {
  std::vector<RadialProfile::Row> rows;  // the mean over starts
  std::vector<double> error;             // standard error of their velocity
  Decay fit;
  DecayInterval interval;                // of the length, by a bootstrap over starts
  std::vector<double> lengths;           // of each start, m
};
/// The rule of export --radial: from `skip` (m) off the inner edge until the velocity has fallen to `floor`.
CellsDecay decay_of_cells(const CellStarts& starts, double floor, double skip);

/// "shown": correlation below -0.98 and the whole interval between 1 and 3 diameters; "within": only the estimate is; "outside"; "not log-linear".
const char* decay_verdict(const Decay& fit, const DecayInterval& interval, double diameter);

struct PackingChange {
  Moments before, after, change;
  std::size_t starts = 0;
  double in_errors() const { return change.stderr_ > 0 ? change.mean / change.stderr_ : 0; }
  /// "dilates" and "compacts" from three standard errors on, else "no change is seen".
  const char* verdict() const;
};
PackingChange packing_change(const CellStarts& starts, std::size_t window, double from, double to);

}  // namespace scree
