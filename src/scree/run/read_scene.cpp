// SPDX-License-Identifier: BSD-3-Clause
/// From a scene file to a scene. The blocks are read by read_*.cpp, the whole is checked by
/// check_scene.cpp; here are the order of things and the blocks that do not depend on dimension.
#include "scree/run/read_scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "scree/fields/checks.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/neighbours/search.hpp"
#include "scree/run/hash.hpp"
#include "scree/run/phases.hpp"
#include "scree/run/read_parts.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

constexpr const char* format =
    "scene 2";  // changes when the same text starts to mean another state

void read_scene_block(TomlTable& root, SceneHeader& header) {
  auto scene = root.table("scene");
  if (!scene) root.missing("scene", "a table [scene] with name and dim");
  header.name = scene->get<std::string>("name", std::filesystem::path(header.file).stem().string());
  const std::int64_t dim = scene->required<std::int64_t>("dim");
  if (dim != 2 && dim != 3) scene->fail_at("dim", "expected 2 or 3, found " + std::to_string(dim));
  header.dim = static_cast<int>(dim);
  if (const auto real = scene->find("real")) {
    header.real = real->one_of("a number type", {"double", "dd"});
  }
  header.seed = static_cast<std::uint64_t>(scene->get<std::int64_t>("seed", 1, {non_negative, ""}));
  scene->finish();
}

/// The keys of [run] that some integrators have. One that this integrator does not ask for is a
/// warning only, so that `--set run.integrator=…` may try one after the other.
void read_method(TomlTable& table, RunSettings& run, std::vector<std::string>& warnings) {
  MethodSettings& m = run.method;
  const Method& method = *find_method(run.integrator);
  const auto idle = [&](const char* key, bool used) {
    if (!used && table.has(key))
      warnings.push_back("run." + std::string(key) + " has no effect on " + run.integrator);
  };
  m.tolerance = table.get("tolerance", m.tolerance, {positive, ""});
  idle("tolerance", method.adaptive || method.iterates);
  m.h_min = table.get("h_min", m.h_min, {positive, "s"});
  idle("h_min", method.adaptive);
  m.h_max = table.get("h_max", m.h_max, {positive, "s"});
  idle("h_max", method.adaptive);
  if (m.h_min > 0 && m.h_max > 0 && m.h_min > m.h_max)
    table.fail_at("h_min", "expected at most run.h_max = " + brief(m.h_max) + " s, found " + brief(m.h_min) + " s");
  if (const auto start = table.find("start"))
    m.previous = start->one_of("a start of the iteration", {"zero", "previous"}) == "previous";
  idle("start", run.integrator == "gauss4");
  m.iterations = static_cast<int>(table.get<std::int64_t>("iterations", m.iterations, {positive, ""}));
  if (m.iterations > 1000000) table.fail_at("iterations", "expected at most 1000000");
  idle("iterations", method.iterates);
  if (const auto drift = table.find("drift"))
    m.extrapolate = drift->one_of("a drift", {"midpoint", "ab2"}) == "ab2";
  idle("drift", run.integrator == "kk-shifted");
  if (const auto variant = table.find("variant")) {
    const std::string& name = variant->one_of("a variant of kk-theta", theta_variants);
    m.theta = static_cast<MethodSettings::Theta>(std::find(theta_variants.begin(), theta_variants.end(), name) - theta_variants.begin());
  }
  idle("variant", run.integrator == "kk-theta");
  m.beyond = table.get("theta_above_one", m.beyond);
  idle("theta_above_one", run.integrator == "kk-theta");
  if (table.has("guard")) m.guard = table.get("guard", true);
  idle("guard", run.integrator == "kk-theta" && m.theta != MethodSettings::Theta::energy);
}

