// SPDX-License-Identifier: BSD-3-Clause
/// The integrators there are. To add one: its class (or its tableau), and its line in registry.cpp.
#pragma once

#include <memory>
#include <vector>

#include "scree/integrators/system.hpp"

namespace scree {

/// All methods, in the order of the documentation.
const std::vector<Method>& methods();

/// The method of that name, or nullptr.
const Method* find_method(std::string_view name);

/// Throws InputError for an unknown name. `t0` is the time of the first step of the run (not of a
/// restart).
template <int D, class T>
std::unique_ptr<Integrator<D, T>> make_integrator(std::string_view name, const T& t0, const MethodSettings& settings = {});

}  // namespace scree
