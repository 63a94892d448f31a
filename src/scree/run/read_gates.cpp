// SPDX-License-Identifier: BSD-3-Clause
/// [[insert]] and [[remove]]: where grains come in and go out while a run goes on; servo = { … } of walls and groups.
#include <algorithm>
#include <cmath>

#include "scree/grains/body.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/read_shapes.hpp"

namespace scree {
namespace {

template <int D> Region<D> box_region(TomlTable& table) {
  Region<D> region;
  const auto box = read_corners<D>(table, "box");
  region.lo = box[0];
  region.hi = box[1];
  return region;
}

/// A region must lie in the box of the domain, where that is all there is.
template <int D> void check_inside(TomlTable& table, const Region<D>& region, const Domain<D>& domain) {
  for (int k = 0; k < D; ++k) {
    if (!domain.bounded && !domain.periodic[std::size_t(k)]) continue;
    if (region.lo[k] < domain.lo[k] || region.hi[k] > domain.hi[k])
      table.fail_at("box", std::string("reaches out of the domain along ") + "xyz"[k] + ": expected " +
                               brief(domain.lo[k]) + " to " + brief(domain.hi[k]) + " m");
  }
}

std::string name_of(TomlTable& table, const char* kind, std::size_t number, std::vector<std::string>& names) {
  std::string name = table.get<std::string>("name", std::string(kind) + " " + std::to_string(number));
  if (std::find(names.begin(), names.end(), name) != names.end())
    table.fail_at("name", "there is another " + in_quotes(name) + "; expected a name of its own");
  names.push_back(name);
  return name;
}

}  // namespace

template <int D, class T> void read_gates(TomlTable& root, World<D, T>& world, const NamedTimes& times, std::uint64_t seed,
                                      const ReadNotes& notes) {
  std::vector<std::string> names;
  for (TomlTable& table : root.tables("insert")) {
    Inlet<D> inlet;
    Group<D> group;
    inlet.name = group.name = name_of(table, "insert", world.inlets.size(), names);
    inlet.region = box_region<D>(table);
    check_inside(table, inlet.region, world.domain);
    inlet.rate = table.required<double>("rate", {positive, "grains per s"});
    read_window(table, times, inlet.from, inlet.until);
    inlet.count = table.get<std::int64_t>("count", 0, {positive, ""});
    inlet.material = read_material_name(table, world.materials, true);
    const Material& material = world.materials[inlet.material];
    if (!(material.density > 0))
      table.fail_at("material", "material \"" + material.name + "\" has no density, so its grains have no mass");
    Radii radii = read_radii(table);
    ShapeSpec shape = read_shape(table, D, notes.folder, "grains of " + in_quotes(inlet.name), *notes.files, *notes.warnings);
    if (!radii.given() && shape.sized()) radii.min = radii.max = shape.largest();
    if (!radii.given()) table.missing("radius", "a number > 0 in m");
    const Angles angles = read_angle(table, D);
    if (shape.angular()) {
      if (material.body != Body::disc)
        table.fail_at("material", "\"" + material.name + "\" makes spheres; expected a material with body = \"disc\" and a height for polygons");
      constexpr std::int64_t most_shapes = 1000;  // to draw from
      inlet.shape_count = static_cast<std::uint32_t>(inlet.count > 0 ? std::min(inlet.count, most_shapes) : most_shapes);
      inlet.shape_first = shape.enter(inlet.shape_count, seed, world.shapes);
    }
    inlet.turn_min = angles.min;
    inlet.turn_max = angles.max;
    if (radii.mixed()) table.fail_at("radius", "grains that come in are drawn one by one; expected a number, { mean, spread } or { min, max }");
    inlet.r_min = radii.min;
    inlet.r_max = radii.max;
    for (const double r : {radii.min, radii.max}) {
      const double m = double(mass_and_inertia(world, inlet.material, T(r), inlet.shape_first).first);
      if (!std::isnormal(m)) table.fail_at("radius", "gives a mass too small or too large to compute with");
    }
    for (int k = 0; k < D; ++k)
      if (inlet.region.hi[k] - inlet.region.lo[k] < 2 * inlet.r_max)
        table.fail_at("box", std::string("no room for the largest grain along ") + "xyz"[k] + ": expected at least " +
                                 brief(2 * inlet.r_max) + " m");
    inlet.velocity = table.get("velocity", inlet.velocity, {any, "m/s"});
    inlet.spin = table.get("spin", inlet.spin, {any, "rad/s"});
    inlet.rotates = table.get("rotate", true);
    inlet.tries = table.get<std::int64_t>("tries", inlet.tries, {positive, ""});
    if (inlet.tries > 100000) table.fail_at("tries", "expected at most 100000");
    inlet.every = table.get("every", 0.0, {positive, "s"});
    group.drag = table.get("drag", 0.0, {non_negative, "kg/(m s)"});
    table.finish();
    inlet.seed = seed;
    if (world.groups.size() > 60000) table.fail("too many groups of grains");
    inlet.group = static_cast<std::uint16_t>(world.groups.size());
    world.groups.push_back(std::move(group));
    world.inlets.push_back(std::move(inlet));
  }
  for (TomlTable& table : root.tables("remove")) {
    Outlet<D> outlet;
    outlet.name = name_of(table, "remove", world.outlets.size(), names);
    if (table.has("box") == table.has("point")) table.fail("expected one of box, or point and normal");
    if (table.has("box")) {
      outlet.region = box_region<D>(table);
    } else {
      outlet.region.half_space = true;
      outlet.region.point = table.required<Vec<D, double>>("point", {any, "m"});
      outlet.region.normal = read_direction<D>(table, "normal");
    }
    read_window(table, times, outlet.from, outlet.until);
    outlet.every = table.get("every", 0.0, {positive, "s"});
    table.finish();
    if (world.outlets.size() > 60000) table.fail("too many outlets");
    world.outlets.push_back(std::move(outlet));
  }
  if (world.domain.shear.rate != 0 && !world.inlets.empty())
    root.tables("insert").front().fail("grains cannot come into a sheared box (domain.shear)");
}

template <int D>
Servo<D> read_servo(TomlTable& block, const Domain<D>& domain, const NamedTimes& times, const Vec<D, double>* direction) {
  Servo<D> servo;
  auto table = block.table("servo");
  if (!table) return servo;
  servo.on = true;
  servo.direction = direction ? *direction : read_direction<D>(*table, "direction");
  if (table->has("pressure") == table->has("force")) table->fail("expected one of pressure and force");
  if (table->has("force")) {
    servo.force = table->required<double>("force", {any, "N"});
  } else {
    const double pressure = table->required<double>("pressure", {any, D == 2 ? "N/m" : "Pa"});
    double area = table->get("area", 0.0, {positive, D == 2 ? "m" : "m^2"});
    if (area == 0) {  // the periods across its direction
      area = 1;
      for (int k = 0; k < D; ++k) {
        if (std::abs(servo.direction[k]) > 1 - 1e-12) continue;
        const bool across = std::abs(servo.direction[k]) < 1e-12;
        area *= across && domain.periodic[std::size_t(k)] ? domain.hi[k] - domain.lo[k] : 0;
      }
      if (!(area > 0))
        table->missing("area", std::string("a number > 0 in ") + (D == 2 ? "m" : "m^2") +
                                   " (it follows from the domain only where that is periodic across the direction)");
    }
    servo.force = pressure * area;
  }
  servo.mass = table->get("mass", 0.0, {non_negative, "kg"});
  servo.damping = table->get("damping", 0.0, {non_negative, "kg/s"});
  if (!(servo.mass > 0 || servo.damping > 0)) table->fail("expected a mass or a damping > 0");
  servo.max_speed = table->get("max_speed", forever, {positive, "m/s"});
  read_window(*table, times, servo.from, servo.until);
  table->finish();
  return servo;
}

template Servo<2> read_servo(TomlTable&, const Domain<2>&, const NamedTimes&, const Vec<2, double>*);
template Servo<3> read_servo(TomlTable&, const Domain<3>&, const NamedTimes&, const Vec<3, double>*);
#define SCREE_INSTANTIATE(D, T) template void read_gates(TomlTable&, World<D, T>&, const NamedTimes&, std::uint64_t, const ReadNotes&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
