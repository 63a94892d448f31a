// SPDX-License-Identifier: BSD-3-Clause
/// [domain], [[walls]] and prescribed motion.
#include <algorithm>
#include <cmath>

#include "scree/run/read_parts.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

template <int D> Corners<D> read_corners(TomlTable& table, const char* key) {
  const auto value = table.at(key, "two corners, [[low], [high]], in m");
  if (value.size() != 2) value.expected("two corners, [[low], [high]], in m");
  const auto box = TomlRead<Corners<D>>::read(value, {any, "m"});
  try {
    check_box<D>(box, key);
  } catch (const BuildError& error) {
    value.fail(error.what());
  }
  return box;
}

template <int D> Vec<D, double> read_direction(TomlTable& table, const char* key) {
  const auto n = table.required<Vec<D, double>>(key);
  double largest = 0;
  for (int k = 0; k < D; ++k) largest = std::max(largest, std::abs(n[k]));
  if (largest == 0) table.fail_at(key, "expected a vector that is not zero");
  const Vec<D, double> scaled = n * (1 / largest);
  const double length = norm(scaled);
  if (!std::isfinite(1 / largest) || !std::isfinite(length))
    table.fail_at(key, "expected a vector of common size");
  return scaled * (1 / length);
}

namespace {

Vec<3, double> read_axis(TomlTable& table) {
  return table.has("axis") ? read_direction<3>(table, "axis") : Vec<3, double>{0, 0, 1};
}

/// The side of a box that points along +-axis.
template <int D> std::string side_name(int axis, bool high) {
  if (axis == D - 1) return high ? "top" : "bottom";
  if (axis == 0) return high ? "right" : "left";
  return high ? "back" : "front";
}

}  // namespace

void read_window(TomlTable& block, const NamedTimes& times, double& from, double& until) {
  const auto read = [&](const char* key, double& t) {
    const auto value = block.find(key);
    if (!value) return;
    if (!value->is_string()) {
      t = value->number({any, "s"});
      return;
    }
    std::vector<std::string> names;
    for (const NamedTime& one : times) names.push_back(one.name);
    const std::string& name = value->one_of("a number in s, or a phase", names);
    for (const NamedTime& one : times)
      if (one.name == name) t = one.time;
  };
  read("from", from);
  read("until", until);
  if (!(from < until))
    block.fail_at("until",
                  "expected a time after from = " + brief(from) + " s, found " + brief(until));
}

template <int D> std::vector<Move<D>> read_motion(TomlTable& block, const NamedTimes& times,
                                                  std::vector<RingTarget>* targets) {
  std::vector<Move<D>> moves;
  for (TomlTable& one : block.tables("motion")) {
    Move<D> move;
    const std::string kind = one.at("move", "a move (translate, rotate, shrink, oscillate)")
                                 .one_of("a move", {"translate", "rotate", "shrink", "oscillate"});
    one.set_label(kind);
    read_window(one, times, move.from, move.until);
    if (kind == "translate") {
      move.kind = MoveKind::translate;
      move.velocity = one.required<Vec<D, double>>("velocity", {any, "m/s"});
    } else if (kind == "rotate") {
      move.kind = MoveKind::rotate;
      move.rate = one.required<double>("rate", {any, "rad/s"});
      move.centre = one.get("centre", move.centre, {any, "m"});
      if constexpr (D == 3) move.axis = read_axis(one);
    } else if (kind == "shrink") {
      move.kind = MoveKind::shrink;
      if (const auto onto = one.find("onto")) {
        if (!targets) onto->fail("only a wall of kind ring shrinks onto grains; expected a rate");
        if (one.has("rate")) one.fail_at("rate", "given beside \"onto\"; expected one of them");
        if (!std::isfinite(move.from) || !std::isfinite(move.until))
          one.fail("\"onto\" needs to know how long it takes; expected from and until");
        targets->push_back({0, moves.size(), one, onto->string()});
      } else {
        move.rate = one.required<double>("rate", {any, "m/s"});
      }
      move.centre = one.get("centre", move.centre, {any, "m"});
    } else {
      move.kind = MoveKind::oscillate;
      move.amplitude = one.required<Vec<D, double>>("amplitude", {any, "m"});
      move.frequency = one.required<double>("frequency", {positive, "Hz"});
    }
    one.finish();
    moves.push_back(move);
  }
  return moves;
}