/// `steps` is 0 unless the length of the run is given that way.
void read_run(TomlTable& root, RunSettings& run, std::int64_t& steps, std::vector<std::string>& warnings) {
  auto table = root.table("run");
  if (!table) root.missing("run", "a table [run] with dt and time");
  std::vector<std::string> integrators, searches;
  for (const auto& one : methods()) integrators.emplace_back(one.name);
  for (const auto& one : search_list()) searches.emplace_back(one.name);
  if (const auto value = table->find("integrator"))
    run.integrator = value->one_of("an integrator", integrators);
  read_method(*table, run, warnings);
  if (const auto value = table->find("neighbours"))
    run.neighbours = value->one_of("a neighbour search", searches);

  const auto dt = table->at("dt", "a number > 0 in s, or \"auto\"");
  if (dt.is_string()) {
    if (dt.string() != "auto")
      dt.fail("expected a number > 0 in s, or \"auto\", found " + in_quotes(dt.string()));
    run.dt = 0;
  } else {
    run.dt = dt.number({positive, "s"});
  }
  run.fraction = table->get("fraction", run.fraction, {positive, ""});
  if (run.fraction > 0.2)
    table->fail_at("fraction", "expected at most 0.2: a larger step is not stable");
  const auto time = table->maybe<double>("time", {positive, "s"});
  steps = table->get<std::int64_t>("steps", 0, {positive, ""});
  if (time && steps) table->fail_at("steps", "given beside \"time\"; expected one of them");
  if (!time && !steps) table->missing("time", "a number > 0 in s (or \"steps\")");
  run.time = time.value_or(0);
  run.skin = table->get("skin", run.skin, {non_negative, "m"});
  run.max_overlap = table->get("max_overlap", run.max_overlap, {positive, "of the smaller radius"});
  if (run.max_overlap >= 2)
    table->fail_at("max_overlap", "expected a number below 2, in smaller radii");
  run.orientations = table->get("orientations", run.orientations);
  run.ledger = table->get("ledger", run.ledger);
  run.ahead = table->get("ahead", run.ahead);
  const auto not_with_stages = [&](bool wanted, const char* key, const char* what) {
    if (wanted || find_method(run.integrator)->drifts) return;
    std::vector<std::string> able;
    for (const auto& one : methods())
      if (one.drifts) able.emplace_back(one.name);
    table->fail_at(key, fmt::format("{} {} along with its stages; expected true, or one of {}", in_quotes(run.integrator), what, fmt::join(able, ", ")));
  };
  not_with_stages(run.orientations, "orientations", "turns grains");
  not_with_stages(run.ledger, "ledger", "keeps accounts");
  if (auto sleep = table->table("sleep")) {
    run.sleep.below = sleep->required<double>("below", {positive, "of m g r"});
    run.sleep.after = sleep->required<double>("after", {positive, "s"});
    sleep->finish();
    // A method that remembers more than velocities and accelerations would move a sleeper by its memories; one
    // that moves grains after its last evaluation, as the Eulers do, leaves it open who touches whom.
    static constexpr std::string_view able[] = {"velocity-verlet", "damped-verlet", "leapfrog", "staggered-verlet"};
    if (std::find(std::begin(able), std::end(able), run.integrator) == std::end(able))
      table->fail_at("sleep", "grains cannot sleep with " + in_quotes(run.integrator) +
                                  "; expected one of " + fmt::format("{}", fmt::join(able, ", ")));
  }
  table->finish();
}

/// Orientations may stay as they are where nothing depends on them.
template <int D, class T>
void set_orientations(World<D, T>& world, const RunSettings& run, TomlTable& root) {
  world.state.turns = run.orientations;
  if (!run.orientations && !world.shapes.empty())
    root.table("run")->fail_at("orientations", "angular grains touch according to how they lie; expected true");
}

/// What sleepers would not notice.
template <int D, class T>
void check_sleep(World<D, T>& world, const ContactTable& table, const RunSettings& run, TomlTable& root) {
  world.sleep = run.sleep;
  if (!run.sleep.on()) return;
  const auto refuse = [&](bool present, const char* what) {
    if (present) root.table("run")->fail_at("sleep", std::string("grains that sleep do not feel ") + what + "; expected a scene without it");
  };
  if (!(norm(world.domain.gravity) > 0))
    root.table("run")->fail_at("sleep", "grains sleep when their energy is far below m g r; expected a scene with gravity");
  refuse(world.domain.gravity_rate != 0, "gravity that turns");
  refuse(world.domain.shear.rate != 0, "a box that is sheared");
  refuse(!world.shapes.empty(), "the corners of angular grains");
  refuse(table.has_rotational(), "rotational damping");
  for (const ContactLaws& laws : table.laws)
    refuse(std::holds_alternative<ConstraintFriction>(laws.tangential), "friction that is solved for");
  for (const Group<D>& group : world.groups) {
    refuse(!group.pushes.empty(), "pushes");
    refuse(group.attachment > 0, "attachments");
  }
}

