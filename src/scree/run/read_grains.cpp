// SPDX-License-Identifier: BSD-3-Clause
/// [[grains]]: a builder places grains, the block says what they are.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <tuple>

#include <unistd.h>

#include "scree/grains/body.hpp"
#include "scree/run/hash.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/read_shapes.hpp"
#include "scree/run/simulation.hpp"
#include "scree/scenes/insertion.hpp"
#include "scree/scenes/registry.hpp"

namespace scree {

Radii read_radii(TomlTable& block) {
  Radii radii;
  const auto value = block.find("radius");
  if (!value) return radii;
  if (value->is_number()) {
    radii.min = radii.max = value->number({positive, "m"});
    return radii;
  }
  if (!value->is_table()) value->expected("a number > 0 in m, { mean, spread }, { min, max } or { values, counts }");
  TomlTable table(*value);
  if (table.has("values") || table.has("counts")) {
    radii.values = table.required<std::vector<double>>("values", {positive, "m"});
    radii.counts = table.required<std::vector<std::int64_t>>("counts", {positive, ""});
    if (radii.values.empty() || radii.counts.size() != radii.values.size())
      table.fail_at("counts", "expected one count for each of the " + std::to_string(radii.values.size()) +
                                  " values, found " + std::to_string(radii.counts.size()));
    radii.min = *std::min_element(radii.values.begin(), radii.values.end());
    radii.max = *std::max_element(radii.values.begin(), radii.values.end());
  } else if (table.has("min") || table.has("max")) {
    radii.min = table.required<double>("min", {positive, "m"});
    radii.max = table.required<double>("max", {positive, "m"});
    if (radii.min > radii.max)
      table.fail_at(
          "max", "expected a number >= min = " + brief(radii.min) + ", found " + brief(radii.max));
  } else {
    const double mean = table.required<double>("mean", {positive, "m"});
    const double spread = table.get("spread", 0.0, {fraction, ""});
    if (spread >= 1)
      table.fail_at("spread",
                    "expected a number below 1: the smallest radius is mean (1 - spread)");
    radii.min = mean * (1 - spread);
    radii.max = mean * (1 + spread);
  }
  table.finish();
  return radii;
}

namespace {

template <int D> std::vector<Push<D>> read_pushes(TomlTable& block, const NamedTimes& times) {
  std::vector<Push<D>> pushes;
  for (TomlTable& one : block.tables("push")) {
    Push<D> push;
    push.force = one.get("force", push.force, {any, "N"});
    push.force_amplitude = one.get("force_amplitude", push.force_amplitude, {any, "N"});
    push.torque = one.get("torque", push.torque, {any, "N m"});
    push.torque_amplitude = one.get("torque_amplitude", push.torque_amplitude, {any, "N m"});
    push.frequency = one.get("frequency", 0.0, {non_negative, "Hz"});
    push.phase = one.get("phase", 0.0, {any, "rad"});
    read_window(one, times, push.from, push.until);
    one.finish();
    pushes.push_back(push);
  }
  return pushes;
}

/// fixed = true, or one entry per grain.
std::vector<std::uint8_t> read_fixed(TomlTable& block, bool& all) {
  std::vector<std::uint8_t> each;
  all = false;
  const auto value = block.find("fixed");
  if (!value) return each;
  if (value->is_array()) {
    for (std::size_t k = 0; k < value->size(); ++k) each.push_back(value->item(k).boolean());
  } else {
    if (value->kind() != TomlNode::Kind::boolean)
      value->expected("true or false, or an array of them, one per grain");
    all = value->boolean();
  }
  return each;
}

template <int D> AnyBuilder<D> builder_named(const std::string& name) {
  AnyBuilder<D> made;
  for_each_builder<D>([&](auto one) {
    if (one.name == name) made = std::move(one);
  });
  return made;
}

/// Grains that this machine can hold at all, at the least they need in memory.
std::int64_t memory_limit() {
  const double bytes = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  return bytes > 0 ? static_cast<std::int64_t>(bytes / 400) : std::int64_t{1} << 40;
}

}  // namespace

template <int D, class T>
std::vector<GrainBlock> read_grains(TomlTable& root, World<D, T>& world, const NamedTimes& times,
                                    std::uint64_t seed, const ReadLimits& limits, const ReadNotes& notes) {
  std::vector<GrainBlock> blocks;
  std::vector<TomlTable> tables = root.tables("grains");
  if (tables.empty() && !root.has("insert"))
    root.fail("no grains; expected at least one [[grains]] block (or an [[insert]] block)");
  if (tables.size() > 10000)
    tables[10000].fail("too many [[grains]] blocks: expected at most 10000");
  const std::int64_t limit = std::min(limits.grains, memory_limit());
  const auto names = builder_names();

  auto& grains = world.grains;
  auto& state = world.state;
  double solid = 0;
  for (TomlTable& table : tables) {
    const std::string build =
        table.at("build", "a builder (" + join(names) + ")").one_of("a builder", names);
    table.set_label(build);
    GrainBlock block{table, build == "points"};

    Group<D> group;
    group.name = table.get<std::string>("name", build);
    const std::uint16_t material = read_material_name(table, world.materials, true);
    // Given for every grain: by the block, or by the builder (a file).
    struct PerGrain {
      const char* key;
      Draw draw;
      std::optional<Numbers> block;
      const std::vector<double>* built = nullptr;
      bool given() const { return block || (built && !built->empty()); }
    };
    PerGrain masses{"mass", Draw::mass, table.maybe<Numbers>("mass", {positive, "kg"})};
    PerGrain stiffnesses{"stiffness", Draw::stiffness, table.maybe<Numbers>("stiffness", {positive, ""})};
    const bool weighed_by_file = build == "file";  // perhaps: it is read below
    if (!masses.given() && !weighed_by_file && !(world.materials[material].density > 0))
      table.fail_at("material", "material \"" + world.materials[material].name +
                                    "\" has no density, so its grains have no mass; expected a density, or a mass in the block");
    const auto velocity = table.get("velocity", Vec<D, double>{}, {any, "m/s"});
    const auto spin = table.get("spin", Spin<D, double>{}, {any, "rad/s"});
    bool all_fixed = false;
    const auto fixed = read_fixed(table, all_fixed);
    const bool rotates = table.get("rotate", true);
    group.motion = read_motion<D>(table, times);
    if (!group.motion.empty() && table.has("fixed") && fixed.empty() && !all_fixed)
      table.fail_at("fixed",
                    "grains with a motion are moved by it, not by forces; expected fixed = true");
    read_window(table, times, group.from, group.until);
    group.pushes = read_pushes<D>(table, times);
    group.attachment = table.get("attachment", 0.0, {non_negative, "N/m"});
    group.drag = table.get("drag", 0.0, {non_negative, "kg/(m s)"});
    group.servo = read_servo(table, world.domain, times);
    if (group.servo.on && table.has("fixed") && fixed.empty() && !all_fixed)
      table.fail_at("fixed", "grains with a servo move as one body; expected fixed = true");
    if (world.domain.shear.rate != 0 && (group.servo.on || !group.motion.empty()))
      table.fail("grains that are moved by prescription have no place in a sheared box (domain.shear)");
    block.allow_overlap = table.get("allow_overlap", false);

    Site<D> site;
    site.seed = seed;
    site.first_id = static_cast<std::uint32_t>(grains.size());
    site.limit = limit - static_cast<std::int64_t>(grains.size());
    site.domain = world.domain;
    site.folder = notes.folder;
    site.radii = read_radii(table);
    ShapeSpec shape = read_shape(table, D, notes.folder, "grain " + std::to_string(grains.size()), *notes.files, *notes.warnings);
    const Angles angles = read_angle(table, D);
    const bool own_sizes = shape.sized() && !site.radii.given() && build != "file";
    if (own_sizes) site.radii.min = site.radii.max = shape.largest();
    site.solid = solid;

    Sketch<D> sketch;
    AnyBuilder<D> any_builder = builder_named<D>(build);
    std::visit(
        [&](auto& builder) {
          table.read_fields(builder);
          table.finish();
          try {
            builder.build(site, sketch);
            if constexpr (requires { builder.resolved(site); }) {
              std::ifstream in(builder.resolved(site), std::ios::binary);
              const std::string bytes((std::istreambuf_iterator<char>(in)), {});
              *notes.files = hash_bytes(bytes, *notes.files);
            }
          } catch (const BuildError& error) {
            table.fail_at(error.key, error.what());
          } catch (const std::bad_alloc&) {
            table.fail("too many grains for the memory of this machine");
          }
        },
        any_builder);

    const std::size_t first = grains.size(), n = sketch.size();
    if (n == 0) table.fail("builds no grains");
    if (site.radii.mixed()) {
      const auto walls = std::count(sketch.fixed.begin(), sketch.fixed.end(), 1);
      const auto drawn = static_cast<std::int64_t>(n) - walls;
      if (drawn != site.radii.count())
        table.fail_at("radius", "its counts are those of " + std::to_string(site.radii.count()) +
                                    " grains, and the block has " + std::to_string(drawn));
    }
    if (!fixed.empty() && fixed.size() != n)
      table.fail_at("fixed", "expected one entry per grain (" + std::to_string(n) + "), found " +
                                 std::to_string(fixed.size()));
    masses.built = &sketch.m;
    stiffnesses.built = &sketch.stiffness;
    for (const PerGrain* one : {&masses, &stiffnesses}) {
      if (one->block && !one->built->empty())
        table.fail_at(one->key, "given beside the file's column \"" + std::string(one->key) + "\"; expected one of them");
      if (one->block && one->block->listed() && one->block->list.size() != n)
        table.fail_at(one->key, "expected one entry per grain (" + std::to_string(n) + "), found " + std::to_string(one->block->list.size()));
    }
    const auto each = [&](const PerGrain& numbers, std::size_t k) {
      return numbers.block ? numbers.block->of(k, [&] { return site.random(numbers.draw, k); }) : (*numbers.built)[k];
    };
    if (!masses.given() && !(world.materials[material].density > 0))
      table.fail_at("material", "material \"" + world.materials[material].name +
                                    "\" has no density, so its grains have no mass; expected a density, or a mass in the block or its file");
    if (stiffnesses.given() && shape.angular())
      table.fail_at("stiffness", "polygons have none of their own; expected materials and [contact.A-B]");
    grains.resize(first + n);
    state.resize(first + n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = first + k;
      const double r = own_sizes ? shape.size(k) : sketch.r[k];
      const T radius = join_words<T>(r, sketch.r_lo.empty() || own_sizes ? 0.0 : sketch.r_lo[k]);
      const std::string who = "grain " + std::to_string(i);
      if (shape.angular() && world.materials[material].body != Body::disc)
        table.fail_at("material", who + " is a polygon, and \"" + world.materials[material].name +
                                      "\" makes spheres; expected a material with body = \"disc\" and a height, the thickness of the plane");
      if (!is_finite(sketch.x[k])) table.fail(who + " has no finite position");
      for (int a = 0; a < D; ++a)
        if (std::abs(sketch.x[k][a]) > OverlapGrid<D>::reach_limit * r)
          table.fail(who + " is so far from the origin (" + brief(sketch.x[k][a]) +
                     " m) that its radius (" + brief(r) + " m) is lost in rounding");
      std::size_t which = k;
      if (!sketch.shape.empty()) {
        which = sketch.shape[k] - 1;
        if (sketch.shape[k] > shape.listed())
          table.fail(who + " has the shape " + std::to_string(sketch.shape[k]) + " of " + std::to_string(shape.listed()) +
                     "; expected shape = { kind = \"file\", file = … } with as many outlines");
      }
      const bool round = !sketch.shape.empty() && sketch.shape[k] == 0;
      grains.shape[i] = round ? 0 : shape.of(which, static_cast<std::uint32_t>(i), seed, world.shapes);
      // Masses that the block gives are those of the same body of another density.
      Material of_unit = world.materials[material];
      if (masses.given()) of_unit.density = 1;
      auto [m, inertia] = grains.shape[i] == 0 ? mass_and_inertia<T>(of_unit, radius)
                                               : mass_and_inertia<T>(of_unit, radius, world.shapes[grains.shape[i] - 1]);
      if (masses.given()) {
        const T mass = T(each(masses, k));
        inertia = inertia / m * mass;
        m = mass;
      }
      if (!std::isnormal(double(m)) || !std::isnormal(double(inertia)))
        table.fail(who + " of radius " + brief(r) + " m has the mass " + brief(double(m)) +
                   " kg: too small or too large to compute with");
      grains.r[i] = radius;
      grains.m[i] = m;
      grains.inertia[i] = rotates ? inertia : T(0);
      grains.stiffness[i] = stiffnesses.given() ? T(each(stiffnesses, k)) : T(1);
      grains.id[i] = static_cast<std::uint32_t>(i);
      grains.material[i] = material;
      grains.group[i] = static_cast<std::uint16_t>(world.groups.size());
      const bool moved = (!group.motion.empty() || group.servo.on) && fixed.empty() && sketch.fixed.empty();
      grains.held[i] = all_fixed || moved || (!fixed.empty() && fixed[k]) ||
                       (!sketch.fixed.empty() && sketch.fixed[k]);
      grains.home[i] = join_words<T>(sketch.x, sketch.x_lo, k);
      state.x[i] = grains.home[i];
      state.v[i] = sketch.v.empty() ? convert<T>(velocity) : join_words<T>(sketch.v, sketch.v_lo, k);
      state.w[i] = sketch.w.empty() ? convert<T>(spin) : join_words<T>(sketch.w, sketch.w_lo, k);
      state.q[i] = no_turn<D, T>();
      if constexpr (D == 2) {
        const bool drawn = angles.min < angles.max;
        state.q[i][0] = T(!sketch.turn.empty() ? sketch.turn[k]
                          : drawn              ? site.random(Draw::turn, k).uniform(angles.min, angles.max)
                                               : angles.min);
      }
      if (grains.held[i]) {  // what holds it decides how it moves
        if (build != "file" && !(state.v[i] == Vec<D, T>{}))
          table.fail(who + " is fixed and has a velocity; expected velocity 0, or a motion");
        state.v[i] = {};
        state.w[i] = {};
      } else {
        solid += insertion::volume<D>(r);
      }
    }
    world.groups.push_back(std::move(group));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

template <int D, class T> std::vector<MaterialUse> use_of_materials(const World<D, T>& world) {
  if (!world.inlets.empty()) return use_of_materials(with_arrivals(world));
  std::vector<MaterialUse> use(world.materials.size());
  std::vector<std::uint8_t> weighed(world.materials.size());  // has grains whose mass was given
  for (std::size_t i = 0; i < world.grains.size(); ++i) {
    const std::uint16_t material = world.grains.material[i];
    MaterialUse& one = use[material];
    const double r = double(world.grains.r[i]), m = double(world.grains.m[i]);
    one.grains += 1;
    one.radius += r;
    one.mass += m;
    weighed[material] |= std::abs(mass_and_inertia<double>(world.materials[material], r).first - m) > 1e-12 * m;
  }
  for (std::size_t k = 0; k < use.size(); ++k) {
    if (use[k].grains == 0) continue;
    use[k].radius /= use[k].grains;
    use[k].mass = weighed[k] ? use[k].mass / use[k].grains
                             : mass_and_inertia<double>(world.materials[k], use[k].radius).first;
  }
  for (const auto& wall : world.walls) use[wall.material].walls = true;
  return use;
}

#define SCREE_INSTANTIATE(D, T)                                                         \
  template std::vector<GrainBlock> read_grains(TomlTable&, World<D, T>&, const NamedTimes&, \
                                               std::uint64_t, const ReadLimits&,           \
                                               const ReadNotes&);                          \
  template std::vector<MaterialUse> use_of_materials(const World<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
