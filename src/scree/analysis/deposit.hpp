// SPDX-License-Identifier: BSD-3-Clause
/// What a collapse leaves behind: its main body, head height, run-out and surface.
///
/// s is the distance along the flow: x from a wall at x = 0 or, of a round column, the distance from
/// the z axis; the last coordinate is the height z over the floor (tops of the floor's grains) at
/// z = 0. Lengths are in m.
///
///   main body   free grains that hang together: of all sets of grains connected by gaps of less
///               than `touch` mean radii, the largest. Held grains do not connect, so grains that
///               rolled away over a floor of grains are left out, alone or in clumps
///   head        highest point of the main body in the first slice of one mean diameter: grains at
///               the wall or in the hollow beside one. (With grains in contact with the wall alone,
///               as the thesis has it, one that bridges a gap makes the head a grain lower.)
///   run-out     farthest point of the main body among grains that touch the floor; in space the
///               mean over lanes (strips along the flow, sectors of a round deposit)
///   surface     in slices of one mean diameter along s, the highest point of the main body; in
///               space the mean over lanes
///
/// Otherwise the definitions of the thesis (seed 003, section 2.2.1) in the plane; lanes are ours.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scree/analysis/frame.hpp"

namespace scree {

struct DepositRules {
  bool round = false;    // s is the distance from the z axis
  double touch = 0.1;    // mean radii
  double depth = 0;      // m, of a channel in space along y from 0; 0: from the grains
};

struct Point2 {
  double s = 0, z = 0;
};

struct Deposit {
  std::vector<std::uint8_t> body;  // per grain of the frame: part of the main body
  std::int64_t grains = 0;         // of the main body
  double mean_radius = 0;          // of the free grains
  double head = 0, runout = 0;     // m
  std::vector<Point2> surface;     // from the wall outwards
};

/// Mean radius of the free grains; 0 if there are none.
double mean_free_radius(const Frame& frame);

/// The largest set of connected free grains, as flags per grain. Of sets of equal size the one with
/// the lowest id.
std::vector<std::uint8_t> main_body(const Frame& frame, double gap);

Deposit measure_deposit(const Frame& frame, const DepositRules& rules);

/// The Bézier curve with these control points, as gnuplot's `smooth bezier` draws it: at `samples`
/// equal steps of its parameter, by de Casteljau's rule. It begins and ends in the first and the
/// last point.
std::vector<Point2> bezier(const std::vector<Point2>& control, std::size_t samples);

/// Height of a polyline at s; 0 beyond its ends. Points ascend in s.
double height_at(const std::vector<Point2>& line, double s);

}  // namespace scree
