// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/collapse_scene.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 3e-3, spread = 0.1, least = radius * (1 - spread);  // m
constexpr double gravity = 9.81;                                              // m/s²
constexpr int rows = 10;  // of the floor of a channel, across: even, so that it fits its period
/// Filled part of the area (spheres in a plane) or the volume of a settled column, its rough edges included.
constexpr double packed_area = 0.78, packed_volume = 0.56;

/// Rows of a triangular lattice of the least grains.
double channel_depth() { return rows * std::sqrt(3.0) * least; }

/// Width of the foot; of a cylinder its radius.
double foot_of(const CollapseCase& c) {
  const auto n = static_cast<double>(c.grains);
  // Means of r² and r³ over a uniform spread.
  const double r2 = radius * radius * (1 + spread * spread / 3), r3 = radius * radius * radius * (1 + spread * spread);
  switch (c.geometry) {
    case CollapseGeometry::plane: return std::sqrt(n * pi * r2 / packed_area / c.aspect);
    case CollapseGeometry::dam: return std::sqrt(n * 4 / 3 * pi * r3 / packed_volume / c.aspect / channel_depth());
    case CollapseGeometry::cylinder: return std::cbrt(n * 4 / 3 * r3 / packed_volume / c.aspect);
  }
  return 0;
}

std::string head_text(const CollapseCase& c, double foot) {
  const bool space = c.geometry != CollapseGeometry::plane;
  std::string text = fmt::format(R"([scene]
name = "collapse, a = {0}"
dim = {1}
seed = {2}

[domain]
gravity = [0.0, {3}-{4}]           # m/s^2
)",
                                 brief(c.aspect), space ? 3 : 2, c.seed, space ? "0.0, " : "", gravity);
  if (c.geometry == CollapseGeometry::dam)
    text += fmt::format("periodic = [false, true, false]\nbox = [[-1.0, 0.0, -1.0], [{}, {}, 10.0]]\n",
                        shortest(100 * foot), shortest(channel_depth()));
  return text + R"(
[material.grain]                 # table 2.4
density = 1300.0                 # kg/m^3

[material.wall]
)";
}

/// More grains than are needed: the top is trimmed, and it should be flat. `across` is the number of
/// grains in one layer.
std::int64_t filling(const CollapseCase& c, double across) {
  return static_cast<std::int64_t>(std::ceil(1.1 * static_cast<double>(c.grains) + 2 * across));
}

/// The walls; `spot` closes a point or normal in space.
std::string plane_walls(double foot, const char* spot) {
  return fmt::format(R"(
[[walls]]
name = "left"
kind = "plane"
material = "wall"
point = [0.0, 0.0{1}]
normal = [1.0, 0.0{1}]

[[walls]]                        # gone when the column is let go
name = "gate"
kind = "plane"
material = "wall"
point = [{0}, 0.0{1}]
normal = [-1.0, 0.0{1}]
until = 0.0
)",
                     shortest(foot), spot);
}

/// The floor in space: a triangular lattice of fixed grains of the least radius, far enough for every grain.
std::string lattice_floor(std::int64_t along, std::int64_t across, double x, double y) {
  return fmt::format(R"(
[[grains]]                       # the floor, far enough for every grain
name = "floor"
build = "lattice"
kind = "hexagonal"
material = "grain"
radius = {0}
spacing = {1}
counts = [{2}, {3}, 1]
origin = [{4}, {5}, -{0}]
fixed = true
)",
                     least, 2 * least, along, across, shortest(x), shortest(y));
}

