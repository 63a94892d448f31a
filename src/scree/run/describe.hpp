// SPDX-License-Identifier: BSD-3-Clause
/// Laws as JSON and as text, from their field lists.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "scree/grains/world.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

/// One pair: the object itself; several: an object of objects, keyed "glass-steel".
nlohmann::json describe(const ContactTable& table, const std::vector<Material>& materials);

/// "hertz-linear (k 7.3e7 N m^-3/2, g 0.35 kg/s)".
/// The second argument says what derived coefficients are still multiplied by, pair by pair.
std::string law_text(const AnyNormal& law, const Scaling& scaling);
std::string law_text(const AnyTangential& law);
std::string law_text(const AnyRolling& law);
std::string law_text(const AnyRotational& law);

}  // namespace scree