template <int D> Domain<D> read_domain(TomlTable& root, std::vector<std::string>& warnings) {
  Domain<D> domain;
  auto table = root.table("domain");
  if (!table) return domain;
  bool any_periodic = false;
  if (const auto periodic = table->find("periodic")) {
    const std::string what = "an array of " + std::to_string(D) + " of true or false, one per axis";
    if (periodic->size() != std::size_t(D)) periodic->expected(what);
    for (std::size_t k = 0; k < std::size_t(D); ++k) {
      domain.periodic[k] = periodic->item(k).boolean();
      any_periodic = any_periodic || domain.periodic[k];
    }
  }
  domain.bounded = table->get("bounded", false);
  if (any_periodic || domain.bounded || table->has("box")) {
    const auto box = read_corners<D>(*table, "box");
    domain.lo = box[0];
    domain.hi = box[1];
    if (!any_periodic && !domain.bounded)
      warnings.push_back("domain.box has no effect: no axis is periodic and bounded is false");
  }
  domain.gravity = table->get("gravity", domain.gravity, {any, "m/s^2"});
  domain.gravity_rate = table->get("gravity_rate", 0.0, {any, "rad/s"});
  domain.damping = table->get("damping", 0.0, {non_negative, "1/s"});
  if (auto shear = table->table("shear")) {
    domain.shear.rate = shear->required<double>("rate", {any, "1/s"});
    domain.shear.from = shear->get("from", 0.0, {any, "s"});
    domain.shear.profile = shear->get("profile", false);
    shear->finish();
    if (domain.shear.rate != 0 && !(domain.periodic[0] && domain.periodic[1]))
      table->fail_at("shear", "shears along x from one image along y to the next; expected both axes periodic");
  }
  table->finish();
  return domain;
}

template <int D> std::vector<Wall<D>> read_walls(TomlTable& root,
                                                 const std::vector<Material>& materials,
                                                 const Domain<D>& domain,
                                                 const NamedTimes& times,
                                                 std::vector<TomlTable>& block_of,
                                                 std::vector<RingTarget>& targets) {
  std::vector<Wall<D>> walls;
  const std::vector<std::string> kinds{"plane", "box", "ring", "segment", "sheet"};
  std::size_t number = 0;
  auto blocks = root.tables("walls");
  if (blocks.size() > 10000) blocks[10000].fail("too many walls: expected at most 10000 blocks");
  for (TomlTable& block : blocks) {
    const std::string kind =
        block.at("kind", "a kind of wall (" + join(kinds) + ")").one_of("a kind of wall", kinds);
    block.set_label(kind);
    Wall<D> wall;
    wall.name = block.get<std::string>("name", "");
    const std::string own_name = wall.name;
    if (wall.name.empty()) wall.name = kind + " " + std::to_string(number);
    ++number;
    wall.material = read_material_name(block, materials, false);
    read_window(block, times, wall.from, wall.until);
    std::vector<RingTarget> aims;
    wall.motion = read_motion<D>(block, times, kind == "ring" ? &aims : nullptr);
    for (RingTarget& one : aims) {
      one.wall = walls.size();
      targets.push_back(std::move(one));
    }
    const auto put = [&](const Wall<D>& one) {
      walls.push_back(one);
      block_of.push_back(block);
    };
    if (kind == "plane") {
      wall.kind = WallKind::plane;
      wall.point = block.required<Vec<D, double>>("point", {any, "m"});
      wall.normal = read_direction<D>(block, "normal");
      wall.servo = read_servo(block, domain, times, &wall.normal);
      if (wall.servo.on)
        for (const Move<D>& move : wall.motion)
          if (move.kind == MoveKind::rotate) block.fail_at("servo", "a wall that turns cannot have a servo");
      put(wall);
    } else if (kind == "ring") {
      wall.kind = WallKind::ring;
      wall.point = block.get("centre", wall.point, {any, "m"});
      wall.radius = block.required<double>("radius", {positive, "m"});
      wall.inside = block.get("inside", true);
      if constexpr (D == 3) wall.axis = read_axis(block);
      put(wall);
    } else if (kind == "sheet") {
      wall.kind = WallKind::sheet;
      wall.point = block.required<Vec<D, double>>("point", {any, "m"});
      wall.normal = read_direction<D>(block, "normal");
      wall.radius = block.get("hole", 0.0, {non_negative, "m"});
      put(wall);
    } else if (kind == "segment") {
      wall.kind = WallKind::segment;
      wall.point = block.required<Vec<D, double>>("point", {any, "m"});
      wall.end = block.required<Vec<D, double>>("end", {any, "m"});
      if (!(norm(wall.end - wall.point) > 0))
        block.fail_at("end", "expected a point that is not the first one");
      put(wall);
    } else {
      const auto box = read_corners<D>(block, "box");
      std::vector<std::string> sides;
      for (int axis = 0; axis < D; ++axis)
        for (const bool high : {false, true}) sides.push_back(side_name<D>(axis, high));
      std::vector<std::string> open;
      if (const auto list = block.find("open")) {
        if (!list->is_array()) list->expected("an array of sides (" + join(sides) + ")");
        for (std::size_t k = 0; k < list->size(); ++k)
          open.push_back(list->item(k).one_of("a side", sides));
      }
      for (int axis = 0; axis < D; ++axis)
        for (const bool high : {false, true}) {
          const std::string side = side_name<D>(axis, high);
          if (std::find(open.begin(), open.end(), side) != open.end()) continue;
          Wall<D> one = wall;
          one.kind = WallKind::plane;
          one.name = own_name.empty() ? side : own_name + " " + side;
          one.point = box[high ? 1 : 0];
          one.normal = {};
          one.normal[axis] = high ? -1 : 1;
          put(one);
        }
    }
    block.finish();
  }
  return walls;
}

