// SPDX-License-Identifier: BSD-3-Clause
/// A world: grains, walls, materials and the space they live in. It says what there is and knows
/// neither laws nor time steps.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/grains/gates.hpp"
#include "scree/grains/grains.hpp"
#include "scree/grains/motion.hpp"
#include "scree/grains/servo.hpp"

namespace scree {

enum class Body { sphere, disc };

/// What a grain or a wall is made of. Units are SI.
struct Material {
  std::string name;
  double density = 0;        // kg/m^3
  Body body = Body::sphere;  // sphere: m = 4/3 pi r^3 rho, I = 2/5 m r^2; disc: pi r^2 h rho, 1/2 m r^2
  double height = 0;         // of a disc or of the prism over a polygon, m
  double young = 0;          // Pa; 0: not given
  double poisson = 0.3;
};

enum class WallKind { plane, ring, segment, sheet };

/// A wall: a body of infinite mass whose surface is met by the nearest point.
/// plane: `point` and unit `normal`, which points to the grains' side.
/// ring: a circle (in space a cylinder about `axis`) of `radius` about `point`; `inside`: the grains are inside.
/// segment: from `point` to `end`, solid on both sides (in space a straight edge).
/// sheet: a plane that is solid on both sides, with a round hole of `radius` about `point`.
template <int D>
struct Wall {
  WallKind kind = WallKind::plane;
  std::string name;
  Vec<D, double> point{}, normal{}, end{};
  Vec<3, double> axis{0, 0, 1};
  double radius = 0;
  bool inside = true;
  std::uint16_t material = 0;
  double from = -forever, until = forever;  // it exists for from <= t < until
  std::vector<Move<D>> motion;
  Servo<D> servo;  // of a plane, along its normal
};

/// A prescribed force or torque on the grains of a group: constant + amplitude sin(2 pi frequency t + phase),
/// between two times.
template <int D>
struct Push {
  Vec<D, double> force{};                       // N
  Vec<D, double> force_amplitude{};             // N
  Vec<spin_size<D>, double> torque{};           // N m
  Vec<spin_size<D>, double> torque_amplitude{}; // N m
  double frequency = 0;  // Hz
  double phase = 0;      // rad
  double from = -forever, until = forever;
};

/// What the grains of one [[grains]] block share.
template <int D>
struct Group {
  std::string name;
  std::vector<Move<D>> motion;              // of its held grains
  double from = -forever, until = forever;  // its grains exist for from <= t < until
  std::vector<Push<D>> pushes;
  double attachment = 0;   // N/m: spring of every grain to its home (0: none)
  double drag = 0;         // kg/s per metre of radius: force -drag r v (0: none)
  Servo<D> servo;          // of its held grains, as one rigid body
};

/// Simple shear of a periodic box after Lees and Edwards (J. Phys. C 5, 1921, 1972): v_x grows by `rate` times
/// the period along y from one image to the next one above. 0: none.
struct Shear {
  double rate = 0;       // 1/s
  double from = 0;       // s
  bool profile = false;  // grains start with v_x = rate (y - middle) on top of their own velocity
};

template <int D>
struct Domain {
  std::array<bool, static_cast<std::size_t>(D)> periodic{};
  Vec<D, double> lo{}, hi{};     // the period where periodic; elsewhere only where `bounded`
  bool bounded = false;          // a grain whose centre leaves [lo, hi] on an axis that is not periodic has escaped
  Vec<D, double> gravity{};      // m/s^2
  double gravity_rate = 0;       // rad/s: gravity turns in the x-y plane (a drum seen from its wall)
  double damping = 0;            // 1/s: global damping, a = -damping v and likewise for the spin
  Shear shear;                   // Lees-Edwards: the image one period up along y moves along x
};

/// Grains that may fall asleep (engines/sleep.cpp): with a kinetic energy below `below` m g r for `after`. 0: nobody does.
struct Sleep {
  double below = 0;
  double after = 0;  // s
  static constexpr std::uint8_t looks = 8;  // within `after`
  static constexpr std::uint8_t asleep = 255;
  bool on() const { return below > 0; }
};

/// How a grain moves when it appears.
template <int D, class T>
struct Birth {
  std::uint32_t id;
  Vec<D, T> v;
  Spin<D, T> w;
};

template <int D, class T>
struct World {
  Grains<D, T> grains;
  State<D, T> state;
  std::vector<Material> materials;
  std::vector<GrainShape> shapes;  // of angular grains
  std::vector<Wall<D>> walls;
  std::vector<Group<D>> groups;
  std::vector<Birth<D, T>> births;  // of the grains of groups with a window, by id
  std::vector<Inlet<D>> inlets;
  std::vector<Outlet<D>> outlets;
  std::vector<Tally<T>> let_in, let_out;  // by inlet and by outlet, so far
  std::uint32_t next_id = 0;              // of the next grain to come in; ids are never used twice
  Vec<Ledger::size, T> retired{};         // the ledger of the grains that have left
  std::vector<Servoed<T>> servoed;        // of walls, then of groups; empty if no servo acts
  Domain<D> domain;
  Sleep sleep;
};

}  // namespace scree
