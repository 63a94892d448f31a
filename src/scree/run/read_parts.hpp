// SPDX-License-Identifier: BSD-3-Clause
/// The parts of read_scene(): one reader per block of the scene file. Only for run/.
#pragma once

#include <string>
#include <vector>

#include "scree/io/toml_reader.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/run/scene.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// What reading leaves besides the scene: where relative files are, a hash of their bytes, and things to tell.
struct ReadNotes {
  std::string folder;
  std::uint64_t* files;
  std::vector<std::string>* warnings;
};

/// [material.NAME]
std::vector<Material> read_materials(TomlTable& root);

/// The index of the material that the block's key `material` names.
std::uint16_t read_material_name(TomlTable& block, const std::vector<Material>&, bool required);

/// Instants with a name: the beginnings of the phases of [prepare], and that of the run.
struct NamedTime {
  std::string name;
  double time = 0;
};
using NamedTimes = std::vector<NamedTime>;

/// from, until: seconds, or the name of an instant.
void read_window(TomlTable& block, const NamedTimes&, double& from, double& until);

/// A move that leads a ring onto the surface of a ring of grains, which is known when they are built.
struct RingTarget {
  std::size_t wall = 0, move = 0;
  TomlTable table;    // of the move
  std::string block;  // name of the grains
};

/// motion = [{ move = "translate", ... }]. Of a ring, `targets` takes in what depends on grains.
template <int D> std::vector<Move<D>> read_motion(TomlTable& block, const NamedTimes&,
                                                  std::vector<RingTarget>* targets = nullptr);

/// A box given as two corners, and a direction of any length, made a unit vector.
template <int D> Corners<D> read_corners(TomlTable& table, const char* key);
template <int D> Vec<D, double> read_direction(TomlTable& table, const char* key);

/// radius = 3e-3, or { mean, spread }, or { min, max }, or { values, counts }.
Radii read_radii(TomlTable& block);

/// servo = { pressure, … }; of a group with its own direction.
template <int D>
Servo<D> read_servo(TomlTable& block, const Domain<D>& domain, const NamedTimes&, const Vec<D, double>* direction = nullptr);

/// [[insert]], [[remove]]: fills inlets, outlets and the groups of the former.
template <int D, class T> void read_gates(TomlTable& root, World<D, T>&, const NamedTimes&, std::uint64_t seed, const ReadNotes&);

/// [[fields]]
std::vector<fields::LiveSettings> read_fields(TomlTable& root, int dim);

/// [domain]
template <int D> Domain<D> read_domain(TomlTable& root, std::vector<std::string>& warnings);

/// [[walls]]; also gives the block of each wall, for later complaints.
template <int D> std::vector<Wall<D>> read_walls(TomlTable& root, const std::vector<Material>&,
                                                 const Domain<D>&, const NamedTimes&, std::vector<TomlTable>& block_of,
                                                 std::vector<RingTarget>& targets);

/// Gives moves that lead onto grains their rate.
template <int D, class T> void aim_rings(World<D, T>&, std::vector<RingTarget>& targets);

/// A [[grains]] block after reading.
struct GrainBlock {
  TomlTable table;
  bool listed = false;  // its places were given one by one
  bool allow_overlap = false;
};

/// [[grains]]: fills grains, state, shapes and groups of the world.
template <int D, class T>
std::vector<GrainBlock> read_grains(TomlTable& root, World<D, T>&, const NamedTimes&,
                                    std::uint64_t seed, const ReadLimits&, const ReadNotes&);

/// Who meets whom, for laws that are derived for a typical pair.
struct MaterialUse {
  double grains = 0;  // how many, held or not
  double radius = 0;  // their mean
  double mass = 0;    // of a grain of that radius
  bool walls = false;
};
template <int D, class T> std::vector<MaterialUse> use_of_materials(const World<D, T>&);

/// [contact], [contact.A-B]
ContactTable read_contact(TomlTable& root, const std::vector<Material>&,
                          const std::vector<MaterialUse>&);

/// Angular grains: at which walls they may be, and with which laws. Throws InputError.
template <int D, class T> void check_shapes(const Scene<D, T>&, TomlTable& root, std::vector<TomlTable>& wall_blocks);
/// Friction as a constraint: in the plane, and with methods that give a force one step. Throws InputError.
template <int D, class T> void check_friction(const Scene<D, T>&, TomlTable& root);

/// Places: overlaps, grains behind walls or outside the domain. Throws InputError.
template <int D, class T> void check_places(const Scene<D, T>&, TomlTable& root,
                                            const std::vector<GrainBlock>&,
                                            std::vector<TomlTable>& wall_blocks);

/// Steps and laws: a step that is too large is an error, grains that stick are a warning.
template <int D, class T> void check_step(Scene<D, T>&, TomlTable& root);

/// What an integrator of bonds asks of laws and step. Throws InputError.
template <int D, class T> void check_bonds(Scene<D, T>&, TomlTable& root);
/// run.variant of kk-theta, in the order of MethodSettings::Theta.
inline const std::vector<std::string> theta_variants{"theta", "split", "third", "energy"};

}  // namespace scree
