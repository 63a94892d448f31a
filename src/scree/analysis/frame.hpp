// SPDX-License-Identifier: BSD-3-Clause
/// A frame: one instant of a run in grain-id order, as it is recorded and analysed. Plain arrays
/// of doubles, whatever the run's number type: the low words of a double-double run travel in the
/// `*_lo` arrays, empty otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// Energies in J. `normal` ... `drag` and `work` are integrated over time; the others are states.
struct Energies {
  double kinetic = 0, rotational = 0, potential = 0, elastic = 0;
  double normal = 0, tangential = 0, rolling = 0, drag = 0;  // dissipated, by cause
  double work = 0;                                           // done by moving walls and prescribed forces
  double initial = 0;                                        // mechanical energy at t = 0
  double mechanical() const { return kinetic + rotational + potential + elastic; }
  double dissipated() const { return normal + tangential + rolling + drag; }
  /// What the ledger cannot account for: E - E0 + dissipated - work.
  double balance_error() const { return mechanical() - initial + dissipated() - work; }
};

/// Contacts of a frame, sorted by (id1, id2), id1 < id2. A wall k counts as the partner id -(k+1).
struct FrameContacts {
  std::vector<std::int64_t> id1, id2;
  std::vector<double> overlap;
  std::vector<double> force;   // dim per contact: the force on id1
  std::vector<double> point;   // dim per contact: where it acts
  std::vector<double> branch;  // dim per contact: from the centre of id1 to that of id2 (wall: to the point)
  std::vector<double> spring;  // tangential spring: 1 (plane) or 3 (space) per contact
  std::size_t size() const { return id1.size(); }
};

struct Frame {
  int dim = 2;
  double time = 0, time_lo = 0;
  std::int64_t step = 0;
  std::vector<std::int64_t> id;
  std::vector<double> x, v;       // dim per grain
  std::vector<double> q, w;       // 1 or 4, 1 or 3 per grain
  std::vector<double> radius, mass, inertia;
  std::vector<std::int64_t> material, group;
  std::vector<std::uint8_t> held;
  std::vector<std::int64_t> shape;  // 0: round, k: the k-th outline of the run, counted from 1; empty: all are round
  std::vector<double> x_lo, v_lo, q_lo, w_lo, radius_lo;
  bool has_contacts = false;
  FrameContacts contacts;
  Energies energies;
  std::size_t size() const { return id.size(); }
};

}  // namespace scree
