// SPDX-License-Identifier: BSD-3-Clause
/// What a user may ask of a discovery, by name: the same names as flags (--degree 3) and as keys of
/// a TOML file (degree = 3). To add a setting: one entry in request.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scree/discovery/discover.hpp"
#include "scree/discovery/read_data.hpp"

namespace scree {

struct Request {
  DataSettings data;
  DiscoverySettings settings;
  bool simulate = false;
  std::string integrator = "rk4";
};

struct Knob {
  enum class Kind { flag, one, many };
  std::string name;
  Kind kind;
  char separator;  // of a list on the command line
  std::string help;
  /// Throws InputError saying what was expected; the caller says where.
  std::function<void(Request&, const std::vector<std::string>&)> apply;
};

const std::vector<Knob>& knobs();

/// Applies what came on the command line; the message names the flag.
void apply_flag(Request& request, const Knob& knob, const std::string& text);
/// Applies a TOML file: its keys are the names of the knobs, and `files`. Paths are relative to it.
void apply_file(Request& request, const std::string& path);

}  // namespace scree
