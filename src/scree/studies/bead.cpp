// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/bead.hpp"

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

/// Calls f(L{}) for every normal law L.
template <class F, std::size_t... K> void each_law(F&& f, std::index_sequence<K...>) {
  (f(std::variant_alternative_t<K, AnyNormal>{}), ...);
}
template <class F> void each_law(F&& f) {
  each_law(f, std::make_index_sequence<std::variant_size_v<AnyNormal>>{});
}

/// A number that TOML takes for one with a fraction.
std::string toml_number(double x) {
  std::string text = shortest(x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::vector<std::string> normal_law_names() {
  std::vector<std::string> names;
  each_law([&](const auto& law) { names.emplace_back(law.name); });
  return names;
}

bool law_has(const std::string& law, const std::string& wanted) {
  bool has = false;
  each_law([&]<class L>(const L&) {
    if (L::name == law)
      for_each_field<L>([&](const auto& one) { has = has || one.name == wanted; });
  });
  return has;
}

std::string bead_law(const std::string& law, double eps, bool attraction) {
  const auto names = normal_law_names();
  if (std::find(names.begin(), names.end(), law) == names.end())
    throw InputError("--law: unknown law " + in_quotes(law) + "; expected some of " + join(names) +
                     did_you_mean(law, names));
  const bool linear = law == Linear::name;
  std::string text = fmt::format("{{ law = \"{}\"", law);
  // Figure 1.6: the linear law; figure 1.7: Hertz with a plain dashpot; figure 1.8, tables 2.1 and
  // 4.1: Kuwabara-Kono.
  if (law_has(law, "k")) text += ", k = " + toml_number(linear ? 7.32e6 : 9e7);
  if (law_has(law, "g"))
    text += ", g = " + toml_number(linear ? 2.06 : law == HertzLinear::name ? 0.35 : 190);
  if (law_has(law, "eps")) text += ", eps = " + toml_number(eps);
  return text + fmt::format(", attraction = {} }}", attraction);
}

Partner partner_named(const std::string& name) {
  const std::vector<std::string> names{"fixed", "free", "wall"};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return static_cast<Partner>(k);
  throw InputError("--partner: expected one of " + join(names) + ", found " + in_quotes(name) +
                   did_you_mean(name, names));
}

std::string bead_scene(const std::string& law_text, Partner partner, double speed) {
  const bool wall = partner == Partner::wall;
  std::string text = R"([scene]
name = "two beads"
dim = 2

[material.bead]                 # cellulose acetate
density = 1300.0                # kg/m^3
body = "sphere"

)";
  if (wall)
    text += fmt::format(R"([[grains]]                      # one bead, touching the wall
build = "points"
material = "bead"
positions = [[3.0e-3, 0.0]]     # m
velocities = [[-{0}, 0.0]]      # m/s
radii = [3.0e-3]                # m

[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [1.0, 0.0]
)",
                        toml_number(speed));
  else
    text += fmt::format(R"([[grains]]                      # two beads, exactly in touch
build = "points"
material = "bead"
positions = [[0.0, 0.0], [6.0e-3, 0.0]]  # m
velocities = [[0.0, 0.0], [-{0}, 0.0]]   # m/s
radii = [3.0e-3, 3.0e-3]        # m
fixed = [{1}, false]
)",
                        toml_number(speed), partner == Partner::fixed);
  return text + fmt::format(R"(
[contact]
normal = {}

[run]
integrator = "damped-verlet"
dt = 1.1920928955078125e-07     # s, 2^-23
time = 1.0e-4                   # s
)",
                            law_text);
}

BodyPair body_pair(const AnyScene& scene) {
  return std::visit(
      [](const auto& s) {
        const auto& g = s.world.grains;
        BodyPair pair;
        pair.laws = s.table.laws[s.table.index(g.material[0], g.material[0])];
        const auto r = [&](std::size_t i) { return static_cast<double>(g.r[i]); };
        const auto m = [&](std::size_t i) { return static_cast<double>(g.m[i]); };
        if (!s.world.walls.empty() && g.size() == 1) {
          pair.laws = s.table.laws[s.table.index(g.material[0], s.world.walls[0].material)];
          pair.r_eff = r(0);
          pair.m_eff = m(0);
        } else if (g.size() == 2) {
          pair.laws = s.table.laws[s.table.index(g.material[0], g.material[1])];
          pair.r_eff = r(0) * r(1) / (r(0) + r(1));
          pair.m_eff = g.held[0] ? m(1) : g.held[1] ? m(0) : m(0) * m(1) / (m(0) + m(1));
        } else {
          throw InputError("this study needs a scene of two grains, or of one grain and one wall");
        }
        return pair;
      },
      scene);
}

}  // namespace scree
