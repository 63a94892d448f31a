// SPDX-License-Identifier: BSD-3-Clause
/// Schemes that the study of chains compares, by name: "kk-theta:split", "kk-theta:printed" (without the guard of energy),
/// "damped-verlet:mollified", "rk4".
#pragma once

#include <string>
#include <vector>

namespace scree {

struct ChainScheme {
  std::string name, integrator, manner;  // manner: behind the colon, or ""
  /// InputError names the nearest integrator or manner.
  explicit ChainScheme(std::string text);

  bool is_theta() const { return integrator == "kk-theta"; }
  bool as_printed() const { return is_theta() && (manner.empty() || manner == "theta" || manner == "printed"); }  // h >= γ
  bool mollified() const { return manner == "mollified"; }
  /// What it changes in a scene, as for --set; a mollified dashpot is the caller's.
  std::vector<std::string> changes() const;
};

std::vector<ChainScheme> chain_schemes(const std::vector<std::string>& names);

}  // namespace scree
