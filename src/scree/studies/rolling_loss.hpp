// SPDX-License-Identifier: BSD-3-Clause
/// What a damping takes from a grain that rolls: a damping that quiets heaps and stops wheels would be a rolling
/// resistance by another name.
///
/// A disk and a regular polygon of 24 corners roll along a floor, 5 cm in radius, at 0.5 m/s. A disk that rolls loses
/// nothing without damping; the polygon loses energy whenever a corner meets the floor, and what counts is how much
/// more it loses.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct RollingLoss {
  double disk = 0, polygon = 0;  // parts of the kinetic energy lost on the way
};

/// `tangential` and `rotational` are what a scene says in [contact], the latter empty for none.
/// `overrides` as for a scene; places, speeds and spins at the start remain those of 5000 kg/m² on Y = 1e7 N/m. Throws RunError if a run fails.
RollingLoss rolling_loss(const std::string& tangential, const std::string& rotational, double h, double time,
                         const std::vector<std::string>& overrides = {});

}  // namespace scree
