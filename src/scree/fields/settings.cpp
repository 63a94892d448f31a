// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/settings.hpp"

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/shapes/polygon.hpp"

namespace scree::fields {
namespace {

constexpr std::array<std::string_view, 4> names{"none", "normalised", "wall", "mirror"};

}  // namespace

std::string_view name_of(Border border) { return names[static_cast<std::size_t>(border)]; }

Border border_named(const std::string& name) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return static_cast<Border>(k);
  const std::vector<std::string> list(names.begin(), names.end());
  throw InputError("boundary: expected one of " + join(list) + ", found " + in_quotes(name) + did_you_mean(name, list));
}

Surroundings surroundings_of(const RunInfo& info) {
  Surroundings s;
  s.dim = info.dim;
  const auto number = [&](const char* name) {
    const auto at = info.numbers.find(name);
    return at == info.numbers.end() ? 0.0 : at->second;
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(info.dim); ++k) {
    if (k < info.period.size()) s.period[k] = info.period[k];
    if (k < info.lo.size()) s.lo[k] = info.lo[k];
    if (k < info.gravity.size()) s.gravity[k] = info.gravity[k];
  }
  s.gravity_rate = number("gravity_rate");
  s.damping = number("damping");
  s.shear_rate = number("shear_rate");
  s.shear_from = number("shear_from");
  s.groups = forces_from_json(info.forces);
  s.home_id = info.home_id;
  s.home = info.home;
  for (const auto& corners : info.shapes)
    s.areas.push_back(mass_properties(PolygonView<double>{corners.data(), static_cast<int>(corners.size()), {}}).area);
  return s;
}

}  // namespace scree::fields