/// [prepare], or [[prepare]] for several phases. Gives the instants that windows may name.
NamedTimes read_prepare(TomlTable& root, PrepareSettings& prepare, double run_dt) {
  NamedTimes times;
  for (TomlTable& table : root.tables("prepare")) {
    Phase phase;
    phase.name = table.get<std::string>("name", "");
    const auto known = std::find_if(times.begin(), times.end(), [&](const auto& one) { return one.name == phase.name; });
    if (known != times.end()) table.fail_at("name", "there is a phase " + in_quotes(phase.name) + " already");
    if (phase.name == "run") table.fail_at("name", "\"run\" is what comes after the preparation; expected another name");
    phase.time = table.required<double>("time", {positive, "s"});
    phase.rest = table.get("rest", phase.rest, {non_negative, ""});
    phase.dt = table.get("dt", phase.dt, {positive, "s"});
    phase.damping = table.get("damping", phase.damping, {non_negative, "1/s"});
    phase.must_rest = table.get("must_rest", phase.must_rest);
    if (phase.must_rest && !(phase.rest > 0))
      table.fail_at("must_rest", "nobody asks whether grains rest with rest = 0; expected rest > 0");
    table.finish();
    if (!phase.name.empty()) times.push_back({phase.name, 0});
    prepare.phases.push_back(std::move(phase));
  }
  prepare.wanted = !prepare.phases.empty();
  // From the last to the first. With dt = "auto" the step is not known yet, and a phase begins when
  // it says rather than a whole number of steps before its end.
  double begin = 0;
  for (auto phase = prepare.phases.rbegin(); phase != prepare.phases.rend(); ++phase) {
    phase->end = begin;
    begin = phase->dt > 0 || run_dt > 0 ? clock_of(*phase, run_dt).t0 : phase->end - phase->time;
    for (NamedTime& one : times)
      if (one.name == phase->name) one.time = begin;
  }
  times.push_back({"run", 0});
  return times;
}

void read_start(TomlTable& root, StartSettings& start) {
  auto table = root.table("start");
  if (!table) return;
  start.run = table->required<std::string>("run");
  if (start.run.empty()) table->fail_at("run", "expected the name of a run file or its folder");
  start.time = table->maybe<double>("time", {any, "s"});
  table->finish();
}

/// A phase that ends early leaves out the rest of what moves in it.
template <int D, class T> void warn_of_haste(Scene<D, T>& scene) {
  double begin = -forever;
  for (const Phase& phase : scene.prepare.phases) {
    const auto acts = [&](const auto& thing) {
      return std::any_of(thing.motion.begin(), thing.motion.end(),
                         [&](const Move<D>& m) { return m.from < phase.end && m.until > begin; });
    };
    const auto& world = scene.world;
    if (phase.rest > 0 && (std::any_of(world.walls.begin(), world.walls.end(), acts) ||
                           std::any_of(world.groups.begin(), world.groups.end(), acts)))
      scene.warnings.push_back("something moves while preparing" +
                               (phase.name.empty() ? "" : " (phase " + in_quotes(phase.name) + ")") +
                               ", but when grains rest the remaining time is skipped; rest = 0 in the phase keeps it");
    begin = phase.end;
  }
}

void read_output(TomlTable& root, OutputSettings& output) {
  auto table = root.table("output");
  if (!table) return;
  if (auto snapshots = table->table("snapshots")) {
    if (snapshots->has("every") == snapshots->has("steps"))
      snapshots->fail("expected one of every (s) and steps");
    output.snapshot_every = snapshots->get("every", 0.0, {positive, "s"});
    output.snapshot_steps = snapshots->get<std::int64_t>("steps", 0, {positive, ""});
    snapshots->finish();
  }
  if (auto energy = table->table("energy")) {
    output.energy_every = energy->required<double>("every", {positive, "s"});
    energy->finish();
  }
  if (auto checkpoints = table->table("checkpoints")) {
    output.checkpoint_every =
        checkpoints->required<double>("every", {positive, "s of wall-clock time"});
    checkpoints->finish();
  }
  output.contacts = table->get("contacts", output.contacts);
  output.vtk = table->get("vtk", output.vtk);
  output.pictures = table->get("pictures", output.pictures);
  table->finish();
}

/// Names of materials and groups that fields select by, and all that does not depend on where the grains will be when the run
/// begins: errors of that come before anything is prepared or written.
template <int D, class T> void check_fields(TomlTable& root, const Scene<D, T>& scene) {
  std::vector<std::string> materials, groups;
  for (const Material& one : scene.world.materials) materials.push_back(one.name);
  for (const Group<D>& one : scene.world.groups) groups.push_back(one.name);
  RunInfo info;
  info.dim = D;
  info.materials = materials;
  info.groups = groups;
  auto blocks = root.tables("fields");
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto check = [&](const char* key, const std::vector<std::string>& wanted, const std::vector<std::string>& known) {
      for (const auto& name : wanted)
        if (std::find(known.begin(), known.end(), name) == known.end())
          blocks[k].fail_at(key, "there is no " + in_quotes(name) + "; expected one of " + join(known) + did_you_mean(name, known));
    };
    check("species", scene.fields[k].plan.species, materials);
    check("groups", scene.fields[k].plan.groups, groups);
    try {
      fields::check_plan(scene.fields[k], info);
    } catch (const InputError& error) {
      blocks[k].fail(error.what());
    }
  }
}