template <int D, class T>
void aim_rings(World<D, T>& world, std::vector<RingTarget>& targets) {
  for (RingTarget& target : targets) {
    Wall<D>& wall = world.walls[target.wall];
    Move<D>& move = wall.motion[target.move];
    std::vector<std::string> names;
    for (const Group<D>& group : world.groups) names.push_back(group.name);
    if (std::find(names.begin(), names.end(), target.block) == names.end())
      target.table.fail_at("onto", "no grains named " + in_quotes(target.block) + "; expected one of " +
                                       join(names) + did_you_mean(target.block, names));
    // Where the ring is when the move begins, and the grains' mean surface on its side.
    const std::vector<Move<D>> before(wall.motion.begin(), wall.motion.begin() + std::ptrdiff_t(target.move));
    const auto carried = carry<D, double>(before, wall.point, move.from);
    const double radius = wall.radius - carried.shrunk;
    double surface = 0, count = 0;
    for (std::size_t i = 0; i < world.grains.size(); ++i) {
      if (names[world.grains.group[i]] != target.block) continue;
      Vec<D, double> arm = convert<double>(world.grains.home[i]) - carried.x;
      if constexpr (D == 3) arm = arm - wall.axis * dot(arm, wall.axis);
      surface += norm(arm) + (wall.inside ? -1 : 1) * double(world.grains.r[i]);
      count += 1;
    }
    surface /= count;
    if (!(surface > 0 && surface < radius))
      target.table.fail_at("onto", "the ring has a radius of " + brief(radius) + " m, and the surface of " +
                                       in_quotes(target.block) + " one of " + brief(surface) +
                                       " m; expected a smaller one: a ring shrinks");
    move.rate = (radius - surface) / (move.until - move.from);
  }
}

#define SCREE_INSTANTIATE(D, T) template void aim_rings(World<D, T>&, std::vector<RingTarget>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

template std::vector<Move<2>> read_motion(TomlTable&, const NamedTimes&, std::vector<RingTarget>*);
template std::vector<Move<3>> read_motion(TomlTable&, const NamedTimes&, std::vector<RingTarget>*);
template Domain<2> read_domain(TomlTable&, std::vector<std::string>&);
template Domain<3> read_domain(TomlTable&, std::vector<std::string>&);
template std::vector<Wall<2>> read_walls(TomlTable&, const std::vector<Material>&, const Domain<2>&, const NamedTimes&,
                                         std::vector<TomlTable>&, std::vector<RingTarget>&);
template std::vector<Wall<3>> read_walls(TomlTable&, const std::vector<Material>&, const Domain<3>&, const NamedTimes&,
                                         std::vector<TomlTable>&, std::vector<RingTarget>&);
template Corners<2> read_corners<2>(TomlTable&, const char*);
template Corners<3> read_corners<3>(TomlTable&, const char*);
template Vec<2, double> read_direction<2>(TomlTable&, const char*);
template Vec<3, double> read_direction<3>(TomlTable&, const char*);

}  // namespace scree
