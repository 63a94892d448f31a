// SPDX-License-Identifier: BSD-3-Clause
/// The two ways in which things go wrong, each with its exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace scree {

/// The user's input is wrong: exit code 2, nothing written. The message names file, line, key,
/// what was expected and the nearest valid name.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The run went wrong (physics or I/O): exit code 1, last good state saved.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An integrator cannot take a step: no step is small enough, or its iteration finds no solution.
struct StepError : RunError {
  using RunError::RunError;
};

}  // namespace scree
