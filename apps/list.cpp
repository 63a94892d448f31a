// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scree/integrators/registry.hpp"
#include "scree/laws/registry.hpp"
#include "scree/neighbours/search.hpp"
#include "scree/scenes/library.hpp"
#include "scree/scenes/registry.hpp"
#include "scree/studies/study.hpp"
#include "verbs.hpp"

namespace scree {
namespace {

/// Name and fields of every law of a variant.
template <class Variant, std::size_t... I>
nlohmann::json laws_of(std::index_sequence<I...>) {
  nlohmann::json all = nlohmann::json::array();
  const auto add = [&]<class Law>(const Law*) {
    nlohmann::json fields = nlohmann::json::array();
    for_each_field<Law>([&](const auto& f) {
      fields.push_back({{"name", f.name}, {"unit", f.unit}, {"meaning", f.meaning}, {"expected", expected(f.bound)}});
    });
    all.push_back({{"name", Law::name}, {"fields", fields}});
  };
  (add(static_cast<const std::variant_alternative_t<I, Variant>*>(nullptr)), ...);
  return all;
}
template <class Variant>
nlohmann::json laws_of() {
  return laws_of<Variant>(std::make_index_sequence<std::variant_size_v<Variant>>{});
}

void print_laws(const char* title, const nlohmann::json& laws) {
  fmt::print("{}\n", title);
  for (const auto& law : laws) {
    std::string fields;
    for (const auto& f : law["fields"]) {
      const std::string unit = f["unit"];
      fields += fmt::format("{}{}{}", fields.empty() ? "" : ", ", f["name"].get<std::string>(),
                            unit.empty() ? "" : " [" + unit + "]");
    }
    fmt::print("  {:<20} {}\n", law["name"].get<std::string>(), fields);
  }
}

void list(bool json) {
  nlohmann::json j;
  j["scenes"] = nlohmann::json::array();
  for (const auto& scene : scene_list()) j["scenes"].push_back({{"name", scene.name}, {"summary", scene.summary}});
  j["builders"] = nlohmann::json::array();
  for (const auto& name : builder_names()) j["builders"].push_back(name);
  j["normal"] = laws_of<AnyNormal>();
  j["tangential"] = laws_of<AnyTangential>();
  j["rolling"] = laws_of<AnyRolling>();
  j["rotational"] = laws_of<AnyRotational>();
  j["integrators"] = nlohmann::json::array();
  for (const Method& m : methods())
    j["integrators"].push_back({{"name", m.name}, {"order", m.order}, {"order_if_damped", m.order_if_damped},
                                {"force_calls", m.force_calls}, {"note", m.note}});
  j["neighbours"] = nlohmann::json::array();
  for (const SearchInfo& s : search_list()) j["neighbours"].push_back({{"name", s.name}, {"summary", s.summary}});
  j["studies"] = nlohmann::json::array();
  for (const Study* s : studies()) j["studies"].push_back({{"name", s->name()}, {"summary", s->summary()}, {"example", s->example()}});
  if (json) {
    fmt::print("{}\n", j.dump(2));
    return;
  }
  fmt::print("scenes (scree run scenes/NAME.toml, scree new NAME)\n");
  for (const auto& s : j["scenes"]) fmt::print("  {:<20} {}\n", s["name"].get<std::string>(), s["summary"].get<std::string>());
  fmt::print("builders of grains\n ");
  for (const auto& name : j["builders"]) fmt::print(" {}", name.get<std::string>());
  fmt::print("\n");
  print_laws("normal laws", j["normal"]);
  print_laws("tangential laws", j["tangential"]);
  print_laws("rolling laws", j["rolling"]);
  print_laws("laws of rotational damping", j["rotational"]);
  fmt::print("integrators{:>21} {:>10} {:>12}\n", "order", "damped", "force calls");
  for (const Method& m : methods())
    fmt::print("  {:<20} {:>9} {:>10} {:>12}   {}\n", m.name, m.order, m.order_if_damped, m.force_calls, m.note);
  fmt::print("neighbour searches\n");
  for (const SearchInfo& s : search_list()) fmt::print("  {:<20} {}\n", s.name, s.summary);
  fmt::print("studies (scree study NAME)\n");
  for (const Study* s : studies()) fmt::print("  {:<20} {}\n", s->name(), s->summary());
}

}  // namespace

void add_list(CLI::App& app, Exit&) {
  auto* verb = app.add_subcommand("list", "List scenes, laws, integrators, searches, studies");
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "Print one JSON object");
  verb->footer("Example:  scree list");
  verb->callback([json] { list(*json); });
}

}  // namespace scree
