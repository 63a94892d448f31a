// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/describe.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace scree {
namespace {

template <class Variant>
nlohmann::json law_json(const Variant& any_law) {
  return std::visit(
      [](const auto& law) {
        using Law = std::remove_cvref_t<decltype(law)>;
        nlohmann::json j{{"law", Law::name}};
        for_each_field<Law>([&](const auto& field) { j[std::string(field.name)] = law.*(field.member); });
        return j;
      },
      any_law);
}

template <class Variant>
std::string text_of(const Variant& any_law) {
  return std::visit(
      [](const auto& law) {
        using Law = std::remove_cvref_t<decltype(law)>;
        std::string numbers;
        for_each_field<Law>([&](const auto& field) {
          numbers += fmt::format("{}{} {:.6g}{}{}", numbers.empty() ? "" : ", ", field.name, law.*(field.member),
                                 field.unit.empty() ? "" : " ", field.unit);
        });
        return numbers.empty() ? std::string(Law::name) : fmt::format("{} ({})", Law::name, numbers);
      },
      any_law);
}

std::string_view damping_factor(Scaling::Damping damping) {
  switch (damping) {
    case Scaling::Damping::root_radius: return "sqrt(r_eff)";
    case Scaling::Damping::quarter_radius: return "r_eff^(1/4)";
    case Scaling::Damping::root_mass: return "sqrt(m_eff)";
    case Scaling::Damping::mass: return "m_eff";
    case Scaling::Damping::mass_root_radius: return "m_eff sqrt(r_eff)";
    case Scaling::Damping::given: break;
  }
  return {};
}

nlohmann::json laws_json(const ContactLaws& laws) {
  nlohmann::json normal = law_json(laws.normal);
  normal["attraction"] = laws.attraction;
  if (laws.scaling.stiffness == Scaling::Stiffness::root_radius) normal["k_times"] = "sqrt(r_eff)";
  if (laws.scaling.of_grains()) normal["stiffest_grain"] = laws.scaling.stiffest;
  const std::string_view factor = damping_factor(laws.scaling.damping);
  if (!factor.empty()) normal["damping_times"] = factor;
  return {{"normal", normal}, {"tangential", law_json(laws.tangential)}, {"rolling", law_json(laws.rolling)},
          {"rotational", law_json(laws.rotational)}};
}

}  // namespace

nlohmann::json describe(const ContactTable& table, const std::vector<Material>& materials) {
  if (table.laws.size() == 1) return laws_json(table.laws.front());
  nlohmann::json j = nlohmann::json::object();
  for (std::uint16_t a = 0; a < table.materials; ++a)
    for (std::uint16_t b = a; b < table.materials; ++b)
      j[materials[a].name + "-" + materials[b].name] = laws_json(table.laws[table.index(a, b)]);
  return j;
}

std::string law_text(const AnyNormal& law, const Scaling& scaling) {
  std::string text = text_of(law);
  if (scaling.stiffness == Scaling::Stiffness::root_radius) text += ", k times sqrt(r_eff)";
  const std::string_view factor = damping_factor(scaling.damping);
  if (!factor.empty()) text += fmt::format(", damping times {}", factor);
  if (scaling.of_grains()) text += fmt::format(", times the stiffness of the grains (at most {:.4g})", scaling.stiffest);
  return text;
}
std::string law_text(const AnyTangential& law) { return text_of(law); }
std::string law_text(const AnyRolling& law) { return text_of(law); }
std::string law_text(const AnyRotational& law) { return text_of(law); }

}  // namespace scree
