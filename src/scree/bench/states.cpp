// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

#include "scree/core/errors.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/simulation.hpp"
#include "scree/scenes/overlap_grid.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr double mm = 1e-3;
constexpr double spacing = 2.3 * mm, jitter = 0.05 * mm;
constexpr std::size_t layers = 20, tile_grains = 8000;
constexpr double settling_drag = 0.5;  // kg/s per metre of radius: 5e-4 kg/s for a grain of 1 mm

/// splitmix64, as the recipe has it (not keyed by grain as Scree's own random numbers are): the lattices
/// are then those of the states that the peers were first measured on, bit for bit.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : s_(seed) {}
  double uniform() {
    s_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = s_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double around(double a) { return a * (2 * uniform() - 1); }
  double normal() {
    const double a = 1 - uniform(), b = uniform();
    return std::sqrt(-2 * std::log(a)) * std::cos(2 * std::numbers::pi * b);
  }

 private:
  std::uint64_t s_;
};

struct Base {
  std::size_t nx, ny, nz;
};

Base base_of(const BedInfo& bed, std::size_t size) {
  if (bed.name == "W2") return {40, 20, size / 800};
  if (bed.name == "W4") return {40, 40, size / 1600};
  if (size == 100000) return {100, 50, layers};
  const std::size_t area = size / layers;
  std::size_t ny = static_cast<std::size_t>(std::sqrt(static_cast<double>(area)));
  while (ny > 1 && area % ny != 0) --ny;
  // a narrower box would let a grain meet itself
  if (size % layers != 0 || ny < 4) throw InputError(fmt::format("W1 of {} grains: expected 20 layers of a base at least 4 grains wide", size));
  return {area / ny, ny, layers};
}

void add(LammpsDump& dump, int type, std::array<double, 3> x, double r, std::array<double, 3> v) {
  dump.grains.push_back({static_cast<std::int64_t>(dump.grains.size()) + 1, type, x, r, v, {}});
}

LammpsDump space_lattice(const BedInfo& bed, std::size_t size) {
  const Base base = base_of(bed, size);
  const bool gas = bed.name == "W4";
  const double a = gas ? std::cbrt(4.0 / 3.0 * std::numbers::pi * 1.01 * mm * mm * mm / 0.05) : spacing;
  const double shake = gas ? 0.5 * (a - 2.2 * mm) : jitter;
  SplitMix g(12345);
  LammpsDump dump;
  for (std::size_t k = 0; k < base.nz; ++k)
    for (std::size_t j = 0; j < base.ny; ++j)
      for (std::size_t i = 0; i < base.nx; ++i) {
        const double r = (0.9 + 0.2 * g.uniform()) * mm;
        std::array<double, 3> x{}, v{};
        const std::array<std::size_t, 3> at{i, j, k};
        for (std::size_t d = 0; d < 3; ++d) x[d] = (static_cast<double>(at[d]) + 0.5) * a + g.around(shake);
        for (double& one : v) one = gas ? 0.5 * g.normal() : g.around(0.1);
        add(dump, 1, x, r, v);
      }
  dump.bounds = {"pp", "pp", gas ? "pp" : "fm"};
  dump.hi = {static_cast<double>(base.nx) * a, static_cast<double>(base.ny) * a, static_cast<double>(base.nz + (gas ? 0 : 2)) * a};
  return dump;
}

/// A column 50 grains wide on touching held grains, which reach out for the collapse.
LammpsDump plane_lattice(std::size_t size) {
  constexpr std::size_t wide = 50, floor = 400;
  if (size % wide != 0) throw InputError(fmt::format("W3 of {} grains: expected a multiple of {}", size, wide));
  SplitMix g(12345);
  LammpsDump dump;
  for (std::size_t i = 0; i < floor; ++i) add(dump, held_type, {(2 * static_cast<double>(i) + 1) * mm, 0, 0}, mm, {});
  for (std::size_t k = 0; k < size / wide; ++k)
    for (std::size_t i = 0; i < wide; ++i) {
      const double r = (0.9 + 0.2 * g.uniform()) * mm;
      const double x = (static_cast<double>(i) + 0.5) * spacing + g.around(jitter);
      const double y = 2.2 * mm + (static_cast<double>(k) + 0.5) * spacing + g.around(jitter);
      const double vx = g.around(0.1), vy = g.around(0.1);
      add(dump, 1, {x, y, 0}, r, {vx, vy, 0});
    }
  dump.bounds = {"ff", "ff", "pp"};
  dump.lo = {0, -2 * mm, -1.1 * mm};
  dump.hi = {2 * static_cast<double>(floor) * mm, 2.2 * mm + static_cast<double>(size / wide + 2) * spacing, 1.1 * mm};
  return dump;
}

