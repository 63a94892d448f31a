// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/group_forces.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scree/core/errors.hpp"

namespace scree {

template <int D> std::string forces_json(const std::vector<Group<D>>& groups) {
  const auto acts = [](const Group<D>& g) { return g.drag != 0 || g.attachment != 0 || !g.pushes.empty(); };
  if (std::none_of(groups.begin(), groups.end(), acts)) return "";
  const auto vector = [](const Vec<D, double>& v) {
    auto list = nlohmann::json::array();
    for (int k = 0; k < D; ++k) list.push_back(v[k]);
    return list;
  };
  auto all = nlohmann::json::array();
  for (const Group<D>& g : groups) {
    nlohmann::json one{{"drag", g.drag}, {"attachment", g.attachment}, {"pushes", nlohmann::json::array()}};
    for (const Push<D>& p : g.pushes) {
      nlohmann::json push{{"force", vector(p.force)}, {"force_amplitude", vector(p.force_amplitude)}, {"frequency", p.frequency}, {"phase", p.phase}};
      if (std::isfinite(p.from)) push["from"] = p.from;
      if (std::isfinite(p.until)) push["until"] = p.until;
      one["pushes"].push_back(push);
    }
    all.push_back(one);
  }
  return all.dump();
}

std::vector<GroupForces> forces_from_json(const std::string& text) {
  std::vector<GroupForces> all;
  if (text.empty()) return all;
  try {
    const auto vector = [](const nlohmann::json& list) {
      std::array<double, 3> v{};
      for (std::size_t k = 0; k < std::min<std::size_t>(list.size(), 3); ++k) v[k] = list[k].get<double>();
      return v;
    };
    for (const auto& j : nlohmann::json::parse(text)) {
      GroupForces one{j.at("drag").get<double>(), j.at("attachment").get<double>(), {}};
      for (const auto& p : j.at("pushes"))
        one.pushes.push_back({vector(p.at("force")), vector(p.at("force_amplitude")), p.at("frequency").get<double>(), p.at("phase").get<double>(),
                              p.value("from", -forever), p.value("until", forever)});
      all.push_back(std::move(one));
    }
  } catch (const nlohmann::json::exception& error) {
    throw RunError(std::string("the forces on groups of the run file cannot be read: ") + error.what());
  }
  return all;
}

template std::string forces_json(const std::vector<Group<2>>&);
template std::string forces_json(const std::vector<Group<3>>&);

}  // namespace scree
