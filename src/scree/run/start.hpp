// SPDX-License-Identifier: BSD-3-Clause
/// Starting from a frame of another run: its clock goes on, so that prescribed motion does too, and
/// its tangential springs are those of the frame's contacts. With a scheme that remembers nothing
/// between steps the new run does what the old one did, bit for bit.
#pragma once

#include "scree/analysis/frame.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/run/scene.hpp"

namespace scree {

/// The frame that [start] asks for. InputError if there is none, or if it is not of the grains of
/// the scene, or lacks springs that its laws have. Grains that the scene keeps from turning begin without the spin
/// that they had as long as they could.
template <int D, class T> Frame start_frame(const Scene<D, T>& scene);

/// Makes of the state that a simulation was built with that of the frame. Grains that are not in
/// the frame stay where they are.
void start_from(Checkpoint& state, const Frame& frame, double dt);

}  // namespace scree