std::string grains_text(const CollapseCase& c, double foot) {
  const double height = c.aspect * foot, reach = foot + 4 * height + 40 * radius;  // m
  const auto along = static_cast<std::int64_t>(std::ceil(reach / (2 * least)));
  std::string column = fmt::format(R"(
[[grains]]
name = "column"
build = "column"
material = "grain"
radius = {{ mean = {}, spread = {} }}  # m
)",
                                   radius, spread);
  switch (c.geometry) {
    case CollapseGeometry::plane:
      return column + fmt::format(R"(count = {0}                     # trimmed to about {1}
width = {2}                      # m

[[grains]]                       # the floor, far enough for every grain
name = "floor"
build = "line"
material = "grain"
radius = {3}
start = [0.0, -{3}]
end = [{4}, -{3}]
fixed = true
)",
                                  filling(c, foot / (2 * radius)), c.grains, shortest(foot), least, shortest(reach)) +
             plane_walls(foot, "");
    case CollapseGeometry::dam:
      return column + fmt::format(R"(count = {0}                     # trimmed to about {1}
width = {2}                      # m
depth = {3}
)",
                                  filling(c, foot * channel_depth() / (4 * radius * radius)), c.grains,
                                  shortest(foot), shortest(channel_depth())) +
             lattice_floor(along, rows, 0, 0) + plane_walls(foot, ", 0.0");
    case CollapseGeometry::cylinder: {
      // Round columns spread less far, but to all sides.
      const double far = foot * (1 + 2 * std::sqrt(c.aspect)) + 20 * radius;
      const auto nx = static_cast<std::int64_t>(std::ceil(far / least)),
                 ny = static_cast<std::int64_t>(std::ceil(2 * far / (std::sqrt(3.0) * least)));
      return column + fmt::format(R"(count = {0}                     # trimmed to about {1}
width = {2}                      # m
depth = {2}
origin = [-{3}, -{3}, 0.0]
round = true
)",
                                  filling(c, pi * foot * foot / (4 * radius * radius)), c.grains, shortest(2 * foot),
                                  shortest(foot)) +
             lattice_floor(nx, ny, -static_cast<double>(nx) * least, -static_cast<double>(ny) * std::sqrt(0.75) * least) +
             fmt::format(R"(
[[walls]]                        # gone when the column is let go
name = "gate"
kind = "ring"
material = "wall"
radius = {}
until = 0.0
)",
                         shortest(foot));
    }
  }
  return {};
}

}  // namespace

std::string collapse_scene(const CollapseCase& c) {
  const double foot = foot_of(c), wide = c.geometry == CollapseGeometry::cylinder ? 2 * foot : foot;
  constexpr double narrowest = 4, lowest = 2;  // mean diameters
  if (wide < narrowest * 2 * radius || c.aspect * foot < lowest * 2 * radius)
    throw InputError(fmt::format(
        "{} grains are too few for a column of height over width {}: it would be {:.1f} grains wide and {:.1f} high; "
        "expected at least {} and {}",
        c.grains, brief(c.aspect), wide / (2 * radius), c.aspect * foot / (2 * radius), narrowest, lowest));
  const double k = 7.3e7 / c.soften, g = 0.35 / std::pow(c.soften, 0.4);
  const double ratio = c.table_springs ? 2.0 / 7 / std::sqrt(c.soften) : 0.005 * std::pow(c.soften, 0.2);
  return head_text(c, foot) + grains_text(c, foot) + fmt::format(R"(
[contact]                        # table 2.4{0}
normal = {{ law = "hertz-linear", k = {1}, g = {2} }}
tangential = {{ law = "cundall-strack", ratio = {5}, mu = 0.5 }}

[contact.grain-wall]
tangential = {{ law = {3} }}

[prepare]
time = 20.0                      # s, at most
rest = 1.0e-3                    # of m g r
damping = 2.0                    # 1/s

[run]
integrator = "velocity-verlet"
dt = "auto"
fraction = 0.15                  # of the shortest half period
time = {4}                       # s, at most
)",
                                                                 c.soften == 1 ? "" : fmt::format(", {} times softer at the same restitution", brief(c.soften)),
                                                                 shortest(k), shortest(g),
                                                                 c.wall_mu > 0 ? fmt::format("\"cundall-strack\", ratio = {}, mu = {}", shortest(ratio), shortest(c.wall_mu))
                                                                               : std::string("\"none\""),
                                                                 shortest(collapse_order(c).time), shortest(ratio));
}

CollapseOrder collapse_order(const CollapseCase& c) {
  CollapseOrder o;
  o.foot = foot_of(c);
  o.height = c.aspect * o.foot;
  o.rules.round = c.geometry == CollapseGeometry::cylinder;
  if (c.geometry == CollapseGeometry::dam) o.rules.depth = channel_depth();
  // The flow takes some three falls through the height, and its end some falls through the base.
  o.time = 12 * std::sqrt(std::max(o.height, o.foot) / gravity) + 1;
  return o;
}

}  // namespace scree
