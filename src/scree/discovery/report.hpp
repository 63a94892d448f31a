// SPDX-License-Identifier: BSD-3-Clause
/// Equations as people, papers and programs read them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scree/discovery/discover.hpp"

namespace scree {

/// x' = -9.999 x + 10.00 y
std::string equation_text(const FoundEquation& e);
/// \dot{…}, ready for an align environment.
std::string equation_latex(const FoundEquation& e);
/// {"equations": [{"lhs", "terms": [{"term", "coefficient", "stderr", "inclusion"}], …}], "score",
/// "residual", "selected_by", …}
nlohmann::ordered_json discovery_json(const Discovery& d);
/// Equations, errors of coefficients, notes: for the terminal.
std::string discovery_text(const Discovery& d);

}  // namespace scree