/// Radii from 0.5 to 5 mm with the same volume in every part of the decade (dn/d ln r ~ r^-3), dropped at random
/// into a loose cloud, the largest first.
LammpsDump polydisperse_cloud(std::size_t size) {
  constexpr double r_min = 0.5 * mm, r_max = 5 * mm, fraction = 0.25;
  SplitMix g(12345);
  std::vector<double> radii(size);
  double volume = 0;
  for (double& r : radii) {
    // the distribution function of n is (r_min^-3 - r^-3)/(r_min^-3 - r_max^-3)
    const double low = std::pow(r_min, -3), high = std::pow(r_max, -3);
    r = std::pow(low - g.uniform() * (low - high), -1.0 / 3);
    volume += 4.0 / 3 * std::numbers::pi * r * r * r;
  }
  std::sort(radii.begin(), radii.end(), std::greater<>());
  LammpsDump dump;
  const double side = std::max(std::cbrt(volume / fraction), 5 * r_max);
  dump.bounds = {"pp", "pp", "fm"};
  dump.hi = {side, side, volume / fraction / (side * side) + 2 * r_max};
  Domain<3> domain;
  domain.periodic = {true, true, false};
  domain.hi = {dump.hi[0], dump.hi[1], dump.hi[2]};
  OverlapGrid<3> grid(domain, size);
  for (const double r : radii) {
    Vec<3, double> x{};
    int tries = 0;
    do {
      if (++tries > 100000) throw RunError("the cloud of the bed P1 is too dense to be dropped");
      x = {side * g.uniform(), side * g.uniform(), r + (dump.hi[2] - 2 * r) * g.uniform()};
    } while (grid.overlaps(x, r));
    grid.add(x, r, static_cast<std::uint32_t>(dump.grains.size()));
    add(dump, 1, {x[0], x[1], x[2]}, r, {});
  }
  return dump;
}

/// One part of a recipe.
struct Stage {
  std::string what, law;
  std::int64_t steps;
  bool drag = false;
  double right = 0;  // W3: a wall that holds the column, until it collapses
};

template <int D>
LammpsDump follow(Scene<D, double>& scene, const LammpsDump& from, const Stage& stage, const StateProgress& progress,
                  Checkpoint* springs) {
  scene.world.groups[0].drag = stage.drag ? settling_drag : 0;
  if (stage.right > 0) {
    Wall<D> wall;
    wall.name = "right";
    wall.point[0] = stage.right;
    wall.normal[0] = -1;
    scene.world.walls.push_back(wall);
  }
  Simulation<D, double> sim(scene, bed_dt, 0.0);
  if (springs->arrays.empty()) sim.start();
  else sim.load(*springs);
  for (std::int64_t n = 0; n < stage.steps; ++n) {
    sim.step();
    if (n % 200 == 0) {
      if (progress) progress(static_cast<double>(n) / static_cast<double>(stage.steps), stage.what);
      if (const auto fault = sim.engine().fault()) throw RunError(stage.what + ": " + fault->what);
    }
  }
  *springs = sim.save();
  return dump_of(scene, from, sim.steps());
}

LammpsDump follow(const BedInfo& bed, const LammpsDump& from, const Stage& stage, const StateProgress& progress,
                  Checkpoint* springs) {
  BedOptions options;
  options.law = stage.law;
  options.skin = 0.3 * mm;
  BedScene scene = bed_scene(bed, from, options);
  return std::visit([&](auto& one) { return follow(one, from, stage, progress, springs); }, scene);
}

/// The lowest grains of a settled bed are held from now on, the others get the speeds of a flow down a slope.
void start_chute(LammpsDump& dump) {
  constexpr double held_below = 3.3 * mm, fastest = 1.5;
  constexpr std::size_t top = 200;
  std::vector<double> heights;
  for (const DumpGrain& g : dump.grains) heights.push_back(g.x[2]);
  std::sort(heights.begin(), heights.end(), std::greater<>());
  const std::size_t few = std::min(top, heights.size());
  const double depth = std::accumulate(heights.begin(), heights.begin() + static_cast<std::ptrdiff_t>(few), 0.0) /
                           static_cast<double>(few) - held_below;
  for (DumpGrain& g : dump.grains) {
    if (g.x[2] < held_below) {
      g.type = held_type;
      g.v = g.w = {};
    } else {
      const double s = std::clamp(1 - (g.x[2] - held_below) / depth, 0.0, 1.0);
      g.v[0] += fastest * (1 - s * std::sqrt(s));
    }
  }
}

