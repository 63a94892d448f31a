// SPDX-License-Identifier: BSD-3-Clause
/// A simulation: a scene in motion. It steps, tells where it is, and can be saved and restored bit
/// for bit; files, progress and signals are the runner's (runner.hpp).
#pragma once

#include <memory>

#include "scree/engines/engine.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/run/scene.hpp"

namespace scree {

/// The skin if the scene does not choose one: a fifth of the mean radius keeps the list for some
/// hundred steps in a flow and costs few idle pairs in a dense bed.
inline constexpr double default_skin = 0.2;

template <int D, class T>
class Simulation {
 public:
  /// Starts at t0. The scene's world moves; `dt` > 0.
  Simulation(Scene<D, T>& scene, double dt, const T& t0);

  /// Before the first step of a fresh run, not after load().
  void start();
  /// `watched`: false if another step follows before anybody looks at the state, which may then be on its way already.
  void step(bool watched = true);
  /// One to `most` steps after each of which another follows before anybody looks. How many?
  std::int64_t advance(std::int64_t most);

  T time() const { return t0_ + dt_ * T(static_cast<double>(steps_)); }
  std::int64_t steps() const { return steps_; }
  double dt() const { return static_cast<double>(dt_); }
  Engine<D, T>& engine() { return engine_; }
  Integrator<D, T>& integrator() { return *integrator_; }

  Frame frame(bool contacts);
  Energies energies();
  std::uint64_t hash() { return engine_.hash(time(), steps_); }
  double kinetic() const;
  std::size_t bytes() const { return engine_.bytes(); }

  /// Everything that the next step depends on, in id order.
  Checkpoint save();
  /// Throws RunError if the checkpoint is of another scene.
  void load(const Checkpoint& checkpoint);

  /// What a run records beside energies: counts and masses that have passed gates, and where servos are. The names
  /// do not change during a run; count and mass of an inlet or outlet are NAME.count and NAME.mass, of a servo
  /// NAME.displacement, NAME.speed and NAME.force (with which the grains push back).
  std::vector<std::string> signal_names() const;
  std::vector<double> signals() const;

  double initial_energy = 0;  // the ledger's E0
  std::int64_t grain_steps = 0;  // since this object exists, for the speed

 private:
  void add_profile();
  void end_of_steps(std::int64_t count, bool begun);

  Scene<D, T>& scene_;
  T dt_, t0_;
  std::int64_t steps_ = 0;
  std::unique_ptr<Integrator<D, T>> integrator_;
  Engine<D, T> engine_;
};

/// The largest and the mean radius, over all grains.
template <int D, class T> double largest_radius(const World<D, T>& world);
template <int D, class T> double mean_radius(const World<D, T>& world);

/// A copy with the smallest and the largest grain of every inlet in place of the inlets, for whatever is derived
/// from the grains that there will be.
template <int D, class T> World<D, T> with_arrivals(World<D, T> world);

}  // namespace scree