/// Laws are told of grains with stiffnesses of their own, since their loops then look at them.
template <int D, class T> void tell_stiffness(Scene<D, T>& scene, TomlTable& root) {
  double stiffest = 0;
  bool all_alike = true;
  for (const T& one : scene.world.grains.stiffness) {
    stiffest = std::max(stiffest, double(one));
    all_alike &= one == T(1);
  }
  if (all_alike) return;
  if (!scene.world.inlets.empty()) stiffest = std::max(stiffest, 1.0);  // what comes in has 1
  if (!scene.world.shapes.empty()) root.fail("a stiffness of single grains is there for round grains only");
  for (ContactLaws& laws : scene.table.laws) laws.scaling.stiffest = stiffest;
}

template <int D, class T> AnyScene build(const TomlDocument& document, TomlTable& root,
                                         SceneHeader header, const ReadLimits& limits) {
  Scene<D, T> scene;
  static_cast<SceneHeader&>(scene) = std::move(header);
  std::int64_t steps = 0;
  read_run(root, scene.run, steps, scene.warnings);
  const NamedTimes times = read_prepare(root, scene.prepare, scene.run.dt);
  read_start(root, scene.start);
  read_output(root, scene.output);
  scene.fields = read_fields(root, D);
  auto& world = scene.world;
  world.materials = read_materials(root);
  world.domain = read_domain<D>(root, scene.warnings);
  std::vector<TomlTable> wall_blocks;
  std::vector<RingTarget> targets;
  world.walls = read_walls<D>(root, world.materials, world.domain, times, wall_blocks, targets);
  root.find("grains");
  root.find("contact");
  root.find("insert");
  root.find("remove");
  root.finish();  // before the work: a mistyped block should not cost a minute

  const std::string folder = std::filesystem::path(scene.file).parent_path().string();
  std::uint64_t files = 0;
  const ReadNotes notes{folder, &files, &scene.warnings};
  const auto blocks = read_grains(root, world, times, scene.seed, limits, notes);
  read_gates(root, world, times, scene.seed, notes);
  aim_rings(world, targets);
  // Signals of servos go by name.
  std::vector<std::string> pressing;
  const auto take = [&](const std::string& name, const TomlTable& block) {
    if (std::find(pressing.begin(), pressing.end(), name) != pressing.end())
      block.fail("there is another servo named " + in_quotes(name) + "; expected a name of its own");
    pressing.push_back(name);
  };
  for (std::size_t k = 0; k < world.walls.size(); ++k)
    if (world.walls[k].servo.on) take(world.walls[k].name, wall_blocks[k]);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (world.groups[k].servo.on) take(world.groups[k].name, blocks[k].table);
  check_fields(root, scene);
  warn_of_haste(scene);
  scene.table = read_contact(root, world.materials, use_of_materials(world));
  tell_stiffness(scene, root);
  check_sleep(world, scene.table, scene.run, root);
  set_orientations(world, scene.run, root);
  check_shapes(scene, root, wall_blocks);
  check_friction(scene, root);
  check_places(scene, root, blocks, wall_blocks);
  check_step(scene, root);
  check_bonds(scene, root);
  if (steps > 0) scene.run.time = static_cast<double>(steps) * step_of(scene);
  if (!std::isfinite(scene.run.time))
    root.table("run")->fail_at("steps", "the run has no finite length");

  scene.start_hash = hash_bytes(
      format + document.canonical({"output", "fields", "run.time", "run.steps", "scene.name"}), files);
  return scene;
}

}  // namespace

AnyScene read_scene_text(std::string text, const std::string& name,
                         const std::vector<std::string>& overrides, const ReadLimits& limits) {
  const TomlDocument document = TomlDocument::parse(std::move(text), name, overrides);
  TomlTable root(document);
  SceneHeader header;
  header.file = name;
  header.text = document.text();
  header.hash = hash_bytes(header.text);
  read_scene_block(root, header);
  const auto built = [&]<int D>(std::integral_constant<int, D>) {
    return header.real == "dd" ? build<D, dd>(document, root, std::move(header), limits)
                               : build<D, double>(document, root, std::move(header), limits);
  };
  return header.dim == 2 ? built(std::integral_constant<int, 2>{}) : built(std::integral_constant<int, 3>{});
}

AnyScene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return read_scene_text(TomlDocument::file_text(path), path, overrides);
}

}  // namespace scree