LammpsDump made(const BedInfo& bed, std::size_t size, const StateProgress& progress) {
  LammpsDump dump = bed_lattice(bed, size);
  if (bed.name == "W4") return dump;
  const std::string name = state_name(bed, size);
  // the settling of W2 and W3 is that of a bed at rest, whatever acts later
  const BedInfo& settling = bed.name == "W2" ? find_bed("W1") : bed;
  const bool plane = bed.name == "W3";
  const double right = plane ? 0.115 : 0;
  const std::int64_t drag = plane ? 150000 : bed.name == "W2" ? 40000 : 30000;
  Checkpoint springs;
  // a wall that is there in the first two stages and gone in the third would be another scene: springs begin anew
  dump = follow(settling, dump, {name + " settles", "hmt", drag, true, right}, progress, &springs);
  dump = follow(settling, dump, {name + " comes to rest", "hmt", plane ? 20000 : 10000, false, right}, progress, &springs);
  springs = {};
  if (bed.name == "W2") {
    start_chute(dump);
    dump = follow(bed, dump, {name + " flows", "lin", 40000}, progress, &springs);
  }
  if (plane) dump = follow(bed, dump, {name + " collapses", "hmt", 24000}, progress, &springs);
  return dump;
}

fs::path cache_file(const std::string& name) {
  const fs::path root = cache_folder();
  return root.empty() ? root : root / "beds" / (name + ".dump");
}

}  // namespace

std::string state_name(const BedInfo& bed, std::size_t size) {
  std::string name(bed.name);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return fmt::format("{}_{}", name, size);
}

LammpsDump bed_lattice(const BedInfo& bed, std::size_t size) {
  if (bed.name == "W3") return plane_lattice(size);
  if (bed.name == "P1") return polydisperse_cloud(size);
  return space_lattice(bed, size);
}

LammpsDump tiled(const LammpsDump& bed, std::size_t tiles_x, std::size_t tiles_y) {
  if (!bed.periodic(0) || !bed.periodic(1)) throw InputError("only beds with periodic sides can be laid side by side");
  LammpsDump dump = bed;
  dump.grains.clear();
  const double wide = bed.hi[0] - bed.lo[0], deep = bed.hi[1] - bed.lo[1];
  dump.hi[0] = bed.lo[0] + static_cast<double>(tiles_x) * wide;
  dump.hi[1] = bed.lo[1] + static_cast<double>(tiles_y) * deep;
  for (std::size_t a = 0; a < tiles_x; ++a)
    for (std::size_t b = 0; b < tiles_y; ++b)
      for (DumpGrain g : bed.grains) {
        g.id = static_cast<std::int64_t>(dump.grains.size()) + 1;
        g.x[0] += static_cast<double>(a) * wide;
        g.x[1] += static_cast<double>(b) * deep;
        dump.grains.push_back(g);
      }
  return dump;
}

BedState bed_state(const BedInfo& bed, std::size_t size, const StateSource& source) {
  const std::string name = state_name(bed, size);
  if (!source.folder.empty()) {
    for (const std::string ending : {".dump", ".dump.gz", "_lat.dump", "_lat.dump.gz"})
      if (const fs::path file = source.folder / (name + ending); fs::exists(file))
        return {read_lammps_dump(file), "from " + file.filename().string()};
    const bool tiles = bed.name == "W1" && size > tile_grains && size % tile_grains == 0;
    if (!tiles && bed.name != "P1")  // no other code is raced on P1, so nobody hands it around
      throw InputError(fmt::format("{}: no {}.dump or {}.dump.gz there", source.folder.string(), name, name));
  }
  const auto& standard = bed.sizes;
  const bool lattice = bed.name != "W1" || size < tile_grains ||
                       (std::find(standard.begin(), standard.end(), size) != standard.end() && size < 1000000);
  if (!lattice) {
    const std::size_t tiles = size / tile_grains;
    if (size % tile_grains != 0)
      throw InputError(fmt::format("W1 of {} grains: expected a multiple of {}, or 20 layers of a base below that", size, tile_grains));
    std::size_t across = static_cast<std::size_t>(std::sqrt(static_cast<double>(tiles)));
    while (tiles % across != 0) --across;
    BedState one = bed_state(bed, tile_grains, source);
    return {tiled(one.dump, tiles / across, across),
            fmt::format("{} copies of w1_{} side by side, {} × {}; that one {}", tiles, tile_grains, tiles / across, across, one.origin)};
  }
  const fs::path kept = cache_file(name);
  std::error_code trouble;
  if (!kept.empty() && fs::exists(kept, trouble)) {
    try {
      return {read_lammps_dump(kept), "from the cache"};
    } catch (const InputError&) {
      // damaged: make it again
    }
  }
  BedState state{made(bed, size, source.progress), "made by Scree"};
  if (!kept.empty()) {
    try {
      make_folder(kept.parent_path());
      write_lammps_dump(kept, state.dump);
    } catch (const std::exception&) {
      // a cache that cannot be written is no reason to stop
    }
  }
  return state;
}

void export_state(const fs::path& folder, const BedInfo& bed, std::size_t size, const LammpsDump& dump) {
  make_folder(folder);
  const std::string name = state_name(bed, size);
  write_lammps_dump(folder / (name + ".dump"), dump);
  write_lammps_data(folder / (name + ".data"), dump, bed_density);
  if (bed.dim == 2) write_lammps_data(folder / (name + "_thin.data"), dump, bed_density, 1.2 * mm);
}

}  // namespace scree
