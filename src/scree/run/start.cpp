// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/io/run_file.hpp"
#include "scree/io/toml.hpp"
#include "scree/run/phases.hpp"

namespace scree {
namespace {

/// The frame next to a time; it has to be that time but for rounding to whole steps.
std::size_t frame_at(const RunReader& run, const std::optional<double>& time, const std::string& file) {
  const auto& times = run.times();
  if (times.empty()) throw InputError(fmt::format("{}: start.run: {} has no frames", file, run.path().string()));
  if (!time) return times.size() - 1;
  const auto next = std::min_element(times.begin(), times.end(), [&](double a, double b) {
    return std::abs(a - *time) < std::abs(b - *time);
  });
  const double dt = run.info().numbers.contains("dt") ? run.info().numbers.at("dt") : 0;
  if (std::abs(*next - *time) > dt)
    throw InputError(fmt::format("{}: start.time: {} has no frame at {:.9g} s; the nearest is at {:.9g} s, the last at "
                                 "{:.9g} s", file, run.path().string(), *time, *next, times.back()));
  return static_cast<std::size_t>(next - times.begin());
}

/// Does a recorded scene, or a part of its [contact], name the law whose memory is a force and not a length?
bool names_constraint(const toml::table& contact) {
  if (contact["law"].value_or(std::string()) == ConstraintFriction::name) return true;
  return std::any_of(contact.begin(), contact.end(), [](const auto& member) {
    const toml::table* part = member.second.as_table();
    return part && names_constraint(*part);
  });
}
bool solved_for_friction(const std::string& scene) {
  try {
    const toml::table root = parse_toml(scene);
    const toml::table* contact = root["contact"].as_table();
    return contact && names_constraint(*contact);
  } catch (const toml::parse_error&) {
    return false;  // a run file made by others
  }
}

}  // namespace

template <int D, class T>
Frame start_frame(const Scene<D, T>& scene) {
  const auto fail = [&](const std::string& message) {
    throw InputError(fmt::format("{}: start.run: {}", scene.file, message));
  };
  if constexpr (is_dd<T>) fail("a run starts from another only in double");
  if (!scene.world.inlets.empty() || !scene.world.outlets.empty())
    fail("what has passed gates is not in a frame; expected a scene without [[insert]] and [[remove]]");
  const auto pressed = [](const auto& one) { return one.servo.on; };
  if (std::any_of(scene.world.walls.begin(), scene.world.walls.end(), pressed) ||
      std::any_of(scene.world.groups.begin(), scene.world.groups.end(), pressed))
    fail("where servos are is not in a frame; expected a scene without them");
  const RunReader run = [&] {
    try {
      return RunReader(scene.start.run);
    } catch (const RunError& error) {
      throw InputError(fmt::format("{}: start.run: {}", scene.file, error.what()));
    }
  }();
  if (run.info().dim != D) fail(fmt::format("{} has dim = {}, the scene {}", scene.start.run, run.info().dim, D));
  Frame frame = run.frame(frame_at(run, scene.start.time, scene.file));
  const auto& grains = scene.world.grains;
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const auto id = static_cast<std::size_t>(frame.id[k]);  // the scene's grains are in id order
    if (id >= grains.size())
      fail(fmt::format("{} has a grain {}, the scene only {} grains", scene.start.run, id, grains.size()));
    if (frame.radius[k] != static_cast<double>(grains.r[id]) || (frame.held[k] != 0) != (grains.held[id] != 0))
      fail(fmt::format("grain {} is another one in {} (radius {:.9g} m{}) than in the scene ({:.9g} m{}); expected the "
                       "same [[grains]]", id, scene.start.run, frame.radius[k], frame.held[k] ? ", held" : "",
                       static_cast<double>(grains.r[id]), grains.held[id] ? ", held" : ""));
    const auto there = frame.shape.empty() ? 0U : static_cast<ShapeIndex>(frame.shape[k]);
    const ShapeIndex here = grains.shape.empty() ? 0U : grains.shape[id];
    if ((there == 0) != (here == 0) ||
        (here > 0 && run.info().shapes.at(there - 1) != scene.world.shapes[here - 1].corners))
      fail(fmt::format("grain {} has another outline in {} than in the scene; expected the same [[grains]]", id, scene.start.run));
    // What could turn there and cannot here would go on with its spin for ever.
    if (!grains.held[id] && frame.inertia[k] > 0 && !(grains.inertia[id] > T(0))) {
      constexpr auto width = static_cast<std::size_t>(spin_size<D>);
      std::fill_n(frame.w.begin() + static_cast<std::ptrdiff_t>(k * width), width, 0.0);
    }
  }
  const auto solved = [](const ContactLaws& laws) { return std::holds_alternative<ConstraintFriction>(laws.tangential); };
  const bool here = std::any_of(scene.table.laws.begin(), scene.table.laws.end(), solved);
  const bool springs = std::any_of(scene.table.laws.begin(), scene.table.laws.end(), [](const auto& laws) { return laws.has_spring(); });
  if (springs && here != solved_for_friction(run.info().scene))
    fail(fmt::format("{} was run {} the tangential law \"constraint\", which remembers forces where others remember lengths; "
                     "expected the same kind of law", scene.start.run, here ? "without" : "with"));
  for (const ContactLaws& laws : scene.table.laws) {
    if (laws.has_rolling_spring()) fail("rolling springs are not in run files; expected a rolling law without one");
    if (laws.has_spring() && !frame.has_contacts)
      fail(scene.start.run + " has no contacts, whose springs the tangential law needs; expected output.contacts = true "
                             "in that run");
  }
  return frame;
}

void start_from(Checkpoint& state, const Frame& frame, double dt) {
  const auto put = [&](const char* name, const std::vector<double>& from) {
    auto& to = std::get<std::vector<double>>(state.arrays.at(name));
    const std::size_t width = frame.size() > 0 ? from.size() / frame.size() : 0;
    for (std::size_t k = 0; k < frame.size(); ++k)
      std::copy_n(from.begin() + std::ptrdiff_t(k * width), width,
                  to.begin() + std::ptrdiff_t(static_cast<std::size_t>(frame.id[k]) * width));
  };
  put("state.x", frame.x);
  put("state.v", frame.v);
  put("state.q", frame.q);
  put("state.w", frame.w);
  const FrameContacts& c = frame.contacts;
  std::vector<std::uint32_t> id1, id2;
  for (std::size_t k = 0; k < c.size(); ++k) {
    id1.push_back(static_cast<std::uint32_t>(c.id1[k]));
    // a wall k is -(k + 1) in a frame and 2^32 - 1 - k in a checkpoint: the same 32 bits
    id2.push_back(static_cast<std::uint32_t>(c.id2[k]));
  }
  const std::size_t spins = frame.dim == 2 ? 1 : 3;
  state.arrays["springs.id1"] = id1;
  state.arrays["springs.id2"] = id2;
  state.arrays["springs.zeta"] = c.spring;
  state.arrays["springs.roll"] = std::vector<double>(c.size() * spins, 0.0);
  state.arrays["springs.slack"] = std::vector<std::uint8_t>(c.size(), 0);
  state.values["changed"] = std::int64_t{0};
  restart(state, frame.time, dt);
}

#define SCREE_INSTANTIATE(D, T) template Frame start_frame(const Scene<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
